// The meadow: a mesh with the terrain's height around the animal, a procedural texture, and tufts that show the speed.
import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  DoubleSide,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  RepeatWrapping,
  SRGBColorSpace,
} from "three";
import type { Terrain } from "../terrain";

const REACH = 260;
const CELLS = 120;

/** A small repeatable stream of numbers for decoration. */
function stream(seed: number): () => number {
  let s = seed >>> 0;
  return () => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
    return s / 2 ** 32;
  };
}

/** A tile of short grass: blotches of warmer and cooler green under fine blades. */
function grass(anisotropy: number): CanvasTexture {
  const size = 512;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const g = canvas.getContext("2d");
  if (!g) throw new Error("this browser has no 2D canvas");
  const random = stream(7);
  g.fillStyle = "#8b9b6d";
  g.fillRect(0, 0, size, size);
  const wrapped = (x: number, y: number, r: number, draw: (x: number, y: number) => void): void => {
    for (const dx of [-size, 0, size])
      for (const dy of [-size, 0, size])
        if (x + dx > -r && x + dx < size + r && y + dy > -r && y + dy < size + r) draw(x + dx, y + dy);
  };
  const blotches = ["#798c5e", "#98a778", "#a2a778", "#829369"];
  for (let i = 0; i < 90; i++) {
    const r = 30 + 70 * random();
    const colour = blotches[i % blotches.length] ?? "#8ea268";
    wrapped(size * random(), size * random(), r, (x, y) => {
      const fill = g.createRadialGradient(x, y, 0, x, y, r);
      fill.addColorStop(0, colour + "66");
      fill.addColorStop(1, colour + "00");
      g.fillStyle = fill;
      g.fillRect(x - r, y - r, 2 * r, 2 * r);
    });
  }
  const blades = ["#6b7e54", "#a6b284", "#7b8d60", "#b2b689", "#61754d"];
  for (let i = 0; i < 5200; i++) {
    g.strokeStyle = (blades[i % blades.length] ?? "#6f8750") + "70";
    g.lineWidth = 0.8 + random();
    const angle = -Math.PI / 2 + (random() - 0.5) * 1.6;
    const length = 3 + 7 * random();
    wrapped(size * random(), size * random(), 12, (x, y) => {
      g.beginPath();
      g.moveTo(x, y);
      g.lineTo(x + length * Math.cos(angle), y + length * Math.sin(angle));
      g.stroke();
    });
  }
  const texture = new CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = anisotropy;
  return texture;
}

/** Distance of grid line i from the middle: fine near the animal, wide at the horizon. */
function line(i: number): number {
  const t = (2 * i) / CELLS - 1;
  return REACH * (0.14 * t + 0.86 * t * t * t * t * t);
}

export class Ground {
  readonly group = new Group();
  private mesh: Mesh;
  private tufts: InstancedMesh;
  private terrain: Terrain | null = null;
  private centre: [number, number] = [NaN, NaN];
  private scale = 1;
  private readonly material = new MeshLambertMaterial({ vertexColors: true });

  constructor(anisotropy: number) {
    this.material.map = grass(anisotropy);
    this.mesh = new Mesh(new BufferGeometry(), this.material);
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.tufts = new InstancedMesh(
      tuft(),
      new MeshBasicMaterial({ vertexColors: true, side: DoubleSide }),
      900,
    );
    this.tufts.frustumCulled = false;
    this.group.add(this.mesh, this.tufts);
  }

  /** `scale` is 1 for a horse: grass must not hide a turtle. */
  set(terrain: Terrain, scale: number): void {
    this.terrain = terrain;
    this.scale = Math.min(Math.max(scale, 0.12), 1.5);
    this.centre = [NaN, NaN];
  }

  /** Moves mesh and tufts with the animal, in strides so large that it costs nothing most of the time. */
  follow(x: number, z: number): void {
    const { terrain } = this;
    if (!terrain) return;
    const stride = 6 * this.scale;
    const cx = Math.round(x / stride) * stride;
    const cz = Math.round(z / stride) * stride;
    if (cx === this.centre[0] && cz === this.centre[1]) return;
    this.centre = [cx, cz];
    this.mesh.geometry.dispose();
    this.mesh.geometry = terrain.profile ? this.stairs(terrain, cx, cz) : this.grid(terrain, cx, cz);
    this.plant(terrain, cx, cz);
  }

  private grid(terrain: Terrain, cx: number, cz: number): BufferGeometry {
    const n = CELLS + 1;
    const position = new Float32Array(n * n * 3);
    const normal = new Float32Array(n * n * 3);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        const x = cx + line(i);
        const z = cz + line(j);
        const [gx, gz] = terrain.gradient(x, z);
        const k = 3 * (i * n + j);
        const length = Math.hypot(gx, 1, gz);
        position.set([x, terrain.height(x, z), z], k);
        normal.set([-gx / length, 1 / length, -gz / length], k);
      }
    const index: number[] = [];
    for (let i = 0; i < CELLS; i++)
      for (let j = 0; j < CELLS; j++) {
        const a = i * n + j;
        index.push(a, a + 1, a + n, a + n, a + 1, a + n + 1);
      }
    return this.finish(position, normal, index);
  }

  /** Stairs have sharp edges that no grid meets, so they are drawn along their profile. */
  private stairs(terrain: Terrain, cx: number, cz: number): BufferGeometry {
    const { direction, corners } = terrain.profile ?? { direction: 0, corners: [] };
    const [ax, az] = [Math.sin(direction), Math.cos(direction)];
    const along = cx * ax + cz * az;
    const across = cx * az - cz * ax;
    const ends: [number, number][] = [[along - REACH, 0], ...corners, [along + REACH, 0]];
    const sides = [-REACH, -60, -20, -8, 0, 8, 20, 60, REACH];
    const position: number[] = [];
    const normal: number[] = [];
    const index: number[] = [];
    for (let k = 0; k + 1 < ends.length; k++) {
      const [s0, h0] = ends[k] ?? [0, 0];
      const [s1, h1] = ends[k + 1] ?? [0, 0];
      const riser = s0 === s1;
      const up = riser ? 0 : 1;
      const face = riser ? (h1 > h0 ? -1 : 1) : 0;
      for (const side of sides) {
        const c = across + side;
        for (const [s, h] of [[s0, h0], [s1, h1]] as const) {
          const x = s * ax + c * az;
          const z = s * az - c * ax;
          position.push(x, h + terrain.height(x, z) - untilted(terrain, x, z), z);
          // Risers take light from above too, or those that look away from the sun would be black.
          normal.push(face * ax * 0.6, riser ? 0.8 : up, face * az * 0.6);
        }
      }
      const base = k * sides.length * 2;
      for (let j = 0; j + 1 < sides.length; j++) {
        const a = base + 2 * j;
        index.push(a, a + 1, a + 2, a + 2, a + 1, a + 3);
      }
    }
    return this.finish(new Float32Array(position), new Float32Array(normal), index, true);
  }

  private finish(position: Float32Array, normal: Float32Array, index: number[], stairs = false): BufferGeometry {
    const count = position.length / 3;
    const uv = new Float32Array(count * 2);
    const colour = new Float32Array(count * 3);
    const tile = 4.5 * this.scale;
    for (let k = 0; k < count; k++) {
      const x = position[3 * k] ?? 0;
      const y = position[3 * k + 1] ?? 0;
      const z = position[3 * k + 2] ?? 0;
      uv[2 * k] = x / tile;
      uv[2 * k + 1] = (z + (stairs ? y : 0)) / tile;
      // Wide patches keep the tile from showing as a pattern; hollows are a little darker.
      const patch = Math.sin(x * 0.21 + 1.3 * Math.sin(z * 0.13)) + Math.sin(z * 0.17 + 1.1 * Math.sin(x * 0.11));
      const shade = 0.93 + 0.05 * patch * (stairs ? 0 : 1) - (stairs && (normal[3 * k + 1] ?? 1) < 0.9 ? 0.2 : 0);
      colour.set([shade, shade, shade * 0.97], 3 * k);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(position, 3));
    geometry.setAttribute("normal", new BufferAttribute(normal, 3));
    geometry.setAttribute("uv", new BufferAttribute(uv, 2));
    geometry.setAttribute("color", new BufferAttribute(colour, 3));
    geometry.setIndex(index);
    return geometry;
  }

  /** One tuft for every cell of a lattice around the animal; the same cell always has the same tuft. */
  private plant(terrain: Terrain, cx: number, cz: number): void {
    const cell = 2.2 * this.scale;
    const matrix = new Matrix4();
    const side = 30;
    let k = 0;
    for (let i = 0; i < side; i++)
      for (let j = 0; j < side; j++) {
        const u = Math.round(cx / cell) + i - side / 2;
        const v = Math.round(cz / cell) + j - side / 2;
        const random = stream(Math.imul(u, 73856093) ^ Math.imul(v, 19349663));
        random();
        const x = (u + 0.9 * random()) * cell;
        const z = (v + 0.9 * random()) * cell;
        const size = this.scale * (random() < 0.35 ? 0 : 0.55 + 0.7 * random());
        matrix.makeRotationY(6.28 * random());
        matrix.scale({ x: size, y: size, z: size } as Parameters<Matrix4["scale"]>[0]);
        matrix.setPosition(x, terrain.height(x, z), z);
        this.tufts.setMatrixAt(k++, matrix);
      }
    this.tufts.count = k;
    this.tufts.instanceMatrix.needsUpdate = true;
  }
}

/** A step's own height, so that what a tilt adds can be told apart. */
function untilted(terrain: Terrain, x: number, z: number): number {
  const [gx, gz] = terrain.gradient(x, z);
  return terrain.height(x, z) - gx * x - gz * z;
}

/** Some blades from one root, darker below. */
function tuft(): BufferGeometry {
  const position: number[] = [];
  const colour: number[] = [];
  const normal: number[] = [];
  const random = stream(3);
  const low = new Color("#74894f");
  const high = new Color("#bac487");
  for (let i = 0; i < 11; i++) {
    const angle = (6.28 * i) / 11 + random();
    const [s, c] = [Math.sin(angle), Math.cos(angle)];
    const out = 0.03 + 0.09 * random();
    const height = 0.05 + 0.08 * random();
    const w = 0.006 + 0.005 * random();
    position.push(-w * c, 0, w * s, w * c, 0, -w * s, out * s, height, out * c);
    for (const shade of [low, low, high]) {
      colour.push(shade.r, shade.g, shade.b);
      normal.push(0, 1, 0);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normal), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(colour), 3));
  return geometry;
}
