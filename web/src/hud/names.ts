// Names on the page: of animals (two horses get numbers), gaits and legs; and formats of text.
import { h } from "../dom";
import type { ActorInfo, Capabilities, SceneInfo } from "../wire";

export function nameOf(actor: ActorInfo, scene: SceneInfo | null): string {
  const alike = (scene?.actors ?? []).filter((a) => a.name === actor.name);
  return alike.length > 1 ? `${actor.name} ${alike.findIndex((a) => a.id === actor.id) + 1}` : actor.name;
}

/** A gait as its artist called it, with what its feet say beside it: "fox_jog: trot". */
export const gaitLabel = (capabilities: Capabilities | undefined, name: string): string => capabilities?.labels[name] ?? name;

/** Shows a gait in an element of class `gait-label`: where there is little room the artist's name is cut, never the gait. */
export function showGait(element: HTMLElement, capabilities: Capabilities | undefined, name: string): void {
  const label = gaitLabel(capabilities, name);
  if (element.dataset["label"] === label) return;
  element.dataset["label"] = label;
  const kind = `: ${capabilities?.kinds[name] ?? name}`;
  const artists = label.endsWith(kind) ? label.slice(0, -kind.length) : label;
  element.replaceChildren(h("span", {}, artists), artists === label ? "" : h("b", {}, kind));
}

/** What a gait's label ("fox_jog: trot") says besides its name. */
export function besides(label: string, name: string): string {
  if (label === name) return "";
  return label.startsWith(`${name}: `) ? label.slice(name.length + 2) : label.endsWith(`: ${name}`) ? `of ${label.slice(0, -name.length - 2)}` : label;
}

const SIDES: Record<string, string> = { L: "left", R: "right" };
const ENDS: Record<string, string> = { F: "fore", M: "middle", H: "hind" };

/** "LF" in words; names of another pattern stay as they are. */
export function legName(leg: string): string {
  const [side, end] = [SIDES[leg[0] ?? ""], ENDS[leg[1] ?? ""]];
  return side && end ? `${side} ${end}${leg.slice(2)}` : leg;
}

export const sentence = (text: string): string => {
  const trimmed = text.trim();
  const whole = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
};

/** Seconds as minutes and seconds. */
export const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
