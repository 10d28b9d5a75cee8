// What tests ask the page: they look at what it knows, not at pixels.
import type { Camera } from "./camera";
import type { State } from "./state";
import { speedOf, type SceneInfo, type ToServer } from "./wire";
import type { World3d } from "./world3d";

interface Seen {
  frame: number;
  time: number;
  actors: { id: number; place: number[]; facing: number; speed: number; gait: string; contacts: boolean[] }[];
  scene: SceneInfo | null;
  stage: string;
  connection: string;
  view: string;
  chosen: number;
}

declare global {
  interface Window {
    canter: { readonly ready: boolean; state(): Seen | null; sent(): { last: ToServer | null; command: ToServer | null; count: number } };
  }
}

export function exposeForTests(state: State, world: World3d, camera: Camera): void {
  window.canter = {
    get ready() {
      return state.frame !== null && !state.waiting && world.ready;
    },
    state: () => {
      const { frame } = state;
      if (!frame) return null;
      return {
        frame: frame.frame,
        time: frame.time,
        actors: frame.actors.map((a) => ({
          id: a.id,
          place: [...a.place],
          facing: a.facing,
          speed: speedOf(a),
          gait: state.gaitName(a.gait),
          contacts: Array.from({ length: a.legs }, (_, l) => (a.contacts & (1 << l)) !== 0),
        })),
        scene: state.scene,
        stage: state.stage,
        connection: state.connection,
        view: camera.view,
        chosen: state.chosen,
      };
    },
    sent: () => ({ ...state.sent }),
  };
}
