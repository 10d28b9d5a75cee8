"""Footing as a stage: where feet would come down by the stride, the foot lock, and the poses put into the world.

A foot comes down where the middle of its stance will be under its natural place, whatever the animal's velocity and
yaw rate; while it stands it is held there by the lock.
"""

from __future__ import annotations

import numpy as np

from canter.cycles.engine.frame import Frame
from canter.footing.ground import to_complex
from canter.footing.lock import FootLock
from canter.motion import rotations as rot
from canter.motion.arrays import Complexes, Floats
from canter.motion.easing import quintic_step


class Placement:
    """The last stage of a pose: targets of the feet, the foot lock, and the world."""

    def __init__(self, lock: FootLock) -> None:
        self.lock = lock

    def step(self, frame: Frame) -> None:
        root, timing = frame.root, frame.timing
        natural = to_complex(frame.feet)
        forth = quintic_step(timing.clocks - 1)
        free = natural + lead(frame, natural, forth)
        targets = frame.feet.copy()
        targets[..., 0], targets[..., 2] = free.imag, free.real
        if timing.lift.any():
            swung = np.maximum(timing.clocks - 1, 0.0)
            targets[..., 1] += timing.lift * (4 * swung * (1 - swung)) ** 2
        frame.strain = self.lock.hold(
            frame.positions,
            frame.rotations,
            timing.clocks,
            targets,
            root.place,
            root.yaw,
            frame.dt,
            frame.stance_limit,
            frame.swing_limit,
        )
        frame.contacts = self.lock.state.contacts
        self._to_world(frame)

    def _to_world(self, frame: Frame) -> None:
        """Poses seen from the travelling frame become poses with roots in the world."""
        root, roots = frame.root, self.lock.tree.roots
        positions, rotations = frame.positions, frame.rotations
        turned: Complexes = to_complex(positions[:, roots]) * np.exp(1j * root.yaw)[:, None]
        place = turned + root.place[:, None]
        positions[:, roots, 0], positions[:, roots, 2] = place.imag, place.real
        rotations[:, roots] = rot.multiply(rot.yaw(root.yaw)[:, None], rotations[:, roots])


def lead(frame: Frame, natural: Complexes, forth: Floats) -> Complexes:
    """How far from its natural place each foot `(N, L)` must be so that it goes back over the ground as the animal goes
    on; `forth (N, L)` is how far it has swung, from 0 to 1."""
    root, timing = frame.root, frame.timing
    stance = timing.duty * timing.stride[:, None]
    excess: Complexes = root.velocity[:, None] + 1j * root.yaw_rate[:, None] * natural + frame.sweep / stance
    to_middle = np.where(timing.clocks < 1, 0.5 - timing.clocks, forth - 0.5)
    result: Complexes = excess * to_middle * stance
    return result
