"""Steering: from speed, heading and facing to motion over the ground, as pure functions of `(N,)` arrays, or of plain
numbers for one animal.

Velocity and yaw follow what is wanted as critically damped springs whose rate is bounded: by the acceleration that legs
can give, and by a yaw rate that falls with speed. A step is exact for any length of a frame as long as it stays within
one of the two regimes (free, or at the bound). The trajectory is predicted by the same steps, so what is drawn is what
will happen.

Places on the ground are complex: real is ahead (+Z), imaginary is left (+X). Velocities are in the animal's own axes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from canter.control.trajectory import Prediction, wrap_angles
from canter.motion.arrays import Bools, Complexes, Floats
from canter.motion.numbers import Numbers, array_of, functions_of, number_or_array, some
from canter.motion.planar import unit_complex

MIN_TURNING_SPEED = 0.25
"""The share of its speed that an animal keeps while it turns round to another heading."""
SLOW = 0.1
"""Metres a second below which the sideways acceleration bounds no turn."""
MAX_STEP, PREDICTION_STEP = 1 / 60, 1 / 12
"""Seconds that an animal is moved at once at most, and in a prediction: longer frames are divided."""


@dataclass(eq=False)
class Root:
    """Root motion on the ground `(N,)`: `place` and `yaw` in the world; `velocity` and its change, the `acceleration`,
    in the animal's own axes; `yaw_rate` in radians a second."""

    count: int
    place: Complexes = field(init=False)
    yaw: Floats = field(init=False)
    velocity: Complexes = field(init=False)
    acceleration: Complexes = field(init=False)
    yaw_rate: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.place, self.velocity, self.acceleration = (np.zeros(self.count, complex) for _ in range(3))
        self.yaw, self.yaw_rate = np.zeros(self.count), np.zeros(self.count)

    @staticmethod
    def of(place: Complexes, yaw: Floats, velocity: Complexes, acceleration: Complexes, yaw_rate: Floats) -> Root:
        """A root motion with these arrays."""
        root = Root.__new__(Root)
        root.count, root.place, root.yaw = len(place) if isinstance(place, np.ndarray) else 1, place, yaw
        root.velocity, root.acceleration, root.yaw_rate = velocity, acceleration, yaw_rate
        return root

    def snapshot(self) -> Root:
        """The same arrays in a `Root` of its own, for those that read it later: a step makes new arrays."""
        return Root.of(*self._values())

    def numbers(self) -> Root:
        """The same with plain numbers, if it is one animal."""
        return Root.of(*map(number_or_array, self._values())) if self.count == 1 else self

    def take(self, other: Root) -> None:
        """Becomes like another one, whose values may be plain numbers."""
        values = map(array_of, other._values())
        self.place, self.yaw, self.velocity, self.acceleration, self.yaw_rate = values

    def _values(self) -> tuple[Any, ...]:
        return self.place, self.yaw, self.velocity, self.acceleration, self.yaw_rate


@dataclass(frozen=True, eq=False)
class SteeringLimits:
    """What the legs of one kind of animal can do.

    Speeds in m/s: ahead, back and aside. Accelerations in m/s²; `max_yaw_rate` in rad/s. Natural frequencies of the
    springs in rad/s: `yaw_frequency`, and `frequencies (K,)` of the velocity at `speeds (K,)`, between which they are
    interpolated.
    """

    max_speed: float
    back_speed: float
    side_speed: float
    max_acceleration: float
    max_lateral_acceleration: float
    max_yaw_rate: float
    yaw_frequency: float
    speeds: Floats
    frequencies: Floats

    def fastest_towards(self, way: Floats) -> Floats:
        """The greatest speeds `(N,)` of animals that go `way` radians to the left of where they face."""
        fn = functions_of(way)
        ahead, aside = fn.cos(way), fn.sin(way)
        fastest = fn.where(ahead > 0, self.max_speed, self.back_speed)
        result: Floats = 1 / fn.hypot(ahead / fastest, aside / self.side_speed)
        return result

    def yaw_rate_limit(self, speed: Floats) -> Floats:
        """The greatest yaw rates `(N,)` at speeds `(N,)`."""
        fn = functions_of(speed)
        result: Floats = fn.minimum(self.max_yaw_rate, self.max_lateral_acceleration / fn.maximum(speed, SLOW))
        return result

    def velocity_frequency(self, speed: Floats) -> Floats:
        """The natural frequencies `(N,)` of the velocity at speeds `(N,)`."""
        fn = functions_of(speed)
        result: Floats = fn.interp(speed, *(self._lists if fn is Numbers else (self.speeds, self.frequencies)))
        return result

    @cached_property
    def _lists(self) -> tuple[list[float], list[float]]:
        """The speeds and frequencies as lists, in which one number is found several times as fast."""
        return self.speeds.tolist(), self.frequencies.tolist()


@dataclass(frozen=True, eq=False)
class Wish:
    """What N animals are steered by: `speed` and `heading`; `facing`, NaN where it is along the heading; and a bound of
    the yaw rate besides the animal's own, if there is one."""

    speed: Floats
    heading: Floats
    facing: Floats
    max_yaw_rate: Floats | None = None
    free: Bools | None = field(init=False)
    """Who faces where it goes `(N,)`; None if all do."""

    def __post_init__(self) -> None:
        faces = self.facing == self.facing  # not NaN
        object.__setattr__(self, "free", self.facing != self.facing if some(faces) else None)

    def numbers(self) -> Wish:
        """The same with plain numbers, if it is one animal's."""
        if not isinstance(self.speed, np.ndarray) or len(self.speed) > 1:
            return self
        return Wish(*map(number_or_array, (self.speed, self.heading, self.facing, self.max_yaw_rate)))


def spring(
    value: Any, rate: Any, offset: Any, frequency: Floats | float, bound: Floats | float, dt: Floats | float
) -> tuple[Any, Any, Any]:
    """One step of critically damped springs toward `value + offset` whose rate approaches `bound` at most.

    x'' = q² e - 2 q x' with the offset e to the goal, held at 2 bound / q where it is longer. Returns value, rate and
    the mean of the value over the step; all may be complex, bounds apply to their sizes.
    """
    size, longest, decay = abs(offset), 2.0 * bound / frequency, functions_of(dt * frequency).exp(-dt * frequency)
    if isinstance(frequency, np.ndarray) and offset.dtype.kind == "c":  # once, and not in every product
        frequency, decay = frequency.astype(complex), decay.astype(complex)
    goal, gain = value + offset, rate - frequency * offset
    left, kept = (gain * dt - offset) * decay, gain * decay
    value_free, rate_free = goal + left, kept - frequency * left
    mean_free = goal + ((gain - kept) / frequency - offset - left) / (frequency * dt)
    bounded = size > longest
    if not some(bounded):
        return value_free, rate_free, mean_free
    fn = functions_of(offset)
    steady = bound * offset / fn.maximum(size, 1e-12)
    decay = decay * decay
    faster, fade = rate - steady, (1.0 - decay) / (2.0 * frequency)
    value_bound = value + steady * dt + faster * fade
    rate_bound = steady + faster * decay
    mean_bound = value + steady * dt / 2 + faster * (dt - fade) / (2 * frequency * dt)
    return (
        fn.where(bounded, value_bound, value_free),
        fn.where(bounded, rate_bound, rate_free),
        fn.where(bounded, mean_bound, mean_free),
    )


def free_spring(value: Floats, rate: Floats, offset: Floats, frequency: Floats, dt: float) -> tuple[Floats, Floats]:
    """Value and rate after one step of the springs of `spring`, without a bound."""
    decay = np.exp(-dt * frequency)
    gain = rate - frequency * offset
    left = (gain * dt - offset) * decay
    return value + offset + left, gain * decay - frequency * left


def yaw_error(root: Root, wish: Wish, frequency: float) -> Floats:
    """Radians `(N,)` by which the animals still want to turn.

    Without a facing they turn to the heading as long as they shall go; who shall neither go nor face anywhere ends the
    turn that it is in, without turning back.
    """
    fn, free, rests = functions_of(root.yaw), wish.free, wish.speed <= 0.0
    off: Floats = wrap_angles((wish.heading if free is None else fn.where(free, wish.heading, wish.facing)) - root.yaw)
    if not some(rests):
        return off
    result: Floats = fn.where(rests if free is None else rests & free, root.yaw_rate / frequency, off)
    return result


def wanted_velocity(yaw: Floats, off: Floats, wish: Wish, limits: SteeringLimits) -> Complexes:
    """The velocity `(N,)` in own axes that animals with such yaws want, which are `off (N,)` their facing."""
    fn = functions_of(off)
    ahead: Complexes = fn.as_complex(wish.speed * fn.maximum(fn.cos(0.5 * off), MIN_TURNING_SPEED))
    if wish.free is None:
        return ahead
    way = wish.heading - yaw
    aside = fn.minimum(wish.speed, limits.fastest_towards(way)) * unit_complex(way)
    result: Complexes = fn.where(wish.free, ahead, aside)
    return result


def wanted_yaw_rate(speed: Floats, off: Floats, wish: Wish, limits: SteeringLimits) -> Floats:
    """The yaw rate `(N,)` that the spring of the yaw would settle at if nothing changed, at speeds `(N,)`."""
    fn, most = functions_of(off), _yaw_bound(speed, wish, limits)
    result: Floats = fn.minimum(fn.maximum(limits.yaw_frequency / 2 * off, -most), most)
    return result


def predicted_turn(
    root: Root, wish: Wish, limits: SteeringLimits, seconds: Floats, off: Floats | None = None
) -> Floats:
    """Radians `(N,)` by which animals will have turned after `seconds (N,)`, at the yaw rates that speed allows; `off
    (N,)` is their `yaw_error`, where it is known."""
    off = yaw_error(root, wish, limits.yaw_frequency) if off is None else off
    bound = _yaw_bound(abs(root.velocity), wish, limits)
    yaw: Floats = spring(root.yaw, root.yaw_rate, off, limits.yaw_frequency, bound, seconds)[0]
    return yaw - root.yaw


def advance(
    root: Root, wish: Wish, limits: SteeringLimits, dt: float, max_step: float = MAX_STEP, off: Floats | None = None
) -> Root:
    """The root motion `dt` seconds later, in steps of at most `max_step` seconds; `root` stays as it is. `off (N,)` is
    its `yaw_error`, where it is known."""
    steps = max(math.ceil(dt / max_step - 1e-6), 1)
    for _ in range(steps):
        root = _step(
            root, wish, limits, dt / steps, yaw_error(root, wish, limits.yaw_frequency) if off is None else off
        )
        off = None
    return root


def _step(root: Root, wish: Wish, limits: SteeringLimits, dt: float, off: Floats) -> Root:
    """The root motion `dt` seconds later, of animals that are `off (N,)` their facing.

    What depends on the speed is taken at the middle of the step, so that the way hardly depends on its length.
    """
    speed = abs(root.velocity + dt / 2 * root.acceleration)
    bound = _yaw_bound(speed, wish, limits)
    yaw, yaw_rate, mean_yaw = spring(root.yaw, root.yaw_rate, off, limits.yaw_frequency, bound, dt)
    goal = wanted_velocity(mean_yaw, off - (mean_yaw - root.yaw), wish, limits)
    frequency = limits.velocity_frequency(speed)
    velocity, acceleration, mean_velocity = spring(
        root.velocity, root.acceleration, goal - root.velocity, frequency, limits.max_acceleration, dt
    )
    place = root.place + dt * mean_velocity * unit_complex(mean_yaw)
    return Root.of(place, yaw, velocity, acceleration, yaw_rate)


def predict(
    root: Root, wish: Wish, limits: SteeringLimits, times: Floats, max_step: float = PREDICTION_STEP
) -> Prediction:
    """Places, yaws and world velocities `(N, F)` at `times (F,)` from now, if the wish stays the same; in steps of at
    most `max_step` seconds."""
    places = np.empty((root.count, len(times)), complex)
    yaws, velocities = np.empty(places.shape), np.empty(places.shape, complex)
    now = 0.0
    for k, time in enumerate(times):
        root = advance(root, wish, limits, float(time) - now, max_step)
        now = float(time)
        places[:, k], yaws[:, k], velocities[:, k] = root.place, root.yaw, root.velocity * unit_complex(root.yaw)
    return places, yaws, velocities


def _yaw_bound(speed: Floats, wish: Wish, limits: SteeringLimits) -> Floats:
    most = limits.yaw_rate_limit(speed)
    return most if wish.max_yaw_rate is None else functions_of(most).minimum(most, wish.max_yaw_rate)
