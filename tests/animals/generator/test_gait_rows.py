"""Gait rows: parsing, dynamic similarity, and how a row changes with speed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.animals.generator.gait_rows import Ruler, at_speed, bends, footfall_name, similar

from ..loaded import animal

TROT, CANTER = animal("horse").row("trot"), animal("horse").row("canter")


def test_tables_are_parsed() -> None:
    assert bends(elbow="0:35 .2:46 | 0:38") == {"elbow": (((0.0, 35.0), (0.2, 46.0)), ((0.0, 38.0),))}
    assert Ruler(20).lift(".5:3") == ((0.5, 0.15),)
    assert Ruler(20).wave((2.0, 1, 0.3)) == ((0.1, 1, 0.3),)


def test_legs_are_fore_and_hind() -> None:
    assert [TROT.leg(leg) for leg in range(4)] == [TROT.fore, TROT.fore, TROT.hind, TROT.hind]


def test_the_leading_leg_stands_further_forward() -> None:
    lf, rf, lh, rh = (CANTER.stance_centre(leg) for leg in range(4))
    assert (rf - lf, rh - lh) == pytest.approx((CANTER.fore.leading_centre, CANTER.hind.leading_centre))
    assert TROT.stance_centre(0) == TROT.stance_centre(1) == TROT.fore.centre


def test_a_foot_is_down_for_its_duty_factor_after_touchdown() -> None:
    phase = np.arange(10000) / 10000
    for leg in range(4):
        down = TROT.is_down(leg, phase)
        assert down.mean() == pytest.approx(TROT.leg(leg).duty, abs=1e-3)
        assert TROT.is_down(leg, np.array([TROT.touchdowns[leg] + 0.001, TROT.touchdowns[leg] - 0.001])).tolist() == [
            True,
            False,
        ]


def test_similar_animals_have_the_same_froude_number() -> None:
    tall = similar(replace(TROT, turn=10.0), 0.5, 2.0)
    assert tall.speed == pytest.approx(2 * TROT.speed)
    assert tall.frequency == pytest.approx(TROT.frequency / 2)
    assert tall.turn == pytest.approx(5.0)
    assert tall.speed**2 / 2.0 == pytest.approx(TROT.speed**2 / 0.5)
    back = similar(tall, 2.0, 0.5)
    assert (back.speed, *back.speeds, back.frequency) == pytest.approx((TROT.speed, *TROT.speeds, TROT.frequency))


def test_speed_changes_frequency_and_contact_time_by_their_powers() -> None:
    fast = at_speed(TROT, 1.5 * TROT.speed)
    assert fast.frequency / TROT.frequency == pytest.approx(1.5**TROT.frequency_exponent)
    contact = (fast.fore.duty / fast.frequency) / (TROT.fore.duty / TROT.frequency)
    assert contact == pytest.approx(1.5**TROT.contact_exponent)
    assert fast.fore.lift[0][1] > TROT.fore.lift[0][1]
    assert at_speed(TROT, TROT.speed) is TROT


def test_duty_factors_stay_within_limits() -> None:
    assert at_speed(TROT, 0.01 * TROT.speed).fore.duty == 0.85
    assert at_speed(TROT, 100 * TROT.speed).fore.duty == 0.15


def test_names_as_footfalls_tell_them() -> None:
    assert [footfall_name(name) for name in ("walk", "back", "slow walk")] == ["walk", "backward", "walk"]
