"""What bodies see: the mirror image of a body sees the mirror image of what the body sees, and goes on so."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from canter.body.articulation import Articulation

pytest.importorskip("mujoco")

from canter.motion.arrays import Floats
from canter.physics.mirror import AXIAL, POLAR, Mirror
from canter.physics.observations import Senses, body_state
from canter.physics.simulation import ROOT_SPEEDS, Simulation

Bodies = Callable[[str | int], Articulation]


def _mirrored(simulation: Simulation, senses: Senses) -> None:
    """Puts the second body where a mirror shows the first."""
    qpos, qvel, who = simulation.qpos[0].copy(), simulation.qvel[0].copy(), np.array([False, True])
    turn = qpos[3:7] * [1, -1, 1, -1]
    root = np.concatenate([qvel[:3] * POLAR, qvel[3:ROOT_SPEEDS] * AXIAL])
    image = senses.hinge_mirror
    simulation.put(
        who,
        qpos[:3] * POLAR,
        turn,
        image(simulation.angles[0]),
        root,
        image(simulation.angle_speeds[0]),
    )


@pytest.mark.parametrize("which", ["dog", 3])
def test_mirror_images_move_and_see_alike(body_of: Bodies, which: str | int) -> None:
    body = body_of(which)
    simulation, senses, random = Simulation(body, 2), Senses(body), np.random.default_rng(0)
    targets = random.normal(0, 0.1, (2, simulation.model.nu))
    simulation.step(targets, 24)  # the first is somewhere
    _mirrored(simulation, senses)
    targets[1] = senses.servo_mirror(targets[0])
    simulation.step(targets, 6)
    own = senses.own(body_state(simulation))
    seen = senses.own_mirror(own[0])
    hinges, legs = len(body.hinges), len(body.character.anatomy.legs)
    tails = np.concatenate([np.zeros(len(seen) - 2 * hinges - legs, bool), body.passive, body.passive])
    assert np.abs(own[1] - seen)[:-legs][~tails].max() < 0.1  # the tail of this rig is not in its middle
    assert (own[1] != seen)[-legs:].sum() <= 1  # of feet that hardly touch the ground
    assert np.abs(own[0] - own[1]).max() > 0.1


def test_a_mirror_image_of_a_mirror_image_is_the_thing_itself(body_of: Bodies) -> None:
    senses, random = Senses(body_of("dog")), np.random.default_rng(0)
    for mirror in (senses.own_mirror, senses.ahead_mirror, senses.servo_mirror):
        values: Floats = random.normal(size=len(mirror.sign))
        np.testing.assert_array_equal(mirror(mirror(values)), values)


def test_joined_mirrors_are_side_by_side() -> None:
    swap = Mirror.of([1.0, 1.0], [1, 0])
    joined = Mirror.join([swap, Mirror.of([-1.0]), swap])
    np.testing.assert_array_equal(joined(np.arange(5.0)), [1, 0, -2, 4, 3])
