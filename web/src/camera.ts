// The camera: keeps the animals in the part of the picture that no card covers, orbits by hand, knows views by name.
import { PerspectiveCamera, Vector3 } from "three";
import type { Terrain } from "./terrain";

export const VIEWS = ["follow", "side", "front", "top", "free"] as const;
export type View = (typeof VIEWS)[number];

/** A body as the camera sees it: an upright cylinder, which is as wide from everywhere. */
export interface Bulk {
  place: Vector3;
  radius: number;
  tall: number;
}

/** What is looked at: the animal that is followed, how it faces, its hip height, and all that shall be in the picture. */
export interface Sight {
  who: number;
  place: Vector3;
  facing: number;
  hip: number;
  bulks: readonly Bulk[];
}

/** Pixels at the picture's edges that are covered. */
export interface Margins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

// Yaw from behind the animal, and pitch, in radians.
const PLACES: Record<View, [number, number]> = {
  follow: [0.78, 0.15],
  side: [Math.PI / 2, 0.1],
  front: [Math.PI - 0.5, 0.14],
  top: [0, 1.45],
  free: [0.78, 0.2],
};
/** Several animals are followed from farther behind and above, where they hide each other less. */
const SEVERAL = { yaw: 0.4, most: 0.85, pitch: 0.2 };
/** Ground before the feet and air over the head, in heights of the body. */
const [BELOW, ABOVE] = [0.18, 1.3];
/** In hip heights: beyond this a leap of the place is a new beginning and no way to fly. */
const LEAP = 12;

export const wrap = (angle: number): number => Math.atan2(Math.sin(angle), Math.cos(angle));

export class Camera {
  readonly eye = new PerspectiveCamera(36, 1, 0.05, 900);
  view: View = "follow";
  /** The yaw along which the camera looks. */
  looking = 0;
  /** The yaw that a stick pushed up means. */
  steer = 0;
  /** Whether a stick steers, and how far the camera has gone behind the animal for it. */
  stick = false;
  private behind = 0;
  /** Yaw and pitch in the view that follows. */
  private apart = PLACES.follow[0];
  private raised = PLACES.follow[1];
  private heading = 0;
  private turn = 0;
  private tip = 0;
  private zoom = 1;
  private fresh = true;
  private who = -1;
  private covers: Margins = { top: 0, right: 0, bottom: 0, left: 0 };
  private readonly panel = { right: 0, below: 0 };
  /** What is followed, without haste; how far from it the camera looks, and from what distance. */
  private readonly followed = new Vector3();
  private readonly beside = new Vector3();
  private distance = 1;
  /** By how many pixels the picture's middle is moved to the middle of what is free. */
  private readonly shift = { x: 0, y: 0 };
  private readonly target = new Vector3();

  constructor(private readonly calm: boolean) {}

  resize(width: number, height: number): void {
    if (this.eye.aspect !== width / height) this.fresh = true;
    this.eye.aspect = width / height;
    // On upright screens the animal must fit across.
    this.eye.fov = width < height ? 52 : 36;
    this.eye.updateProjectionMatrix();
  }

  /** A panel that covers so many pixels at the right or below. */
  uncover(right: number, below: number): void {
    Object.assign(this.panel, { right, below });
  }

  /** What cards cover, besides a panel. */
  cover(margins: Margins): void {
    this.covers = margins;
  }

  frame(): void {
    this.turn = this.tip = 0;
    this.zoom = 1;
  }

  /** Begins again without a flight from wherever it was. */
  jump(): void {
    this.fresh = true;
  }

  next(): View {
    this.set(VIEWS[(VIEWS.indexOf(this.view) + 1) % VIEWS.length] ?? "follow");
    return this.view;
  }

  set(view: View): void {
    this.view = view;
    this.turn = this.tip = 0;
  }

  orbit(dx: number, dy: number): void {
    this.turn -= dx * 0.007;
    this.tip += dy * 0.005;
  }

  dolly(factor: number): void {
    this.zoom = Math.min(Math.max(this.zoom * factor, 0.3), 6);
  }

  update(dt: number, sight: Sight, terrain: Terrain, width: number, tall: number): void {
    const { eye, followed, beside } = this;
    const leap = Math.hypot(sight.place.x - followed.x, sight.place.z - followed.z);
    if (leap > LEAP * sight.hip) this.fresh = true;
    else if (sight.who !== this.who) {
      // Another animal is followed: glide there.
      beside.add(followed).sub(sight.place);
      followed.copy(sight.place);
    }
    this.who = sight.who;
    const soft = (seconds: number): number => (this.fresh ? 1 : 1 - Math.exp(-dt / seconds));
    // Places lag only a little, so that a gallop does not run out of the picture; height lags more, against bobbing.
    followed.x += (sight.place.x - followed.x) * soft(0.08);
    followed.z += (sight.place.z - followed.z) * soft(0.08);
    followed.y += (sight.place.y - followed.y) * soft(0.35);
    if (this.view === "top") {
      // A map does not turn: north, the way that animals face at first, is up.
      this.heading += wrap(-this.heading) * soft(0.3);
    } else if (this.view !== "free" || this.fresh) {
      // With less motion wished, the camera keeps its direction until the animal has turned far away from it.
      const off = wrap(sight.facing - this.heading);
      if (!this.calm || Math.abs(off) > 1 || this.fresh) this.heading += off * soft(0.75);
    }
    let [yaw, pitch] = PLACES[this.view];
    const several = sight.bulks.length > 1;
    this.apart += ((several ? this.across(sight) : PLACES.follow[0]) - this.apart) * soft(0.8);
    this.raised += ((several ? SEVERAL.pitch : PLACES.follow[1]) - this.raised) * soft(0.8);
    if (this.view === "follow") [yaw, pitch] = [this.apart, this.raised];
    this.behind += ((this.stick && this.view === "follow" ? 1 : 0) - this.behind) * soft(this.stick ? 0.5 : 4);
    const around = this.heading + yaw * (1 - 0.7 * this.behind) + this.turn;
    const above = Math.min(Math.max(pitch + this.tip, -0.05), 1.5);

    const free = this.free(width, tall);
    this.shift.x += (free.x - this.shift.x) * soft(0.25);
    this.shift.y += (free.y - this.shift.y) * soft(0.25);
    const fit = this.fit(sight, around, above, free.wide / width, free.tall / tall);
    beside.lerp(fit.beside, soft(0.5));
    this.distance += (fit.distance - this.distance) * soft(0.5);
    this.fresh = false;

    const target = this.target.copy(followed).add(beside);
    const distance = this.distance * this.zoom;
    const flat = Math.cos(above) * distance;
    eye.position.set(
      target.x - Math.sin(around) * flat,
      target.y + Math.sin(above) * distance,
      target.z - Math.cos(around) * flat,
    );
    const floor = terrain.height(eye.position.x, eye.position.z) + 0.12 * sight.hip;
    eye.position.y = Math.max(eye.position.y, floor);
    eye.lookAt(target);
    eye.near = sight.hip * 0.05;
    this.looking = around;
    // A camera that follows turns with the animal: "away from me" would lead it in a circle, so ahead is ahead.
    this.steer = this.view === "follow" ? this.heading : around;
    eye.setViewOffset(width, tall, this.shift.x, this.shift.y, width, tall);
    eye.updateMatrixWorld();
  }

  /** Metres that a pixel spans where the camera looks. */
  pixel(tall: number): number {
    return (2 * Math.tan((this.eye.fov * Math.PI) / 360) * this.eye.position.distanceTo(this.target)) / tall;
  }

  /** The yaw from which the other animals stand beside the followed one rather than behind it. */
  private across(sight: Sight): number {
    const others = new Vector3();
    for (const { place } of sight.bulks) others.add(place).sub(sight.place);
    const off = wrap(Math.atan2(others.x, others.z) - this.heading + Math.PI / 2);
    const square = Math.abs(off) > Math.PI / 2 ? wrap(off + Math.PI) : off;
    return Math.min(Math.max(SEVERAL.yaw + square, -SEVERAL.most), SEVERAL.most);
  }

  /** The part of the picture that nothing covers: its size, and how far its middle is from the picture's. */
  private free(width: number, tall: number): { x: number; y: number; wide: number; tall: number } {
    const { covers, panel } = this;
    const [left, right] = [covers.left, Math.max(covers.right, panel.right)];
    const [top, bottom] = [covers.top, Math.max(covers.bottom, panel.below)];
    return {
      x: (right - left) / 2,
      y: (bottom - top) / 2,
      wide: Math.max(width - left - right, 0.25 * width),
      tall: Math.max(tall - top - bottom, 0.25 * tall),
    };
  }

  /**
   * The nearest eye, looking so, that has all bodies in the free part. A point (x right, y up, z ahead) is inside a
   * side of the picture if x - e.x <= t (z - e.z), t being the side's tangent: linear, so the farthest points decide.
   */
  private fit(sight: Sight, around: number, above: number, across: number, down: number): { beside: Vector3; distance: number } {
    const [s, c] = [Math.sin(around), Math.cos(around)];
    const right = new Vector3(-c, 0, s);
    const ahead = new Vector3(s * Math.cos(above), -Math.sin(above), c * Math.cos(above));
    const up = new Vector3(s * Math.sin(above), Math.cos(above), c * Math.sin(above));
    const ty = Math.tan((this.eye.fov * Math.PI) / 360) * down;
    const tx = Math.tan((this.eye.fov * Math.PI) / 360) * this.eye.aspect * across;
    let [x0, x1, y0, y1] = [-Infinity, -Infinity, -Infinity, -Infinity];
    const at = new Vector3();
    for (const { place, radius, tall } of sight.bulks)
      for (const [i, k] of [[-1, 0], [1, 0], [0, -1], [0, 1]] as const)
        for (const height of [-BELOW * tall, ABOVE * tall]) {
          at.copy(place).sub(sight.place);
          at.x += radius * (k * s - i * c);
          at.z += radius * (k * c + i * s);
          at.y += height;
          const [x, y, z] = [at.dot(right), at.dot(up), at.dot(ahead)];
          x0 = Math.max(x0, -x - tx * z);
          x1 = Math.max(x1, x - tx * z);
          y0 = Math.max(y0, -y - ty * z);
          y1 = Math.max(y1, y - ty * z);
        }
    const back = Math.max((x0 + x1) / (2 * tx), (y0 + y1) / (2 * ty));
    // The camera turns about the middle of the bodies, though it follows one of them.
    const middle = new Vector3();
    for (const { place } of sight.bulks) middle.addScaledVector(place, 1 / sight.bulks.length);
    const deep = middle.sub(sight.place).dot(ahead);
    const beside = right.multiplyScalar((x1 - x0) / 2).addScaledVector(up, (y1 - y0) / 2).addScaledVector(ahead, deep);
    return { beside, distance: back + deep };
  }
}
