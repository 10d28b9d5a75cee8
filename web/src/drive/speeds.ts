// The speeds that keys and sticks mean, out of what a controller can do.
import type { Capabilities } from "../wire";

export interface Speeds {
  /** The middle of the slowest gait. */
  slow: number;
  /** The gait that an animal goes a long way in: a horse's trot. */
  easy: number;
  /** As far as a held key goes without Shift: a horse's canter. */
  brisk: number;
  fast: number;
  low: number;
  high: number;
  /** Backward and aside. */
  careful: number;
}

/** Gaits that are taken by speed alone, slowest first; the others are styles. */
export function naturalGaits(c: Capabilities): [string, [number, number]][] {
  const styles = new Set(c.styles.map((s) => s.name));
  return Object.entries(c.gaits)
    .filter(([name, range]) => !styles.has(name) && range[1] > 0)
    .sort((a, b) => a[1][0] - b[1][0]);
}

export function speedsOf(c: Capabilities): Speeds {
  const [low, high] = c.speed_range;
  const within = (x: number): number => Math.min(Math.max(x, Math.max(low, 0)), high);
  const ranges = naturalGaits(c).map(([, range]) => range);
  const at = (i: number, share: number): number => {
    const range = ranges[Math.min(Math.max(i, 0), ranges.length - 1)];
    return range ? within(range[0] + share * (range[1] - range[0])) : within(low + (high - low) * share);
  };
  const slow = at(0, ranges.length ? 0.55 : 0.2);
  const easy = Math.max(slow, at(1, 0.5));
  const brisk = Math.max(easy, at(Math.min(2, ranges.length - 1), 0.45));
  return { slow, easy, brisk, fast: within(high * 0.92), low: Math.max(low, 0), high, careful: slow * 0.4 };
}
