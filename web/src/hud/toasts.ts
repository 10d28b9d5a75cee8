// Short words about what happened, and what the server is doing; they leave by themselves.
import { byId, h } from "../dom";
import type { State } from "../state";
import { nameOf, sentence } from "./names";

const WORDS: Record<string, string> = {
  unavailable: "cannot do that",
  arrived: "arrived",
  fallen: "fell",
  landed: "landed",
  hit: "hit",
  caught: "caught",
  released: "released",
  reset: "put back after a failure",
};

export class Toasts {
  private readonly box = byId("toasts");
  private doing: HTMLElement | null = null;

  constructor(state: State) {
    state.onSay.on(({ text, kind }) => {
      if (kind === "doing") this.work(text);
      else this.show(text, kind === "error" ? 7000 : Math.max(2600, 90 * text.length), kind);
    });
    state.onScene.on(() => this.work(null));
    state.onEvents.on(({ actor, events }) => {
      const who = state.scene?.actors.find((a) => a.id === actor);
      const many = (state.scene?.actors.length ?? 1) > 1;
      for (const event of events) {
        // Starts and ends are seen anyway, and a clamped command shows on the ruler.
        const word = WORDS[event];
        if (word) this.show(many && who ? `${nameOf(who, state.scene)}: ${word}` : word, 1800, "note");
      }
    });
  }

  show(text: string, milliseconds: number, kind: string): void {
    text = sentence(text);
    const last = this.box.lastElementChild;
    if (last?.textContent === text) return;
    while (this.box.children.length > 3) this.box.firstElementChild?.remove();
    const toast = h("p", { class: kind, role: kind === "error" ? "alert" : null }, text);
    this.box.append(toast);
    window.setTimeout(() => toast.remove(), milliseconds);
  }

  /** What the server works on stays until it is done. */
  work(text: string | null): void {
    this.doing?.remove();
    this.doing = text ? h("p", { class: "doing" }, sentence(text)) : null;
    if (this.doing) this.box.append(this.doing);
  }
}
