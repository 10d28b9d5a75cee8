// Received frames: a short past for smooth drawing, and a longer one that can be looked at again.
import type { Frame } from "./wire";

const SHORT = 30;
const LONG = 300;

export class History {
  frames: Frame[] = [];
  /** Seconds of the ride at which the page looks, or null while it is live. */
  scrub: number | null = null;
  private playhead = 0;

  add(frame: Frame, rate: number): void {
    const last = this.frames[this.frames.length - 1];
    // A stage that was set anew counts from zero.
    if (last && frame.time < last.time) {
      this.frames = [];
      this.scrub = null;
    }
    this.frames.push(frame);
    const most = (frame.recording ? LONG : SHORT) * rate;
    if (this.frames.length > most * 1.1 && this.scrub === null) this.frames.splice(0, this.frames.length - most);
  }

  get span(): [number, number] {
    return [this.frames[0]?.time ?? 0, this.frames[this.frames.length - 1]?.time ?? 0];
  }

  /**
   * The two frames around the moment to be drawn, and how far it lies between them. The moment follows the newest
   * frame a little late, so that displays of any rate see even motion although frames arrive unevenly.
   */
  at(dt: number, pace: number): { a: Frame; b: Frame; share: number } | null {
    const newest = this.frames[this.frames.length - 1];
    if (!newest) return null;
    let time = this.scrub;
    if (time === null) {
      const late = newest.paused ? 0 : 0.03 * pace;
      this.playhead += newest.paused ? 0 : dt * pace;
      const off = newest.time - late - this.playhead;
      this.playhead += Math.abs(off) > 0.25 ? off : off * (1 - Math.exp(-dt * 8));
      time = this.playhead;
    }
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
    return { a, b, share: span > 0 ? Math.min(Math.max((time - a.time) / span, 0), 1) : 1 };
  }
}
