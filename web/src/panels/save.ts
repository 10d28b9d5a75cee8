// The tab for recordings: record, replay, download, and film the canvas.
import { h } from "../dom";
import { nameOf } from "../hud/names";
import { Replay } from "../replay";
import type { ActorInfo, Frame, SceneInfo } from "../wire";
import type { Context } from "./context";
import { fetchFile } from "./files";
import { Film } from "./film";
import { linkButton } from "./share";

const FILES: [string, string, string][] = [
  ["glb", "GLB", "the animal and its ride, for Blender and game engines"],
  ["bvh", "BVH", "the motion alone"],
  ["gif", "GIF", "a small moving picture"],
  ["toml", "Script", "what was told, to ride it again"],
];

export class SavePanel {
  readonly body = h("div", { class: "tab" });
  private readonly files = h("div", { class: "files" });
  private readonly again = h("button", { type: "button", onclick: () => this.replay(this.context.history.ride) }, "Look at this ride");
  /** The scene that was recorded; another one may be on the stage by now. */
  private recordedScene: SceneInfo | null = null;
  /** The scene when the replay began. */
  private replayScene: SceneInfo | null = null;
  private readonly gone = h("p", { class: "note", hidden: true }, "Another scene is on the stage now: this ride can still be downloaded, but not be looked at here.");
  private stage = "";

  constructor(private readonly context: Context) {
    const { state, socket, history, world } = context;
    const film = new Film(world.canvas, (text) => state.notify(text, "error"));
    const record = h("button", { type: "button", class: "strong", onclick: () => socket.send({ type: "record", on: !state.scene?.recording }) }, "Record");
    const filming = h("button", { type: "button", onclick: () => film.toggle() }, "Film the picture");
    film.onChange = (on) => (filming.textContent = on ? "Stop filming" : "Film the picture");
    state.onScene.on((scene) => (record.textContent = scene.recording ? "Stop recording" : "Record"));
    this.body.append(
      h("section", {}, h("h2", {}, "Record the ride"), h("div", { class: "row" }, record), this.files),
      h("section", {}, h("h2", {}, "Look again"), h("div", { class: "row" }, h("button", { type: "button", onclick: () => this.replay(history.frames) }, "Look at the last seconds"))),
      h("section", {}, h("h2", {}, "Film"), h("div", { class: "row" }, filming), h("p", { class: "note" }, film.kind ? `${film.kind === "MP4" ? "An" : "A"} ${film.kind} of what you see, made by the browser.` : "This browser cannot film a canvas.")),
      h("section", {}, h("h2", {}, "Show it to someone"), h("div", { class: "row" }, linkButton(state)), h("p", { class: "note" }, "The link opens the same scene, without the ride.")),
    );
    filming.disabled = !film.kind;
    this.layOut();
    state.onHello.on(({ stage }) => {
      if (stage === this.stage) return;
      this.stage = stage;
      state.recorded = null;
      this.layOut();
    });
    state.onScene.on((scene) => {
      if (this.replayScene && !sameActors(scene, this.replayScene)) state.setReplay(null);
      this.again.disabled = !this.recordedScene || !sameActors(scene, this.recordedScene);
      this.gone.hidden = !this.again.disabled;
      if (!scene.recording || !state.recorded) return;
      state.recorded = null; // the server stores one ride
      this.layOut();
    });
    state.onReplay.on((replay) => (this.replayScene = replay && state.scene));
    state.onRecorded.on(() => {
      this.recordedScene = state.scene;
      this.again.disabled = false;
      this.gone.hidden = true;
      this.layOut();
      state.notify("recorded; here are the downloads");
    });
  }

  private layOut(): void {
    const { state, history } = this.context;
    const { recorded } = state;
    if (!recorded) {
      this.files.replaceChildren(h("p", { class: "note" }, "Press Record, ride, and press it again: then you can look at it and download it here."));
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
      h("div", { class: "row" }, history.ride.length > 1 && this.again, h("span", { class: "note" }, `${recorded.seconds.toFixed(1)} seconds`)),
      this.gone,
      ...recorded.actors.map((actor) =>
        h(
          "div",
          {},
          recorded.actors.length > 1 && h("h3", {}, this.name(actor)),
          h("ul", { class: "downloads" }, ...FILES.map(([ext, name, what]) => link(`${ride}.${ext}?actor=${actor}`, `ride.${ext}`, name, what)), this.uploadLink(actor, link)),
        ),
      ),
    );
  }

  /** A link to the file that the script of an uploaded animal names. */
  private uploadLink(id: number, link: (href: string, download: string, name: string, what: string) => HTMLElement): HTMLElement | null {
    const actor = this.recordedActor(id);
    if (!actor?.animal.startsWith("upload-")) return null;
    return link(`api/character/${encodeURIComponent(actor.animal)}.canter`, `${actor.name}.canter`, "Animal", "the file that the script names");
  }

  private recordedActor(id: number): ActorInfo | undefined {
    return this.recordedScene?.actors.find((a) => a.id === id);
  }

  private name(id: number): string {
    const actor = this.recordedActor(id);
    return actor ? nameOf(actor, this.recordedScene) : String(id);
  }

  private replay(frames: readonly Frame[]): void {
    const { state } = this.context;
    if (frames.length > 1) state.setReplay(new Replay([...frames], state.rate));
  }
}

/** Whether two scenes have the same animals and ground, so that frames of one can be shown in the other. */
function sameActors(one: SceneInfo, other: SceneInfo): boolean {
  const key = ({ actors, terrain }: SceneInfo): string => JSON.stringify([actors.map((a) => [a.id, a.glb, a.size]), terrain]);
  return key(one) === key(other);
}
