// The actions of the animal as buttons with their keys; on phones near the right thumb.
import { byId, h } from "../dom";
import { type Intent, isJump } from "../drive/intent";
import type { State } from "../state";

export class Actions {
  private readonly box = byId("actions");
  private shown = "";

  constructor(
    private readonly state: State,
    private readonly intent: Intent,
  ) {
    state.onScene.on(() => this.layOut());
    state.onChosen.on(() => this.layOut());
  }

  private layOut(): void {
    const actions = this.state.actor?.capabilities.actions ?? [];
    const text = actions.join();
    if (text === this.shown) return;
    this.shown = text;
    const space = actions.find(isJump) ?? actions[0];
    this.box.replaceChildren(
      ...actions.slice(0, 9).map((action, i) =>
        h(
          "button",
          { type: "button", "data-action": action, "aria-pressed": "false", onclick: () => this.intent.act(action) },
          h("span", {}, action),
          h("kbd", {}, action === space ? "space" : String(i + 1)),
        ),
      ),
    );
  }

  draw(): void {
    const frame = this.state.actorFrame;
    const gait = frame ? this.state.gaitName(frame.gait) : "";
    for (const button of this.box.children) {
      const name = (button as HTMLElement).dataset["action"] ?? "";
      const on = String(name === gait || name === this.intent.action);
      if (button.getAttribute("aria-pressed") !== on) button.setAttribute("aria-pressed", on);
    }
  }
}
