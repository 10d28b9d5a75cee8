// Arrows in space that are seen through everything: forces on the feet, and a push that is being drawn.
import { BackSide, ConeGeometry, CylinderGeometry, FrontSide, Group, Mesh, MeshBasicMaterial, Vector3 } from "three";
import type { Actor } from "../actor";
import { legColour } from "../colours";
import type { Terrain } from "../terrain";
import type { ActorFrame } from "../wire";

const UP = new Vector3(0, 1, 0);
const GRAVITY = 9.81;
/** Length of the arrow of a force as large as the animal's weight, and the longest one, in hip heights. */
const [WEIGHT_LENGTH, MAX_LENGTH] = [1.3, 2.6];
/** Forces below this share of the weight have no arrow. */
const MIN_SHARE = 0.01;
const SHAFT = new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
const HEAD = new ConeGeometry(1, 1, 20).translate(0, 0.5, 0);

/** An arrow as thick as told, with a dark edge. */
export class Arrow3d extends Group {
  private readonly parts: { shaft: Mesh; head: Mesh; rim: number }[];

  constructor(
    private readonly thick: number,
    colour: string,
  ) {
    super();
    const part = (color: string, rim: number, opacity: number): { shaft: Mesh; head: Mesh; rim: number } => {
      const material = new MeshBasicMaterial({ color, opacity, transparent: true, depthTest: false, depthWrite: false, fog: false, side: rim ? BackSide : FrontSide });
      const [shaft, head] = [new Mesh(SHAFT, material), new Mesh(HEAD, material)];
      shaft.renderOrder = head.renderOrder = rim ? 6 : 7;
      shaft.frustumCulled = head.frustumCulled = false;
      this.add(shaft, head);
      return { shaft, head, rim };
    };
    this.parts = [part("#1d150e", 0.35 * thick, 0.55), part(colour, 0, 0.95)];
    this.visible = false;
  }

  /** Draws it from a place along a vector. */
  point(from: Vector3, along: Vector3): void {
    const length = along.length();
    this.visible = length > 0;
    if (!this.visible) return;
    this.position.copy(from);
    this.quaternion.setFromUnitVectors(UP, along.clone().divideScalar(length));
    const head = Math.min(5 * this.thick, 0.6 * length);
    for (const { shaft, head: tip, rim } of this.parts) {
      const wide = this.thick + rim;
      shaft.position.y = -rim;
      shaft.scale.set(wide, length - head + rim, wide);
      tip.position.y = length - head - rim;
      tip.scale.set(0.5 * head + 1.4 * rim, head + 3 * rim, 0.5 * head + 1.4 * rim);
    }
  }

  dispose(): void {
    this.removeFromParent();
    for (const { shaft } of this.parts) (shaft.material as MeshBasicMaterial).dispose();
  }
}

/** The forces of the ground on the feet of an animal. */
export class ForceArrows {
  readonly group = new Group();
  private readonly arrows: Arrow3d[];
  private readonly from = new Vector3();
  private readonly force = new Vector3();

  constructor(private readonly actor: Actor) {
    const { legs, hip_height: hip } = actor.info;
    this.arrows = legs.map((leg, l) => new Arrow3d(0.022 * hip, legColour(leg, l)));
    this.group.add(...this.arrows);
  }

  /** Draws the moment between two frames, `alpha` being the weight of b. */
  update(a: ActorFrame, b: ActorFrame, alpha: number, terrain: Terrain): void {
    const { mass, feet, hip_height: hip } = this.actor.info;
    const early = a.forces.length === b.forces.length ? a.forces : b.forces;
    this.arrows.forEach((arrow, l) => {
      arrow.visible = false;
      const foot = feet[l];
      if (!mass || foot === undefined || b.forces.length < 3 * l + 3) return;
      const at = (forces: Float32Array, i: number): number => forces[3 * l + i] ?? 0;
      const blend = (i: number): number => at(early, i) + (at(b.forces, i) - at(early, i)) * alpha;
      this.force.set(blend(0), blend(1), blend(2)).divideScalar(GRAVITY * mass);
      if (!(this.force.length() > MIN_SHARE)) return;
      this.actor.jointPlace(foot, this.from);
      this.from.y = terrain.surface(this.from.x, this.from.z);
      arrow.point(this.from, this.force.multiplyScalar(WEIGHT_LENGTH * hip).clampLength(0, MAX_LENGTH * hip));
    });
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const arrow of this.arrows) arrow.dispose();
  }
}
