"""Spine, neck and tail of a gait: what each number of a row does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.animals.generator.gait_rows import GaitRow
from canter.animals.generator.standing import propagate
from canter.animals.generator.strides import StrideSequence
from canter.animals.generator.trunk_neck_tail import move_neck, move_tail, move_trunk
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

from ..loaded import animal

STANDING = animal("horse").standing
SEQUENCE = StrideSequence(0.8)
FLAT = replace(
    animal("horse").row("trot"),
    **dict.fromkeys(("sacrum", "withers", "flexion", "bend", "pelvis_roll", "thorax_roll", "yaw", "sway", "surge"), ()),
    nod=(),
    drop=0.0,
    neck=0.0,
    head=0.0,
    look=0.0,
    ears=0.0,
    tail_lift=0.0,
)
"""A row in which nothing moves."""


def pitch(turns: Floats) -> Floats:
    """Degrees `(...)` nose up."""
    ahead = rot.rotate(turns, np.array([0.0, 0.0, 1.0]))
    result: Floats = np.degrees(np.arctan2(ahead[..., 1], ahead[..., 2]))
    return result


def moved(row: GaitRow) -> tuple[Floats, Floats]:
    """Turns and positions with trunk, neck and tail."""
    trunk = move_trunk(STANDING, row, SEQUENCE)
    turns = np.tile(rot.IDENTITY, (len(trunk.root), len(STANDING.skeleton), 1))
    turns[:, list(STANDING.anatomy.spine)] = trunk.turns
    places = propagate(STANDING, turns, trunk.root)
    move_neck(STANDING, row, SEQUENCE, turns, places)
    move_tail(STANDING, row, SEQUENCE, turns, places)
    return turns, places


def test_a_row_without_waves_stands_still() -> None:
    turns, places = moved(FLAT)
    np.testing.assert_allclose(rot.angle(turns), 0, atol=1e-7)
    np.testing.assert_allclose(places, np.tile(STANDING.places, (len(places), 1, 1)), atol=1e-9)


def test_the_drop_lowers_everything() -> None:
    _, places = moved(replace(FLAT, drop=0.1))
    np.testing.assert_allclose(places[0] - STANDING.places, np.tile([0, -0.1 * STANDING.height, 0], (43, 1)), atol=1e-9)


def test_heights_of_sacrum_and_withers_are_those_of_the_row() -> None:
    row = replace(FLAT, sacrum=((0.02, 2, 0.3),), withers=((0.03, 2, 0.4),))
    trunk = move_trunk(STANDING, row, SEQUENCE)
    spine, phase = STANDING.anatomy.spine, SEQUENCE.phase
    sacrum, withers = (STANDING.places[joint] for joint in (spine[0], spine[-1]))
    np.testing.assert_allclose(
        trunk.root[:, 1] - sacrum[1], 0.02 * STANDING.height * np.cos(4 * np.pi * (phase - 0.3)), atol=1e-9
    )
    risen = trunk.root + rot.rotate(trunk.turns[:, 0], withers - sacrum)
    expected = 0.03 * STANDING.height * np.cos(4 * np.pi * (phase - 0.4))
    np.testing.assert_allclose(risen[:, 1] - withers[1], expected, atol=0.002 * STANDING.height)


def test_flexion_is_the_angle_between_chest_and_pelvis() -> None:
    trunk = move_trunk(STANDING, replace(FLAT, flexion=((10.0, 0, 0.0),)), SEQUENCE)
    assert pitch(trunk.turns[0, 0]) - pitch(trunk.turns[0, -1]) == pytest.approx(10)
    assert pitch(trunk.turns[0, 0]) == pytest.approx(6.2), "a rounded back lifts the front of the pelvis"


def test_the_neck_is_raised_and_the_head_set_as_the_row_says() -> None:
    turns, _ = moved(replace(FLAT, neck=12.0, head=-5.0))
    neck, head = STANDING.anatomy.neck, STANDING.anatomy.head
    assert [float(pitch(turns[0, joint])) for joint in neck] == pytest.approx([4, 8, 12])
    assert pitch(turns[0, head]) == pytest.approx(-5)


def test_a_nod_is_largest_at_the_end_of_the_neck() -> None:
    turns, _ = moved(replace(FLAT, nod=((6.0, 2, 0.25),)))
    ranges = [float(np.ptp(pitch(turns[:, joint]))) for joint in STANDING.anatomy.neck]
    assert ranges == pytest.approx([4, 8, 12], rel=0.01)


def test_the_spring_nods_only_when_the_trunk_heaves() -> None:
    heave = {"sacrum": ((0.02, 2, 0.0),), "withers": ((0.02, 2, 0.0),)}
    last = STANDING.anatomy.neck[-1]
    stiff, sprung = (
        np.ptp(pitch(moved(replace(FLAT, neck_spring=(1.4, 0.4, gain), **heave))[0][:, last])) for gain in (0.0, 1.0)
    )
    assert stiff == pytest.approx(0, abs=1e-6)
    assert sprung > 1


def test_the_tail_is_lifted_and_swings_further_at_its_tip() -> None:
    tail = STANDING.anatomy.tail
    turns, _ = moved(replace(FLAT, tail_lift=10.0))
    assert [float(np.degrees(rot.angle(turns[0, joint]))) for joint in tail] == pytest.approx([12, 10, 8])
    turns, _ = moved(replace(FLAT, sway=((0.02, 1, 0.0),)))
    ahead = rot.rotate(turns[:, list(tail)], np.array([0.0, 0.0, 1.0]))
    aside = np.ptp(np.degrees(np.arctan2(ahead[..., 0], ahead[..., 2])), axis=0)
    assert 0.1 < aside[0] < aside[1] < aside[2]
