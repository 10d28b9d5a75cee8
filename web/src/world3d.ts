// The scene that is drawn: meadow, sky, sun, animals, and what lies on the ground around them.
import {
  NeutralToneMapping,
  DirectionalLight,
  Fog,
  HemisphereLight,
  PCFShadowMap,
  PCFSoftShadowMap,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { Actor } from "./actor";
import type { Camera } from "./camera";
import type { History } from "./history";
import { Ground } from "./scene/ground";
import { Overlay } from "./scene/overlay";
import { quality } from "./scene/quality";
import { HORIZON, makeSky } from "./scene/sky";
import type { State } from "./state";
import { makeTerrain, type Terrain } from "./terrain";
import type { ActorInfo, SceneInfo } from "./wire";

const EXPOSURE = 1.1;
const SUN = new Vector3(-0.66, 0.7, 0.02).normalize();

interface Standing {
  actor: Actor;
  overlay: Overlay;
}

export class World3d {
  readonly scene = new Scene();
  readonly renderer: WebGLRenderer;
  terrain: Terrain = makeTerrain({ terrain: "flat" });
  private terrainKey = "";
  private readonly quality = quality();
  private readonly ground = new Ground(this.quality.anisotropy);
  private readonly sun = new DirectionalLight("#fff0d4", 2.9);
  private readonly sky = makeSky(SUN);
  private standing = new Map<string, Standing>();
  private skeleton = false;
  private slow = 0;
  private ratio = Math.min(window.devicePixelRatio, this.quality.ratio);
  private readonly focus = new Vector3();

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
    this.scene.add(this.sky, this.ground.group, this.sun, this.sun.target, new HemisphereLight("#dbe7f0", "#98a56f", 2.3));
    this.resize();
    new ResizeObserver(() => this.resize()).observe(canvas);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.resize(clientWidth, clientHeight);
  }

  get ready(): boolean {
    return this.standing.size > 0 && [...this.standing.values()].every((s) => s.actor.loaded);
  }

  actorOf(id: number): Actor | null {
    return [...this.standing.values()].find((s) => s.actor.info.id === id)?.actor ?? null;
  }

  overlayOf(id: number): Overlay | null {
    return [...this.standing.values()].find((s) => s.actor.info.id === id)?.overlay ?? null;
  }

  setScene(scene: SceneInfo): void {
    const hips = scene.actors.map((a) => a.hip_height);
    const hip = Math.max(...hips, 0.05);
    const key = JSON.stringify(scene.terrain) + hip;
    if (key !== this.terrainKey) {
      this.terrainKey = key;
      this.terrain = makeTerrain(scene.terrain);
      this.ground.set(this.terrain, hip / 1.17);
      const fog = this.scene.fog;
      if (fog instanceof Fog) {
        fog.near = 24 * Math.max(hip, 0.4);
        fog.far = 190 * Math.max(hip, 0.4);
      }
    }
    const next = new Map<string, Standing>();
    for (const info of scene.actors) {
      const name = keyOf(info);
      const old = this.standing.get(name);
      if (old) {
        old.actor.info = info;
        this.standing.delete(name);
      }
      next.set(name, old ?? this.add(info));
    }
    for (const gone of this.standing.values()) {
      gone.actor.dispose();
      gone.overlay.group.removeFromParent();
    }
    this.standing = next;
    this.fit();
  }

  private fit(): void {
    const { scene, actor } = this.state;
    const bulk = Math.max(...(scene?.abreast ? scene.actors : actor ? [actor] : []).map((a) => Math.max(a.hip_height, this.actorOf(a.id)?.bulk ?? 0)), 0.05);
    this.camera.fit(bulk, scene?.abreast ? scene.actors.length : 1);
  }

  private add(info: ActorInfo): Standing {
    const actor = new Actor(info);
    const overlay = new Overlay(info.hip_height, info.legs.length);
    actor.showSkeleton(this.skeleton);
    this.scene.add(actor.group, overlay.group);
    this.camera.jump();
    actor.load().then(() => {
      overlay.reach = actor.bulk;
      this.fit();
    }).catch((error: unknown) => {
      actor.loaded = true;
      this.state.say(`the body of ${info.name} could not be drawn: ${String(error)}`, "error");
    });
    return { actor, overlay };
  }

  toggleSkeleton(on = !this.skeleton): boolean {
    this.skeleton = on;
    for (const { actor } of this.standing.values()) actor.showSkeleton(on);
    return on;
  }

  draw(dt: number): void {
    const moment = this.history.at(dt, this.state.scene?.pace ?? 1);
    const chosen = this.state.actor;
    if (moment) {
      const places: Vector3[] = [];
      for (const { actor, overlay } of this.standing.values()) {
        const { id, capabilities } = actor.info;
        const a = moment.a.actors.find((f) => f.id === id);
        const b = moment.b.actors.find((f) => f.id === id);
        if (!b || b.positions.length !== 3 * actor.info.joints.length) continue;
        const from = a?.positions.length === b.positions.length ? a : b;
        actor.pose(from, b, moment.share);
        const isChosen = id === chosen?.id;
        overlay.update(b, this.terrain, capabilities.speed_range[1] || 1, isChosen);
        const place = new Vector3(
          from.place[0] + (b.place[0] - from.place[0]) * moment.share,
          from.place[1] + (b.place[1] - from.place[1]) * moment.share,
          from.place[2] + (b.place[2] - from.place[2]) * moment.share,
        );
        if (isChosen) this.focus.copy(place);
        places.push(place);
      }
      if (this.state.scene?.abreast && places.length > 1) {
        this.focus.set(0, 0, 0);
        for (const place of places) this.focus.addScaledVector(place, 1 / places.length);
      }
      const facing = moment.b.actors.find((f) => f.id === chosen?.id)?.facing ?? 0;
      this.camera.update(dt, this.focus, facing, this.terrain, this.canvas.clientWidth, this.canvas.clientHeight);
      this.light(chosen?.hip_height ?? 1, places.length);
    }
    this.ground.follow(this.focus.x, this.focus.z);
    this.sky.position.copy(this.camera.eye.position);
    this.renderer.render(this.scene, this.camera.eye);
    this.adapt(dt);
  }

  /** The shadow's box goes with the animal, in whole texels so that its edges do not crawl. */
  private light(hip: number, count: number): void {
    const half = hip * (3.2 + 2.2 * Math.max(count - 1, 0));
    const texel = (2 * half) / this.quality.shadow;
    const snap = (x: number): number => Math.round(x / texel) * texel;
    this.sun.target.position.set(snap(this.focus.x), this.focus.y, snap(this.focus.z));
    this.sun.position.copy(this.sun.target.position).addScaledVector(SUN, 12 * hip);
    const shadow = this.sun.shadow.camera;
    if (shadow.right !== half) {
      shadow.left = shadow.bottom = -half;
      shadow.right = shadow.top = half;
      shadow.near = hip;
      shadow.far = 30 * hip;
      shadow.updateProjectionMatrix();
    }
  }

  /** A machine that draws slowly gets fewer pixels. */
  private adapt(dt: number): void {
    this.slow = dt > 0.045 ? this.slow + 1 : Math.max(this.slow - 2, 0);
    if (this.slow > 40 && this.ratio > 0.7) {
      this.slow = 0;
      this.ratio = Math.max(this.ratio * 0.75, 0.7);
      this.resize();
    }
  }
}

const keyOf = (a: ActorInfo): string => `${a.id} ${a.glb} ${a.size} ${a.joints.length}`;
