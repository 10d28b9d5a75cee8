// Controllers compared in numbers: skating, errors of speed and heading, cost of a step, and which is best.
import { byId, h, setText } from "../dom";
import type { State } from "../state";
import { speedOf, type ActorFrame } from "../wire";

/** Window of the means. */
const SECONDS = 4;
/** Seldom enough to be read. */
const REFRESH_MS = 250;

interface Column {
  name: string;
  unit: string;
  value(a: ActorFrame): number;
  digits: number;
  /** No value is better than another; in the other columns less is better. */
  neutral?: boolean;
}

const COLUMNS: Column[] = [
  { name: "speed", unit: "m/s", value: speedOf, digits: 1, neutral: true },
  { name: "skating", unit: "cm a frame", value: (a) => a.skating, digits: 2 },
  { name: "speed error", unit: "m/s", value: (a) => Math.abs(a.speedError), digits: 2 },
  { name: "heading error", unit: "°", value: (a) => (Math.abs(a.headingError) * 180) / Math.PI, digits: 0 },
  { name: "cost", unit: "ms", value: (a) => a.milliseconds, digits: 1 },
];

export class CompareTable {
  private readonly box = byId("compare");
  private cells = new Map<number, HTMLElement[]>();
  private samples: { time: number; values: Map<number, number[]> }[] = [];
  private last = 0;

  constructor(private readonly state: State) {
    state.onScene.on(() => this.layOut());
    state.onFrame.on(({ time, actors }) => {
      if (this.box.hidden) return;
      const newest = this.samples[this.samples.length - 1]?.time ?? -1;
      if (time < newest) this.samples = [];
      if (time === newest) return;
      this.samples.push({ time, values: new Map(actors.map((a) => [a.id, COLUMNS.map((column) => column.value(a))])) });
      while ((this.samples[0]?.time ?? time) < time - SECONDS) this.samples.shift();
    });
  }

  private layOut(): void {
    const actors = this.state.scene?.actors ?? [];
    this.box.hidden = actors.length < 2 || !this.state.scene?.abreast;
    this.samples = [];
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
        h("caption", {}, h("b", {}, `Mean of the last ${SECONDS} s`), h("span", {}, "less is better, ✓ the best")),
        h("thead", {}, h("tr", {}, h("td", {}), ...COLUMNS.map(({ name, unit }) => h("th", { scope: "col" }, name, h("small", {}, unit))))),
        h("tbody", {}, ...rows),
      ),
    );
  }

  private mean(id: number, column: number): number {
    const values = this.samples.map((k) => k.values.get(id)?.[column] ?? NaN).filter(Number.isFinite);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  }

  draw(): void {
    if (this.box.hidden || performance.now() - this.last < REFRESH_MS) return;
    this.last = performance.now();
    COLUMNS.forEach(({ digits, neutral }, c) => {
      const shown = [...this.cells].map(([id, cells]) => ({ cell: cells[c], text: this.mean(id, c).toFixed(digits) }));
      // Compared as shown: values that read the same are equal.
      const numbers = shown.map(({ text }) => Number(text));
      const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
      for (const { cell, text } of shown) {
        if (!cell) continue;
        const best = !neutral && least < most && Number(text) === least;
        setText(cell, text === "NaN" ? "–" : best ? `✓ ${text}` : text);
        cell.classList.toggle("best", best);
      }
    });
  }
}
