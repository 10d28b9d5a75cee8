// Drives a network with onnxruntime-web (or -node). MIT licence, as all of canter.
//   const session = await ort.InferenceSession.create("dog_mann.onnx");
//   const driver = new Driver(ort, session, await (await fetch("dog_mann.json")).json());
//   const { pose, contacts } = await driver.step({ speed: 1.5 }); // every frame, `frame_rate` of them a second
//   const { position, forward, up } = pose.Head; // in the world: metres, +Y up, +Z ahead and +X left at yaw 0
import { Steering, add, less, scale, times, unit } from "./steering.mjs"; // on the ground: [ahead (+Z), left (+X)]

const mix = (from, to, share) => from.map((x, k) => x + share * (to[k] - x));

export class Driver {
  constructor(ort, session, contract) {
    Object.assign(this, { ort, session, contract, steering: new Steering(contract), joints: contract.stand });
    Object.assign(this, { place: [0, 0], yaw: 0, velocity: [0, 0] }); // of a frame on the ground; ahead and to the left
    this.weights = contract.labels.map((_, k) => Number(k === 0));
    const now = { place: this.place, yaw: 0, velocity: [0, 0], speed: 0, weights: this.weights };
    this.past = Array(1 + contract.runtime.past_frames[0]).fill(now);
  }

  /** One frame; without `facing` it looks ahead, `label` names an action. The pose, and which feet stand. */
  async step({ speed, heading = 0, facing = null, label = null }) {
    const { labels, jumps, experts, frame_rate, runtime: r } = this.contract, dt = 1 / frame_rate;
    let told = label ? labels.indexOf(label) : Number(this.steering.goes(this.yaw, { speed, facing }));
    const rests = !jumps.includes(labels[told]);
    if (rests) [speed, facing] = [0, null];
    if (rests && Math.hypot(...this.velocity) > r.rest_speed) told = 1; // told to rest once it has slowed down
    const one = labels.map((_, k) => Number(k === told));
    const weights = (this.weights = mix(this.weights, one, r.smoothing));
    const samples = r.past_frames.map((frames) => this.past.at(-1 - frames));
    samples.push({ ...this.past.at(-1), speed, weights });
    for (const [k, planned] of this.steering.plan(this, { speed, heading, facing }).entries())
      samples.push({ ...planned, speed, weights: mix(one, weights, r.labels_ahead[k]) });
    const back = unit(-this.yaw); // all is seen from where the animal is, and as it faces
    const blocks = [(s) => times(less(s.place, this.place), back), (s) => unit(s.yaw - this.yaw),
      (s) => times(s.velocity, back), (s) => s.speed, (s) => s.weights];
    const trajectory = blocks.flatMap((block) => samples.flatMap(block));
    const tensor = (values, shape) => new this.ort.Tensor("float32", Float32Array.from(values), shape);
    const row = (values) => tensor(values, [1, values.length]), enabled = tensor(Array(experts).fill(1), [experts]);
    const out = await this.session.run({ trajectory: row(trajectory), joints: row(this.joints), enabled });
    this.joints = out.next_joints.data;
    const holds = weights.reduce((sum, w, k) => sum + (k > 0 && !jumps.includes(labels[k]) ? w : 0), 0);
    const slow = Math.min((1 - weights[0]) ** r.stand_exponent, Math.max(1 - holds, 0) ** r.hold_exponent);
    const [u, v, turn] = Array.from(out.root.data, (x) => slow * x); // metres and radians a second
    const place = add(this.place, scale(times([u, v], unit(this.yaw + (turn * dt) / 2)), dt));
    const yaw = this.yaw + turn * dt;
    Object.assign(this, { place, yaw, velocity: [u, v] });
    this.past = [...this.past.slice(1), { place, yaw, velocity: times([u, v], unit(yaw)), speed, weights }];
    return { pose: this.pose(), contacts: Array.from(out.contacts.data, (share) => share > 0.5) };
  }

  /** Position, forward and up axis in the world of every joint by name; its left axis is up x forward. */
  pose() {
    const { names } = this.contract.body, [c, s] = unit(this.yaw);
    const vector = (k) => this.joints.slice(3 * k, 3 * k + 3); // J places, then J pairs of axes, then J velocities
    const turned = ([x, y, z]) => [c * x + s * z, y, c * z - s * x];
    const moved = ([x, y, z]) => [x + this.place[1], y, z + this.place[0]];
    const axis = (k) => turned(vector(names.length + k));
    const joint = (k) => ({ position: moved(turned(vector(k))), forward: axis(2 * k), up: axis(2 * k + 1) });
    return Object.fromEntries(names.map((name, k) => [name, joint(k)]));
  }
}
