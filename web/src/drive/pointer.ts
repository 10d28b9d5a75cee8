// Mouse and fingers on the meadow: click to go there, drag to draw a path, right button or one finger to look around;
// and to throw at an animal with weight, or to push it.
import { Vector2, Vector3 } from "three";
import type { World3d } from "../world3d";

export interface PointerHandlers {
  goTo(x: number, z: number): void;
  path(points: [number, number][]): void;
  drawing(points: [number, number][]): void;
  /** Handles a click on something else than the ground to go to; false if there is nothing. */
  pick(clientX: number, clientY: number): boolean;
  /** Takes hold of what can be dragged by the main button or a finger; null if there is nothing. */
  grip(clientX: number, clientY: number): Grip | null;
}

/** Something that is dragged, by pixels from where it was taken. */
export interface Grip {
  drag(dx: number, dy: number): void;
  release(dx: number, dy: number): void;
  cancel(): void;
}

/** A pointer that moves farther than this, in pixels, drags. */
const DRAG_PIXELS = 6;

/** Where the ray through a pixel meets the ground, by ray marching and bisection; null for the sky. */
export function groundAt(world: World3d, clientX: number, clientY: number): [number, number] | null {
  const box = world.canvas.getBoundingClientRect();
  const at = new Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
  const from = world.camera.eye.position.clone();
  const way = new Vector3(at.x, at.y, 0.5).unproject(world.camera.eye).sub(from).normalize();
  const above = (t: number): number =>
    from.y + way.y * t - world.terrain.height(from.x + way.x * t, from.z + way.z * t);
  let t = 0;
  for (let step = 0; step < 400; step++) {
    const next = t + Math.max(0.02, 0.3 * Math.abs(above(t)));
    if (next > 150) return null;
    if (above(next) <= 0) {
      let [low, high] = [t, next];
      for (let i = 0; i < 20; i++) {
        const middle = (low + high) / 2;
        if (above(middle) > 0) low = middle;
        else high = middle;
      }
      return [from.x + way.x * high, from.z + way.z * high];
    }
    t = next;
  }
  return null;
}

export function listenToPointer(world: World3d, handlers: PointerHandlers): void {
  const { canvas, camera } = world;
  const fingers = new Map<number, { x: number; y: number }>();
  let start: { x: number; y: number; orbit: boolean; grip: Grip | null } | null = null;
  let points: [number, number][] = [];
  let moved = false;
  let pinch = 0;

  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved = false;
    points = [];
    start?.grip?.cancel();
    const touch = event.pointerType === "touch";
    const grip = fingers.size === 1 && (touch || event.button === 0) ? handlers.grip(event.clientX, event.clientY) : null;
    start = { x: event.clientX, y: event.clientY, orbit: touch || event.button !== 0, grip };
    pinch = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger || !start) return;
    const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size > 1) {
      const [a, b] = [...fingers.values()];
      const gap = a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
      if (pinch > 0 && gap > 0) camera.dolly(pinch / gap);
      pinch = gap;
      moved = true;
      return;
    }
    if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > DRAG_PIXELS) moved = true;
    if (!moved) return;
    if (start.grip) return start.grip.drag(event.clientX - start.x, event.clientY - start.y);
    if (start.orbit) return camera.orbit(dx, dy);
    const at = groundAt(world, event.clientX, event.clientY);
    const last = points[points.length - 1];
    if (at && (!last || Math.hypot(at[0] - last[0], at[1] - last[1]) > 0.12) && points.length < 500) {
      points.push(at);
      handlers.drawing(points);
    }
  });
  const end = (event: PointerEvent): void => {
    const mine = fingers.delete(event.pointerId) && fingers.size === 0;
    if (!mine || !start) return;
    const { orbit, grip, x, y } = start;
    start = null;
    if (event.type === "pointercancel") return grip?.cancel();
    if (!moved && (event.pointerType === "touch" || event.button === 0)) {
      if (handlers.pick(event.clientX, event.clientY)) return;
      const at = groundAt(world, event.clientX, event.clientY);
      if (at) handlers.goTo(at[0], at[1]);
    } else if (grip && moved) grip.release(event.clientX - x, event.clientY - y);
    else if (!orbit && points.length > 1) handlers.path(points);
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      camera.dolly(Math.exp(event.deltaY * 0.0012));
    },
    { passive: false },
  );
}
