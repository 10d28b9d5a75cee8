// Moments between received frames.
import type { Frame } from "./wire";

/** Frames farther apart than this have nothing in between. */
const APART = 0.6;

/** Two frames around a moment, and how far it lies between them. */
export interface Moment {
  a: Frame;
  b: Frame;
  share: number;
}

/** The moment at a time of the stage, in frames that stand in order. */
export function between(frames: readonly Frame[], time: number): Moment | null {
  let low = 0;
  let high = frames.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((frames[middle]?.time ?? 0) <= time) low = middle;
    else high = middle;
  }
  const [a, b] = [frames[low], frames[high]];
  if (!a || !b) return null;
  const span = b.time - a.time;
  if (span <= 0 || span > APART) return { a: b, b, share: 1 };
  return { a, b, share: Math.min(Math.max((time - a.time) / span, 0), 1) };
}
