"""How quickly an animal answers, read off its motion: the limits that a network is steered with at run time."""

from __future__ import annotations

import math

import numpy as np

from canter.control.improvise import LOCOMOTION
from canter.control.steering import SteeringLimits
from canter.motion.arrays import Floats
from canter.neural.dataset import DataSet

RESPONSE_FREQUENCY = 0.95
"""Natural frequency of the spring of the velocity, in cycles per stride."""
YAW_FREQUENCY = 7.0
"""That of the yaw in radians a second, for an animal of one metre at the hips."""
TABLE_SIZE = 16
"""Speeds at which the stride frequency is tabulated."""
KNOWN_SECONDS = 4.0
"""Seconds about a speed that its stride frequency is read off: some ten strides. Where there are fewer, it is that of
speeds beside it."""
PERCENTILE = 99.5
"""Of what was seen, this is taken as the most that an animal can do."""
MIN_STRIDES = 0.5
"""The least stride frequency in strides a second that is believed, for an animal of one metre at the hips."""


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
    return SteeringLimits(
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
