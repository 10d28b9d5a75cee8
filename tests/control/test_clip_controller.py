"""The clip controller keeps the contract, follows its heading and holds its speed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from canter.anatomy import Character
from canter.control import Command, Controller, World, make_controller, rollout, states, to_motion
from canter.control.clip import make_loop


def heading_of(places: np.ndarray) -> float:
    travel = places[-1] - places[0]
    return math.degrees(math.atan2(travel[0], travel[2]))


@pytest.mark.parametrize("clip", ["walk", "back", "circle"])
@pytest.mark.parametrize("heading", [0.0, 90.0, -150.0])
def test_it_follows_heading_and_speed(animal: Character, clip: str, heading: float) -> None:
    controller = animal.controller("clip", clip=clip, frame_rate=30)
    natural = controller.capabilities.speed_range[1] / 1.5
    for ratio in (0.7, 1.4):
        command = Command(speed=ratio * natural, heading=math.radians(heading))
        ride = list(states(controller, [command] * 150))
        places = np.array([state.place for state in ride[60:]])
        error = (heading_of(places) - heading + 180) % 360 - 180
        assert abs(error) < 2
        speed = np.linalg.norm(places[-1] - places[0]) / ((len(places) - 1) / controller.frame_rate)
        assert speed == pytest.approx(ratio * natural, rel=0.01)
        roots = to_motion(ride, 30).position_world[:, 0]
        assert np.linalg.norm(roots[-1] - roots[60]) / 89 * 30 == pytest.approx(speed, rel=0.05)


def test_a_backward_clip_faces_away_from_its_travel(animal: Character) -> None:
    controller = animal.controller("clip", clip="back")
    assert controller.reset().facing == pytest.approx(0, abs=1e-6)
    state = [*states(controller, [Command(0.8, heading=math.pi)] * 60)][-1]
    assert abs(state.facing) < math.radians(2)
    assert state.velocity_world[2] == pytest.approx(-0.8, rel=0.02)


def test_the_loop_closes_when_its_travel_is_taken_out(animal: Character) -> None:
    for name in ("walk", "back", "circle"):
        loop = make_loop(animal, animal.clip(name))
        assert np.abs(loop.positions[0] - loop.positions[-1]).max() < 1e-9
        assert np.abs(loop.rotations[0] - loop.rotations[-1]).max() < 1e-6
    assert make_loop(animal, animal.clip("walk")).speed == pytest.approx(1.5)


def test_same_seed_and_commands_same_frames(animal: Character) -> None:
    random = np.random.default_rng(1)
    commands = [Command(float(s), float(h)) for s, h in random.uniform(-4, 4, (200, 2))]
    one, two = (rollout(animal.controller("clip"), commands, seed=3) for _ in range(2))
    assert np.array_equal(one.positions, two.positions)
    again = animal.controller("clip")
    rollout(again, commands[:77])
    assert np.array_equal(rollout(again, commands, seed=3).positions, one.positions)
    assert np.isfinite(one.positions).all()


def test_no_joint_jumps_at_the_seam(animal: Character) -> None:
    world = rollout(animal.controller("clip", clip="walk"), [Command(1.5)] * 240).position_world
    steps = np.linalg.norm(np.diff(world, axis=0), axis=-1)
    assert steps.max() < 3.2 * 1.5 / 60 * 1.5


def test_zero_speed_freezes_and_out_of_range_is_told(animal: Character) -> None:
    controller = animal.controller("clip")
    before = controller.reset()
    after = controller.step(Command(0.0, heading=1.0))
    assert np.array_equal(before.pose.positions, after.pose.positions)
    assert after.events == ()
    assert controller.step(Command(99.0)).events == ("clamped",)
    assert controller.step(Command(0.01)).events == ("clamped",)
    assert controller.step(Command(1.5)).events == ()


def test_the_state_is_complete(animal: Character) -> None:
    controller: Controller = make_controller("clip", animal, clip="walk", frame_rate=30)
    assert isinstance(controller, Controller)
    for state in states(controller, [Command(1.5, 0.5)] * 90):
        assert state.contacts.shape == (4,)
        assert state.pose.positions.dtype == np.float32
        assert np.isfinite(state.trajectory.positions).all()
        assert 0 <= state.telemetry["cycle_phase"] < 1
    positions = state.trajectory.positions
    assert np.allclose(positions[6], state.place)
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=1)
    assert np.allclose(steps[:5], 1.5 / 6, rtol=0.03)
    assert np.allclose(steps[6:], 1.5 / 6, rtol=0.03)


def test_it_climbs_with_the_ground(animal: Character) -> None:
    state = [*states(animal.controller("clip", world=World.slope(math.radians(10))), [Command(1.5)] * 120)][-1]
    assert state.place[1] == pytest.approx(state.place[2] * math.tan(math.radians(10)))
    assert state.pose.positions[0, 1] > state.place[1] + 0.4


def test_a_stand_plays_in_place(animal: Character) -> None:
    controller = animal.controller("clip", clip="stand")
    state = [*states(controller, [Command(2.0)] * 30)][-1]
    assert state.events == ("clamped",)
    assert np.allclose(state.place, 0)


def test_what_is_no_loop_is_refused(animal: Character) -> None:
    import dataclasses

    walk = animal.clip("walk")
    take = dataclasses.replace(walk, footfalls=dataclasses.replace(walk.footfalls, loop=False))
    with pytest.raises(ValueError, match="no looping clip"):
        dataclasses.replace(animal, clips=(take,)).controller("clip")
    with pytest.raises(ValueError, match="'walk' is no loop"):
        dataclasses.replace(animal, clips=(take,)).controller("clip", clip="walk")
    with pytest.raises(KeyError, match="no clip is called 'trot'"):
        animal.controller("clip", clip="trot")


def test_rollout_gives_one_frame_a_command(animal: Character) -> None:
    controller = animal.controller("clip", frame_rate=24)
    motion = rollout(controller, [Command(1.0)] * 17, name="out")
    assert (len(motion), motion.frame_rate, motion.name) == (17, 24, "out")
    assert len(rollout(controller, lambda state: Command(1.0, state.facing), frames=9)) == 9
    with pytest.raises(ValueError, match="how many frames"):
        rollout(controller, lambda state: Command())
    with pytest.raises(ValueError, match="at least one"):
        rollout(controller, [])
