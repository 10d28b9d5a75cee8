// The takes of the user's own animal: for each a line of its spans over the footfalls, where borders can be dragged and
// spans renamed. Nothing is built before the user says so.
import { gaitColour, inkOn, legColour } from "../colours";
import { h, setText, surface } from "../dom";
import { select } from "./fields";
import { Correction, describe, KNOWN_LABELS, MAX_LABEL_LENGTH, seconds, summary, type Label, type Span, type Take } from "./spans";

/** Pixels that a span has on average, those of the panel, and of the widest line: what is wider than the panel is scrolled. */
const SPAN_WIDTH = 40;
const PANEL_WIDTH = 300;
const MAX_WIDTH = 8000;
const LANE_HEIGHT = 5;
/** Seconds that an arrow key moves a border by, and with Shift or by Page Up and Down. */
const STEP = 0.05;
const LONG_STEP = 0.5;
const MAX_ZOOM = 16;
const ANOTHER = "\u0000another";

/** Labels by take: all that takes have from now on. */
export type Labels = Record<string, Label[]>;

export class TakesForm {
  readonly body = h("section", { class: "takes", tabindex: "-1", "aria-label": "Takes" });
  private readonly lines: TakeLine[];
  private readonly said = h("p", { class: "note", role: "status" });
  private readonly buttons = h(
    "div",
    { class: "row", hidden: true },
    h("button", { type: "button", class: "strong", onclick: () => this.build() }, "Build again"),
    h("button", { type: "button", class: "plain", onclick: () => this.discard() }, "Discard"),
  );

  /** `open` are the names of the takes whose lines are shown; it is kept up to date. */
  constructor(
    takes: Take[],
    legs: string[],
    open: Set<string>,
    private readonly correct: (labels: Labels, done: string) => void,
  ) {
    if (takes[0] && !takes.some(({ name }) => open.has(name))) open.add(takes[0].name);
    const others = [...new Set(takes.flatMap((take) => take.spans.map((span) => span.label)))].filter((label) => !KNOWN_LABELS.includes(label));
    this.lines = takes.map((take) => new TakeLine(take, legs, others, () => this.changed(), () => this.asRead(take)));
    for (const { body, name } of this.lines) {
      body.open = open.has(name);
      body.addEventListener("toggle", () => (body.open ? open.add(name) : open.delete(name)));
    }
    this.body.hidden = !takes.length;
    this.body.append(
      h("h2", {}, "Takes"),
      h("p", { class: "note" }, "What it does when. Is something wrong? Drag a border, or press a part to rename it."),
      ...this.lines.map(({ body }) => body),
      this.said,
      this.buttons,
    );
  }

  private get changes(): string[] {
    return this.lines.flatMap((line) => line.changes);
  }

  private changed(): void {
    const { changes } = this;
    this.buttons.hidden = !changes.length;
    setText(this.said, changes.map((change) => `${change.charAt(0).toUpperCase()}${change.slice(1)}.`).join(" "));
  }

  private build(): void {
    const changed = this.lines.filter((line) => line.changes.length);
    this.correct(Object.fromEntries(changed.map((line) => [line.name, line.labels])), this.changes.join("; "));
  }

  private discard(): void {
    for (const line of this.lines) line.discard();
    this.changed();
    this.body.focus();
  }

  private asRead({ name }: Take): void {
    this.correct({ [name]: [] }, `${name} is as it was read`);
  }
}

class TakeLine {
  readonly body = h("details", { class: "take" });
  private readonly bar = h("div", { class: "spans" });
  private readonly steps = h("canvas", { class: "steps", "aria-hidden": "true" });
  private readonly readout = h("p", { class: "note readout", "aria-hidden": "true" });
  private readonly editor = h("div", { class: "row rename" });
  private correction: Correction;
  private parts: HTMLButtonElement[] = [];
  private borders: HTMLElement[] = [];
  private readonly line = h("div", { class: "line" });
  private readonly zooms = [0.5, 2].map((factor) =>
    h("button", { type: "button", class: "small plain", onclick: () => this.widen(factor) }, factor < 1 ? "−" : "+"),
  );
  /** The width of the line without zoom, in pixels, if the panel is not wider. */
  private readonly width: number;
  private zoom = 1;
  /** The span that is being renamed, or -1. */
  private chosen = -1;

  constructor(
    private readonly take: Take,
    private readonly legs: string[],
    private readonly others: string[],
    private readonly onChange: () => void,
    asRead: () => void,
  ) {
    this.correction = new Correction(take);
    this.width = Math.min(Math.max(SPAN_WIDTH * take.spans.length, PANEL_WIDTH), MAX_WIDTH);
    this.line.append(this.bar, this.steps, this.ruler());
    this.zooms.forEach((button, wider) => button.setAttribute("aria-label", `Show ${take.name} ${wider ? "wider" : "narrower"}`));
    this.widen(1);
    this.bar.setAttribute("role", "group");
    this.bar.setAttribute("aria-label", `What ${take.name} shows`);
    this.steps.style.height = `${take.steps.length * LANE_HEIGHT}px`;
    this.body.append(
      h("summary", {}, h("span", { class: "name", title: take.name }, take.name), h("small", {}, `${take.seconds.toFixed(1)} s`)),
      h("div", { class: "strip" }, this.line),
      h("div", { class: "row below" }, this.readout, ...this.zooms),
      this.editor,
    );
    if (take.labels.length)
      this.body.append(
        h("div", { class: "row" }, h("span", { class: "note" }, "Corrected by you."), h("button", { type: "button", class: "small plain", "aria-label": `${take.name} as read`, onclick: asRead }, "As read")),
      );
    this.layOut();
    new ResizeObserver(() => this.drawSteps()).observe(this.steps);
  }

  get name(): string {
    return this.take.name;
  }

  get labels(): Label[] {
    return this.correction.labels;
  }

  get changes(): string[] {
    return this.correction.changes;
  }

  discard(): void {
    this.correction = new Correction(this.take);
    this.chosen = -1;
    this.layOut();
  }

  /** Makes the line wider, so that short spans can be got hold of, or narrower; the middle stays. */
  private widen(factor: number): void {
    const most = Math.max(1, Math.min(MAX_ZOOM, MAX_WIDTH / this.width));
    const strip = this.line.parentElement;
    const middle = strip ? (strip.scrollLeft + strip.clientWidth / 2) / Math.max(this.line.offsetWidth, 1) : 0;
    this.zoom = Math.min(Math.max(this.zoom * factor, 1), most);
    this.line.style.minWidth = `calc(max(100%, ${this.width.toFixed(0)}px) * ${this.zoom})`;
    if (strip) strip.scrollLeft = middle * this.line.offsetWidth - strip.clientWidth / 2;
    const [narrower, wider] = this.zooms;
    if (narrower && wider) [narrower.disabled, wider.disabled] = [this.zoom <= 1, this.zoom >= most];
  }

  /** Seconds below the line, as many as there is room for. */
  private ruler(): HTMLElement {
    const { seconds: length } = this.take;
    const room = (44 * length) / this.width;
    const every = [1, 2, 5, 10, 20, 30, 60, 120, 300].find((step) => step >= Math.min(room, length)) ?? 600;
    const marks = Array.from({ length: Math.floor((0.93 * length) / every) + 1 }, (_, i) => {
      const mark = h("span", {}, i ? String(i * every) : "0 s");
      mark.style.left = `${((i * every) / length) * 100}%`;
      return mark;
    });
    return h("div", { class: "ruler-seconds", "aria-hidden": "true" }, ...marks);
  }

  private layOut(): void {
    const { spans } = this.correction;
    this.parts = spans.map((_, place) => {
      const point = (): void => this.tell(place);
      return h("button", { type: "button", class: "part", onclick: () => this.choose(place), onpointerenter: point, onfocus: point, onpointerleave: () => this.tell(this.chosen), onblur: () => this.tell(this.chosen) });
    });
    this.borders = spans.slice(1).map((_, place) => this.border(place));
    // In the order of time, which is that of the Tab key.
    this.bar.replaceChildren(...this.parts.flatMap((part, place) => [part, ...(this.borders[place] ? [this.borders[place]] : [])]));
    this.paint();
    this.edit();
    this.tell(-1);
  }

  private border(place: number): HTMLElement {
    const handle = h("div", {
      class: "border",
      role: "slider",
      tabindex: 0,
      onkeydown: (event) => this.onKey(place, event as KeyboardEvent),
      onfocus: () => this.tell(place + 1),
    });
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.setPointerCapture(event.pointerId);
      const box = this.bar.getBoundingClientRect();
      const follow = (to: PointerEvent): void => this.move(place, ((to.clientX - box.left) / box.width) * this.take.seconds);
      const end = (): void => handle.removeEventListener("pointermove", follow);
      handle.addEventListener("pointermove", follow);
      handle.addEventListener("pointerup", end, { once: true });
      handle.addEventListener("pointercancel", end, { once: true });
    });
    return handle;
  }

  private onKey(place: number, event: KeyboardEvent): void {
    const at = this.correction.spans[place]?.end ?? 0;
    const step = event.shiftKey ? LONG_STEP : Math.max(STEP, 1 / this.take.frame_rate);
    const [low, high] = this.correction.range(place);
    const times: Record<string, number> = { ArrowLeft: at - step, ArrowDown: at - step, ArrowRight: at + step, ArrowUp: at + step, PageUp: at + LONG_STEP, PageDown: at - LONG_STEP, Home: low, End: high };
    const time = times[event.key];
    if (time === undefined) return;
    event.preventDefault();
    this.move(place, time);
  }

  private move(place: number, time: number): void {
    this.correction.move(place, time);
    this.paint();
    this.tell(place + 1);
    this.onChange();
  }

  /** Begins to rename a span, or ends it. */
  private choose(place: number): void {
    this.chosen = this.chosen === place ? -1 : place;
    this.paint();
    this.edit();
    this.tell(place);
  }

  private rename(label: string): void {
    this.correction.rename(this.chosen, label);
    this.paint();
    this.tell(this.chosen);
    this.onChange();
  }

  private tell(place: number): void {
    const span = this.correction.spans[place];
    setText(this.readout, span ? describe(span, this.correction.isGiven(place)) : summary(this.correction.spans));
  }

  /** Puts spans and borders where they are now. */
  private paint(): void {
    const { spans } = this.correction;
    const share = (time: number): string => `${((time / this.take.seconds) * 100).toFixed(3)}%`;
    const strange = [...new Set(spans.map((span) => span.label))].filter((label) => !KNOWN_LABELS.includes(label));
    this.parts.forEach((part, place) => {
      const span = spans[place] as Span;
      const colour = gaitColour(span.label, strange.indexOf(span.label));
      const words = describe(span, this.correction.isGiven(place));
      part.style.left = share(span.start);
      part.style.width = share(Math.min(span.end, this.take.seconds) - span.start);
      part.style.background = colour;
      part.style.color = inkOn(colour);
      setText(part, span.label);
      part.title = words;
      part.setAttribute("aria-label", words);
      part.setAttribute("aria-pressed", String(this.chosen === place));
    });
    this.borders.forEach((border, place) => {
      const [before, after] = [spans[place] as Span, spans[place + 1] as Span];
      const [low, high] = this.correction.range(place);
      border.style.left = share(before.end);
      border.setAttribute("aria-label", `Border of ${before.label} and ${after.label}`);
      border.setAttribute("aria-valuemin", low.toFixed(2));
      border.setAttribute("aria-valuemax", high.toFixed(2));
      border.setAttribute("aria-valuenow", before.end.toFixed(2));
      border.setAttribute("aria-valuetext", seconds(before.end));
    });
  }

  /** The fields that rename the chosen span. */
  private edit(): void {
    const span = this.correction.spans[this.chosen];
    if (!span) return this.editor.replaceChildren();
    const word = h("input", { type: "text", maxlength: MAX_LABEL_LENGTH, hidden: true, placeholder: "a word", "aria-label": "Another word for it", onchange: () => this.rename(word.value) });
    const labels = [...new Set([...KNOWN_LABELS, ...this.others, span.label])];
    const choices = [...labels.map((label) => ({ value: label, text: label })), { value: ANOTHER, text: "another word …" }];
    const input = select(choices, span.label, (value) => {
      word.hidden = value !== ANOTHER;
      if (value === ANOTHER) word.focus();
      else this.rename(value);
    });
    input.setAttribute("aria-label", "What it is");
    this.editor.replaceChildren(h("span", { class: "note" }, `${seconds(span.start)} to ${seconds(span.end)}`), input, word);
  }

  private drawSteps(): void {
    const paper = surface(this.steps);
    if (!paper) return;
    const { g, width } = paper;
    this.take.steps.forEach((runs, l) => {
      g.fillStyle = legColour(this.legs[l] ?? "", l);
      for (const [from, to] of runs) g.fillRect((from / this.take.seconds) * width, l * LANE_HEIGHT + 1, ((to - from) / this.take.seconds) * width, LANE_HEIGHT - 1);
    });
  }
}
