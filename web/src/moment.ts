// Moments between received frames.
import type { Frame } from "./wire";

/** Frames farther apart than this are not interpolated. */
const MAX_GAP_SECONDS = 0.6;

/** Two frames around a moment, and the weight of the second: 0 at `a`, 1 at `b`. */
export interface Moment {
  a: Frame;
  b: Frame;
  alpha: number;
}

/** The moment at a time of the stage, from frames in order of time. */
export function momentAt(frames: readonly Frame[], time: number): Moment | null {
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
  if (span <= 0 || span > MAX_GAP_SECONDS) return { a: b, b, alpha: 1 };
  return { a, b, alpha: Math.min(Math.max((time - a.time) / span, 0), 1) };
}
