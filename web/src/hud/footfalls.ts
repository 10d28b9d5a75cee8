// Footfalls as they come: one lane a leg, filled while the foot is down. Columns are received states, not drawn frames.
import { legColour } from "../actor";
import { byId, h, surface } from "../dom";
import type { State } from "../state";

const SECONDS = 4;
const NAMES = 30;

export class Footfalls {
  private readonly canvas = h("canvas", { role: "img", "aria-label": "Footfall diagram of the last four seconds" });
  private marks: { contacts: number; changing: boolean; frame: number }[] = [];

  constructor(private readonly state: State) {
    byId("side").append(h("figure", { class: "feet" }, h("figcaption", {}, "footfalls"), this.canvas));
    state.onFrame.on((frame) => {
      const actor = state.actorFrame;
      if (!actor) return;
      const last = this.marks[this.marks.length - 1];
      if (last && frame.frame < last.frame) this.marks = [];
      if (last?.frame === frame.frame) return;
      this.marks.push({ contacts: actor.contacts, changing: !Number.isNaN(actor.transition), frame: frame.frame });
      if (this.marks.length > SECONDS * state.rate) this.marks.shift();
    });
    state.onChosen.on(() => (this.marks = []));
    state.onScene.on((scene) => {
      const legs = scene.actors[0]?.legs.length ?? 4;
      this.canvas.style.height = `${Math.max(legs * 17 + 4, 40)}px`;
    });
  }

  draw(): void {
    const info = this.state.actor;
    const paper = surface(this.canvas);
    if (!info || !paper) return;
    const { g, width, height } = paper;
    const lanes = info.legs.length;
    const lane = height / Math.max(lanes, 1);
    const newest = this.marks[this.marks.length - 1]?.frame ?? 0;
    const wide = (width - NAMES) / (SECONDS * this.state.rate);
    const left = (frame: number): number => width - (newest - frame + 1) * wide;
    g.font = "600 11px system-ui, sans-serif";
    g.textBaseline = "middle";
    g.fillStyle = "#c8742a33";
    for (const mark of this.marks) if (mark.changing) g.fillRect(Math.max(left(mark.frame), NAMES), 0, wide + 0.5, height);
    info.legs.forEach((leg, l) => {
      const y = l * lane;
      g.fillStyle = "#3a4236";
      g.fillText(leg, 0, y + lane / 2 + 1);
      g.fillStyle = "#20261f1c";
      g.fillRect(NAMES, y + 2, width - NAMES, lane - 4);
      g.fillStyle = legColour(l);
      // One rectangle for a whole stance: seams between columns would show.
      let from: number | null = null;
      for (let i = 0; i <= this.marks.length; i++) {
        const mark = this.marks[i];
        const down = mark !== undefined && (mark.contacts & (1 << l)) !== 0;
        if (down && from === null) from = mark.frame;
        if (!down && from !== null) {
          const to = mark?.frame ?? newest + 1;
          const x = Math.max(left(from), NAMES);
          g.fillRect(x, y + 2, Math.max(left(to) - x, 0.5), lane - 4);
          from = null;
        }
      }
    });
  }
}
