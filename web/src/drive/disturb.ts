// Throws boxes at the animal that is driven and pushes it, as far as its controller feels that.
import { Raycaster, Vector2, Vector3 } from "three";
import type { Socket } from "../socket";
import type { State } from "../state";
import type { ActorInfo, Capabilities } from "../wire";
import type { World3d } from "../world3d";
import { shove, THROW_STRENGTH, thrownBox, type Target } from "./impulse";
import { nearestJoint, screenJoint } from "./pick";
import { groundAt, type Grip } from "./pointer";

/** A click on the ground throws if it is no farther from the animal than this; farther away it leads there. */
const THROW_REACH_HIP_HEIGHTS = 2.5;

/** Whether a controller feels pushes, thrown boxes or the ground. */
export const feels = (capabilities: Capabilities | undefined, what: "push" | "throw" | "ground"): boolean => capabilities?.honours.includes(what) ?? false;

export class Disturber {
  /** m/s by which a thrown box would change the speed of the animal. */
  strength = THROW_STRENGTH.usual;
  private readonly ray = new Raycaster();

  constructor(
    private readonly state: State,
    private readonly world: World3d,
    private readonly socket: Socket,
  ) {}

  /** The animal that a push or a throw would meet, if it feels that and nobody else drives it. */
  private victim(what: "push" | "throw"): { info: ActorInfo; target: Target; place: Vector3 } | null {
    const { actor: info, actorFrame: frame, watching } = this.state;
    if (!info || !frame || watching || !info.mass || !feels(info.capabilities, what)) return null;
    const target = { hip: info.hip_height, mass: info.mass, velocity: new Vector3(...frame.velocity) };
    return { info, target, place: new Vector3(...frame.place) };
  }

  /** The place on an animal's body at a pixel, and the joint that is nearest to it; null beside the body. */
  private bodyAt(info: ActorInfo, clientX: number, clientY: number): { place: Vector3; joint: string } | null {
    const { canvas, camera } = this.world;
    const actor = this.world.actorOf(info.id);
    if (!actor) return null;
    const box = canvas.getBoundingClientRect();
    this.ray.setFromCamera(new Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2), camera.eye);
    const place = actor.hit(this.ray);
    if (place) return { place, joint: nearestJoint(actor, place) };
    // Legs are thin: what is close to a joint counts too.
    const joint = screenJoint(this.world, info, clientX, clientY);
    return joint === null ? null : { place: actor.jointPlace(info.joints.indexOf(joint), new Vector3()), joint };
  }

  /** Throws a box at the animal; false if it is not at a pixel. */
  throwAtBody(clientX: number, clientY: number): boolean {
    const victim = this.victim("throw");
    const hit = victim && this.bodyAt(victim.info, clientX, clientY);
    return hit ? this.throwAt(hit.place, victim.info, victim.target) : false;
  }

  /** Throws a box at the ground around the animal; false if that is not at a pixel. */
  throwAtGround(clientX: number, clientY: number): boolean {
    const victim = this.victim("throw");
    const ground = victim && groundAt(this.world, clientX, clientY);
    if (!ground) return false;
    const { info, target, place } = victim;
    const [x, z] = ground;
    if (Math.hypot(x - place.x, z - place.z) > THROW_REACH_HIP_HEIGHTS * info.hip_height) return false;
    return this.throwAt(new Vector3(x, this.world.terrain.height(x, z), z), info, { ...target, velocity: new Vector3() });
  }

  private throwAt(place: Vector3, info: ActorInfo, target: Target): true {
    const { terrain, camera } = this.world;
    const box = thrownBox(place, camera.eye.position, target, this.strength, (x, z) => terrain.height(x, z));
    this.socket.send({ type: "throw", actor: info.id, ...box });
    return true;
  }

  /** Takes hold of the animal at a pixel, to push it where it is dragged; null beside it. */
  grip(clientX: number, clientY: number): Grip | null {
    const victim = this.victim("push");
    const held = victim && this.bodyAt(victim.info, clientX, clientY);
    if (!held) return null;
    const { world, socket } = this;
    const { info, target } = victim;
    const dragged = (dx: number, dy: number): ReturnType<typeof shove> => {
      const right = new Vector3(1, 0, 0).transformDirection(world.camera.eye.matrixWorld);
      return shove(dx, dy, world.camera.pixel(world.canvas.clientHeight), right, target);
    };
    return {
      drag: (dx, dy) => world.showPush({ from: held.place, along: dragged(dx, dy).arrow, hip: info.hip_height }),
      release: (dx, dy) => {
        world.showPush(null);
        socket.send({ type: "push", actor: info.id, impulse: dragged(dx, dy).impulse, joint: held.joint });
      },
      cancel: () => world.showPush(null),
    };
  }
}
