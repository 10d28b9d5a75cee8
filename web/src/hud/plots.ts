// Telemetry of the last seconds as plots: speed (of all compared animals), leg phases, skating and cost of a step.
import { legColour } from "../colours";
import { byId, h, setText, surface } from "../dom";
import type { State } from "../state";
import { speedOf, type ActorFrame, type ActorInfo } from "../wire";
import { icon } from "./icons";
import { Timebase } from "./timebase";

const SECONDS = 4;
const INK = "#31442a";
const COMMANDED_INK = "#b8471b";
const INKS = [INK, "#2e6f95", "#a37e0c", "#7a4b8a", "#2f7f79", "#8a4b4b", "#5b6b7a", COMMANDED_INK];
const inkOf = (i: number): string => INKS[i % INKS.length] ?? INK;

interface Line {
  name: string;
  colour: string;
  dashed?: boolean;
}
interface PlotKind {
  name: string;
  unit: string;
  /** The upper end of the scale; without it the largest value, at least `minScale`. */
  scale?: number;
  minScale?: number;
  /** A phase wraps from 1 to 0. */
  wraps?: boolean;
  /** `compared` are all animals that are compared, or only the chosen one. */
  lines(info: ActorInfo, frame: ActorFrame, compared: ActorInfo[]): Line[];
  values(frame: ActorFrame, compared: ActorFrame[]): number[];
}

const KINDS: PlotKind[] = [
  {
    name: "Speed",
    unit: "m/s",
    minScale: 0.2,
    lines: (_info, _frame, compared) => [
      ...compared.map(({ controller }, i) => ({ name: compared.length > 1 ? controller : "is", colour: inkOf(i) })),
      { name: "told", colour: COMMANDED_INK, dashed: true },
    ],
    values: (frame, compared) => [...compared.map(speedOf), frame.commandedSpeed],
  },
  {
    name: "Leg phases",
    unit: "",
    scale: 1,
    wraps: true,
    lines: (info) => info.legs.map((name, l) => ({ name, colour: legColour(name, l) })),
    values: (frame) => [...frame.phases],
  },
  {
    name: "Skating",
    unit: "cm a frame",
    minScale: 0.2,
    lines: () => [{ name: "mean of the feet", colour: INK }],
    values: (frame) => [frame.skating],
  },
  {
    name: "Cost of a frame",
    unit: "ms",
    minScale: 2,
    lines: () => [{ name: "on the server", colour: INK }],
    values: (frame) => [frame.milliseconds],
  },
];

interface Plot {
  kind: PlotKind;
  lines: Line[];
  canvas: HTMLCanvasElement;
  top: HTMLElement;
}

export class Plots {
  private readonly sheet = h("div", { class: "sheet" });
  private readonly box = byId("plots");
  private readonly timebase: Timebase;
  private plots: Plot[] = [];
  private samples: { frame: number; values: number[][] }[] = [];
  private laidOut = "";

  constructor(
    private readonly state: State,
    private readonly onToggle: (on: boolean) => void,
  ) {
    this.timebase = new Timebase(state);
    this.box.append(
      h("header", {}, h("h2", {}, "Plots", h("small", {}, `last ${SECONDS} s`)), h("button", { type: "button", class: "plain bare", "aria-label": "Close the plots", title: "Close (T)", onclick: () => this.toggle() }, icon("close"))),
      this.sheet,
    );
    state.onFrame.on(({ frame }) => {
      const actor = state.actorFrame;
      if (this.box.hidden || !actor) return;
      const compared = this.compared.flatMap(({ id }) => state.frameOf(id) ?? []);
      this.layOut(actor, compared);
      const last = this.samples[this.samples.length - 1]?.frame ?? -1;
      if (frame < last) this.samples = [];
      if (frame === last) return;
      this.samples.push({ frame, values: this.plots.map((plot) => plot.kind.values(actor, compared)) });
      const first = frame - (SECONDS + 1) * state.rate;
      while ((this.samples[0]?.frame ?? first) < first) this.samples.shift();
    });
  }

  toggle(): void {
    this.box.hidden = !this.box.hidden;
    this.samples = [];
    this.onToggle(!this.box.hidden);
  }

  private get compared(): ActorInfo[] {
    const { scene, actor } = this.state;
    return scene?.abreast ? scene.actors : actor ? [actor] : [];
  }

  private layOut(frame: ActorFrame, compared: ActorFrame[]): void {
    const info = this.state.actor;
    if (!info) return;
    const kinds = KINDS.filter((kind) => kind.values(frame, compared).length > 0);
    const key = JSON.stringify([info.id, info.glb, info.legs, this.compared.map((r) => [r.id, r.controller])]);
    if (key === this.laidOut) return;
    this.laidOut = key;
    this.samples = [];
    this.plots = kinds.map((kind) => {
      const canvas = h("canvas", { role: "img", "aria-label": `${kind.name} over the last seconds` });
      return { kind, lines: kind.lines(info, frame, this.compared), canvas, top: h("span", { class: "scale" }) };
    });
    this.sheet.replaceChildren(
      ...this.plots.map(({ kind, lines, canvas, top }) => {
        const legend = lines.map((line) => {
          const mark = h("i", { class: line.dashed ? "dashed" : null });
          mark.style.color = line.colour;
          return h("span", {}, mark, line.name);
        });
        return h("figure", {}, h("figcaption", {}, h("b", {}, kind.name), h("small", {}, kind.unit), h("span", { class: "legend" }, ...legend)), h("div", { class: "graph" }, canvas, top));
      }),
    );
  }

  draw(): void {
    if (this.box.hidden) return;
    const edge = this.timebase.at(this.samples[this.samples.length - 1]?.frame ?? 0);
    this.plots.forEach((plot, p) => this.drawOne(plot, p, edge));
  }

  private drawOne({ kind, lines, canvas, top }: Plot, p: number, edge: number): void {
    const paper = surface(canvas);
    if (!paper) return;
    const { g, width, height } = paper;
    const all = this.samples.flatMap(({ values }) => values[p] ?? []).filter(Number.isFinite);
    const scale = kind.scale ?? Math.max(...all.map((value) => value * 1.1), kind.minScale ?? 1);
    setText(top, scale.toFixed(scale < 10 ? 1 : 0));
    g.strokeStyle = "#20261f26";
    g.beginPath();
    for (const y of [0.5, height - 0.5]) {
      g.moveTo(0, y);
      g.lineTo(width, y);
    }
    g.stroke();
    g.lineWidth = 1.5;
    g.lineJoin = "round";
    lines.forEach((line, l) => {
      g.strokeStyle = line.colour;
      g.setLineDash(line.dashed ? [5, 3] : []);
      g.beginPath();
      let before = NaN;
      for (const { frame, values } of this.samples) {
        const value = values[p]?.[l] ?? NaN;
        const x = width - ((edge - frame) / (SECONDS * this.state.rate)) * width;
        const y = height - 1.5 - (value / scale) * (height - 3);
        // The line breaks where a phase wraps, and where a leg does not step.
        if (Number.isFinite(before) && !(kind.wraps && before - value > 0.5)) g.lineTo(x, y);
        else g.moveTo(x, y);
        before = value;
      }
      g.stroke();
    });
    g.setLineDash([]);
  }
}
