// Hints for newcomers, one at a time: each ends when it is followed, dismissed or old, and is not shown again.
import { byId, h, setText } from "../dom";
import { feels } from "../drive/disturb";
import type { Intent } from "../drive/intent";
import type { State } from "../state";
import { icon } from "./icons";

type Name = "ride" | "gait" | "ground" | "disturb" | "own";
interface HintText {
  name: Name;
  mouse: string;
  touch: string;
  seconds: number;
  /** Only for animals that feel it. */
  weight?: boolean;
}

const HINTS: HintText[] = [
  { name: "ride", mouse: "Hold ↑ to ride (Shift faster, Ctrl slower), ← → to turn", touch: "Push the stick: farther is faster", seconds: 90 },
  { name: "gait", mouse: "Click a gait’s name to stay in it", touch: "Tap a gait’s name to stay in it", seconds: 30 },
  { name: "ground", mouse: "Click the ground to go there, or drag to draw a path", touch: "Tap the ground to go there", seconds: 40 },
  { name: "disturb", mouse: "Click the animal to throw a box at it, drag on it to push it", touch: "Tap the animal to throw a box at it, drag on it to push it", seconds: 40, weight: true },
  { name: "own", mouse: "Drop a GLB, BVH or FBX anywhere to drive your own animal", touch: "Your own GLB, BVH or FBX: press ⋯, Your animal", seconds: 30 },
];
const STORAGE_KEY = "canter.hints";
/** Time between one hint and the next. */
const PAUSE_SECONDS = 2.5;

export class Hint {
  private readonly box = byId("hint");
  private readonly text = h("span", {});
  private readonly done = new Set<string>(storedHints());
  private shown: Name | null = null;
  private since = 0;
  private nextAt = 0;

  constructor(
    private readonly state: State,
    private readonly intent: Intent,
  ) {
    const dismiss = h("button", { type: "button", class: "plain bare", "aria-label": "Dismiss this hint", onclick: () => this.shown && this.finish(this.shown) }, icon("close"));
    this.box.append(this.text, dismiss);
  }

  /** Called many times a second. */
  tick(now: number): void {
    const { intent, state } = this;
    if (/push|throw/.test(state.sent.last?.type ?? "")) this.finish("disturb");
    if (intent.following) this.finish("ground");
    else if (intent.speed >= 0.9 * (intent.speeds?.slow ?? 1)) {
      this.finish("ride");
      if (intent.cruising) this.finish("gait");
    }
    if (state.watching) return this.show("Somebody else drives this animal", false);
    const weight = feels(intent.capabilities ?? undefined, "throw") && feels(intent.capabilities ?? undefined, "push");
    const next = HINTS.find((hint) => !this.done.has(hint.name) && (weight || !hint.weight));
    if (!next || !state.frame || now < this.nextAt) return this.show("", false);
    if (next.name !== this.shown) {
      this.shown = next.name;
      this.since = now;
    }
    if (now - this.since > 1000 * next.seconds) return this.finish(next.name);
    this.show(document.documentElement.classList.contains("touch") ? next.touch : next.mouse, true);
  }

  private show(text: string, closes: boolean): void {
    this.box.hidden = !text;
    this.box.classList.toggle("closes", closes);
    setText(this.text, text);
  }

  finish(name: Name): void {
    if (this.done.has(name)) return;
    this.done.add(name);
    this.nextAt = performance.now() + 1000 * PAUSE_SECONDS;
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify([...this.done]));
    } catch {
      // without storage the hints are shown again next time
    }
  }
}

function storedHints(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}
