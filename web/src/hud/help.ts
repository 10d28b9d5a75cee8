// The help card: what keys and mouse do, or fingers, with the gaits and actions of the current animal.
import { byId, h } from "../dom";
import { feels } from "../drive/disturb";
import { isJump } from "../drive/intent";
import { naturalGaits } from "../drive/speeds";
import type { State } from "../state";
import type { Capabilities } from "../wire";
import { icon } from "./icons";

type Cards = [string, [string, string][]][];

/** What clicks and drags do to an animal with weight. */
function disturbing(can: Capabilities | undefined, click: "click" | "tap"): [string, string][] {
  const rows: [string, string][] = [];
  if (feels(can, "throw")) rows.push([`${click} your animal`, "throw a box; also beside it"]);
  if (feels(can, "push")) rows.push(["drag on it", "push it"]);
  return rows;
}

const touches = (can: Capabilities | undefined): Cards => [
  [
    "Drive",
    [
      ["the stick", "the way to go; farther out is faster, beyond the rim as fast as can be"],
      ["tap the ground", "go there"],
      ...disturbing(can, "tap"),
      ["a gait's name", "go on in this gait"],
      ["the ruler", "a speed to keep"],
    ],
  ],
  [
    "Look",
    [
      ["one finger", "look around"],
      ["two fingers", "nearer, farther"],
      ["tap an animal", "drive this one"],
    ],
  ],
  [
    "More",
    [
      ["⋯", "slow motion, single steps, views, bones, your own animal"],
      ["☰", "animals, ground, downloads"],
    ],
  ],
];

function keys(can: Capabilities | undefined): Cards {
  const gaits = can ? naturalGaits(can).map(([name]) => name) : [];
  const actions = can?.actions ?? [];
  const first = actions.find(isJump) ?? actions[0];
  return [
    [
      "Drive",
      [
        ["↑ or W, held", "go, gait by gait; let go to stop"],
        ["Shift", `faster, up to ${gaits[gaits.length - 1] ?? "its fastest"}`],
        ["Ctrl with ↑, or X", `no faster than ${gaits[0] ?? "its slowest"}`],
        ["← → or A D", "turn while held"],
        ["↓ or S", "slow down, then back up"],
        ["Q E", "step aside, looking ahead"],
        ["a short tap", "5° or 0.1 m/s, and it is kept"],
        ["Shift with 1 to 9", `keep a gait: ${gaits.slice(0, 4).join(", ") || "by speed"}`],
        ["C", "keep this speed without ↑"],
        ["Esc", "stop"],
      ],
    ],
    [
      "Do",
      [
        ...(first ? ([["Space", first]] as [string, string][]) : []),
        ...actions.slice(0, 9).map((action, i): [string, string] => [String(i + 1), action]).filter(([, action]) => action !== first),
        ["[ ]", "the animal before, the next"],
      ],
    ],
    [
      "Mouse",
      [
        ["click the ground", "go there"],
        ["drag over it", "follow this path"],
        ...disturbing(can, "click"),
        ["click an animal", "drive this one"],
        ["right drag", "look around"],
        ["wheel", "nearer, farther"],
        ["drop files", "drive your own animal"],
      ],
    ],
    [
      "Time",
      [
        ["P", "pause"],
        [",", "slow motion"],
        [".", "one frame on"],
        ["R", "back to the start"],
      ],
    ],
    [
      "Look",
      [
        ["V", "next view"],
        ["F", "see the whole animal"],
        ["B", "bones"],
        ...(feels(can, "push") ? ([["G", "forces on the feet"]] as [string, string][]) : []),
        ["T", "plots"],
        ["M", "menu"],
        ["H or ?", "this card"],
      ],
    ],
    [
      "Gamepad",
      [
        ["left stick", "the way to go; RT is faster"],
        ["right stick", "look around"],
        ["A, B, X", [first, ...actions.filter((a) => a !== first)].slice(0, 3).join(", ") || "actions, if it has some"],
        ["Y, Start, Back", "next view, pause, back to the start"],
      ],
    ],
  ];
}

export class Help {
  private readonly dialog = byId("help") as HTMLDialogElement;
  private readonly cards = h("div", { class: "cards" });

  constructor(private readonly state: State) {
    this.dialog.tabIndex = -1;
    this.dialog.append(
      h("header", {}, h("h2", { id: "help-title" }, "How to ride"), h("button", { type: "button", class: "plain bare", "aria-label": "Close", onclick: () => this.dialog.close() }, icon("close"))),
      this.cards,
    );
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
  }

  private layOut(): void {
    const touch = matchMedia("(pointer: coarse)").matches;
    const cards = (touch ? touches : keys)(this.state.actor?.capabilities);
    this.cards.replaceChildren(
      ...cards.map(([title, rows]) => h("section", {}, h("h3", {}, title), h("dl", {}, ...rows.flatMap(([key, does]) => [h("dt", {}, key), h("dd", {}, does)])))),
    );
  }

  /** Closes the card; returns whether it was open. */
  close(): boolean {
    const { open } = this.dialog;
    this.dialog.close();
    return open;
  }

  toggle(): void {
    if (this.close()) return;
    this.layOut();
    this.dialog.showModal();
    this.dialog.focus();
  }
}
