// The tab for animals of the user's own: send files, see what became of them, and the list of those that are kept.
import { loadCatalog } from "../catalog";
import { byId, h } from "../dom";
import { sentence } from "../hud/names";
import { AnimalForm } from "./animal";
import type { Context } from "./context";
import { dropped, KINDS } from "./files";
import { BuildError, correct, forget, keptAnimal, upload, type Built, type Remedy } from "./upload";

const PREFIX = "upload-";

export class OwnPanel {
  readonly body = h("div", { class: "tab" });
  private readonly bar = h("progress", { max: 1, value: 0, "aria-label": "Progress" });
  private readonly doing = h("p", { class: "note", role: "status" });
  private readonly work = h("div", { hidden: true }, this.bar, this.doing);
  /** What did not work, above the form of the animal on stage, which stays. */
  private readonly trouble = h("div", {});
  private readonly shown = h("div", {});
  private readonly list = h("div", {});
  private form: AnimalForm | null = null;
  /** Whether the last build was of an animal that has a form already. */
  private correcting = false;
  /** The body of the animal that the form is for: it changes when the animal is built again or edited. */
  private glb = "";

  constructor(
    private readonly context: Context,
    private readonly open: () => void,
    private readonly close: () => void,
  ) {
    const input = h("input", { type: "file", multiple: true, accept: [...KINDS, ".csv"].join(), class: "hidden", tabindex: "-1", "aria-label": "Files of an animal", onchange: () => void this.send([...(input.files ?? [])]) });
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
      this.trouble,
      this.shown,
      this.list,
    );
    this.listenToDrops();
    context.state.onScene.on(() => void this.follow());
    context.state.onCatalog.on(() => this.layOutList());
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
    this.correcting = false;
    if (!files.length) return this.fail("There is no file of an animal in it.");
    await this.run(() => upload(files, this.progress));
  }

  private async run(job: () => Promise<Built>, done?: string, check = true): Promise<void> {
    const focused = this.shown.contains(document.activeElement);
    const inTakes = document.activeElement?.closest(".takes") != null;
    this.shown.inert = this.trouble.inert = true; // one build at a time
    this.trouble.replaceChildren();
    this.progress(0, "sending");
    try {
      const built = await job();
      this.show(built);
      this.form?.putOnStage();
      if (check) this.form?.check();
      void loadCatalog(this.context.state);
      if (done) this.context.state.notify(done);
    } catch (error) {
      const failed = error instanceof BuildError ? error : null;
      this.fail(error instanceof Error ? error.message : String(error), failed?.built, failed?.remedy);
    }
    this.work.hidden = true;
    this.shown.inert = this.trouble.inert = false;
    if (focused) this.form?.focus(inTakes);
  }

  private readonly correct: AnimalForm["correct"] = (built, corrections, done) => {
    this.correcting = built.key !== null;
    void this.run(() => correct(built.job, corrections, this.progress), done, !corrections.labels);
  };

  /** Says what went wrong and what would help: another part of the files, or joints of the legs if none were found. */
  private fail(text: string, built?: Built | null, remedy?: Remedy | null): void {
    const close = h("button", { type: "button", class: "small plain", onclick: () => this.trouble.replaceChildren() }, "Dismiss");
    this.trouble.replaceChildren(h("section", { class: "trouble", role: "alert" }, h("h2", {}, "This did not work"), h("p", {}, sentence(text)), h("div", { class: "row" }, close)));
    if (built && remedy) this.trouble.append(this.shorter(built, remedy));
    else if (built?.report.joints.length && !this.correcting) this.trouble.append(new AnimalForm(this.context, built, this.correct, this.close).body);
  }

  private shorter(built: Built, { part, command }: Remedy): HTMLElement {
    const seconds = part.map((value, i) => h("input", { type: "number", min: 0, step: "any", value, "aria-label": i ? "To second" : "From second" }));
    const [from, to] = seconds;
    const build = (): void => {
      const wanted: [number, number] = [from?.valueAsNumber || 0, to?.valueAsNumber || 0];
      this.correct(built, { part: wanted }, `only seconds ${wanted[0]} to ${wanted[1]} of each clip are read`);
    };
    return h(
      "section",
      {},
      h("h2", {}, "A shorter part of it"),
      h("div", { class: "row size" }, from ?? null, h("span", {}, "to"), to ?? null, h("span", {}, "s"), h("button", { type: "button", onclick: build }, "Build this part")),
      h("p", { class: "note" }, "Or all of it, without a limit:"),
      h("code", {}, command),
    );
  }

  private show(built: Built): void {
    const checking = this.form?.built.key === built.key && this.form.checking;
    this.glb = "";
    const before = this.form?.built.key === built.key ? this.form : null;
    this.form = new AnimalForm(this.context, built, this.correct, this.close, before);
    if (checking) this.form.check();
    this.shown.replaceChildren(this.form.body);
  }

  /** Shows the form of the user's own animal on stage, as it is now. */
  private async follow(): Promise<void> {
    const { scene, actor } = this.context.state;
    const own = [actor, ...(scene?.actors ?? [])].find((a) => a?.animal.startsWith(PREFIX));
    this.layOutList();
    if (own && own.glb !== this.glb) {
      const known = own.animal === this.form?.built.key && this.glb === "";
      this.glb = own.glb;
      if (!known) {
        const built = await keptAnimal(own.animal.slice(PREFIX.length));
        if (!built || own.glb !== this.glb) return;
        const focused = this.shown.contains(document.activeElement);
        this.show(built);
        this.glb = own.glb;
        if (focused) this.shown.querySelector<HTMLElement>("input")?.focus();
      }
    }
    this.form?.paint();
  }

  private layOutList(): void {
    const { catalog, scene } = this.context.state;
    const kept = (catalog?.animals ?? []).filter((animal) => animal.kept);
    this.list.replaceChildren(
      ...(kept.length
        ? [
            h(
              "section",
              {},
              h("h2", {}, "Kept animals"),
              h("ul", { class: "gaits" }, ...kept.map(({ key, summary, kept: by }) => {
                const id = key.slice(PREFIX.length);
                const there = scene?.actors.some((a) => a.animal === key) ?? false;
                return h(
                  "li",
                  {},
                  h("span", { class: "name", title: summary }, summary),
                  by?.canter !== catalog?.version && h("button", { type: "button", class: "small", title: `Built by canter ${by?.canter ?? ""}`, onclick: () => void this.run(() => correct(id, {}, this.progress)) }, "Build anew"),
                  !there && h("button", { type: "button", class: "small", "aria-label": `Drive ${summary}`, onclick: () => this.drive(key) }, "Drive"),
                  h("button", { type: "button", class: "small plain", "aria-label": `Forget ${summary}`, onclick: () => void this.forget(id, summary) }, "Forget"),
                );
              })),
            ),
          ]
        : []),
    );
  }

  private drive(key: string): void {
    const { socket, state } = this.context;
    const { terrain } = state.scene ?? { terrain: { terrain: "flat" } };
    socket.send({ type: "scene", actors: [{ animal: key, controller: "gaits", size: 1 }], terrain, abreast: false });
  }

  private async forget(id: string, name: string): Promise<void> {
    const { state } = this.context;
    try {
      await forget(id);
      state.notify(`${name} and its files are deleted`);
      if (this.form?.built.key === PREFIX + id) this.shown.replaceChildren();
    } catch (error) {
      state.notify(error instanceof Error ? error.message : String(error), "error");
    }
    await loadCatalog(state);
  }

  /** Handles a click on the scene that picks a joint; false if none is awaited. */
  pick(clientX: number, clientY: number): boolean {
    return this.form?.pick(clientX, clientY) ?? false;
  }
}
