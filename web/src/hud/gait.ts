// Gait and speed, large and quiet, and the ruler under them: which gait lies at which speed.
import { byId, h, say } from "../dom";
import { naturalGaits } from "../drive/speeds";
import type { State } from "../state";
import { speedOf } from "../wire";

export class GaitHud {
  private readonly gait = h("strong", { class: "gait" });
  private readonly number = h("span", { class: "number" });
  private readonly bars = h("div", { class: "bars" });
  private readonly now = h("i", { class: "now" });
  private readonly told = h("i", { class: "told" });
  private readonly spoken = h("p", { class: "hidden", "aria-live": "polite" });
  private most = 1;

  constructor(private readonly state: State) {
    byId("hud").append(
      h("p", { class: "big", "aria-hidden": "true" }, this.gait, h("span", { class: "speed" }, this.number, h("small", {}, "m/s"))),
      h("div", { class: "ruler", "aria-hidden": "true" }, this.bars, this.told, this.now),
      this.spoken,
    );
    state.onScene.on(() => this.layOut());
    state.onChosen.on(() => this.layOut());
  }

  private layOut(): void {
    const actor = this.state.actor;
    if (!actor) return;
    const gaits = naturalGaits(actor.capabilities);
    this.most = actor.capabilities.speed_range[1] || 1;
    this.bars.replaceChildren(
      ...gaits.map(([name, [low, high]]) => {
        const bar = h("span", { "data-gait": name }, h("b", {}, name));
        bar.style.left = `${this.along(low) * 100}%`;
        bar.style.width = `${(this.along(high) - this.along(low)) * 100}%`;
        return bar;
      }),
    );
  }

  /** Speeds on a root scale: a walk is as wide as a gallop. */
  private along(speed: number): number {
    return Math.sqrt(Math.min(Math.max(speed / this.most, 0), 1));
  }

  draw(): void {
    const frame = this.state.actorFrame;
    if (!frame) return;
    const name = this.state.gaitName(frame.gait);
    say(this.gait, name);
    say(this.spoken, name);
    say(this.number, speedOf(frame).toFixed(this.most < 1 ? 2 : 1));
    this.now.style.left = `${this.along(speedOf(frame)) * 100}%`;
    this.told.style.left = `${this.along(frame.speedTold) * 100}%`;
    this.gait.classList.toggle("changing", !Number.isNaN(frame.transition));
    for (const bar of this.bars.children)
      bar.classList.toggle("on", (bar as HTMLElement).dataset["gait"] === name);
  }
}
