// What a click or a drag means to an animal with weight: a box thrown at a place, or a push along the ground.
import { Vector3 } from "three";
import type { Throw, Triple } from "../wire";

const GRAVITY = 9.81;
/** Speed of a thrown box in sqrt(g h) of the hip height h, and how far away it appears, in h. */
const [THROW_SPEED, THROW_DISTANCE] = [3, 4];
/** A box appears no farther than this share of the way to the camera. */
const MAX_SHARE_OF_VIEW = 0.85;
/** Kilograms per cubic metre of a box: a full crate. */
const BOX_DENSITY = 700;
/** m/s by which a thrown box would change the speed of the animal, if all of its momentum went over. */
export const THROW_STRENGTH = { low: 0.2, high: 2, usual: 0.5 };
/** m/s by which the longest push changes the speed of the animal, and the length of its arrow in hip heights. */
const [MAX_PUSH, MAX_ARROW] = [2, 1.6];

/** An animal as far as it can be hit: its hip height, mass and velocity, in metres, kilograms and m/s. */
export interface Target {
  hip: number;
  mass: number;
  velocity: Vector3;
}

const UP = new Vector3(0, 1, 0);
const rounded = (v: Vector3): Triple => v.toArray().map((x) => Number(x.toFixed(4))) as Triple;

/**
 * A box that flies from the camera's side to a place, and meets it there although the animal moves on meanwhile.
 * `strength` in m/s; `floor` is the height of the ground at x and z.
 */
export function thrownBox(at: Vector3, eye: Vector3, target: Target, strength: number, floor: (x: number, z: number) => number): Omit<Throw, "actor"> {
  const speed = THROW_SPEED * Math.sqrt(GRAVITY * target.hip);
  const mass = (strength * target.mass) / speed;
  const side = Math.cbrt(mass / BOX_DENSITY);
  const back = eye.clone().sub(at);
  const start = back.setLength(Math.min(THROW_DISTANCE * target.hip, MAX_SHARE_OF_VIEW * back.length())).add(at);
  start.y = Math.max(start.y, floor(start.x, start.z) + side);
  const seconds = start.distanceTo(at) / speed;
  const velocity = at.clone().addScaledVector(target.velocity, seconds).sub(start).divideScalar(seconds).addScaledVector(UP, (GRAVITY * seconds) / 2);
  const length = Number(side.toFixed(4));
  return { position: rounded(start), velocity: rounded(velocity), size: [length, length, length], mass: Number(mass.toFixed(4)) };
}

/** A push: its impulse in newton seconds, and the arrow that shows it, in metres. */
export interface Shove {
  impulse: Triple;
  arrow: Vector3;
}

/**
 * The push of a drag by pixels, `pixel` metres each: to the right of the picture along `right`, upwards away from the
 * camera, always level. It grows with the length of the drag up to a limit.
 */
export function shove(dx: number, dy: number, pixel: number, right: Vector3, { hip, mass }: Target): Shove {
  const arrow = right.clone().multiplyScalar(dx).addScaledVector(UP.clone().cross(right), -dy).multiplyScalar(pixel).setY(0).clampLength(0, MAX_ARROW * hip);
  return { impulse: rounded(arrow.clone().multiplyScalar((MAX_PUSH * mass) / (MAX_ARROW * hip))), arrow };
}
