// What the page knows, in one place. Parts of the page listen to what they need; nobody calls anybody else.
import type { Replay } from "./replay";
import type { ActorFrame, ActorInfo, Catalog, Frame, FromServer, SceneInfo, SceneWish, ToServer } from "./wire";

type Listener<T> = (value: T) => void;

/** A kind of news that parts of the page wait for. */
export class News<T> {
  private readonly listeners = new Set<Listener<T>>();

  on(listener: Listener<T>): void {
    this.listeners.add(listener);
  }

  tell(value: T): void {
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
  /** What is looked at again, or null while the page is live. */
  replay: Replay | null = null;
  /** The actor that the keys drive and the camera follows. */
  chosen = 0;
  /** The last thing of each type that was sent, and of all types. */
  readonly sent: { last: ToServer | null; command: ToServer | null; count: number } = {
    last: null,
    command: null,
    count: 0,
  };

  /** The scene that was asked for and has not come yet, and one that came instead. */
  private wished: string | null = null;
  private instead: SceneInfo | null = null;

  readonly onConnection = new News<Connection>();
  readonly onHello = new News<State>();
  readonly onScene = new News<SceneInfo>();
  readonly onCatalog = new News<Catalog>();
  readonly onFrame = new News<Frame>();
  readonly onEvents = new News<ActorEvents>();
  readonly onSay = new News<{ text: string; kind: "doing" | "error" | "note" }>();
  readonly onRecorded = new News<Recorded>();
  readonly onChosen = new News<number>();
  readonly onReplay = new News<Replay | null>();

  get actor(): ActorInfo | null {
    return this.scene?.actors.find((a) => a.id === this.chosen) ?? this.scene?.actors[0] ?? null;
  }

  get actorFrame(): ActorFrame | null {
    return this.frameOf(this.actor?.id ?? -1);
  }

  frameOf(id: number): ActorFrame | null {
    return this.frame?.actors.find((a) => a.id === id) ?? null;
  }

  /** The frame of the moment that the page shows: the newest, or one of a replay. */
  get shown(): Frame | null {
    return this.replay?.frame ?? this.frame;
  }

  shownOf(id: number): ActorFrame | null {
    return this.shown?.actors.find((a) => a.id === id) ?? null;
  }

  /** Looks at a ride again, or at what happens now. */
  look(replay: Replay | null): void {
    if (replay === this.replay) return;
    this.replay = replay;
    this.onReplay.tell(replay);
  }

  /** Whether somebody else on this stage drives the chosen actor. */
  get watching(): boolean {
    const driver = this.actor?.driver ?? null;
    return driver !== null && driver !== this.viewer;
  }

  gaitName(place: number): string {
    return this.names[place] ?? "";
  }

  choose(id: number): void {
    if (id === this.chosen || !this.scene?.actors.some((a) => a.id === id)) return;
    this.chosen = id;
    this.onChosen.tell(id);
  }

  say(text: string, kind: "doing" | "error" | "note" = "note"): void {
    this.onSay.tell({ text, kind });
  }

  get waiting(): boolean {
    return this.wished !== null;
  }

  /** A link names an animal: the one that a server begins with must not flash up before it. */
  await(wish: SceneWish): void {
    this.wished = cast(wish);
  }

  private set(scene: SceneInfo): void {
    if (this.wished !== null && cast(scene) !== this.wished && !this.scene) {
      this.instead = scene;
      return;
    }
    if (cast(scene) === this.wished) this.wished = null;
    this.instead = null;
    this.scene = scene;
    if (!scene.actors.some((a) => a.id === this.chosen)) this.chosen = scene.actors[0]?.id ?? 0;
    this.onScene.tell(scene);
  }

  private giveUp(): void {
    this.wished = null;
    if (this.instead) this.set(this.instead);
  }

  hear(message: FromServer): void {
    switch (message.type) {
      case "hello":
        this.stage = message.stage;
        this.viewer = message.viewer;
        this.rate = message.rate;
        this.onHello.tell(this);
        break;
      case "scene":
        this.set(message);
        break;
      case "names":
        this.names = message.names;
        break;
      case "event":
        this.onEvents.tell(message);
        break;
      case "doing":
      case "error":
        this.say(message.text, message.type);
        if (message.type === "error") this.giveUp();
        break;
      case "recorded":
        this.recorded = { seconds: message.seconds, actors: message.actors };
        this.onRecorded.tell(this.recorded);
        break;
    }
  }

  show(frame: Frame): void {
    this.frame = frame;
    this.onFrame.tell(frame);
  }
}

/** Who stands on a stage, to tell scenes apart. */
const cast = (scene: SceneInfo | SceneWish): string => scene.actors.map((a) => `${a.animal} ${a.controller}`).join();
