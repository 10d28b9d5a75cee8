// What the page's cards cover of the picture, so that the camera can keep the animals clear of them.
import type { Margins } from "../camera";
import { byId } from "../dom";

const CARDS = ["hud", "side", "compare", "actions", "stick"];
/** Room for the title and the tools. */
const TITLE = 84;
/** On a phone that lies on its side, less high than this, cards stand in the corners and the middle is free. */
const LOW = 480;

/** A card belongs to the upper or lower edge, except for one in the left corner that would cost too much height. */
export function margins(width: number, tall: number): Margins {
  const found: Margins = { top: TITLE, right: 0, bottom: 0, left: 0 };
  if (tall < LOW) return found;
  for (const id of CARDS) {
    const box = byId(id).getBoundingClientRect();
    if (!box.width || !box.height) continue;
    if (box.top + box.bottom > tall) found.bottom = Math.max(found.bottom, tall - box.top);
    else if (box.right > width / 2 || box.bottom < 0.3 * tall) found.top = Math.max(found.top, box.bottom);
    else found.left = Math.max(found.left, box.right);
  }
  return found;
}
