// The camera: follows the animal smoothly, orbits by hand, and knows a few views by name.
import { PerspectiveCamera, Vector3 } from "three";
import type { Terrain } from "./terrain";

export const VIEWS = ["follow", "side", "front", "top", "free"] as const;
export type View = (typeof VIEWS)[number];

// Yaw from behind the animal, and pitch, in radians.
const PLACES: Record<View, [number, number]> = {
  follow: [0.78, 0.15],
  side: [Math.PI / 2, 0.1],
  front: [Math.PI - 0.5, 0.14],
  top: [0, 1.45],
  free: [0.78, 0.2],
};

const wrap = (angle: number): number => Math.atan2(Math.sin(angle), Math.cos(angle));

export class Camera {
  readonly eye = new PerspectiveCamera(38, 1, 0.05, 900);
  view: View = "follow";
  /** The yaw along which the camera looks. */
  looking = 0;
  /** The yaw that a stick pushed up means. */
  steer = 0;
  private readonly target = new Vector3();
  private heading = 0;
  private turn = 0;
  private tip = 0;
  private zoom = 1;
  private fresh = true;
  private height = 1.17;
  private span = 1;
  private side = 0;
  private below = 0;
  /** Whether a stick steers, and how far the camera has gone behind the animal for it. */
  stick = false;
  private behind = 0;

  constructor(private readonly calm: boolean) {}

  resize(width: number, height: number): void {
    this.eye.aspect = width / height;
    // On upright screens the animal must fit across.
    this.eye.fov = width < height ? 52 : 36;
    this.eye.updateProjectionMatrix();
  }

  /** How large what is looked at is: a hip height, how many animals stand abreast, and how much a panel covers. */
  fit(hip: number, span: number): void {
    this.height = hip;
    this.span = span;
  }

  /** Shifts the picture away from a panel that covers so many pixels at the right or below. */
  uncover(right: number, below: number): void {
    this.side = right;
    this.below = below;
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

  update(dt: number, place: Vector3, facing: number, terrain: Terrain, width: number, tall: number): void {
    const soft = (seconds: number): number => (this.fresh ? 1 : 1 - Math.exp(-dt / seconds));
    const { height } = this;
    const eyeLevel = place.y + height * 0.85;
    // Places lag only a little, so that a gallop does not run out of the picture; height lags more, against bobbing.
    this.target.x += (place.x - this.target.x) * soft(0.08);
    this.target.z += (place.z - this.target.z) * soft(0.08);
    this.target.y += (eyeLevel - this.target.y) * soft(0.35);
    if (this.view !== "free" || this.fresh) {
      // With less motion wished, the camera keeps its direction until the animal has turned far away from it.
      const off = wrap(facing - this.heading);
      if (!this.calm || Math.abs(off) > 1 || this.fresh) this.heading += off * soft(this.view === "top" ? 1.5 : 0.75);
    }
    this.fresh = false;
    const [yaw, pitch] = PLACES[this.view];
    this.behind += ((this.stick && this.view === "follow" ? 1 : 0) - this.behind) * soft(this.stick ? 0.5 : 4);
    const around = this.heading + yaw * (1 - 0.7 * this.behind) + this.turn;
    const above = Math.min(Math.max(pitch + this.tip, -0.05), 1.5);
    const distance = height * 6.2 * this.zoom * (1 + (this.eye.aspect < 1 ? 0.75 : 0.45) * (this.span - 1)) * (this.below > 0 ? 1.35 : 1) * (this.view === "top" ? 1.5 : 1);
    const flat = Math.cos(above) * distance;
    const { eye } = this;
    eye.position.set(
      this.target.x - Math.sin(around) * flat,
      this.target.y + Math.sin(above) * distance,
      this.target.z - Math.cos(around) * flat,
    );
    const floor = terrain.height(eye.position.x, eye.position.z) + 0.12 * height;
    eye.position.y = Math.max(eye.position.y, floor);
    eye.lookAt(this.target);
    eye.near = height * 0.05;
    this.looking = around;
    // A camera that follows turns with the animal: "away from me" would lead it in a circle, so ahead is ahead.
    this.steer = this.view === "follow" ? this.heading : around;
    const { side, below } = this;
    if (side > 0 || below > 0) eye.setViewOffset(width, tall, side / 2, below / 2, width, tall);
    else if (eye.view?.enabled) eye.clearViewOffset();
    eye.updateProjectionMatrix();
  }
}
