// The connection to a stage: opens it, opens it again when it breaks, and sends no more than 60 messages a second.
import type { State } from "./state";
import { decode, type FromServer, type ToServer } from "./wire";

const GAP = 1000 / 60;
/** Seconds without a word after which nobody is there any more: the server says something every two. */
const SILENCE = 6;
/** Who asks for these wants to see what comes of it, and no replay. */
const SEEN = new Set<ToServer["type"]>(["scene", "go_to", "path", "reset", "record"]);

export class Socket {
  private socket: WebSocket | null = null;
  private tries = 0;
  private waiting: ToServer | null = null;
  private lastSent = 0;
  private timer = 0;
  private silent = 0;

  constructor(
    private readonly state: State,
    private stage: string | null,
  ) {
    this.open();
    // Seconds in which the page itself runs are counted: one that slept has not been left alone for that long.
    window.setInterval(() => ++this.silent > SILENCE && this.lose(), 1000);
  }

  private open(): void {
    const url = new URL("ws", location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    url.hash = "";
    url.search = this.stage ? `?stage=${encodeURIComponent(this.stage)}` : "";
    const socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.silent = 0;
    this.become("connecting");
    socket.onopen = () => this.become("open");
    socket.onmessage = (event: MessageEvent<ArrayBuffer | string>) => {
      this.silent = 0;
      try {
        if (typeof event.data === "string") this.hear(JSON.parse(event.data) as FromServer);
        else this.state.show(decode(event.data));
      } catch (error) {
        console.error(error);
        this.state.say(error instanceof Error ? error.message : String(error), "error");
      }
    };
    socket.onclose = () => {
      this.silent = -Infinity;
      this.become("closed");
      this.stage = this.state.stage || this.stage; // it may still run; else the server opens a new one
      window.setTimeout(() => this.open(), Math.min(400 * 2 ** this.tries++, 2500));
    };
  }

  private hear(message: FromServer): void {
    if (message.type === "hello") this.tries = 0; // who is sent away at the door comes back later and later
    this.state.hear(message);
  }

  /** Gives up a connection that is silent; a dead one would take minutes to close by itself. */
  private lose(): void {
    const { socket } = this;
    if (!socket) return;
    const closed = socket.onclose;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    closed?.call(socket, new CloseEvent("close"));
  }

  private become(connection: State["connection"]): void {
    this.state.connection = connection;
    this.state.onConnection.tell(connection);
  }

  /** Sends at once. */
  send(message: ToServer): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify(message));
    const { sent } = this.state;
    sent.last = message;
    if (SEEN.has(message.type)) this.state.look(null);
    if (message.type === "scene") this.state.await(message);
    if (message.type === "command") sent.command = { ...(sent.command ?? {}), ...message };
    sent.count++;
  }

  /** Sends a command now or as soon as a sixtieth of a second has passed; what changes meanwhile goes with it. */
  command(message: ToServer & { type: "command" }): void {
    const waiting = this.waiting;
    this.waiting =
      waiting?.type === "command" && waiting.actor === message.actor ? { ...waiting, ...message } : message;
    if (waiting?.type === "command" && waiting.actor !== message.actor) this.send(waiting);
    if (this.timer) return;
    const wait = this.lastSent + GAP - performance.now();
    if (wait <= 0) this.flush();
    else this.timer = window.setTimeout(() => this.flush(), wait);
  }

  private flush(): void {
    this.timer = 0;
    if (!this.waiting) return;
    this.lastSent = performance.now();
    const message = this.waiting;
    this.waiting = null;
    this.send(message);
  }
}
