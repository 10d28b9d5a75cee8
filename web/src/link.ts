// The address of the page says what is on the stage, so that a link opens the same scene.
import type { Socket } from "./socket";
import type { State } from "./state";
import type { SceneInfo, SceneWish, TerrainInfo } from "./wire";

export const DEFAULT: SceneWish = {
  actors: [{ animal: "horse", controller: "gaits", size: 1 }],
  terrain: { terrain: "flat" },
  abreast: false,
};

/** `#horse/gaits/1+dog/sung/1&rolling;amplitude=0.2&abreast` */
export function toHash(scene: SceneInfo | SceneWish): string {
  const part = encodeURIComponent;
  const actors = scene.actors.map((a) => `${part(a.animal)}/${part(a.controller)}/${a.size}`).join("+");
  const { terrain, ...more } = scene.terrain;
  const numbers = Object.entries(more)
    .filter((entry): entry is [string, number] => typeof entry[1] === "number" && entry[0] !== "friction")
    .map(([key, value]) => `;${part(key)}=${Number(value.toFixed(4))}`);
  return `#${actors}&${part(terrain)}${numbers.join("")}${scene.abreast ? "&abreast" : ""}`;
}

export function fromHash(hash: string): SceneWish | null {
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

export function keepLink(scene: SceneInfo): void {
  if (scene.actors.length) globalThis.history.replaceState(null, "", toHash(scene));
}

/** Whether the address led to a ride that is over; from now on it leads to none. */
function forgetOld(stage: string): boolean {
  const url = new URL(location.href);
  const asked = url.searchParams.get("stage");
  if (!asked || asked === stage) return false;
  url.searchParams.delete("stage");
  globalThis.history.replaceState(null, "", url);
  return true;
}

/** Who joins a stage takes it as it is; who opens one gets what the address says, or a horse. */
export function firstScene(state: State, socket: Socket): void {
  const joined = new URLSearchParams(location.search).has("stage");
  let wish = joined ? null : fromHash(location.hash);
  let stage = "";
  state.onHello.on(() => {
    // The server was started again: what stood on the lost stage is asked for on the new one.
    if (stage && stage !== state.stage && state.scene) wish = fromHash(toHash(state.scene));
    stage = state.stage;
    if (forgetOld(stage)) state.say("That ride is over; this is a new one.");
    if (wish) socket.send({ type: "scene", ...wish });
    else if (!joined && !state.scene) {
      // A server may begin with a scene of its own; only if it says nothing is one asked for.
      let heard = false;
      state.onScene.on((scene) => (heard ||= scene.actors.length > 0));
      state.onSay.on(({ kind }) => (heard ||= kind === "doing"));
      window.setTimeout(() => heard || socket.send({ type: "scene", ...DEFAULT }), 400);
    }
    wish = null;
  });
  addEventListener("hashchange", () => {
    const next = fromHash(location.hash);
    if (next && (!state.scene || toHash(next) !== toHash(state.scene))) socket.send({ type: "scene", ...next });
  });
}
