// The command that keys and sticks mean. The rules: docs/studio_keys.md.
import { Signal, type State } from "../state";
import type { Capabilities, Command } from "../wire";
import { middleOf, naturalGaits, speedsOf, styleGaits, type Speeds } from "./speeds";

/** A key that is released sooner than this was tapped, not held. */
const TAP_MS = 180;
/** What one tap adds, in m/s and radians. */
const STEP_SPEED = 0.1;
const STEP_TURN = (5 * Math.PI) / 180;
/** How far the commanded facing may lead the animal's, in radians, while a turn key is held and once it is released. */
const MAX_TURN_LEAD = 0.7;
const MAX_LEAD_AFTER_RELEASE = 0.12;
/** Seconds that a held key stays in the slowest gait and in an easy one before it goes on to the next. */
const GAIT_DWELL_SECONDS = [0.5, 2.5];

export type Move = "up" | "down" | "left" | "right" | "stepLeft" | "stepRight";
/** A stick: `yaw` in the world, `deflection` from 0 to 1. */
export interface Stick {
  yaw: number;
  deflection: number;
  fast: boolean;
}

export const wrap = (angle: number): number => Math.atan2(Math.sin(angle), Math.cos(angle));
const clamp = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);

export class Intent {
  speed = 0;
  /** The commanded facing and, unless it goes aside or backward, heading. */
  facing = 0;
  action: string | null = null;
  style: Record<string, number> = {};
  fast = false;
  walkOnly = false;
  slowKey = false;
  /** Whether the server steers along a path; the next key takes over. */
  following = false;
  /** Heading less facing: nonzero aside and backward. */
  private drift = 0;
  private readonly held = new Map<Move, number>();
  private stick: Stick | null = null;
  /** The last command as JSON. */
  private lastSent = "";
  private backing = false;
  /** Nobody has driven since the last reset. */
  private untouched = true;
  /** Seconds that a held key has stayed in a gait. */
  private dwelled = 0;
  /** Emitted when choosing a gait by name changes styles. */
  readonly onStyle = new Signal<Record<string, number>>();

  constructor(
    private readonly state: State,
    private readonly send: (command: { type: "command" } & Command) => void,
  ) {
    state.onEvents.on(({ actor, events }) => {
      if (actor !== state.actor?.id || !this.action) return;
      // A jump goes on by itself once it has started; a sit lasts as long as it is commanded.
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

  /** Whether a speed is kept without a held key or stick. */
  get cruising(): boolean {
    return this.speed > 0 && !this.held.has("up") && !this.held.has("down") && !this.stick && !this.following;
  }

  press(move: Move, now: number): void {
    if (this.held.has(move)) return;
    this.untouched = false;
    this.takeOver();
    this.held.set(move, now);
    if (this.action && !isJump(this.action)) this.action = null;
    // A key acts at once like a tap, and becomes a hold when it stays down.
    const high = this.speeds?.high ?? 0;
    if (move === "up") this.speed = clamp(this.round(this.speed) + STEP_SPEED, this.speeds?.low ?? 0, high);
    if (move === "down" && this.speed > 0) this.speed = clamp(this.round(this.speed) - STEP_SPEED, 0, high);
    if (move === "left") this.facing += STEP_TURN;
    if (move === "right") this.facing -= STEP_TURN;
    this.sendIfChanged();
  }

  private round(speed: number): number {
    return Math.round(speed / STEP_SPEED) * STEP_SPEED;
  }

  release(move: Move, now: number): void {
    const since = this.held.get(move);
    if (since === undefined) return;
    this.held.delete(move);
    const long = now - since >= TAP_MS;
    if (move === "up" && long) this.speed = this.held.has("down") ? this.speed : 0;
    if (move === "down" && (long || this.backing)) this.speed = 0;
    if (move === "stepLeft" || move === "stepRight") this.speed = this.held.has("up") ? this.speed : 0;
    if ((move === "left" || move === "right") && long) {
      const actual = this.state.actorFrame?.facing ?? this.facing;
      this.facing = actual + clamp(wrap(this.facing - actual), -MAX_LEAD_AFTER_RELEASE, MAX_LEAD_AFTER_RELEASE);
    }
    this.backing = false;
    this.sendIfChanged();
  }

  releaseAll(): void {
    const holding = this.held.has("up") || this.held.has("down") || this.stick !== null;
    this.held.clear();
    this.backing = false;
    if (holding) this.speed = 0;
    this.stick = null;
    this.sendIfChanged();
  }

  stop(): void {
    this.takeOver();
    this.untouched = false;
    this.lastSent = "";
    this.speed = 0;
    this.action = null;
    this.drift = 0;
    this.sendIfChanged();
  }

  /** Keeps a speed, also while following a path. */
  cruise(speed: number): void {
    const { actor, watching } = this.state;
    const speeds = this.speeds;
    if (!speeds || !actor || watching) return;
    speed = speed < speeds.low / 2 ? 0 : clamp(speed, speeds.low, speeds.high);
    if (speed === 0) return this.stop();
    this.state.setReplay(null);
    if (this.following) return this.send({ type: "command", actor: actor.id, speed });
    if (this.untouched) this.facing = this.state.actorFrame?.facing ?? this.facing;
    this.untouched = false;
    if (this.action && !isJump(this.action)) this.action = null;
    this.speed = speed;
    this.sendIfChanged();
  }

  /** Keeps a gait: the middle of its speed range, and its style if it has one. */
  keepGait(name: string): void {
    const { capabilities } = this;
    const range = capabilities?.gaits[name];
    if (!capabilities || !range) return;
    const styles = styleGaits(capabilities).map(([style]) => style);
    for (const { name: style, low, high } of capabilities.styles)
      if (styles.includes(style) && (style === name || (this.style[style] ?? low) !== low)) this.style = { ...this.style, [style]: style === name ? high : low };
    if (styles.length) this.onStyle.emit(this.style);
    if (this.following && this.state.actor) this.send({ type: "command", actor: this.state.actor.id, style: this.style });
    this.cruise(middleOf(range, capabilities));
  }

  /** Keeps the gait of a number key: 1 is the slowest, 0 stands. */
  keepGaitNumber(place: number): void {
    const gait = this.capabilities ? naturalGaits(this.capabilities)[place - 1] : undefined;
    if (gait) this.keepGait(gait[0]);
    else if (place === 0) this.stop();
  }

  /** Keeps the current speed after the key is released. */
  keepSpeed(): void {
    this.held.delete("up");
    this.sendIfChanged();
  }

  /** A stick, or null when it is released. */
  setStick(stick: Stick | null): void {
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
    this.sendIfChanged();
  }

  setStyle(name: string, value: number): void {
    this.style = { ...this.style, [name]: value };
    this.sendIfChanged();
  }

  /** For a stage that restarts, or another animal: forgets everything except held keys. */
  reset(): void {
    this.speed = 0;
    this.action = null;
    this.drift = 0;
    this.following = false;
    this.facing = this.state.actorFrame?.facing ?? 0;
    this.untouched = true;
    // Nothing is sent before somebody drives: a mere spectator must not stop the animal.
    this.lastSent = this.held.size ? "" : JSON.stringify(this.command());
  }

  /** Ends a replay. If the animal was following a path, driving goes on from its present facing, at rest. */
  private takeOver(): void {
    this.state.setReplay(null);
    if (!this.following) return;
    this.following = false;
    this.lastSent = "";
    const frame = this.state.actorFrame;
    if (frame) {
      this.facing = frame.facing;
      this.speed = 0;
    }
  }

  private isHeld(move: Move, now: number): boolean {
    const since = this.held.get(move);
    return since !== undefined && now - since >= TAP_MS;
  }

  /** Whether no input is active. */
  private resting(): boolean {
    return !this.held.size && !this.stick && this.speed === 0 && this.action === null;
  }

  /** Called many times a second: applies held keys and sticks. */
  tick(dt: number, now: number): void {
    const speeds = this.speeds;
    const actual = this.state.actorFrame?.facing ?? 0;
    if (!speeds || this.following) return;
    if (this.untouched && this.resting()) {
      // Others may turn the animal meanwhile: the command follows its facing.
      this.facing = actual;
      this.lastSent = JSON.stringify(this.command());
      return;
    }
    this.untouched = false;
    this.turn(dt, now, actual);
    this.drift = 0;
    if (this.stick) this.followStick(this.stick, speeds, actual);
    else this.followKeys(dt, now, speeds);
    this.sendIfChanged();
  }

  /** `actual` is the animal's present facing. */
  private turn(dt: number, now: number, actual: number): void {
    const turn = (this.isHeld("left", now) ? 1 : 0) - (this.isHeld("right", now) ? 1 : 0);
    if (!turn) return;
    const rate = clamp(this.capabilities?.turn_rate ?? 1.5, 0.5, 2.2);
    const lead = clamp(wrap(this.facing - actual) + turn * rate * dt, -MAX_TURN_LEAD, MAX_TURN_LEAD);
    this.facing = actual + lead;
  }

  private followStick(stick: Stick, speeds: Speeds, actual: number): void {
    this.facing = actual + wrap(stick.yaw - actual);
    const top = stick.fast || this.fast ? speeds.fast : this.walkOnly ? speeds.slow : speeds.brisk;
    this.speed = stick.deflection < 0.5 ? speeds.slow * (0.5 + stick.deflection) : speeds.slow + (top - speeds.slow) * (stick.deflection - 0.5) * 2;
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
      this.speed = speeds.maneuver;
      this.drift = Math.PI;
    }
    const step = (this.held.has("stepLeft") ? 1 : 0) - (this.held.has("stepRight") ? 1 : 0);
    if (step && this.honours("facing")) {
      if (up) this.speed = Math.min(this.speed, speeds.slow);
      else if (!this.backing) this.speed = speeds.maneuver;
      this.drift = up ? (step * Math.PI) / 4 : this.backing ? step * 0.75 * Math.PI : (step * Math.PI) / 2;
    }
  }

  /** A held key starts the slowest gait and goes on from gait to gait, with a pause in each. */
  private accelerate(dt: number, speeds: Speeds): void {
    const { slow, easy, brisk, fast } = speeds;
    const top = this.fast ? fast : this.walkOnly || this.slowKey ? slow : brisk;
    const stops = [slow, easy];
    const stop = stops.indexOf(this.speed);
    if (stop >= 0 && this.speed < top && !this.fast && (this.dwelled += dt) < (GAIT_DWELL_SECONDS[stop] ?? 0)) return;
    this.dwelled = 0;
    const rate = Math.max(this.fast ? (fast - slow) / 1.8 : this.speed < easy ? (easy - slow) / 0.7 : (brisk - easy) / 1.5, slow / 2);
    const next = this.fast ? top : Math.min(stops.find((speed) => speed > this.speed) ?? top, top);
    if (this.speed < slow) this.speed = Math.min(slow, top);
    else if (this.speed < top) this.speed = Math.min(next, this.speed + rate * dt);
    else this.speed = Math.max(top, this.speed - 3 * rate * dt);
  }

  /** Sends the command if it differs from the last one. */
  private sendIfChanged(): void {
    if (this.following || this.state.watching) return;
    const command = this.command();
    if (!command) return;
    const text = JSON.stringify(command);
    if (text === this.lastSent) return;
    this.lastSent = text;
    this.send(command);
  }

  private command(): ({ type: "command" } & Command) | null {
    const actor = this.state.actor;
    if (!actor) return null;
    const free = this.honours("facing");
    // A standing animal turns on the spot only if its facing is commanded.
    const facing = free && (this.drift !== 0 || this.speed === 0) ? this.facing : null;
    return {
      type: "command",
      actor: actor.id,
      speed: Number(this.speed.toFixed(3)),
      heading: Number(wrap(this.facing + this.drift).toFixed(4)),
      facing: facing === null ? null : Number(wrap(facing).toFixed(4)),
      action: this.action,
      style: this.style,
    };
  }
}

export const isJump = (action: string): boolean => /jump|leap|hop/i.test(action);
