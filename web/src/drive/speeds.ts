// The speeds that keys and sticks command, from the capabilities of a controller.
import type { Capabilities } from "../wire";

export interface Speeds {
  /** The middle of the slowest gait. */
  slow: number;
  /** The gait that an animal goes a long way in: a horse's trot. */
  easy: number;
  /** The fastest that a held key commands without Shift: a horse's canter. */
  brisk: number;
  fast: number;
  low: number;
  high: number;
  /** Backward and sideways. */
  maneuver: number;
}

/** Gaits that are chosen by speed alone, slowest first; the others are styles. */
export function naturalGaits(c: Capabilities): [string, [number, number]][] {
  const styles = new Set(c.styles.map((s) => s.name));
  return Object.entries(c.gaits)
    .filter(([name, range]) => !styles.has(name) && range[1] > 0)
    .sort((a, b) => a[1][0] - b[1][0]);
}

/** Gaits that are chosen by a style of their name, with their speed ranges. */
export function styleGaits(c: Capabilities): [string, [number, number]][] {
  return c.styles.flatMap(({ name }) => (c.gaits[name] ? [[name, c.gaits[name]] as [string, [number, number]]] : []));
}

/** A speed in the middle of a gait. */
export function middleOf([low, high]: [number, number], c: Capabilities): number {
  return Math.min(Math.max((low + high) / 2, c.speed_range[0], 0), c.speed_range[1]);
}

/** Letters of a name beyond which a segment of a scale gets no wider. */
const MAX_LETTERS = 16;
/** The first segment of a scale, for animals that can stand still. */
export const STAND = "stand";

/**
 * A piecewise linear scale of speeds: first standing, then gait after gait, each as wide as its name needs, so that a
 * walk can be read as well as a gallop.
 */
export class Scale {
  readonly names: string[];
  /** Relative widths of the segments. */
  readonly widths: number[];
  private readonly edges: number[];
  private readonly places: number[];

  constructor(gaits: [string, [number, number]][], [least, most]: [number, number], shown = (name: string): string => name) {
    const stands = least <= 0 || !gaits.length;
    const between = gaits.slice(1).map(([, [low]], i) => (low + (gaits[i]?.[1][1] ?? low)) / 2);
    this.names = [...(stands ? [STAND] : []), ...gaits.map(([name]) => name)];
    this.edges = [...(stands ? [0] : []), ...gaits.slice(0, 1).map(([, [low]]) => low), ...between, most || 1];
    // Ranges may overlap oddly; the scale must increase.
    for (let i = 1; i < this.edges.length; i++) this.edges[i] = Math.max(this.edges[i] ?? 0, (this.edges[i - 1] ?? 0) + 1e-6);
    this.widths = this.names.map((name) => Math.min(Math.max(shown(name).length, 4), MAX_LETTERS) + 2);
    const sum = this.widths.reduce((a, b) => a + b, 0);
    let at = 0;
    this.places = [0, ...this.widths.map((width) => (at += width) / sum)];
  }

  /** The position of a speed, from 0 to 1. */
  along(speed: number): number {
    return interpolate(speed, this.edges, this.places);
  }

  /** The gait at a speed. */
  nameAt(speed: number): string {
    const place = this.edges.findIndex((edge, i) => i > 0 && speed < edge) - 1;
    return this.names[place < 0 ? this.names.length - 1 : place] ?? "";
  }

  /** The speed at a position. */
  speed(share: number): number {
    return interpolate(share, this.places, this.edges);
  }
}

/** Piecewise linear interpolation at `x`, clamped at both ends. */
function interpolate(x: number, xs: number[], ys: number[]): number {
  const last = xs.length - 1;
  const i = Math.min(Math.max(xs.findIndex((edge) => x < edge) - 1, 0), last - 1);
  const k = x >= (xs[last] ?? 0) ? last - 1 : i;
  const [a, b, from, to] = [xs[k] ?? 0, xs[k + 1] ?? 1, ys[k] ?? 0, ys[k + 1] ?? 0];
  return from + (to - from) * Math.min(Math.max((x - a) / (b - a), 0), 1);
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
  return { slow, easy, brisk, fast: within(high * 0.92), low: Math.max(low, 0), high, maneuver: slow * 0.4 };
}
