// The menu at the side: three tabs, opened by a button or M, closed by Esc.
import { byId, h } from "../dom";
import { icon } from "../hud/icons";
import type { Context } from "./context";
import { OwnPanel } from "./own";
import { ScenePanel } from "./scene";
import { SavePanel } from "./save";

export type Tab = "Scene" | "Your animal" | "Save";

export class Panel {
  private readonly box = byId("panel");
  private readonly tabs: { name: Tab; button: HTMLButtonElement; body: HTMLElement }[];
  private readonly own: OwnPanel;

  constructor(private readonly context: Context) {
    const scene = new ScenePanel(context);
    this.own = new OwnPanel(context, () => this.open("Your animal"), () => this.close());
    this.tabs = (
      [
        ["Scene", scene.body],
        ["Your animal", this.own.body],
        ["Save", new SavePanel(context).body],
      ] as const
    ).map(([name, body], i) => {
      const button = h("button", { type: "button", role: "tab", id: `tab-${i}`, "aria-controls": `tabpanel-${i}`, onclick: () => this.show(name) }, name);
      body.id = `tabpanel-${i}`;
      body.setAttribute("role", "tabpanel");
      body.setAttribute("aria-labelledby", `tab-${i}`);
      body.tabIndex = -1;
      return { name, button, body };
    });
    const list = h("div", { role: "tablist", "aria-label": "Menu", onkeydown: (event) => this.arrows(event as KeyboardEvent) }, ...this.tabs.map((t) => t.button));
    this.box.append(
      h("header", {}, list, h("button", { type: "button", class: "plain bare", "aria-label": "Close the menu", title: "Close (Esc)", onclick: () => this.close() }, icon("close"))),
      ...this.tabs.map((t) => t.body),
    );
    this.show("Scene");
    addEventListener("resize", () => this.updateCamera());
  }

  private get shown(): Tab | undefined {
    return this.tabs.find((t) => !t.body.hidden)?.name;
  }

  private show(tab: Tab): void {
    for (const { name, button, body } of this.tabs) {
      button.setAttribute("aria-selected", String(name === tab));
      button.tabIndex = name === tab ? 0 : -1;
      body.hidden = name !== tab;
    }
    if (tab === "Your animal" && !this.box.hidden) this.context.onOwnOpened();
  }

  private arrows(event: KeyboardEvent): void {
    const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!way) return;
    const at = this.tabs.findIndex((t) => t.button === event.target);
    const next = this.tabs[(at + way + this.tabs.length) % this.tabs.length];
    if (!next) return;
    this.show(next.name);
    next.button.focus();
  }

  open(tab?: Tab): void {
    this.box.hidden = false;
    document.documentElement.classList.add("menu");
    if (tab !== undefined) this.show(tab);
    this.updateCamera();
  }

  /** Closes the panel; returns whether it was open. */
  close(): boolean {
    if (this.box.hidden) return false;
    this.box.hidden = true;
    document.documentElement.classList.remove("menu");
    this.updateCamera();
    this.context.world.canvas.focus({ preventScroll: true });
    return true;
  }

  /** Opens the panel, shows another tab, or closes it. */
  toggle(tab?: Tab): void {
    const other = tab !== undefined && tab !== this.shown;
    if (other || !this.close()) {
      this.open(tab);
      this.tabs.find((t) => t.button.tabIndex === 0)?.button.focus();
    }
  }

  /** Tells the camera what the panel and the plots cover. */
  updateCamera(): void {
    const open = !this.box.hidden;
    const beside = innerWidth > 800;
    const plots = beside && !byId("plots").hidden ? byId("plots").offsetWidth + 16 : 0;
    this.context.world.camera.setPanel(plots + (open && beside ? this.box.offsetWidth + 16 : 0), open && !beside ? this.box.offsetHeight : 0);
  }

  /** Handles a click on the scene that picks a joint; false if none is awaited. */
  pick(clientX: number, clientY: number): boolean {
    return !this.box.hidden && this.own.pick(clientX, clientY);
  }
}
