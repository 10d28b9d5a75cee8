"""What holds for the presets of both papers, whatever they are told."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from canter.control import Command, Single, State, load
from canter.cycles.engine.library import fastest_joints
from canter.cycles.papers.huang import BatchHuang
from canter.cycles.papers.jump import jumps_of
from canter.cycles.papers.paper import Paper
from canter.cycles.papers.sung import BatchSung
from canter.evaluation.cycles.figures import CALM, RATE, joint_speeds
from canter.motion import Pose
from canter.motion.arrays import Floats
from canter.motion.kinematics import forward


@pytest.mark.parametrize("animal", ["horse", "dog", "turtle"])
@pytest.mark.parametrize(("preset", "seed"), [("sung", 3), ("huang", 5)])
def test_rides_are_sound(preset: str, seed: int, animal: str) -> None:
    controller, chance = paper(preset, animal), np.random.default_rng(seed)
    poses = [controller.reset().pose]
    for _ in range(6):
        speed = float(chance.uniform(*controller.capabilities.speed_range))
        command = Command(speed=speed, heading=float(chance.uniform(-2, 2)))
        poses += [controller.step(command).pose for _ in range(120)]
    check(controller, poses)


@pytest.mark.parametrize("animal", ["horse", "dog", "turtle"])
@pytest.mark.parametrize("preset", ["sung", "huang"])
def test_it_stands_until_it_is_told_to_go_and_when_it_is_told_to_stop(preset: str, animal: str) -> None:
    controller = paper(preset, animal)
    state = controller.reset()
    assert controller.capabilities.speed_range[0] == 0
    poses, cycles = [state.pose], controller.batch.library.cycles

    def until(command: Command, arrived: Callable[[State], bool], seconds: float) -> State:
        """The state after a second in which it has arrived all the time; fails if that takes longer than `seconds`."""
        count = 0
        for _ in range(round(RATE * seconds)):
            state = controller.step(command)
            poses.append(state.pose)
            count = count + 1 if arrived(state) else 0
            if count == RATE:
                return state
        pytest.fail(f"not in {seconds:.0f} s")

    for cycle in (cycles[0], cycles[1]):
        state = controller.step(Command())
        poses.append(state.pose)
        assert state.gait == "stand"
        assert state.speed < 0.01
        goes = partial(_goes, gait=cycle.name, stood=state.place, far=controller.character.anatomy.hip_height)
        until(Command(speed=cycle.speed), goes, 1 + 12 * cycle.seconds)
        state = until(Command(), _stands, 1 + 12 * cycle.seconds)
    check(controller, poses)


def _goes(state: State, gait: str, stood: Floats, far: float) -> bool:
    return state.gait == gait and bool(np.linalg.norm(state.place - stood) > far)


def _stands(state: State) -> bool:
    return state.gait == "stand" and bool(state.contacts.all()) and not state.telemetry["transition"] < 0.95


def test_a_stand_is_left_for_a_jump_and_begun_in_the_middle_of_starting() -> None:
    controller = paper("sung", "dog")
    controller.reset()
    poses, events, chance = [], set[str](), np.random.default_rng(0)
    for speed in chance.choice([0.0, 0.9], 30):
        for _ in range(int(chance.integers(5, 60))):
            state = controller.step(Command(speed=float(speed)))
            poses.append(state.pose)
    for _ in range(400):
        state = controller.step(Command(action="jump"))
        poses.append(state.pose)
        events |= set(state.events)
    assert {"started", "landed", "finished"} <= events
    check(controller, poses)


def paper(preset: str, animal: str) -> Single[Paper]:
    return Single({"sung": BatchSung, "huang": BatchHuang}[preset](load(animal)))


def check(controller: Single[Paper], poses: list[Pose]) -> None:
    """All are numbers, no joint snaps, and no foot is in the ground."""
    anatomy = controller.character.anatomy
    positions, rotations = (np.stack([getattr(pose, part) for pose in poses]) for part in ("positions", "rotations"))
    assert np.isfinite(positions).all()
    assert np.isfinite(rotations).all()
    cycles = [fastest_joints(cycle) for cycle in controller.batch.library.cycles]
    fastest = np.stack([*cycles, *(leap.fastest for leap in jumps_of(controller.character).values())]).max(axis=0)
    assert (joint_speeds(rotations, RATE) < np.maximum(1.5 * fastest, CALM)).all()
    feet = forward(controller.character.skeleton, positions, rotations)[0][:, anatomy.feet]
    assert feet[..., 1].min() > -0.01 * anatomy.hip_height
