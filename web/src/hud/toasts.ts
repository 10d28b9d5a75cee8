// Short notices of events, and of what the server is doing; they disappear by themselves.
import { byId, h } from "../dom";
import type { State } from "../state";
import { nameOf, sentence } from "./names";

const EVENT_TEXTS: Record<string, string> = {
  unavailable: "cannot do that",
  arrived: "arrived",
  fallen: "fell",
  landed: "landed",
  hit: "hit",
  caught: "caught",
  released: "released",
  reset: "put back on its feet",
};

export class Toasts {
  private readonly box = byId("toasts");
  private progress: HTMLElement | null = null;

  constructor(state: State) {
    state.onNotice.on(({ text, kind }) => {
      if (kind === "doing") this.showProgress(text);
      else this.show(text, kind === "error" ? 7000 : Math.max(2600, 90 * text.length), kind);
    });
    state.onScene.on(() => this.showProgress(null));
    state.onEvents.on(({ actor, events }) => {
      const who = state.scene?.actors.find((a) => a.id === actor);
      const many = (state.scene?.actors.length ?? 1) > 1;
      for (const event of events) {
        // Starts and ends are visible anyway, and a clamped command shows on the speed scale.
        const text = EVENT_TEXTS[event];
        if (text) this.show(many && who ? `${nameOf(who, state.scene)}: ${text}` : text, 1800, "note");
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

  /** Shows what the server is doing until it is done (null). */
  showProgress(text: string | null): void {
    this.progress?.remove();
    this.progress = text ? h("p", { class: "doing" }, sentence(text)) : null;
    if (this.progress) this.box.append(this.progress);
  }
}
