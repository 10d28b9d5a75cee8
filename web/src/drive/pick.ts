// Which animal, or which of its joints, lies under a pixel.
import { Vector3 } from "three";
import type { World3d } from "../world3d";
import type { ActorInfo } from "../wire";

const NEAR = 40;
const MARGIN = 8;

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

export function jointAt(world: World3d, info: ActorInfo, x: number, y: number): string | null {
  const far = (seen: { x: number; y: number }): number => Math.hypot(seen.x - x, seen.y - y);
  const [best] = jointsSeen(world, info).sort((a, b) => far(a) - far(b));
  return best && far(best) < NEAR ? best.joint : null;
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
