// What every panel is given.
import type { Disturber } from "../drive/disturb";
import type { Intent } from "../drive/intent";
import type { History } from "../history";
import type { Socket } from "../socket";
import type { State } from "../state";
import type { World3d } from "../world3d";

export interface Context {
  state: State;
  socket: Socket;
  intent: Intent;
  disturber: Disturber;
  world: World3d;
  history: History;
  showBones(on: boolean): void;
  /** Called when the tab for uploads is opened. */
  onOwnOpened(): void;
}
