"""Rides of any batch controller: commands in, motions with contacts, ground tracks and expert weights out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from canter.control.batch import BatchCommand, BatchController, BatchState
from canter.motion import Motion
from canter.motion.arrays import Bools, Floats

Driver = Callable[[int, BatchState], BatchCommand]
"""The commands of a frame, from its number and the state before it."""
MAX_SPEED, MAX_HIP_HEIGHTS = 50.0, 10.0
"""An animal that goes faster than so many m/s, or whose joints are farther than that from their parents, is lost."""
EXPERT = "expert"
"""The telemetry that has the weights of experts."""


@dataclass(frozen=True, eq=False)
class Ride:
    """What one animal did in T frames.

    `contacts (T, L)`; `place (T, 2)` (x, z) and `facing (T,)` of the controller's ground track; `speed (T,)` and
    `heading (T,)` that it was told; `gaits`, what the controller says that it shows; `experts (T, K)`, empty where
    there are none.
    """

    motion: Motion
    contacts: Bools
    place: Floats
    facing: Floats
    speed: Floats
    heading: Floats
    gaits: tuple[str, ...]
    experts: Floats

    def __getitem__(self, frames: slice) -> Ride:
        return Ride(
            self.motion[frames],
            self.contacts[frames],
            self.place[frames],
            self.facing[frames],
            self.speed[frames],
            self.heading[frames],
            self.gaits[frames],
            self.experts[frames],
        )

    @property
    def finite(self) -> bool:
        """Whether every number of the motion is one."""
        return bool(np.isfinite(self.motion.positions).all() and np.isfinite(self.motion.rotations).all())


def drive(
    batch: BatchController,
    driver: Driver,
    frames: int,
    first: int = 0,
    until: Callable[[], bool] = lambda: False,
) -> list[Ride]:
    """Rides of all animals of a batch over so many frames, from the frame `first` on, or until something has happened
    after that.

    An animal that is lost begins anew, so that it does no harm to the others, and its whole ride is NaN.
    """
    kept: dict[str, list[np.ndarray]] = {}
    state = batch.reset()
    names, lost = state.gait_names, np.zeros(batch.count, bool)
    for frame in range(frames):
        command = driver(frame, state)
        before, state = state, batch.step(command)
        gone = lost_animals(before, state, batch)
        if gone.any():
            lost |= gone
            state = batch.reset(who=gone)
        if frame < first:
            continue
        found = {
            "positions": state.positions.astype(np.float32),
            "rotations": state.rotations.astype(np.float32),
            "contacts": state.contacts,
            "place": state.place[:, [0, 2]],
            "facing": state.facing,
            "speed": command.speed,
            "heading": command.heading,
            "gait": state.gait,
            "experts": _experts(state),
        }
        for name, value in found.items():
            kept.setdefault(name, []).append(value)
        if until():
            break
    arrays = {name: np.stack(values, axis=1) for name, values in kept.items()}
    arrays["positions"][lost] = np.nan
    return [_ride(batch, {name: value[k] for name, value in arrays.items()}, names) for k in range(batch.count)]


def lost_animals(before: BatchState, after: BatchState, batch: BatchController) -> Bools:
    """Whose motion `(N,)` is no motion any more: numbers that are not finite, or far beyond any animal."""
    most = MAX_HIP_HEIGHTS * batch.character.anatomy.hip_height
    with np.errstate(invalid="ignore", over="ignore"):
        speed = np.linalg.norm(after.place - before.place, axis=1) * batch.frame_rate
        near = (np.abs(after.positions[:, 1:]) < most).all(axis=(1, 2))
        upright = np.abs(after.positions[:, 0, 1] - after.place[:, 1]) < most
        sound = np.isfinite(after.positions).all(axis=(1, 2)) & np.isfinite(after.rotations).all(axis=(1, 2))
        result: Bools = ~(sound & near & upright & (speed < MAX_SPEED))
    return result


def _experts(state: BatchState) -> Floats:
    if EXPERT not in state.telemetry:
        return np.zeros((len(state), 0))
    return np.asarray(state.telemetry[EXPERT])


def _ride(batch: BatchController, row: dict[str, np.ndarray], names: tuple[str, ...]) -> Ride:
    return Ride(
        Motion(batch.character.skeleton, batch.frame_rate, row["positions"], row["rotations"]),
        row["contacts"],
        row["place"],
        row["facing"],
        row["speed"],
        row["heading"],
        tuple(names[k] for k in row["gait"]),
        row["experts"],
    )
