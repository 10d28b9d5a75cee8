// Diagrams that run: which moment their right edge shows. It goes evenly although states arrive unevenly.
import type { State } from "../state";

export class Reel {
  private head = 0;
  private before = performance.now();

  constructor(private readonly state: State) {}

  /** The frame at the right edge, for this picture; `newest` is the last that was received. */
  at(newest: number): number {
    const now = performance.now();
    const dt = Math.min((now - this.before) / 1000, 1);
    this.before = now;
    const { scene, rate, frame } = this.state;
    const off = newest - this.head;
    if (frame?.paused || Math.abs(off) > rate / 2) this.head = newest;
    else this.head += dt * rate * (scene?.pace ?? 1) + (off - dt * rate * (scene?.pace ?? 1)) * (1 - Math.exp(-dt * 4));
    return (this.head = Math.min(this.head, newest));
  }
}
