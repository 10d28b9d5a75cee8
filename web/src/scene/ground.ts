// The meadow: a mesh with the terrain's height around the animal, a procedural texture, and tufts that show the speed.
import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  DoubleSide,
  Vector2,
  Vector3,
  Vector4,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Quaternion,
  RepeatWrapping,
  SRGBColorSpace,
} from "three";
import { makeTerrain, type Terrain } from "../terrain";
import { lcg } from "./lcg";

const REACH = 260;
const CELLS = 176;
/** Tufts of grass are planted in a square lattice. */
const TUFTS_PER_SIDE = 30;
/** Twice as many as the server allows actors: things that lie about have shade too. */
const MAX_BODIES = 16;
const FLAT = makeTerrain({ terrain: "flat" });

/** A tile of short grass: blotches of warmer and cooler green under fine blades. */
function grass(anisotropy: number): CanvasTexture {
  const size = 512;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const g = canvas.getContext("2d");
  if (!g) throw new Error("this browser has no 2D canvas");
  const random = lcg(7);
  g.fillStyle = "#8a9e64";
  g.fillRect(0, 0, size, size);
  const wrapped = (x: number, y: number, r: number, draw: (x: number, y: number) => void): void => {
    for (const dx of [-size, 0, size])
      for (const dy of [-size, 0, size])
        if (x + dx > -r && x + dx < size + r && y + dy > -r && y + dy < size + r) draw(x + dx, y + dy);
  };
  const blotches = ["#768d55", "#98aa70", "#a5a96f", "#809560"];
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

/** Distance of grid line i from the centre in metres: fine near the animal, coarse at the horizon. */
function line(i: number): number {
  const t = (2 * i) / CELLS - 1;
  return REACH * (0.14 * t + 0.86 * t * t * t * t * t);
}

function geometryOf(position: ArrayLike<number>, normal: ArrayLike<number>, index: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(position), 3));
  geometry.setAttribute("normal", new BufferAttribute(Float32Array.from(normal), 3));
  geometry.setIndex(index);
  return geometry;
}

/** A level mesh around the origin, built once: the vertex shader adds the heights. */
function lattice(): BufferGeometry {
  const n = CELLS + 1;
  const position: number[] = [];
  const normal: number[] = [];
  const index: number[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      position.push(line(i), 0, line(j));
      normal.push(0, 1, 0);
      const a = i * n + j;
      if (i < CELLS && j < CELLS) index.push(a, a + 1, a + n, a + n, a + 1, a + n + 1);
    }
  return geometryOf(position, normal, index);
}

/** Adds the terrain's height and slope (terrain.ts) to a vertex shader. Slopes are lit as if they were steeper: hills
 * that an animal can walk on are low, and would look flat. Hills fade out where the mesh is too coarse for them. */
function withTerrain(shader: string): string {
  return shader
    .replace(
      "#include <common>",
      `#include <common>
      uniform vec2 slope, middle, clear;
      uniform vec4 waves[4];
      varying vec3 meadow;
      varying float tone;
      vec3 hills(vec2 p) {
        vec3 sum = vec3(0.0);
        if (waves[0].w == 0.0) return sum;
        for (int i = 0; i < 4; i++) {
          float angle = dot(p, waves[i].xy) + waves[i].z;
          sum.xy += waves[i].w * cos(angle) * waves[i].xy;
          sum.z += waves[i].w * (sin(angle) - sin(waves[i].z));
        }
        return sum * (1.0 - smoothstep(clear.x, clear.y, length(p - middle)));
      }`,
    )
    .replace(
      "#include <beginnormal_vertex>",
      `vec2 spot = position.xz + middle;
      vec3 hill = hills(spot);
      vec2 grade = slope + hill.xy;
      vec3 objectNormal = normal.y > 0.99 ? normalize(vec3(-4.6 * grade / (1.0 + 8.0 * length(grade)), 1.0)).xzy : normal;`,
    )
    .replace(
      "#include <begin_vertex>",
      `float lift = dot(slope, spot) + hill.z;
      vec3 transformed = vec3(spot.x, position.y + lift, spot.y);
      meadow = transformed;
      // Wide patches keep the tile from showing as a pattern; hollows are darker.
      tone = sin(spot.x * 0.21 + 1.3 * sin(spot.y * 0.13)) + sin(spot.y * 0.17 + 1.1 * sin(spot.x * 0.11));
      tone = 0.05 * tone + 0.16 * clamp(hill.z / (4.0 * waves[0].w + 1e-6), -1.0, 1.0);`,
    );
}

/** Adds grass, mown lanes that bend with the ground, and shade under bodies to a fragment shader. */
function withGrass(shader: string): string {
  return shader
    .replace(
      "#include <common>",
      `#include <common>
      uniform float tile, lane;
      uniform vec3 bodies[${MAX_BODIES}];
      varying vec3 meadow;
      varying float tone;
      float stripe(float x) {
        float wide = fwidth(x) + 0.03;
        float saw = abs(fract(x) - 0.5) - 0.25;
        return clamp(saw / wide, -1.0, 1.0) / (1.0 + 6.0 * fwidth(x));
      }`,
    )
    .replace(
      "#include <map_fragment>",
      `vec2 turf = meadow.xz + vec2(0.0, meadow.y);
      // Lanes bend, and come and go: a straight check would show from above.
      vec2 bend = 0.7 * sin(turf.yx / lane * 0.22 + 1.8 * sin(turf.xy / lane * 0.075));
      vec2 wide = turf / lane * 0.21;
      float seen = 0.2 + 0.8 * smoothstep(-0.9, 1.1, sin(wide.x + 1.4 * sin(0.7 * wide.y)) + sin(0.83 * wide.y + 1.6 * sin(0.6 * wide.x)));
      float mow = 0.08 * seen * (stripe(turf.x / lane + bend.x) + stripe(turf.y / lane + bend.y));
      // Two layers of the tile, turned and of unlike size, take turns in patches, so that neither shows as a pattern.
      vec2 square = turf / tile;
      float which = sin(0.9 * square.x + 1.7 * sin(0.53 * square.y)) + sin(0.8 * square.y + 1.9 * sin(0.61 * square.x + 2.0));
      vec2 turned = mat2(0.78, 0.63, -0.63, 0.78) * square / 1.37;
      vec3 blades = mix(texture2D(map, square).rgb, texture2D(map, turned).rgb, smoothstep(-0.5, 0.5, which));
      diffuseColor.rgb *= blades * (1.0 + mow + tone * vec3(1.2, 1.0, 0.6));
      for (int i = 0; i < ${MAX_BODIES}; i++) {
        if (bodies[i].z <= 0.0) break;
        vec2 off = (meadow.xz - bodies[i].xy) / bodies[i].z;
        diffuseColor.rgb *= 1.0 - 0.42 * exp(-dot(off, off));
      }`,
    );
}

export class Ground {
  readonly group = new Group();
  private readonly plane: BufferGeometry;
  private readonly mesh: Mesh;
  private readonly tufts: InstancedMesh;
  /** The terrain of the scene, and what is laid: level ground while the group is turned. */
  private own: Terrain = FLAT;
  private terrain: Terrain | null = null;
  private turned = false;
  private readonly local = new Vector3();
  private centre: [number, number] = [NaN, NaN];
  private scale = 1;
  private readonly uniforms = {
    slope: { value: new Vector2() },
    waves: { value: [0, 1, 2, 3].map(() => new Vector4()) },
    middle: { value: new Vector2() },
    tile: { value: 4.5 },
    lane: { value: 3 },
    clear: { value: new Vector2(20, 40) },
    bodies: { value: Array.from({ length: MAX_BODIES }, () => new Vector3(0, 0, -1)) },
  };

  constructor(anisotropy: number) {
    const material = new MeshLambertMaterial({ map: grass(anisotropy) });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = withTerrain(shader.vertexShader);
      shader.fragmentShader = withGrass(shader.fragmentShader);
    };
    this.plane = lattice();
    this.mesh = new Mesh(this.plane, material);
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.tufts = new InstancedMesh(tuft(), new MeshBasicMaterial({ vertexColors: true, side: DoubleSide }), TUFTS_PER_SIDE * TUFTS_PER_SIDE);
    this.tufts.frustumCulled = false;
    this.group.add(this.mesh, this.tufts);
  }

  /** `scale` is 1 for a horse; smaller animals get smaller grass. */
  set(terrain: Terrain, scale: number): void {
    this.own = terrain;
    this.scale = Math.min(Math.max(scale, 0.12), 1.5);
    this.lay();
  }

  /** Lays level ground through a place, turned so; or with null the terrain as it is. */
  turn(turned: { place: Vector3; rotation: Quaternion } | null): void {
    if (turned) {
      this.group.position.copy(turned.place);
      this.group.quaternion.copy(turned.rotation);
    } else if (this.turned) {
      this.group.position.set(0, 0, 0);
      this.group.quaternion.identity();
    }
    if (this.turned !== (turned !== null)) {
      this.turned = turned !== null;
      this.lay();
    }
    this.group.updateMatrixWorld();
  }

  private lay(): void {
    const terrain = (this.terrain = this.turned ? FLAT : this.own);
    this.centre = [NaN, NaN];
    const { slope, waves } = terrain.shape;
    this.uniforms.slope.value.set(...slope);
    this.uniforms.waves.value.forEach((wave, i) => wave.set(...(waves[i] ?? [0, 0, 0, 0])));
    const longest = Math.max(...waves.map(([x, z]) => 6.28 / Math.hypot(x, z)), 4);
    this.uniforms.clear.value.set(4 * longest, 8 * longest);
    this.uniforms.tile.value = 4.5 * this.scale;
    this.uniforms.lane.value = 2.4 * this.scale;
  }

  /** Darkens the ground under bodies (ambient occlusion), given place and radius of each. */
  shade(bodies: readonly { place: Vector3; radius: number }[]): void {
    this.uniforms.bodies.value.forEach((body, i) => {
      const shading = bodies[i];
      if (!shading) return body.set(0, 0, -1);
      const { x, z } = this.group.worldToLocal(this.local.copy(shading.place));
      return body.set(x, z, shading.radius);
    });
  }

  /** Moves mesh and tufts with the animal, in steps so large that it seldom has to. */
  follow(place: Vector3): void {
    const { terrain } = this;
    if (!terrain) return;
    const { x, z } = this.group.worldToLocal(this.local.copy(place));
    const step = 6 * this.scale;
    const cx = Math.round(x / step) * step;
    const cz = Math.round(z / step) * step;
    if (cx === this.centre[0] && cz === this.centre[1]) return;
    this.centre = [cx, cz];
    if (this.mesh.geometry !== this.plane) this.mesh.geometry.dispose();
    this.mesh.geometry = terrain.profile ? this.stairs(terrain, cx, cz) : this.plane;
    this.uniforms.middle.value.set(terrain.profile ? 0 : cx, terrain.profile ? 0 : cz);
    this.plant(terrain, cx, cz);
  }

  /** A mesh along the profile of stairs, whose sharp edges a grid would miss. */
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
    return geometryOf(position, normal, index);
  }

  /** One tuft for every cell of a lattice around the animal; the same cell always has the same tuft. */
  private plant(terrain: Terrain, cx: number, cz: number): void {
    const cell = 2.2 * this.scale;
    const matrix = new Matrix4();
    let k = 0;
    for (let i = 0; i < TUFTS_PER_SIDE; i++)
      for (let j = 0; j < TUFTS_PER_SIDE; j++) {
        const u = Math.round(cx / cell) + i - TUFTS_PER_SIDE / 2;
        const v = Math.round(cz / cell) + j - TUFTS_PER_SIDE / 2;
        const random = lcg(Math.imul(u, 73856093) ^ Math.imul(v, 19349663));
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

/** The height of stairs without the tilt. */
function untilted(terrain: Terrain, x: number, z: number): number {
  const [gx, gz] = terrain.gradient(x, z);
  return terrain.height(x, z) - gx * x - gz * z;
}

/** Some blades from one root, darker below. */
function tuft(): BufferGeometry {
  const position: number[] = [];
  const colour: number[] = [];
  const normal: number[] = [];
  const random = lcg(3);
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
