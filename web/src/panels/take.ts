// Taking it with you: look at the ride again, download it, or film the canvas.
import { byId, h, say } from "../dom";
import { nameOf } from "../hud/names";
import type { Context } from "./context";
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
    state.onScene.on(() => this.offer());
    state.onRecorded.on(() => {
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
    const link = (actor: number, ext: string): string => `api/stage/${encodeURIComponent(state.stage)}/ride.${ext}?actor=${actor}`;
    this.files.replaceChildren(
      h("p", { class: "note" }, `A ride of ${recorded.seconds.toFixed(1)} seconds.`),
      ...recorded.actors.map((actor) =>
        h(
          "div",
          {},
          recorded.actors.length > 1 && h("h3", {}, this.name(actor)),
          h("ul", { class: "downloads" }, ...FILES.map(([ext, name, what]) => h("li", {}, h("a", { class: "button", href: link(actor, ext), download: `ride.${ext}` }, name), h("span", { class: "note" }, what)))),
        ),
      ),
    );
  }

  private name(id: number): string {
    const { scene } = this.context.state;
    const actor = scene?.actors.find((a) => a.id === id);
    return actor ? nameOf(actor, scene) : String(id);
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
    if (history.scrub === null) return;
    say(this.time, `${(history.scrub - history.span[1]).toFixed(1)} s`);
  }
}
