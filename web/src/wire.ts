// Types of the studio's messages (docs/studio_wire.md), and the decoder of its binary frames.

export interface Style {
  name: string;
  low: number;
  high: number;
  default?: number;
}

export interface Capabilities {
  speed_range: [number, number];
  actions: string[];
  gaits: Record<string, [number, number]>;
  /** What the feet of each gait say that it is: "trot" of "fox_jog". */
  kinds: Record<string, string>;
  /** Both for people to read: "fox_jog: trot". */
  labels: Record<string, string>;
  turn_rate: number;
  styles: Style[];
  honours: string[];
}

export interface ActorInfo {
  id: number;
  animal: string;
  name: string;
  controller: string;
  size: number;
  glb: string;
  joints: string[];
  parents: number[];
  legs: string[];
  feet: number[];
  hip_height: number;
  /** The lowest and highest corner of the box that it fills when it stands and goes slowly, seen from its place. */
  bounds: [[number, number, number], [number, number, number]];
  /** Kilograms; null of animals that cannot be pushed. */
  mass: number | null;
  /** The ground as it is set; null where the controller does not feel it. */
  ground: GroundInfo | null;
  driver: number | null;
  /** Which experts of its network are on; empty where there are none to switch. */
  experts: boolean[];
  capabilities: Capabilities;
}

export interface GroundInfo {
  friction: number;
  /** Pitch and roll in radians: they lift what lies ahead (+z) and to the left (+x). */
  tilt: [number, number];
  /** Radians a second. */
  turn_rate: number;
}

export interface TerrainInfo {
  terrain: string;
  tilt?: number[];
  [key: string]: string | number | number[] | undefined;
}

/** Rolling hills: amplitude (m) times the sum of sin(vector · (x, z) + phase) - sin(phase); vectors in rad/m. */
export interface Waves {
  vectors: [number, number][];
  phases: number[];
  amplitude: number;
}

export interface SceneInfo {
  actors: ActorInfo[];
  terrain: TerrainInfo;
  /** Only of rolling terrain. */
  waves: Waves | null;
  abreast: boolean;
  paused: boolean;
  pace: number;
  recording: boolean;
}

/** A scene that the page requests; the server answers with a SceneInfo. */
export interface SceneRequest {
  actors: { animal: string; controller: string; size: number }[];
  terrain: TerrainInfo;
  abreast: boolean;
}

export interface Command {
  actor: number;
  speed?: number;
  heading?: number;
  facing?: number | null;
  action?: string | null;
  style?: Record<string, number>;
}

export type Triple = [number, number, number];

/** A shove of a joint, or of the trunk (null): an impulse in newton seconds. */
export interface Push {
  actor: number;
  impulse: Triple;
  joint: string | null;
}

/** A box that flies from now on, in metres, m/s and kilograms. */
export interface Throw {
  actor: number;
  position: Triple;
  velocity: Triple;
  size: Triple;
  mass: number;
}

/** A change of an animal of one's own: of a gait or action, or of its size. */
export type Edit =
  | { do: "rename"; gait: string; name: string }
  | { do: "drop" | "action" | "gait"; gait: string }
  | { do: "hip_height"; metres: number };

export type ToServer =
  | ({ type: "edit"; animal: string } & Edit)
  | ({ type: "scene" } & SceneRequest)
  | ({ type: "command" } & Command)
  | { type: "go_to"; actor: number; x: number; z: number; speed: number }
  | { type: "path"; actor: number; points: [number, number][]; speed: number }
  | ({ type: "push" } & Push)
  | ({ type: "throw" } & Throw)
  | ({ type: "ground" } & Partial<GroundInfo>)
  | { type: "pause"; on: boolean }
  | { type: "pace"; value: number }
  | { type: "step" }
  | { type: "reset" }
  | { type: "record"; on: boolean }
  | { type: "take"; actor: number }
  | { type: "leave"; actor: number }
  | { type: "experts"; actor: number; enabled: boolean[] };

export type FromServer =
  | { type: "hello"; stage: string; viewer: number; rate: number }
  | ({ type: "scene" } & SceneInfo)
  | { type: "names"; names: string[] }
  | { type: "event"; actor: number; frame: number; events: string[] }
  | { type: "doing"; text: string }
  | { type: "error"; text: string }
  | { type: "alive" }
  | { type: "recorded"; seconds: number; actors: number[] };

export interface Catalog {
  version: string;
  /** `kept` are those of the user: by which version of canter they were built. */
  animals: { key: string; summary: string; kept?: { canter: string } }[];
  /** What is wrong with kept animals that are not listed. */
  problems: string[];
  /** `only` names the animals that a controller drives, if not all. */
  controllers: { name: string; summary: string; missing: string[]; only: string[] }[];
  terrains: Record<string, Record<string, number>>;
}

export const TRAJECTORY = 12;
/** Index of the present in the trajectory. */
export const NOW = 6;

export const SHAPES = ["box", "sphere", "capsule", "cylinder", "plane"] as const;
export type PropShape = (typeof SHAPES)[number];

/** A thing that is not the animal. */
export interface PropFrame {
  /** Index in the `names`. */
  name: number;
  shape: PropShape;
  /** Of a box its sides, of a sphere its radius, of a capsule or cylinder radius and length along y. */
  size: Triple;
  position: Triple;
  /** w, x, y, z. */
  rotation: [number, number, number, number];
}

export interface ActorFrame {
  id: number;
  gait: number;
  contacts: number;
  legs: number;
  place: [number, number, number];
  facing: number;
  velocity: [number, number, number];
  commandedSpeed: number;
  commandedHeading: number;
  /** 0 to 1 during a transition between gaits, else NaN. */
  transition: number;
  milliseconds: number;
  skating: number;
  speedError: number;
  headingError: number;
  /** 12 times x, y, z, facing. */
  trajectory: Float32Array;
  footholds: Float32Array;
  phases: Float32Array;
  experts: Float32Array;
  /** Forces of the ground on the feet in newtons, x, y, z of each leg; empty where the controller reports none. */
  forces: Float32Array;
  positions: Float32Array;
  rotations: Float32Array;
  /** Read from the buffer whenever it is looked at: frames are kept by the thousand. */
  readonly props: PropFrame[];
}

export interface Frame {
  frame: number;
  time: number;
  paused: boolean;
  recording: boolean;
  actors: ActorFrame[];
}

const MAGIC = 0x544e4143;
const VERSION = 2;
/** Numbers of a prop, of 4 bytes each. */
const PROP_NUMBERS = 12;

/** The props in a part of a buffer: name and shape as whole numbers, then size, position and rotation. */
function readProps(numbers: Float32Array): PropFrame[] {
  const whole = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  return Array.from({ length: numbers.length / PROP_NUMBERS }, (_, i) => {
    const [name = 0, shape = 0] = whole.subarray(PROP_NUMBERS * i);
    const part = (from: number, to: number): number[] => [...numbers.subarray(PROP_NUMBERS * i + from, PROP_NUMBERS * i + to)];
    return { name, shape: SHAPES[shape] ?? "box", size: part(2, 5) as Triple, position: part(5, 8) as Triple, rotation: part(8, 12) as PropFrame["rotation"] };
  });
}

/** The frame in `buffer`; its arrays are views into the buffer. */
export function decode(buffer: ArrayBuffer): Frame {
  const view = new DataView(buffer);
  if (buffer.byteLength < 32 || view.getUint32(0, true) !== MAGIC) throw new Error("not a frame of canter");
  if (view.getUint32(4, true) !== VERSION) throw new Error("a frame of another version: reload the page");
  const flags = view.getUint32(24, true);
  const frame: Frame = {
    frame: view.getUint32(8, true),
    time: view.getFloat64(16, true),
    paused: (flags & 1) !== 0,
    recording: (flags & 2) !== 0,
    actors: [],
  };
  let at = 32;
  const floats = (count: number): Float32Array => {
    const array = new Float32Array(buffer, at, count);
    at += 4 * count;
    return array;
  };
  for (let count = view.getUint32(12, true); count > 0; count--) {
    const [id, joints, legs, experts, gait, contacts, forces, props] = new Uint32Array(buffer, at, 8) as unknown as number[] as [
      number, number, number, number, number, number, number, number,
    ];
    at += 32;
    const n = floats(16) as unknown as number[];
    const f = (i: number): number => n[i] ?? 0;
    let things: Float32Array = new Float32Array();
    frame.actors.push({
      id,
      gait,
      contacts,
      legs,
      place: [f(0), f(1), f(2)],
      facing: f(3),
      velocity: [f(4), f(5), f(6)],
      commandedSpeed: f(7),
      commandedHeading: f(8),
      transition: f(9),
      milliseconds: f(10),
      skating: f(11),
      speedError: f(12),
      headingError: f(13),
      trajectory: floats(4 * TRAJECTORY),
      footholds: floats(3 * legs),
      phases: floats(legs),
      experts: floats(experts),
      forces: floats(3 * forces),
      positions: floats(3 * joints),
      rotations: floats(4 * joints),
      get props() {
        return readProps(things);
      },
    });
    things = floats(PROP_NUMBERS * props);
  }
  return frame;
}

export const speedOf = (actor: ActorFrame): number => Math.hypot(actor.velocity[0], actor.velocity[2]);
