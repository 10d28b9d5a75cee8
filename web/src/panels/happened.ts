// What a correction did, in a sentence for the person who made it.
import { legName } from "../hud/names";

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/** `legs` are joints by leg, `turned` degrees to the left from 0 to 359. */
export function happened(clips: number, legs: Record<string, string>, turned: number): string {
  const yours = clips === 1 ? "your clip is" : `your ${NUMBERS[clips] ?? clips} clips are`;
  const facing = turned === 180 ? "facing the other way" : turned > 180 ? `turned by ${360 - turned}° to the right` : turned ? `turned by ${turned}° to the left` : "";
  const feet = Object.entries(legs).map(([leg, joint]) => `${joint} as the ${legName(leg)} foot`);
  const parts = [facing, feet.length ? `with ${feet.join(" and ")}` : ""].filter(Boolean);
  return parts.length ? `${yours} read ${parts.join(", ")}` : `${yours} read again`;
}
