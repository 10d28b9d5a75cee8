"""How a controller goes at steady speeds: which gait it shows, how its feet skate and how its legs move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.anatomy import Character
from canter.anatomy.footfalls import strides_of
from canter.control.batch import BatchCommand, BatchController
from canter.motion import Motion
from canter.motion.arrays import Floats
from canter.motion.metrics import foot_skating, leg_activity

SETTLE_SECONDS, WATCH_SECONDS, STAND_SECONDS = 4.0, 10.0, 30.0
"""Seconds in which a gait or a stand settles, and in which each of them is watched."""
SPEED_SAMPLES = 4
"""Places a second between which a way is measured: often enough for turns, rarely enough for the sway of a stride."""


@dataclass(frozen=True)
class Going:
    """A ride at one speed: `motion`, the gaits of its strides, the mean speed in m/s, skating in cm a frame and leg
    activity in degrees a frame (MANN, Tables 2 and 3), of all legs and of the hind ones."""

    motion: Motion
    gaits: tuple[str, ...]
    speed: float
    skating: tuple[float, float]
    activity: tuple[float, float]

    def share(self, gait: str) -> float:
        """Of how many strides the gait is that, from 0 to 1."""
        return self.gaits.count(gait) / len(self.gaits) if self.gaits else 0.0


def rides(batch: BatchController, speeds: Floats, yaw_rate: float = 0.0) -> list[Going]:
    """Steady rides at `speeds (N,)`, one an animal, straight on or with a heading that turns at a steady rate."""
    rate, character = batch.frame_rate, batch.character
    settle, watch = round(SETTLE_SECONDS * rate), round(WATCH_SECONDS * rate)
    batch.reset()
    poses = []
    for frame in range(settle + watch):
        state = batch.step(BatchCommand.make(speeds, yaw_rate * frame / rate))
        if frame >= settle:
            poses.append((state.positions.astype(np.float32), state.rotations.astype(np.float32)))
    positions, rotations = (np.stack(x, axis=1) for x in zip(*poses, strict=True))
    motions = [Motion(character.skeleton, rate, p, r) for p, r in zip(positions, rotations, strict=True)]
    return [_going(motion, character) for motion in motions]


def _going(motion: Motion, character: Character) -> Going:
    anatomy, rate = character.anatomy, motion.frame_rate
    feet = motion.position_world[:, anatomy.feet]
    hind = [leg.name.endswith("H") for leg in anatomy.legs]
    skating = foot_skating(feet, rate)
    every, back = (
        [joint for leg, own in zip(anatomy.legs, hind, strict=True) if own or not only for joint in leg.joints]
        for only in (False, True)
    )
    places = feet.mean(axis=1)[:: round(rate / SPEED_SAMPLES), [0, 2]]
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    return Going(
        motion,
        tuple(stride.gait for stride in strides_of(motion, anatomy)),
        float(steps.mean() * SPEED_SAMPLES),
        (float(skating.mean()), float(skating[hind].mean())),
        tuple(float(leg_activity(motion.rotations[:, legs], rate).mean()) for legs in (every, back)),  # type: ignore[arg-type]
    )


def stand_drift(batch: BatchController, speed: float) -> tuple[float, float]:
    """Metres that animals drift at most, and that a foot moves at most, in a stand of 30 s that follows a walk."""
    rate = batch.frame_rate
    batch.reset()
    for _ in range(round(2 * rate)):
        batch.step(BatchCommand.make(np.full(batch.count, speed)))
    for _ in range(round(SETTLE_SECONDS * rate)):
        state = batch.step(BatchCommand.still(batch.count))
    skeleton, feet = batch.character.skeleton, batch.character.anatomy.feet
    places, spots = [state.place], []
    for _ in range(round(STAND_SECONDS * rate)):
        state = batch.step(BatchCommand.still(batch.count))
        places.append(state.place)
        motion = Motion(skeleton, rate, state.positions, state.rotations)
        spots.append(motion.position_world[:, feet])
    drift = np.linalg.norm(np.array(places) - places[0], axis=-1).max()
    return float(drift), float(np.linalg.norm(np.array(spots) - spots[0], axis=-1).max())
