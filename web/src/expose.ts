// The state of the page for tests, which check it instead of pixels.
import type { State } from "./state";
import { speedOf, type Frame, type SceneInfo } from "./wire";
import type { World3d } from "./world3d";

interface ExposedFrame {
  frame: number;
  time: number;
  actors: { id: number; place: number[]; facing: number; speed: number; gait: string; contacts: boolean[]; experts: number[]; forces: number[]; props: { name: string; shape: string; position: number[] }[] }[];
}

interface ExposedState extends ExposedFrame {
  /** The frame of the replay; the rest is live. */
  replay: ExposedFrame | null;
  scene: SceneInfo | null;
  stage: string;
  connection: string;
}

declare global {
  interface Window {
    canter: { readonly ready: boolean; state(): ExposedState | null; sent(): State["sent"]; framing(id: number): ReturnType<World3d["framing"]> };
  }
}

const expose = (state: State, { frame, time, actors }: Frame): ExposedFrame => ({
  frame,
  time,
  actors: actors.map((a) => ({
    id: a.id,
    place: [...a.place],
    facing: a.facing,
    speed: speedOf(a),
    gait: state.gaitName(a.gait),
    contacts: Array.from({ length: a.legs }, (_, l) => (a.contacts & (1 << l)) !== 0),
    experts: [...a.experts],
    forces: [...a.forces],
    props: a.props.map(({ name, shape, position }) => ({ name: state.gaitName(name), shape, position })),
  })),
});

export function exposeForTests(state: State, world: World3d): void {
  window.canter = {
    get ready() {
      return state.frame !== null && !state.waiting && world.ready;
    },
    state: () => {
      const { frame, replay } = state;
      if (!frame) return null;
      return {
        ...expose(state, frame),
        replay: replay?.frame ? expose(state, replay.frame) : null,
        scene: state.scene,
        stage: state.stage,
        connection: state.connection,
      };
    },
    sent: () => ({ ...state.sent }),
    framing: (id) => world.framing(id),
  };
}
