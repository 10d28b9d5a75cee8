// What tests ask the page: they look at what it knows, not at pixels.
import type { Camera } from "./camera";
import type { State } from "./state";
import { speedOf, type Frame, type SceneInfo, type ToServer } from "./wire";
import type { World3d } from "./world3d";

interface Told {
  frame: number;
  time: number;
  actors: { id: number; place: number[]; facing: number; speed: number; gait: string; contacts: boolean[] }[];
}

interface Seen extends Told {
  /** The moment of a replay; the rest is live. */
  replay: Told | null;
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

const told = (state: State, { frame, time, actors }: Frame): Told => ({
  frame,
  time,
  actors: actors.map((a) => ({
    id: a.id,
    place: [...a.place],
    facing: a.facing,
    speed: speedOf(a),
    gait: state.gaitName(a.gait),
    contacts: Array.from({ length: a.legs }, (_, l) => (a.contacts & (1 << l)) !== 0),
  })),
});

export function exposeForTests(state: State, world: World3d, camera: Camera): void {
  window.canter = {
    get ready() {
      return state.frame !== null && !state.waiting && world.ready;
    },
    state: () => {
      const { frame, replay } = state;
      if (!frame) return null;
      return {
        ...told(state, frame),
        replay: replay?.frame ? told(state, replay.frame) : null,
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
