// Helpers for the DOM.

type Child = Node | string | null | false;
type Props = Record<string, string | number | boolean | ((event: Event) => void) | null | undefined>;

/** An element with attributes (`on...` are listeners; null and false are left out) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((c): c is Node | string => c !== null && c !== false));
  return element;
}

export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** Sets text only if it differs, so that screen readers do not repeat it. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** A 2D context of a canvas as large as it is shown, in CSS pixels; null while it is hidden. */
export function surface(canvas: HTMLCanvasElement): { g: CanvasRenderingContext2D; width: number; height: number } | null {
  const { clientWidth: width, clientHeight: height } = canvas;
  const g = canvas.getContext("2d");
  if (!g || !width || !height) return null;
  const ratio = Math.min(devicePixelRatio, 2);
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, width, height);
  return { g, width, height };
}

/** Takes the focus from a control that was clicked, or Space would press it again instead of jumping. */
export function returnFocusToPage(): void {
  let pointed = false;
  addEventListener("keydown", (event) => {
    pointed = false;
    // The canvas shows its focus only after Tab.
    document.documentElement.classList.toggle("tabbing", event.key === "Tab");
  });
  addEventListener("pointerdown", () => {
    pointed = true;
    document.documentElement.classList.remove("tabbing");
  });
  addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target.closest("button, a, summary") : null;
    if (event.detail > 0 && target instanceof HTMLElement && target.role !== "tab") target.blur();
  });
  addEventListener("pointerup", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.type === "range") event.target.blur();
  });
  addEventListener("change", (event) => {
    if (pointed && event.target instanceof HTMLSelectElement) event.target.blur();
  });
}
