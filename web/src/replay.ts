// A replay of received frames: the moment that is shown, and whether it plays.
import { momentAt, type Moment } from "./moment";
import type { Frame } from "./wire";

export class Replay {
  /** Seconds since the first frame. */
  time = 0;
  playing = true;
  private readonly begin: number;
  readonly length: number;

  /** At least one frame. */
  constructor(
    readonly frames: readonly Frame[],
    readonly rate: number,
  ) {
    this.begin = frames[0]?.time ?? 0;
    this.length = (frames[frames.length - 1]?.time ?? 0) - this.begin;
  }

  get moment(): Moment | null {
    return momentAt(this.frames, this.begin + this.time);
  }

  get frame(): Frame | null {
    const { moment } = this;
    return moment && (moment.alpha < 0.5 ? moment.a : moment.b);
  }

  /** The frames of the last `seconds` up to the moment. */
  before(seconds: number): readonly Frame[] {
    const now = this.begin + this.time;
    return this.frames.filter(({ time }) => time <= now && time > now - seconds);
  }

  seek(time: number): void {
    this.playing = false;
    this.time = Math.min(Math.max(time, 0), this.length);
  }

  /** Plays or pauses; at its end it plays from the start. */
  toggle(): void {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.length) this.time = 0;
  }

  advance(seconds: number): void {
    if (!this.playing) return;
    this.seek(this.time + seconds);
    this.playing = this.time < this.length;
  }
}
