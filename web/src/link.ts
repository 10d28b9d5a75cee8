// The scene in the hash of the address, so that a link opens the same scene.
import type { Socket } from "./socket";
import type { State } from "./state";
import type { SceneInfo, SceneRequest, TerrainInfo } from "./wire";

const DEFAULT: SceneRequest = {
  actors: [{ animal: "horse", controller: "gaits", size: 1 }],
  terrain: { terrain: "flat" },
  abreast: false,
};

/** `#horse/gaits/1+dog/sung/1&rolling;amplitude=0.2&abreast` */
export function toHash(scene: SceneInfo | SceneRequest): string {
  const part = encodeURIComponent;
  const actors = scene.actors.map((a) => `${part(a.animal)}/${part(a.controller)}/${a.size}`).join("+");
  const { terrain, ...more } = scene.terrain;
  const numbers = Object.entries(more)
    .filter((entry): entry is [string, number] => typeof entry[1] === "number" && entry[0] !== "friction")
    .map(([key, value]) => `;${part(key)}=${Number(value.toFixed(4))}`);
  return `#${actors}&${part(terrain)}${numbers.join("")}${scene.abreast ? "&abreast" : ""}`;
}

function fromHash(hash: string): SceneRequest | null {
  const [who, where, ...rest] = hash.replace(/^#/, "").split("&");
  if (!who) return null;
  const actors = who.split("+").map((text) => {
    const [animal, controller, size] = text.split("/").map(decodeURIComponent);
    return { animal: animal || "horse", controller: controller || "gaits", size: Number(size) > 0 ? Number(size) : 1 };
  });
  const [name, ...numbers] = (where || "flat").split(";").map(decodeURIComponent);
  const terrain: TerrainInfo = { terrain: name || "flat" };
  for (const text of numbers) {
    const [key, value] = text.split("=");
    if (key && Number.isFinite(Number(value))) terrain[key] = Number(value);
  }
  return { actors, terrain, abreast: rest.includes("abreast") };
}

export function updateHash(scene: SceneInfo): void {
  const hash = toHash(scene);
  // Browsers allow only so many changes of the address in a while.
  if (scene.actors.length && hash !== location.hash) globalThis.history.replaceState(null, "", hash);
}

/** Removes a stage that has ended from the address; returns whether there was one. */
function removeEndedStage(stage: string): boolean {
  const url = new URL(location.href);
  const asked = url.searchParams.get("stage");
  if (!asked || asked === stage) return false;
  url.searchParams.delete("stage");
  globalThis.history.replaceState(null, "", url);
  return true;
}

/** Requests the first scene: that of the address, or a horse; a stage that is joined stays as it is. */
export function requestFirstScene(state: State, socket: Socket): void {
  const joined = new URLSearchParams(location.search).has("stage");
  let request = joined ? null : fromHash(location.hash);
  let stage = "";
  state.onHello.on(() => {
    // The server was restarted: request the scene of the lost stage on the new one.
    if (stage && stage !== state.stage && state.scene) request = fromHash(toHash(state.scene));
    stage = state.stage;
    if (removeEndedStage(stage)) state.notify("That ride is over; this is a new one.");
    if (request) socket.send({ type: "scene", ...request });
    else if (!joined && !state.scene) {
      // A server may begin with a scene of its own; one is requested only if it does not.
      let begun = false;
      state.onScene.on((scene) => (begun ||= scene.actors.length > 0));
      state.onNotice.on(({ kind }) => (begun ||= kind === "doing"));
      window.setTimeout(() => begun || socket.send({ type: "scene", ...DEFAULT }), 400);
    }
    request = null;
  });
  addEventListener("hashchange", () => {
    const next = fromHash(location.hash);
    if (next && (!state.scene || toHash(next) !== toHash(state.scene))) socket.send({ type: "scene", ...next });
  });
}
