// The buttons at the top. Where there is little room, most of them are behind "More".
import { byId, h, setText } from "../dom";
import { type Icon, icon } from "../hud/icons";
import { clock } from "../hud/names";
import type { Socket } from "../socket";
import type { State } from "../state";

export interface ToolHandlers {
  pause(): void;
  slow(): void;
  step(): void;
  reset(): void;
  view(): void;
  bones(): void;
  forces(): void;
  plots(): void;
  own(): void;
  help(): void;
  menu(): void;
}

/** Icon, label, tooltip, key, and whether a group begins with it. */
const TRAY: [keyof ToolHandlers & Icon, string, string, string, boolean?][] = [
  ["slow", "Slow", "Slow motion, a quarter of the speed", ","],
  ["step", "Step", "One frame on", "."],
  ["reset", "Restart", "Back to the start", "R"],
  ["view", "View", "Next view: follow, side, front, top (north is up), free", "V", true],
  ["bones", "Bones", "Show the bones", "B"],
  ["forces", "Forces", "Show the forces on the feet", "G"],
  ["plots", "Plots", "Speed, leg phases and more as lines", "T"],
  ["own", "Your animal", "Drive an animal of your own: GLB, BVH or FBX", "", true],
  ["help", "Help", "What every key does", "H"],
];

/** Tools that are pressed repeatedly; the others close the tray behind "More". */
const KEEP_OPEN = new Set<keyof ToolHandlers>(["slow", "step", "view"]);

export class Tools {
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private readonly more: HTMLButtonElement;
  private readonly box = byId("tools");

  constructor(
    private readonly state: State,
    socket: Socket,
    private readonly handlers: ToolHandlers,
  ) {
    const text = h("span", {}, "Record");
    const time = h("span", { class: "time" });
    const record = h("button", { type: "button", class: "record", title: "Record the ride, to download it", onclick: () => socket.send({ type: "record", on: !state.scene?.recording }) }, h("i", {}), text, time);
    const tray = h("div", { class: "tray", id: "tray" }, ...TRAY.map(([name, label, title, key, first]) => this.tool(name, label, title, key, first)));
    this.more = h("button", { type: "button", class: "tool more", "aria-label": "More", title: "More", "aria-expanded": "false", "aria-controls": "tray", onclick: () => this.open(!this.box.classList.contains("open")) }, icon("more"));
    this.box.append(record, h("div", { class: "pill" }, this.tool("pause", "Pause", "Stop the clock", "P"), tray, this.more, this.tool("menu", "Menu", "Animals, ground, your own files, downloads", "M")));
    addEventListener("pointerdown", (event) => event.target instanceof Node && !this.box.contains(event.target) && this.open(false));
    state.onScene.on((scene) => {
      record.classList.toggle("on", scene.recording);
      setText(text, scene.recording ? "Stop" : "Record");
      this.press("slow", scene.pace < 1);
    });
    this.press("forces", true);
    // A recording begins with the clock at zero.
    const tick = (): void => setText(time, state.scene?.recording ? clock(state.frame?.time ?? 0) : "");
    state.onScene.on(tick);
    state.onFrame.on(tick);
  }

  private tool(name: keyof ToolHandlers & Icon, label: string, title: string, key: string, first = false): HTMLButtonElement {
    const button = h(
      "button",
      { type: "button", class: `tool tool-${name}${first ? " first" : ""}`, "aria-label": label, title: key ? `${title} (${key})` : title, onclick: () => this.use(name) },
      icon(name),
      h("span", {}, label),
    );
    this.buttons.set(name, button);
    return button;
  }

  private use(name: keyof ToolHandlers): void {
    if (!KEEP_OPEN.has(name)) this.open(false);
    this.handlers[name]();
  }

  /** Updates the button of forces, which not all animals have, and that of the clock, which shows what it would do. */
  draw(): void {
    const { replay, scene } = this.state;
    this.buttons.get("forces")?.toggleAttribute("hidden", !this.state.shown?.actors.some(({ forces }) => forces.length > 0));
    const paused = replay ? !replay.playing : (scene?.paused ?? false);
    const button = this.buttons.get("pause");
    const label = paused ? "Play" : "Pause";
    if (!button || button.getAttribute("aria-label") === label) return;
    this.name("pause", label, label);
    button.title = paused ? "Let the clock run (P)" : "Stop the clock (P)";
    button.firstElementChild?.replaceWith(icon(paused ? "play" : "pause"));
    button.classList.toggle("lit", paused);
  }

  /** Sets the accessible name of a button, and the word on it. */
  name(name: keyof ToolHandlers, label: string, word: string): void {
    const button = this.buttons.get(name);
    button?.setAttribute("aria-label", label);
    if (button?.lastElementChild) button.lastElementChild.textContent = word;
  }

  press(name: keyof ToolHandlers, on: boolean): void {
    this.buttons.get(name)?.setAttribute("aria-pressed", String(on));
  }

  private open(on: boolean): void {
    this.box.classList.toggle("open", on);
    this.more.setAttribute("aria-expanded", String(on));
  }

  /** Closes the tray; returns whether it was open. */
  close(): boolean {
    const open = this.box.classList.contains("open");
    this.open(false);
    return open;
  }
}
