import { describe as about, expect, it } from "vitest";
import golden from "../golden.json";
import { Correction, describe, MAX_LABEL_LENGTH, MIN_SECONDS, summary, type Take } from "./spans";

const span = (start: number, end: number, label: string) => ({ start, end, label, speed: 1.234, runner_up: label === "trot" ? "pace" : "", confidence: 0.9 });
const take = (): Take => ({ name: "take", seconds: 6, frame_rate: 50, labels: [[4, 6, "stand"]], spans: [span(0, 2.1, "walk"), span(2.1, 4, "trot"), span(4, 6, "stand")], steps: [] });

about("a correction of a take", () => {
  it("says nothing but what was said before until something changes", () => {
    const plain = new Correction(take());
    expect(plain.labels).toEqual([[4, 6, "stand"]]);
    expect(plain.changes).toEqual([]);
    plain.move(0, 2.1);
    plain.rename(1, " trot ");
    expect(plain.changes).toEqual([]);
  });

  it("moves a border to a frame between the spans beside it", () => {
    const moved = new Correction(take());
    moved.move(0, 2.5049);
    expect(moved.spans.map(({ start, end }) => [start, end])).toEqual([[0, 2.5], [2.5, 4], [4, 6]]);
    expect(moved.labels).toEqual([[0, 2.5, "walk"], [2.5, 4, "trot"], [4, 6, "stand"]]);
    expect(moved.changes).toEqual(["trot begins at 2.5\u00a0s instead of 2.1\u00a0s"]);
    moved.move(0, 99);
    expect(moved.spans[1]?.start).toBeCloseTo(4 - MIN_SECONDS);
    moved.move(2, 3);
    expect(moved.spans[2]?.end).toBe(6);
  });

  it("renames a span", () => {
    const renamed = new Correction(take());
    renamed.rename(1, "walk");
    expect(renamed.changes).toEqual(["trot from 2.1 to 4.0\u00a0s is now a walk"]);
    renamed.rename(1, "bow");
    expect(renamed.changes).toEqual(["trot from 2.1 to 4.0\u00a0s is now “bow”"]);
    expect(renamed.labels).toEqual([[2.1, 4, "bow"], [4, 6, "stand"]]);
  });

  it("tells what it knows of a span", () => {
    const { spans } = new Correction(take());
    expect(describe(spans[1]!, false)).toBe("trot, 2.1 to 4.0\u00a0s, 1.23\u00a0m/s, 90\u00a0% certain (or pace)");
    expect(summary([...spans, span(6, 7, "walk")])).toBe("walk 3.1\u00a0s, stand 2.0\u00a0s, trot 1.9\u00a0s");
    expect(describe({ ...spans[2]!, speed: 0 }, true)).toBe("stand, 4.0 to 6.0\u00a0s, as you said");
  });

  it("knows how long labels may be", () => expect(MAX_LABEL_LENGTH).toBe(golden.max_label_length));
});
