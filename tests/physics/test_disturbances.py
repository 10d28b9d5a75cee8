"""Pushes, thrown things and moving ground: what commands say is what happens."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from canter.body.articulation import Articulation
from canter.control.command import Ground, Push, Throw
from canter.control.world import World
from canter.motion.constants import GRAVITY

pytest.importorskip("mujoco")

from canter.physics.disturbances import Disturbances
from canter.physics.mjcf import Scene
from canter.physics.simulation import Simulation

Bodies = Callable[[str | int], Articulation]
SECONDS = 1 / 60


def _step(simulation: Simulation, disturbances: Disturbances, frames: int) -> None:
    for _ in range(frames):
        simulation.step(np.zeros((simulation.count, simulation.model.nu)), 4, disturbances.forces(SECONDS))
        disturbances.advance(SECONDS)


def test_a_push_gives_its_impulse_and_ends(body_of: Bodies) -> None:
    simulation = Simulation(body_of("dog"), 2)
    disturbances = Disturbances(simulation)
    simulation.qpos[:, 2] += 5.0
    mass = simulation.body.mass
    disturbances.begin(0, [Push((0.7 * mass, 0.0, 0.0), seconds=0.11)])
    _step(simulation, disturbances, 12)
    velocity = simulation.sensed().velocity
    np.testing.assert_allclose(velocity[0] - velocity[1], [0, 0.7, 0], atol=0.01)
    assert disturbances.forces(SECONDS) is None


def test_a_push_of_an_unknown_joint_is_refused(body_of: Bodies) -> None:
    disturbances = Disturbances(Simulation(body_of("dog")))
    with pytest.raises(ValueError, match="no joint"):
        disturbances.begin(0, [Push((1, 0, 0), joint="wing")])


@pytest.mark.parametrize(("shape", "size"), [("box", (0.2, 0.3, 0.4)), ("sphere", (0.1,))])
def test_what_is_thrown_flies_as_it_was_thrown(body_of: Bodies, shape: str, size: tuple[float, ...]) -> None:
    simulation = Simulation(body_of("dog"), 2, Scene(boxes=2))
    disturbances = Disturbances(simulation)
    disturbances.begin(1, [Throw((5.0, 2.0, 1.0), (0.0, 3.0, -1.0), shape=shape, size=size, mass=2.0)])
    _step(simulation, disturbances, 12)
    (prop,) = disturbances.props(1)
    seconds = 12 * SECONDS
    flown = [5.0, 2.0 + 3.0 * seconds - GRAVITY * seconds**2 / 2, 1.0 - seconds]
    np.testing.assert_allclose(prop.position, flown, atol=0.03)
    assert prop.shape == shape
    np.testing.assert_allclose(prop.size, size)
    assert disturbances.props(0) == ()


def test_what_is_thrown_hits_and_shoves(body_of: Bodies) -> None:
    """A box of a quarter of its mass that flies at 4 m/s against its side."""
    simulation = Simulation(body_of("dog"), 2, Scene(boxes=1))
    disturbances = Disturbances(simulation)
    disturbances.begin(0, [Throw((1.0, 0.45, 0.2), (-4.0, 0.5, 0.0), mass=simulation.body.mass / 4)])
    hit = False
    for _ in range(20):
        _step(simulation, disturbances, 1)
        hit |= bool(simulation.sensed().hit[0])
    assert hit
    assert not simulation.sensed().hit[1]
    sideways = simulation.sensed().velocity[:, 1]
    assert sideways[0] < -0.12
    assert abs(sideways[1]) < 0.05


def test_more_things_than_there_is_room_for_replace_the_oldest(body_of: Bodies) -> None:
    disturbances = Disturbances(Simulation(body_of("dog"), 1, Scene(boxes=2)))
    for name in ("a", "b", "c"):
        disturbances.begin(0, [Throw((5.0, 1.0, 0.0), (0.0, 0.0, 0.0), name=name)])
    assert sorted(prop.name for prop in disturbances.props(0)) == ["b", "c"]
    disturbances.clear(np.array([True]))
    assert disturbances.props(0) == ()


def test_who_stands_on_ice_slides(body_of: Bodies) -> None:
    simulation = Simulation(body_of("dog"), 2)
    disturbances = Disturbances(simulation)
    disturbances.begin(0, [Ground(friction=0.02)])
    for row in (0, 1):
        disturbances.begin(row, [Ground(tilt=(0.0, math.radians(3)))])
    _step(simulation, disturbances, 90)
    slid = np.abs(simulation.qpos[:, 1])  # who stands fast leans over by as much as its legs give way
    assert slid[0] > 0.25
    assert slid[1] < 0.12


@pytest.mark.parametrize("tilt", [(0.1, 0.0), (0.0, 0.2), (-0.1, 0.05)])
def test_gravity_is_that_of_the_tilted_ground(body_of: Bodies, tilt: tuple[float, float]) -> None:
    """Along the ground it pulls to where the ground goes down: pitch lifts what lies ahead, roll the left."""
    simulation = Simulation(body_of("dog"), 2)
    disturbances = Disturbances(simulation, World(tilt=tilt))
    disturbances.begin(1, [Ground(tilt=tilt)])
    ahead, left, up = simulation.gravity[0] / GRAVITY
    assert np.sign(round(ahead, 6)) == -np.sign(tilt[0])
    assert np.sign(round(left, 6)) == -np.sign(tilt[1])
    np.testing.assert_allclose(-up, World(tilt=tilt).normal(np.zeros(2))[1], atol=1e-9)
    np.testing.assert_allclose(simulation.gravity[0], simulation.gravity[1], atol=1e-9)


def test_who_slides_over_turning_ice_goes_straight_on_in_the_world(body_of: Bodies) -> None:
    """Free of all forces, a body that moves straight in the world is seen to turn away by the ground."""
    simulation = Simulation(body_of("dog"), 1)
    disturbances = Disturbances(simulation)
    simulation.qpos[0, 2] += 20.0
    rate, frames = 0.8, 60
    disturbances.begin(0, [Ground(turn_rate=rate)])
    start, speed = simulation.sensed().centre[0, :2].copy(), np.array([1.5, 0.0])
    simulation.qvel[0, :2] = speed  # of the first segment, which is at the origin
    simulation.qvel[0, 5] = -rate
    simulation.put(np.array([True]), *_parts(simulation))
    _step(simulation, disturbances, frames)
    angle = rate * frames * SECONDS
    back = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    world = back @ simulation.sensed().centre[0, :2]
    np.testing.assert_allclose(world, start + speed * frames * SECONDS, atol=0.04)


def _parts(simulation: Simulation) -> list[np.ndarray]:
    qpos, qvel = simulation.qpos[0], simulation.qvel[0]
    return [x.copy() for x in (qpos[:3], qpos[3:7], simulation.angles[0], qvel[:6], simulation.angle_speeds[0])]


def test_hills_are_refused(body_of: Bodies) -> None:
    with pytest.raises(ValueError, match="flat or sloping"):
        Disturbances(Simulation(body_of("dog")), World.rolling())
