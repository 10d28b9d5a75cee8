// The buttons at the top: menu, record, pause, view, bones, plots, help.
import { byId, h } from "../dom";
import type { Socket } from "../socket";
import type { State } from "../state";

interface Does {
  menu(): void;
  pause(): void;
  view(): void;
  bones(): void;
  plots(): void;
  reset(): void;
  help(): void;
}

// Lines on a 20 by 20 field, drawn for this page.
const ICONS: Record<string, string> = {
  reset: "M4 10a6 6 0 1 0 2-4.5M6 2v4h4",
  pause: "M7 4v12M13 4v12",
  view: "M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
  bones: "M5 4l4 5 6-1M9 9l-2 7M15 8l1 7",
  plots: "M3 16V4M3 16h14M5 13l3-5 3 3 4-6",
  help: "M7 7a3 3 0 1 1 4 3c-1 .5-1 1-1 2M10 15v.5",
  menu: "M3 5h14M3 10h14M3 15h14",
};

function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name] ?? "");
  svg.append(path);
  return svg;
}

export class Tools {
  constructor(state: State, socket: Socket, does: Does) {
    const record = h("button", { type: "button", class: "record", "aria-pressed": "false", "aria-label": "Record", title: "Record the ride", onclick: () => socket.send({ type: "record", on: !state.scene?.recording }) }, h("i", {}), h("span", {}, "Record"));
    const tool = (name: keyof Does, label: string, key: string): HTMLButtonElement =>
      h("button", { type: "button", class: `tool tool-${name}`, "aria-label": label, title: `${label} (${key})`, onclick: () => does[name]() }, icon(name));
    const pause = tool("pause", "Pause", "P");
    byId("tools").append(
      record,
      tool("reset", "Back to the start", "R"),
      pause,
      tool("view", "Next view", "V"),
      tool("bones", "Bones", "B"),
      tool("plots", "Plots", "T"),
      tool("help", "Help", "H"),
      tool("menu", "Menu", "M"),
    );
    state.onScene.on((scene) => {
      record.setAttribute("aria-pressed", String(scene.recording));
      const label = record.lastElementChild;
      if (label) label.textContent = scene.recording ? "Stop" : "Record";
      pause.setAttribute("aria-pressed", String(scene.paused));
    });
  }
}
