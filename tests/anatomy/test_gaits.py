"""Strides from contacts, and names from phases and duty: the table of gaits, its borders and their runners-up."""

from __future__ import annotations

import numpy as np
import pytest

from canter.anatomy.contacts import FineContacts
from canter.anatomy.gaits import FootfallPattern, apart, circular_mean, find_strides, name_gait, runner_up, sequence

from .animals import TROT, WALK, stepping

HIP = 0.5


def pattern(phases: tuple[float, ...], duty: float, speed: float) -> FootfallPattern:
    return FootfallPattern.of(phases, (duty,) * 4, speed, HIP)


def even(lag: float) -> tuple[float, ...]:
    """A symmetrical gait whose fore feet follow the hind feet of their side by `lag`."""
    return lag % 1, (lag + 0.5) % 1, 0.0, 0.5


#   name       phases LF RF LH RH          duty  m/s  sequence
TABLE = [
    ("walk", even(0.25), 0.65, 0.7, ""),
    ("walk", even(0.30), 0.70, 0.5, ""),
    ("walk", even(0.75), 0.70, 0.5, ""),
    ("amble", even(0.14), 0.62, 0.8, ""),
    ("pace", even(0.03), 0.52, 1.5, ""),
    ("pace", even(0.96), 0.60, 1.5, ""),
    ("trot", even(0.50), 0.45, 1.8, ""),
    ("walk", even(0.46), 0.65, 0.8, ""),
    ("walk", even(0.50), 0.61, 0.8, ""),
    ("trot", even(0.50), 0.61, 2.5, ""),
    ("trot", even(0.36), 0.42, 2.0, ""),
    ("rack", even(0.25), 0.40, 2.5, ""),
    ("canter", (0.22, 0.48, 0.0, 0.20), 0.36, 2.6, "transverse"),
    ("canter", (0.48, 0.22, 0.0, 0.20), 0.36, 2.6, "rotary"),
    ("gallop", (0.39, 0.52, 0.0, 0.13), 0.25, 5.0, "transverse"),
    ("gallop", (0.52, 0.39, 0.0, 0.13), 0.25, 5.0, "rotary"),
    ("gallop", (0.26, 0.52, 0.0, 0.20), 0.33, 5.5, "transverse"),
    ("bound", (0.45, 0.46, 0.0, 0.01), 0.35, 3.0, ""),
    ("pronk", (0.02, 0.98, 0.0, 0.01), 0.60, 2.0, ""),
    ("irregular", (0.22, 0.48, 0.0, 0.20), 0.70, 0.8, ""),
    ("irregular", (0.45, 0.46, 0.0, 0.01), 0.15, 3.0, ""),
]


@pytest.mark.parametrize(("name", "phases", "duty", "speed", "order"), TABLE)
def test_the_table(name: str, phases: tuple[float, ...], duty: float, speed: float, order: str) -> None:
    seen = pattern(phases, duty, speed)
    assert name_gait(seen) == name
    assert sequence(seen, name) == order


@pytest.mark.parametrize(("name", "phases", "duty", "speed", "order"), TABLE)
def test_left_and_right_exchanged_it_is_the_same_gait(
    name: str, phases: tuple[float, ...], duty: float, speed: float, order: str
) -> None:
    lf, rf, lh, rh = (phases[k] - phases[3] for k in (1, 0, 3, 2))
    seen = pattern((lf % 1, rf % 1, lh % 1, rh % 1), duty, speed)
    assert name_gait(seen) == name
    assert sequence(seen, name) == order


@pytest.mark.parametrize(
    ("phases", "duty", "speed", "names"),
    [
        (even(0.11), 0.62, 0.8, {"amble", "pace"}),
        (even(0.18), 0.62, 0.8, {"amble", "walk"}),
        (even(0.42), 0.60, 0.8, {"walk", "trot"}),
        (even(0.46), 0.60, 0.8, {"walk", "trot"}),
        (even(0.50), 0.52, 1.2, {"trot", "walk"}),
        (even(0.50), 0.45, 0.8, {"walk", "trot"}),
        (even(0.25), 0.49, 2.0, {"rack", "walk"}),
        ((0.32, 0.55, 0.0, 0.20), 0.30, 3.0, {"canter", "gallop"}),
    ],
)
def test_on_a_border_the_runner_up_is_the_neighbour(
    phases: tuple[float, ...], duty: float, speed: float, names: set[str]
) -> None:
    seen = pattern(phases, duty, speed)
    name = name_gait(seen)
    assert {name, runner_up(seen, name)} == names


@pytest.mark.parametrize(("phases", "duty", "speed"), [(even(0.27), 0.66, 0.6), (even(0.5), 0.45, 1.8)])
def test_well_inside_a_class_there_is_none(phases: tuple[float, ...], duty: float, speed: float) -> None:
    seen = pattern(phases, duty, speed)
    assert runner_up(seen, name_gait(seen)) == ""


def test_figures_of_a_beat() -> None:
    seen = pattern(even(0.25), 0.4, 2.0)
    assert seen.lag == pytest.approx(0.25)
    assert seen.fore_gap == seen.hind_gap == pytest.approx(0.5)
    assert seen.froude == pytest.approx(4 / (9.81 * 0.5))
    assert seen.speed == 4
    assert seen.airborne == 0
    assert pattern(even(0.5), 0.3, 2.0).airborne == pytest.approx(0.4, abs=0.03)


def test_circular_means_and_distances() -> None:
    assert circular_mean([0.9, 0.1]) % 1 == pytest.approx(0, abs=1e-9)
    assert circular_mean([0.2, 0.4]) == pytest.approx(0.3)
    assert apart(0.95, 0.05) == pytest.approx(0.1)
    assert apart(0.2, 0.7) == pytest.approx(0.5)


@pytest.mark.parametrize("phases", [WALK, TROT])
@pytest.mark.parametrize("periodic", [False, True])
def test_strides_from_contacts(phases: tuple[float, ...], periodic: bool) -> None:
    _, _, down = stepping(phases, duty=0.6, seconds=0.8, rate=100.0, strides=3 if periodic else 5)
    found = find_strides(FineContacts(down, 100.0, 2.4 if periodic else None), 2, 0.1, 5.0)
    assert len(found) == 3  # an open clip begins before its first touchdown and ends after its last
    for stride in found:
        assert stride.seconds == pytest.approx(0.8, abs=0.011)
        np.testing.assert_allclose(stride.duty, 0.6, atol=0.02)
        assert all(apart(a, b) < 0.02 for a, b in zip(stride.phases, phases, strict=True))


def test_strides_too_long_or_without_a_foot_are_left_out() -> None:
    _, _, down = stepping(seconds=0.8, rate=100.0)
    assert find_strides(FineContacts(down, 100.0), 2, 0.1, 0.5) == []
    lame = down.copy()
    lame[:, 0] = False
    assert find_strides(FineContacts(lame, 100.0), 2, 0.1, 5.0) == []
    assert find_strides(FineContacts(np.ones((50, 4), bool), 100.0), 2, 0.1, 5.0) == []
