// What the page's cards cover of the picture, so that the camera can keep the animals clear of them.
import type { Margins } from "../camera";
import { byId } from "../dom";

const CARDS = ["hud", "side", "compare", "actions", "stick"];
/** Room for the title and the tools. */
const TITLE = 84;

/** A card belongs to the edge that it is nearer to; those in the corners at the left and right are below or above too. */
export function margins(tall: number): Margins {
  const found: Margins = { top: TITLE, right: 0, bottom: 0, left: 0 };
  for (const id of CARDS) {
    const box = byId(id).getBoundingClientRect();
    if (!box.width || !box.height) continue;
    if (box.top + box.bottom > tall) found.bottom = Math.max(found.bottom, tall - box.top);
    else found.top = Math.max(found.top, box.bottom);
  }
  return found;
}
