// Fields for animals with weight: how hard boxes are thrown, and the ground under them. Hidden for all others.
import { h } from "../dom";
import { feels } from "../drive/disturb";
import { THROW_STRENGTH } from "../drive/impulse";
import type { GroundInfo } from "../wire";
import type { Context } from "./context";
import { slider } from "./fields";

const DEGREE = Math.PI / 180;

export class GroundFields {
  readonly body = h("div", { hidden: true });
  private shown = "";
  /** As it was set last, here or elsewhere. */
  private tilt: [number, number] = [0, 0];

  constructor(private readonly context: Context) {
    const { state } = context;
    state.onScene.on(() => this.layOut());
    state.onChosen.on(() => this.layOut());
  }

  private layOut(): void {
    const ground = this.context.state.actor?.ground ?? null;
    const key = JSON.stringify(ground);
    this.body.hidden = !ground;
    // A slider that is being dragged must not be replaced by its own echo.
    if (!ground || key === this.shown || this.body.contains(document.activeElement)) return;
    this.shown = key;
    const [pitch, roll] = (this.tilt = ground.tilt);
    this.body.replaceChildren(
      slider("Friction", 0.02, 1.2, 0.02, ground.friction, "", (friction) => this.send({ friction })),
      slider("Pitch", -15, 15, 1, pitch / DEGREE, "°", (degrees) => this.send({ tilt: [degrees * DEGREE, this.tilt[1]] })),
      slider("Roll", -15, 15, 1, roll / DEGREE, "°", (degrees) => this.send({ tilt: [this.tilt[0], degrees * DEGREE] })),
      slider("Turning", -0.5, 0.5, 0.05, ground.turn_rate, "rad/s", (turn_rate) => this.send({ turn_rate })),
      h("p", { class: "note" }, "Pitch lifts the ground to the north, roll to the west: ahead and to the left at the start."),
    );
  }

  private send(ground: Partial<GroundInfo>): void {
    this.tilt = ground.tilt ?? this.tilt;
    this.context.socket.send({ type: "ground", ...ground });
  }
}

/** The section on throwing and pushing. */
export function disturbSection({ state, disturber }: Context): HTMLElement {
  const can = state.actor?.capabilities;
  const [pushes, throws] = [feels(can, "push"), feels(can, "throw")];
  const { low, high } = THROW_STRENGTH;
  return h(
    "section",
    { hidden: !pushes && !throws },
    h("h2", {}, throws && pushes ? "Throw and push" : throws ? "Throw" : "Push"),
    throws && slider("Throw strength", low, high, 0.1, disturber.strength, "m/s", (value) => (disturber.strength = value)),
    h(
      "p",
      { class: "note" },
      [
        throws ? "Click the animal, or the ground around it, to throw a box; the strength is by how much it may change the animal’s speed." : "",
        pushes ? "Drag on the animal to push it." : "",
      ].join(" ").trim(),
    ),
  );
}
