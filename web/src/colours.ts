// Colours of legs and gaits, those of canter's other pictures (src/canter/pictures/palette.py; the tests compare them).

/** Left is blue and right is orange, fore deep and hind light. */
export const LEGS: Record<string, string> = { LF: "#0068a8", RF: "#cc5200", LH: "#56b4e9", RH: "#f0aa28", L: "#0072b2", R: "#d55e00" };
/** From green to red as they get faster; what is no gait is dull. */
export const GAITS: Record<string, string> = {
  stand: "#969eaa",
  walk: "#009e73",
  trot: "#cc79a7",
  canter: "#80489c",
  gallop: "#aa1e44",
  amble: "#848e34",
  pace: "#a68052",
  rack: "#786860",
  bound: "#c43c74",
  pronk: "#d66e8c",
  turn: "#348c96",
  backward: "#68ac94",
  side: "#547a70",
  sit: "#7682a0",
  lie: "#586082",
  jump: "#d8cc4c",
  transition: "#ced2d8",
  other: "#bcb4a8",
};
/** Experts of a network: dark and light in turns, so that neighbours in a stack can be told apart. */
export const EXPERTS = ["#33513f", "#d9b44a", "#7a4b8a", "#7fb8ad", "#a3453a", "#b9a3d0", "#4f5f86", "#c98a6b"];
const OTHERS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5a626e"];
const INK = "#20261f";
const LIGHT = "#ffffff";

/** Legs and gaits of other names have colours by their index. */
export const legColour = (name: string, index: number): string => LEGS[name] ?? OTHERS[index % OTHERS.length] ?? INK;
export const gaitColour = (name: string, index: number): string => GAITS[name] ?? OTHERS[index % OTHERS.length] ?? INK;

/** The relative luminance of a colour `#rrggbb` (WCAG 2). */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

const contrast = (a: string, b: string): number => {
  const [dark, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return ((bright ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
};

/** The ink that can be read on a colour. */
export const inkOn = (colour: string): string => (contrast(colour, INK) > contrast(colour, LIGHT) ? INK : LIGHT);
