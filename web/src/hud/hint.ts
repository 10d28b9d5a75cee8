// One line for newcomers, until they have driven.
import { byId, say } from "../dom";
import type { Intent } from "../drive/intent";
import type { State } from "../state";

export class Hint {
  private readonly box = byId("hint");
  private done = false;

  constructor(
    private readonly state: State,
    private readonly intent: Intent,
  ) {}

  draw(): void {
    if (this.intent.going || this.intent.speed >= 0.9 * (this.intent.speeds?.slow ?? 1)) this.done = true;
    const { state } = this;
    this.box.hidden = (this.done && !state.watching) || !state.frame;
    const touch = document.documentElement.classList.contains("touch");
    if (state.watching) say(this.box, "Somebody else drives this animal");
    else say(this.box, touch ? "Push the stick to ride" : "Hold ↑ to ride, ← → to turn");
  }
}
