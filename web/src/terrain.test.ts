import { describe, expect, it } from "vitest";
import golden from "./golden.json";
import { makeTerrain, planeTerrain, type Terrain } from "./terrain";
import type { TerrainInfo, Waves } from "./wire";

/** Terrains of canter's World with heights and gradients that it computed (tests/studio/golden.py). */
const CASES = golden.terrains.map(({ terrain, waves, places, heights, gradients }) => ({
  name: terrain.terrain,
  terrain: makeTerrain(terrain as TerrainInfo, waves as Waves | null),
  samples: places.map(([x, z], i) => ({ x: x ?? NaN, z: z ?? NaN, height: heights[i] ?? NaN, gradient: gradients[i] ?? [] })),
}));
const named = (name: string): Terrain => CASES.find((one) => one.name === name)?.terrain ?? makeTerrain({ terrain: "none" });

describe.each(CASES)("$name", ({ terrain, samples }) => {
  it("is as high and as steep as the server's", () => {
    for (const { x, z, height, gradient } of samples) {
      expect(terrain.height(x, z)).toBeCloseTo(height, 12);
      terrain.gradient(x, z).forEach((slope, axis) => expect(slope).toBeCloseTo(gradient[axis] ?? NaN, 12));
    }
  });

  it("has a surface that is nowhere below the ground", () => {
    for (const { x, z, height } of samples) expect(terrain.surface(x, z)).toBeGreaterThanOrEqual(height - 1e-12);
  });

});

describe.each(CASES.filter(({ name }) => name !== "steps"))("$name for a shader", ({ terrain, samples }) => {
  it("is as high", () => {
    const { slope, waves } = terrain.shape;
    for (const { x, z, height } of samples) {
      const hills = waves.map(([kx, kz, phase, amplitude]) => amplitude * (Math.sin(kx * x + kz * z + phase) - Math.sin(phase)));
      expect(hills.reduce((sum, hill) => sum + hill, slope[0] * x + slope[1] * z)).toBeCloseTo(height, 12);
    }
  });
});

describe("steps", () => {
  const steps = named("steps");
  const corners = steps.profile?.corners ?? [];

  it("go up and down again at the corners of their profile", () => {
    expect(corners.length).toBe(12);
    for (let k = 0; k < corners.length; k += 2) {
      const [[edge, before], [same, after]] = [corners[k] ?? [NaN, NaN], corners[k + 1] ?? [NaN, NaN]];
      expect(same).toBe(edge);
      expect(steps.height(0, edge - 1e-6)).toBeCloseTo(before, 9);
      expect(steps.height(0, edge + 1e-6)).toBeCloseTo(after, 9);
    }
    expect(Math.max(...corners.map(([, height]) => height))).toBeCloseTo(3 * 0.12, 9);
    expect(corners[corners.length - 1]?.[1]).toBe(0);
  });

  it("have a surface without breaks", () => {
    for (let z = -1; z < 6; z += 0.001) expect(Math.abs(steps.surface(0, z + 0.001) - steps.surface(0, z))).toBeLessThan(0.001);
  });
});

it("hills whose waves are not known are flat, and so is an unknown terrain", () => {
  for (const name of ["rolling", "moon"]) expect(makeTerrain({ terrain: name }).height(1, 2)).toBe(0);
});

it("a plane is the tilt of a world, through any of its places", () => {
  const tilted = makeTerrain({ terrain: "flat", tilt: [0.05, -0.1] });
  const [gx, gz] = tilted.gradient(0, 0);
  const length = Math.hypot(gx, 1, gz);
  const plane = planeTerrain([-gx / length, 1 / length, -gz / length], [2, tilted.height(2, 3), 3]);
  for (const [x, z] of [[0, 0], [4, -1], [-3, 2]] as const) expect(plane.height(x, z)).toBeCloseTo(tilted.height(x, z), 12);
  expect(plane.gradient(0, 0)).toEqual([expect.closeTo(gx, 12), expect.closeTo(gz, 12)]);
});
