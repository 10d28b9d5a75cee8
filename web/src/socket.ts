// The connection to a stage: opens it, reconnects when it breaks, and sends at most 60 commands a second.
import type { State } from "./state";
import { decode, type FromServer, type ToServer } from "./wire";

const MIN_INTERVAL_MS = 1000 / 60;
/** A connection without a message for this long is taken for lost: the server sends one every two seconds. */
const MAX_SILENT_SECONDS = 6;
/** Messages that end a replay, because their sender wants to see their effect. */
const ENDS_REPLAY = new Set<ToServer["type"]>(["scene", "go_to", "path", "push", "throw", "ground", "reset", "record"]);

export class Socket {
  private socket: WebSocket | null = null;
  private attempts = 0;
  private waiting: ToServer | null = null;
  private lastSent = 0;
  private timer = 0;
  private silent = 0;

  constructor(
    private readonly state: State,
    private stage: string | null,
  ) {
    this.open();
    // Counts seconds in which the page runs: after a sleep of the computer the clock would say too much.
    window.setInterval(() => ++this.silent > MAX_SILENT_SECONDS && this.drop(), 1000);
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
    this.setConnection("connecting");
    socket.onopen = () => this.setConnection("open");
    socket.onmessage = (event: MessageEvent<ArrayBuffer | string>) => {
      this.silent = 0;
      try {
        if (typeof event.data === "string") this.receive(JSON.parse(event.data) as FromServer);
        else this.state.setFrame(decode(event.data));
      } catch (error) {
        console.error(error);
        this.state.notify(error instanceof Error ? error.message : String(error), "error");
      }
    };
    socket.onclose = () => {
      this.silent = -Infinity;
      this.setConnection("closed");
      this.stage = this.state.stage || this.stage; // if it no longer runs, the server opens a new one
      window.setTimeout(() => this.open(), Math.min(400 * 2 ** this.attempts++, 2500));
    };
  }

  private receive(message: FromServer): void {
    if (message.type === "hello") this.attempts = 0; // not in onopen: a server that is full accepts and closes
    this.state.receive(message);
  }

  /** Closes a silent connection; a dead one would take minutes to close by itself. */
  private drop(): void {
    const { socket } = this;
    if (!socket) return;
    const closed = socket.onclose;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    closed?.call(socket, new CloseEvent("close"));
  }

  private setConnection(connection: State["connection"]): void {
    this.state.connection = connection;
    this.state.onConnection.emit(connection);
  }

  /** Sends at once. */
  send(message: ToServer): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify(message));
    const { sent } = this.state;
    sent.last = message;
    if (ENDS_REPLAY.has(message.type)) this.state.setReplay(null);
    if (message.type === "scene") this.state.expectScene(message);
    if (message.type === "command") sent.command = { ...(sent.command ?? {}), ...message };
  }

  /** Sends a command now, or a sixtieth of a second after the last one, merged with those that follow until then. */
  command(message: ToServer & { type: "command" }): void {
    const waiting = this.waiting;
    this.waiting =
      waiting?.type === "command" && waiting.actor === message.actor ? { ...waiting, ...message } : message;
    if (waiting?.type === "command" && waiting.actor !== message.actor) this.send(waiting);
    if (this.timer) return;
    const wait = this.lastSent + MIN_INTERVAL_MS - performance.now();
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
