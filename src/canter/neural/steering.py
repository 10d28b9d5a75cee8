"""How a network is steered, at run time and while it is trained; and by which limits, read off its data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from canter.control.improvise import LOCOMOTION
from canter.control.steering import Root, SteeringLimits, Wish, advance
from canter.motion.arrays import Floats, Ints
from canter.neural.dataset import DataSet

RESPONSE_FREQUENCY = 0.95
"""Natural frequency of the spring of the velocity, in cycles per stride."""
YAW_FREQUENCY = 7.0
"""That of the yaw in radians a second, for an animal of one metre at the hips."""
VELOCITY_PULL = 0.03
"""The share by which the velocity that steering plans from approaches the actual one, in a frame at 60 Hz. Planning
from the actual one alone, a network that hesitates to start is never asked to go."""
PLAN_STEP = 1 / 6
"""Seconds that steering plans at once."""
TABLE_SIZE = 16
"""Speeds at which the stride frequency is tabulated."""
KNOWN_SECONDS = 4.0
"""Seconds about a speed that its stride frequency is read off: some ten strides. Where there are fewer, it is that of
speeds beside it."""
PERCENTILE = 99.5
"""Of what was seen, this is taken as the most that an animal can do."""
MIN_STRIDES = 0.5
"""The least stride frequency in strides a second that is believed, for an animal of one metre at the hips."""
START_SECONDS, CRUISE_SECONDS = 0.5, 1.0
"""Seconds of a start by whose way the response at rest is told, and after which an animal goes as fast as it will."""
MIN_STARTS = 5
"""Starts from which that is believed."""
STRAIGHT = 0.35
"""Radians that a straight start turns or goes aside at most."""
SLOWEST_START = 0.1
"""The least response at rest, as a share of that at the slowest speed that is known."""


def measure_limits(dataset: DataSet) -> SteeringLimits:
    """The limits of an animal's speed, acceleration and turns, and its response, from all frames of a data set."""
    velocity = np.asarray(dataset.arrays["velocity"])
    rate = dataset.frame_rate
    same = dataset.clip_of[1:] == dataset.clip_of[:-1]
    yaw_rate = np.where(same, np.diff(dataset.arrays["yaw"]), 0.0) * rate
    world = velocity * np.exp(1j * np.asarray(dataset.arrays["yaw"]))
    acceleration = np.abs(np.where(same, np.diff(world), 0.0)) * rate
    speed = np.abs(velocity)
    ahead = velocity.real > np.abs(velocity.imag)
    back = velocity.real < -np.abs(velocity.imag)
    aside = ~ahead & ~back
    goes = speed > dataset.rest_speed
    top = max(_most(speed[ahead & goes]), float(np.max(dataset.arrays["wanted_speed"], initial=0.0)))
    slow = speed[1:] < 0.25 * top
    table, frequencies = stride_frequencies(dataset, top)
    limits = SteeringLimits(
        max_speed=top,
        back_speed=_most(-velocity.real[back]) or 0.25 * top,
        side_speed=_most(np.abs(velocity.imag[aside])) or 0.1 * top,
        max_acceleration=_most(acceleration),
        max_lateral_acceleration=_most(np.abs(yaw_rate * speed[1:])),
        max_yaw_rate=_most(np.abs(yaw_rate[slow])) or 1.5,
        yaw_frequency=YAW_FREQUENCY / math.sqrt(dataset.hip_height),
        speeds=table,
        frequencies=2 * np.pi * RESPONSE_FREQUENCY * frequencies,
    )
    return with_starts(limits, dataset)


def with_starts(limits: SteeringLimits, dataset: DataSet) -> SteeringLimits:
    """The same limits, with the response at rest by which animals get as far in their first steps as they do in the
    data. Strides tell nothing there: an animal that stands takes none, and planned by those of a walk it is rushed into
    its first steps, and hops. Unchanged where the data has hardly a start."""
    begins = straight_starts(dataset)
    known = limits.speeds > dataset.rest_speed
    if len(begins) < MIN_STARTS or not known.any():
        return limits
    place, yaw = np.asarray(dataset.arrays["place"]), np.asarray(dataset.arrays["yaw"])
    after = begins + round(START_SECONDS * dataset.frame_rate)
    cruise = np.abs(np.asarray(dataset.arrays["velocity"])[begins + round(CRUISE_SECONDS * dataset.frame_rate)])
    share = float(np.median(((place[after] - place[begins]) * np.exp(-1j * yaw[begins])).real / cruise))
    still, wish = Root(len(begins)), Wish(cruise, np.zeros(len(begins)), np.full(len(begins), np.nan))
    first = int(np.argmax(known))

    def started(response: float) -> SteeringLimits:
        slow = np.interp(limits.speeds[:first], [0.0, limits.speeds[first]], [response, limits.frequencies[first]])
        return replace(limits, frequencies=np.concatenate([slow, limits.frequencies[first:]]))

    low, high = SLOWEST_START * limits.frequencies[first], float(limits.frequencies[first])
    for _ in range(12):
        middle = (low + high) / 2
        way = advance(still, wish, started(middle), START_SECONDS).place.real / cruise
        low, high = (middle, high) if np.median(way) < share else (low, middle)
    return started(high)


def straight_starts(dataset: DataSet) -> Ints:
    """The frames in which an animal that stands is told to go, and then goes straight ahead."""
    arrays, seconds = dataset.arrays, round(CRUISE_SECONDS * dataset.frame_rate)
    label, velocity = np.asarray(arrays["label"]), np.asarray(arrays["velocity"])
    place, yaw, clip = np.asarray(arrays["place"]), np.asarray(arrays["yaw"]), dataset.clip_of
    begins = np.flatnonzero((label[:-1] == 0) & (label[1:] == 1) & (clip[:-1] == clip[1:])) + 1
    begins = begins[begins + seconds < len(label)]
    later = begins + seconds
    moved = (place[later] - place[begins]) * np.exp(-1j * yaw[begins])
    straight = (np.abs(np.angle(moved)) < STRAIGHT) & (np.abs(yaw[later] - yaw[begins]) < STRAIGHT)
    whole = (clip[later] == clip[begins]) & (label[later] == 1)
    sets_off = (np.abs(velocity[begins]) < 0.5 * dataset.rest_speed) & (np.abs(velocity[later]) > dataset.rest_speed)
    result: Ints = begins[straight & whole & sets_off]
    return result


def planned(root: Root, wish: Wish, limits: SteeringLimits, steps: Sequence[float]) -> list[Root]:
    """The root motion after each of `steps` seconds, counted from the one before, if the wish stays the same."""
    plan = [root]
    for seconds in steps:
        plan.append(advance(plan[-1], wish, limits, seconds, PLAN_STEP))
    return plan[1:]


def followed(root: Root, wish: Wish, limits: SteeringLimits, velocity: Any, frame_rate: float) -> Root:
    """The velocity, acceleration and yaw rate a frame later, from which the next plan begins, of animals whose actual
    `velocity` is this, in m/s in their own axes."""
    moved = advance(root, wish, limits, 1 / frame_rate)
    moved.velocity = moved.velocity + velocity_pull(frame_rate) * (velocity - moved.velocity)
    return moved


def velocity_pull(frame_rate: float) -> float:
    """VELOCITY_PULL for a frame at another rate."""
    return float(1 - (1 - VELOCITY_PULL) ** (60 / frame_rate))


def _most(values: Floats) -> float:
    return float(np.percentile(values, PERCENTILE)) if len(values) else 0.0


def stride_frequencies(dataset: DataSet, top: float) -> tuple[Floats, Floats]:
    """Speeds `(K,)` and strides a second `(K,)` at them, by how often feet come down in locomotion: not in jumps."""
    contacts = np.asarray(dataset.arrays["contacts"])
    speed = np.abs(np.asarray(dataset.arrays["velocity"]))
    goes = np.asarray(dataset.arrays["label"]) == dataset.layout.labels.index(LOCOMOTION)
    down = np.zeros(len(contacts))
    down[1:] = (contacts[1:] & ~contacts[:-1]).mean(axis=1)
    table = np.linspace(0.0, top, TABLE_SIZE)
    width = table[1] - table[0]
    least = MIN_STRIDES / math.sqrt(dataset.hip_height)
    rates = np.full(TABLE_SIZE, np.nan)
    for k, value in enumerate(table):
        near = goes & (np.abs(speed - value) < width / 2)
        if near.sum() > KNOWN_SECONDS * dataset.frame_rate and value > dataset.rest_speed:
            rates[k] = max(down[near].mean() * dataset.frame_rate, least)
    known = np.isfinite(rates)
    if not known.any():
        return table, np.full(TABLE_SIZE, least)
    return table, np.interp(table, table[known], rates[known])
