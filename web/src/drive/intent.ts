// What the person means, from keys and sticks, as the command that the wire carries. The rules: docs/studio_keys.md.
import { News, type State } from "../state";
import type { Capabilities, Command } from "../wire";
import { middleOf, naturalGaits, speedsOf, styleGaits, type Speeds } from "./speeds";

export const TAP = 180;
const STEP_SPEED = 0.1;
const STEP_TURN = (5 * Math.PI) / 180;
/** A held turn leads the animal by no more than this, so that letting go does not leave it turning. */
const LEAD = 0.7;
const AFTER = 0.12;
/** Seconds that a held key stays in the slowest gait and in an easy one before it goes on to the next. */
const STAY = [0.5, 2.5];

export type Move = "up" | "down" | "left" | "right" | "stepLeft" | "stepRight";
/** A stick: `yaw` in the world, `push` from 0 to 1. */
export interface Stick {
  yaw: number;
  push: number;
  fast: boolean;
}

export const wrap = (angle: number): number => Math.atan2(Math.sin(angle), Math.cos(angle));
const clamp = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);

export class Intent {
  speed = 0;
  /** The way the animal shall look and, unless it goes aside or back, travel. */
  base = 0;
  action: string | null = null;
  style: Record<string, number> = {};
  fast = false;
  walkOnly = false;
  slowKey = false;
  /** Whether the server steers to a place; the next key takes over. */
  going = false;
  private aside = 0;
  private readonly held = new Map<Move, number>();
  private stick: Stick | null = null;
  private told = "";
  private backing = false;
  private untouched = true;
  /** Seconds in the gait that a held key stays in. */
  private stayed = 0;
  /** Styles were set by a gait's name. */
  readonly onStyle = new News<Record<string, number>>();

  constructor(
    private readonly state: State,
    private readonly send: (command: { type: "command" } & Command) => void,
  ) {
    state.onEvents.on(({ actor, events }) => {
      if (actor !== state.actor?.id || !this.action) return;
      // A jump is under way once it has started; a sit lasts as long as it is told.
      const over = isJump(this.action) ? events.includes("started") : events.includes("finished");
      if (over || events.includes("unavailable")) this.act(null);
    });
  }

  get steered(): boolean {
    return this.stick !== null;
  }

  get capabilities(): Capabilities | null {
    return this.state.actor?.capabilities ?? null;
  }

  get speeds(): Speeds | null {
    return this.capabilities ? speedsOf(this.capabilities) : null;
  }

  private honours(field: string): boolean {
    return this.capabilities?.honours.includes(field) ?? false;
  }

  /** Whether somebody keeps the animal going with nothing held. */
  get cruising(): boolean {
    return this.speed > 0 && !this.held.has("up") && !this.held.has("down") && !this.stick && !this.going;
  }

  press(move: Move, now: number): void {
    if (this.held.has(move)) return;
    this.untouched = false;
    this.takeOver();
    this.held.set(move, now);
    if (this.action && !isJump(this.action)) this.action = null;
    // A key acts at once as a tap would, and turns into a hold when it stays down.
    const high = this.speeds?.high ?? 0;
    if (move === "up") this.speed = clamp(this.round(this.speed) + STEP_SPEED, this.speeds?.low ?? 0, high);
    if (move === "down" && this.speed > 0) this.speed = clamp(this.round(this.speed) - STEP_SPEED, 0, high);
    if (move === "left") this.base += STEP_TURN;
    if (move === "right") this.base -= STEP_TURN;
    this.tell();
  }

  private round(speed: number): number {
    return Math.round(speed / STEP_SPEED) * STEP_SPEED;
  }

  release(move: Move, now: number): void {
    const since = this.held.get(move);
    if (since === undefined) return;
    this.held.delete(move);
    const long = now - since >= TAP;
    if (move === "up" && long) this.speed = this.held.has("down") ? this.speed : 0;
    if (move === "down" && (long || this.backing)) this.speed = 0;
    if (move === "stepLeft" || move === "stepRight") this.speed = this.held.has("up") ? this.speed : 0;
    if ((move === "left" || move === "right") && long) {
      const facing = this.state.actorFrame?.facing ?? this.base;
      this.base = facing + clamp(wrap(this.base - facing), -AFTER, AFTER);
    }
    this.backing = false;
    this.tell();
  }

  releaseAll(): void {
    const holding = this.held.has("up") || this.held.has("down") || this.stick !== null;
    this.held.clear();
    this.backing = false;
    if (holding) this.speed = 0;
    this.stick = null;
    this.tell();
  }

  stop(): void {
    this.takeOver();
    this.untouched = false;
    this.told = "";
    this.speed = 0;
    this.action = null;
    this.aside = 0;
    this.tell();
  }

  /** Keeps a speed, also on the way to a place. */
  cruise(speed: number): void {
    const { actor, watching } = this.state;
    const speeds = this.speeds;
    if (!speeds || !actor || watching) return;
    speed = speed < speeds.low / 2 ? 0 : clamp(speed, speeds.low, speeds.high);
    if (speed === 0) return this.stop();
    this.state.look(null);
    if (this.going) return this.send({ type: "command", actor: actor.id, speed });
    if (this.untouched) this.base = this.state.actorFrame?.facing ?? this.base;
    this.untouched = false;
    if (this.action && !isJump(this.action)) this.action = null;
    this.speed = speed;
    this.tell();
  }

  /** Keeps a gait: the middle of its speeds, and its style if it is one. */
  goOnIn(name: string): void {
    const { capabilities } = this;
    const range = capabilities?.gaits[name];
    if (!capabilities || !range) return;
    const styles = styleGaits(capabilities).map(([style]) => style);
    for (const { name: style, low, high } of capabilities.styles)
      if (styles.includes(style) && (style === name || (this.style[style] ?? low) !== low)) this.style = { ...this.style, [style]: style === name ? high : low };
    if (styles.length) this.onStyle.tell(this.style);
    if (this.going && this.state.actor) this.send({ type: "command", actor: this.state.actor.id, style: this.style });
    this.cruise(middleOf(range, capabilities));
  }

  /** Keeps the gait of a number key: 1 is the slowest, 0 stands. */
  goOnAt(place: number): void {
    const gait = this.capabilities ? naturalGaits(this.capabilities)[place - 1] : undefined;
    if (gait) this.goOnIn(gait[0]);
    else if (place === 0) this.stop();
  }

  /** Keeps the speed that it has now when the key is let go. */
  keep(): void {
    this.held.delete("up");
    this.tell();
  }

  /** A stick, or null when it has been let go. */
  push(stick: Stick | null): void {
    if (!stick && !this.stick) return;
    if (stick) {
      this.takeOver();
      if (this.action && !isJump(this.action)) this.action = null;
    } else this.speed = 0;
    this.stick = stick;
  }

  act(action: string | null): void {
    if (action && this.action === action && !isJump(action)) action = null;
    if (action) this.takeOver();
    this.action = action;
    this.tell();
  }

  setStyle(name: string, value: number): void {
    this.style = { ...this.style, [name]: value };
    this.tell();
  }

  /** A stage that begins anew, or another animal: nothing is kept but what hands hold down. */
  reset(): void {
    this.speed = 0;
    this.action = null;
    this.aside = 0;
    this.going = false;
    this.base = this.state.actorFrame?.facing ?? 0;
    this.untouched = true;
    // Nothing is sent before somebody drives: who only looks on must not stop the animal.
    this.told = this.held.size ? "" : JSON.stringify(this.command());
  }

  /** Who drives looks at what happens now. If the animal went by itself so far: begin with how it stands and moves. */
  private takeOver(): void {
    this.state.look(null);
    if (!this.going) return;
    this.going = false;
    this.told = "";
    const frame = this.state.actorFrame;
    if (frame) {
      this.base = frame.facing;
      this.speed = 0;
    }
  }

  private isHeld(move: Move, now: number): boolean {
    const since = this.held.get(move);
    return since !== undefined && now - since >= TAP;
  }

  /** Before a key is touched the animal may turn by others' hands: what is meant follows what is. */
  private resting(): boolean {
    return !this.held.size && !this.stick && this.speed === 0 && this.action === null;
  }

  /** Called many times a second: what is held goes on. */
  tick(dt: number, now: number): void {
    const speeds = this.speeds;
    const facing = this.state.actorFrame?.facing ?? 0;
    if (!speeds || this.going) return;
    if (this.untouched && this.resting()) {
      this.base = facing;
      this.told = JSON.stringify(this.command());
      return;
    }
    this.untouched = false;
    this.turn(dt, now, facing);
    this.aside = 0;
    if (this.stick) this.followStick(this.stick, speeds, facing);
    else this.followKeys(dt, now, speeds);
    this.tell();
  }

  private turn(dt: number, now: number, facing: number): void {
    const turn = (this.isHeld("left", now) ? 1 : 0) - (this.isHeld("right", now) ? 1 : 0);
    if (!turn) return;
    const rate = clamp(this.capabilities?.turn_rate ?? 1.5, 0.5, 2.2);
    const lead = clamp(wrap(this.base - facing) + turn * rate * dt, -LEAD, LEAD);
    this.base = facing + lead;
  }

  private followStick(stick: Stick, speeds: Speeds, facing: number): void {
    this.base = facing + wrap(stick.yaw - facing);
    const top = stick.fast || this.fast ? speeds.fast : this.walkOnly ? speeds.slow : speeds.brisk;
    this.speed = stick.push < 0.5 ? speeds.slow * (0.5 + stick.push) : speeds.slow + (top - speeds.slow) * (stick.push - 0.5) * 2;
  }

  private followKeys(dt: number, now: number, speeds: Speeds): void {
    const up = this.isHeld("up", now);
    const down = this.isHeld("down", now);
    if (up && !down) this.accelerate(dt, speeds);
    if (down && !up) {
      if (!this.backing && this.speed > 0.01) this.speed = Math.max(0, this.speed - dt * Math.max(speeds.brisk, this.speed));
      else if (this.honours("facing")) this.backing = true;
    }
    if (this.backing) {
      this.speed = speeds.careful;
      this.aside = Math.PI;
    }
    const step = (this.held.has("stepLeft") ? 1 : 0) - (this.held.has("stepRight") ? 1 : 0);
    if (step && this.honours("facing")) {
      if (up) this.speed = Math.min(this.speed, speeds.slow);
      else if (!this.backing) this.speed = speeds.careful;
      this.aside = up ? (step * Math.PI) / 4 : this.backing ? step * 0.75 * Math.PI : (step * Math.PI) / 2;
    }
  }

  /** A held key starts the slowest gait and goes on from gait to gait, but stays a while in each of them. */
  private accelerate(dt: number, speeds: Speeds): void {
    const { slow, easy, brisk, fast } = speeds;
    const top = this.fast ? fast : this.walkOnly || this.slowKey ? slow : brisk;
    const stops = [slow, easy];
    const stop = stops.indexOf(this.speed);
    if (stop >= 0 && this.speed < top && !this.fast && (this.stayed += dt) < (STAY[stop] ?? 0)) return;
    this.stayed = 0;
    const rate = Math.max(this.fast ? (fast - slow) / 1.8 : this.speed < easy ? (easy - slow) / 0.7 : (brisk - easy) / 1.5, slow / 2);
    const next = this.fast ? top : Math.min(stops.find((speed) => speed > this.speed) ?? top, top);
    if (this.speed < slow) this.speed = Math.min(slow, top);
    else if (this.speed < top) this.speed = Math.min(next, this.speed + rate * dt);
    else this.speed = Math.max(top, this.speed - 3 * rate * dt);
  }

  /** Sends what is different from what was sent last. */
  tell(): void {
    if (this.going || this.state.watching) return;
    const command = this.command();
    if (!command) return;
    const text = JSON.stringify(command);
    if (text === this.told) return;
    this.told = text;
    this.send(command);
  }

  private command(): ({ type: "command" } & Command) | null {
    const actor = this.state.actor;
    if (!actor) return null;
    const free = this.honours("facing");
    // An animal that stands turns on the spot only when its facing is told.
    const facing = free && (this.aside !== 0 || this.speed === 0) ? this.base : null;
    return {
      type: "command",
      actor: actor.id,
      speed: Number(this.speed.toFixed(3)),
      heading: Number(wrap(this.base + this.aside).toFixed(4)),
      facing: facing === null ? null : Number(wrap(facing).toFixed(4)),
      action: this.action,
      style: this.style,
    };
  }
}

export const isJump = (action: string): boolean => /jump|leap|hop/i.test(action);
