// What every panel gets.
import type { Intent } from "../drive/intent";
import type { History } from "../history";
import type { Socket } from "../socket";
import type { State } from "../state";
import type { World3d } from "../world3d";

export interface Context {
  state: State;
  socket: Socket;
  intent: Intent;
  world: World3d;
  history: History;
  /** Shows or hides bones. */
  bones(on: boolean): void;
  /** Somebody has found where files can be brought. */
  ownOpened(): void;
}
