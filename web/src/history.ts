// Received frames: a short past for smooth drawing, and the whole of a recorded ride, to look at them again.
import { between, type Moment } from "./moment";
import type { Frame } from "./wire";

/** Seconds of the past. */
const PAST = 30;
/** Poses of a ride that are kept, about 2 kB each; of a longer one every second frame, then every fourth. */
const POSES = 20_000;
/** The moment is this many of the longest recent pauses between two arrivals late, so that it seldom runs out. */
const MARGIN = 1.1;
const [LEAST, MOST] = [0.02, 0.16];
/** By how much one pause can lengthen the delay: a single hiccup must not. */
const RISE = 1.4;
/** Seconds in which pauses are forgotten, and in which the playhead comes to where it should be. */
const [FORGET, APPROACH] = [3, 0.4];
/** A playhead farther off than this, in real seconds, leaps. */
const LEAP = 0.3;
export class History {
  frames: Frame[] = [];
  /** What was recorded last, or is being recorded. */
  ride: Frame[] = [];
  /** Of so many frames of the ride one is kept. */
  private every = 1;
  private playhead = NaN;
  private arrived = 0;
  private pause = 1 / 60;

  constructor(private readonly now = (): number => performance.now() / 1000) {}

  add(frame: Frame, rate: number): void {
    const last = this.frames[this.frames.length - 1];
    const now = this.now();
    // A stage that was set anew counts from zero.
    const anew = !last || frame.time < last.time;
    if (anew) {
      this.frames = [];
      this.playhead = NaN;
    } else if (!last.paused && !frame.paused) {
      const pause = Math.min(now - this.arrived, RISE * this.pause);
      this.pause = Math.max(pause, this.pause * Math.exp(-pause / FORGET), 1e-3);
    }
    this.arrived = now;
    this.frames.push(frame);
    const most = PAST * rate;
    if (this.frames.length > most * 1.1) this.frames.splice(0, this.frames.length - most);
    if (frame.recording) this.record(frame, anew || !last.recording);
  }

  private record(frame: Frame, begins: boolean): void {
    if (begins) {
      this.ride = [];
      this.every = 1;
    }
    const last = this.ride[this.ride.length - 1];
    if (last && frame.frame < last.frame + this.every) return;
    this.ride.push(frame);
    if (this.ride.length * frame.actors.length <= POSES) return;
    this.ride = this.ride.filter((_, i) => i % 2 === 0);
    this.every *= 2;
  }

  /** The moment to be drawn, `dt` real seconds after the one before; `pace` seconds of the ride pass in a real one. */
  at(dt: number, pace: number): Moment | null {
    const newest = this.frames[this.frames.length - 1];
    if (!newest) return null;
    return between(this.frames, this.advance(newest, dt, pace));
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
