// The time axis of scrolling diagrams: it moves evenly although frames arrive unevenly.
import type { State } from "../state";

export class Timebase {
  private edge = 0;
  private before = performance.now();

  constructor(private readonly state: State) {}

  /** The frame number at the right edge of this picture; `newest` is the last one received. */
  at(newest: number): number {
    const now = performance.now();
    const dt = Math.min((now - this.before) / 1000, 1);
    this.before = now;
    const { scene, rate, frame } = this.state;
    const run = dt * rate * (scene?.pace ?? 1);
    const behind = newest - this.edge;
    if (frame?.paused || Math.abs(behind) > rate / 2) this.edge = newest;
    else this.edge += run + (behind - run) * (1 - Math.exp(-dt * 4));
    return (this.edge = Math.min(this.edge, newest));
  }
}
