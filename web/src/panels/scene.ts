// The tab for the scene: animals, controllers, sizes, terrain, comparison, styles, and links.
import { h } from "../dom";
import { gaitLabel, nameOf, sentence } from "../hud/names";
import { naturalGaits } from "../drive/speeds";
import type { ActorInfo, SceneInfo, SceneRequest, TerrainInfo } from "../wire";
import type { Context } from "./context";
import { disturbSection, GroundFields } from "./disturb";
import { type Choice, factor, field, select, slider } from "./fields";
import { inviteButton, linkButton } from "./share";

/** How a number of a terrain is shown: name, unit, range as low, high and step, and its factor to the server's unit. */
interface GroundField {
  name: string;
  unit: string;
  range: [number, number, number];
  per?: number;
}

const GROUND: Record<string, GroundField> = {
  angle: { name: "Angle", unit: "°", range: [-20, 20, 1], per: Math.PI / 180 },
  amplitude: { name: "Hill height", unit: "m", range: [0, 0.6, 0.01] },
  wavelength: { name: "Hill length", unit: "m", range: [1, 12, 0.1] },
  rise: { name: "Step height", unit: "m", range: [0.02, 0.3, 0.01] },
  run: { name: "Step length", unit: "m", range: [0.2, 1.5, 0.05] },
  count: { name: "Steps", unit: "", range: [1, 20, 1] },
};
/** The smallest and largest size that the slider sets, in times the animal's own. */
const SIZES: [number, number] = [0.1, 5];
/** Numbers that only links set. */
const HIDDEN = new Set(["seed", "direction", "start", "friction"]);

/** A name of the catalogue with the beginning of its summary. */
const withSummary = (name: string, summary: string): string => {
  const short = summary.split(/[,:;(]/)[0]?.trim();
  return short && short !== name ? `${name} – ${short}` : name;
};

/** Whether a controller drives an animal as it is shipped. */
function drives(controller: { only: string[] }, animal: string): boolean {
  return !controller.only.length || controller.only.includes(animal);
}

export class ScenePanel {
  readonly body = h("div", { class: "tab" });
  private readonly groundFields: GroundFields;
  private shown = "";
  /** The number of animals once a requested one has arrived; 0: none is requested. */
  private adding = 0;

  constructor(private readonly context: Context) {
    const { state } = context;
    this.groundFields = new GroundFields(context);
    state.onScene.on((scene) => {
      this.layOut();
      this.announceAdded(scene);
    });
    context.intent.onStyle.on(() => this.layOut(true));
    state.onCatalog.on(() => this.layOut());
    state.onChosen.on(() => this.layOut(true));
  }

  private currentRequest(): SceneRequest {
    const scene = this.context.state.scene;
    return {
      actors: (scene?.actors ?? []).map(({ animal, controller, size }) => ({ animal, controller, size })),
      terrain: { ...(scene?.terrain ?? { terrain: "flat" }) },
      abreast: scene?.abreast ?? false,
    };
  }

  /** Requests the current scene with a change. */
  private request(change: (request: SceneRequest) => void): void {
    const request = this.currentRequest();
    change(request);
    this.context.socket.send({ type: "scene", ...request });
  }

  private layOut(force = false): void {
    const { state } = this.context;
    const { scene, catalog } = state;
    if (!scene || !catalog) return;
    const key = JSON.stringify([scene.actors.map((a) => [a.id, a.animal, a.controller, a.size]), scene.terrain, scene.abreast, catalog.animals.map((a) => a.key), state.actor?.driver]);
    // Pausing must not rebuild the tab while a slider is dragged: only a change of what is shown here does.
    if (key === this.shown && !force) return;
    this.shown = key;
    const controls = (): HTMLElement[] => [...this.body.querySelectorAll<HTMLElement>("button, select, input")];
    const focused = controls().findIndex((control) => control === document.activeElement);
    this.body.replaceChildren(
      h("section", {}, h("h2", {}, scene.actors.length > 1 ? "Animals" : "Animal"), ...scene.actors.map((a, i) => this.actor(a, i, scene)), this.more(scene)),
      disturbSection(this.context),
      h("section", {}, h("h2", {}, "Ground"), ...this.ground(scene.terrain), this.groundFields.body),
      this.styles(state.actor),
      this.share(),
    );
    // Keeps the keyboard focus.
    if (focused >= 0) controls()[focused]?.focus();
  }

  /** All animals, and `also` if somebody else uploaded it; uploads by name and not by key. */
  private animals(also?: ActorInfo): Choice[] {
    const animals = this.context.state.catalog?.animals ?? [];
    const all = !also || animals.some((a) => a.key === also.animal) ? animals : [...animals, { key: also.animal, summary: also.name }];
    const called = all.map(({ key, summary }) => (key.startsWith("upload-") ? summary : key));
    return all.map(({ key, summary }, i) => {
      const text = called[i] ?? key;
      const before = called.slice(0, i).filter((name) => name === text).length;
      return { value: key, text: before ? `${text} (${before + 1})` : withSummary(text, summary), title: summary };
    });
  }

  private actor(actor: ActorInfo, place: number, scene: SceneInfo): HTMLElement {
    const { state } = this.context;
    const controllers = state.catalog?.controllers ?? [];
    const chosen = actor.id === state.actor?.id;
    const card = h(
      "div",
      { class: chosen && scene.actors.length > 1 ? "card on" : "card" },
      scene.actors.length > 1 &&
        h(
          "div",
          { class: "row" },
          h("button", { type: "button", class: "small", "aria-pressed": String(chosen), onclick: () => state.choose(actor.id) }, scene.abreast ? (chosen ? "shown in the cards" : "show in the cards") : chosen ? `you drive ${nameOf(actor, scene)}` : `drive ${nameOf(actor, scene)}`),
          h("button", { type: "button", class: "small plain", "aria-label": `Remove ${nameOf(actor, scene)}`, onclick: () => this.request((w) => w.actors.splice(place, 1)) }, "remove"),
        ),
      field("Animal", select(this.animals(actor), actor.animal, (value) =>
        this.request((w) => {
          // Controllers are compared on the same animal; one that does not drive it makes way for one that does.
          const able = controllers.filter((c) => !c.missing.length && drives(c, value)).map((c) => c.name);
          for (const [k, it] of w.actors.entries()) {
            if (k !== place && !w.abreast) continue;
            it.animal = value;
            if (!able.includes(it.controller)) it.controller = able.find((c) => w.actors.every((a) => a.controller !== c)) ?? it.controller;
          }
        }),
      )),
      field("Controller", select(
        controllers.map((c) => ({
          value: c.name,
          text: c.missing.length ? `${c.name} (needs ${c.missing.join(", ")})` : drives(c, actor.animal) ? withSummary(c.name, c.summary) : `${c.name} (only ${c.only.join(", ")})`,
          title: c.summary,
          disabled: c.missing.length > 0 || !drives(c, actor.animal),
        })),
        actor.controller,
        (value) => this.request((w) => {
          const it = w.actors[place];
          if (it) it.controller = value;
        }),
      )),
      h("p", { class: "note" }, sentence(controllers.find((c) => c.name === actor.controller)?.summary ?? actor.controller)),
      factor("Size", ...SIZES, actor.size, (value) => this.request((w) => {
        const it = w.actors[place];
        if (it) it.size = value;
      })),
    );
    return card;
  }

  private more(scene: SceneInfo): HTMLElement {
    const { state } = this.context;
    const first = scene.actors[0];
    const able = (animal: string): string[] => (state.catalog?.controllers ?? []).filter((c) => !c.missing.length && drives(c, animal)).map((c) => c.name);
    let added = first?.animal ?? state.catalog?.animals[0]?.key ?? "";
    const add = (): void =>
      this.request((w) => {
        w.abreast = false;
        const names = able(added);
        w.actors.push({ animal: added, controller: names.find((c) => c === first?.controller) ?? names.find((c) => c === "gaits") ?? names[0] ?? "", size: 1 });
        this.adding = w.actors.length;
      });
    const compare = (): void =>
      this.request((w) => {
        const it = w.actors[0];
        if (!it) return;
        const names = able(it.animal);
        const other = ["gaits", "sung", "huang", ...names].find((c) => c !== it.controller && names.includes(c));
        w.actors = [it, { ...it, controller: other ?? it.controller }];
        w.abreast = true;
      });
    const end = (): void =>
      this.request((w) => {
        w.abreast = false;
        w.actors.length = 1;
      });
    const choice = select(this.animals(first), added, (value) => (added = value));
    choice.setAttribute("aria-label", "Who is added");
    return h(
      "div",
      { class: "more" },
      h("div", { class: "row pair" }, choice, h("button", { type: "button", title: "Beside the others, each driven by itself", onclick: add }, "Add animal")),
      scene.actors.length > 1 && !scene.abreast && h("p", { class: "note mouse" }, "Drive another: click it, or press ", h("kbd", {}, "["), " or ", h("kbd", {}, "]"), "."),
      scene.abreast
        ? h("button", { type: "button", onclick: end }, "End comparison")
        : h("div", { class: "row pair" }, h("button", { type: "button", onclick: compare }, "Compare"), h("span", { class: "note" }, "two controllers, the same keys")),
    );
  }

  /** Tells how to drive an animal that was added. */
  private announceAdded(scene: SceneInfo): void {
    if (!this.adding || scene.actors.length !== this.adding) return;
    this.adding = 0;
    const newest = scene.actors[scene.actors.length - 1];
    const touch = matchMedia("(pointer: coarse)").matches;
    if (newest) this.context.state.notify(`${nameOf(newest, scene)} is here: ${touch ? "tap" : "press ] or click"} it to drive it`);
  }

  private ground(terrain: TerrainInfo): HTMLElement[] {
    const terrains = this.context.state.catalog?.terrains ?? {};
    const usual = terrains[terrain.terrain] ?? {};
    return [
      field("Terrain", select(Object.keys(terrains).map((name) => ({ value: name, text: name })), terrain.terrain, (value) =>
        this.request((w) => (w.terrain = { terrain: value, ...terrains[value] })),
      )),
      ...Object.entries(usual)
        .filter(([key]) => !HIDDEN.has(key))
        .map(([key, normal]) => {
          // Numbers without an entry are shown with the server's name.
          const { name, unit, range, per = 1 } = GROUND[key] ?? { name: key, unit: "", range: [Math.min(0, 4 * normal), Math.max(1, 4 * normal), 0.01] };
          const value = typeof terrain[key] === "number" ? terrain[key] : normal;
          return slider(name, ...range, value / per, unit, (next) => this.request((w) => (w.terrain[key] = next * per)), true);
        }),
    ];
  }

  private styles(actor: ActorInfo | null): HTMLElement {
    const styles = actor?.capabilities.styles ?? [];
    const { intent } = this.context;
    const ranges = actor?.capabilities.gaits ?? {};
    return h(
      "section",
      { hidden: styles.length === 0 },
      h("h2", {}, "Style"),
      ...styles.map((s) => {
        const range = ranges[s.name];
        const name = gaitLabel(actor?.capabilities, s.name);
        const label = range ? `${name} (${range[0].toFixed(1)} to ${range[1].toFixed(1)} m/s)` : name;
        return slider(label, s.low, s.high, (s.high - s.low) / 20, intent.style[s.name] ?? s.default ?? s.low, "", (value) => intent.setStyle(s.name, value));
      }),
      actor && h("p", { class: "note" }, `These come only when asked for. By speed alone: ${naturalGaits(actor.capabilities).map(([name]) => gaitLabel(actor.capabilities, name)).join(", ")}.`),
    );
  }

  /** The button that reserves the animal for this viewer, or releases it. */
  private driving(): HTMLElement | null {
    const { state, socket } = this.context;
    const actor = state.actor;
    if (!actor || state.watching) return null;
    const mine = actor.driver === state.viewer;
    return h("button", { type: "button", onclick: () => socket.send({ type: mine ? "leave" : "take", actor: actor.id }) }, mine ? "Let others drive" : "Only I drive");
  }

  private share(): HTMLElement {
    const { state } = this.context;
    return h(
      "section",
      {},
      h("h2", {}, "Show it to someone"),
      h("div", { class: "row" }, linkButton(state), inviteButton(state)),
      h("div", { class: "row" }, this.driving()),
      h("p", { class: "note" }, "The link opens the same scene. An invitation joins you on this one, live."),
    );
  }
}
