// Finds the animal, or one of its joints, at a pixel.
import { Vector3 } from "three";
import type { Actor } from "../actor";
import type { World3d } from "../world3d";
import type { ActorInfo } from "../wire";

/** Distances in pixels: of a joint from a click, and of a click outside of the joints' bounding box. */
const MAX_JOINT_DISTANCE = 40;
const TOUCH_DISTANCE = 14;
const BOX_MARGIN = 8;
/** Joints that are farther than the nearest by no more than this, in pixels, count as equally near. */
const JOINT_TOLERANCE = 14;

/** The joints of an animal in pixels of the window. */
function jointsOnScreen(world: World3d, info: ActorInfo): { joint: string; x: number; y: number }[] {
  const actor = world.actorOf(info.id);
  if (!actor) return [];
  const box = world.canvas.getBoundingClientRect();
  const at = new Vector3();
  return info.joints.flatMap((joint, j) => {
    actor.jointPlace(j, at).project(world.camera.eye);
    return at.z > 1 ? [] : [{ joint, x: box.left + ((at.x + 1) / 2) * box.width, y: box.top + ((1 - at.y) / 2) * box.height }];
  });
}

/** The joint at a pixel. Of joints that are about equally near, the lowest in the hierarchy: a click on a foot means
 * its end. */
export function jointAt(world: World3d, info: ActorInfo, x: number, y: number): string | null {
  const seen = jointsOnScreen(world, info).map((s) => ({ joint: s.joint, far: Math.hypot(s.x - x, s.y - y) }));
  const nearest = seen.sort((a, b) => a.far - b.far)[0];
  if (!nearest || nearest.far > MAX_JOINT_DISTANCE) return null;
  const steps = (joint: string): number => stepsBelow(info, joint, nearest.joint);
  const [best] = seen.filter((s) => s.far <= nearest.far + JOINT_TOLERANCE).sort((a, b) => steps(b.joint) - steps(a.joint));
  return best?.joint ?? null;
}

/** The joint whose middle is almost at a pixel. */
export function screenJoint(world: World3d, info: ActorInfo, x: number, y: number): string | null {
  const far = (s: { x: number; y: number }): number => Math.hypot(s.x - x, s.y - y);
  const [nearest] = jointsOnScreen(world, info).sort((a, b) => far(a) - far(b));
  return nearest && far(nearest) < TOUCH_DISTANCE ? nearest.joint : null;
}

/** The joint that is nearest to a place in the world. */
export function nearestJoint(actor: Actor, place: Vector3): string {
  const at = new Vector3();
  const far = actor.info.joints.map((_, j) => actor.jointPlace(j, at).distanceTo(place));
  return actor.info.joints[far.indexOf(Math.min(...far))] ?? "";
}

/** How many levels a joint is below another one; -1 if it is not below it. */
function stepsBelow({ joints, parents }: ActorInfo, joint: string, above: string): number {
  const goal = joints.indexOf(above);
  let at = joints.indexOf(joint);
  let steps = 0;
  for (; at >= 0 && at !== goal; steps++) at = parents[at] ?? -1;
  return at < 0 ? -1 : steps;
}

/** The animal in whose bounding box of joints a pixel is. */
export function actorAt(world: World3d, actors: ActorInfo[], x: number, y: number): ActorInfo | null {
  return (
    actors.find((info) => {
      const seen = jointsOnScreen(world, info);
      const around = (values: number[], value: number): boolean =>
        value > Math.min(...values) - BOX_MARGIN && value < Math.max(...values) + BOX_MARGIN;
      return seen.length > 0 && around(seen.map((s) => s.x), x) && around(seen.map((s) => s.y), y);
    }) ?? null
  );
}
