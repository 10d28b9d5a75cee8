"""Actions out of movement and back: soon, with every standing foot where it is, and without a snap."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

import canter
from canter import Command, State
from canter.animals.animal import Animal
from canter.control import Controller
from canter.control.batch import BatchCommand
from canter.control.world import Slope, World
from canter.cycles.engine.library import fastest_joints
from canter.cycles.gaits.batch import BatchGaits, gait_cycles
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.kinematics import forward
from canter.motion.metrics import stance_slip

RATE = 60


@lru_cache
def dog() -> Animal:
    return canter.load("dog")


def until(gaits: Controller, event: str, command: Command, most: float = 8.0) -> list[State]:
    states = [gaits.step(command)]
    while event not in states[-1].events and len(states) < most * RATE:
        states.append(gaits.step(command))
    assert event in states[-1].events
    return states


def going(gaits: Controller, seconds: float, command: Command) -> list[State]:
    return [gaits.step(command) for _ in range(round(seconds * RATE))]


def feet(states: list[State]) -> Floats:
    positions, rotations = (np.stack([getattr(s.pose, part) for s in states]) for part in ("positions", "rotations"))
    return forward(dog().skeleton, positions.astype(float), rotations.astype(float))[0][:, dog().anatomy.feet]


def slip(states: list[State]) -> float:
    return stance_slip(feet(states), np.stack([s.contacts for s in states])).max / 100


def quickness(states: list[State], action: str) -> float:
    """The greatest speed of a joint, in those that it may have: 1.5 times its fastest in the clips, or 90 degrees."""
    rotations = np.stack([s.pose.rotations for s in states]).astype(float)
    clip = dog().action(action).motion.rotations.astype(float)
    own = np.linalg.norm(rot.log(rot.multiply(rot.conjugate(clip[:-1]), clip[1:])), axis=-1).max(axis=0) * RATE
    gaits = np.stack([fastest_joints(cycle) for cycle in gait_cycles(dog())[0]]).max(axis=0)
    speeds = np.linalg.norm(rot.log(rot.multiply(rot.conjugate(rotations[:-1]), rotations[1:])), axis=-1) * RATE
    ratio = speeds / np.maximum(1.5 * np.maximum(own, gaits), np.pi / 2)
    return float(ratio[:, dog().skeleton.parents >= 0].max())


@pytest.mark.parametrize(("action", "speed", "wait"), [("sit", 2.2, 0), ("lie", 2.2, 11), ("upright", 0.85, 7)])
def test_actions_begin_soon_and_hold_their_feet(action: str, speed: float, wait: int) -> None:
    gaits = dog().controller("gaits")
    before = going(gaits, 2.5 + wait / RATE, Command(speed=speed))
    waiting = until(gaits, "started", Command(speed=speed, action=action))
    assert len(waiting) / RATE < 1.5
    held = going(gaits, 2.5, Command(speed=speed, action=action))
    assert held[-1].gait == action
    left = until(gaits, "finished", Command(speed=0.85))
    after = going(gaits, 1.5, Command(speed=0.85))
    whole = [*before[-30:], *waiting, *held, *left, *after]
    assert slip(whole) < 0.001
    assert quickness(whole, action) < 1.0
    assert feet(whole)[..., 1].min() > -0.005
    goes = next(k for k, state in enumerate(after) if state.speed > 0.4)
    assert goes / RATE < 0.8, "it does not pause once it is up"
    assert after[-1].gait == "walk"


def test_a_hold_is_left_at_once() -> None:
    action = dog().action("idle")
    assert action.hold is not None
    gaits = dog().controller("gaits")
    until(gaits, "started", Command(action="idle"))
    going(gaits, 3.0, Command(action="idle"))
    left = until(gaits, "finished", Command(), most=20)
    assert len(left) <= len(action.motion) - action.hold[1] + 2
    roots = np.stack([state.pose.positions[0] for state in left])
    assert np.abs(np.diff(roots, axis=0)).max() < 0.01


def test_who_gets_up_and_is_told_to_sit_again_does() -> None:
    gaits = dog().controller("gaits")
    until(gaits, "started", Command(action="sit"))
    states = going(gaits, 2.5, Command(action="sit"))
    states += going(gaits, 0.8, Command())
    states += until(gaits, "started", Command(action="sit"))
    states += going(gaits, 1.5, Command(action="sit"))
    assert {state.gait for state in states} == {"sit"}
    assert quickness(states, "sit") < 1.0
    assert slip(states) < 0.001


def test_a_hold_lasts_as_long_as_it_is_wanted() -> None:
    gaits = dog().controller("gaits")
    until(gaits, "started", Command(action="sit"))
    states = going(gaits, 8.0, Command(action="sit"))
    assert {state.gait for state in states} == {"sit"}
    assert not any("finished" in state.events for state in states)


def test_on_a_slope_feet_are_as_high_over_the_ground_as_on_the_level() -> None:
    heights = []
    for world in (World(), World(Slope())):
        gaits = dog().controller("gaits", world=world)
        until(gaits, "started", Command(action="sit"))
        places = feet(going(gaits, 2.0, Command(action="sit")))
        heights.append(places[-1, :, 1] - world.height(places[-1][:, [0, 2]]))
    assert heights[1] == pytest.approx(heights[0], abs=0.005)


def test_the_speed_that_is_told_is_that_of_the_way() -> None:
    gaits = dog().controller("gaits")
    states = until(gaits, "finished", Command(action="jump"))
    places = np.stack([state.place[[0, 2]] for state in states])
    went = np.linalg.norm(np.diff(places, axis=0), axis=1) * RATE
    assert went.max() > 1
    assert [state.speed for state in states[1:-1]] == pytest.approx(went[:-1].tolist(), abs=0.02)


@pytest.mark.parametrize("following", ["sit", "lie"])
def test_a_trunk_that_has_dropped_for_a_leg_does_not_drop_twice_in_the_next_pose(following: str) -> None:
    dogs = BatchGaits(canter.load("dog"), 2)  # only the first has dropped
    actions = dogs.capabilities.actions
    for frame in range(90):
        dogs.lock.state.body_drop[0] = 0.06 if frame > 60 else 0.0
        before = dogs.step(BatchCommand.make(np.zeros(2), action=actions.index("idle"))).positions[:, 0, 1]
    assert before[0] < before[1] - 0.03
    after = dogs.step(BatchCommand.make(np.zeros(2), action=actions.index(following))).positions[:, 0, 1]
    assert np.abs(after - before).max() < 0.012
