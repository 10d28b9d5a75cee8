// The buttons at the top. Where there is little room, most of them are behind "More".
import { byId, h, say } from "../dom";
import { type Icon, icon } from "../hud/icons";
import { clock } from "../hud/names";
import type { Socket } from "../socket";
import type { State } from "../state";

export interface Does {
  pause(): void;
  slow(): void;
  step(): void;
  reset(): void;
  view(): void;
  bones(): void;
  plots(): void;
  own(): void;
  help(): void;
  menu(): void;
}

/** What is shown, what it says when pointed at, its key, and whether a group begins with it. */
const TRAY: [keyof Does & Icon, string, string, string, boolean?][] = [
  ["slow", "Slow", "Slow motion, a quarter of the speed", ","],
  ["step", "Step", "One frame on", "."],
  ["reset", "Restart", "Back to the start", "R"],
  ["view", "View", "Next view: follow, side, front, top (north is up), free", "V", true],
  ["bones", "Bones", "Show the bones", "B"],
  ["plots", "Plots", "Speed, leg phases and more as lines", "T"],
  ["own", "Your animal", "Drive an animal of your own: GLB, BVH or FBX", "", true],
  ["help", "Help", "What every key does", "H"],
];

/** What is pressed several times; after the others the tray behind "More" closes. */
const AGAIN = new Set<keyof Does>(["slow", "step", "view"]);

export class Tools {
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private readonly more: HTMLButtonElement;
  private readonly box = byId("tools");

  constructor(
    private readonly state: State,
    socket: Socket,
    private readonly does: Does,
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
      say(text, scene.recording ? "Stop" : "Record");
      this.press("slow", scene.pace < 1);
    });
    // A recording begins with the clock at zero.
    const tick = (): void => say(time, state.scene?.recording ? clock(state.frame?.time ?? 0) : "");
    state.onScene.on(tick);
    state.onFrame.on(tick);
  }

  private tool(name: keyof Does & Icon, label: string, title: string, key: string, first = false): HTMLButtonElement {
    const button = h(
      "button",
      { type: "button", class: `tool tool-${name}${first ? " first" : ""}`, "aria-label": label, title: key ? `${title} (${key})` : title, onclick: () => this.use(name) },
      icon(name),
      h("span", {}, label),
    );
    this.buttons.set(name, button);
    return button;
  }

  private use(name: keyof Does): void {
    if (!AGAIN.has(name)) this.open(false);
    this.does[name]();
  }

  /** The button of the clock says what it would do. */
  draw(): void {
    const { replay, scene } = this.state;
    const paused = replay ? !replay.playing : (scene?.paused ?? false);
    const button = this.buttons.get("pause");
    const label = paused ? "Play" : "Pause";
    if (!button || button.getAttribute("aria-label") === label) return;
    this.name("pause", label, label);
    button.title = paused ? "Let the clock run (P)" : "Stop the clock (P)";
    button.firstElementChild?.replaceWith(icon(paused ? "play" : "pause"));
    button.classList.toggle("lit", paused);
  }

  /** What a button is called, and the word on it. */
  name(name: keyof Does, label: string, word: string): void {
    const button = this.buttons.get(name);
    button?.setAttribute("aria-label", label);
    if (button?.lastElementChild) button.lastElementChild.textContent = word;
  }

  press(name: keyof Does, on: boolean): void {
    this.buttons.get(name)?.setAttribute("aria-pressed", String(on));
  }

  private open(on: boolean): void {
    this.box.classList.toggle("open", on);
    this.more.setAttribute("aria-expanded", String(on));
  }

  /** Whether there was something to close. */
  close(): boolean {
    const open = this.box.classList.contains("open");
    this.open(false);
    return open;
  }
}
