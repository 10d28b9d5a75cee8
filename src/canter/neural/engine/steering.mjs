// Where an animal shall go: springs that plan the track ahead. An engine that has a steering may use its own.
// Places on the ground are complex, [re, im]: re is ahead (+Z), im is left (+X). MIT licence, as all of canter.
export const add = (a, b) => [a[0] + b[0], a[1] + b[1]];
export const less = (a, b) => [a[0] - b[0], a[1] - b[1]];
export const scale = (a, s) => [a[0] * s, a[1] * s];
export const times = (a, b) => [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
export const unit = (angle) => [Math.cos(angle), Math.sin(angle)];

/** Plans from a velocity of its own, which follows that of the animal slowly: one that hesitates is still urged. */
export class Steering {
  constructor({ limits, runtime, times: at, frame_rate }) {
    Object.assign(this, { limits, runtime, ahead: at.filter((time) => time > 0), dt: 1 / frame_rate });
    Object.assign(this, { velocity: [0, 0], acceleration: [0, 0], rate: 0 }); // along the animal's own axes
  }

  /** Whether it shall go, or turn on the spot. */
  goes(yaw, { speed, facing }) {
    return speed > 0 || (facing !== null && Math.abs(wrap(facing - yaw)) > this.runtime.min_turn);
  }

  /** Place, yaw and velocity in the world at each of the times ahead; without `facing` it looks along `heading`. */
  plan({ place, yaw, velocity }, wish) {
    const { plan_step, max_step, velocity_pull } = this.runtime;
    const start = { place, yaw, velocity: this.velocity, acceleration: this.acceleration, rate: this.rate };
    let root = start, now = 0;
    const samples = this.ahead.map((time) => {
      root = this.advance(root, wish, time - now, plan_step);
      now = time;
      return { place: root.place, yaw: root.yaw, velocity: times(root.velocity, unit(root.yaw)) };
    });
    const moved = this.advance(start, wish, this.dt, max_step);
    this.velocity = add(moved.velocity, scale(less(velocity, moved.velocity), velocity_pull));
    Object.assign(this, { acceleration: moved.acceleration, rate: moved.rate });
    return samples;
  }

  /** Place, yaw, velocity, acceleration and yaw rate some seconds later, in steps no longer than `longest`. */
  advance(root, wish, seconds, longest) {
    const steps = Math.max(Math.ceil(seconds / longest - 1e-6), 1);
    for (let step = 0; step < steps; step++) root = this.oneStep(root, wish, seconds / steps);
    return root;
  }

  oneStep({ place, yaw, velocity, acceleration, rate }, wish, dt) {
    const { limits, runtime } = this, { speed, heading, facing } = wish;
    let off = wrap((facing ?? heading) - yaw);
    if (speed <= 0 && facing === null) off = rate / limits.yaw_frequency; // a turn runs out
    const fast = Math.hypot(...add(velocity, scale(acceleration, dt / 2)));
    const most = Math.min(limits.max_yaw_rate, limits.max_lateral_acceleration / Math.max(fast, runtime.slow));
    const turn = spring([yaw, 0], [rate, 0], [off, 0], limits.yaw_frequency, most, dt);
    const middle = turn.mean[0];
    const goal = this.wantedVelocity(wish, middle, off - (middle - yaw));
    const frequency = interpolate(fast, limits.speeds, limits.frequencies);
    const next = spring(velocity, acceleration, less(goal, velocity), frequency, limits.max_acceleration, dt);
    return {
      place: add(place, scale(times(next.mean, unit(middle)), dt)),
      yaw: turn.value[0],
      velocity: next.value,
      acceleration: next.rate,
      rate: turn.rate[0],
    };
  }

  /** Along the animal's own axes: slower in sharp turns, and as fast backwards and sideways as it can. */
  wantedVelocity({ speed, heading, facing }, yaw, off) {
    if (facing === null) return [speed * Math.max(Math.cos(off / 2), this.runtime.min_turning_speed), 0];
    const way = heading - yaw;
    const along = Math.cos(way) > 0 ? this.limits.max_speed : this.limits.back_speed;
    const top = 1 / Math.hypot(Math.cos(way) / along, Math.sin(way) / this.limits.side_speed);
    return scale(unit(way), Math.min(speed, top));
  }
}

/** The same angle between -pi and pi. */
export function wrap(angle) {
  return angle - 2 * Math.PI * Math.ceil(angle / (2 * Math.PI) - 0.5);
}

/** One step of a critically damped spring whose rate is bounded: value, rate, and the mean of the value. */
function spring(value, rate, offset, frequency, bound, dt) {
  const decay = Math.exp(-dt * frequency), size = Math.hypot(...offset);
  if (size > (2 * bound) / frequency) {
    const steady = scale(offset, bound / size), faded = decay * decay, faster = less(rate, steady);
    const fade = (1 - faded) / (2 * frequency);
    const gained = add(scale(steady, dt / 2), scale(faster, (dt - fade) / (2 * frequency * dt)));
    const moved = add(scale(steady, dt), scale(faster, fade));
    return { value: add(value, moved), rate: add(steady, scale(faster, faded)), mean: add(value, gained) };
  }
  const goal = add(value, offset), gain = less(rate, scale(offset, frequency));
  const left = scale(less(scale(gain, dt), offset), decay), kept = scale(gain, decay);
  const late = less(less(scale(less(gain, kept), 1 / frequency), offset), left);
  const mean = add(goal, scale(late, 1 / (frequency * dt)));
  return { value: add(goal, left), rate: less(kept, scale(left, frequency)), mean };
}

/** The value at `x` of the straight lines through values at rising places. */
function interpolate(x, at, values) {
  const k = at.findIndex((a) => a >= x);
  if (k <= 0) return k < 0 ? values.at(-1) : values[0];
  return values[k - 1] + ((values[k] - values[k - 1]) * (x - at[k - 1])) / (at[k] - at[k - 1]);
}
