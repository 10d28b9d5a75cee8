// A gamepad: the left stick is a direction as seen from the camera, the right one orbits the camera.
import type { Camera } from "../camera";
import { type Intent, wrap } from "./intent";

const DEAD_ZONE = 0.18;

export class Gamepads {
  private pressed: boolean[] = [];
  private active = false;

  constructor(
    private readonly intent: Intent,
    private readonly camera: Camera,
    private readonly act: (place: number) => void,
    private readonly handlers: { view(): void; reset(): void; pause(): void },
  ) {}

  tick(dt: number): void {
    const pad = navigator.getGamepads?.().find((p) => p?.connected);
    if (!pad) return;
    const axis = (i: number): number => pad.axes[i] ?? 0;
    const button = (i: number): number => pad.buttons[i]?.value ?? 0;
    const [x, y] = [axis(0), axis(1)];
    const deflection = Math.min(Math.hypot(x, y), 1);
    if (deflection > DEAD_ZONE) {
      this.active = true;
      this.intent.setStick({
        yaw: wrap(this.camera.steer - Math.atan2(x, -y)),
        deflection: (deflection - DEAD_ZONE) / (1 - DEAD_ZONE),
        fast: button(7) > 0.4,
      });
    } else if (this.active) {
      this.active = false;
      this.intent.setStick(null);
    }
    const [cx, cy] = [axis(2), axis(3)];
    if (Math.hypot(cx, cy) > DEAD_ZONE) this.camera.orbit(-cx * dt * 320, cy * dt * 260);
    const once = (i: number, then: () => void): void => {
      const now = button(i) > 0.5;
      if (now && !this.pressed[i]) then();
      this.pressed[i] = now;
    };
    once(0, () => this.act(-1));
    once(1, () => this.act(this.other(0)));
    once(2, () => this.act(this.other(1)));
    once(3, () => this.handlers.view());
    once(8, () => this.handlers.reset());
    once(9, () => this.handlers.pause());
  }

  /** The n-th action that Space handlers not do: B sits down where an animal can. */
  private other(n: number): number {
    const actions = this.intent.capabilities?.actions ?? [];
    const rest = actions.map((_, i) => i).filter((i) => !/jump|leap|hop/i.test(actions[i] ?? ""));
    const sit = rest.find((i) => /sit/i.test(actions[i] ?? ""));
    if (n === 0) return sit ?? rest[0] ?? 99;
    return rest.filter((i) => i !== (sit ?? rest[0]))[0] ?? 99;
  }
}
