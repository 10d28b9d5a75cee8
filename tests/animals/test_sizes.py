"""Animals of other sizes: the same Froude numbers, gaits, feet on the ground and free fall, at their own speeds."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import pytest

import canter
from canter.animals.animal import Animal
from canter.body.skinning import posed_vertices
from canter.control import states, to_motion
from canter.motion.metrics import stance_slip

SIZES = (0.4, 1.7)


@lru_cache
def animal(name: str, size: float = 1.0) -> Animal:
    found = canter.load(name) if size == 1 else animal(name).scaled(size)
    assert isinstance(found, Animal)
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["dog", "turtle"])
def test_clips_have_the_same_gaits_and_froude_numbers(name: str, size: float) -> None:
    small, large = animal(name), animal(name, size)
    assert large.anatomy.hip_height == pytest.approx(size * small.anatomy.hip_height)
    assert [clip.name for clip in large.clips] == [clip.name for clip in small.clips]
    for a, b in zip(small.clips, large.clips, strict=True):
        assert b.footfalls.gait == a.footfalls.gait
        assert b.footfalls.speed == pytest.approx(math.sqrt(size) * a.footfalls.speed, rel=0.01, abs=1e-6)
        np.testing.assert_allclose(b.footfalls.froude, a.footfalls.froude, rtol=0.01)
        assert b.motion.seconds == pytest.approx(math.sqrt(size) * a.motion.seconds, abs=1 / 60)
        assert b.motion.frame_rate == pytest.approx(60, rel=0.1)


@pytest.mark.parametrize("size", SIZES)
def test_a_cycle_at_any_speed_is_the_same_motion(size: float) -> None:
    root = math.sqrt(size)
    low, high = animal("horse").row("trot").speeds
    assert animal("horse", size).row("trot").speeds == pytest.approx((root * low, root * high))
    ours = animal("horse").cycle("trot", 4.0, frame_rate=60 * root)
    theirs = animal("horse", size).cycle("trot", 4.0 * root)
    np.testing.assert_allclose(theirs.positions, size * ours.positions, atol=1e-9)
    np.testing.assert_allclose(theirs.rotations, ours.rotations, atol=1e-9)
    feet = theirs.position_world[:, animal("horse").anatomy.feet, 1]
    assert np.abs(feet.min(axis=0)).max() < 1e-3 * size
    with pytest.raises(ValueError, match="trot goes from"):
        animal("horse", size).cycle("trot", 1.01 * root * high)


@pytest.mark.parametrize("size", SIZES)
def test_it_is_driven_at_its_own_speeds(size: float) -> None:
    root = math.sqrt(size)
    rides = []
    for one, slow in ((animal("horse"), 1.0), (animal("horse", size), root)):
        controller = one.controller("gaits")
        speeds = [speed * slow for speed in (1.6, 2.9) for _ in range(round(120 * slow))]
        seen = list(states(controller, [canter.Command(speed=speed) for speed in speeds]))
        feet = to_motion(seen, 60.0, "ride").position_world[:, one.anatomy.feet].astype(np.float64)
        slip = stance_slip(feet, np.stack([state.contacts for state in seen])).max
        rides.append((seen[-1], slip, feet[..., 1].min(), controller.capabilities))
    (ours, slip, lowest, can), (theirs, their_slip, their_lowest, they_can) = rides
    assert theirs.gait == ours.gait == "trot"
    assert theirs.speed == pytest.approx(root * ours.speed, rel=0.02)
    assert theirs.place[2] == pytest.approx(size * ours.place[2], rel=0.03)
    assert their_slip < size * max(2 * slip, 0.01)
    assert their_lowest > min(2 * size * lowest, -1e-3 * size)
    assert they_can.speed_range[1] == pytest.approx(root * can.speed_range[1])
    assert they_can.turn_rate == pytest.approx(can.turn_rate / root)
    for gait, (low, high) in can.gaits.items():
        assert they_can.gaits[gait] == pytest.approx((root * low, root * high))


@pytest.mark.parametrize("size", SIZES)
def test_what_jumps_falls_as_fast(size: float) -> None:
    horse = animal("horse", size)
    leap = horse.action("leap")
    centre = horse.standing.centre_of_mass(leap.motion.position_world.astype(np.float64))[:, 1]
    middle = slice(leap.enter[1] + 3, leap.leave[0] - 3)
    fall = np.diff(centre, 2)[middle] * leap.motion.frame_rate**2
    np.testing.assert_allclose(fall, -9.81, rtol=0.05)


def test_there_and_back_is_the_same_animal() -> None:
    dog = animal("dog")
    again = dog.scaled(1.7).scaled(1 / 1.7)
    np.testing.assert_allclose(again.skeleton.offsets, dog.skeleton.offsets, atol=1e-12)
    np.testing.assert_allclose(again.skins[0].vertices, dog.skins[0].vertices, atol=1e-12)
    for name in ("stand", "pace", "sit"):
        ours, theirs = dog.clip(name).motion, again.clip(name).motion
        assert theirs.frame_rate == pytest.approx(ours.frame_rate)
        np.testing.assert_allclose(theirs.positions, ours.positions, atol=1e-9)
        np.testing.assert_allclose(theirs.rotations, ours.rotations, atol=1e-9)


def test_the_skin_grows_with_its_bones() -> None:
    for size in SIZES:
        grown = [
            posed_vertices(one.skins[0], one.skeleton, one.cycle("walk", frame_rate=60 * rate).pose(7))
            for one, rate in ((animal("dog"), math.sqrt(size)), (animal("dog", size), 1.0))
        ]
        np.testing.assert_allclose(grown[1], size * grown[0], atol=1e-6)


def test_any_character_can_be_scaled_without_loss() -> None:
    dog = canter.load("example")
    large = dog.scaled(1.7)
    root = math.sqrt(1.7)
    for a, b in zip(dog.clips, large.clips, strict=True):
        np.testing.assert_allclose(b.motion.positions, 1.7 * a.motion.positions, rtol=1e-5)
        np.testing.assert_array_equal(b.footfalls.contacts, a.footfalls.contacts)
        assert b.motion.seconds == pytest.approx(root * a.motion.seconds)
        assert b.footfalls.speed == pytest.approx(root * a.footfalls.speed)
        assert b.footfalls.stride_length == pytest.approx(1.7 * a.footfalls.stride_length)
        assert b.footfalls.stride_seconds == pytest.approx(root * a.footfalls.stride_seconds)
    assert large.transform.scale == pytest.approx(1.7 * dog.transform.scale)
    ours, theirs = (one.controller("gaits").capabilities for one in (dog, large))
    assert set(theirs.gaits) == set(ours.gaits)
    assert theirs.speed_range[1] == pytest.approx(root * ours.speed_range[1], rel=0.01)
    back = large.scaled(1 / 1.7)
    np.testing.assert_allclose(back.clip("trot").motion.positions, dog.clip("trot").motion.positions, atol=1e-6)


def test_one_clip_of_an_animal_stays_one() -> None:
    from dataclasses import replace

    horse = replace(animal("horse"), clips=(animal("horse").clip("trot"),))
    assert [clip.name for clip in horse.scaled(0.5).clips] == ["trot"]


@pytest.mark.parametrize("size", [0.0, -1.0, 0.009, 101.0, math.nan, math.inf])
def test_senseless_sizes_are_refused(size: float) -> None:
    for name in ("horse", "example"):
        with pytest.raises(ValueError, match=r"size must be from 0\.01 to 100 times"):
            (animal("horse") if name == "horse" else canter.load(name)).scaled(size)
