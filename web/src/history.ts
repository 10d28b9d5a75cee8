// Received frames: a short past for smooth drawing, and a longer one that can be looked at again.
import type { Frame } from "./wire";

const SHORT = 30;
const LONG = 300;
/** The moment is this many of the longest recent pauses between two arrivals late, so that it seldom runs out. */
const MARGIN = 1.1;
const [LEAST, MOST] = [0.02, 0.16];
/** By how much one pause can lengthen the delay: a single hiccup must not. */
const RISE = 1.4;
/** Seconds in which pauses are forgotten, and in which the playhead comes to where it should be. */
const [FORGET, APPROACH] = [3, 0.4];
/** A playhead farther off than this, in real seconds, leaps. */
const LEAP = 0.3;
/** Frames farther apart than this have nothing in between. */
const APART = 0.6;

/** Two frames around a moment, and how far it lies between them. */
export interface Moment {
  a: Frame;
  b: Frame;
  share: number;
}

export class History {
  frames: Frame[] = [];
  /** Seconds of the ride at which the page looks, or null while it is live. */
  scrub: number | null = null;
  private playhead = NaN;
  private arrived = 0;
  private pause = 1 / 60;

  constructor(private readonly now = (): number => performance.now() / 1000) {}

  add(frame: Frame, rate: number): void {
    const last = this.frames[this.frames.length - 1];
    const now = this.now();
    // A stage that was set anew counts from zero.
    if (last && frame.time < last.time) {
      this.frames = [];
      this.scrub = null;
      this.playhead = NaN;
    } else if (last && !last.paused && !frame.paused) {
      const pause = Math.min(now - this.arrived, RISE * this.pause);
      this.pause = Math.max(pause, this.pause * Math.exp(-pause / FORGET), 1e-3);
    }
    this.arrived = now;
    this.frames.push(frame);
    const most = (frame.recording ? LONG : SHORT) * rate;
    if (this.frames.length > most * 1.1 && this.scrub === null) this.frames.splice(0, this.frames.length - most);
  }

  get span(): [number, number] {
    return [this.frames[0]?.time ?? 0, this.frames[this.frames.length - 1]?.time ?? 0];
  }

  /** The moment to be drawn, `dt` real seconds after the one before; `pace` seconds of the ride pass in a real one. */
  at(dt: number, pace: number): Moment | null {
    const newest = this.frames[this.frames.length - 1];
    if (!newest) return null;
    const time = this.scrub ?? this.advance(newest, dt, pace);
    let low = 0;
    let high = this.frames.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.frames[middle]?.time ?? 0) <= time) low = middle;
      else high = middle;
    }
    const a = this.frames[low] ?? newest;
    const b = this.frames[high] ?? newest;
    const span = b.time - a.time;
    if (span <= 0 || span > APART) return { a: b, b, share: 1 };
    return { a, b, share: Math.min(Math.max((time - a.time) / span, 0), 1) };
  }

  /**
   * The playhead runs by the display's own even clock. Where it should be is told by arrivals: the newest frame's time,
   * what has passed since it came, less a margin for the next one to come late. It gets there by running a little
   * faster or slower and never backwards; after a reset, a reconnection or a long silence it leaps.
   */
  private advance(newest: Frame, dt: number, pace: number): number {
    const most = MOST / Math.min(pace, 1);
    const silence = Math.min(this.now() - this.arrived, most);
    const late = Math.min(Math.max(MARGIN * this.pause, LEAST), most);
    const goal = newest.paused ? newest.time : newest.time + (silence - late) * pace;
    const run = newest.paused ? 0 : dt * pace;
    const off = goal - this.playhead - run;
    if (!(Math.abs(off) < LEAP * Math.max(pace, 1))) this.playhead = goal;
    else {
      const towards = off * (1 - Math.exp(-dt / (newest.paused ? 0.06 : APPROACH)));
      this.playhead += run + (newest.paused ? towards : Math.min(Math.max(towards, -0.5 * run), 0.5 * run));
    }
    this.playhead = Math.min(this.playhead, newest.time);
    return this.playhead;
  }
}
