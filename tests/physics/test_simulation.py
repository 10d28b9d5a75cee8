"""Many bodies at once: rows are independent and repeatable, forces are what they say, and who diverges harms nobody."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from canter.body.articulation import Articulation
from canter.motion.constants import GRAVITY

pytest.importorskip("mujoco")

from canter.physics.simulation import Simulation

Bodies = Callable[[str | int], Articulation]


def test_the_ground_carries_the_weight(body_of: Bodies) -> None:
    simulation = Simulation(body_of("dog"), 2)
    simulation.step(np.zeros((2, simulation.model.nu)), 480)
    forces = simulation.sensed().forces
    np.testing.assert_allclose(forces[:, :, 2].sum(axis=1), simulation.body.mass * GRAVITY, rtol=0.02)
    np.testing.assert_allclose(forces[0, 0], forces[0, 1] * [1, -1, 1], atol=0.02 * simulation.body.mass * GRAVITY)


def test_rows_move_as_they_would_alone(body_of: Bodies) -> None:
    random = np.random.default_rng(0)
    many, one = Simulation(body_of("dog"), 5), Simulation(body_of("dog"), 1)
    for _ in range(8):
        targets = random.normal(0, 0.1, (5, many.model.nu))
        many.step(targets, 8)
        one.step(targets[3:4], 8)
    np.testing.assert_array_equal(many.state[3], one.state[0])
    assert not np.array_equal(many.state[2], many.state[3])


def test_a_push_changes_the_speed_by_its_impulse(body_of: Bodies) -> None:
    """In the air, so that nothing else acts."""
    simulation = Simulation(body_of("dog"), 2)
    simulation.qpos[:, 2] += 5.0
    seconds, forces = 24 * simulation.timestep, np.zeros((2, len(simulation.body.segments), 3))
    forces[0, :, 1] = 1.5 * simulation.body.mass / seconds * simulation.trunk_shares
    simulation.step(np.zeros((2, simulation.model.nu)), 24, forces)
    simulation.step(np.zeros((2, simulation.model.nu)), 1)  # sensors tell of the step before
    velocity = simulation.sensed().velocity
    np.testing.assert_allclose(velocity[0] - velocity[1], [0, 1.5, 0], atol=0.01)


def test_who_diverges_is_put_back_and_told_and_the_others_go_on(body_of: Bodies) -> None:
    simulation, calm = Simulation(body_of("dog"), 3), Simulation(body_of("dog"), 3)
    targets = np.zeros((3, simulation.model.nu))
    simulation.qvel[1, 0] = 1e12
    simulation.step(targets, 8)
    calm.step(targets, 8)
    np.testing.assert_array_equal(simulation.diverged, [False, True, False])
    np.testing.assert_array_equal(simulation.state[[0, 2]], calm.state[[0, 2]])
    assert np.isfinite(simulation.state).all()
    simulation.step(targets, 8)
    assert not simulation.diverged.any()
