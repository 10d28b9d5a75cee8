// One animal in the scene: its body from the server's GLB, posed by frames, with its skeleton as an overlay.
import { Bone, Box3, type BufferGeometry, Color, Group, Mesh, MeshStandardMaterial, type Object3D, Quaternion, SkinnedMesh, Vector3 } from "three";
import { GLTFLoader, type GLTF } from "three/examples/jsm/loaders/GLTFLoader.js";
import { Bones } from "./scene/bones";
import type { ActorFrame, ActorInfo } from "./wire";

interface GltfJson {
  nodes?: { name?: string }[];
  skins?: { joints: number[] }[];
}

// Light from behind that draws the outline: the sky's, and a warm one while one gait turns into another.
const RIM = new Color("#a9c6da").multiplyScalar(0.16);
const GLOW = new Color("#ffb347").multiplyScalar(0.7);
const LEG_COLOURS = ["#e4572e", "#2e86ab", "#f3a712", "#5b8e3e", "#8e5b9e", "#3e8e88"];
export const legColour = (leg: number): string => LEG_COLOURS[leg % LEG_COLOURS.length] ?? "#e4572e";

/** The nodes of the file in the order of `joints`. The loader changes names, the file's own JSON does not. */
async function bonesOf(gltf: GLTF, info: ActorInfo): Promise<(Object3D | null)[]> {
  const json = gltf.parser.json as GltfJson;
  const node = async (i: number): Promise<Object3D> => (await gltf.parser.getDependency("node", i)) as Object3D;
  const joints = json.skins?.[0]?.joints;
  if (joints?.length === info.joints.length) return Promise.all(joints.map(node));
  const byName = new Map((json.nodes ?? []).map((n, i) => [n.name ?? "", i]));
  return Promise.all(
    info.joints.map(async (name) => {
      const i = byName.get(name);
      return i === undefined ? null : node(i);
    }),
  );
}

export class Actor {
  readonly group = new Group();
  loaded = false;
  hasSkin = false;
  /** A length like a hip height that also knows a shell and a long neck. */
  bulk: number;
  /** The body's extent around its place and above the ground. */
  radius: number;
  tall: number;
  private bones: Object3D[] = [];
  private readonly skeleton: Bones;
  private readonly materials: MeshStandardMaterial[] = [];
  private readonly rim = { value: RIM.clone() };
  private skeletonWished = false;
  private tinted = 0;

  constructor(public info: ActorInfo) {
    this.bulk = info.hip_height;
    this.radius = 1.2 * info.hip_height;
    this.tall = 1.6 * info.hip_height;
    // Bones of our own pose the animal at once; those of the file take over when it is here.
    this.bones = info.joints.map(() => new Bone());
    info.parents.forEach((parent, i) => {
      const bone = this.bones[i];
      if (bone) (this.bones[parent] ?? this.group).add(bone);
    });
    this.skeleton = new Bones(info.parents, info.hip_height);
    this.paintLegs();
    this.group.add(this.skeleton);
  }

  async load(): Promise<void> {
    const gltf = await new GLTFLoader().loadAsync(this.info.glb);
    const found = await bonesOf(gltf, this.info);
    const box = new Box3().setFromObject(gltf.scene).getSize(new Vector3());
    if (Number.isFinite(box.x) && box.length() > 0) {
      this.bulk = Math.max(box.x * 0.62, box.z * 0.42, box.y * 0.5);
      this.radius = 0.56 * Math.max(box.x, box.z);
      this.tall = box.y;
    }
    gltf.scene.traverse((part) => {
      if (!(part instanceof Mesh)) return;
      part.castShadow = true;
      part.receiveShadow = true;
      part.frustumCulled = false;
      if (part instanceof SkinnedMesh) this.hasSkin = true;
      for (const material of Array.isArray(part.material) ? part.material : [part.material])
        if (material instanceof MeshStandardMaterial) this.dress(material);
    });
    if (found.every((bone): bone is Object3D => bone !== null)) {
      this.bones[0]?.removeFromParent();
      this.bones = found;
      this.group.add(gltf.scene);
    }
    this.loaded = true;
    this.showSkeleton(this.skeletonWished);
  }

  /** Coats are no metal, whatever a file says: there is nothing here that it could mirror. */
  private dress(material: MeshStandardMaterial): void {
    this.materials.push(material);
    material.metalness = Math.min(material.metalness, 0.1);
    material.roughness = Math.max(material.roughness, 0.55);
    material.onBeforeCompile = (shader) => {
      shader.uniforms.rim = this.rim;
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", "#include <common>\nuniform vec3 rim;")
        .replace(
          "#include <opaque_fragment>",
          `float edge = 1.0 - clamp(dot(normalize(vViewPosition), normal), 0.0, 1.0);
          outgoingLight += rim * edge * edge * edge;
          #include <opaque_fragment>`,
        );
    };
  }

  /** Bones show where there is no skin, or where somebody wants to see them. */
  showSkeleton(on: boolean): void {
    this.skeletonWished = on;
    this.skeleton.visible = on || !this.hasSkin;
    for (const material of this.materials) {
      if (material.transparent !== on) material.needsUpdate = true;
      material.transparent = on;
      material.opacity = on ? 0.3 : 1;
    }
  }

  /** Legs coloured from hip to foot; `legs` may be another understanding than the server's. */
  paintLegs(legs?: { joints: string[] }[]): void {
    const { joints, parents, feet } = this.info;
    const owner = new Array<number>(joints.length).fill(-1);
    if (legs) {
      legs.forEach((leg, l) => {
        for (const name of leg.joints) owner[joints.indexOf(name)] = l;
      });
    } else {
      const children = new Array<number>(joints.length).fill(0);
      for (const parent of parents) if (parent >= 0) children[parent] = (children[parent] ?? 0) + 1;
      feet.forEach((foot, l) => {
        for (let j = foot; j >= 0 && (j === foot || (children[j] ?? 0) < 2); j = parents[j] ?? -1) owner[j] = l;
      });
    }
    joints.forEach((_, j) => this.skeleton.paint(j, (owner[j] ?? -1) < 0 ? "#fdf7e7" : legColour(owner[j] ?? 0)));
  }

  private readonly q = new Quaternion();

  pose(a: ActorFrame, b: ActorFrame, share: number, dt: number): void {
    const blend = (x: Float32Array, y: Float32Array, i: number): number =>
      (x[i] ?? 0) + ((y[i] ?? 0) - (x[i] ?? 0)) * share;
    this.bones.forEach((bone, j) => {
      const p = 3 * j;
      bone.position.set(
        blend(a.positions, b.positions, p),
        blend(a.positions, b.positions, p + 1),
        blend(a.positions, b.positions, p + 2),
      );
      const r = 4 * j;
      bone.quaternion.set(a.rotations[r + 1] ?? 0, a.rotations[r + 2] ?? 0, a.rotations[r + 3] ?? 0, a.rotations[r] ?? 1);
      this.q.set(b.rotations[r + 1] ?? 0, b.rotations[r + 2] ?? 0, b.rotations[r + 3] ?? 0, b.rotations[r] ?? 1);
      bone.quaternion.slerp(this.q, share);
    });
    if (this.skeleton.visible) this.drawBones();
    this.tint(Number.isNaN(b.transition) ? 0 : 1, dt);
  }

  private drawBones(): void {
    this.group.updateMatrixWorld(true);
    this.skeleton.lay((j, out) => this.jointPlace(j, out));
  }

  /** Where joint j is now. */
  jointPlace(j: number, out: Vector3): Vector3 {
    return out.setFromMatrixPosition(this.bones[j]?.matrixWorld ?? this.group.matrixWorld);
  }

  /** A warm edge while one gait turns into another. */
  private tint(goal: number, dt: number): void {
    this.tinted += (goal - this.tinted) * (1 - Math.exp(-dt / 0.13));
    this.rim.value.lerpColors(RIM, GLOW, this.tinted);
  }

  dispose(): void {
    this.group.removeFromParent();
    this.group.traverse((part) => {
      if (part instanceof Mesh) (part.geometry as BufferGeometry).dispose();
    });
    for (const material of this.materials) material.dispose();
  }
}
