// The bar of a replay: play or pause, seek, back to the live stage.
import { byId, h, setText } from "../dom";
import type { Replay } from "../replay";
import type { State } from "../state";
import { icon } from "./icons";
import { clock } from "./names";

/** Minutes and seconds to a tenth. */
const preciseClock = (seconds: number): string => {
  const tenths = Math.round(seconds * 10);
  return `${clock(tenths / 10)}.${tenths % 10}`;
};

export class Scrub {
  private readonly bar = byId("scrub");
  private readonly play = h("button", { type: "button", class: "plain bare", onclick: () => this.state.replay?.toggle() });
  private readonly time = h("output", { "aria-live": "off" });
  private readonly length = h("span", { class: "note" });
  /** In frames, so that an arrow key goes to the next one. */
  private readonly slider = h("input", { type: "range", min: 0, step: 1, "aria-label": "Moment of the ride" });
  private label = "";

  constructor(
    private readonly state: State,
    back: () => void,
  ) {
    this.slider.addEventListener("input", () => state.replay?.seek(Number(this.slider.value) / state.replay.rate));
    this.slider.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      state.replay?.toggle();
    });
    const live = h("button", { type: "button", class: "small", title: "Back to what happens now (Esc)", onclick: () => state.setReplay(null) }, "Live");
    this.bar.append(this.play, this.time, this.slider, this.length, live);
    state.onReplay.on((replay) => {
      const focused = this.bar.contains(document.activeElement);
      this.bar.hidden = !replay;
      if (replay) this.begin(replay);
      else if (focused) back();
    });
  }

  private begin(replay: Replay): void {
    this.slider.max = String(Math.round(replay.length * replay.rate));
    this.length.textContent = preciseClock(replay.length);
    this.draw();
    this.slider.focus();
  }

  draw(): void {
    const { replay } = this.state;
    if (!replay) return;
    this.slider.value = String(Math.round(replay.time * replay.rate));
    setText(this.time, preciseClock(replay.time));
    this.slider.setAttribute("aria-valuetext", `${replay.time.toFixed(1)} of ${replay.length.toFixed(1)} seconds`);
    const label = replay.playing ? "Hold the replay" : "Play";
    if (label === this.label) return;
    this.label = label;
    this.play.setAttribute("aria-label", label);
    this.play.title = `${label} (P)`;
    this.play.replaceChildren(icon(replay.playing ? "pause" : "play"));
  }
}
