"""Where an animal shall go: springs that plan the track ahead. An engine that has a steering may use its own.

Places on the ground are complex: real is ahead (+Z), imaginary is left (+X). MIT licence, as all of canter.
"""

import cmath
import math

import numpy as np


class Steering:
    """Plans from a velocity of its own, which follows that of the animal slowly: one that hesitates is still urged."""

    def __init__(self, contract):
        self.limits, self.runtime = contract["limits"], contract["runtime"]
        self.times = [time for time in contract["times"] if time > 0]
        self.dt = 1 / contract["frame_rate"]
        self.velocity, self.acceleration, self.yaw_rate = 0j, 0j, 0.0  # along the animal's own axes

    def goes(self, yaw, speed, facing):
        """Whether it shall go, or turn on the spot."""
        return speed > 0 or (facing is not None and abs(wrap(facing - yaw)) > self.runtime["min_turn"])

    def plan(self, place, yaw, velocity, speed, heading, facing):
        """Place, yaw and velocity in the world at each of the times ahead; `facing` None looks along the heading."""
        wish = speed, heading, facing
        start = place, yaw, self.velocity, self.acceleration, self.yaw_rate
        samples, root, now = [], start, 0.0
        for time in self.times:
            root, now = self.advance(root, wish, time - now, self.runtime["plan_step"]), time
            samples.append((root[0], root[1], root[2] * cmath.exp(1j * root[1])))
        _, _, moved, self.acceleration, self.yaw_rate = self.advance(start, wish, self.dt, self.runtime["max_step"])
        self.velocity = moved + self.runtime["velocity_pull"] * (velocity - moved)
        return samples

    def advance(self, root, wish, seconds, longest):
        """Place, yaw, velocity, acceleration and yaw rate some seconds later, in steps no longer than `longest`."""
        steps = max(math.ceil(seconds / longest - 1e-6), 1)
        for _ in range(steps):
            root = self.one_step(root, *wish, seconds / steps)
        return root

    def one_step(self, root, speed, heading, facing, dt):
        limits, (place, yaw, velocity, acceleration, rate) = self.limits, root
        off = wrap((heading if facing is None else facing) - yaw)
        if speed <= 0 and facing is None:
            off = rate / limits["yaw_frequency"]  # a turn runs out
        fast = abs(velocity + dt / 2 * acceleration)
        most = min(limits["max_yaw_rate"], limits["max_lateral_acceleration"] / max(fast, self.runtime["slow"]))
        turned, rate, middle = spring(yaw, rate, off, limits["yaw_frequency"], most, dt)
        goal = self.wanted_velocity(speed, heading, facing, middle, off - (middle - yaw))
        frequency = float(np.interp(fast, limits["speeds"], limits["frequencies"]))
        bound = limits["max_acceleration"]
        velocity, acceleration, mean = spring(velocity, acceleration, goal - velocity, frequency, bound, dt)
        return place + dt * mean * cmath.exp(1j * middle), turned, velocity, acceleration, rate

    def wanted_velocity(self, speed, heading, facing, yaw, off):
        """Along the animal's own axes: slower in sharp turns, and as fast backwards and sideways as it can."""
        if facing is None:
            return speed * max(math.cos(off / 2), self.runtime["min_turning_speed"])
        limits, way = self.limits, heading - yaw
        top = limits["max_speed"] if math.cos(way) > 0 else limits["back_speed"]
        top = 1 / math.hypot(math.cos(way) / top, math.sin(way) / limits["side_speed"])
        return min(speed, top) * cmath.exp(1j * way)


def wrap(angle):
    """The same angle between -pi and pi."""
    return angle - math.tau * round(angle / math.tau)


def spring(value, rate, offset, frequency, bound, dt):
    """One step of a critically damped spring whose rate is bounded: value, rate, and the mean of the value."""
    decay = math.exp(-dt * frequency)
    if abs(offset) > 2 * bound / frequency:
        steady, faded = bound * offset / abs(offset), decay * decay
        faster, fade = rate - steady, (1 - faded) / (2 * frequency)
        mean = value + steady * dt / 2 + faster * (dt - fade) / (2 * frequency * dt)
        return value + steady * dt + faster * fade, steady + faster * faded, mean
    goal, gain = value + offset, rate - frequency * offset
    left, kept = (gain * dt - offset) * decay, gain * decay
    mean = goal + ((gain - kept) / frequency - offset - left) / (frequency * dt)
    return goal + left, kept - frequency * left, mean
