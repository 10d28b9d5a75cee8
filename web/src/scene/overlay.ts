// What is drawn on the ground: Sung's arrow (heading and speed told), the trajectory, footholds, and where to go.
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
import { legColour } from "../actor";
import { wrap } from "../camera";
import type { Terrain } from "../terrain";
import { NOW, TRAJECTORY, type ActorFrame } from "../wire";

/** Where flat shapes look before they are laid down. */
const OUT = new Vector3(0, 0, 1);
/** Pixels that the line to a goal is wide at least, and that the ring at its end measures from the middle. */
const [WAY, MARKER] = [5, 11];
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
    this.mesh = new Mesh(geometry, flatInk(colour, opacity));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
  }

  /** Across is square to `way` if that is given, else to the line itself. */
  draw(
    points: readonly (readonly [number, number])[],
    width: (i: number) => number,
    lift: number,
    terrain: Terrain,
    way?: readonly [number, number],
  ): void {
    const n = Math.min(points.length, this.most);
    for (let i = 0; i < n; i++) {
      const [x, z] = points[i] ?? [0, 0];
      const [ax, az] = points[Math.max(i - 1, 0)] ?? [0, 0];
      const [bx, bz] = points[Math.min(i + 1, n - 1)] ?? [0, 0];
      const [dx, dz] = way ?? [bx - ax, bz - az];
      const half = (0.5 * width(i)) / (Math.hypot(dx, dz) || 1);
      const [sx, sz] = [dz * half, -dx * half];
      this.position.setXYZ(2 * i, x + sx, terrain.surface(x + sx, z + sz) + lift, z + sz);
      this.position.setXYZ(2 * i + 1, x - sx, terrain.surface(x - sx, z - sz) + lift, z - sz);
    }
    this.position.needsUpdate = true;
    this.mesh.geometry.setDrawRange(0, Math.max(n - 1, 0) * 6);
  }
}

function flatInk(color: string, opacity: number): MeshBasicMaterial {
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

  /** Comes and goes softly. */
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

interface Shown {
  a: ActorFrame;
  b: ActorFrame;
  share: number;
  dt: number;
  terrain: Terrain;
  mostSpeed: number;
  arrow: boolean;
  /** Metres that a pixel spans. */
  pixel: number;
}

export class Overlay {
  readonly group = new Group();
  private readonly past = new Ribbon(NOW + 1, "#fffdf4", 0.5);
  private readonly wanted = new Ribbon(TRAJECTORY - NOW, "#ffd27a", 0.85);
  private readonly way = new Ribbon(512, "#fffdf4", 0.8);
  private goals: readonly (readonly [number, number])[] = [];
  /** How many metres a pixel spans, as the line to the goal was drawn. */
  private pixel = 0;
  private readonly arrow: Arrow;
  private readonly marker: Mesh;
  private readonly holds: Mesh<RingGeometry, MeshBasicMaterial>[] = [];
  private readonly lift: number;
  private readonly up = new Vector3();
  /** How far the body goes beyond its middle, when that is known. */
  reach = 0;

  constructor(
    private readonly hip: number,
    legs: readonly string[],
  ) {
    this.lift = 0.012 * hip;
    this.arrow = new Arrow(hip);
    this.marker = new Mesh(new RingGeometry(0.16 * hip, 0.2 * hip, 40), flatInk("#fffdf4", 0.9));
    this.marker.rotation.x = -Math.PI / 2;
    this.marker.visible = false;
    this.marker.renderOrder = 3;
    legs.forEach((leg, l) => {
      const hold = new Mesh(new RingGeometry(0.085 * hip, 0.135 * hip, 32), flatInk(legColour(leg, l), 0.9));
      hold.renderOrder = 3;
      hold.visible = false;
      this.holds.push(hold);
    });
    this.group.add(this.past.mesh, this.wanted.mesh, this.arrow.group, this.way.mesh, this.marker, ...this.holds);
  }

  /** Where somebody asked the animal to go: one place, a drawn path, or neither. */
  goal(points: readonly (readonly [number, number])[], terrain: Terrain): void {
    this.goals = points;
    const last = points[points.length - 1];
    this.marker.visible = last !== undefined;
    if (last) this.marker.position.set(last[0], terrain.surface(last[0], last[1]) + 1.5 * this.lift, last[1]);
    this.drawWay(terrain);
  }

  /** From afar it is as wide as some pixels are. */
  private drawWay(terrain: Terrain): void {
    const width = Math.max(0.05 * this.hip, WAY * this.pixel);
    this.way.draw(this.goals.length > 1 ? this.goals : [], () => width, this.lift, terrain);
    this.marker.scale.setScalar(Math.max(1, (MARKER * this.pixel) / (0.2 * this.hip)));
  }

  /** Between two frames, `dt` after the last picture. `mostSpeed` scales the arrow, so that a turtle's can be seen. */
  update({ a, b, share, dt, terrain, mostSpeed, arrow, pixel }: Shown): void {
    const { hip, lift } = this;
    if (Math.abs(pixel - this.pixel) > 0.1 * this.pixel) {
      this.pixel = pixel;
      if (this.goals.length) this.drawWay(terrain);
    }
    const blend = (x: ArrayLike<number>, y: ArrayLike<number>, i: number): number =>
      (x[i] ?? 0) + ((y[i] ?? 0) - (x[i] ?? 0)) * share;
    const points = Array.from({ length: TRAJECTORY }, (_, i): [number, number] => [
      blend(a.trajectory, b.trajectory, 4 * i),
      blend(a.trajectory, b.trajectory, 4 * i + 2),
    ]);
    this.past.draw(points.slice(0, NOW + 1), (i) => hip * 0.013 * (i + 1), lift, terrain);
    this.wanted.draw(points.slice(NOW), (i) => hip * 0.085 * (1 - i / 7), lift * 1.2, terrain);
    // Feet are as broad as the body is: a turtle must not hide its own.
    const broad = Math.max(1, (1.35 * this.reach) / hip - 0.35);
    this.holds.forEach((hold, l) => {
      hold.scale.setScalar(broad);
      const x = b.footholds[3 * l] ?? NaN;
      hold.visible = Number.isFinite(x);
      if (!hold.visible) return;
      const z = b.footholds[3 * l + 2] ?? 0;
      hold.position.set(x, (b.footholds[3 * l + 1] ?? 0) + lift, z);
      const [gx, gz] = terrain.gradient(x, z);
      hold.quaternion.setFromUnitVectors(OUT, this.up.set(-gx, 1, -gz).normalize());
    });
    // At a stand there is nothing to tell, except where to turn.
    const turning = Math.abs(wrap(b.headingTold - b.facing)) > 0.06;
    this.arrow.show(arrow && (b.speedTold > 0 || turning), b.speedTold > 0 ? 0.95 : 0.6, dt);
    const told = Math.min(Math.max(b.speedTold / mostSpeed, 0), 1);
    this.drawArrow(blend(a.place, b.place, 0), blend(a.place, b.place, 2), b.headingTold, told, terrain);
  }

  /** Sung's interface: it starts in front of the animal, points where it shall go, and is as long as it shall be fast. */
  private drawArrow(x: number, z: number, yaw: number, told: number, terrain: Terrain): void {
    const { hip } = this;
    const from = Math.max(hip * 1.25, this.reach * 1.55);
    this.arrow.draw(x, z, yaw, from, hip * (0.65 + 2.2 * Math.sqrt(told)), this.lift * 1.5, terrain);
  }
}
