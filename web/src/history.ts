// Received frames: the last seconds, for smooth drawing and replay, and the whole of a recorded ride.
import { momentAt, type Moment } from "./moment";
import type { Frame } from "./wire";

const PAST_SECONDS = 30;
/** Poses of a ride, about 2 kB each; of a longer one every second frame is stored, then every fourth. */
const MAX_RIDE_POSES = 20_000;
/** The playback delay is this times the longest recent gap between two arrivals, so that frames seldom run out. */
const DELAY_MARGIN = 1.1;
/** Bounds of the delay, in seconds. */
const [MIN_DELAY, MAX_DELAY] = [0.02, 0.16];
/** The factor by which one gap can raise the estimate of the longest: a single late frame must not. */
const MAX_GAP_GROWTH = 1.4;
/** Time constant in which the estimated gap decays. */
const GAP_DECAY_SECONDS = 3;
/** Time constants in which the playhead approaches its goal, while the stage runs and while it is paused. */
const [APPROACH_SECONDS, PAUSED_APPROACH_SECONDS] = [0.4, 0.06];
/** A playhead farther from its goal than this, in real seconds, jumps. */
const JUMP_SECONDS = 0.3;

export class History {
  frames: Frame[] = [];
  /** The last recording, or the current one. */
  ride: Frame[] = [];
  /** Every so many frames of the ride one is stored. */
  private every = 1;
  private playhead = NaN;
  private arrivedAt = 0;
  /** Estimate of the longest gap between arrivals, in seconds. */
  private gap = 1 / 60;

  constructor(private readonly now = (): number => performance.now() / 1000) {}

  add(frame: Frame, rate: number): void {
    const last = this.frames[this.frames.length - 1];
    const now = this.now();
    // The time of a new scene, or after a reset, starts at zero.
    const restarted = !last || frame.time < last.time;
    if (restarted) {
      this.frames = [];
      this.playhead = NaN;
    } else if (!last.paused && !frame.paused) {
      const gap = Math.min(now - this.arrivedAt, MAX_GAP_GROWTH * this.gap);
      this.gap = Math.max(gap, this.gap * Math.exp(-gap / GAP_DECAY_SECONDS), 1e-3);
    }
    this.arrivedAt = now;
    this.frames.push(frame);
    const capacity = PAST_SECONDS * rate;
    if (this.frames.length > capacity * 1.1) this.frames.splice(0, this.frames.length - capacity);
    if (frame.recording) this.record(frame, restarted || !last.recording);
  }

  private record(frame: Frame, begins: boolean): void {
    if (begins) {
      this.ride = [];
      this.every = 1;
    }
    const last = this.ride[this.ride.length - 1];
    if (last && frame.frame < last.frame + this.every) return;
    this.ride.push(frame);
    if (this.ride.length * frame.actors.length <= MAX_RIDE_POSES) return;
    this.ride = this.ride.filter((_, i) => i % 2 === 0);
    this.every *= 2;
  }

  /** The moment to draw, `dt` real seconds after the last call; `pace` is the stage's seconds per real second. */
  nextMoment(dt: number, pace: number): Moment | null {
    const newest = this.frames[this.frames.length - 1];
    if (!newest) return null;
    return momentAt(this.frames, this.advance(newest, dt, pace));
  }

  /**
   * The playhead runs by the even clock of the display. Arrivals set its goal: the time of the newest frame, plus what
   * has passed since it arrived, less a delay in case the next one is late. It approaches the goal by running up to
   * half as fast again or half as fast, never backwards; after a reset, a reconnection or a long silence it jumps.
   */
  private advance(newest: Frame, dt: number, pace: number): number {
    const maxDelay = MAX_DELAY / Math.min(pace, 1);
    const elapsed = Math.min(this.now() - this.arrivedAt, maxDelay);
    const delay = Math.min(Math.max(DELAY_MARGIN * this.gap, MIN_DELAY), maxDelay);
    const goal = newest.paused ? newest.time : newest.time + (elapsed - delay) * pace;
    const run = newest.paused ? 0 : dt * pace;
    const error = goal - this.playhead - run;
    if (!(Math.abs(error) < JUMP_SECONDS * Math.max(pace, 1))) this.playhead = goal;
    else {
      const correction = error * (1 - Math.exp(-dt / (newest.paused ? PAUSED_APPROACH_SECONDS : APPROACH_SECONDS)));
      this.playhead += run + (newest.paused ? correction : Math.min(Math.max(correction, -0.5 * run), 0.5 * run));
    }
    this.playhead = Math.min(this.playhead, newest.time);
    return this.playhead;
  }
}
