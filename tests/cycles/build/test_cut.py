"""Strides cut out of loops, takes and walks on the spot are those that were put in, closed and straight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter import Character, load
from canter.anatomy.footfalls import read_footfalls
from canter.animals.animal import Animal
from canter.cycles.build.cut import cut, cut_cycles
from canter.cycles.build.cycle import cycles_of
from canter.cycles.engine.cycle import Cycle
from canter.motion import Motion, concatenate, metrics, move_between, transform
from canter.motion import rotations as rot
from canter.synthetic import synthetic_rig

FIELDS = ("positions", "rotations", "velocity", "touchdowns", "duty", "sweep")


@pytest.fixture(scope="module")
def dog() -> Animal:
    animal = load("dog")
    assert isinstance(animal, Animal)
    return animal


def with_clips(character: Character, *motions: Motion) -> Character:
    """The character with these clips only, understood anew."""
    clips = tuple(read_footfalls(motion, character.anatomy) for motion in motions)
    return Character(character.name, character.skeleton, character.anatomy, clips, character.transform, character.skins)


def only(cycles: tuple[Cycle, ...], gait: str) -> Cycle:
    found = [cycle for cycle in cycles if cycle.gait == gait]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("name", ["horse", "dog", "turtle"])
def test_shipped_animals_stay_as_they_are(name: str) -> None:
    character = load(name)
    ours, theirs = cut_cycles(character), cycles_of(character)
    assert [c.name for c in ours] == [c.name for c in theirs]
    for a, b in zip(ours, theirs, strict=True):
        for field in FIELDS:
            np.testing.assert_array_equal(getattr(a, field), getattr(b, field))


def test_a_loop_of_four_strides_gives_one() -> None:
    character = load("example")
    found = cut(character)
    for taken in found.taken[1:]:
        source = character.clip(taken.source).footfalls
        assert taken.clip.footfalls.gait == source.gait
        assert taken.clip.motion.seconds == pytest.approx(source.stride_seconds, rel=0.02)
        assert metrics.loop_closure(taken.clip.motion).position < 1e-3
    assert [t.clip.footfalls.gait for t in found.taken] == ["stand", "walk", "trot", "canter"]
    assert found.skipped == ()


def take_of(dog: Animal, gait: str, strides: int = 6, seed: int = 3) -> Motion:
    """Strides that differ a little, on a way that heads somewhere, beginning and ending anywhere."""
    motion = dog.cycle(gait, strides=strides, seed=seed)
    return transform(motion[9:-14], rot.yaw(1.1), [3.0, 0.0, -2.0])


def test_a_take_gives_its_steadiest_stride(dog: Animal) -> None:
    character = with_clips(dog, replace(take_of(dog, "trot"), name="take 1"))
    assert not character.clips[0].footfalls.loop
    cycle, own = only(cut_cycles(character), "trot"), only(cycles_of(dog), "trot")
    assert cycle.name == "trot"
    assert cycle.speed == pytest.approx(own.speed, rel=0.05)
    assert cycle.seconds == pytest.approx(own.seconds, rel=0.06)
    assert abs(cycle.velocity[0]) < 0.05 * cycle.speed
    np.testing.assert_allclose(cycle.duty, own.duty, atol=0.06)
    first, second = cycle.touchdowns - cycle.touchdowns[0], own.touchdowns - own.touchdowns[0]
    assert np.abs((first - second + 0.5) % 1.0 - 0.5).max() < 0.06


def test_a_take_of_two_gaits_gives_both(dog: Animal) -> None:
    walk, trot = (dog.cycle(gait, strides=5) for gait in ("walk", "trot"))
    end, start = walk.position_world[-1, 0], trot.position_world[0, 0]
    trot = move_between(start, 0.0, end, 0.0).apply(trot)
    both = concatenate([walk, replace(trot, frame_rate=walk.frame_rate)[1:]])
    found = cut(with_clips(dog, replace(both, name="both")))
    assert {t.clip.footfalls.gait for t in found.taken} == {"stand", "walk", "trot"}
    assert {t.source for t in found.taken[1:]} == {"both"}


def test_strides_in_place_travel(dog: Animal) -> None:
    motion = dog.cycle("trot", strides=4)
    roots = np.flatnonzero(motion.skeleton.parents < 0)
    positions = motion.positions.copy()
    positions[:, roots, 2] -= np.linspace(0, dog.row("trot").speed * motion.seconds, len(motion))[:, None]
    there = replace(motion, positions=positions, name="in place")
    cycle = only(cut_cycles(with_clips(dog, there)), "trot")
    assert cycle.speed == pytest.approx(dog.row("trot").speed, rel=0.05)


def test_of_two_clips_of_a_gait_the_steadier_is_kept(dog: Animal) -> None:
    loop, take = replace(dog.cycle("trot"), name="loop"), replace(take_of(dog, "trot"), name="take")
    found = cut(with_clips(dog, take, loop))
    assert [t.source for t in found.taken if t.clip.footfalls.gait == "trot"] == ["loop"]
    assert found.skipped == (("take", "another clip has a steadier trot"),)


def test_both_are_kept_at_speeds_far_apart(dog: Animal) -> None:
    low, high = dog.row("trot").speeds
    assert high > 1.4 * low
    slow, fast = (replace(dog.cycle("trot", speed), name=f"{speed:.1f}") for speed in (low, high))
    assert len([c for c in cut_cycles(with_clips(dog, slow, fast)) if c.gait == "trot"]) == 2


def test_a_stand_is_made_from_stances(dog: Animal) -> None:
    found = cut(with_clips(dog, dog.cycle("walk")))
    stand = found.taken[0].clip
    assert stand.footfalls.gait == "stand"
    assert stand.footfalls.contacts.all()
    feet = stand.motion.position_world[0, dog.anatomy.feet]
    own = dog.clip("stand").motion.position_world[0, dog.anatomy.feet]
    height = dog.anatomy.hip_height
    assert np.abs(feet[:, 1] - own[:, 1]).max() < 0.03 * height
    assert np.ptp(feet[:2, 2]) < 1e-3
    hips = stand.motion.position_world[0, dog.anatomy.hips]
    assert np.abs(feet[:, 2] - hips[:, 2]).max() < 0.4 * height


def test_what_has_no_four_legs_is_refused() -> None:
    from canter import understand

    with pytest.raises(ValueError, match="no four legs"):
        cut(understand(synthetic_rig(3, kind="other", body="chest").asset))
