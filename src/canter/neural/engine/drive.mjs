// Drives a network with onnxruntime-web (or -node) alone. MIT licence, as all of canter.
//   const session = await ort.InferenceSession.create("dog.onnx");
//   const driver = new Driver(await (await fetch("dog.json")).json(), async ({ trajectory, joints, enabled }) => {
//     const tensor = (x, shape) => new ort.Tensor("float32", x, shape);
//     const out = await session.run({ trajectory: tensor(trajectory, [1, trajectory.length]),
//       joints: tensor(joints, [1, joints.length]), enabled: tensor(enabled, [enabled.length]) });
//     return { joints: out.next_joints.data, root: out.root.data, contacts: out.contacts.data };
//   });
//   const { joints, contacts } = await driver.step({ speed: 1.5 });   // every frame
// Places on the ground are complex, [re, im]: re is ahead (+Z), im is left (+X).
const add = (a, b) => [a[0] + b[0], a[1] + b[1]];
const times = (a, b) => [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
const scale = (a, s) => [a[0] * s, a[1] * s];
const less = (a, b) => [a[0] - b[0], a[1] - b[1]];
const unit = (angle) => [Math.cos(angle), Math.sin(angle)];
const even = (x) => { const r = Math.round(x); return Math.abs(x % 1) === 0.5 && r % 2 !== 0 ? r - 1 : r; };
const wrap = (angle) => angle - 2 * Math.PI * even(angle / (2 * Math.PI));
const clip = (x) => Math.min(Math.max(x, 0), 1);
const oneHot = (k, size) => Array.from({ length: size }, (_, i) => (i === k ? 1 : 0));

/** One step of a critically damped spring whose rate is bounded: value, rate, and the mean of the value. */
function spring(value, rate, offset, q, bound, dt) {
  const decay = Math.exp(-dt * q), size = Math.hypot(...offset);
  if (size > (2 * bound) / q) {
    const steady = scale(offset, bound / size), faded = decay * decay, faster = less(rate, steady);
    const fade = (1 - faded) / (2 * q), mean = add(scale(steady, dt / 2), scale(faster, (dt - fade) / (2 * q * dt)));
    return [add(value, add(scale(steady, dt), scale(faster, fade))), add(steady, scale(faster, faded)), add(value, mean)];
  }
  const goal = add(value, offset), gain = less(rate, scale(offset, q));
  const left = scale(less(scale(gain, dt), offset), decay), kept = scale(gain, decay);
  const mean = scale(less(less(scale(less(gain, kept), 1 / q), offset), left), 1 / (q * dt));
  return [add(goal, left), less(kept, scale(left, q)), add(goal, mean)];
}

function interpolate(x, at, values) {
  const k = Math.min(Math.max(at.findIndex((a) => a >= x), 1), at.length - 1);
  if (x >= at.at(-1)) return values.at(-1);
  return values[k - 1] + (values[k] - values[k - 1]) * clip((x - at[k - 1]) / (at[k] - at[k - 1]));
}

export class Driver {
  constructor(contract, run) {
    Object.assign(this, { c: contract, run, dt: 1 / contract.frame_rate, joints: Float32Array.from(contract.stand) });
    this.place = [0, 0]; this.yaw = 0; this.velocity = [0, 0];
    this.planned = [[0, 0], [0, 0], 0]; // velocity, acceleration and yaw rate that the way ahead is planned from
    this.weights = oneHot(0, contract.labels.length);
    this.past = Array(1 + Math.round(-contract.times[0] / this.dt)).fill([[0, 0], 0, [0, 0], 0, this.weights]);
  }

  /** One frame; without `facing` it looks ahead, `label` names an action. Joints (12 J) and contacts. */
  async step({ speed, heading = 0, facing = null, label = null }) {
    const { c, dt } = this, r = c.runtime, goesOn = c.labels.map((name) => c.jumps.includes(name));
    const turns = facing !== null && Math.abs(wrap(facing - this.yaw)) > r.min_turn;
    let told = label ? c.labels.indexOf(label) : Number(speed > 0 || turns);
    if (!goesOn[told]) {
      [speed, facing] = [0, null];
      if (Math.hypot(...this.velocity) > r.rest_speed) told = 1;
    }
    const one = oneHot(told, c.labels.length);
    this.weights = this.weights.map((w, k) => w + r.smoothing * (one[k] - w));
    const wish = { speed, heading, facing }, state = [this.place, this.yaw, ...this.planned];
    const future = c.times.filter((t) => t > 0), ahead = [];
    let root = state, now = 0;
    for (const t of future) {
      root = this.advance(root, wish, t - now, r.plan_step);
      now = t;
      ahead.push([root[0], root[1], times(root[2], unit(root[1]))]);
    }
    const moved = this.advance(state, wish, dt, r.max_step);
    this.planned = [add(moved[2], scale(less(this.velocity, moved[2]), r.velocity_pull)), moved[3], moved[4]];
    const back = unit(-this.yaw), past = c.times.filter((t) => t < 0).map((t) => this.past.at(-1 - Math.round(-t / dt)));
    const all = [...past, [this.place, this.yaw, times(this.velocity, unit(this.yaw))], ...ahead];
    const blend = future.map((t) => this.weights.map((w, k) => one[k] + Math.exp(-t / r.ahead_seconds) * (w - one[k])));
    const trajectory = Float32Array.from([
      ...all.flatMap((p) => times(less(p[0], this.place), back)),
      ...all.flatMap((p) => unit(p[1] - this.yaw)),
      ...all.flatMap((p) => times(p[2], back)),
      ...past.map((p) => p[3]), ...Array(1 + ahead.length).fill(speed),
      ...[...past.map((p) => p[4]), this.weights, ...blend].flat(),
    ]);
    const out = await this.run({ trajectory, joints: this.joints, enabled: new Float32Array(c.experts).fill(1) });
    this.joints = out.joints;
    const resting = this.weights.reduce((sum, w, k) => sum + (goesOn[k] ? 0 : w), 0);
    const slow = Math.min((1 - clip(this.weights[0])) ** r.stand_exponent,
      (1 - clip(resting - this.weights[0])) ** r.hold_exponent);
    const [u, v, w] = [...out.root].map((x) => x * slow);
    this.velocity = [u, v];
    this.place = add(this.place, scale(times(this.velocity, unit(this.yaw + (w * dt) / 2)), dt));
    this.yaw += w * dt;
    const record = [this.place, this.yaw, times(this.velocity, unit(this.yaw)), speed, this.weights];
    this.past = [...this.past.slice(1), record];
    return { joints: this.joints, contacts: out.contacts };
  }

  /** Place, yaw, velocity, acceleration and yaw rate `seconds` later, by the springs of the steering. */
  advance(root, { speed, heading, facing }, seconds, longest) {
    const limits = this.c.limits, r = this.c.runtime, steps = Math.max(Math.ceil(seconds / longest - 1e-6), 1);
    const dt = seconds / steps;
    for (let step = 0; step < steps; step++) {
      const [place, yaw, velocity, acceleration, rate] = root;
      let off = wrap((facing ?? heading) - yaw);
      if (speed <= 0 && facing === null) off = rate / limits.yaw_frequency;
      const fast = Math.hypot(...add(velocity, scale(acceleration, dt / 2)));
      const most = Math.min(limits.max_yaw_rate, limits.max_lateral_acceleration / Math.max(fast, r.slow));
      const [turned, turning, middle] = spring([yaw, 0], [rate, 0], [off, 0], limits.yaw_frequency, most, dt).map((x) => x[0]);
      off -= middle - yaw;
      let goal = [speed * Math.max(Math.cos(off / 2), r.min_turning_speed), 0];
      if (facing !== null) {
        const way = heading - middle, top = Math.cos(way) > 0 ? limits.max_speed : limits.back_speed;
        goal = scale(unit(way), Math.min(speed, 1 / Math.hypot(Math.cos(way) / top, Math.sin(way) / limits.side_speed)));
      }
      const frequency = interpolate(fast, limits.speeds, limits.frequencies);
      const next = spring(velocity, acceleration, less(goal, velocity), frequency, limits.max_acceleration, dt);
      root = [add(place, scale(times(next[2], unit(middle)), dt)), turned, next[0], next[1], turning];
    }
    return root;
  }
}
