"""Huang's parts: foot phases by fetlocks, contact laws, time warping leg by leg, and rides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.anatomy import Character
from canter.control import Single
from canter.control.command import Command
from canter.control.registry import load
from canter.cycles.engine.cycle import GRID
from canter.cycles.engine.strides import clocks_at, wrap
from canter.cycles.papers.fetlocks import stances
from canter.cycles.papers.huang import BatchHuang, speed_ranges, turn_rate
from canter.cycles.papers.jump import jumps_of, nearest
from canter.cycles.papers.paper import steady_library
from canter.cycles.papers.warping import CONTACT_LAWS, contact_laws, transition_frames
from canter.motion.kinematics import forward


def one(character: Character) -> Single[BatchHuang]:
    return Single(BatchHuang(character))


def test_fetlocks_tell_when_the_horse_stands() -> None:
    library = steady_library(load("horse"), tuple(CONTACT_LAWS), None)
    for which, cycle in enumerate(library.cycles):
        told = stances(library, which)
        assert told is not None
        stands = clocks_at(np.arange(GRID)[:, None] / GRID, cycle.touchdowns, cycle.duty) < 1
        assert (told == stands).mean() > 0.88, cycle.name


def test_a_dog_has_no_fetlocks() -> None:
    assert stances(steady_library(load("dog"), tuple(CONTACT_LAWS), None), 0) is None


def test_steps_follow_table_1_and_the_speed_is_met() -> None:
    laws = contact_laws(steady_library(load("horse"), tuple(CONTACT_LAWS), None))
    faster = 1.2 * laws.speeds
    steps = np.diag(laws.steps(faster))
    assert steps == pytest.approx(1.2 ** (1 + np.array([b for _, b in CONTACT_LAWS.values()])))
    quicker = np.diag(laws.frequencies(faster)) / laws.rates
    assert steps * quicker == pytest.approx(np.full(len(steps), 1.2))


def test_the_six_ranges_hold_the_horses_clips() -> None:
    library = steady_library(load("horse"), tuple(CONTACT_LAWS), None)
    assert [cycle.gait for cycle in library.cycles] == list(CONTACT_LAWS)
    assert all(low < c.speed < high for c, (low, high) in zip(library.cycles, speed_ranges(library), strict=True))


def test_transitions_last_two_and_a_half_strides() -> None:
    first, second = np.array([64.0]), np.array([32.0])
    frames = transition_frames(first, second)
    share = np.arange(1, frames[0] + 1) / frames[0]
    assert ((1 - share) / first + share / second).sum() == pytest.approx(2.5, abs=0.02)


@pytest.mark.parametrize("phase", [0.0, 0.4, 0.7])
def test_all_legs_arrive_in_the_new_gait_together(phase: float) -> None:
    huang = one(load("horse"))
    for _ in range(180 + int(60 * phase)):
        huang.step(Command(speed=1.6))
    huang.step(Command(speed=5.2))
    assert huang.batch.stages.warping.crosses[0], "it starts at once"
    target = int(huang.batch.stages.warping.target[0])
    assert huang.batch.library.cycles[target].gait == "canter"
    while huang.batch.stages.warping.crosses[0]:
        huang.step(Command(speed=5.2))
    phases = huang.batch.stages.warping.time[0] + huang.batch.strides.touchdowns[target]
    assert wrap(phases - phases[0]) == pytest.approx(np.zeros(4), abs=1e-9)


def test_the_head_turns_first() -> None:
    huang = one(load("horse"))
    for _ in range(400):
        huang.step(Command(speed=2.9))
    for _ in range(5):
        huang.step(Command(speed=2.9, heading=0.6))
    yaws = huang.batch.stages.driven.yaws[0]
    assert (np.diff(yaws) <= 0).all()
    assert yaws[0] > 0 == yaws[-1]
    for _ in range(400):
        huang.step(Command(speed=2.9, heading=0.6))
    assert huang.batch.stages.driven.yaws[0] == pytest.approx(np.full(len(yaws), 0.6), abs=0.02)


def test_turn_rates_are_those_of_the_table() -> None:
    speeds = np.array([3.0, 15.0, 30.0]) * 0.44704
    assert turn_rate(speeds, np.zeros(3, bool), 1.17) == pytest.approx([0.01, 0.1, 0.2])
    assert turn_rate(speeds, np.ones(3, bool), 1.17) == pytest.approx([0.05, 1.15, 1.15])


def test_the_same_commands_give_the_same_frames() -> None:
    huang = one(load("dog"))
    rides = []
    for _ in range(2):
        huang.reset()
        rides.append([huang.step(Command(speed=1.5, heading=0.3)).pose.rotations for _ in range(90)])
    assert np.array_equal(rides[0], rides[1])


def test_a_leap_starts_from_the_nearest_gait_and_ends_in_the_wanted_one_also_while_turning() -> None:
    huang = one(load("horse"))
    assert huang.capabilities.actions == ("leap",)
    leap = jumps_of(huang.character)["leap"]
    cycles = steady_library(huang.character, tuple(CONTACT_LAWS), None)
    start = cycles.cycles[nearest(cycles, leap, float(leap.lifts.min()))[0]].name
    for _ in range(400):
        huang.step(Command(speed=5.2))
    states = [huang.step(Command(speed=5.2, heading=0.5, action="leap")) for _ in range(420)]
    gaits = list(dict.fromkeys(state.gait for state in states))
    assert gaits[: gaits.index("leap") + 1] == ["canter", start, "leap"]
    assert states[-1].gait == "canter"
    assert states[-1].facing == pytest.approx(0.5, abs=0.05)
    landed = next(k for k, state in enumerate(states) if "landed" in state.events)
    assert not any(state.contacts.any() for state in states[landed - 15 : landed])
    feet = np.stack(
        [forward(huang.character.skeleton, state.pose.positions, state.pose.rotations)[0] for state in states]
    )[:, huang.character.anatomy.feet]
    assert feet[..., 1].min() > -0.01 * huang.character.anatomy.hip_height
    contacts = np.stack([state.contacts for state in states])
    moved = np.linalg.norm(np.diff(feet[..., [0, 2]], axis=0), axis=-1)
    assert np.where(contacts[1:] & contacts[:-1], moved, 0.0).max() < 0.005


def test_the_nearest_gait_to_a_posture_of_a_gait_is_that_gait() -> None:
    library = steady_library(load("horse"), tuple(CONTACT_LAWS), None)
    leap = jumps_of(library.character)["leap"]
    cycle = library.cycles[2]
    as_leap = replace(leap, cycle=cycle, start=0.0, end=1.0)
    gait, phase = nearest(library, as_leap, 0.25)
    assert gait == 2
    assert phase == pytest.approx(0.25, abs=0.02)
