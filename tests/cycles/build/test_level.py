"""Strides that float, sink, slide or stand in the air are put right; good ones stay as they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter import Character, load
from canter.anatomy.footfalls import read_footfalls
from canter.anatomy.standing import lowest_skin
from canter.animals.animal import Animal
from canter.cycles.build.cut import cut
from canter.cycles.build.cycle import make_cycle
from canter.cycles.build.level import above_ground, unslid
from canter.cycles.engine.cycle import Cycle
from canter.motion import Motion, solve_legs, transform
from canter.motion.arrays import Floats
from canter.motion.kinematics import forward


@pytest.fixture(scope="module")
def dog() -> Animal:
    animal = load("dog")
    assert isinstance(animal, Animal)
    return animal


def with_clips(dog: Animal, *motions: Motion) -> Character:
    clips = tuple(read_footfalls(motion, dog.anatomy) for motion in motions)
    return Character("stranger", dog.skeleton, dog.anatomy, clips, dog.transform, dog.skins)


def feet(character: Character, cycle: Cycle) -> Floats:
    return forward(character.skeleton, cycle.positions, cycle.rotations)[0][:, character.anatomy.feet]


def slid(dog: Animal, gait: str, share: float) -> Motion:
    """A loop whose track does not fit its feet: it travels by a share too far."""
    motion = dog.cycle(gait)
    roots = np.flatnonzero(motion.skeleton.parents < 0)
    positions = motion.positions.astype(np.float64)
    positions[:, roots, 2] += np.linspace(0, share * dog.row(gait).speed * motion.seconds, len(motion))[:, None]
    return replace(motion, positions=positions)


@pytest.mark.parametrize("off", [0.06, -0.05])
def test_a_loop_that_floats_or_sinks_stands_as_high_as_the_others(dog: Animal, off: float) -> None:
    trot = transform(dog.cycle("trot"), translation=[0.0, off, 0.0])
    character = with_clips(dog, dog.cycle("walk"), trot)
    taken = {t.clip.footfalls.gait: t for t in cut(character).taken}
    found, own = taken["trot"].clip.motion.position_world, dog.cycle("trot").position_world
    assert np.abs(found[:, :, 1] - own[:, :, 1]).max() < 0.01 * dog.anatomy.hip_height
    assert [gait for gait, t in taken.items() if "brought to the ground" in t.how] == ["trot"]


def test_soles_of_a_skin_are_brought_to_the_ground_leg_by_leg(dog: Animal) -> None:
    """A walk with its forefeet in the ground and its hind feet in the air, as somebody may have keyed it."""
    walk, height = dog.cycle("walk"), dog.anatomy.hip_height
    walk = replace(walk, positions=walk.positions.astype(np.float64), rotations=walk.rotations.astype(np.float64))
    off = np.array([-0.07, -0.07, 0.05, 0.05])
    targets = walk.position_world[:, dog.anatomy.feet] + off[:, None] * height * np.array([0.0, 1.0, 0.0])
    character = with_clips(dog, solve_legs(walk, [leg.chain for leg in dog.anatomy.legs], targets))
    taken = next(t.clip for t in cut(character).taken if t.clip.footfalls.gait == "walk")
    for k in range(4):
        found = lowest_skin(character, k, taken.motion.position_world, taken.motion.rotation_world)
        assert found is not None
        assert abs(np.median(found[1][taken.footfalls.contacts[:, k]])) < 0.015 * height
        assert found[1].min() > -0.015 * height


def test_feet_are_lifted_to_the_ground_and_the_rest_stays(dog: Animal) -> None:
    motion = transform(dog.cycle("walk"), translation=[0.0, -0.03, 0.0])
    lifted = above_ground(motion, dog.anatomy)
    places, before = lifted.position_world, motion.position_world
    assert before[:, dog.anatomy.feet, 1].min() < -0.02
    assert places[:, dog.anatomy.feet, 1].min() > -1e-4
    assert np.abs(places[:, dog.anatomy.spine] - before[:, dog.anatomy.spine]).max() < 1e-9
    assert above_ground(dog.cycle("walk"), dog.anatomy).positions.shape == motion.positions.shape


def test_feet_that_slide_are_held_and_legs_stay_bent(dog: Animal) -> None:
    clip = read_footfalls(slid(dog, "walk", 0.12), dog.anatomy)
    contacts = dog.clip("walk").footfalls.contacts
    cycle = make_cycle(dog, replace(clip, footfalls=replace(dog.clip("walk").footfalls, contacts=contacts)))
    own = make_cycle(dog, dog.clip("walk"))
    assert cycle.speed == pytest.approx(1.12 * own.speed, rel=0.01)
    stretch = -cycle.sweep[:, 1] / (cycle.speed * cycle.seconds * cycle.duty)
    np.testing.assert_allclose(stretch, 1.0, atol=0.03)
    np.testing.assert_allclose(-own.sweep[:, 1] / (own.speed * own.seconds * own.duty), 1.0, atol=0.03)


def test_feet_that_do_not_slide_stay_as_they_are(dog: Animal) -> None:
    cycle = make_cycle(dog, dog.clip("trot"))
    motion = Motion(dog.skeleton, len(cycle.positions) / cycle.seconds, cycle.positions, cycle.rotations)
    assert unslid(motion, dog.anatomy, cycle.velocity, cycle.touchdowns, cycle.duty) is motion


def test_a_foot_high_in_the_air_does_not_stand(dog: Animal) -> None:
    clip = dog.clip("gallop")
    long = clip.footfalls.contacts.copy()
    for _ in range(round(0.12 * len(long))):  # contacts that begin too early and end too late
        long[:-1] |= np.roll(long[:-1], 1, axis=0) | np.roll(long[:-1], -1, axis=0)
    long[-1] = long[0]
    told = make_cycle(dog, replace(clip, footfalls=replace(clip.footfalls, contacts=long)))
    right = make_cycle(dog, clip)
    assert long[:-1].mean() > right.duty.mean() + 0.15
    assert (told.duty < long[:-1].mean(axis=0) - 0.04).all()
    heights = feet(dog, told)[..., 1] / dog.anatomy.hip_height
    since = (np.arange(len(heights))[:, None] / len(heights) - told.touchdowns) % 1.0
    for leg in range(4):
        stood = heights[since[:, leg] < told.duty[leg], leg]
        assert np.ptp(stood) < 0.15


def test_no_stance_is_longer_than_a_leg_can_sweep(dog: Animal) -> None:
    """At three times the speed and the same time on the ground, feet would be left far behind."""
    fast = slid(dog, "trot", 2.0)
    clip = replace(dog.clip("trot"), motion=fast)
    cycle, own = make_cycle(dog, clip), make_cycle(dog, dog.clip("trot"))
    assert cycle.speed == pytest.approx(3 * own.speed, rel=0.01)
    assert (cycle.duty < 0.8 * own.duty).all()
    assert (cycle.duty * cycle.speed * cycle.seconds < 2.2 * dog.anatomy.hip_height).all()


def test_the_stand_is_made_of_how_the_body_is_mostly_held(dog: Animal) -> None:
    """The slowest of many walks may be one with its head down."""
    slow = dog.cycle("walk", dog.row("walk").speeds[0])
    bent = slow.rotations.astype(np.float64)
    neck = dog.anatomy.neck[0]
    bent[:, neck] = [np.cos(0.5), np.sin(0.5), 0.0, 0.0]
    sniffs = replace(slow, rotations=bent, name="sniffs")
    others = [replace(dog.cycle(gait), name=gait) for gait in ("walk", "amble", "pace")]
    character = with_clips(dog, sniffs, *others)
    taken = cut(character).taken
    assert taken[1].source == "sniffs"
    assert taken[0].clip.footfalls.gait == "stand"
    assert taken[0].source != "sniffs"
