// Telemetry as lines over the last seconds, behind a toggle: leg phases, speed told and gone, and experts if any.
import { legColour } from "../actor";
import { byId, h, surface } from "../dom";
import type { State } from "../state";
import { speedOf } from "../wire";

const LENGTH = 240;
const EXPERT_COLOURS = ["#31442a", "#b8471b", "#2e6f95", "#a37e0c", "#7a4b8a", "#2f7f79", "#8a4b4b", "#5b6b7a"];

interface Plot {
  name: string;
  figure: HTMLElement;
  canvas: HTMLCanvasElement;
  lines: { values: number[]; colour: string }[];
  range: [number, number] | null;
}

export class Plots {
  private readonly plots = new Map<string, Plot>();
  private readonly box = h("div", { class: "plots", hidden: true });
  private last = -1;

  constructor(state: State) {
    byId("side").prepend(this.box);
    state.onFrame.on((frame) => {
      if (this.box.hidden || frame.frame === this.last) return;
      this.last = frame.frame;
      const actor = state.actorFrame;
      if (!actor) return;
      this.add("leg phases", [...actor.phases], legColour, [0, 1]);
      this.add("speed, gone and told (m/s)", [speedOf(actor), actor.speedTold], (i) => (i ? "#b8471b" : "#31442a"), null);
      this.add("skating (cm a frame)", [actor.skating], () => "#31442a", null);
      if (actor.experts.length)
        this.add("experts", [...actor.experts], (i) => EXPERT_COLOURS[i % EXPERT_COLOURS.length] ?? "#31442a", [0, 1]);
    });
    state.onChosen.on(() => this.clear());
    state.onScene.on(() => this.clear());
  }

  get shown(): boolean {
    return !this.box.hidden;
  }

  toggle(): void {
    this.box.hidden = !this.box.hidden;
    this.clear();
  }

  private clear(): void {
    this.plots.clear();
    this.box.replaceChildren();
  }

  private add(name: string, values: number[], colour: (i: number) => string, range: [number, number] | null): void {
    let plot = this.plots.get(name);
    if (!plot) {
      const canvas = h("canvas", { role: "img", "aria-label": name });
      const figure = h("figure", {}, h("figcaption", {}, name), canvas);
      this.box.append(figure);
      plot = { name, figure, canvas, lines: values.map((_, i) => ({ values: [], colour: colour(i) })), range };
      this.plots.set(name, plot);
    }
    values.forEach((value, i) => {
      const line = plot.lines[i];
      line?.values.push(value);
      if (line && line.values.length > LENGTH) line.values.shift();
    });
  }

  draw(): void {
    if (this.box.hidden) return;
    for (const plot of this.plots.values()) {
      const paper = surface(plot.canvas);
      if (!paper) continue;
      const { g, width, height } = paper;
      const all = plot.lines.flatMap((line) => line.values).filter(Number.isFinite);
      const [low, high] = plot.range ?? [0, Math.max(...all, 0.1) * 1.1];
      g.strokeStyle = "#20261f2e";
      g.beginPath();
      g.moveTo(0, height - 0.5);
      g.lineTo(width, height - 0.5);
      g.stroke();
      g.lineWidth = 1.4;
      for (const line of plot.lines) {
        g.strokeStyle = line.colour;
        g.beginPath();
        let pen = false;
        line.values.forEach((value, i) => {
          const before = line.values[i - 1] ?? value;
          // A phase that begins again, or a leg that rests, lifts the pen.
          if (!Number.isFinite(value) || (plot.range && before - value > 0.5)) pen = false;
          if (!Number.isFinite(value)) return;
          const x = ((i + LENGTH - line.values.length) / LENGTH) * width;
          const y = height - 2 - ((value - low) / (high - low)) * (height - 4);
          if (pen) g.lineTo(x, y);
          else g.moveTo(x, y);
          pen = true;
        });
        g.stroke();
      }
    }
  }
}
