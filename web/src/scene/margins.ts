// The part of the canvas that cards cover, so that the camera can keep the animals clear of them.
import type { Margins } from "../camera";
import { byId } from "../dom";

const CARDS = ["hud", "side", "compare", "actions", "stick"];
/** Height of the title and the tools, in pixels. */
const TITLE_HEIGHT = 84;
/** On lower screens, such as a phone in landscape, cards are in the corners and the middle is free. */
const MIN_HEIGHT = 480;

/** Margins in pixels. A card counts for the upper or lower edge, or for the left one if it would cost too much height. */
export function margins(width: number, tall: number): Margins {
  const found: Margins = { top: TITLE_HEIGHT, right: 0, bottom: 0, left: 0 };
  if (tall < MIN_HEIGHT) return found;
  for (const id of CARDS) {
    const box = byId(id).getBoundingClientRect();
    if (!box.width || !box.height) continue;
    if (box.top + box.bottom > tall) found.bottom = Math.max(found.bottom, tall - box.top);
    else if (box.right > width / 2 || box.bottom < 0.3 * tall) found.top = Math.max(found.top, box.bottom);
    else found.left = Math.max(found.left, box.right);
  }
  return found;
}
