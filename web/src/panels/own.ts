// The tab for uploads: send files, check the detected anatomy, correct it, drive the animal.
import { legColour } from "../actor";
import { byId, h } from "../dom";
import { jointAt } from "../drive/pick";
import { legName, sentence } from "../hud/names";
import type { ActorInfo } from "../wire";
import type { Context } from "./context";
import { select } from "./fields";
import { dropped, KINDS } from "./files";
import { correct, BuildError, upload, type Built } from "./upload";

const LEGS = ["LF", "RF", "LH", "RH"];

export class OwnPanel {
  readonly body = h("div", { class: "tab" });
  private readonly result = h("div", {});
  private readonly bar = h("progress", { max: 1, value: 0, "aria-label": "Progress" });
  private readonly doing = h("p", { class: "note", role: "status" });
  private readonly work = h("div", { hidden: true }, this.bar, this.doing);
  private readonly driving = h("button", { type: "button", class: "strong", onclick: () => this.drive() }, "Drive it");
  private built: Built | null = null;
  /** The key of the animal that the next build replaces. */
  private previous: string | null = null;
  /** Whether its bones are shown, to check the detected legs; driving it ends that. */
  private checking = false;
  private legs: Record<string, string> = {};
  /** Degrees of the last correction; if its build failed, the next turn adds to it. */
  private turned = 0;
  /** The leg to which the next click on the scene assigns a joint. */
  private picking: string | null = null;

  constructor(
    private readonly context: Context,
    private readonly open: () => void,
    private readonly close: () => void,
  ) {
    const input = h("input", { type: "file", multiple: true, accept: KINDS.join(), class: "hidden", tabindex: "-1", "aria-label": "Files of an animal", onchange: () => void this.send([...(input.files ?? [])]) });
    this.body.append(
      h(
        "section",
        {},
        h("h2", {}, "Bring your own animal"),
        h("p", { class: "note" }, "A GLB, BVH or FBX of a four-legged animal with a walk or more, one file or several. It stays on the computer that runs the studio."),
        h("div", { class: "row" }, h("button", { type: "button", class: "strong", onclick: () => input.click() }, "Choose files"), h("span", { class: "note mouse" }, "or drop them on the page")),
        input,
        this.work,
      ),
      this.result,
    );
    this.listenToDrops();
    context.state.onScene.on(() => this.paint());
  }

  private listenToDrops(): void {
    const cover = byId("drop");
    let depth = 0;
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    addEventListener("dragenter", (event) => {
      if (!hasFiles(event)) return;
      depth++;
      cover.hidden = false;
    });
    addEventListener("dragleave", (event) => {
      if (hasFiles(event) && --depth <= 0) cover.hidden = true;
    });
    addEventListener("dragover", (event) => {
      event.preventDefault();
      // Dropped text or links must not make the browser leave the page.
      if (event.dataTransfer && !hasFiles(event)) event.dataTransfer.dropEffect = "none";
    });
    addEventListener("drop", (event) => {
      event.preventDefault();
      depth = 0;
      cover.hidden = true;
      if (event.dataTransfer && hasFiles(event)) void dropped(event.dataTransfer).then((files) => this.send(files));
    });
  }

  private readonly progress = (share: number, doing: string): void => {
    this.work.hidden = false;
    this.bar.value = share;
    this.doing.textContent = sentence(doing);
  };

  private async send(files: File[]): Promise<void> {
    this.open();
    this.built = this.previous = null;
    if (!files.length) return this.fail("There is no file of an animal in it.");
    this.result.replaceChildren();
    await this.run(() => upload(files, this.progress));
  }

  private async run(job: () => Promise<Built>, done?: string): Promise<void> {
    const focused = this.result.contains(document.activeElement);
    this.result.inert = true; // one build at a time
    this.progress(0, "sending");
    try {
      this.show(await job());
      if (done) this.context.state.notify(done);
    } catch (error) {
      if (error instanceof BuildError && error.built) this.take(error.built);
      this.fail(error instanceof Error ? error.message : String(error));
    }
    this.work.hidden = true;
    this.result.inert = false;
    if (focused) this.driving.focus();
  }

  /** Shows an error above the form for corrections. */
  private fail(text: string): void {
    this.result.replaceChildren();
    this.layOut();
    this.result.prepend(h("section", { class: "trouble", role: "alert" }, h("h2", {}, "This did not work"), h("p", {}, sentence(text))));
  }

  private take(built: Built): void {
    this.built = built;
    this.legs = {};
    this.turned = 0;
    this.picking = null;
  }

  private show(built: Built): void {
    this.take(built);
    const { key } = built;
    if (!key) return;
    const { catalog, onCatalog } = this.context.state;
    if (catalog) {
      const others = catalog.animals.filter((a) => a.key !== key && a.key !== this.previous);
      catalog.animals = [...others, { key, summary: built.report.name }];
      onCatalog.emit(catalog);
    }
    this.previous = key;
    this.putOnStage(key);
    this.check();
    this.layOut();
  }

  private putOnStage(key: string): void {
    const { socket, state } = this.context;
    const { terrain } = state.scene ?? { terrain: { terrain: "flat" } };
    socket.send({ type: "scene", actors: [{ animal: key, controller: "gaits", size: 1 }], terrain, abreast: false });
  }

  private get actorOnStage(): ActorInfo | null {
    return this.context.state.scene?.actors.find((a) => a.animal === this.built?.key) ?? null;
  }

  private check(): void {
    this.checking = true;
    this.context.showBones(true);
  }

  /** Colours the detected legs on the skeleton in the scene. */
  private paint(): void {
    const { built, actorOnStage, checking } = this;
    this.driving.hidden = !checking && actorOnStage !== null;
    if (built && actorOnStage) this.context.world.actorOf(actorOnStage.id)?.paintLegs(checking ? built.report.legs : undefined);
  }

  private layOut(): void {
    const { built } = this;
    if (!built) return;
    const { key, report } = built;
    const again = (turn: number): void => {
      this.turned = (this.turned + turn) % 360;
      void this.run(() => correct(built.job, this.legs, this.turned, this.progress), this.correctionText());
    };
    const turns = h(
      "section",
      {},
      h("h2", {}, "Facing"),
      h("p", { class: "note" }, "Does it go sideways or backward?"),
      h("div", { class: "row" }, h("button", { type: "button", onclick: () => again(90) }, "Turn it by 90°"), h("button", { type: "button", onclick: () => again(180) }, "Turn it round")),
    );
    const legs = LEGS.map((name) => report.legs.find((leg) => leg.name === name) ?? { name, joints: [] });
    this.result.replaceChildren(
      ...(key ? [this.found(report), h("section", {}, h("h2", {}, "Gaits"), this.gaits(report))] : []),
      h(
        "section",
        {},
        h("h2", {}, "Legs"),
        h("p", { class: "note" }, key ? "Is one wrong? Press it, then click its foot on the animal, or choose a joint." : "Choose a joint of each foot."),
        ...legs.map((leg, l) => this.leg(leg, l)),
        h("div", { class: "row" }, h("button", { type: "button", disabled: !Object.keys(this.legs).length, onclick: () => again(0) }, "Build again")),
      ),
      ...(key ? [turns] : []),
    );
    this.paint();
  }

  /** A sentence on the corrections. */
  private correctionText(): string {
    const legs = Object.entries(this.legs).map(([leg, joint]) => `${joint} as ${legName(leg)}`);
    const turn = this.turned === 180 ? "turned round" : this.turned && `turned by ${this.turned}°`;
    return `Built again${legs.length ? ` with ${legs.join(" and ")}` : ""}${turn ? `, ${turn}` : ""}`;
  }

  private found(report: Built["report"]): HTMLElement {
    return h(
      "section",
      {},
      h("h2", {}, report.name),
      h("p", { class: "note" }, `Hips ${report.hip_height.toFixed(2)}\u00a0m high; legs found with ${Math.round(report.confidence * 100)}\u00a0% certainty.`),
      h("div", { class: "row" }, this.driving),
      ...report.warnings.map((text) => h("p", { class: "warning" }, sentence(text))),
    );
  }

  private gaits({ gaits }: Built["report"]): HTMLElement {
    if (!gaits.length) return h("p", { class: "note" }, "None was found in these clips.");
    // Clips that are called like their gaits need no column of their own.
    const clips = gaits.some((g) => g.name.toLowerCase() !== g.gait.toLowerCase());
    const head = ["Gait", ...(clips ? ["Clip"] : []), "Speed", "Length"];
    return h(
      "table",
      { class: "plain" },
      h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { scope: "col" }, name)))),
      h(
        "tbody",
        {},
        ...gaits.map((g) =>
          h("tr", {}, h("th", { scope: "row" }, g.gait), clips && h("td", { class: "clip", title: g.name }, g.name), h("td", {}, g.speed === null ? "" : `${g.speed.toFixed(2)} m/s`), h("td", {}, `${g.seconds.toFixed(2)} s`)),
        ),
      ),
    );
  }

  /** The foot joint of a leg as the server detected it, or "". */
  private detectedFoot(leg: string): string {
    return this.built?.report.legs.find(({ name }) => name === leg)?.joints.at(-1) ?? "";
  }

  private leg(leg: { name: string; joints: string[] }, l: number): HTMLElement {
    const joint = this.legs[leg.name] ?? this.detectedFoot(leg.name);
    const button = h("button", { type: "button", class: "small leg", "aria-pressed": String(this.picking === leg.name), onclick: () => {
      this.picking = this.picking === leg.name ? null : leg.name;
      if (this.picking && this.actorOnStage) this.check();
      this.layOut();
    } }, legName(leg.name));
    button.style.setProperty("--leg", legColour(leg.name, l));
    const choices = (this.built?.report.joints ?? []).map((name) => ({ value: name, text: name }));
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
    const { built, actorOnStage, context } = this;
    if (actorOnStage) context.state.choose(actorOnStage.id);
    else if (built?.key) this.putOnStage(built.key);
    this.checking = false;
    this.paint();
    context.showBones(false);
    this.close();
  }
}
