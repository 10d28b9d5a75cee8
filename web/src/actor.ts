// One animal in the scene: its body from the server's GLB, posed by frames, with its skeleton as an overlay.
import { Bone, type BufferGeometry, Color, Group, Mesh, MeshStandardMaterial, type Object3D, Quaternion, type Raycaster, SkinnedMesh, Vector3 } from "three";
import { GLTFLoader, type GLTF } from "three/examples/jsm/loaders/GLTFLoader.js";
import { legColour } from "./colours";
import { Bones } from "./scene/bones";
import type { ActorFrame, ActorInfo } from "./wire";

interface GltfJson {
  nodes?: { name?: string }[];
  skins?: { joints: number[] }[];
}

// Rim light that draws the outline: the sky's, and a warmer one during a transition between gaits.
const RIM = new Color("#a9c6da").multiplyScalar(0.16);
const GLOW = new Color("#ffe3b0").multiplyScalar(0.3);
const FADE_SECONDS = 0.2;

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
  /** A length like the hip height that also accounts for a shell or a long neck. */
  readonly scale: number;
  /** The corners of the box that the body fills when it stands and goes slowly, seen from its place. */
  readonly low: Vector3;
  readonly high: Vector3;
  private bones: Object3D[] = [];
  private readonly meshes: Mesh[] = [];
  private readonly skeleton: Bones;
  private readonly materials: MeshStandardMaterial[] = [];
  private readonly rim = { value: RIM.clone() };
  private skeletonShown = false;
  /** 0 to 1: how far the rim light is changed, and the body faded. */
  private tinted = 0;
  private faded = 0;

  constructor(public info: ActorInfo) {
    [this.low, this.high] = [new Vector3(...info.bounds[0]), new Vector3(...info.bounds[1])];
    const box = this.high.clone().sub(this.low);
    this.scale = Math.max(box.x * 0.62, box.z * 0.42, box.y * 0.5);
    // Placeholder bones pose the animal until those of its file are loaded.
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
    gltf.scene.traverse((part) => {
      if (!(part instanceof Mesh)) return;
      part.castShadow = true;
      part.receiveShadow = true;
      part.frustumCulled = false;
      this.meshes.push(part);
      if (part instanceof SkinnedMesh) this.hasSkin = true;
      for (const material of Array.isArray(part.material) ? part.material : [part.material])
        if (material instanceof MeshStandardMaterial) this.prepare(material);
    });
    if (found.every((bone): bone is Object3D => bone !== null)) {
      this.bones[0]?.removeFromParent();
      this.bones = found;
      this.group.add(gltf.scene);
    }
    this.loaded = true;
    this.showSkeleton(this.skeletonShown);
  }

  /** Adds rim light, and makes metal dull: there is no environment that it could reflect. */
  private prepare(material: MeshStandardMaterial): void {
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

  /** Shows or hides the bones; an animal without a skin always shows them. */
  showSkeleton(on: boolean): void {
    this.skeletonShown = on;
    this.skeleton.visible = on || !this.hasSkin;
    this.updateOpacity();
  }

  /** Fades an animal that hides the one that is driven. */
  fade(on: boolean, dt: number): void {
    const before = this.faded;
    this.faded += Math.min(Math.max((on ? 1 : 0) - before, -dt / FADE_SECONDS), dt / FADE_SECONDS);
    if (this.faded !== before) this.updateOpacity();
  }

  private updateOpacity(): void {
    const opacity = Math.min(this.skeletonShown ? 0.3 : 1, 1 - 0.75 * this.faded);
    for (const material of this.materials) {
      if (material.transparent !== opacity < 1) material.needsUpdate = true;
      material.transparent = opacity < 1;
      material.opacity = opacity;
    }
  }

  /** Colours the bones of legs from hip to foot; `legs` replaces those that the server found. */
  paintLegs(legs?: { name: string; joints: string[] }[]): void {
    const { joints, parents, feet } = this.info;
    const names = legs?.map((leg) => leg.name) ?? this.info.legs;
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
    joints.forEach((_, j) => {
      const leg = owner[j] ?? -1;
      this.skeleton.paint(j, leg < 0 ? "#fdf7e7" : legColour(names[leg] ?? "", leg));
    });
  }

  private readonly q = new Quaternion();

  pose(a: ActorFrame, b: ActorFrame, alpha: number, dt: number): void {
    const blend = (x: Float32Array, y: Float32Array, i: number): number =>
      (x[i] ?? 0) + ((y[i] ?? 0) - (x[i] ?? 0)) * alpha;
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
      bone.quaternion.slerp(this.q, alpha);
    });
    if (this.skeleton.visible) this.drawBones();
    this.tint(Number.isNaN(b.transition) ? 0 : 1, dt);
  }

  private drawBones(): void {
    this.group.updateMatrixWorld(true);
    this.skeleton.update((j, out) => this.jointPlace(j, out));
  }

  /** The world position of joint j. */
  jointPlace(j: number, out: Vector3): Vector3 {
    return out.setFromMatrixPosition(this.bones[j]?.matrixWorld ?? this.group.matrixWorld);
  }

  /** Where a ray first meets the body as it is posed; null if it does not. */
  hit(ray: Raycaster): Vector3 | null {
    for (const mesh of this.meshes) if (mesh instanceof SkinnedMesh) mesh.computeBoundingSphere(); // that of the pose of now
    return ray.intersectObjects(this.meshes, false)[0]?.point ?? null;
  }

  /** Calls with the world position of every vertex, or of every joint if there is no mesh. */
  forEachPoint(call: (at: Vector3) => void): void {
    const at = new Vector3();
    this.group.updateMatrixWorld(true);
    if (!this.hasSkin) return this.bones.forEach((_, j) => call(this.jointPlace(j, at)));
    this.group.traverse((part) => {
      if (!(part instanceof SkinnedMesh)) return;
      for (let i = 0; i < part.geometry.attributes["position"].count; i++) call(part.getVertexPosition(i, at).applyMatrix4(part.matrixWorld));
    });
  }

  /** Warms the rim light during a transition between gaits. */
  private tint(goal: number, dt: number): void {
    this.tinted += Math.min(Math.max(goal - this.tinted, -dt / FADE_SECONDS), dt / FADE_SECONDS);
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
