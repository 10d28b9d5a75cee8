import { Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { shove, THROW_STRENGTH, thrownBox, type Target } from "./impulse";

const dog: Target = { hip: 0.5, mass: 27.5, velocity: new Vector3() };
const level = (): number => 0;
const vector = (v: readonly number[]): Vector3 => new Vector3(...v);

/** Where a box is some seconds after it was thrown. */
const after = (box: ReturnType<typeof thrownBox>, seconds: number): Vector3 =>
  vector(box.position).addScaledVector(vector(box.velocity), seconds).add(new Vector3(0, (-9.81 * seconds ** 2) / 2, 0));

/** How near a box comes to a place that moves. */
const nearest = (box: ReturnType<typeof thrownBox>, at: Vector3, velocity: Vector3): number =>
  Math.min(...Array.from({ length: 2000 }, (_, i) => after(box, i / 1000).distanceTo(at.clone().addScaledVector(velocity, i / 1000))));

describe("a click throws a box", () => {
  const at = new Vector3(0.1, 0.45, 0.2);
  const eye = new Vector3(3, 1.2, -4);

  it("from the camera's side, to where was clicked", () => {
    const box = thrownBox(at, eye, dog, 0.5, level);
    expect(vector(box.position).distanceTo(at)).toBeCloseTo(2, 3);
    expect(vector(box.position).sub(at).angleTo(eye.clone().sub(at))).toBeCloseTo(0, 3);
    expect(nearest(box, at, dog.velocity)).toBeLessThan(0.01);
  });

  it("that meets an animal on its way", () => {
    const velocity = new Vector3(0, 0, 3);
    expect(nearest(thrownBox(at, eye, { ...dog, velocity }, 0.5, level), at, velocity)).toBeLessThan(0.01);
  });

  it("with the momentum that changes the animal's speed as told", () => {
    for (const strength of [THROW_STRENGTH.low, THROW_STRENGTH.usual, THROW_STRENGTH.high]) {
      const { mass, velocity, size } = thrownBox(at, eye, dog, strength, level);
      expect(Math.abs((mass * vector(velocity).length()) / dog.mass / strength - 1)).toBeLessThan(0.1);
      expect(size[0] ** 3 * 700).toBeCloseTo(mass, 2);
      expect(size[0]).toBeLessThan(0.7 * dog.hip);
    }
  });

  it("faster and farther to a larger animal, never from behind the camera or below the ground", () => {
    const horse = { ...dog, hip: 1.2, mass: 430 };
    expect(vector(thrownBox(at, eye, horse, 0.5, level).velocity).length()).toBeGreaterThan(1.4 * vector(thrownBox(at, eye, dog, 0.5, level).velocity).length());
    const close = at.clone().add(new Vector3(0.5, 0, 0));
    expect(thrownBox(at, close, dog, 0.5, level).position[0]).toBeLessThan(close.x);
    const low = thrownBox(new Vector3(0, 0, 0), new Vector3(9, 0.1, 0), dog, 0.5, () => 0.3);
    expect(low.position[1]).toBeGreaterThan(0.3 + low.size[1] / 2);
    expect(nearest(low, new Vector3(), dog.velocity)).toBeLessThan(0.01);
  });
});

describe("a drag on the animal pushes it", () => {
  const right = new Vector3(0, 0, -1); // the camera looks along -x

  it("as the picture shows it: aside, and upwards away", () => {
    const aside = shove(50, 0, 0.004, right, dog);
    expect(aside.arrow.toArray()).toEqual([0, 0, -0.2]);
    const away = shove(0, -50, 0.004, right, dog);
    expect(away.arrow.x).toBeCloseTo(-0.2);
    expect(away.arrow.z).toBeCloseTo(0);
    expect(away.impulse[1]).toBe(0);
  });

  it("harder the longer it is, up to 2 m/s", () => {
    const speed = (dx: number): number => vector(shove(dx, 0, 0.004, right, dog).impulse).length() / dog.mass;
    expect(speed(0)).toBe(0);
    expect(speed(100)).toBeCloseTo(2 * speed(50), 3);
    expect(speed(200)).toBeCloseTo(2, 3);
    expect(speed(9000)).toBeCloseTo(2, 3);
    expect(shove(9000, 40, 0.004, right, dog).arrow.length()).toBeCloseTo(0.8);
  });

  it("an animal twice as large by as much speed", () => {
    const large = { hip: 1, mass: 8 * dog.mass, velocity: dog.velocity };
    expect(vector(shove(50, 20, 0.008, right, large).impulse).length() / large.mass).toBeCloseTo(vector(shove(50, 20, 0.004, right, dog).impulse).length() / dog.mass, 3);
  });
});
