// What is drawn on the ground: Sung's arrow (heading and speed told), the trajectory, footholds, and where to go.
import {
  BufferAttribute,
  BufferGeometry,
  CircleGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
} from "three";
import { legColour } from "../actor";
import type { Terrain } from "../terrain";
import { NOW, TRAJECTORY, type ActorFrame } from "../wire";

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

  draw(points: readonly (readonly [number, number])[], width: (i: number) => number, lift: number, terrain: Terrain): void {
    const n = Math.min(points.length, this.most);
    for (let i = 0; i < n; i++) {
      const [x, z] = points[i] ?? [0, 0];
      const [ax, az] = points[Math.max(i - 1, 0)] ?? [0, 0];
      const [bx, bz] = points[Math.min(i + 1, n - 1)] ?? [0, 0];
      const length = Math.hypot(bx - ax, bz - az) || 1;
      const sx = ((bz - az) / length) * width(i) * 0.5;
      const sz = (-(bx - ax) / length) * width(i) * 0.5;
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

export class Overlay {
  readonly group = new Group();
  private readonly past = new Ribbon(NOW + 1, "#fffdf4", 0.35);
  private readonly wanted = new Ribbon(TRAJECTORY - NOW, "#ffd27a", 0.75);
  private readonly arrow = new Ribbon(28, "#c8501e", 0.9);
  private readonly way = new Ribbon(512, "#fffdf4", 0.6);
  private readonly marker: Mesh;
  private readonly holds: Mesh[] = [];
  private readonly lift: number;
  /** How far the body goes beyond its middle, when that is known. */
  reach = 0;

  constructor(
    private readonly hip: number,
    legs: number,
  ) {
    this.lift = 0.012 * hip;
    this.arrow.mesh.renderOrder = 4;
    this.marker = new Mesh(new RingGeometry(0.16 * hip, 0.2 * hip, 40), flatInk("#fffdf4", 0.9));
    this.marker.rotation.x = -Math.PI / 2;
    this.marker.visible = false;
    this.marker.renderOrder = 3;
    for (let l = 0; l < legs; l++) {
      const hold = new Mesh(new CircleGeometry(0.075 * hip, 24), flatInk(legColour(l), 0.75));
      hold.rotation.x = -Math.PI / 2;
      hold.renderOrder = 3;
      this.holds.push(hold);
    }
    this.group.add(this.past.mesh, this.wanted.mesh, this.arrow.mesh, this.way.mesh, this.marker, ...this.holds);
  }

  /** Where somebody asked the animal to go: one place, a drawn path, or neither. */
  goal(points: readonly (readonly [number, number])[], terrain: Terrain): void {
    const last = points[points.length - 1];
    this.marker.visible = last !== undefined;
    if (last) this.marker.position.set(last[0], terrain.surface(last[0], last[1]) + 1.5 * this.lift, last[1]);
    this.way.draw(points.length > 1 ? points : [], () => 0.05 * this.hip, this.lift, terrain);
  }

  /** `mostSpeed` scales the arrow, so that a turtle's can be seen and a horse's fits. */
  update(actor: ActorFrame, terrain: Terrain, mostSpeed: number, chosen: boolean): void {
    const { hip, lift } = this;
    const at = (i: number): [number, number] => [actor.trajectory[4 * i] ?? 0, actor.trajectory[4 * i + 2] ?? 0];
    const points = Array.from({ length: TRAJECTORY }, (_, i) => at(i));
    this.past.draw(points.slice(0, NOW + 1), (i) => hip * 0.012 * (i + 1), lift, terrain);
    this.wanted.draw(points.slice(NOW), (i) => hip * 0.06 * (1 - i / 7), lift * 1.2, terrain);
    this.holds.forEach((hold, l) => {
      const x = actor.footholds[3 * l] ?? NaN;
      hold.visible = Number.isFinite(x);
      if (hold.visible) hold.position.set(x, (actor.footholds[3 * l + 1] ?? 0) + lift, actor.footholds[3 * l + 2] ?? 0);
    });
    this.arrow.mesh.visible = chosen;
    if (chosen) this.drawArrow(actor, terrain, mostSpeed);
  }

  /** Sung's interface: it starts in front of the animal, points where it shall go, and is as long as it shall be fast. */
  private drawArrow(actor: ActorFrame, terrain: Terrain, mostSpeed: number): void {
    const { hip } = this;
    const yaw = actor.headingTold;
    const [s, c] = [Math.sin(yaw), Math.cos(yaw)];
    const share = Math.min(Math.max(actor.speedTold / mostSpeed, 0), 1);
    const length = hip * (0.5 + 2.5 * Math.sqrt(share));
    const from = Math.max(hip * 1.25, this.reach * 1.55);
    const head = hip * 0.3;
    const n = 28;
    const shaft = n - 5;
    const along = (i: number): number =>
      i < shaft ? (from + ((length - head) * i) / (shaft - 1)) : from + length - head + (head * (i - shaft)) / (n - 1 - shaft);
    const points = Array.from({ length: n }, (_, i): [number, number] => [
      actor.place[0] + s * along(i),
      actor.place[2] + c * along(i),
    ]);
    const width = (i: number): number =>
      i < shaft ? hip * 0.075 : hip * 0.26 * (1 - (i - shaft) / (n - 1 - shaft));
    this.arrow.draw(points, width, this.lift * 1.6, terrain);
    this.arrow.mesh.material.opacity = share > 0 ? 0.92 : 0.4;
  }
}
