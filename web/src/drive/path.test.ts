import { describe, expect, it } from "vitest";
import golden from "../golden.json";
import { smooth, type Place } from "./path";

const HIP = 1.2;
const distance = (a: Place, b: Place): number => Math.hypot(b[0] - a[0], b[1] - a[1]);

/** Three sides of a rectangle, as a hand draws it: a point every 5 cm, and sharp corners. */
const drawn: Place[] = [];
for (const [from, to] of [[[0, 0], [0, 4]], [[0, 4], [6, 4]], [[6, 4], [6, 0]]] as [Place, Place][])
  for (let along = 0; along < distance(from, to); along += 0.05) {
    const share = along / distance(from, to);
    drawn.push([from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]);
  }

/** Degrees by which a path turns at its points. */
function turns(path: readonly Place[]): number[] {
  const yaws = path.slice(1).map((b, i) => Math.atan2(b[0] - (path[i]?.[0] ?? 0), b[1] - (path[i]?.[1] ?? 0)));
  return yaws.slice(1).map((yaw, i) => {
    const turn = yaw - (yaws[i] ?? 0);
    return (Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn))) * 180) / Math.PI;
  });
}

describe("smooth", () => {
  const path = smooth(drawn, HIP);

  it("begins and ends where it was drawn", () => {
    expect(path[0]).toEqual(drawn[0]);
    expect(path[path.length - 1]).toEqual(drawn[drawn.length - 1]);
  });

  it("has no corners, and is still the path that was drawn", () => {
    expect(Math.max(...turns(drawn))).toBeCloseTo(90, 6);
    expect(Math.max(...turns(path))).toBeLessThan(25);
    for (const point of path) expect(Math.min(...drawn.map((other) => distance(point, other)))).toBeLessThan(0.5 * HIP);
    const total = turns(path).reduce((sum, turn) => sum + turn, 0);
    expect(total).toBeGreaterThan(170);
    expect(total).toBeLessThan(190);
  });

  it("keeps a straight line", () => {
    const straight = smooth([[0, 0], [3, 4]], HIP);
    expect(straight.length).toBeGreaterThan(5);
    for (const [x, z] of straight) expect(4 * x - 3 * z).toBeCloseTo(0, 9);
  });

  it("is the same for a small animal that draws small", () => {
    const small = smooth(drawn.map(([x, z]): Place => [x / 10, z / 10]), HIP / 10);
    expect(small.length).toBe(path.length);
    small.forEach(([x, z], i) => expect(distance([10 * x, 10 * z], path[i] ?? [NaN, NaN])).toBeLessThan(1e-9));
  });

  it("never has more points than the server takes", () => {
    const zigzag = Array.from({ length: 500 }, (_, i): Place => [i % 2 ? 50 : -50, i]);
    expect(smooth(zigzag, 0.05).length).toBeLessThanOrEqual(golden.path_points);
  });

  it("of nothing is nothing", () => {
    expect(smooth([], HIP)).toEqual([]);
  });
});
