// Which animal, or which of its joints, lies under a pixel.
import { Vector3 } from "three";
import type { World3d } from "../world3d";
import type { ActorInfo } from "../wire";

const NEAR = 40;
const MARGIN = 8;
/** Joints that are no farther off than this, in pixels, are as good as the nearest. */
const AS_GOOD = 14;

/** The joints of an animal where they are seen now, in pixels of the window. */
function jointsSeen(world: World3d, info: ActorInfo): { joint: string; x: number; y: number }[] {
  const actor = world.actorOf(info.id);
  if (!actor) return [];
  const box = world.canvas.getBoundingClientRect();
  const at = new Vector3();
  return info.joints.flatMap((joint, j) => {
    actor.jointPlace(j, at).project(world.camera.eye);
    return at.z > 1 ? [] : [{ joint, x: box.left + ((at.x + 1) / 2) * box.width, y: box.top + ((1 - at.y) / 2) * box.height }];
  });
}

/** The joint at a pixel. Who clicks a foot means its end: a joint below the nearest is taken if it is about as near. */
export function jointAt(world: World3d, info: ActorInfo, x: number, y: number): string | null {
  const seen = jointsSeen(world, info).map((s) => ({ joint: s.joint, far: Math.hypot(s.x - x, s.y - y) }));
  const nearest = seen.sort((a, b) => a.far - b.far)[0];
  if (!nearest || nearest.far > NEAR) return null;
  const steps = (joint: string): number => stepsBelow(info, joint, nearest.joint);
  const [best] = seen.filter((s) => s.far <= nearest.far + AS_GOOD).sort((a, b) => steps(b.joint) - steps(a.joint));
  return best?.joint ?? null;
}

/** How many bones a joint is below another one; -1 if it is not below it. */
function stepsBelow({ joints, parents }: ActorInfo, joint: string, above: string): number {
  const goal = joints.indexOf(above);
  let at = joints.indexOf(joint);
  let steps = 0;
  for (; at >= 0 && at !== goal; steps++) at = parents[at] ?? -1;
  return at < 0 ? -1 : steps;
}

/** The animal whose joints surround a pixel. */
export function actorAt(world: World3d, actors: ActorInfo[], x: number, y: number): ActorInfo | null {
  return (
    actors.find((info) => {
      const seen = jointsSeen(world, info);
      const around = (values: number[], value: number): boolean =>
        value > Math.min(...values) - MARGIN && value < Math.max(...values) + MARGIN;
      return seen.length > 0 && around(seen.map((s) => s.x), x) && around(seen.map((s) => s.y), y);
    }) ?? null
  );
}
