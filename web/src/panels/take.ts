// Taking it with you: look at the ride again, download it, or film the canvas.
import { byId, h, say } from "../dom";
import { nameOf } from "../hud/names";
import type { ActorInfo, SceneInfo } from "../wire";
import type { Context } from "./context";
import { fetchFile } from "./files";
import { Film } from "./film";

const FILES: [string, string, string][] = [
  ["glb", "GLB", "the animal and its ride, for Blender and game engines"],
  ["bvh", "BVH", "the motion alone"],
  ["gif", "GIF", "a small moving picture"],
  ["toml", "Script", "what was told, to ride it again"],
];

export class TakePanel {
  readonly body = h("div", { class: "tab" });
  private readonly files = h("div", { class: "files" });
  private readonly bar = byId("scrub");
  private readonly slider = h("input", { type: "range", min: 0, max: 1, step: 0.001, "aria-label": "Moment of the ride" });
  private readonly time = h("output", {});
  /** Who rode what was recorded; another scene may stand there by now. */
  private riders: SceneInfo | null = null;
  private stage = "";

  constructor(private readonly context: Context) {
    const { state, socket, history, world } = context;
    const film = new Film(world.canvas, (text) => state.say(text, "error"));
    const record = h("button", { type: "button", class: "strong", onclick: () => socket.send({ type: "record", on: !state.scene?.recording }) }, "Record");
    const filming = h("button", { type: "button", onclick: () => film.toggle() }, "Film the picture");
    film.onChange = (on) => (filming.textContent = on ? "Stop filming" : "Film the picture");
    state.onScene.on((scene) => (record.textContent = scene.recording ? "Stop recording" : "Record"));
    this.body.append(
      h("section", {}, h("h2", {}, "Record the ride"), h("div", { class: "row" }, record), this.files),
      h("section", {}, h("h2", {}, "Look again"), h("div", { class: "row" }, h("button", { type: "button", onclick: () => this.scrubbing(history.scrub === null) }, "Look at the last seconds")), h("p", { class: "note" }, "The ride goes on meanwhile; the page keeps what it has received.")),
      h("section", {}, h("h2", {}, "Film"), h("div", { class: "row" }, filming), h("p", { class: "note" }, film.kind ? `${film.kind === "MP4" ? "An" : "A"} ${film.kind} of what you see, made by the browser.` : "This browser cannot film a canvas.")),
    );
    filming.disabled = !film.kind;
    this.slider.addEventListener("input", () => {
      const [from, to] = history.span;
      history.scrub = from + (to - from) * Number(this.slider.value);
    });
    this.bar.append(this.slider, this.time, h("button", { type: "button", class: "small", onclick: () => this.scrubbing(false) }, "Live"));
    this.offer();
    state.onHello.on(({ stage }) => {
      if (stage === this.stage) return;
      this.stage = stage;
      state.recorded = null;
      this.offer();
    });
    state.onRecorded.on(() => {
      this.riders = state.scene;
      this.offer();
      state.say("recorded; here are the downloads");
    });
  }

  private offer(): void {
    const { state } = this.context;
    const { recorded } = state;
    if (!recorded) {
      this.files.replaceChildren(h("p", { class: "note" }, "Press Record, ride, and press it again: then it can be downloaded here."));
      return;
    }
    const link = (href: string, download: string, name: string, what: string): HTMLElement => {
      const anchor = h("a", { class: "button", href, download, onclick: (event) => {
        event.preventDefault();
        void fetchFile(anchor, state);
      } }, name);
      return h("li", {}, anchor, h("span", { class: "note" }, what));
    };
    const ride = `api/stage/${encodeURIComponent(state.stage)}/ride`;
    this.files.replaceChildren(
      h("p", { class: "note" }, `A ride of ${recorded.seconds.toFixed(1)} seconds.`),
      ...recorded.actors.map((actor) =>
        h(
          "div",
          {},
          recorded.actors.length > 1 && h("h3", {}, this.name(actor)),
          h("ul", { class: "downloads" }, ...FILES.map(([ext, name, what]) => link(`${ride}.${ext}?actor=${actor}`, `ride.${ext}`, name, what)), this.own(actor, link)),
        ),
      ),
    );
  }

  /** The file that the script of an uploaded animal names. */
  private own(id: number, link: (href: string, download: string, name: string, what: string) => HTMLElement): HTMLElement | null {
    const actor = this.rider(id);
    if (!actor?.animal.startsWith("upload-")) return null;
    return link(`api/character/${encodeURIComponent(actor.animal)}.canter`, `${actor.name}.canter`, "Animal", "the file that the script names");
  }

  private rider(id: number): ActorInfo | undefined {
    return this.riders?.actors.find((a) => a.id === id);
  }

  private name(id: number): string {
    const actor = this.rider(id);
    return actor ? nameOf(actor, this.riders) : String(id);
  }

  private scrubbing(on: boolean): void {
    const { history } = this.context;
    this.bar.hidden = !on;
    history.scrub = on ? history.span[0] : null;
    this.slider.value = "0";
    if (on) this.slider.focus();
  }

  draw(): void {
    const { history } = this.context;
    this.bar.hidden = history.scrub === null;
    if (history.scrub === null) return;
    say(this.time, `${(history.scrub - history.span[1]).toFixed(1)} s`);
  }
}
