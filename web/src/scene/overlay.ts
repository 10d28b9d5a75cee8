// Overlays on the ground: Sung's arrow (commanded heading and speed), the trajectory, footholds, and the goal.
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  Vector3,
} from "three";
import { legColour } from "../colours";
import { wrap } from "../camera";
import type { Terrain } from "../terrain";
import { NOW, TRAJECTORY, type ActorFrame } from "../wire";

/** Normal of flat shapes before they are laid on the ground. */
const FLAT_NORMAL = new Vector3(0, 0, 1);
/** In pixels: the least width of the line to a goal, and the least radius of the ring at its end. */
const [MIN_PATH_WIDTH, MIN_MARKER_RADIUS] = [5, 11];
/** Cross-sections of the arrow, and those of its shaft. */
const [SECTIONS, SHAFT] = [28, 22];

/** A flat band along points on the ground. */
class Ribbon {
  readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly position: BufferAttribute;

  constructor(
    private readonly most: number,
    colour: string,
    opacity: number,
  ) {
    const geometry = new BufferGeometry();
    this.position = new BufferAttribute(new Float32Array(most * 6), 3);
    this.position.setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", this.position);
    const index: number[] = [];
    for (let i = 0; i + 1 < most; i++) index.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 2, 2 * i + 1, 2 * i + 3);
    geometry.setIndex(index);
    this.mesh = new Mesh(geometry, flatMaterial(colour, opacity));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
  }

  /** The band extends at right angles to `direction` if that is given, else to the line itself. */
  draw(
    points: readonly (readonly [number, number])[],
    width: (i: number) => number,
    lift: number,
    terrain: Terrain,
    direction?: readonly [number, number],
  ): void {
    const n = Math.min(points.length, this.most);
    for (let i = 0; i < n; i++) {
      const [x, z] = points[i] ?? [0, 0];
      const [ax, az] = points[Math.max(i - 1, 0)] ?? [0, 0];
      const [bx, bz] = points[Math.min(i + 1, n - 1)] ?? [0, 0];
      const [dx, dz] = direction ?? [bx - ax, bz - az];
      const half = (0.5 * width(i)) / (Math.hypot(dx, dz) || 1);
      const [sx, sz] = [dz * half, -dx * half];
      this.position.setXYZ(2 * i, x + sx, terrain.surface(x + sx, z + sz) + lift, z + sz);
      this.position.setXYZ(2 * i + 1, x - sx, terrain.surface(x - sx, z - sz) + lift, z - sz);
    }
    this.position.needsUpdate = true;
    this.mesh.geometry.setDrawRange(0, Math.max(n - 1, 0) * 6);
  }
}

function flatMaterial(color: string, opacity: number): MeshBasicMaterial {
  return new MeshBasicMaterial({ color, opacity, transparent: true, side: DoubleSide, depthWrite: false, fog: false });
}

/** An arrow that lies on the ground: one shape, and a larger dark one under it that makes its edge. */
class Arrow {
  readonly group = new Group();
  private readonly edge = new Ribbon(SECTIONS, "#3a1c0c", 1);
  private readonly body = new Ribbon(SECTIONS, "#f26b21", 1);
  private shown = 0;

  constructor(private readonly size: number) {
    this.edge.mesh.renderOrder = 4;
    this.body.mesh.renderOrder = 5;
    this.group.add(this.edge.mesh, this.body.mesh);
  }

  /** Fades in and out. */
  show(on: boolean, opacity: number, dt: number): void {
    this.shown += ((on ? 1 : 0) - this.shown) * (1 - Math.exp(-dt / 0.08));
    this.group.visible = this.shown > 0.02;
    this.body.mesh.material.opacity = opacity * this.shown;
    this.edge.mesh.material.opacity = 0.55 * opacity * this.shown;
  }

  draw(x: number, z: number, yaw: number, from: number, length: number, lift: number, terrain: Terrain): void {
    const { size } = this;
    const [s, c] = [Math.sin(yaw), Math.cos(yaw)];
    const head = Math.min(0.5 * size, 0.7 * length);
    const neck = from + length - head;
    const lay = (ribbon: Ribbon, rim: number, height: number): void => {
      // Two sections at the neck: the shaft ends and the head begins at the same place, so that its barbs are straight.
      const tip = from + length + 2 * rim;
      const along = (i: number): number => {
        const start = from - rim;
        if (i < SHAFT) return start + ((neck - rim - start) * i) / (SHAFT - 1);
        return neck - rim + ((tip - neck + rim) * (i - SHAFT)) / (SECTIONS - 1 - SHAFT);
      };
      const width = (i: number): number => {
        if (i < SHAFT) return 0.13 * size + 2 * rim;
        return (0.42 * size + 3.2 * rim) * (1 - (i - SHAFT) / (SECTIONS - 1 - SHAFT));
      };
      const points = Array.from({ length: SECTIONS }, (_, i): [number, number] => [x + s * along(i), z + c * along(i)]);
      ribbon.draw(points, width, height, terrain, [s, c]);
    };
    lay(this.edge, 0.022 * size, lift);
    lay(this.body, 0, 1.2 * lift);
  }
}

interface OverlayUpdate {
  a: ActorFrame;
  b: ActorFrame;
  /** Weight of frame b. */
  alpha: number;
  dt: number;
  terrain: Terrain;
  /** Scales the arrow, so that a turtle's can be seen. */
  maxSpeed: number;
  arrow: boolean;
  /** Metres per pixel. */
  pixel: number;
}

export class Overlay {
  readonly group = new Group();
  private readonly past = new Ribbon(NOW + 1, "#fffdf4", 0.5);
  private readonly planned = new Ribbon(TRAJECTORY - NOW, "#ffd27a", 0.85);
  private readonly path = new Ribbon(512, "#fffdf4", 0.8);
  private goals: readonly (readonly [number, number])[] = [];
  /** Metres per pixel when the line to the goal was drawn. */
  private pixel = 0;
  private readonly arrow: Arrow;
  private readonly marker: Mesh;
  private readonly footholds: Mesh<RingGeometry, MeshBasicMaterial>[] = [];
  private readonly lift: number;
  private readonly up = new Vector3();
  /** The body's scale (Actor.scale) once it is loaded. */
  reach = 0;

  constructor(
    private readonly hip: number,
    legs: readonly string[],
  ) {
    this.lift = 0.012 * hip;
    this.arrow = new Arrow(hip);
    this.marker = new Mesh(new RingGeometry(0.16 * hip, 0.2 * hip, 40), flatMaterial("#fffdf4", 0.9));
    this.marker.rotation.x = -Math.PI / 2;
    this.marker.visible = false;
    this.marker.renderOrder = 3;
    legs.forEach((leg, l) => {
      const ring = new Mesh(new RingGeometry(0.085 * hip, 0.135 * hip, 32), flatMaterial(legColour(leg, l), 0.9));
      ring.renderOrder = 3;
      ring.visible = false;
      this.footholds.push(ring);
    });
    this.group.add(this.past.mesh, this.planned.mesh, this.arrow.group, this.path.mesh, this.marker, ...this.footholds);
  }

  /** Shows where the animal is to go: one place, a path, or nothing. */
  goal(points: readonly (readonly [number, number])[], terrain: Terrain): void {
    this.goals = points;
    const last = points[points.length - 1];
    this.marker.visible = last !== undefined;
    if (last) this.marker.position.set(last[0], terrain.surface(last[0], last[1]) + 1.5 * this.lift, last[1]);
    this.drawPath(terrain);
  }

  /** From afar its width is that of some pixels. */
  private drawPath(terrain: Terrain): void {
    const width = Math.max(0.05 * this.hip, MIN_PATH_WIDTH * this.pixel);
    this.path.draw(this.goals.length > 1 ? this.goals : [], () => width, this.lift, terrain);
    this.marker.scale.setScalar(Math.max(1, (MIN_MARKER_RADIUS * this.pixel) / (0.2 * this.hip)));
  }

  /** Draws the moment between two frames, `dt` seconds after the last picture. */
  update({ a, b, alpha, dt, terrain, maxSpeed, arrow, pixel }: OverlayUpdate): void {
    const { hip, lift } = this;
    if (Math.abs(pixel - this.pixel) > 0.1 * this.pixel) {
      this.pixel = pixel;
      if (this.goals.length) this.drawPath(terrain);
    }
    const blend = (x: ArrayLike<number>, y: ArrayLike<number>, i: number): number =>
      (x[i] ?? 0) + ((y[i] ?? 0) - (x[i] ?? 0)) * alpha;
    const points = Array.from({ length: TRAJECTORY }, (_, i): [number, number] => [
      blend(a.trajectory, b.trajectory, 4 * i),
      blend(a.trajectory, b.trajectory, 4 * i + 2),
    ]);
    this.past.draw(points.slice(0, NOW + 1), (i) => hip * 0.013 * (i + 1), lift, terrain);
    this.planned.draw(points.slice(NOW), (i) => hip * 0.085 * (1 - i / 7), lift * 1.2, terrain);
    // Rings grow with the breadth of the body: a turtle would hide small ones.
    const breadth = Math.max(1, (1.35 * this.reach) / hip - 0.35);
    this.footholds.forEach((ring, l) => {
      ring.scale.setScalar(breadth);
      const x = b.footholds[3 * l] ?? NaN;
      ring.visible = Number.isFinite(x);
      if (!ring.visible) return;
      const z = b.footholds[3 * l + 2] ?? 0;
      ring.position.set(x, (b.footholds[3 * l + 1] ?? 0) + lift, z);
      const [gx, gz] = terrain.gradient(x, z);
      ring.quaternion.setFromUnitVectors(FLAT_NORMAL, this.up.set(-gx, 1, -gz).normalize());
    });
    // A standing animal has an arrow only while it turns.
    const turning = Math.abs(wrap(b.commandedHeading - b.facing)) > 0.06;
    this.arrow.show(arrow && (b.commandedSpeed > 0 || turning), b.commandedSpeed > 0 ? 0.95 : 0.6, dt);
    const relativeSpeed = Math.min(Math.max(b.commandedSpeed / maxSpeed, 0), 1);
    this.drawArrow(blend(a.place, b.place, 0), blend(a.place, b.place, 2), b.commandedHeading, relativeSpeed, terrain);
  }

  /** The arrow of Sung's interface: from the animal towards the commanded heading, longer for a higher speed. */
  private drawArrow(x: number, z: number, yaw: number, relativeSpeed: number, terrain: Terrain): void {
    const { hip } = this;
    const from = Math.max(hip * 1.25, this.reach * 1.55);
    this.arrow.draw(x, z, yaw, from, hip * (0.65 + 2.2 * Math.sqrt(relativeSpeed)), this.lift * 1.5, terrain);
  }
}
