"""Animals that are ordered about at random for a long time. `make soak` takes as long as it should: 256 of each kind
for 140 s, and one of each for 10 minutes; here it is a taste of that."""

from __future__ import annotations

import hashlib
import os
import resource

import numpy as np
import pytest

import canter
from canter import Command
from canter.control import BatchCommand
from canter.cycles.gaits.batch import BatchGaits
from canter.motion.arrays import Floats
from canter.motion.kinematics import forward

LONG = os.environ.get("CANTER_SOAK") == "1"
BATCH, BATCH_SECONDS, ALONE_SECONDS = (256, 140, 600) if LONG else (32, 4, 5)
DEEPEST = 0.01
"""Hip heights that a foot may be under ground."""
GROWTH = 30e6
"""Bytes that a process may grow by in the second half."""
ANIMALS = ("horse", "dog", "turtle")


def memory() -> float:
    return 1024.0 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.mark.parametrize("name", ANIMALS)
def test_a_batch_lasts(name: str) -> None:
    first, second = (_batch_ride(name, frames) for frames in (60 * BATCH_SECONDS, 120))
    assert first[:120] == second[:120], "the same seed gave other frames"


def _batch_ride(name: str, frames: int) -> list[str]:
    """Digests of every frame of a batch under commands that change at any time."""
    batch, chance = BatchGaits(canter.load(name), BATCH), np.random.default_rng(3)
    height, feet = batch.character.anatomy.hip_height, batch.character.anatomy.feet
    actions, action = len(batch.capabilities.actions), np.full(BATCH, -1)
    speed, heading, facing = (np.zeros(BATCH) for _ in range(3))
    digests, used = [], 0.0
    for frame in range(frames):
        anew = chance.random(BATCH) < (1.0 if frame == 0 else 1 / 90)
        speed = np.where(anew, np.maximum(chance.uniform(-0.2, 1.0, BATCH), 0) * batch.choice.fastest, speed)
        heading = np.where(anew, chance.uniform(-np.pi, np.pi, BATCH), heading)
        facing = np.where(
            anew, np.where(chance.random(BATCH) < 0.2, heading + chance.normal(size=BATCH), np.nan), facing
        )
        action = np.where(anew, np.where(chance.random(BATCH) < 0.2, chance.integers(-1, actions, BATCH), -1), action)
        state = batch.step(BatchCommand.make(speed, heading, facing, action))
        positions, rotations = state.positions, state.rotations
        assert np.isfinite(positions.sum() + rotations.sum()), f"no number in frame {frame}"
        if frame % 4 == 0:
            low = forward(batch.character.skeleton, positions, rotations)[0][:, feet, 1].min()
            assert low > -DEEPEST * height, f"a foot {-100 * low:.1f} cm under ground in frame {frame}"
        digests.append(hashlib.blake2b(positions.tobytes() + rotations.tobytes()).hexdigest())
        if frame == frames // 2:
            used = memory()
    assert memory() - used < GROWTH
    return digests


@pytest.mark.parametrize("name", ANIMALS)
def test_one_lasts(name: str) -> None:
    controller = canter.load(name).controller("gaits")
    chance, told = np.random.default_rng(5), controller.capabilities
    height, feet = controller.character.anatomy.hip_height, controller.character.anatomy.feet
    command, used = Command(), 0.0
    frames = 60 * ALONE_SECONDS
    for frame in range(frames):
        if chance.random() < 1 / 90:
            command = Command(
                speed=max(float(chance.uniform(-0.2, 1.1)), 0.0) * told.speed_range[1],
                heading=float(chance.uniform(-np.pi, np.pi)),
                facing=float(chance.uniform(-np.pi, np.pi)) if chance.random() < 0.2 else None,
                action=str(chance.choice(told.actions)) if told.actions and chance.random() < 0.2 else None,
                style={style.name: 1.0 for style in told.styles if chance.random() < 0.2},
            )
        state = controller.step(command)
        pose: Floats = forward(controller.character.skeleton, state.pose.positions, state.pose.rotations)[0]
        assert np.isfinite(pose).all(), f"no number in frame {frame}"
        low = float(pose[feet, 1].min())
        assert low > -DEEPEST * height, f"a foot {-100 * low:.1f} cm under ground in frame {frame}, {state.gait}"
        if frame == frames // 2:
            used = memory()
    assert memory() - used < GROWTH
