"""Drives a network with NumPy and ONNX Runtime alone: python drive.py MODEL.onnx MODEL.json

Places on the ground are complex: real is ahead (+Z), imaginary is left (+X). MIT licence, as all of canter.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

import cmath
import json
import math
import sys

import numpy as np
import onnxruntime


class Driver:
    def __init__(self, model, contract):
        with open(contract, encoding="utf-8") as file:
            self.c = json.load(file)
        self.network = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        self.labels, self.dt = self.c["labels"], 1 / self.c["frame_rate"]
        self.joints = np.array([self.c["stand"]], np.float32)
        self.place, self.yaw, self.velocity = 0j, 0.0, 0j
        self.planned = 0j, 0j, 0.0  # velocity, acceleration and yaw rate that the way ahead is planned from
        self.weights = np.eye(len(self.labels))[0]
        self.past = [(0j, 0.0, 0j, 0.0, self.weights)] * (1 + round(-self.c["times"][0] / self.dt))

    def step(self, speed, heading=0.0, facing=None, label=None):
        """One frame; `facing` None looks ahead, `label` names an action. Returns joints `(12 J,)` and contacts."""
        c, r, goes_on = self.c, self.c["runtime"], [name in self.c["jumps"] for name in self.labels]
        turns = facing is not None and abs(wrap(facing - self.yaw)) > r["min_turn"]
        told = self.labels.index(label) if label else int(speed > 0 or turns)
        if not goes_on[told]:
            speed, facing = 0.0, None
            told = 1 if abs(self.velocity) > r["rest_speed"] else told
        one = np.eye(len(self.labels))[told]
        self.weights = self.weights + r["smoothing"] * (one - self.weights)
        wish, state = (speed, heading, facing), (self.place, self.yaw, *self.planned)
        future = [t for t in c["times"] if t > 0]
        ahead, root, now = [], state, 0.0
        for t in future:
            root, now = self.advance(root, wish, t - now, r["plan_step"]), t
            ahead.append((root[0], root[1], root[2] * cmath.exp(1j * root[1])))
        moved = self.advance(state, wish, self.dt, r["max_step"])
        self.planned = moved[2] + r["velocity_pull"] * (self.velocity - moved[2]), moved[3], moved[4]
        back = cmath.exp(-1j * self.yaw)
        past = [self.past[-1 - round(-t / self.dt)] for t in c["times"] if t < 0]
        places = [(p[0] - self.place) * back for p in past] + [0j] + [(p[0] - self.place) * back for p in ahead]
        angles = [p[1] - self.yaw for p in past] + [0.0] + [p[1] - self.yaw for p in ahead]
        moving = [p[2] * back for p in past] + [self.velocity] + [p[2] * back for p in ahead]
        speeds = [p[3] for p in past] + [speed] * (1 + len(ahead))
        left = [math.exp(-t / r["ahead_seconds"]) for t in future]
        weights = [p[4] for p in past] + [self.weights] + [one + share * (self.weights - one) for share in left]
        planes = [places, [cmath.exp(1j * a) for a in angles], moving]
        seen = [x for plane in planes for z in plane for x in (z.real, z.imag)] + speeds
        trajectory = np.array([np.concatenate([seen, *weights])], np.float32)
        feeds = {"trajectory": trajectory, "joints": self.joints, "enabled": np.ones(c["experts"], np.float32)}
        self.joints, root, contacts, _ = self.network.run(None, feeds)
        rests = [not goes for goes in goes_on]
        holds = min(max(self.weights[rests].sum() - self.weights[0], 0.0), 1.0)
        idles = min(max(self.weights[0], 0.0), 1.0)
        u, v, w = root[0] * min((1 - idles) ** r["stand_exponent"], (1 - holds) ** r["hold_exponent"])
        self.velocity = complex(u, v)
        self.place += self.dt * self.velocity * cmath.exp(1j * (self.yaw + w * self.dt / 2))
        self.yaw += float(w) * self.dt
        world = self.velocity * cmath.exp(1j * self.yaw)
        self.past = [*self.past[1:], (self.place, self.yaw, world, speed, self.weights)]
        return self.joints[0], contacts[0]

    def advance(self, root, wish, dt, longest):
        """Place, yaw, velocity, acceleration and yaw rate `dt` seconds later, by the springs of the steering."""
        limits, (speed, heading, facing) = self.c["limits"], wish
        steps = max(math.ceil(dt / longest - 1e-6), 1)
        dt = dt / steps
        for _ in range(steps):
            place, yaw, velocity, acceleration, rate = root
            off = wrap((heading if facing is None else facing) - yaw)
            if speed <= 0 and facing is None:
                off = rate / limits["yaw_frequency"]
            fast = abs(velocity + dt / 2 * acceleration)
            most = min(
                limits["max_yaw_rate"], limits["max_lateral_acceleration"] / max(fast, self.c["runtime"]["slow"])
            )
            turned, rate, middle = spring(yaw, rate, off, limits["yaw_frequency"], most, dt)
            off -= middle - yaw
            if facing is None:
                goal = speed * max(math.cos(off / 2), self.c["runtime"]["min_turning_speed"])
            else:
                way = heading - middle
                top = limits["max_speed"] if math.cos(way) > 0 else limits["back_speed"]
                top = 1 / math.hypot(math.cos(way) / top, math.sin(way) / limits["side_speed"])
                goal = min(speed, top) * cmath.exp(1j * way)
            frequency = float(np.interp(fast, limits["speeds"], limits["frequencies"]))
            bound = limits["max_acceleration"]
            velocity, acceleration, mean = spring(velocity, acceleration, goal - velocity, frequency, bound, dt)
            root = place + dt * mean * cmath.exp(1j * middle), turned, velocity, acceleration, rate
        return root


def wrap(angle):
    return angle - math.tau * round(angle / math.tau)


def spring(value, rate, offset, q, bound, dt):
    """One step of a critically damped spring whose rate is bounded: value, rate, and the mean of the value."""
    decay = math.exp(-dt * q)
    if abs(offset) > 2 * bound / q:
        steady, faded = bound * offset / abs(offset), decay * decay
        faster, fade = rate - steady, (1 - faded) / (2 * q)
        mean = value + steady * dt / 2 + faster * (dt - fade) / (2 * q * dt)
        return value + steady * dt + faster * fade, steady + faster * faded, mean
    goal, gain = value + offset, rate - q * offset
    left, kept = (gain * dt - offset) * decay, gain * decay
    return goal + left, kept - q * left, goal + ((gain - kept) / q - offset - left) / (q * dt)


if __name__ == "__main__":
    driver = Driver(*sys.argv[1:3])
    for frame in range(300):
        driver.step(speed=1.5, heading=0.5 * (frame > 150))
    print(f"after 5 s at ({driver.place.imag:.2f}, {driver.place.real:.2f}) m, {abs(driver.velocity):.2f} m/s")
