// Controllers abreast in figures: what slides, how far speed and heading are off, and what a step costs.
import { byId, h, say } from "../dom";
import type { State } from "../state";
import { speedOf, type ActorFrame } from "../wire";

const COLUMNS: [string, string, (a: ActorFrame) => number, number][] = [
  ["speed", "m/s", speedOf, 1],
  ["skating", "cm a frame", (a) => a.skating, 2],
  ["speed off", "m/s", (a) => Math.abs(a.speedOff), 2],
  ["heading off", "°", (a) => (Math.abs(a.headingOff) * 180) / Math.PI, 0],
  ["cost", "ms", (a) => a.milliseconds, 1],
];

export class CompareTable {
  private readonly box = byId("compare");
  private cells = new Map<number, HTMLElement[]>();
  private means = new Map<number, number[]>();
  private last = 0;

  constructor(private readonly state: State) {
    state.onScene.on(() => this.layOut());
    state.onFrame.on((frame) => {
      for (const actor of frame.actors) {
        const now = COLUMNS.map(([, , value]) => value(actor));
        const mean = this.means.get(actor.id) ?? now;
        // About a second's mean: single frames are not readable.
        this.means.set(actor.id, mean.map((m, i) => m + ((Number.isFinite(now[i]) ? (now[i] ?? 0) : m) - m) * 0.03));
      }
    });
  }

  private layOut(): void {
    const actors = this.state.scene?.actors ?? [];
    this.box.hidden = actors.length < 2 || !this.state.scene?.abreast;
    this.means.clear();
    this.cells.clear();
    if (this.box.hidden) return;
    const rows = actors.map((actor) => {
      const cells = COLUMNS.map(() => h("td", {}, "–"));
      this.cells.set(actor.id, cells);
      return h("tr", {}, h("th", { scope: "row" }, actor.controller), ...cells);
    });
    this.box.replaceChildren(
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("td", {}), ...COLUMNS.map(([name, unit]) => h("th", { scope: "col" }, name, h("small", {}, unit))))),
        h("tbody", {}, ...rows),
      ),
    );
  }

  draw(): void {
    if (this.box.hidden || performance.now() - this.last < 250) return;
    this.last = performance.now();
    for (const [id, cells] of this.cells) {
      const mean = this.means.get(id);
      cells.forEach((cell, i) => say(cell, mean ? (mean[i] ?? 0).toFixed(COLUMNS[i]?.[3] ?? 1) : "–"));
    }
  }
}
