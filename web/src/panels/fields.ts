// Labelled inputs.
import { h } from "../dom";

export function field(label: string, input: HTMLElement): HTMLElement {
  return h("label", { class: "field" }, h("span", {}, label), input);
}

export interface Choice {
  value: string;
  text: string;
  title?: string;
  disabled?: boolean;
}

export function select(choices: Choice[], value: string, change: (value: string) => void): HTMLSelectElement {
  const input = h("select", { onchange: () => change(input.value) });
  input.append(...choices.map((c) => h("option", { value: c.value, title: c.title, disabled: c.disabled ?? false, selected: c.value === value }, c.text)));
  return input;
}

/** Units without a space before them. */
const UNSPACED = new Set(["×", "°"]);

/** A slider for factors around 1, as far to the smaller as to the larger ones; `change` is called on release. */
export function factor(label: string, low: number, high: number, value: number, change: (value: number) => void): HTMLElement {
  const rounded = (power: number): number => Number((10 ** power).toPrecision(2));
  const shown = (x: number): string => `${Number(x.toPrecision(2))}×`;
  const output = h("output", {}, shown(value));
  const input = h("input", {
    type: "range",
    "aria-label": label, // the label around it would name the output, which comes first
    min: Math.log10(low),
    max: Math.log10(high),
    step: "any",
    oninput: () => (output.textContent = shown(rounded(Number(input.value)))),
    onchange: () => change(rounded(Number(input.value))),
  });
  input.value = String(Math.log10(value));
  return h("label", { class: "field range" }, h("span", {}, label, output), input);
}

/** `onRelease`: calls `change` only when the thumb is released, for values that make the server build. */
export function slider(label: string, low: number, high: number, step: number, value: number, unit: string, change: (value: number) => void, onRelease = false): HTMLElement {
  const digits = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  const shown = (x: number): string => `${x.toFixed(digits)}${unit && !UNSPACED.has(unit) ? ` ${unit}` : unit}`;
  const output = h("output", {}, shown(value));
  const input = h("input", {
    type: "range",
    "aria-label": label, // the label around it would name the output, which comes first
    min: low,
    max: high,
    step,
    oninput: () => {
      output.textContent = shown(Number(input.value));
      if (!onRelease) change(Number(input.value));
    },
    onchange: () => onRelease && change(Number(input.value)),
  });
  input.value = String(value);
  return h("label", { class: "field range" }, h("span", {}, label, output), input);
}
