// What a take shows from when to when, and what a person corrects of it: borders between spans, and their labels.

export interface Span {
  start: number;
  end: number;
  label: string;
  /** In m/s. */
  speed: number | null;
  /** What it might be as well, or "". */
  runner_up: string;
  confidence: number | null;
}

/** Seconds from and to, and what is there. */
export type Label = [number, number, string];

export interface Take {
  name: string;
  seconds: number;
  frame_rate: number;
  /** What people said, besides what was read. */
  labels: Label[];
  spans: Span[];
  /** Seconds from and to which each leg is down. */
  steps: [number, number][][];
}

export const KNOWN_LABELS = [
  ...["walk", "amble", "pace", "trot", "rack", "canter", "gallop", "bound", "pronk"],
  ...["turn", "backward", "side", "stand", "sit", "lie", "jump", "transition", "other"],
];
export const MAX_LABEL_LENGTH = 40;
/** Seconds that a span has at least. */
export const MIN_SECONDS = 0.1;

/** A take while it is corrected. Spans are moved and renamed, never added or removed: each keeps its place. */
export class Correction {
  readonly spans: Span[];
  private readonly given: boolean[];

  constructor(readonly take: Take) {
    this.spans = take.spans.map((span) => ({ ...span }));
    this.given = take.spans.map(({ start, end, label }) => {
      const middle = (start + end) / 2;
      return take.labels.some(([from, to, name]) => name === label && from <= middle && middle <= to);
    });
  }

  /** The earliest and the latest time of the border after a span. */
  range(place: number): [number, number] {
    const [before, after] = [this.spans[place], this.spans[place + 1]];
    if (!before || !after) return [0, 0];
    const [low, high] = [before.start + MIN_SECONDS, after.end - MIN_SECONDS];
    return low < high ? [low, high] : [before.end, before.end];
  }

  /** Moves the border after a span to a time, as near as frames and the spans beside it allow. */
  move(place: number, seconds: number): void {
    const [before, after] = [this.spans[place], this.spans[place + 1]];
    if (!before || !after) return;
    const [low, high] = this.range(place);
    const frame = Math.round(seconds * this.take.frame_rate) / this.take.frame_rate;
    const time = Math.min(Math.max(frame, low), high);
    if (time === before.end) return;
    before.end = after.start = time;
    this.given[place] = this.given[place + 1] = true;
  }

  rename(place: number, label: string): void {
    const span = this.spans[place];
    const name = label.trim();
    if (!span || !name || name === span.label) return;
    Object.assign(span, { label: name, runner_up: "", confidence: 1 });
    this.given[place] = true;
  }

  /** Whether a person said what a span is. */
  isGiven(place: number): boolean {
    return this.given[place] ?? false;
  }

  /** All that people have said of the take. */
  get labels(): Label[] {
    return this.spans.filter((_, place) => this.given[place]).map(({ start, end, label }) => [start, end, label]);
  }

  /** What was changed since the take was read, in words. */
  get changes(): string[] {
    return this.spans.flatMap((span, place) => {
      const was = this.take.spans[place];
      if (!was) return [];
      const said = [];
      if (place && span.start !== was.start) said.push(`${span.label} begins at ${seconds(span.start)} instead of ${seconds(was.start)}`);
      if (span.label !== was.label) said.push(`${was.label} from ${tenths(span.start)} to ${seconds(span.end)} is now ${inWords(span.label)}`);
      return said;
    });
  }
}

const tenths = (time: number): string => time.toFixed(time < 10 && Math.abs(time * 10 - Math.round(time * 10)) > 1e-6 ? 2 : 1);
export const seconds = (time: number): string => `${tenths(time)}\u00a0s`;

const POSTURES: Record<string, string> = { stand: "standing", sit: "sitting", lie: "lying", other: "something else", backward: "backward", side: "sideways" };

function inWords(label: string): string {
  return POSTURES[label] ?? (KNOWN_LABELS.includes(label) ? `${/^[aeiou]/.test(label) ? "an" : "a"} ${label}` : `“${label}”`);
}

/** A span for a person who points at it. */
export function describe({ start, end, label, speed, confidence, runner_up: other }: Span, given: boolean): string {
  const goes = speed !== null && speed >= 0.05 ? `, ${speed.toFixed(2)}\u00a0m/s` : "";
  const sure = given ? ", as you said" : confidence === null ? "" : `, ${Math.round(confidence * 100)}\u00a0% certain`;
  return `${label}, ${tenths(start)} to ${seconds(end)}${goes}${sure}${other && !given ? ` (or ${other})` : ""}`;
}

/** How long a take shows what, the longest first. */
export function summary(spans: Span[]): string {
  const lengths = new Map<string, number>();
  for (const { start, end, label } of spans) lengths.set(label, (lengths.get(label) ?? 0) + end - start);
  return [...lengths].sort(([, a], [, b]) => b - a).map(([label, length]) => `${label} ${length.toFixed(1)}\u00a0s`).join(", ");
}
