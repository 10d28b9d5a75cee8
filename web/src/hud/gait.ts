// Gait and speed, large and quiet. The ruler under them shows which gait lies at which speed and sets a speed to keep;
// the names under the ruler make the animal go on in a gait.
import { byId, h, say } from "../dom";
import type { Intent } from "../drive/intent";
import { middleOf, naturalGaits, Scale, STAND, styleGaits } from "../drive/speeds";
import type { State } from "../state";
import { speedOf } from "../wire";

export class GaitHud {
  private readonly gait = h("strong", { class: "gait" });
  private readonly number = h("span", { class: "number" });
  private readonly bars = h("div", { class: "bars" });
  private readonly now = h("i", { class: "now" });
  private readonly told = h("input", { type: "range", min: 0, max: 1, step: 0.005, value: 0, "aria-label": "Speed", title: "A speed to keep" });
  private readonly names = h("div", { class: "names", role: "group", "aria-label": "Gaits" });
  private readonly styles = h("div", { class: "styles", role: "group", "aria-label": "Gaits by style" });
  private readonly spoken = h("p", { class: "hidden", "aria-live": "polite" });
  private scale = new Scale([], [0, 1]);
  private digits = 1;
  private held = false;
  /** The gait before the change that goes on. */
  private before = "";
  private laidOut = "";

  constructor(
    private readonly state: State,
    private readonly intent: Intent,
  ) {
    byId("hud").append(
      h("p", { class: "big", "aria-hidden": "true" }, this.gait, h("span", { class: "speed" }, this.number, h("small", {}, "m/s"))),
      h("div", { class: "ruler" }, this.bars, this.now, this.told),
      this.names,
      this.styles,
      this.spoken,
    );
    this.told.addEventListener("input", () => this.intent.cruise(this.scale.speed(Number(this.told.value))));
    this.told.addEventListener("pointerdown", () => (this.held = true));
    for (const end of ["pointerup", "pointercancel", "blur"]) this.told.addEventListener(end, () => (this.held = false));
    state.onScene.on(() => this.layOut());
    state.onChosen.on(() => this.layOut());
  }

  private layOut(): void {
    const actor = this.state.actor;
    if (!actor) return;
    const { capabilities } = actor;
    const key = JSON.stringify(capabilities);
    if (key === this.laidOut) return;
    this.laidOut = key;
    const gaits = naturalGaits(capabilities);
    this.scale = new Scale(gaits, capabilities.speed_range);
    this.digits = capabilities.speed_range[1] < 1 ? 2 : 1;
    const columns = this.scale.parts.map((part) => `minmax(0, ${part}fr)`).join(" ");
    this.bars.style.gridTemplateColumns = this.names.style.gridTemplateColumns = columns;
    this.bars.replaceChildren(...this.scale.names.map((name) => h("span", { "data-gait": name, class: name === STAND ? "rest" : null })));
    this.names.replaceChildren(
      ...(this.scale.names.includes(STAND) ? [this.button(STAND, "Stop (Esc)", () => this.intent.stop())] : []),
      ...gaits.map(([name, range], i) => {
        const speed = middleOf(range, capabilities);
        return this.button(name, `Go on at ${speed.toFixed(this.digits)} m/s (Shift+${i + 1})`, () => this.intent.goOnIn(name));
      }),
    );
    const styles = styleGaits(capabilities);
    this.styles.hidden = styles.length === 0;
    this.styles.replaceChildren(
      h("span", { "aria-hidden": "true" }, "only when asked for:"),
      ...styles.map(([name, range]) =>
        this.button(name, `Go on at ${middleOf(range, capabilities).toFixed(this.digits)} m/s in this style`, () => this.intent.goOnIn(name)),
      ),
    );
  }

  private button(name: string, title: string, does: () => void): HTMLButtonElement {
    return h("button", { type: "button", class: "plain", "data-gait": name, "aria-pressed": "false", title, onclick: does }, name);
  }

  draw(): void {
    const { state } = this;
    const frame = state.shownOf(state.actor?.id ?? -1);
    if (!frame) return;
    const name = state.gaitName(frame.gait);
    const speed = speedOf(frame);
    const told = this.intent.cruising && !state.replay ? this.intent.speed : frame.speedTold;
    const changing = !Number.isNaN(frame.transition);
    if (!changing && !state.replay) this.before = name;
    // A state keeps the old name for the first half of a change: where it leads is seen by the speed that is told.
    const next = name !== this.before ? name : this.scale.nameAt(told);
    const turns = changing && !state.replay && this.before !== "" && next !== this.before;
    say(this.gait, turns ? `${this.before} → ${next}` : name);
    this.gait.classList.toggle("turns", turns);
    say(this.spoken, name);
    say(this.number, speed.toFixed(this.digits));
    this.now.style.left = `${this.scale.along(speed) * 100}%`;
    if (!this.held) this.told.value = String(this.scale.along(told));
    const text = `${told.toFixed(this.digits)} m/s`;
    if (this.told.getAttribute("aria-valuetext") !== text) this.told.setAttribute("aria-valuetext", text);
    for (const part of [...this.bars.children, ...this.names.children, ...this.styles.children]) {
      const gait = (part as HTMLElement).dataset["gait"];
      const on = gait === name && (state.replay !== null || !this.intent.action);
      part.classList.toggle("on", on);
      if (part instanceof HTMLButtonElement && part.getAttribute("aria-pressed") !== String(on)) part.setAttribute("aria-pressed", String(on));
    }
  }
}
