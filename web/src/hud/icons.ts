// Icons: lines on a 24 by 24 grid, drawn for this page.

const LINES = {
  pause: "M8.5 5v14M15.5 5v14",
  play: "M7.5 4.8l11 7.2-11 7.2z",
  slow: "M12 7.2v5l3.2 2M12 3.2a8.8 8.8 0 0 1 0 17.6M7.8 4.3v.01M4.7 7.4v.01M3.2 12v.01M4.7 16.6v.01M7.8 19.7v.01",
  step: "M6 5.2l9.5 6.8L6 18.8zM19 5v14",
  reset: "M18 5.2L8.5 12l9.5 6.8zM5 5v14",
  view: "M2.5 12S6 5.8 12 5.8 21.5 12 21.5 12 18 18.2 12 18.2 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z",
  bones: "M13.2 8.3a2.7 2.7 0 1 1 4.5-2.2 2.7 2.7 0 1 1-2 4.6l-5 5a2.7 2.7 0 1 1-4.5 2.2 2.7 2.7 0 1 1 2-4.6z",
  forces: "M7 20.5V6M3.8 9.2L7 6l3.2 3.2M17 20.5V11M13.8 14.2L17 11l3.2 3.2M3 20.5h18",
  plots: "M4 4v16h16M7.5 15.5l3.5-5 3 3 5.5-7",
  own:
    "M12 12.3c-2.5 0-4.9 2.6-4.9 4.7 0 1.5 1.1 2.5 2.5 2.5 1 0 1.5-.5 2.4-.5s1.4.5 2.4.5c1.4 0 2.5-1 2.5-2.5 0-2.1-2.4-4.7-4.9-4.7z" +
    "M5 9.4a1.5 1.8 0 1 0 .01 0zM9.4 4.6a1.6 2 0 1 0 .01 0zM14.6 4.6a1.6 2 0 1 0 .01 0zM19 9.4a1.5 1.8 0 1 0 .01 0z",
  help: "M12 3a9 9 0 1 0 .01 0zM9.5 9.6a2.5 2.5 0 1 1 3.7 2.2c-.8.5-1.2.9-1.2 1.7M12 16.9v.01",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M5.5 12h.01M12 12h.01M18.5 12h.01",
  close: "M6.5 6.5l11 11M17.5 6.5l-11 11",
} as const;

export type Icon = keyof typeof LINES;
const SVG = "http://www.w3.org/2000/svg";

export function icon(name: Icon): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", `icon icon-${name}`);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", LINES[name]);
  svg.append(path);
  return svg;
}
