// The 3-D scene: meadow, sky, sun, animals, and overlays on the ground around them.
import {
  NeutralToneMapping,
  DirectionalLight,
  Fog,
  HemisphereLight,
  PCFShadowMap,
  PCFSoftShadowMap,
  Quaternion,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { Actor } from "./actor";
import { reach, wrap, type BodyBounds, type Camera, type CameraSubject } from "./camera";
import type { History } from "./history";
import type { Moment } from "./moment";
import { Arrow3d, ForceArrows } from "./scene/arrows";
import { Ground } from "./scene/ground";
import { margins } from "./scene/margins";
import { Overlay } from "./scene/overlay";
import { Props } from "./scene/props";
import { quality } from "./scene/quality";
import { HORIZON, makeSky } from "./scene/sky";
import type { State } from "./state";
import { makeTerrain, planeTerrain, type Terrain } from "./terrain";
import type { ActorFrame, ActorInfo, PropFrame, SceneInfo } from "./wire";

const EXPOSURE = 1.1;
const SUN = new Vector3(-0.8, 0.56, 0.2).normalize();
const ACROSS = new Vector3(0, 1, 0).cross(SUN).normalize();
const ALONG = SUN.clone().cross(ACROSS);
/** Animals farther apart than this are not framed together. */
const MAX_GROUP_HIP_HEIGHTS = 12;
/** Things farther than this from the animals have no shadow, so that the others' stay sharp. */
const MAX_SHADOW_HIP_HEIGHTS = 5;

export interface Rectangle {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface DrawnActor {
  actor: Actor;
  overlay: Overlay;
  forces: ForceArrows;
  props: Props;
}

export class World3d {
  readonly scene = new Scene();
  readonly renderer: WebGLRenderer;
  /** The ground as it is now: that of the scene, or a plane that tilts and turns. */
  terrain: Terrain = makeTerrain({ terrain: "flat" });
  private sceneTerrain = this.terrain;
  private terrainKey = "";
  private readonly quality = quality();
  private readonly ground = new Ground(this.quality.anisotropy);
  private readonly sun = new DirectionalLight("#fff0d8", 3.2);
  private readonly sky = makeSky(SUN);
  private drawnActors = new Map<string, DrawnActor>();
  private skeleton = false;
  private forces = true;
  private pushArrow: Arrow3d | null = null;
  private slow = 0;
  private ratio = Math.min(window.devicePixelRatio, this.quality.ratio);
  private readonly focus = new Vector3();
  private drawn = false;
  /** New animals are framed together until the chosen one is driven, so that an added one is seen. */
  private introducing = false;
  private measured = 0;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly state: State,
    private readonly history: History,
    readonly camera: Camera,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: this.quality.antialias, powerPreference: "high-performance" });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.toneMappingExposure = EXPOSURE;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = this.quality.soft ? PCFSoftShadowMap : PCFShadowMap;
    this.scene.fog = new Fog(HORIZON.clone().multiplyScalar(1 / EXPOSURE), 30, 170);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(this.quality.shadow, this.quality.shadow);
    this.sun.shadow.bias = -0.0006;
    this.sun.shadow.normalBias = 0.02;
    this.sun.shadow.radius = 5;
    this.scene.add(this.sky, this.ground.group, this.sun, this.sun.target, new HemisphereLight("#cfe2f2", "#86925c", 2.1));
    this.resize();
    new ResizeObserver(() => this.resize()).observe(canvas);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.resize(clientWidth, clientHeight);
    this.measured = 0;
  }

  /** Whether a picture with all animals loaded has been drawn. */
  get ready(): boolean {
    return this.drawn && this.complete;
  }

  private get complete(): boolean {
    return this.drawnActors.size > 0 && [...this.drawnActors.values()].every((drawn) => drawn.actor.loaded);
  }

  actorOf(id: number): Actor | null {
    return [...this.drawnActors.values()].find((s) => s.actor.info.id === id)?.actor ?? null;
  }

  overlayOf(id: number): Overlay | null {
    return [...this.drawnActors.values()].find((s) => s.actor.info.id === id)?.overlay ?? null;
  }

  setScene(scene: SceneInfo): void {
    const hips = scene.actors.map((a) => a.hip_height);
    const hip = Math.max(...hips, 0.05);
    const key = JSON.stringify(scene.terrain) + hip;
    if (key !== this.terrainKey) {
      this.terrainKey = key;
      this.terrain = this.sceneTerrain = makeTerrain(scene.terrain, scene.waves);
      this.ground.set(this.terrain, hip / 1.17);
      const fog = this.scene.fog;
      if (fog instanceof Fog) {
        fog.near = 24 * Math.max(hip, 0.4);
        fog.far = 190 * Math.max(hip, 0.4);
      }
    }
    const next = new Map<string, DrawnActor>();
    for (const info of scene.actors) {
      const name = keyOf(info);
      const old = this.drawnActors.get(name);
      if (old) {
        old.actor.info = info;
        this.drawnActors.delete(name);
      }
      next.set(name, old ?? this.add(info));
    }
    for (const gone of this.drawnActors.values()) {
      gone.actor.dispose();
      gone.overlay.group.removeFromParent();
      gone.forces.dispose();
      gone.props.dispose();
    }
    this.drawnActors = next;
  }

  private add(info: ActorInfo): DrawnActor {
    const actor = new Actor(info);
    const overlay = new Overlay(info.hip_height, info.legs);
    const [forces, props] = [new ForceArrows(actor), new Props()];
    actor.showSkeleton(this.skeleton);
    this.scene.add(actor.group, overlay.group, forces.group, props.group);
    this.introducing = true;
    this.drawn = false;
    overlay.reach = actor.scale;
    actor.load().then(() => this.camera.jump()).catch((error: unknown) => {
      actor.loaded = true;
      this.state.notify(`the body of ${info.name} could not be drawn: ${String(error)}`, "error");
    });
    return { actor, overlay, forces, props };
  }

  toggleSkeleton(on = !this.skeleton): boolean {
    this.skeleton = on;
    for (const { actor } of this.drawnActors.values()) actor.showSkeleton(on);
    return on;
  }

  toggleForces(on = !this.forces): boolean {
    this.forces = on;
    return on;
  }

  /** Shows a push of an animal of this hip height from a place along a vector; null when it is over. */
  showPush(push: { from: Vector3; along: Vector3; hip: number } | null): void {
    if (!push) {
      this.pushArrow?.dispose();
      this.pushArrow = null;
      return;
    }
    this.pushArrow ??= new Arrow3d(0.035 * push.hip, "#f26b21");
    this.pushArrow.point(push.from, push.along);
    this.scene.add(this.pushArrow);
  }

  draw(dt: number): void {
    const { replay, scene } = this.state;
    const pace = scene?.pace ?? 1;
    replay?.advance(dt * pace);
    const moment = replay ? replay.moment : this.history.nextMoment(dt, pace);
    const subject = moment && this.pose(moment, dt);
    if (subject) {
      this.measured -= dt;
      if (this.measured < 0) {
        this.measured = 0.4;
        this.camera.setMargins(margins(this.canvas.clientWidth, this.canvas.clientHeight));
      }
      this.camera.update(dt, subject, this.terrain, this.canvas.clientWidth, this.canvas.clientHeight);
      this.light(subject);
    }
    this.ground.follow(this.focus);
    this.sky.position.copy(this.camera.eye.position);
    this.renderer.render(this.scene, this.camera.eye);
    this.drawn = subject !== null && this.complete;
    this.adapt(dt);
  }

  /** Poses all animals at a moment; returns the camera's subject, or null if the chosen animal is not in its frames. */
  private pose({ a, b, alpha }: Moment, dt: number): CameraSubject | null {
    const { scene, actor: chosen } = this.state;
    const bounds = new Map<number, BodyBounds>();
    const pixel = this.camera.pixel(this.canvas.clientHeight);
    let subject: CameraSubject | null = null;
    this.turnGround(a.actors, b.actors, alpha);
    for (const { actor, overlay, forces, props } of this.drawnActors.values()) {
      const { id, capabilities, hip_height: hip } = actor.info;
      const later = b.actors.find((f) => f.id === id);
      if (later?.positions.length !== 3 * actor.info.joints.length) continue;
      const earlier = a.actors.find((f) => f.id === id);
      const from = earlier?.positions.length === later.positions.length ? earlier : later;
      const place = new Vector3(...from.place).lerp(new Vector3(...later.place), alpha);
      actor.pose(from, later, alpha, dt);
      props.update(this.thingsOf(from), this.thingsOf(later), alpha, b.time - a.time);
      const arrow = id === chosen?.id || scene?.abreast === true;
      const maxSpeed = capabilities.speed_range[1] || 1;
      overlay.update({ a: from, b: later, alpha, dt, terrain: this.terrain, maxSpeed, arrow, pixel });
      forces.group.visible = this.forces && later.forces.length > 0;
      if (forces.group.visible) forces.update(from, later, alpha, this.terrain);
      const facing = from.facing + wrap(later.facing - from.facing) * alpha;
      bounds.set(id, { place, facing, low: actor.low, high: actor.high });
      if (id !== chosen?.id) continue;
      subject = { id, place, facing, hip: Math.max(hip, actor.scale), bodies: [] };
      if (later.commandedSpeed > 0) this.introducing = false;
    }
    if (!subject) return null;
    const { id: followed, place } = subject;
    const near = (body: BodyBounds): boolean => body.place.distanceTo(place) < MAX_GROUP_HIP_HEIGHTS * (chosen?.hip_height ?? 1);
    const together = scene?.abreast || this.introducing;
    subject.bodies = [...bounds].filter(([id, body]) => id === followed || (together && near(body))).map(([, body]) => body);
    this.focus.copy(place);
    for (const { actor } of this.drawnActors.values()) {
      const { id } = actor.info;
      actor.fade(id !== followed && this.hides(bounds.get(id), bounds.get(followed)), dt);
    }
    const shading = [...bounds.values()].map((body) => ({ place: body.place, radius: 0.6 * reach(body) }));
    this.ground.shade([...shading, ...this.things.filter((thing) => this.nearGround(thing)).map(({ place, radius }) => ({ place, radius: 0.8 * radius }))]);
    return subject;
  }

  /** The props of an actor besides the ground. */
  private thingsOf({ props }: ActorFrame): PropFrame[] {
    return props.filter((prop) => !this.state.isGround(prop));
  }

  /** All things that are drawn besides the animals. */
  private get things(): { place: Vector3; radius: number }[] {
    return [...this.drawnActors.values()].flatMap(({ props }) => props.places);
  }

  private nearGround({ place: { x, y, z }, radius }: { place: Vector3; radius: number }): boolean {
    return y - this.terrain.height(x, z) < 1.2 * radius;
  }

  /** Tilts and turns the ground between two frames: as the chosen animal reports it, else as any other does. */
  private turnGround(earlier: readonly ActorFrame[], later: readonly ActorFrame[], alpha: number): void {
    const chosen = this.state.actor?.id;
    const groundIn = (frames: readonly ActorFrame[], id?: number): PropFrame | undefined =>
      frames.filter((frame) => id === undefined || frame.id === id).flatMap(({ props }) => props).find((prop) => this.state.isGround(prop));
    const [from, to] = [earlier, later].map((frames) => groundIn(frames, chosen) ?? groundIn(frames));
    const turned = (from ?? to) && {
      place: placeOf(from).lerp(placeOf(to), alpha),
      rotation: rotationOf(from).slerp(rotationOf(to), alpha),
    };
    this.ground.turn(turned ?? null);
    this.terrain = turned ? planeTerrain(new Vector3(0, 1, 0).applyQuaternion(turned.rotation).toArray(), turned.place.toArray()) : this.sceneTerrain;
  }

  /** The rectangle around the drawn mesh of an animal, and the uncovered part of the view, in pixels. */
  framing(id: number): { mesh: Rectangle; free: Rectangle } | null {
    const actor = this.actorOf(id);
    const { clientWidth: width, clientHeight: tall } = this.canvas;
    if (!actor) return null;
    const mesh = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    actor.forEachPoint((at) => {
      at.project(this.camera.eye);
      const [x, y] = [((at.x + 1) / 2) * width, ((1 - at.y) / 2) * tall];
      Object.assign(mesh, { left: Math.min(mesh.left, x), right: Math.max(mesh.right, x), top: Math.min(mesh.top, y), bottom: Math.max(mesh.bottom, y) });
    });
    return { mesh, free: this.camera.freeBox(width, tall) };
  }

  /** Whether a body is in the line of sight to another. */
  private hides(body: BodyBounds | undefined, other: BodyBounds | undefined): boolean {
    if (!body || !other) return false;
    const { position } = this.camera.eye;
    const way = other.place.clone().setY(other.place.y + other.high.y / 2).sub(position);
    const far = way.length();
    const off = body.place.clone().setY(body.place.y + body.high.y / 2).sub(position);
    const along = off.dot(way) / far;
    return along > 0 && along < far && off.addScaledVector(way, -along / far).length() < 0.55 * reach(body) + 0.28 * reach(other);
  }

  /** Moves the shadow's frustum with the animals, in whole texels so that edges do not crawl. */
  private light({ bodies }: CameraSubject): void {
    const middle = new Vector3();
    for (const { place, high } of bodies) middle.addScaledVector(place, 1 / bodies.length).y += high.y / 2 / bodies.length;
    const needed = Math.max(...bodies.map((b) => b.place.distanceTo(middle) + Math.hypot(reach(b), b.high.y / 2)));
    const near = MAX_SHADOW_HIP_HEIGHTS * Math.max(...bodies.map((b) => b.high.y));
    const things = this.things.map(({ place, radius }) => place.distanceTo(middle) + radius).filter((far) => far < near);
    const half = 2 ** (Math.ceil(4 * Math.log2(Math.max(needed, ...things))) / 4);
    const texel = (2 * half) / this.quality.shadow;
    const { target, shadow, position } = this.sun;
    target.position.set(0, 0, 0);
    for (const [axis, step] of [[ACROSS, texel], [ALONG, texel], [SUN, 0]] as const) {
      const at = middle.dot(axis);
      target.position.addScaledVector(axis, step ? Math.round(at / step) * step : at);
    }
    position.copy(target.position).addScaledVector(SUN, 2 * half);
    if (shadow.camera.right === half) return;
    shadow.camera.left = shadow.camera.bottom = -half;
    shadow.camera.right = shadow.camera.top = half;
    shadow.camera.near = 0.1 * half;
    shadow.camera.far = 6 * half;
    shadow.normalBias = 3 * texel;
    shadow.camera.updateProjectionMatrix();
  }

  /** Lowers the resolution on a machine that draws slowly. */
  private adapt(dt: number): void {
    this.slow = dt > 0.045 ? this.slow + 1 : Math.max(this.slow - 2, 0);
    if (this.quality.adapts && this.slow > 40 && this.ratio > 0.7) {
      this.slow = 0;
      this.ratio = Math.max(this.ratio * 0.75, 0.7);
      this.resize();
    }
  }
}

const placeOf = (prop: PropFrame | undefined): Vector3 => new Vector3(...(prop?.position ?? [0, 0, 0]));
/** The rotation of a prop; of none that of ground which is as it was. */
function rotationOf(prop: PropFrame | undefined): Quaternion {
  const [w, x, y, z] = prop?.rotation ?? [1, 0, 0, 0];
  return new Quaternion(x, y, z, w);
}

const keyOf = (a: ActorInfo): string => `${a.id} ${a.glb} ${a.size} ${a.joints.length}`;
