// Weights of a network's experts: the last seconds of them, how they are stacked, and which experts may be switched.
import type { ActorInfo, SceneInfo } from "../wire";

export interface Sample {
  frame: number;
  weights: readonly number[];
}

/** The weights of the last frames of one animal. */
export class WeightHistory {
  samples: Sample[] = [];

  constructor(private readonly seconds: number) {}

  /** Adds a frame. A frame from before the last one starts anew: the stage was reset. */
  add(frame: number, weights: ArrayLike<number>, rate: number): void {
    const last = this.samples[this.samples.length - 1];
    if (last && (frame < last.frame || last.weights.length !== weights.length)) this.samples = [];
    else if (last?.frame === frame) return;
    this.samples.push({ frame, weights: Array.from(weights) });
    const first = frame - this.seconds * rate;
    while ((this.samples[0]?.frame ?? first) < first) this.samples.shift();
  }

  clear(): void {
    this.samples = [];
  }
}

const clipped = (weights: readonly number[]): number[] => weights.map((weight) => (weight > 0 ? weight : 0));
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The lower edge of each band of a stack that fills 0 to 1, and 1 at the end; weights below 0 have no height. */
export function stacked(weights: readonly number[]): number[] {
  const heights = clipped(weights);
  const total = sumOf(heights);
  const edges = [0];
  let sum = 0;
  for (const height of heights) {
    sum += height;
    edges.push(total > 0 ? sum / total : 0);
  }
  return edges;
}

/** The experts that are on after one of them was switched; null if none would be on. */
export function switched(enabled: readonly boolean[], index: number): boolean[] | null {
  const next = enabled.map((on, i) => (i === index ? !on : on));
  return next.includes(true) ? next : null;
}

/** The animal whose experts are shown: the chosen one or, if it has none, the first that is compared with it. */
export function shownExperts(scene: SceneInfo | null, chosen: ActorInfo | null): ActorInfo | null {
  const among = scene?.abreast && chosen ? [chosen, ...scene.actors] : chosen ? [chosen] : [];
  return among.find(({ experts }) => experts.length > 1) ?? null;
}

/** Weights as whole per cents that add up to 100: those with the largest remainders are rounded up. */
export function perCents(weights: readonly number[]): number[] {
  const heights = clipped(weights);
  const total = sumOf(heights);
  if (!total) return weights.map(() => 0);
  const exact = heights.map((height) => (100 * height) / total);
  const whole = exact.map(Math.floor);
  const missing = 100 - sumOf(whole);
  const byRemainder = exact.map((part, i) => [part - Math.floor(part), i] as const).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  for (const [, i] of byRemainder.slice(0, missing)) whole[i] = (whole[i] ?? 0) + 1;
  return whole;
}
