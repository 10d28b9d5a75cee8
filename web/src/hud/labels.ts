// Names over the animals when there are several, so that one knows which is which.
import { Vector3 } from "three";
import { byId, h, say } from "../dom";
import type { State } from "../state";
import type { World3d } from "../world3d";

export class Labels {
  private readonly box = byId("labels");
  private labels = new Map<number, HTMLElement>();
  private readonly at = new Vector3();

  constructor(
    private readonly state: State,
    private readonly world: World3d,
  ) {
    state.onScene.on((scene) => {
      this.labels.clear();
      if (scene.actors.length > 1)
        for (const actor of scene.actors) {
          const name = scene.abreast ? actor.controller : actor.name;
          this.labels.set(actor.id, h("span", {}, name));
        }
      this.box.replaceChildren(...this.labels.values());
    });
  }

  draw(): void {
    const { canvas, camera } = this.world;
    for (const [id, label] of this.labels) {
      const actor = this.state.scene?.actors.find((a) => a.id === id);
      const body = this.world.actorOf(id);
      if (!actor || !body) continue;
      const place = this.state.frameOf(id)?.place ?? [0, 0, 0];
      body.jointPlace(0, this.at);
      this.at.set((this.at.x + place[0]) / 2, this.at.y + 0.75 * Math.max(actor.hip_height, body.bulk), (this.at.z + place[2]) / 2);
      this.at.project(camera.eye);
      const x = ((this.at.x + 1) / 2) * canvas.clientWidth;
      const y = ((1 - this.at.y) / 2) * canvas.clientHeight;
      label.hidden = this.at.z > 1;
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -100%)`;
      label.classList.toggle("on", id === this.state.actor?.id && !this.state.scene?.abreast);
      const driver = actor.driver;
      say(label, (this.state.scene?.abreast ? actor.controller : actor.name) + (driver !== null && driver !== this.state.viewer ? " · driven by another" : ""));
    }
  }
}
