"""Jumps out of a gait: planned at any phase, flown freely, as far as the speed takes them, without slip or snap."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pytest

import canter
from canter import Command, State
from canter.anatomy import Character
from canter.control import BatchCommand
from canter.cycles.build.gait_cycles import gait_cycles
from canter.cycles.engine.library import fastest_joints
from canter.cycles.gaits.batch import BatchGaits
from canter.cycles.jumps.jump import Jump, JumpTable, is_jump, make_jump, mirrored
from canter.cycles.jumps.plan import flight_seconds, interpolated, plan_jumps
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.motion.kinematics import forward
from canter.motion.metrics import stance_slip

RATE = 60.0
JUMPS = {"horse": "leap", "dog": "jump"}


@lru_cache
def animal(name: str) -> Character:
    return canter.load(name)


@lru_cache
def jump(name: str) -> Jump:
    return make_jump(animal(name), animal(name).action(JUMPS[name]))


@lru_cache
def limits(name: str) -> Floats:
    """Radians a second that each joint may have: 1.5 times its fastest in the gaits or the jump, or 90 degrees."""
    gaits = [fastest_joints(cycle) for cycle in gait_cycles(animal(name))[0]]
    return np.maximum(1.5 * np.stack([*gaits, jump(name).fastest]).max(axis=0), np.pi / 2)


@dataclass
class Made:
    """A ride: states from the command to jump on, with what came `before` of them, and the joints in the world."""

    character: Character
    states: list[State]
    before: int

    def __post_init__(self) -> None:
        positions = np.stack([s.pose.positions for s in self.states]).astype(float)
        self.rotations = np.stack([s.pose.rotations for s in self.states]).astype(float)
        self.places = forward(self.character.skeleton, positions, self.rotations)[0]
        self.feet = self.places[:, self.character.anatomy.feet]
        self.contacts: Bools = np.stack([s.contacts for s in self.states])
        events = [set(s.events) for s in self.states]
        self.landing = next(k for k, seen in enumerate(events) if "landed" in seen)
        flying = np.flatnonzero(~self.contacts[self.before : self.landing].any(axis=1)) + self.before
        self.flight = flying[flying > self.landing - 10 - 0.3 * RATE]

    @property
    def height(self) -> Floats:
        """That of the trunk: the mean of hips and shoulders."""
        result: Floats = self.places[:, self.character.anatomy.hips, 1].mean(axis=1)
        return result

    def slip(self) -> float:
        return stance_slip(self.feet, self.contacts).max / 100

    def quickness(self, name: str) -> float:
        turns = rot.log(rot.multiply(rot.conjugate(self.rotations[:-1]), self.rotations[1:]))
        speeds = np.linalg.norm(turns, axis=-1)[self.before - 1 :] * RATE / limits(name)
        return float(speeds[:, self.character.skeleton.parents >= 0].max())


def made(name: str, speed: float, wait: int, after: Command | None = None, heading: float = 0.0) -> Made:
    gaits = animal(name).controller("gaits")
    for _ in range(int(2.5 * RATE)):
        gaits.step(Command(speed=speed))
    states = [gaits.step(Command(speed=speed, heading=heading)) for _ in range(30 + wait)]
    before = len(states)
    after = after or Command(speed=speed, heading=heading)
    while len(states) < before + 4 * RATE and (len(states) < before + 30 or "finished" not in states[-1].events):
        states.append(gaits.step(Command(speed=after.speed, heading=after.heading, action=JUMPS[name])))
    states += [gaits.step(after) for _ in range(60)]
    return Made(animal(name), states, before)


def test_a_jump_is_told_by_its_clip() -> None:
    dog, horse = animal("dog"), animal("horse")
    assert [a.name for a in dog.actions if is_jump(a, dog.anatomy)] == ["jump"]
    assert [a.name for a in horse.actions if is_jump(a, horse.anatomy)] == ["leap"]


def test_a_mirrored_jump_is_the_same_with_left_and_right_exchanged() -> None:
    dog = animal("dog")
    other = make_jump(dog, mirrored(dog.action("jump"), dog.anatomy))
    assert other.lifts == pytest.approx(jump("dog").lifts[[1, 0, 3, 2]])
    assert other.lands == pytest.approx(jump("dog").lands[[1, 0, 3, 2]])
    assert other.speed == pytest.approx(jump("dog").speed, rel=1e-3)


@lru_cache
def table(name: str) -> JumpTable:
    return JumpTable([jump(name)], BatchGaits(animal(name)).library)


def test_the_side_is_taken_that_suits_the_lead() -> None:
    batch = BatchGaits(animal("horse"), 25)
    for frame in range(200):
        batch.step(BatchCommand.make(np.where(np.arange(25) * 2 < frame, 9.0, 0.0)))
    touchdowns = batch.strides.touchdowns[batch.timing.target, :2]
    batch.step(BatchCommand.make(np.full(25, 9.0), action=0))
    assert batch.jumps.state.active.all()
    left_first = (touchdowns[:, 1] - touchdowns[:, 0]) % 1.0 < 0.5
    lands = batch.jumps.state.times[:, :2, -3]
    assert ((lands[:, 0] < lands[:, 1]) == left_first).all()


def test_a_jump_is_long_or_short_by_its_speed_and_about_as_high() -> None:
    leap, each = jump("dog"), np.zeros(2, int)
    slow, fast = flight_seconds(table("dog"), each, leap.speed * np.array([0.8, 3.0]))
    assert fast * 3 > 3 * slow * 0.8
    assert 0.8 * leap.seconds < slow <= fast < 1.1 * leap.seconds


def test_plans_let_hind_legs_push_and_all_legs_fly() -> None:
    phases = np.linspace(0, 0.9, 6)
    since = (phases[:, None] - np.array([0.47, 0.97, 0.0, 0.5])) % 1.0  # a trot
    clocks = np.where(since < 0.45, since / 0.45, 1 + (since - 0.45) / 0.55)
    stances, swings = np.full((6, 4), 0.3), np.full((6, 4), 0.4)
    plans = plan_jumps(table("horse"), np.zeros(6, int), clocks, stances, swings, np.full(6, 3.0))

    def at(seconds: Floats) -> Floats:
        return interpolated(np.repeat(seconds[:, None], 4, axis=1), plans.times, plans.values)

    assert at(np.zeros(6)) == pytest.approx(clocks)
    just_before, in_flight = at(plans.takeoff - 0.1) % 2, at(plans.landing - 0.02) % 2
    assert (just_before[:, 2:] < 1).all(), "a hind leg does not push"
    assert (just_before[:, :2] > 1).all(), "a fore leg still stands"
    assert (in_flight > 1).all()
    assert (np.diff(plans.times, axis=-1) >= 0).all()
    assert (plans.takeoff < 1.3).all()


def test_a_plan_is_the_same_alone_and_among_others() -> None:
    chance = np.random.default_rng(1)
    clocks, stances = chance.uniform(0, 2, (20, 4)), chance.uniform(0.1, 0.5, (20, 4))
    swings, speeds = chance.uniform(0.2, 0.5, (20, 4)), chance.uniform(1.0, 8.0, 20)
    zeros = np.zeros(20, int)
    plans = plan_jumps(table("horse"), zeros, clocks, stances, swings, speeds)
    for k in range(20):
        one = slice(k, k + 1)
        alone = plan_jumps(table("horse"), zeros[one], clocks[one], stances[one], swings[one], speeds[one])
        assert alone.takeoff == pytest.approx(plans.takeoff[one])
        assert alone.times == pytest.approx(plans.times[one])


def test_knots_are_read_like_numpys_interp() -> None:
    chance = np.random.default_rng(2)
    times = np.sort(chance.uniform(0, 1, (5, 4, 8)), axis=-1)
    values, at = chance.uniform(0, 4, (5, 4, 8)), chance.uniform(-0.2, 1.2, (5, 4))
    found = interpolated(at, times, values)
    for row in range(5):
        for leg in range(4):
            assert found[row, leg] == pytest.approx(np.interp(at[row, leg], times[row, leg], values[row, leg]))


@pytest.mark.parametrize(
    ("name", "speed", "wait"),
    [
        ("horse", 1.6, 11),
        ("horse", 2.9, 0),
        ("horse", 5.2, 7),
        ("horse", 8.0, 14),
        ("dog", 0.85, 5),
        ("dog", 2.2, 9),
        ("dog", 3.3, 0),
        ("dog", 4.6, 16),
    ],
)
def test_jumps_out_of_gaits_are_sound(name: str, speed: float, wait: int) -> None:
    ride = made(name, speed, wait)
    assert "started" in ride.states[ride.before].events, "it begins at once"
    assert (ride.landing - ride.before) / RATE < 2.0
    assert ride.slip() < 0.005
    assert ride.feet[..., 1].min() > -0.01 * animal(name).anatomy.hip_height
    assert ride.quickness(name) < 1.25
    falls = np.diff(ride.height[ride.flight], 2)[1:-1] * RATE**2
    assert falls.mean() == pytest.approx(-9.81, rel=0.05)
    assert ride.states[-1].gait == ride.states[0].gait, "it goes on as before"
    assert ride.states[-1].speed == pytest.approx(speed, rel=0.1)


def test_flights_are_as_long_as_the_speed_makes_them() -> None:
    ways = []
    for speed in (3.3, 5.0):
        ride = made("dog", speed, 3)
        first, last = ride.flight[[0, -1]]
        ways.append(float(np.linalg.norm((ride.states[last].place - ride.states[first].place)[[0, 2]])))
        assert ride.height[ride.flight].max() < 1.9 * animal("dog").anatomy.hip_height
    assert ways[1] > 1.3 * ways[0]


def test_it_lands_in_another_gait_and_goes_on_turning() -> None:
    ride = made("horse", 5.2, 4, after=Command(speed=2.9, heading=0.9), heading=0.9)
    assert ride.states[-1].gait == "trot"
    assert ride.states[-1].facing == pytest.approx(0.9, abs=math.radians(4))
    assert ride.slip() < 0.005
    flown = ride.states[ride.flight[-1]].facing - ride.states[ride.flight[0]].facing
    assert abs(flown) < math.radians(15)


def test_it_jumps_once_and_goes_on_while_the_key_is_held() -> None:
    gaits = animal("dog").controller("gaits")
    for _ in range(120):
        gaits.step(Command(speed=2.2))
    states = [gaits.step(Command(speed=2.2, action="jump")) for _ in range(240)]
    assert sum("started" in state.events for state in states) == 1
    assert states[-1].gait == "trot"
    assert states[-1].speed == pytest.approx(2.2, rel=0.05)


def test_the_same_commands_give_the_same_jump() -> None:
    first, again = made("dog", 2.2, 3), made("dog", 2.2, 3)
    assert np.array_equal(first.rotations, again.rotations)
