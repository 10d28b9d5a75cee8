// The state of the page in one place. Its parts listen to the signals that they need, and do not call each other.
import type { Replay } from "./replay";
import type { ActorFrame, ActorInfo, Catalog, Frame, FromServer, PropFrame, SceneInfo, SceneRequest, ToServer } from "./wire";

type Listener<T> = (value: T) => void;

/** Calls its listeners with every value that is emitted. */
export class Signal<T> {
  private readonly listeners = new Set<Listener<T>>();

  on(listener: Listener<T>): void {
    this.listeners.add(listener);
  }

  emit(value: T): void {
    for (const listener of this.listeners) listener(value);
  }
}

export type Connection = "connecting" | "open" | "closed";
export interface ActorEvents {
  actor: number;
  events: string[];
}
export interface Recorded {
  seconds: number;
  actors: number[];
}

export class State {
  stage = "";
  viewer = -1;
  rate = 60;
  connection: Connection = "connecting";
  scene: SceneInfo | null = null;
  catalog: Catalog | null = null;
  names: string[] = [];
  frame: Frame | null = null;
  recorded: Recorded | null = null;
  /** The replay that is shown, or null while the page is live. */
  replay: Replay | null = null;
  /** The actor that the keys drive and the camera follows. */
  chosen = 0;
  /** The last message that was sent, and all fields of the commands sent so far. */
  readonly sent: { last: ToServer | null; command: ToServer | null } = { last: null, command: null };

  /** The key of a requested scene that has not arrived yet, and another one that arrived before it. */
  private requested: string | null = null;
  private deferred: SceneInfo | null = null;

  readonly onConnection = new Signal<Connection>();
  readonly onHello = new Signal<State>();
  readonly onScene = new Signal<SceneInfo>();
  readonly onCatalog = new Signal<Catalog>();
  readonly onFrame = new Signal<Frame>();
  readonly onEvents = new Signal<ActorEvents>();
  readonly onNotice = new Signal<{ text: string; kind: "doing" | "error" | "note" }>();
  readonly onRecorded = new Signal<Recorded>();
  readonly onChosen = new Signal<number>();
  readonly onReplay = new Signal<Replay | null>();

  get actor(): ActorInfo | null {
    return this.scene?.actors.find((a) => a.id === this.chosen) ?? this.scene?.actors[0] ?? null;
  }

  get actorFrame(): ActorFrame | null {
    return this.frameOf(this.actor?.id ?? -1);
  }

  frameOf(id: number): ActorFrame | null {
    return this.frame?.actors.find((a) => a.id === id) ?? null;
  }

  /** The frame that the page shows: the newest, or one of a replay. */
  get shown(): Frame | null {
    return this.replay?.frame ?? this.frame;
  }

  shownOf(id: number): ActorFrame | null {
    return this.shown?.actors.find((a) => a.id === id) ?? null;
  }

  /** Shows a replay, or with null the live stage. */
  setReplay(replay: Replay | null): void {
    if (replay === this.replay) return;
    this.replay = replay;
    this.onReplay.emit(replay);
  }

  /** Whether somebody else on this stage drives the chosen actor. */
  get watching(): boolean {
    const driver = this.actor?.driver ?? null;
    return driver !== null && driver !== this.viewer;
  }

  gaitName(index: number): string {
    return this.names[index] ?? "";
  }

  /** Whether a prop is the ground itself, which tilts or turns. */
  isGround({ name, shape }: PropFrame): boolean {
    return shape === "plane" && this.names[name] === "ground";
  }

  choose(id: number): void {
    if (id === this.chosen || !this.scene?.actors.some((a) => a.id === id)) return;
    this.chosen = id;
    this.onChosen.emit(id);
  }

  notify(text: string, kind: "doing" | "error" | "note" = "note"): void {
    this.onNotice.emit({ text, kind });
  }

  get waiting(): boolean {
    return this.requested !== null;
  }

  /** Expects a scene: the one that a server begins with must not flash up before that of a link. */
  expectScene(request: SceneRequest): void {
    this.requested = actorsKey(request);
  }

  private setScene(scene: SceneInfo): void {
    if (this.requested !== null && actorsKey(scene) !== this.requested && !this.scene) {
      this.deferred = scene;
      return;
    }
    if (actorsKey(scene) === this.requested) this.requested = null;
    this.deferred = null;
    this.scene = scene;
    if (!scene.actors.some((a) => a.id === this.chosen)) this.chosen = scene.actors[0]?.id ?? 0;
    this.onScene.emit(scene);
  }

  /** After an error: the requested scene will not arrive. */
  private stopExpecting(): void {
    this.requested = null;
    if (this.deferred) this.setScene(this.deferred);
  }

  receive(message: FromServer): void {
    switch (message.type) {
      case "hello":
        this.stage = message.stage;
        this.viewer = message.viewer;
        this.rate = message.rate;
        this.onHello.emit(this);
        break;
      case "scene":
        this.setScene(message);
        break;
      case "names":
        this.names = message.names;
        break;
      case "event":
        this.onEvents.emit(message);
        break;
      case "doing":
      case "error":
        this.notify(message.text, message.type);
        if (message.type === "error") this.stopExpecting();
        break;
      case "recorded":
        this.recorded = { seconds: message.seconds, actors: message.actors };
        this.onRecorded.emit(this.recorded);
        break;
    }
  }

  setFrame(frame: Frame): void {
    this.frame = frame;
    this.onFrame.emit(frame);
  }
}

/** Animals and controllers of a scene, to tell scenes apart. */
const actorsKey = (scene: SceneInfo | SceneRequest): string => scene.actors.map((a) => `${a.animal} ${a.controller}`).join();
