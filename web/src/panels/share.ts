// Buttons that copy links.
import { h } from "../dom";
import { toHash } from "../link";
import type { State } from "../state";

const base = (): string => `${location.origin}${location.pathname}`;

async function copy(state: State, text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    state.notify(`${what} copied`);
  } catch {
    prompt(what, text); // without https a page may not write the clipboard
  }
}

/** Copies a link that opens the same scene. */
export const linkButton = (state: State): HTMLElement =>
  h("button", { type: "button", onclick: () => state.scene && void copy(state, base() + toHash(state.scene), "Link to this scene") }, "Copy link");

/** Copies a link that joins this stage. */
export const inviteButton = (state: State): HTMLElement =>
  h("button", { type: "button", onclick: () => void copy(state, `${base()}?stage=${encodeURIComponent(state.stage)}`, "Link to this ride") }, "Invite to this ride");
