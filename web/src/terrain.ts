// The height of the ground: the same formulas as canter's World (src/canter/control/world.py).
import type { TerrainInfo, Triple, Waves } from "./wire";

export interface Terrain {
  height(x: number, z: number): number;
  /** Change of height along x and z. */
  gradient(x: number, z: number): [number, number];
  /** A continuous height that is nowhere below the ground, for overlays. */
  surface(x: number, z: number): number;
  /** The same as numbers for a shader: a slope along x and z, and waves of x, z (rad/m), phase and amplitude (m). */
  readonly shape: Shape;
  /** Steps only: heights along `direction`, as (distance, height) corners, for a mesh with sharp edges. */
  readonly profile?: { direction: number; corners: [number, number][] };
}

export interface Shape {
  slope: [number, number];
  waves: [number, number, number, number][];
}

interface BaseTerrain {
  slope?: [number, number];
  waves?: Shape["waves"];
  height(x: number, z: number): number;
  gradient(x: number, z: number): [number, number];
  surface?(x: number, z: number): number;
  profile?: Terrain["profile"];
}

const flat: BaseTerrain = { height: () => 0, gradient: () => [0, 0] };

function slope(angle: number, direction: number): BaseTerrain {
  const gx = Math.tan(angle) * Math.sin(direction);
  const gz = Math.tan(angle) * Math.cos(direction);
  return { slope: [gx, gz], height: (x, z) => gx * x + gz * z, gradient: () => [gx, gz] };
}

function rolling({ vectors, phases, amplitude }: Waves): BaseTerrain {
  const waves = vectors.map(([x, z], i) => ({ x, z, phase: phases[i] ?? 0 }));
  return {
    waves: waves.map((w) => [w.x, w.z, w.phase, amplitude]),
    height: (x, z) =>
      amplitude * waves.reduce((sum, w) => sum + Math.sin(x * w.x + z * w.z + w.phase) - Math.sin(w.phase), 0),
    gradient: (x, z) => {
      let gx = 0;
      let gz = 0;
      for (const w of waves) {
        const c = amplitude * Math.cos(x * w.x + z * w.z + w.phase);
        gx += c * w.x;
        gz += c * w.z;
      }
      return [gx, gz];
    },
  };
}

function steps(rise: number, run: number, count: number, direction: number, start: number): BaseTerrain {
  const at = (step: number): number => rise * Math.max(Math.min(step, 2 * count - step), 0);
  const corners: [number, number][] = [];
  for (let step = 1; step <= 2 * count; step++) {
    const edge = start + (step - 1) * run;
    corners.push([edge, at(step - 1)], [edge, at(step)]);
  }
  return {
    height: (x, z) =>
      at(Math.floor((x * Math.sin(direction) + z * Math.cos(direction) - start) / run) + 1),
    gradient: () => [0, 0],
    surface: (x, z) => {
      const step = (x * Math.sin(direction) + z * Math.cos(direction) - start) / run + 1;
      return rise * Math.min(Math.max(Math.min(step, 2 * count + 1 - step), 0), count);
    },
    profile: { direction, corners },
  };
}

/** The terrain of a scene; numbers that it leaves out are canter's own defaults. Rolling hills need their `waves`. */
export function makeTerrain(info: TerrainInfo, waves: Waves | null = null): Terrain {
  const get = (key: string, otherwise: number): number => {
    const value = info[key];
    return typeof value === "number" ? value : otherwise;
  };
  let base = flat;
  if (info.terrain === "slope") base = slope(get("angle", (8 * Math.PI) / 180), get("direction", 0));
  if (info.terrain === "rolling" && waves) base = rolling(waves);
  if (info.terrain === "steps")
    base = steps(get("rise", 0.1), get("run", 0.6), get("count", 8), get("direction", 0), get("start", 1.5));
  const tilt = info.tilt ?? [0, 0];
  const tx = Math.tan(tilt[1] ?? 0);
  const tz = Math.tan(tilt[0] ?? 0);
  const ground = base;
  return {
    height: (x, z) => ground.height(x, z) + tx * x + tz * z,
    surface: (x, z) => (ground.surface ?? ground.height)(x, z) + tx * x + tz * z,
    gradient: (x, z) => {
      const [gx, gz] = ground.gradient(x, z);
      return [gx + tx, gz + tz];
    },
    // Meshes of steps have their tilt already.
    shape: { slope: ground.profile ? [0, 0] : [tx + (ground.slope?.[0] ?? 0), tz + (ground.slope?.[1] ?? 0)], waves: ground.waves ?? [] },
    ...(ground.profile ? { profile: ground.profile } : {}),
  };
}

/** Ground that is a plane through a place, turned away from level by a unit normal; both x, y, z. */
export function planeTerrain([nx, ny, nz]: Triple, [px, py, pz]: Triple): Terrain {
  const [gx, gz] = [-nx / ny, -nz / ny];
  const height = (x: number, z: number): number => py + gx * (x - px) + gz * (z - pz);
  return { height, surface: height, gradient: () => [gx, gz], shape: { slope: [gx, gz], waves: [] } };
}
