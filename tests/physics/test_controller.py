"""Simulated animals behind the contract: they stand, tell of pushes and falls, and get back on their feet."""

from __future__ import annotations

import numpy as np
import pytest

import canter
from canter.control.batch import BatchCommand
from canter.control.command import Ground, Push, Throw
from canter.motion import rotations as rot

pytest.importorskip("mujoco")

from dataclasses import replace

from canter.physics.controller import DOWN_SECONDS, FRAME_RATE, BatchResidual


@pytest.fixture(scope="module")
def dogs() -> BatchResidual:
    """Three dogs that only their servos hold: they stand, and fall when they are pushed."""
    return BatchResidual(canter.load("dog"), 3)


def test_who_is_left_alone_stands_where_it_was_put(dogs: BatchResidual) -> None:
    state = dogs.reset()
    np.testing.assert_allclose(state.place, 0.0, atol=0.02)
    for _ in range(60):
        state = dogs.step(BatchCommand.still(3))
    np.testing.assert_allclose(state.place, 0.0, atol=0.05)
    np.testing.assert_allclose(state.facing, 0.0, atol=0.05)
    assert state.contacts.all()
    weight = 9.81 * dogs.body.mass
    np.testing.assert_allclose(state.telemetry["contact_force"][..., 1].sum(axis=1), weight, rtol=0.1)
    np.testing.assert_array_equal(state.positions[0], state.positions[1])
    assert state.trajectory.positions.shape == (3, 12, 3)


def test_who_is_knocked_over_says_so_and_is_put_back_where_it_lies(dogs: BatchResidual) -> None:
    dogs.reset()
    still = BatchCommand.still(3)
    push = Push((3.0 * dogs.body.mass, 0.0, 0.0))
    dogs.step(replace(still, disturbances={1: (push,)}))
    told: dict[str, list[int]] = {}
    for frame in range(round((DOWN_SECONDS + 2.0) * FRAME_RATE)):
        state = dogs.step(still)
        for name, mask in state.events.items():
            assert not mask[[0, 2]].any()
            told.setdefault(name, []).append(frame)
    assert len(told["fallen"]) == len(told["reset"]) == 1
    assert told["reset"][0] - told["fallen"][0] == pytest.approx(DOWN_SECONDS * FRAME_RATE, abs=2)
    assert state.place[1, 0] > 0.5
    assert state.contacts[1].all()


def test_rows_move_as_they_would_alone(dogs: BatchResidual) -> None:
    alone = BatchResidual(canter.load("dog"))
    dogs.reset()
    alone.reset()
    push = Push((10.0, 0.0, 5.0))
    dogs.step(replace(BatchCommand.still(3), disturbances={2: (push,)}))
    alone.step(replace(BatchCommand.still(1), disturbances={0: (push,)}))
    for _ in range(10):
        many, one = dogs.step(BatchCommand.still(3)), alone.step(BatchCommand.still(1))
    np.testing.assert_allclose(many.positions[2], one.positions[0], atol=1e-9)


def test_thrown_things_are_props_and_a_tilted_ground_tilts_the_animal(dogs: BatchResidual) -> None:
    dogs.reset()
    happens = {0: (Throw((1.5, 1.0, 0.0), (0.0, 0.0, 0.0), name="crate"),), 1: (Ground(tilt=(0.05, 0.0)),)}
    state = dogs.step(replace(BatchCommand.still(3), disturbances=happens))
    for _ in range(30):
        state = dogs.step(BatchCommand.still(3))
    assert [prop.name for prop in state.props[0]] == ["crate"]
    assert state.props[0][0].position[1] < 1.0
    assert [(prop.name, prop.shape) for prop in state.props[1]] == [("ground", "plane")]
    np.testing.assert_allclose(rot.rotate(state.props[1][0].rotation, [0.0, 0.0, 1.0])[1], np.sin(0.05), atol=1e-6)
    assert 2 not in state.props  # level ground is no thing
    root = [k for k, parent in enumerate(dogs.character.skeleton.parents) if parent < 0]
    assert not np.allclose(state.rotations[1, root], state.rotations[2, root], atol=0.01)


def test_some_can_begin_anew_while_others_go_on(dogs: BatchResidual) -> None:
    dogs.reset()
    push = Push((4.0, 0.0, 4.0))
    dogs.step(replace(BatchCommand.still(3), disturbances=dict.fromkeys(range(3), (push,))))
    before = dogs.step(BatchCommand.still(3))
    after = dogs.reset(0, np.array([False, True, False]))
    np.testing.assert_allclose(after.positions[[0, 2]], before.positions[[0, 2]])
    np.testing.assert_allclose(after.place[1], 0.0, atol=0.02)
