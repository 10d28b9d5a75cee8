import { describe, expect, it } from "vitest";
import { Replay } from "./replay";
import type { Frame } from "./wire";

const RATE = 60;
const frameAt = (frame: number): Frame => ({ frame, time: frame / RATE, paused: false, recording: true, actors: [] });
/** Two seconds that begin in the middle of a ride. */
const ride = (): Replay => new Replay(Array.from({ length: 121 }, (_, i) => frameAt(300 + i)), RATE);

describe("Replay", () => {
  it("counts from its own beginning", () => {
    const replay = ride();
    expect(replay.length).toBeCloseTo(2, 9);
    expect(replay.playing).toBe(true);
    expect(replay.frame?.frame).toBe(300);
  });

  it("shows moments between two frames", () => {
    const replay = ride();
    replay.seek(10.25 / RATE);
    expect(replay.moment?.a.frame).toBe(310);
    expect(replay.moment?.b.frame).toBe(311);
    expect(replay.moment?.alpha).toBeCloseTo(0.25, 6);
    expect(replay.frame?.frame).toBe(310);
    replay.seek(10.75 / RATE);
    expect(replay.frame?.frame).toBe(311);
  });

  it("stops where it is put, within its ends", () => {
    const replay = ride();
    replay.seek(1);
    expect(replay.playing).toBe(false);
    replay.advance(0.5);
    expect(replay.time).toBe(1);
    replay.seek(-3);
    expect(replay.frame?.frame).toBe(300);
    replay.seek(99);
    expect(replay.frame?.frame).toBe(420);
  });

  it("plays to its end, and then from the beginning again", () => {
    const replay = ride();
    replay.advance(1.5);
    expect([replay.time, replay.playing]).toEqual([1.5, true]);
    replay.toggle();
    replay.advance(1);
    expect(replay.time).toBe(1.5);
    replay.toggle();
    replay.advance(1);
    expect([replay.time, replay.playing]).toEqual([replay.length, false]);
    replay.toggle();
    expect([replay.time, replay.playing]).toEqual([0, true]);
  });

  it("knows the frames before its moment", () => {
    const replay = ride();
    replay.seek(1);
    const before = replay.before(0.5).map(({ frame }) => frame);
    expect(before.length).toBe(30);
    expect([before[0], before[29]]).toEqual([331, 360]);
  });

  it("does not blend over a gap", () => {
    const replay = new Replay([0, 1, 2, 120, 121].map(frameAt), RATE);
    replay.seek(1);
    expect(replay.moment).toEqual({ a: frameAt(120), b: frameAt(120), alpha: 1 });
  });
});
