// The card that says which key does what.
import { byId, h } from "../dom";

const KEYS: [string, [string, string][]][] = [
  [
    "Touch",
    [
      ["the stick", "the way to go; farther out is faster"],
      ["tap the ground", "go there"],
      ["one finger", "look around"],
      ["two fingers", "nearer, farther"],
    ],
  ],
  [
    "Drive",
    [
      ["↑ or W, held", "go, and through the gaits; let go to stop"],
      ["Shift", "faster, up to a gallop"],
      ["Ctrl with ↑, or X", "no faster than a walk"],
      ["← → or A D", "turn while held"],
      ["↓ or S", "slow down, then back up"],
      ["Q E", "step aside, looking ahead"],
      ["a short tap", "5° or 0.1 m/s, and the speed is kept"],
      ["C", "keep the speed when ↑ is let go"],
      ["Esc", "stop"],
    ],
  ],
  [
    "Time",
    [
      ["P", "pause"],
      [".", "one frame"],
      [",", "slow motion"],
      ["R", "back to the start"],
    ],
  ],
  [
    "Do",
    [
      ["Space", "jump"],
      ["1 to 9", "the animal's actions"],
      ["[ ]", "the animal before, the next"],
      ["click the ground", "go there"],
      ["drag on the ground", "follow this path"],
      ["gamepad", "left stick, A jump, B sit, RT faster"],
    ],
  ],
  [
    "Look",
    [
      ["right drag, wheel", "around, nearer"],
      ["V", "next view"],
      ["F", "see the whole animal"],
      ["B", "bones"],
      ["T", "plots"],
      ["M", "menu"],
    ],
  ],
];

export class Help {
  private readonly dialog = byId("help") as HTMLDialogElement;

  constructor() {
    this.dialog.tabIndex = -1;
    this.dialog.autofocus = true;
    this.dialog.append(
      h("header", {}, h("h2", { id: "help-title" }, "How to ride"), h("button", { type: "button", class: "plain", "aria-label": "Close", onclick: () => this.dialog.close() }, "✕")),
      h(
        "div",
        { class: "cards" },
        ...KEYS.map(([title, rows]) =>
          h("section", { class: title === "Touch" ? "hands" : null }, h("h3", {}, title), h("dl", {}, ...rows.flatMap(([key, does]) => [h("dt", {}, key), h("dd", {}, does)]))),
        ),
      ),
    );
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
  }

  /** Whether there was something to close. */
  close(): boolean {
    const { open } = this.dialog;
    this.dialog.close();
    return open;
  }

  toggle(): void {
    if (!this.close()) this.dialog.showModal();
  }
}
