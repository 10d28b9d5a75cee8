// The form for one animal of the user's own: how it was understood, its size, gaits and legs, and where to say what is wrong.
import { legColour } from "../colours";
import { h } from "../dom";
import { jointAt } from "../drive/pick";
import { besides, legName, sentence } from "../hud/names";
import { icon } from "../hud/icons";
import type { ActorInfo, Edit } from "../wire";
import type { Context } from "./context";
import { select } from "./fields";
import { happened } from "./happened";
import { TakesForm } from "./takes";
import type { Built, Corrections } from "./upload";

const LEGS = ["LF", "RF", "LH", "RH"];

export class AnimalForm {
  readonly body = h("div", {});
  /** Names of the takes that are unfolded. */
  readonly openTakes: Set<string>;
  readonly driving = h("button", { type: "button", class: "strong", onclick: () => this.drive() }, "Drive it");
  /** Whether its bones are shown, to check the detected legs; driving it ends that. */
  checking = false;
  private legs: Record<string, string> = {};
  /** Degrees of corrections since the last build that succeeded: if one fails, the next turn adds to it. */
  private turned = 0;
  /** The leg to which the next click on the scene assigns a joint. */
  private picking: string | null = null;
  private readonly takes: TakesForm;

  constructor(
    private readonly context: Context,
    readonly built: Built,
    private readonly correct: (built: Built, corrections: Corrections, done: string) => void,
    private readonly close: () => void,
    before?: AnimalForm | null,
  ) {
    const { takes, legs } = built.report;
    this.openTakes = new Set(before?.openTakes);
    this.takes = new TakesForm(takes ?? [], legs.map(({ name }) => name), this.openTakes, (labels, done) => this.correct(built, { labels }, done));
    this.layOut();
  }

  /** After a build: the keyboard goes on where it was. */
  focus(inTakes: boolean): void {
    if (inTakes) this.takes.body.focus();
    else this.driving.focus();
  }

  get actorOnStage(): ActorInfo | null {
    return this.context.state.scene?.actors.find((a) => a.animal === this.built.key) ?? null;
  }

  putOnStage(): void {
    const { socket, state } = this.context;
    const { terrain } = state.scene ?? { terrain: { terrain: "flat" } };
    socket.send({ type: "scene", actors: [{ animal: this.built.key ?? "", controller: "gaits", size: 1 }], terrain, abreast: false });
  }

  /** Shows its bones, to check the detected legs. */
  check(): void {
    this.checking = true;
    this.context.showBones(true);
    this.paint();
  }

  /** Colours the detected legs on the skeleton in the scene. */
  paint(): void {
    const { built, actorOnStage, checking } = this;
    this.driving.hidden = !checking && actorOnStage !== null;
    if (actorOnStage) this.context.world.actorOf(actorOnStage.id)?.paintLegs(checking ? built.report.legs : undefined);
  }

  private layOut(): void {
    const { key, report } = this.built;
    const legs = LEGS.map((name) => report.legs.find((leg) => leg.name === name) ?? { name, joints: [] });
    this.body.replaceChildren(
      ...(key ? [this.found(), this.gaits(), this.takes.body] : []),
      h(
        "section",
        {},
        h("h2", {}, "Legs"),
        h("p", { class: "note" }, key ? "Is one wrong? Press it, then click its foot on the animal, or choose a joint." : "Choose a joint of each foot."),
        ...legs.map((leg, l) => this.leg(leg, l)),
        h("div", { class: "row" }, h("button", { type: "button", disabled: !Object.keys(this.legs).length, onclick: () => this.again(0) }, "Build again")),
      ),
      ...(key ? [this.facing()] : []),
    );
    this.paint();
  }

  private again(turn: number): void {
    this.turned = (this.turned + turn) % 360;
    this.correct(this.built, { legs: this.legs, turn_deg: this.turned }, happened(this.built.report.clips, this.legs, this.turned));
  }

  private edit(edit: Edit): void {
    if (this.built.key) this.context.socket.send({ type: "edit", animal: this.built.key, ...edit });
  }

  private found(): HTMLElement {
    const { report } = this.built;
    const metres = h("input", { type: "number", min: 0.01, max: 20, step: "any", value: Number(report.hip_height.toPrecision(3)), onchange: () => {
      if (metres.valueAsNumber > 0) this.edit({ do: "hip_height", metres: metres.valueAsNumber });
    } });
    return h(
      "section",
      {},
      h("h2", {}, report.name),
      h("label", { class: "row size" }, h("span", {}, "Hips"), metres, h("span", {}, "m high")),
      report.size_guess !== null && h("p", { class: "warning" }, sentence(`This size is a guess: ${report.size_guess}`), " Enter the real height above."),
      h("p", { class: "note" }, `Legs found with ${Math.round(report.confidence * 100)}\u00a0% certainty.`),
      h("div", { class: "row" }, this.driving),
      ...report.warnings.map((text) => h("p", { class: "warning" }, sentence(text))),
      this.skipped(),
    );
  }

  /** Clips that were not used, folded: of a folder of capture most are not. */
  private skipped(): HTMLElement | null {
    const skipped = this.built.report.skipped ?? [];
    if (!skipped.length) return null;
    const words = skipped.length === 1 ? "One clip was not used" : `${skipped.length} clips were not used`;
    return h("details", { class: "skipped" }, h("summary", {}, words), h("ul", {}, ...skipped.map(([name, why]) => h("li", { class: "note" }, h("b", {}, name), `: ${why}`))));
  }

  private gaits(): HTMLElement {
    const { gaits, actions } = this.built.report;
    const ahead = gaits.filter((g) => g.speed);
    return h(
      "section",
      {},
      h("h2", {}, "Gaits and actions"),
      h("ul", { class: "gaits" },
        ...gaits.map((g) => {
          const speed = g.speed ? `${g.speed.toFixed(2)}\u00a0m/s` : "";
          const other = g.name === "stand" ? "" : besides(g.label ?? g.name, g.name);
          const note = [other, speed].filter(Boolean).join(", ");
          return this.gait(g.name, note, g.speed && ahead.length > 1 ? "action" : null);
        }),
        ...actions.map((name) => this.gait(name, "action", "gait")),
      ),
    );
  }

  /** A row to rename a gait or action, to turn it into the other, and to drop it; null: it can only be renamed. */
  private gait(name: string, note: string, other: "action" | "gait" | null): HTMLElement {
    const input = h("input", { type: "text", value: name, maxlength: 60, "aria-label": `Name of ${name}`, title: name, onchange: () => this.edit({ do: "rename", gait: name, name: input.value }) });
    const edit = (what: "action" | "gait" | "drop") => () => this.edit({ do: what, gait: name });
    return h(
      "li",
      {},
      input,
      h("span", { class: "note", title: note }, note),
      other && h("button", { type: "button", class: "small plain", "aria-label": `Make ${name} ${other === "action" ? "an action" : "a gait"}`, onclick: edit(other) }, `→ ${other}`),
      other && h("button", { type: "button", class: "plain bare", "aria-label": `Drop ${name}`, title: `Drop ${name}`, onclick: edit("drop") }, icon("close")),
    );
  }

  private facing(): HTMLElement {
    return h(
      "section",
      {},
      h("h2", {}, "Facing"),
      h("p", { class: "note" }, "Does it go sideways or backward?"),
      h("div", { class: "row" }, h("button", { type: "button", onclick: () => this.again(90) }, "Turn it by 90°"), h("button", { type: "button", onclick: () => this.again(180) }, "Turn it round")),
    );
  }

  /** The foot joint of a leg as the server detected it, or "". */
  private detectedFoot(leg: string): string {
    return this.built.report.legs.find(({ name }) => name === leg)?.joints.at(-1) ?? "";
  }

  private leg(leg: { name: string; joints: string[] }, l: number): HTMLElement {
    const joint = this.legs[leg.name] ?? this.detectedFoot(leg.name);
    const button = h("button", { type: "button", class: "small leg", "aria-pressed": String(this.picking === leg.name), onclick: () => {
      this.picking = this.picking === leg.name ? null : leg.name;
      if (this.picking && this.actorOnStage) this.check();
      this.layOut();
    } }, legName(leg.name));
    button.style.setProperty("--leg", legColour(leg.name, l));
    const choices = this.built.report.joints.map((name) => ({ value: name, text: name }));
    if (!joint) choices.unshift({ value: "", text: "not found" });
    const joints = select(choices, joint, (value) => this.name(leg.name, value));
    joints.setAttribute("aria-label", `Joint of the ${legName(leg.name)} foot`);
    return h("div", { class: "row leg" }, button, joints);
  }

  private name(leg: string, joint: string): void {
    if (joint === this.detectedFoot(leg)) delete this.legs[leg];
    else this.legs[leg] = joint;
    this.picking = null;
    this.layOut();
  }

  /** Handles a click on the scene while a leg waits for its joint: takes the nearest one on the screen. */
  pick(clientX: number, clientY: number): boolean {
    const { picking, actorOnStage } = this;
    if (!picking || !actorOnStage) return false;
    const joint = jointAt(this.context.world, actorOnStage, clientX, clientY);
    if (joint) this.name(picking, joint);
    return true;
  }

  private drive(): void {
    const { actorOnStage, context } = this;
    if (actorOnStage) context.state.choose(actorOnStage.id);
    else this.putOnStage();
    this.checking = false;
    this.paint();
    context.showBones(false);
    this.close();
  }
}
