// The animals on the stage, and the state of connection and server.
import { byId, h, setText } from "../dom";
import type { State } from "../state";
import { nameOf } from "./names";

export class Status {
  private readonly animal = h("span", {});
  private readonly controller = h("span", { class: "by" });
  private readonly box = byId("status");
  private readonly text = h("span", {});
  private mean = 0;
  private drawn = 16;

  constructor(
    private readonly state: State,
    choose: () => void,
  ) {
    const who = byId("who");
    who.append(this.animal, this.controller);
    who.title = "Choose animals, controllers and the ground (M)";
    who.addEventListener("click", choose);
    this.box.append(h("i", { class: "dot" }), this.text);
    let lost = false;
    state.onConnection.on((connection) => {
      // Announced once each: a live region with milliseconds in it would never be silent.
      if (connection === "closed" && !lost) {
        state.notify("The connection is lost.", "error");
        state.notify("trying to reach the studio again", "doing"); // stays until a scene comes
      }
      if (connection === "open" && lost) state.notify("Connected again.");
      lost = connection === "closed" || (lost && connection === "connecting");
    });
    state.onFrame.on((frame) => {
      const sum = frame.actors.reduce((total, a) => total + a.milliseconds, 0);
      this.mean += (sum - this.mean) * 0.05;
    });
  }

  draw(dt: number): void {
    const { state } = this;
    const { scene, actor } = state;
    this.drawn += (dt * 1000 - this.drawn) * 0.05;
    const count = scene?.actors.length ?? 0;
    const place = (scene?.actors.findIndex((a) => a.id === actor?.id) ?? 0) + 1;
    byId("who").classList.toggle("many", count > 1);
    setText(this.animal, actor ? (scene?.abreast ? `${count} × ${actor.name}` : nameOf(actor, scene)) : "");
    setText(this.controller, actor ? (scene?.abreast ? "compared" : count > 1 ? `${actor.controller}, ${place} of ${count}` : actor.controller) : "");
    this.box.dataset["state"] = state.replay && state.connection === "open" ? "replay" : state.connection;
    setText(this.text, this.statusText());
    this.box.title = `${Math.round(1000 / Math.max(this.drawn, 1))} pictures a second, ${this.mean.toFixed(1)} ms a frame`;
  }

  private statusText(): string {
    const { connection, scene, watching, replay } = this.state;
    if (connection !== "open") return connection === "connecting" ? "connecting" : "connection lost, trying again";
    if (replay) return "replay";
    if (scene?.paused) return "paused";
    if (scene && scene.pace < 1) return `slow motion ${scene.pace}×`;
    return watching ? "somebody else drives" : "live";
  }
}
