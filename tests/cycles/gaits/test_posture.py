"""Posture: into the turn, with the right sign, and nothing on a straight way."""

from __future__ import annotations

import numpy as np
import pytest

from canter.anatomy import understand
from canter.control.steering import Root
from canter.control.world import Slope, World
from canter.cycles.build.drivable import drivable
from canter.cycles.gaits.batch import BatchGaits
from canter.cycles.gaits.posture import HEAD_YAW, LEAN_SHARE, MAX_BEND_RATE, SPINE_BEND, Posture
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.constants import GRAVITY
from canter.motion.kinematics import forward
from canter.synthetic import synthetic_rig

from ..engine.made_up import RIG, frame, library, timing

HEAD, CHEST = 3, 1


def held(speed: float, yaw_rate: float, world: World | None = None) -> tuple[Floats, Floats]:
    """World places `(J, 3)` and rotations `(J, 4)` of the rest pose after two seconds of a steady turn."""
    posture, root, time = Posture(library(), 1, 60.0, world), Root(1), timing()
    root.velocity, root.yaw_rate, time.time = np.array([speed + 0j]), np.array([yaw_rate]), np.array([1.0])
    for _ in range(120):
        made = frame(time, root)
        made.positions, made.rotations = RIG.pose
        made.feet = forward(RIG.skeleton, *RIG.pose)[0][:, RIG.anatomy.feet]
        posture.step(made)
    places, turns = forward(RIG.skeleton, made.positions, made.rotations)
    return places[0], turns[0]


REST = forward(RIG.skeleton, *RIG.pose)[0][0]


def test_a_straight_way_changes_nothing() -> None:
    assert np.array_equal(held(3.0, 0.0)[0], REST)


@pytest.mark.parametrize("side", [1, -1])
def test_a_slow_turn_bends_the_spine_and_the_head_goes_first(side: int) -> None:
    """Left is +X and a positive yaw rate."""
    places, turns = held(0.01, side * 1.0)
    assert side * places[HEAD, 0] > 0.05
    assert abs(places[0] - REST[0]).max() < 1e-3, "the trunk does not lean at no speed"
    yaw = 2 * np.arctan2(turns[:, 2], turns[:, 0])
    assert side * yaw[CHEST] == pytest.approx(SPINE_BEND, rel=0.01)
    assert side * yaw[HEAD] == pytest.approx(SPINE_BEND + HEAD_YAW, rel=0.01)


@pytest.mark.parametrize("side", [1, -1])
def test_a_fast_turn_leans_the_trunk_into_it(side: int) -> None:
    places, _ = held(5.0, side * 0.6)
    lean = LEAN_SHARE * np.arctan(5.0 * 0.6 / GRAVITY)
    assert side * places[0, 0] == pytest.approx(REST[0, 1] * np.sin(lean), rel=1e-3)
    left, right = (places[RIG.anatomy.legs[k].hip, 1] for k in (0, 1))
    assert side * (right - left) > 0, "the inner side is lower"


def test_fast_turns_bend_less() -> None:
    slow, fast = (held(speed, 0.5)[1] for speed in (0.01, 6.0))
    assert abs(fast[HEAD, 2]) < 0.5 * abs(slow[HEAD, 2])


def test_nothing_bends_more_than_captured_animals_do() -> None:
    yaw = 2 * np.arctan2(held(0.01, 5.0)[1][HEAD, 2], held(0.01, 5.0)[1][HEAD, 0])
    assert yaw == pytest.approx(MAX_BEND_RATE * (SPINE_BEND + HEAD_YAW), rel=0.01)


def test_on_a_slope_the_trunk_is_as_steep_as_the_ground() -> None:
    places, turns = held(0.01, 0.0, World(Slope(0.15)))
    assert places[CHEST, 1] - places[0, 1] == pytest.approx(0.5 * np.sin(0.15), rel=0.02)
    assert turns[0, 1] < 0


@pytest.mark.parametrize("root", ["pelvis", "middle", "chest"])
def test_shoulders_turn_into_the_turn_wherever_the_root_is(root: str) -> None:
    character = understand(synthetic_rig(3, root=root, gait="walk", detached_feet=True).asset)
    made = BatchGaits(drivable(character).character).library
    posture, turning, time = Posture(made, 1, 60.0, None), Root(1), timing()
    turning.velocity, turning.yaw_rate, time.time = np.zeros(1, complex), np.ones(1), np.array([1.0])
    for _ in range(120):
        now = frame(time, turning)
        now.positions, now.rotations = made.positions[0, :1].copy(), made.rotations[0, :1].copy()
        posture.step(now)
    before = forward(made.skeleton, made.positions[0, 0], made.rotations[0, 0])
    after = forward(made.skeleton, now.positions[0], now.rotations[0])
    lf, rf, lh, rh = character.anatomy.hips
    across = [[places[lf] - places[rf], places[lh] - places[rh]] for places in (before[0], after[0])]
    fore, hind = (
        np.arctan2(now[0] * then[2] - now[2] * then[0], now @ then) for then, now in zip(*across, strict=True)
    )
    assert fore - hind == pytest.approx(SPINE_BEND, rel=0.1)
    for foot, hip in zip(character.anatomy.feet, character.anatomy.hips, strict=True):
        turned = [rot.multiply(after[1][j], rot.conjugate(before[1][j])) for j in (foot, hip)]
        assert rot.difference(*turned) < 0.02, "feet that hang elsewhere turn with their legs"
