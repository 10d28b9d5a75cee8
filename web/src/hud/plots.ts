// Telemetry as lines over the last seconds, behind a toggle: speed, leg phases, skating, what a step
// costs, and experts if any. Of animals that are compared it shows all speeds.
import { legColour } from "../actor";
import { byId, h, say, surface } from "../dom";
import type { State } from "../state";
import { speedOf, type ActorFrame, type ActorInfo } from "../wire";
import { icon } from "./icons";
import { Reel } from "./reel";

const SECONDS = 4;
const INK = "#31442a";
const TOLD = "#b8471b";
const INKS = [INK, "#2e6f95", "#a37e0c", "#7a4b8a", "#2f7f79", "#8a4b4b", "#5b6b7a", TOLD];
const inkOf = (i: number): string => INKS[i % INKS.length] ?? INK;

interface Line {
  name: string;
  colour: string;
  dashed?: boolean;
}
interface Kind {
  name: string;
  unit: string;
  /** From 0 to this; without it as high as the lines are, and at least `least`. */
  most?: number;
  least?: number;
  /** A phase begins again at the top. */
  turns?: boolean;
  /** `riders` are all that are compared, or the one itself. */
  lines(info: ActorInfo, frame: ActorFrame, riders: ActorInfo[]): Line[];
  values(frame: ActorFrame, riders: ActorFrame[]): number[];
}

const KINDS: Kind[] = [
  {
    name: "Speed",
    unit: "m/s",
    least: 0.2,
    lines: (_info, _frame, riders) => [
      ...riders.map(({ controller }, i) => ({ name: riders.length > 1 ? controller : "is", colour: inkOf(i) })),
      { name: "told", colour: TOLD, dashed: true },
    ],
    values: (frame, riders) => [...riders.map(speedOf), frame.speedTold],
  },
  {
    name: "Leg phases",
    unit: "",
    most: 1,
    turns: true,
    lines: (info) => info.legs.map((name, l) => ({ name, colour: legColour(name, l) })),
    values: (frame) => [...frame.phases],
  },
  {
    name: "Skating",
    unit: "cm a frame",
    least: 0.2,
    lines: () => [{ name: "mean of the feet", colour: INK }],
    values: (frame) => [frame.skating],
  },
  {
    name: "Cost of a frame",
    unit: "ms",
    least: 2,
    lines: () => [{ name: "on the server", colour: INK }],
    values: (frame) => [frame.milliseconds],
  },
  {
    name: "Experts",
    unit: "weight",
    most: 1,
    lines: (_, frame) => [...frame.experts].map((_weight, i) => ({ name: String(i + 1), colour: inkOf(i) })),
    values: (frame) => [...frame.experts],
  },
];

interface Plot {
  kind: Kind;
  lines: Line[];
  canvas: HTMLCanvasElement;
  top: HTMLElement;
}

export class Plots {
  private readonly sheet = h("div", { class: "sheet" });
  private readonly box = byId("plots");
  private readonly reel: Reel;
  private plots: Plot[] = [];
  private kept: { frame: number; values: number[][] }[] = [];
  private laidOut = "";

  constructor(
    private readonly state: State,
    private readonly onToggle: (on: boolean) => void,
  ) {
    this.reel = new Reel(state);
    this.box.append(
      h("header", {}, h("h2", {}, "Plots", h("small", {}, `last ${SECONDS} s`)), h("button", { type: "button", class: "plain bare", "aria-label": "Close the plots", title: "Close (T)", onclick: () => this.toggle() }, icon("close"))),
      this.sheet,
    );
    state.onFrame.on(({ frame }) => {
      const actor = state.actorFrame;
      if (this.box.hidden || !actor) return;
      const riders = this.riders.flatMap(({ id }) => state.frameOf(id) ?? []);
      this.layOut(actor, riders);
      const last = this.kept[this.kept.length - 1]?.frame ?? -1;
      if (frame < last) this.kept = [];
      if (frame === last) return;
      this.kept.push({ frame, values: this.plots.map((plot) => plot.kind.values(actor, riders)) });
      const first = frame - (SECONDS + 1) * state.rate;
      while ((this.kept[0]?.frame ?? first) < first) this.kept.shift();
    });
  }

  toggle(): void {
    this.box.hidden = !this.box.hidden;
    this.kept = [];
    this.onToggle(!this.box.hidden);
  }

  private get riders(): ActorInfo[] {
    const { scene, actor } = this.state;
    return scene?.abreast ? scene.actors : actor ? [actor] : [];
  }

  private layOut(frame: ActorFrame, riders: ActorFrame[]): void {
    const info = this.state.actor;
    if (!info) return;
    const kinds = KINDS.filter((kind) => kind.values(frame, riders).length > 0);
    const key = JSON.stringify([info.id, info.glb, info.legs, this.riders.map((r) => [r.id, r.controller]), frame.experts.length]);
    if (key === this.laidOut) return;
    this.laidOut = key;
    this.kept = [];
    this.plots = kinds.map((kind) => {
      const canvas = h("canvas", { role: "img", "aria-label": `${kind.name} over the last seconds` });
      return { kind, lines: kind.lines(info, frame, this.riders), canvas, top: h("span", { class: "scale" }) };
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
    const edge = this.reel.at(this.kept[this.kept.length - 1]?.frame ?? 0);
    this.plots.forEach((plot, p) => this.drawOne(plot, p, edge));
  }

  private drawOne({ kind, lines, canvas, top }: Plot, p: number, edge: number): void {
    const paper = surface(canvas);
    if (!paper) return;
    const { g, width, height } = paper;
    const all = this.kept.flatMap(({ values }) => values[p] ?? []).filter(Number.isFinite);
    const most = kind.most ?? Math.max(...all.map((value) => value * 1.1), kind.least ?? 1);
    say(top, most.toFixed(most < 10 ? 1 : 0));
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
      for (const { frame, values } of this.kept) {
        const value = values[p]?.[l] ?? NaN;
        const x = width - ((edge - frame) / (SECONDS * this.state.rate)) * width;
        const y = height - 1.5 - (value / most) * (height - 3);
        // A phase that begins again, or a leg that rests, lifts the pen.
        if (Number.isFinite(before) && !(kind.turns && before - value > 0.5)) g.lineTo(x, y);
        else g.moveTo(x, y);
        before = value;
      }
      g.stroke();
    });
    g.setLineDash([]);
  }
}
