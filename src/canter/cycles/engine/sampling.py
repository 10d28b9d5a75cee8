"""Sampling: the cycles of each animal blended by their weights, every leg at a phase of its own."""

from __future__ import annotations

import numpy as np

from canter.cycles.engine.frame import Frame
from canter.cycles.engine.library import Library
from canter.cycles.engine.strides import StrideTable
from canter.motion.arrays import Bools, Complexes


class Sampling:
    """Fills positions, rotations and natural feet of a frame, and how far feet sweep back in stance.

    Rotations are weighted sums of quaternions; `normalise` is a stage of its own, so that overlays can blend in before
    it.
    """

    def __init__(self, library: Library, strides: StrideTable) -> None:
        self._library, self._strides = library, strides
        self._sweeps = strides.sweeps.view(np.float64)

    def step(self, frame: Frame) -> None:
        timing, library = frame.timing, self._library
        weights, legs = timing.weights, timing.legs
        active = timing.active
        index, which = active.index, active.which
        phases = np.empty((len(index), legs + 1))
        phases[:] = timing.body_phases.take(index)[:, None]
        steps: Bools = self._strides.moves.take(which)  # legs that stand go with the body
        np.copyto(phases[:, :legs], timing.phases.reshape(-1, legs).take(index, axis=0), where=steps[:, None])
        slots = library.sample_slots(which, phases)
        if len(index) > timing.count:
            slots *= weights.take(index)[:, None]
            slots = active.summed(slots)
        late = timing.posture_weights - weights
        if np.count_nonzero(late):
            slots += late @ library.body_means
        frame.positions, frame.rotations, frame.feet = library.unpacked(slots)
        sweeps: Complexes = ((timing.step_scale[:, None] * weights) @ self._sweeps).view(np.complex128)
        frame.sweep = sweeps


class Normalise:
    """Blended quaternions become unit ones."""

    def step(self, frame: Frame) -> None:
        rotations = frame.rotations
        rotations /= np.sqrt(np.vecdot(rotations, rotations))[..., None]
