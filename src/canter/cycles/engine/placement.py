"""Footing as a stage: where feet would come down by the stride, the foot lock, and the poses put into the world.

A foot comes down where the middle of its stance will be under its natural place, whatever the animal's velocity and
yaw rate; while it stands it is held there by the lock.
"""

from __future__ import annotations

import numpy as np

from canter.cycles.engine.frame import Frame
from canter.footing.ground import to_complex, turn_roots
from canter.footing.lock import FootLock, swing_curves
from canter.motion.arrays import Complexes, Floats
from canter.motion.numbers import column, number_or_array
from canter.motion.planar import unit_complex


class Placement:
    """The last stage of a pose: targets of the feet, the foot lock, and the world."""

    def __init__(self, lock: FootLock) -> None:
        self.lock = lock

    def step(self, frame: Frame) -> None:
        root, timing = frame.root, frame.timing
        natural = to_complex(frame.feet) if frame.natural is None else frame.natural
        swing = swing_curves(timing.clocks)
        heights = frame.feet[..., 1]
        if np.count_nonzero(timing.lift):
            swung = np.maximum(timing.clocks - 1.0, 0.0)
            heights = heights + timing.lift * (4 * swung * (1 - swung)) ** 2
        place, half = number_or_array(root.place), unit_complex(0.5 * number_or_array(root.yaw))
        frame.ahead = half * half
        frame.strain = self.lock.hold(
            frame.positions,
            frame.rotations,
            timing.clocks,
            natural + foothold_offset(frame, natural, swing[0]),
            heights,
            place,
            frame.ahead,
            frame.dt,
            frame.stance_limit,
            frame.swing_limit,
            swing,
        )
        frame.contacts = self.lock.state.contacts
        turn_roots(frame.positions, frame.rotations, self.lock.tree.root_index, "y", half, place)


def foothold_offset(frame: Frame, natural: Complexes, forth: Floats) -> Complexes:
    """How far from its natural place each foot `(N, L)` must be so that it goes back over the ground as the animal goes
    on; `forth (N, L)` is how far it has swung, from 0 to 1."""
    root, timing = frame.root.numbers(), frame.timing
    stance = timing.duty * column(number_or_array(timing.stride))
    to_middle = forth + 0.5 - np.minimum(timing.clocks, 1.0)  # of a stance: before it in swing, and in it
    speed: Complexes = column(root.velocity) + column(1j * root.yaw_rate) * natural
    result: Complexes = (speed * stance.astype(complex) + frame.sweep) * to_middle.astype(complex)
    return result
