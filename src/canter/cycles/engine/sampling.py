"""Sampling: the cycles of each animal blended by their weights, every leg at a phase of its own."""

from __future__ import annotations

import numpy as np

from canter.cycles.engine.frame import Frame
from canter.cycles.engine.library import Library
from canter.cycles.engine.strides import StrideTable
from canter.motion.arrays import Floats


class Sampling:
    """Fills positions, rotations and natural feet of a frame, and how far feet sweep back in stance.

    Rotations are weighted sums of quaternions; `normalise` is a stage of its own, so that overlays can blend in before
    it.
    """

    def __init__(self, library: Library, strides: StrideTable) -> None:
        self._library, self._strides = library, strides
        self._body = np.flatnonzero(library.owner == len(library.tree.legs.foot))
        means = [x.mean(axis=1)[:, self._body] for x in (library.positions, library.rotations)]
        self._means: Floats = np.concatenate([x.reshape(len(x), -1) for x in means], axis=1)

    def step(self, frame: Frame) -> None:
        timing, library = frame.timing, self._library
        count, kinds, legs = timing.count, timing.kinds, timing.legs
        active = np.flatnonzero(timing.weights > 0)
        who, which = np.divmod(active, kinds)
        body = timing.body_phases.take(active)[:, None]
        stands = self._strides.laws.stands[which][:, None]
        phases = np.where(stands, body, timing.phases.reshape(-1, legs).take(active, axis=0))
        positions, rotations = library.sample(which, np.concatenate([phases, body], axis=1))
        feet = library.sample_feet(which, phases)
        if len(who) > count:
            first = np.searchsorted(who, np.arange(count))
            weights = timing.weights.take(active)[:, None, None]
            rotations, positions, feet = (np.add.reduceat(x * weights, first) for x in (rotations, positions, feet))
        late = timing.posture_weights - timing.weights
        if late.any():
            flat = late @ self._means
            joints = self._body
            positions[:, joints] += flat[:, : 3 * len(joints)].reshape(count, -1, 3)
            rotations[:, joints] += flat[:, 3 * len(joints) :].reshape(count, -1, 4)
        frame.positions, frame.rotations, frame.feet = positions, rotations, feet
        frame.sweep = timing.step_scale[:, None] * (timing.weights @ self._strides.sweeps)


class Normalise:
    """Blended quaternions become unit ones."""

    def step(self, frame: Frame) -> None:
        rotations = frame.rotations
        frame.rotations = rotations / np.sqrt(np.vecdot(rotations, rotations))[..., None]
