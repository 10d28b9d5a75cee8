// A scrolling footfall diagram: one lane a leg, filled while the foot is down, from every received frame.
import { legColour } from "../colours";
import { byId, h, surface } from "../dom";
import type { State } from "../state";
import type { Frame } from "../wire";
import { legName } from "./names";
import { Timebase } from "./timebase";

const SECONDS = 4;
/** In pixels; the strip below the lanes marks transitions between gaits. */
const LABEL_WIDTH = 30;
const LANE_HEIGHT = 17;
const STRIP_HEIGHT = 3;

interface Mark {
  frame: number;
  contacts: number;
  inTransition: boolean;
}

export class Footfalls {
  private readonly canvas = h("canvas", { role: "img" });
  private readonly timebase: Timebase;
  private marks: Mark[] = [];

  constructor(private readonly state: State) {
    this.timebase = new Timebase(state);
    // Closed at first on a phone: the animal needs the room.
    const open = !matchMedia("(max-width: 600px)").matches;
    byId("side").append(h("details", { class: "feet", open }, h("summary", {}, "Footfalls", h("small", {}, `last ${SECONDS} s`)), this.canvas));
    state.onFrame.on((frame) => {
      const mark = this.mark(frame);
      if (!mark) return;
      const last = this.marks[this.marks.length - 1];
      if (last && frame.frame < last.frame) this.marks = [];
      if (last?.frame === frame.frame) return;
      this.marks.push(mark);
      const first = frame.frame - (SECONDS + 1) * state.rate;
      while ((this.marks[1]?.frame ?? first) < first) this.marks.shift();
    });
    state.onChosen.on(() => {
      this.marks = [];
      this.fit();
    });
    state.onScene.on(() => this.fit());
  }

  private fit(): void {
    const legs = this.state.actor?.legs ?? [];
    this.canvas.style.height = `${Math.max(legs.length, 2) * LANE_HEIGHT + STRIP_HEIGHT}px`;
    this.canvas.setAttribute("aria-label", `Which feet were on the ground in the last seconds: ${legs.map(legName).join(", ")}`);
    this.canvas.title = [...legs.map((leg) => `${leg}: ${legName(leg)}`), "below: one gait turns into another"].join("\n");
  }

  private mark({ frame, actors }: Frame): Mark | null {
    const actor = actors.find((a) => a.id === this.state.actor?.id);
    return actor ? { contacts: actor.contacts, inTransition: !Number.isNaN(actor.transition), frame } : null;
  }

  /** The marks to draw, and the frame number at the right edge. */
  private shown(): { marks: Mark[]; edge: number } {
    const { replay } = this.state;
    if (!replay) return { marks: this.marks, edge: this.timebase.at(this.marks[this.marks.length - 1]?.frame ?? 0) + 1 };
    const marks = replay.before(SECONDS + 1).flatMap((frame) => this.mark(frame) ?? []);
    return { marks, edge: (replay.frame?.frame ?? 0) + 1 };
  }

  /** Intervals of frames in which a condition holds, as first frame and the one after the last. */
  private static runs(marks: Mark[], holds: (mark: Mark) => boolean): [number, number][] {
    const found: [number, number][] = [];
    let from: number | null = null;
    for (const mark of marks) {
      if (holds(mark)) from ??= mark.frame;
      else if (from !== null) {
        found.push([from, mark.frame]);
        from = null;
      }
    }
    if (from !== null) found.push([from, (marks[marks.length - 1]?.frame ?? from) + 1]);
    return found;
  }

  draw(): void {
    const info = this.state.actor;
    const paper = surface(this.canvas);
    if (!info || !paper) return;
    const { g, width, height } = paper;
    const lane = (height - STRIP_HEIGHT) / Math.max(info.legs.length, 1);
    const { marks, edge } = this.shown();
    const wide = (width - LABEL_WIDTH) / (SECONDS * this.state.rate);
    const fill = (runs: [number, number][], y: number, tall: number): void => {
      for (const [from, to] of runs) {
        const left = Math.max(width - (edge - from) * wide, LABEL_WIDTH);
        const right = Math.min(width - (edge - to) * wide, width);
        if (right > left) g.fillRect(left, y, right - left, tall);
      }
    };
    g.font = "600 11px system-ui, sans-serif";
    g.textBaseline = "middle";
    info.legs.forEach((leg, l) => {
      g.fillStyle = "#3a4236";
      g.fillText(leg, 0, l * lane + lane / 2 + 1);
      g.fillStyle = "#20261f14";
      g.fillRect(LABEL_WIDTH, l * lane + 2, width - LABEL_WIDTH, lane - 4);
    });
    g.fillStyle = "#c8742a";
    fill(Footfalls.runs(marks, (mark) => mark.inTransition), height - STRIP_HEIGHT, STRIP_HEIGHT);
    info.legs.forEach((leg, l) => {
      g.fillStyle = legColour(leg, l);
      fill(Footfalls.runs(marks, (mark) => (mark.contacts & (1 << l)) !== 0), l * lane + 2, lane - 4);
    });
  }
}
