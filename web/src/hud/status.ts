// Who is on the stage, and how the connection and the server do: small, in a corner.
import { byId, h, say } from "../dom";
import type { State } from "../state";

export class Status {
  private readonly who = byId("who");
  private readonly box = byId("status");
  private readonly dot = h("i", { class: "dot" });
  private readonly text = h("span", {});
  private cost = 0;
  private drawn = 16;

  constructor(private readonly state: State) {
    this.box.append(this.dot, this.text);
    let lost = false;
    state.onConnection.on((connection) => {
      // Told once each: a live region with milliseconds in it would never be silent.
      if (connection === "closed" && !lost) state.say("The connection is lost; trying again.", "error");
      if (connection === "open" && lost) state.say("Connected again.");
      lost = connection === "closed" || (lost && connection === "connecting");
    });
    state.onFrame.on((frame) => {
      const sum = frame.actors.reduce((total, a) => total + a.milliseconds, 0);
      this.cost += (sum - this.cost) * 0.05;
    });
  }

  draw(dt: number): void {
    const { state } = this;
    this.drawn += (dt * 1000 - this.drawn) * 0.05;
    const actor = state.actor;
    const many = state.scene && state.scene.actors.length > 1;
    say(this.who, actor ? `${actor.name} · ${actor.controller}${many ? ` · ${state.scene?.actors.length} animals` : ""}` : "");
    this.box.dataset["state"] = state.connection;
    const words =
      state.connection === "open"
        ? `${this.cost.toFixed(1)} ms a frame${state.watching ? " · somebody else drives" : ""}`
        : state.connection === "connecting"
          ? "connecting"
          : "connection lost, trying again";
    say(this.text, state.scene?.paused ? `${words} · paused` : (state.scene?.pace ?? 1) < 1 ? `${words} · slow motion` : words);
    this.box.title = `${Math.round(1000 / Math.max(this.drawn, 1))} pictures a second`;
  }
}
