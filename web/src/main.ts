// The studio's page: creates its parts, connects them, and runs their loops.
import "./style.css";
import { Camera } from "./camera";
import { loadCatalog } from "./catalog";
import { byId, returnFocusToPage } from "./dom";
import { Disturber } from "./drive/disturb";
import { Gamepads } from "./drive/gamepad";
import { Intent } from "./drive/intent";
import { actionAt, listenToKeys } from "./drive/keys";
import { actorAt } from "./drive/pick";
import { type Place, smooth } from "./drive/path";
import { listenToPointer } from "./drive/pointer";
import { naturalGaits } from "./drive/speeds";
import { makeStick } from "./drive/touch";
import { exposeForTests } from "./expose";
import { History } from "./history";
import { Actions } from "./hud/actions";
import { CompareTable } from "./hud/compare";
import { Experts } from "./hud/experts";
import { Footfalls } from "./hud/footfalls";
import { GaitHud } from "./hud/gait";
import { gaitLabel } from "./hud/names";
import { Help } from "./hud/help";
import { Hint } from "./hud/hint";
import { Labels } from "./hud/labels";
import { nameOf } from "./hud/names";
import { Plots } from "./hud/plots";
import { Scrub } from "./hud/scrub";
import { Status } from "./hud/status";
import { Toasts } from "./hud/toasts";
import { requestFirstScene, updateHash } from "./link";
import { Panel } from "./panels/panel";
import { Tools } from "./panels/tools";
import { Socket } from "./socket";
import { State } from "./state";
import { World3d } from "./world3d";

const state = new State();
const history = new History();
const camera = new Camera(matchMedia("(prefers-reduced-motion: reduce)").matches);
const world = new World3d(byId("stage") as HTMLCanvasElement, state, history, camera);
const toasts = new Toasts(state);
const socket = new Socket(state, new URLSearchParams(location.search).get("stage"));
const intent = new Intent(state, (command) => socket.command(command));
const disturber = new Disturber(state, world, socket);
const drawn = [new GaitHud(state, intent), new Footfalls(state), new Experts(state, socket), new Actions(state, intent), new CompareTable(state), new Scrub(state, () => world.canvas.focus({ preventScroll: true }))];
const labels = new Labels(state, world);
const plots = new Plots(state, (on) => {
  tools.press("plots", on);
  panel.updateCamera();
});
const status = new Status(state, () => panel.open("Scene"));
const help = new Help(state);
const hint = new Hint(state, intent);

// --- handlers of keys and buttons ---------------------------------------------------------------------------------------------

let goal: Place[] = [];
const showGoal = (points: Place[]): void => {
  goal = points;
  const id = state.actor?.id;
  if (id !== undefined) world.overlayOf(id)?.goal(points, world.terrain);
};
const goSpeed = (): number => (intent.cruising ? intent.speed : intent.speeds?.easy ?? 1);
const handlers = {
  reset(): void {
    socket.send({ type: "reset" });
    intent.reset();
    showGoal([]);
  },
  pause(): void {
    if (state.replay) return state.replay.toggle();
    socket.send({ type: "pause", on: !state.scene?.paused });
  },
  slow(): void {
    socket.send({ type: "pace", value: (state.scene?.pace ?? 1) < 1 ? 1 : 0.25 });
  },
  step(): void {
    if (state.replay) return state.replay.seek(state.replay.time + 1 / state.rate);
    if (!state.scene?.paused) socket.send({ type: "pause", on: true });
    socket.send({ type: "step" });
  },
  view(): void {
    const view = camera.next();
    tools.name("view", `View: ${view}`, view);
    toasts.show(`view: ${view}`, 1600, "note");
  },
  bones(on?: boolean): void {
    tools.press("bones", world.toggleSkeleton(on));
  },
  forces(): void {
    tools.press("forces", world.toggleForces());
  },
  plots(): void {
    plots.toggle();
  },
  own(): void {
    panel.toggle("Your animal");
  },
  help(): void {
    help.toggle();
  },
  menu(): void {
    panel.toggle();
  },
  choose(way: number): void {
    const actors = state.scene?.actors ?? [];
    const at = actors.findIndex((a) => a.id === state.actor?.id);
    const next = actors[(at + way + actors.length) % actors.length];
    if (next) state.choose(next.id);
  },
};
const act = (place: number): void => {
  const action = actionAt(intent, place);
  if (action) intent.act(action);
  else if (place < 0) toasts.show("this controller has no actions", 1800, "note");
};
const panel = new Panel({ state, socket, intent, disturber, world, history, showBones: handlers.bones, onOwnOpened: () => hint.finish("own") });
const tools = new Tools(state, socket, { ...handlers, bones: () => handlers.bones() });

listenToKeys(
  intent,
  {
    f: () => camera.frame(),
    v: handlers.view,
    b: () => handlers.bones(),
    g: handlers.forces,
    t: handlers.plots,
    m: handlers.menu,
    r: handlers.reset,
    p: handlers.pause,
    ".": handlers.step,
    ",": handlers.slow,
    h: handlers.help,
    "?": handlers.help,
    c: () => intent.keepSpeed(),
    x: () => {
      intent.walkOnly = !intent.walkOnly;
      const slowest = intent.capabilities ? naturalGaits(intent.capabilities)[0]?.[0] : null;
      toasts.show(intent.walkOnly ? `no faster than ${slowest ? gaitLabel(intent.capabilities ?? undefined, slowest) : "its slowest"}` : "all gaits", 1600, "note");
    },
    "[": () => handlers.choose(-1),
    "]": () => handlers.choose(1),
    Escape: () => {
      if (help.close() || tools.close() || panel.close()) return;
      if (state.replay) return state.setReplay(null);
      intent.stop();
      showGoal([]);
    },
  },
  act,
);
const gamepads = new Gamepads(intent, camera, act, handlers);
makeStick(byId("stick"), intent, camera);
listenToPointer(world, {
  goTo(x, z) {
    const actor = state.actor?.id;
    if (actor === undefined) return;
    intent.following = true;
    socket.send({ type: "go_to", actor, x, z, speed: goSpeed() });
    showGoal([[x, z]]);
  },
  path(drawn) {
    const { actor } = state;
    if (!actor) return;
    const points = smooth(drawn, actor.hip_height);
    intent.following = true;
    socket.send({ type: "path", actor: actor.id, points, speed: goSpeed() });
    showGoal(points);
  },
  drawing: (drawn) => showGoal(smooth(drawn, state.actor?.hip_height ?? 1)),
  pick(x, y) {
    if (panel.pick(x, y) || disturber.throwAtBody(x, y)) return true;
    const other = actorAt(world, (state.scene?.actors ?? []).filter((a) => a.id !== state.actor?.id), x, y);
    if (other) state.choose(other.id);
    return other !== null || disturber.throwAtGround(x, y);
  },
  grip: (x, y) => disturber.grip(x, y),
});
returnFocusToPage();

// --- messages of the server -------------------------------------------------------------------------------------------

let sceneKey = "";
state.onScene.on((scene) => {
  world.setScene(scene);
  updateHash(scene);
  const key = JSON.stringify([scene.actors.map((a) => [a.id, a.glb, a.controller]), scene.terrain]);
  if (key !== sceneKey) {
    sceneKey = key;
    intent.style = {};
    intent.reset();
    showGoal([]);
  }
});
let last = -1;
state.onFrame.on((frame) => {
  history.add(frame, state.rate);
  if (frame.frame < last) intent.reset();
  last = frame.frame;
});
state.onChosen.on(() => {
  if (state.scene) world.setScene(state.scene);
  intent.reset();
  showGoal([]);
  if (state.actor && !state.scene?.abreast) state.notify(`You drive ${nameOf(state.actor, state.scene)}`);
});
state.onReplay.on(() => camera.jump());
state.onEvents.on(({ actor, events }) => {
  if (actor === state.actor?.id && events.includes("arrived")) showGoal([]);
});
requestFirstScene(state, socket);
state.onRecorded.on(() => panel.open("Save"));
void loadCatalog(state);

// --- loops ---------------------------------------------------------------------------------------------------------

// Driving has its own timer: held keys must not depend on how fast pictures are drawn.
let ticked = performance.now();
window.setInterval(() => {
  const now = performance.now();
  const dt = Math.min((now - ticked) / 1000, 0.1);
  ticked = now;
  gamepads.tick(dt);
  intent.tick(dt, now);
  hint.tick(now);
  if (goal.length && !intent.following) showGoal([]);
}, 1000 / 60);

let before = performance.now();
function draw(now: number): void {
  const dt = Math.min(Math.max((now - before) / 1000, 0), 0.25);
  before = now;
  camera.stick = intent.steered;
  world.draw(dt);
  for (const part of drawn) part.draw();
  labels.draw();
  plots.draw();
  status.draw(dt);
  tools.draw();
  requestAnimationFrame(draw);
}
requestAnimationFrame(draw);
exposeForTests(state, world);
