// The camera: keeps the animals in the part of the canvas that no card covers, orbits by hand, has named views.
import { PerspectiveCamera, Vector3 } from "three";
import type { Terrain } from "./terrain";

const VIEWS = ["follow", "side", "front", "top", "free"] as const;
export type View = (typeof VIEWS)[number];

/** A body: its place and facing, and the corners of the box around it, seen from there (x left, y up, z ahead). */
export interface BodyBounds {
  place: Vector3;
  facing: number;
  low: Vector3;
  high: Vector3;
}

/** Metres to which a body reaches around its place. */
export const reach = ({ low, high }: BodyBounds): number => Math.max(high.x, high.z, -low.x, -low.z);

/** The animal that the camera follows: its id, place, facing and hip height, and all bodies to keep in view. */
export interface CameraSubject {
  id: number;
  place: Vector3;
  facing: number;
  hip: number;
  bodies: readonly BodyBounds[];
}

/** Pixels at the edges of the canvas that are covered. */
export interface Margins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** Yaw from behind the animal, and pitch, in radians. */
const VIEW_ANGLES: Record<View, [number, number]> = {
  follow: [0.78, 0.15],
  side: [Math.PI / 2, 0.1],
  front: [Math.PI - 0.5, 0.14],
  top: [0, 1.45],
  free: [0.78, 0.2],
};
/** Several animals are followed from farther behind and above, where they hide each other less. */
const GROUP_VIEW = { yaw: 0.4, maxYaw: 0.85, pitch: 0.2 };
/** What is framed besides the body: ground before the feet and air over the head, in heights of it; and space around
 * it, in lengths. */
const [BELOW, ABOVE, AROUND] = [0.14, 0.22, 0.05];
/** Seconds by which the camera's place lags behind that of an animal with hips 1 m high; less behind smaller ones. */
const LAG_SECONDS = 0.08;
/** If the subject moves farther than this between two pictures, the camera jumps instead of flying there. */
const JUMP_HIP_HEIGHTS = 12;

export const wrap = (angle: number): number => Math.atan2(Math.sin(angle), Math.cos(angle));

export class Camera {
  readonly eye = new PerspectiveCamera(36, 1, 0.05, 900);
  view: View = "follow";
  /** The yaw that a stick pushed up means. */
  steer = 0;
  /** Whether a stick steers, and how far (0 to 1) the camera has moved behind the animal for it. */
  stick = false;
  private behind = 0;
  /** Yaw and pitch of the view that follows. */
  private followYaw = VIEW_ANGLES.follow[0];
  private followPitch = VIEW_ANGLES.follow[1];
  private heading = 0;
  /** Angles that were added by hand. */
  private orbitYaw = 0;
  private orbitPitch = 0;
  private zoom = 1;
  /** Whether the next update jumps to its goal. */
  private jumps = true;
  private subjectId = -1;
  private margins: Margins = { top: 0, right: 0, bottom: 0, left: 0 };
  private readonly panel = { right: 0, below: 0 };
  /** The smoothed place of the subject, the offset of the camera's target from it, and the camera's distance. */
  private readonly followed = new Vector3();
  private readonly offset = new Vector3();
  private distance = 1;
  /** Pixels from the middle of the canvas to the middle of its uncovered part. */
  private readonly shift = { x: 0, y: 0 };
  private readonly target = new Vector3();

  /** `reducedMotion`: turns less often. */
  constructor(private readonly reducedMotion: boolean) {}

  resize(width: number, height: number): void {
    if (this.eye.aspect !== width / height) this.jumps = true;
    this.eye.aspect = width / height;
    // On upright screens the animal must fit across.
    this.eye.fov = width < height ? 52 : 36;
    this.eye.updateProjectionMatrix();
  }

  /** Sets how many pixels a panel covers at the right or below. */
  setPanel(right: number, below: number): void {
    Object.assign(this.panel, { right, below });
  }

  /** Sets what cards cover, besides a panel. */
  setMargins(margins: Margins): void {
    this.margins = margins;
  }

  /** Undoes orbiting and zooming by hand. */
  frame(): void {
    this.orbitYaw = this.orbitPitch = 0;
    this.zoom = 1;
  }

  /** Makes the next update jump to its goal. */
  jump(): void {
    this.jumps = true;
  }

  next(): View {
    this.set(VIEWS[(VIEWS.indexOf(this.view) + 1) % VIEWS.length] ?? "follow");
    return this.view;
  }

  set(view: View): void {
    this.view = view;
    this.orbitYaw = this.orbitPitch = 0;
  }

  orbit(dx: number, dy: number): void {
    this.orbitYaw -= dx * 0.007;
    this.orbitPitch += dy * 0.005;
  }

  dolly(factor: number): void {
    this.zoom = Math.min(Math.max(this.zoom * factor, 0.3), 6);
  }

  update(dt: number, subject: CameraSubject, terrain: Terrain, width: number, tall: number): void {
    const { eye, followed, offset } = this;
    const moved = Math.hypot(subject.place.x - followed.x, subject.place.z - followed.z);
    if (moved > JUMP_HIP_HEIGHTS * subject.hip) this.jumps = true;
    else if (subject.id !== this.subjectId) {
      // Another animal is followed: glide there.
      offset.add(followed).sub(subject.place);
      followed.copy(subject.place);
    }
    this.subjectId = subject.id;
    const ease = (seconds: number): number => (this.jumps ? 1 : 1 - Math.exp(-dt / seconds));
    // The place lags only a little, so that a gallop stays in view; the height lags more, against bobbing.
    const lag = LAG_SECONDS * Math.min(1, Math.sqrt(subject.hip));
    followed.x += (subject.place.x - followed.x) * ease(lag);
    followed.z += (subject.place.z - followed.z) * ease(lag);
    followed.y += (subject.place.y - followed.y) * ease(0.35);
    if (this.view === "top") {
      // A map does not turn: north, the way that animals face at first, is up.
      this.heading += wrap(-this.heading) * ease(0.3);
    } else if (this.view !== "free" || this.jumps) {
      // With reduced motion the camera keeps its direction until the animal has turned far away from it.
      const error = wrap(subject.facing - this.heading);
      if (!this.reducedMotion || Math.abs(error) > 1 || this.jumps) this.heading += error * ease(0.75);
    }
    let [yaw, pitch] = VIEW_ANGLES[this.view];
    const several = subject.bodies.length > 1;
    this.followYaw += ((several ? this.across(subject) : VIEW_ANGLES.follow[0]) - this.followYaw) * ease(0.8);
    this.followPitch += ((several ? GROUP_VIEW.pitch : VIEW_ANGLES.follow[1]) - this.followPitch) * ease(0.8);
    if (this.view === "follow") [yaw, pitch] = [this.followYaw, this.followPitch];
    this.behind += ((this.stick && this.view === "follow" ? 1 : 0) - this.behind) * ease(this.stick ? 0.5 : 4);
    const around = this.heading + yaw * (1 - 0.7 * this.behind) + this.orbitYaw;
    const above = Math.min(Math.max(pitch + this.orbitPitch, -0.05), 1.5);

    const free = this.free(width, tall);
    this.shift.x += (free.x - this.shift.x) * ease(0.25);
    this.shift.y += (free.y - this.shift.y) * ease(0.25);
    const fit = this.fit(subject, around, above, free.wide / width, free.tall / tall);
    offset.lerp(fit.offset, ease(0.5));
    this.distance += (fit.distance - this.distance) * ease(0.5);
    this.jumps = false;

    const target = this.target.copy(followed).add(offset);
    const distance = this.distance * this.zoom;
    const flat = Math.cos(above) * distance;
    eye.position.set(
      target.x - Math.sin(around) * flat,
      target.y + Math.sin(above) * distance,
      target.z - Math.cos(around) * flat,
    );
    const floor = terrain.height(eye.position.x, eye.position.z) + 0.12 * subject.hip;
    eye.position.y = Math.max(eye.position.y, floor);
    eye.lookAt(target);
    eye.near = subject.hip * 0.05;
    // A camera that follows turns with the animal: "away from the camera" would lead it in a circle.
    this.steer = this.view === "follow" ? this.heading : around;
    eye.setViewOffset(width, tall, this.shift.x, this.shift.y, width, tall);
    eye.updateMatrixWorld();
  }

  /** Metres per pixel at the camera's target. */
  pixel(tall: number): number {
    return (2 * Math.tan((this.eye.fov * Math.PI) / 360) * this.eye.position.distanceTo(this.target)) / tall;
  }

  /** The yaw from which the other animals stand beside the followed one rather than behind it. */
  private across(subject: CameraSubject): number {
    const others = new Vector3();
    for (const { place } of subject.bodies) others.add(place).sub(subject.place);
    const off = wrap(Math.atan2(others.x, others.z) - this.heading + Math.PI / 2);
    const square = Math.abs(off) > Math.PI / 2 ? wrap(off + Math.PI) : off;
    return Math.min(Math.max(GROUP_VIEW.yaw + square, -GROUP_VIEW.maxYaw), GROUP_VIEW.maxYaw);
  }

  /** The uncovered part of the canvas: its size, and the offset of its middle from the canvas's, in pixels. */
  private free(width: number, tall: number): { x: number; y: number; wide: number; tall: number } {
    const { margins, panel } = this;
    const [left, right] = [margins.left, Math.max(margins.right, panel.right)];
    const [top, bottom] = [margins.top, Math.max(margins.bottom, panel.below)];
    return {
      x: (right - left) / 2,
      y: (bottom - top) / 2,
      wide: Math.max(width - left - right, 0.25 * width),
      tall: Math.max(tall - top - bottom, 0.25 * tall),
    };
  }

  /** What must be in view of a body, in the world. A free camera does not move when the animal turns under it. */
  private corners(body: BodyBounds): Vector3[] {
    const { place, facing, low, high } = body;
    const [s, c] = [Math.sin(facing), Math.cos(facing)];
    const around = AROUND * Math.max(high.x - low.x, high.z - low.z);
    const tall = high.y - low.y;
    const heights = [low.y - BELOW * tall, high.y + ABOVE * tall];
    const free = reach(body) + around;
    const edges: [number, number][] =
      this.view === "free"
        ? Array.from({ length: 8 }, (_, i) => [free * Math.sin((i * Math.PI) / 4), free * Math.cos((i * Math.PI) / 4)])
        : [low.x - around, high.x + around].flatMap((x) => [low.z - around, high.z + around].map((z): [number, number] => [x, z]));
    return edges.flatMap(([x, z]) => heights.map((y) => new Vector3(place.x + x * c + z * s, place.y + y, place.z - x * s + z * c)));
  }

  /** The uncovered part of a canvas of this size, in pixels from its upper left corner. */
  freeBox(width: number, tall: number): { left: number; top: number; right: number; bottom: number } {
    const { x, y, wide, tall: high } = this.free(width, tall);
    const [across, down] = [width / 2 - x, tall / 2 - y];
    return { left: across - wide / 2, right: across + wide / 2, top: down - high / 2, bottom: down + high / 2 };
  }

  /**
   * The nearest eye with this orientation that has all bodies in the uncovered part. A point (x right, y up, z ahead)
   * is inside a side of the frustum if x - e.x <= t (z - e.z), t being the side's tangent: linear, so the farthest
   * points decide.
   */
  private fit(subject: CameraSubject, around: number, above: number, across: number, down: number): { offset: Vector3; distance: number } {
    const [s, c] = [Math.sin(around), Math.cos(around)];
    const right = new Vector3(-c, 0, s);
    const ahead = new Vector3(s * Math.cos(above), -Math.sin(above), c * Math.cos(above));
    const up = new Vector3(s * Math.sin(above), Math.cos(above), c * Math.sin(above));
    const ty = Math.tan((this.eye.fov * Math.PI) / 360) * down;
    const tx = Math.tan((this.eye.fov * Math.PI) / 360) * this.eye.aspect * across;
    let [x0, x1, y0, y1] = [-Infinity, -Infinity, -Infinity, -Infinity];
    for (const body of subject.bodies)
      for (const corner of this.corners(body)) {
        // From the place that the camera has reached: one that lags behind a gallop must still have all of it in view.
        const at = corner.sub(this.followed);
        const [x, y, z] = [at.dot(right), at.dot(up), at.dot(ahead)];
        x0 = Math.max(x0, -x - tx * z);
        x1 = Math.max(x1, x - tx * z);
        y0 = Math.max(y0, -y - ty * z);
        y1 = Math.max(y1, y - ty * z);
      }
    const back = Math.max((x0 + x1) / (2 * tx), (y0 + y1) / (2 * ty));
    // The camera turns about the middle of the bodies, though it follows one of them.
    const middle = new Vector3();
    for (const { place } of subject.bodies) middle.addScaledVector(place, 1 / subject.bodies.length);
    const deep = middle.sub(this.followed).dot(ahead);
    const offset = right.multiplyScalar((x1 - x0) / 2).addScaledVector(up, (y1 - y0) / 2).addScaledVector(ahead, deep);
    return { offset, distance: back + deep };
  }
}
