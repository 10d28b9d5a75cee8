// A skeleton that can be seen on any body: one slim spindle from each joint's parent to the joint.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
} from "three";

const UP = new Vector3(0, 1, 0);

/** A spindle of length 1 along +Y, thickest near its root. */
function spindle(): BufferGeometry {
  const ring = [0, 1, 2, 3].map((i) => [Math.sin((i * Math.PI) / 2), 0.18, Math.cos((i * Math.PI) / 2)]);
  const position = [[0, 0, 0], ...ring, [0, 1, 0]].flat();
  const index: number[] = [];
  for (let i = 0; i < 4; i++) index.push(0, 1 + ((i + 1) % 4), 1 + i, 5, 1 + i, 1 + ((i + 1) % 4));
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  geometry.setIndex(index);
  return geometry;
}

export class Bones extends InstancedMesh {
  private readonly from = new Vector3();
  private readonly way = new Vector3();
  private readonly turn = new Quaternion();
  private readonly size = new Vector3();
  private readonly place = new Matrix4();

  constructor(
    private readonly parents: number[],
    private readonly hip: number,
  ) {
    super(spindle(), new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.95 }), parents.length);
    this.frustumCulled = false;
    this.renderOrder = 5;
  }

  paint(j: number, colour: string): void {
    this.setColorAt(j, new Color(colour));
    if (this.instanceColor) this.instanceColor.needsUpdate = true;
  }

  /** Places the spindles between joints whose positions `at` writes. */
  update(at: (joint: number, out: Vector3) => void): void {
    this.parents.forEach((parent, j) => {
      at(j, this.way);
      if (parent < 0) {
        this.place.makeScale(0, 0, 0);
      } else {
        at(parent, this.from);
        this.way.sub(this.from);
        const length = this.way.length();
        const thick = Math.min(0.1 * length, 0.022 * this.hip) + 0.006 * this.hip;
        this.turn.setFromUnitVectors(UP, length > 0 ? this.way.normalize() : UP);
        this.place.compose(this.from, this.turn, this.size.set(thick, length, thick));
      }
      this.setMatrixAt(j, this.place);
    });
    this.instanceMatrix.needsUpdate = true;
  }
}
