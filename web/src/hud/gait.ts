// The current gait and speed. The scale under them shows the gait at each speed and sets a speed to keep; the names
// under the scale choose a gait to keep.
import { byId, h, setText } from "../dom";
import type { Intent } from "../drive/intent";
import { middleOf, naturalGaits, Scale, STAND, styleGaits } from "../drive/speeds";
import type { State } from "../state";
import { gaitLabel, showGait } from "./names";
import { speedOf } from "../wire";

/** An animal that is slower, in m/s, with all feet down and in no gait, stands. */
const STILL_SPEED = 0.02;

export class GaitHud {
  private readonly gait = h("strong", { class: "gait gait-label" });
  private readonly number = h("span", { class: "number" });
  private readonly bars = h("div", { class: "bars" });
  private readonly now = h("i", { class: "now" });
  private readonly slider = h("input", { type: "range", min: 0, max: 1, step: 0.005, value: 0, "aria-label": "Speed", title: "A speed to keep" });
  private readonly names = h("div", { class: "names", role: "group", "aria-label": "Gaits" });
  private readonly styles = h("div", { class: "styles", role: "group", "aria-label": "Gaits by style" });
  private readonly spoken = h("p", { class: "hidden", "aria-live": "polite" });
  private scale = new Scale([], [0, 1]);
  private digits = 1;
  /** Whether the slider is being dragged. */
  private dragging = false;
  /** The gait before the current transition. */
  private before = "";
  private laidOut = "";

  constructor(
    private readonly state: State,
    private readonly intent: Intent,
  ) {
    byId("hud").append(
      h("p", { class: "big", "aria-hidden": "true" }, this.gait, h("span", { class: "speed" }, this.number, h("small", {}, "m/s"))),
      h("div", { class: "ruler" }, this.bars, this.now, this.slider),
      this.names,
      this.styles,
      this.spoken,
    );
    this.slider.addEventListener("input", () => this.intent.cruise(this.scale.speed(Number(this.slider.value))));
    this.slider.addEventListener("pointerdown", () => (this.dragging = true));
    for (const end of ["pointerup", "pointercancel", "blur"]) this.slider.addEventListener(end, () => (this.dragging = false));
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
    this.scale = new Scale(gaits, capabilities.speed_range, (name) => gaitLabel(capabilities, name));
    this.digits = capabilities.speed_range[1] < 1 ? 2 : 1;
    const columns = this.scale.widths.map((width) => `minmax(0, ${width}fr)`).join(" ");
    this.bars.style.gridTemplateColumns = this.names.style.gridTemplateColumns = columns;
    this.bars.replaceChildren(...this.scale.names.map((name) => h("span", { "data-gait": name, class: name === STAND ? "rest" : null })));
    this.names.replaceChildren(
      ...(this.scale.names.includes(STAND) ? [this.button(STAND, "Stop (Esc)", () => this.intent.stop())] : []),
      ...gaits.map(([name, range], i) => {
        const speed = middleOf(range, capabilities);
        return this.button(name, `Go on at ${speed.toFixed(this.digits)} m/s (Shift+${i + 1})`, () => this.intent.keepGait(name));
      }),
    );
    const styles = styleGaits(capabilities);
    this.styles.hidden = styles.length === 0;
    this.styles.replaceChildren(
      h("span", { "aria-hidden": "true" }, "only when asked for:"),
      ...styles.map(([name, range]) =>
        this.button(name, `Go on at ${middleOf(range, capabilities).toFixed(this.digits)} m/s in this style`, () => this.intent.keepGait(name)),
      ),
    );
  }

  private button(name: string, does: string, onclick: () => void): HTMLButtonElement {
    const { capabilities } = this.state.actor ?? {};
    const label = gaitLabel(capabilities, name);
    const shown = h("span", { class: "gait-label" });
    showGait(shown, capabilities, name);
    return h("button", { type: "button", class: "plain", "data-gait": name, "aria-pressed": "false", "aria-label": label, title: `${label}\n${does}`, onclick }, shown);
  }

  draw(): void {
    const { state } = this;
    const frame = state.shownOf(state.actor?.id ?? -1);
    if (!frame) return;
    const name = state.gaitName(frame.gait);
    const speed = speedOf(frame);
    const commanded = this.intent.cruising && !state.replay ? this.intent.speed : frame.commandedSpeed;
    const changing = !Number.isNaN(frame.transition);
    if (!changing && !state.replay) this.before = name;
    // A state has the old gait for the first half of a transition: the next one follows from the commanded speed.
    const next = name !== this.before ? name : this.scale.nameAt(commanded);
    const inTransition = changing && !state.replay && this.before !== "" && next !== this.before;
    const { capabilities } = state.actor ?? {};
    const label = gaitLabel(capabilities, name);
    if (inTransition) {
      delete this.gait.dataset["label"];
      setText(this.gait, `${this.before} → ${next}`);
    } else showGait(this.gait, capabilities, name);
    this.gait.title = label;
    this.gait.classList.toggle("long", !inTransition && label.length > 12);
    this.gait.classList.toggle("turns", inTransition);
    setText(this.spoken, label);
    setText(this.number, speed.toFixed(this.digits));
    this.now.style.left = `${this.scale.along(speed) * 100}%`;
    if (!this.dragging) this.slider.value = String(this.scale.along(commanded));
    const text = `${commanded.toFixed(this.digits)} m/s`;
    if (this.slider.getAttribute("aria-valuetext") !== text) this.slider.setAttribute("aria-valuetext", text);
    // The clip in which it stands may have any name.
    const known = name in (state.actor?.capabilities.gaits ?? {}) || state.actor?.capabilities.actions.includes(name);
    const stands = !known && speed < STILL_SPEED && frame.contacts === (1 << frame.legs) - 1;
    for (const part of [...this.bars.children, ...this.names.children, ...this.styles.children]) {
      const gait = (part as HTMLElement).dataset["gait"];
      const on = (gait === name || (gait === STAND && stands)) && (state.replay !== null || !this.intent.action);
      part.classList.toggle("on", on);
      if (part instanceof HTMLButtonElement && part.getAttribute("aria-pressed") !== String(on)) part.setAttribute("aria-pressed", String(on));
    }
  }
}
