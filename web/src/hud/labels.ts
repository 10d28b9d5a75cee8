// Names over the animals when there are several.
import { Vector3 } from "three";
import { byId, h, setText } from "../dom";
import type { State } from "../state";
import type { World3d } from "../world3d";
import { nameOf } from "./names";

const GAP = 8;

export class Labels {
  private readonly box = byId("labels");
  /** Cards that a name must not be under. */
  private readonly cards = [byId("scrub"), byId("compare"), byId("notes"), byId("column")];
  private labels = new Map<number, HTMLElement>();
  private readonly at = new Vector3();

  constructor(
    private readonly state: State,
    private readonly world: World3d,
  ) {
    state.onScene.on((scene) => {
      this.labels = new Map(scene.actors.length > 1 ? scene.actors.map((actor) => [actor.id, h("span", {})]) : []);
      this.box.replaceChildren(...this.labels.values());
    });
  }

  draw(): void {
    if (!this.labels.size) return;
    const { canvas, camera } = this.world;
    const { scene } = this.state;
    const boxes = this.cards.map((card) => card.getBoundingClientRect()).filter((box) => box.width > 0 && box.height > 0);
    for (const [id, label] of this.labels) {
      const actor = scene?.actors.find((a) => a.id === id);
      const body = this.world.actorOf(id);
      if (!actor || !body) continue;
      const elsewhere = actor.driver !== null && actor.driver !== this.state.viewer;
      setText(label, (scene?.abreast ? actor.controller : nameOf(actor, scene)) + (elsewhere ? " · driven by another" : ""));
      const place = this.state.shownOf(id)?.place ?? [0, 0, 0];
      body.jointPlace(0, this.at);
      this.at.set((this.at.x + place[0]) / 2, this.at.y + 0.75 * Math.max(actor.hip_height, body.scale), (this.at.z + place[2]) / 2);
      this.at.project(camera.eye);
      let y = ((1 - this.at.y) / 2) * canvas.clientHeight;
      const half = label.offsetWidth / 2 + GAP;
      const seen = ((this.at.x + 1) / 2) * canvas.clientWidth;
      const x = seen > 0 && seen < canvas.clientWidth ? Math.min(Math.max(seen, half), canvas.clientWidth - half) : seen;
      for (const box of boxes)
        if (x > box.left - half && x < box.right + half && y > box.top && y < box.bottom + label.offsetHeight + GAP && box.bottom < 0.6 * canvas.clientHeight)
          y = box.bottom + label.offsetHeight + GAP;
      label.hidden = this.at.z > 1;
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -100%)`;
      label.classList.toggle("on", id === this.state.actor?.id && !scene?.abreast);
    }
  }
}
