import { describe, expect, it } from "vitest";
import type { ActorInfo, SceneInfo } from "../wire";
import { perCents, shownExperts, stacked, switched, WeightHistory } from "./weights";

const animal = (id: number, experts: boolean[]): ActorInfo => ({ id, experts }) as ActorInfo;
const scene = (abreast: boolean, ...actors: ActorInfo[]): SceneInfo => ({ abreast, actors }) as SceneInfo;

describe("the history of weights", () => {
  it("keeps the last seconds, each frame once", () => {
    const history = new WeightHistory(2);
    for (let frame = 0; frame < 50; frame++) {
      history.add(frame, Float32Array.of(0.25, 0.75), 10);
      history.add(frame, Float32Array.of(1, 0), 10);
    }
    expect(history.samples.map(({ frame }) => frame)).toEqual(Array.from({ length: 21 }, (_, i) => 29 + i));
    expect(history.samples.every(({ weights }) => weights[0] === 0.25)).toBe(true);
  });

  it("starts anew after a reset, and with another network", () => {
    const history = new WeightHistory(2);
    for (const frame of [7, 8, 9]) history.add(frame, [1, 0], 10);
    history.add(0, [0.5, 0.5], 10);
    expect(history.samples.length).toBe(1);
    history.add(1, [0.5, 0.25, 0.25], 10);
    expect(history.samples.map(({ weights }) => weights.length)).toEqual([3]);
  });
});

describe("a stack", () => {
  it("fills the whole height, in the order of the experts", () => {
    expect(stacked([0.25, 0.5, 0.25])).toEqual([0, 0.25, 0.75, 1]);
    expect(stacked([2, 2])).toEqual([0, 0.5, 1]);
  });

  it("has no height for weights below zero, and none at all without weights", () => {
    expect(stacked([-0.1, 1])).toEqual([0, 0, 1]);
    expect(stacked([0, 0])).toEqual([0, 0, 0]);
    expect(stacked([NaN, 1])).toEqual([0, 0, 1]);
  });
});

it("the last expert cannot be switched off", () => {
  expect(switched([true, true, false], 0)).toEqual([false, true, false]);
  expect(switched([false, true, false], 2)).toEqual([false, true, true]);
  expect(switched([false, true, false], 1)).toBeNull();
});

describe("whose experts are shown", () => {
  const [plain, network, other] = [animal(0, []), animal(1, [true, false]), animal(2, [true, true])];

  it("are those of the chosen animal, if it has several", () => {
    expect(shownExperts(scene(false, plain, network), network)).toBe(network);
    expect(shownExperts(scene(false, plain, network), plain)).toBeNull();
    expect(shownExperts(scene(false, animal(0, [true])), animal(0, [true]))).toBeNull();
    expect(shownExperts(null, null)).toBeNull();
  });

  it("are those of another one that it is compared with, if it has none", () => {
    expect(shownExperts(scene(true, plain, network, other), plain)).toBe(network);
    expect(shownExperts(scene(true, plain, network, other), other)).toBe(other);
  });
});

it("per cents add up to a hundred", () => {
  expect(perCents([1 / 3, 1 / 3, 1 / 3])).toEqual([34, 33, 33]);
  expect(perCents([0.996, 0.004])).toEqual([100, 0]);
  expect(perCents([0.125, 0.125, 0.75])).toEqual([13, 12, 75]);
  expect(perCents([0, 0])).toEqual([0, 0]);
});
