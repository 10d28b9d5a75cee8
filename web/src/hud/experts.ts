// Weights of a network's experts over the last seconds, stacked, and a button for each that switches it off and on.
import { EXPERTS } from "../colours";
import { byId, h, setText, surface } from "../dom";
import type { Socket } from "../socket";
import type { State } from "../state";
import type { ActorInfo } from "../wire";
import { nameOf } from "./names";
import { Timebase } from "./timebase";
import { perCents, shownExperts, stacked, switched, WeightHistory, type Sample } from "./weights";

const SECONDS = 4;
/** Seldom enough to be read. */
const REFRESH_MS = 250;
const colourOf = (i: number): string => EXPERTS[i % EXPERTS.length] ?? "#20261f";

export class Experts {
  private readonly canvas = h("canvas", { role: "img", "aria-label": "Weights of the experts in the last seconds, stacked" });
  private readonly buttons = h("div", { class: "switches", role: "group", "aria-label": "Experts" });
  private readonly whose = h("small", {});
  private readonly box: HTMLDetailsElement;
  private readonly history = new WeightHistory(SECONDS + 1);
  private readonly timebase: Timebase;
  private parts: { button: HTMLButtonElement; share: HTMLElement }[] = [];
  private actor: ActorInfo | null = null;
  private refreshed = 0;

  constructor(
    private readonly state: State,
    private readonly socket: Socket,
  ) {
    this.timebase = new Timebase(state);
    // Closed at first on a phone: the animal needs the room.
    const open = !matchMedia("(max-width: 600px)").matches;
    this.box = h("details", { class: "experts", open, hidden: true }, h("summary", {}, "Experts", this.whose), this.canvas, this.buttons);
    byId("side").append(this.box);
    state.onScene.on(() => this.layOut());
    state.onChosen.on(() => this.layOut());
    state.onFrame.on(({ frame }) => {
      const weights = this.actor && state.frameOf(this.actor.id)?.experts;
      if (weights) this.history.add(frame, weights, state.rate);
    });
  }

  private layOut(): void {
    const { state } = this;
    const before = this.actor;
    const actor = (this.actor = shownExperts(state.scene, state.actor));
    this.box.hidden = !actor;
    if (!actor) return;
    if (before?.id !== actor.id || before.controller !== actor.controller) this.history.clear();
    setText(this.whose, `${this.owner(actor)}in %, last ${SECONDS} s`);
    if (this.parts.length !== actor.experts.length) this.makeButtons(actor.experts.length);
    actor.experts.forEach((on, i) => {
      const part = this.parts[i];
      if (!part) return;
      const last = on && switched(actor.experts, i) === null;
      part.button.setAttribute("aria-pressed", String(on));
      part.button.setAttribute("aria-disabled", String(last));
      part.button.title = last ? "The last expert stays on" : on ? `Switch expert ${i + 1} off` : `Switch expert ${i + 1} on`;
    });
  }

  /** Whose experts these are, if there are several animals: by their controllers, as in the table that compares them. */
  private owner(actor: ActorInfo): string {
    const { scene } = this.state;
    const others = (scene?.actors ?? []).filter((a) => a.id !== actor.id);
    if (!others.length) return "";
    const alike = !scene?.abreast || others.some((a) => a.controller === actor.controller);
    return `of ${alike ? nameOf(actor, scene) : actor.controller}, `;
  }

  private makeButtons(count: number): void {
    this.parts = Array.from({ length: count }, (_, i) => {
      const share = h("span", { class: "share", "aria-hidden": "true" });
      const mark = h("i", {});
      mark.style.color = colourOf(i);
      const button = h("button", { type: "button", class: "plain", "aria-label": `Expert ${i + 1}`, onclick: () => this.press(i) }, mark, h("b", {}, String(i + 1)), share);
      return { button, share };
    });
    this.buttons.replaceChildren(...this.parts.map(({ button }) => button));
  }

  private press(index: number): void {
    const { actor } = this;
    if (!actor) return;
    const enabled = switched(actor.experts, index);
    if (enabled) this.socket.send({ type: "experts", actor: actor.id, enabled });
    else this.state.notify("one expert stays on: without any, nothing moves the animal");
  }

  /** The samples to draw, and the frame number at the right edge. */
  private shown(id: number): { samples: readonly Sample[]; edge: number } {
    const { replay } = this.state;
    const { samples } = this.history;
    if (!replay) return { samples, edge: this.timebase.at(samples[samples.length - 1]?.frame ?? 0) };
    const again = replay.before(SECONDS + 1).flatMap(({ frame, actors }) => {
      const weights = actors.find((a) => a.id === id)?.experts;
      return weights ? [{ frame, weights: [...weights] }] : [];
    });
    return { samples: again, edge: replay.frame?.frame ?? 0 };
  }

  draw(): void {
    const { actor } = this;
    if (!actor || this.box.hidden || !this.box.open) return;
    const { samples, edge } = this.shown(actor.id);
    const last = samples[samples.length - 1];
    const now = performance.now();
    if (last && now - this.refreshed > REFRESH_MS) {
      this.refreshed = now;
      perCents(last.weights).forEach((share, i) => {
        const part = this.parts[i];
        if (part) setText(part.share, actor.experts[i] || share ? String(share) : "off");
      });
    }
    this.drawStack(samples, edge);
  }

  private drawStack(samples: readonly Sample[], edge: number): void {
    const paper = surface(this.canvas);
    if (!paper) return;
    const { g, width, height } = paper;
    g.fillStyle = "#20261f14";
    g.fillRect(0, 0, width, height);
    const x = (frame: number): number => width - ((edge - frame) / (SECONDS * this.state.rate)) * width;
    const edges = samples.map(({ frame, weights }) => ({ x: x(frame), at: stacked(weights).map((y) => height * (1 - y)) }));
    for (let i = 0; i < this.parts.length; i++) {
      g.fillStyle = colourOf(i);
      g.beginPath();
      for (const { x, at } of edges) g.lineTo(x, at[i] ?? 0);
      for (const { x, at } of [...edges].reverse()) g.lineTo(x, at[i + 1] ?? 0);
      g.fill();
    }
    // Thin lines keep bands apart that differ little in brightness.
    g.strokeStyle = "#f9f7f0";
    g.lineWidth = 1;
    for (let i = 1; i < this.parts.length; i++) {
      g.beginPath();
      for (const { x, at } of edges) g.lineTo(x, at[i] ?? 0);
      g.stroke();
    }
  }
}
