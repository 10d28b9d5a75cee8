// Things around an animal, such as thrown boxes: a mesh each, added, moved between frames and removed.
import {
  BoxGeometry,
  type BufferGeometry,
  CanvasTexture,
  CapsuleGeometry,
  Color,
  CylinderGeometry,
  Group,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  SRGBColorSpace,
  Vector3,
} from "three";
import type { PropFrame } from "../wire";
import { lcg } from "./lcg";

/** A thing that would be faster than this, in m/s, is another one in its place: nothing is drawn between the two. */
const MAX_SPEED = 40;
/** Metres along each side of a plane, which has no size of its own. */
const PLANE_SIDE = 4;
/** Crates differ a little, so that they can be told apart in a heap. */
const TINTS = ["#ffffff", "#f0dcc6", "#ded0c4", "#fff0dc", "#e6c8aa", "#f4e6da"];

/** A face of a crate: four boards in a frame with a nail at each end. */
function crateFace(): CanvasTexture {
  const size = 256;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const g = canvas.getContext("2d");
  if (!g) throw new Error("this browser has no 2D canvas");
  const random = lcg(5);
  const board = (x: number, y: number, width: number, height: number, colour: string): void => {
    g.fillStyle = "#4a321e";
    g.fillRect(x, y, width, height);
    g.fillStyle = colour;
    g.fillRect(x + 1.5, y + 1.5, width - 3, height - 3);
    const along = width > height;
    const [length, breadth] = along ? [width, height] : [height, width];
    for (let i = 0; i < breadth / 2; i++) {
      g.strokeStyle = `rgb(74 46 22 / ${0.06 + 0.16 * random()})`;
      g.lineWidth = 0.7 + random();
      const [at, bend] = [3 + (breadth - 6) * random(), 5 * (random() - 0.5)];
      g.beginPath();
      g.moveTo(along ? x + 2 : x + at, along ? y + at : y + 2);
      g.quadraticCurveTo(along ? x + length / 2 : x + at + bend, along ? y + at + bend : y + length / 2, along ? x + length - 2 : x + at, along ? y + at : y + length - 2);
      g.stroke();
    }
  };
  const nail = (x: number, y: number): void => {
    g.fillStyle = "#3b2c20";
    g.beginPath();
    g.arc(x, y, 3, 0, 7);
    g.fill();
  };
  const [rim, wide] = [34, (size - 4) / 4];
  ["#b98a55", "#c4955f", "#b08150", "#bf905a"].forEach((colour, i) => board(2 + i * wide, 0, wide, size, colour));
  for (const [x, y, width, height] of [[0, 0, size, rim], [0, size - rim, size, rim], [0, rim, rim, size - 2 * rim], [size - rim, rim, rim, size - 2 * rim]] as const)
    board(x, y, width, height, "#cda06a");
  for (const x of [rim / 2, size - rim / 2]) for (const y of [rim / 2, size - rim / 2]) nail(x, y);
  // The frame stands out: it shades the boards along its inner edge.
  g.strokeStyle = "rgb(50 30 12 / 0.45)";
  g.lineWidth = 5;
  g.strokeRect(rim + 2, rim + 2, size - 2 * rim - 4, size - 2 * rim - 4);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}

/** The shape of a prop at its size. */
function geometryOf({ shape, size: [a, b, c] }: PropFrame): BufferGeometry {
  if (shape === "sphere") return new SphereGeometry(a, 32, 20);
  if (shape === "capsule") return new CapsuleGeometry(a, Math.max(b - 2 * a, 0), 8, 24);
  if (shape === "cylinder") return new CylinderGeometry(a, a, b, 32);
  if (shape === "plane") return new PlaneGeometry(PLANE_SIDE, PLANE_SIDE).rotateX(-Math.PI / 2);
  return new BoxGeometry(a, b, c);
}

/** The greatest distance of a prop's surface from its middle. */
function radiusOf({ shape, size: [a, b, c] }: PropFrame): number {
  if (shape === "sphere") return a;
  if (shape === "plane") return PLANE_SIDE / 2;
  return shape === "box" ? Math.hypot(a, b, c) / 2 : Math.hypot(a, b / 2);
}

interface Drawn {
  mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  radius: number;
  /** Shape and size. */
  kind: string;
}

export class Props {
  readonly group = new Group();
  private drawn: Drawn[] = [];
  private readonly crate = new MeshStandardMaterial({ roughness: 0.85, metalness: 0 });
  private readonly q = new Quaternion();

  /** Draws the moment between two frames that are `seconds` apart; `alpha` is the weight of the later one. */
  update(earlier: readonly PropFrame[], later: readonly PropFrame[], alpha: number, seconds: number): void {
    for (const { mesh } of this.drawn.splice(later.length)) dispose(mesh);
    later.forEach((prop, i) => {
      const { mesh } = this.meshOf(prop, i);
      const before = earlier[i];
      const [w, x, y, z] = prop.rotation;
      mesh.position.set(...prop.position);
      mesh.quaternion.set(x, y, z, w);
      if (!before || kindOf(before) !== kindOf(prop) || mesh.position.distanceTo(new Vector3(...before.position)) > MAX_SPEED * seconds) return;
      const [w0, x0, y0, z0] = before.rotation;
      mesh.position.lerpVectors(new Vector3(...before.position), new Vector3(...prop.position), alpha);
      mesh.quaternion.slerpQuaternions(this.q.set(x0, y0, z0, w0), mesh.quaternion.clone(), alpha);
    });
  }

  /** Where things are, and how far they reach. */
  get places(): { place: Vector3; radius: number }[] {
    return this.drawn.map(({ mesh, radius }) => ({ place: mesh.position, radius }));
  }

  private meshOf(prop: PropFrame, i: number): Drawn {
    const old = this.drawn[i];
    const kind = kindOf(prop);
    if (old?.kind === kind) return old;
    if (old) dispose(old.mesh);
    const mesh = new Mesh(geometryOf(prop), this.materialOf(prop, i));
    mesh.castShadow = mesh.receiveShadow = true;
    this.group.add(mesh);
    return (this.drawn[i] = { mesh, radius: radiusOf(prop), kind });
  }

  private materialOf({ shape }: PropFrame, i: number): MeshStandardMaterial {
    const material = this.crate.clone();
    if (shape === "box") material.map = this.crate.map ??= crateFace();
    material.color = new Color(shape === "box" ? TINTS[i % TINTS.length] : shape === "plane" ? "#b9b29a" : "#c65f3c");
    return material;
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const { mesh } of this.drawn.splice(0)) dispose(mesh);
    this.crate.map?.dispose();
  }
}

const kindOf = ({ shape, size }: PropFrame): string => `${shape} ${size.join()}`;

function dispose(mesh: Mesh<BufferGeometry, MeshStandardMaterial>): void {
  mesh.removeFromParent();
  mesh.geometry.dispose();
  mesh.material.dispose();
}
