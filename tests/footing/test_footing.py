"""The footing by itself: feet that slide go in, feet that hold come out, on any ground, for any rig."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.control.world import Rolling, Slope, World
from canter.footing import Footing
from canter.motion.arrays import Bools
from canter.motion.kinematics import forward

from .motions import SPEED_SCALES, Poses, animal, footed, sliding

HILLS, SLOPE = World(Rolling(amplitude=0.15, wavelength=6.0)), World(Slope(0.15, 0.4))
MOTIONS = [("dog", "walk"), ("dog", "trot"), ("dog", "canter"), ("dog", "gallop"), ("example", "walk")]
STRANGERS = ("rig 0", "rig 2", "rig 3", "rig 5")
DRIFT = 0.03
"""Hip heights of each of three slow waves."""


def check(before: Poses, world: World | None, after: Poses, *, times_as_fast: float = 1.5) -> None:
    """Feet hold, stay out of the ground and are not thrown about."""
    ground = 0.0 if world is None else world.height(after.feet[..., [0, 2]])
    assert before.slip > 5
    assert after.slip < 0.5
    assert np.min(after.feet[..., 1] - ground) > -0.01 * after.character.anatomy.hip_height
    assert after.speed < times_as_fast * (before if world is None else before.on(world)).speed


@pytest.mark.parametrize("world", [None, HILLS, SLOPE], ids=["flat", "hills", "slope"])
@pytest.mark.parametrize(("name", "gait"), MOTIONS)
def test_feet_that_slide_are_held(name: str, gait: str, world: World | None) -> None:
    before = sliding(animal(name), animal(name).clip(gait), drift=DRIFT)
    after = footed(before, world)
    check(before, world, after)
    assert np.mean(after.contacts == before.contacts) > 0.97


@pytest.mark.parametrize(("name", "gait"), [*MOTIONS, ("horse", "canter"), *((name, "") for name in STRANGERS)])
def test_feet_that_slide_do_not_pull_the_trunk_down_within_a_frame(name: str, gait: str) -> None:
    """Held to the very end of their stance, those that slid by a quarter pulled it down by 14 % of the hip height."""
    character = animal(name)
    before = sliding(character, character.clip(gait) if gait else character.clips[0], drift=DRIFT)
    root = np.flatnonzero(character.skeleton.parents < 0)[0]
    drop = (before.positions - footed(before).positions)[:, :, root, 1] / character.anatomy.hip_height
    assert np.diff(drop, axis=0).max() < 0.03


@pytest.mark.parametrize("name", STRANGERS)
def test_the_feet_of_strangers_are_held(name: str) -> None:
    before = sliding(animal(name), animal(name).clips[0], drift=DRIFT)
    check(before, HILLS, footed(before, HILLS))


@pytest.mark.parametrize(("name", "gait"), [("dog", "trot"), ("example", "canter"), ("rig 3", "")])
def test_contacts_are_estimated_where_nobody_knows_them(name: str, gait: str) -> None:
    clip = animal(name).clip(gait) if gait else animal(name).clips[0]
    before = sliding(animal(name), clip, drift=DRIFT)
    after = footed(before, HILLS, estimated=True)
    check(before, HILLS, after, times_as_fast=1.6)
    assert np.mean(after.contacts == before.contacts) > 0.9


@pytest.mark.parametrize("with_clips", [True, False])
@pytest.mark.parametrize("gait", ["walk", "trot", "canter"])
def test_a_motion_whose_feet_hold_is_returned_as_it_is(gait: str, with_clips: bool) -> None:
    character = animal("example") if with_clips else replace(animal("example"), clips=())
    clip = animal("example").clip(gait)
    whole = [x.astype(float)[:, None] for x in (clip.motion.positions, clip.motion.rotations)]
    before = Poses(character, *whole, clip.footfalls.contacts[:, None], clip.motion.frame_rate)
    after = footed(before)
    assert np.abs(after.positions - before.positions).max() < 1e-6
    assert np.abs(after.rotations - before.rotations).max() < 1e-6


def test_frame_rates_give_the_same() -> None:
    """At the rates of 30, 60 and 120 Hz, with contacts that begin and end on a frame of all three.

    The animal that is too fast for its legs is left out: the trunk drops for it by shares of a frame.
    """
    character, found = animal("dog"), {}
    slow = sliding(character, character.clip("trot"), drift=DRIFT, frame_rate=30.0)
    for times in (1, 2, 4):
        poses = sliding(character, character.clip("trot"), drift=DRIFT, frame_rate=30.0 * times)
        k = np.arange(len(poses.positions))
        contacts = slow.contacts[k // times] & slow.contacts[-(-k // times)]
        found[times] = footed(Poses(character, poses.positions, poses.rotations, contacts, 30.0 * times), HILLS)
    places = [
        forward(character.skeleton, poses.positions[::times, :2], poses.rotations[::times, :2])[0]
        for times, poses in found.items()
    ]
    assert SPEED_SCALES[2] > 1
    for other in places[:2]:
        assert np.abs(other - places[2]).max() < 0.012
        assert np.abs(other - places[2]).mean() < 0.001


def drawn_away(speed: float, contacts: Bools) -> Poses:
    """A dog that stands, and whose root is drawn ahead by so many hip heights a second."""
    character, frames = animal("dog"), len(contacts)
    motion, height = character.clip("stand").motion, character.anatomy.hip_height
    positions, rotations = (
        np.repeat(x[:1].astype(float), frames, axis=0) for x in (motion.positions, motion.rotations)
    )
    positions[:, 0, 2] += speed * height * np.arange(frames) / 60
    return Poses(character, positions[:, None], rotations[:, None], contacts[:, None], 60.0)


def test_a_foot_that_cannot_be_held_makes_a_step() -> None:
    before = drawn_away(0.35, np.ones((180, 4), bool))
    after, height = footed(before), before.character.anatomy.hip_height
    assert (~after.contacts).any(axis=0).all()
    assert after.slip < 0.5
    assert after.feet[..., 1].max() > 0.03 * height
    assert np.all((after.feet[-1] - after.feet[0])[..., 2] > 0.5 * height)


def test_a_landing_before_its_time_does_not_jump() -> None:
    """A foot that was lifted for 40 frames is lifted for 8: most of the offset that it was held by is still there."""
    contacts = np.ones((200, 4), bool)
    contacts[60:100, 0] = contacts[150:158, 0] = False
    before = drawn_away(0.1, contacts)
    after, height = footed(before), before.character.anatomy.hip_height
    assert np.array_equal(after.contacts, before.contacts)
    assert np.abs(after.feet - before.feet)[158, 0, 0].max() > 0.02 * height
    assert after.speed < 1.1 * height
    assert after.slip < 0.5


def test_animals_are_independent_and_some_can_be_reset() -> None:
    character = animal("dog")
    poses = sliding(character, character.clip("trot"), drift=DRIFT, seconds=1.0)
    together = footed(poses, HILLS)
    alone = Poses(character, poses.positions[:, 1:2], poses.rotations[:, 1:2], poses.contacts[:, 1:2], 60.0)
    assert np.abs(footed(alone, HILLS).positions[:, 0] - together.positions[:, 1]).max() < 1e-12
    footing, who = Footing(character, 3, world=HILLS), np.array([False, True, False])
    for k in range(20):
        footing.step(poses.positions[k], poses.rotations[k], poses.contacts[k])
    footing.reset(who)
    jumped = [x.copy() for x in (poses.positions[20], poses.rotations[20])]
    jumped[0][1, 0] += (5.0, 0.0, 3.0)
    after = footing.step(*jumped, poses.contacts[20])
    fresh = Footing(character, 1, world=HILLS).step(jumped[0][1:2], jumped[1][1:2], poses.contacts[20, 1:2])
    assert np.abs(after.positions[1] - fresh.positions[0]).max() < 1e-12
    assert np.abs(after.positions[0] - together.positions[20, 0]).max() < 1e-12


def test_after_a_reset_the_same_poses_give_the_same() -> None:
    character = animal("rig 3")
    poses = sliding(character, character.clips[0], drift=DRIFT, seconds=1.0)
    footing = Footing(character, 3, world=HILLS)
    rides = []
    for _ in range(2):
        footing.reset()
        rides.append([footing.step(p, q).positions for p, q in zip(poses.positions, poses.rotations, strict=True)])
    np.testing.assert_allclose(*rides, atol=1e-12)


def test_clocks_and_targets_replace_contacts_and_feet() -> None:
    character = animal("dog")
    poses = sliding(character, character.clip("walk"), drift=0.0, seconds=0.5)
    feet = poses.feet
    footing = Footing(character, 3)
    for k in range(len(feet)):
        clocks = np.where(poses.contacts[k], 0.5, 2.0)
        after = footing.step(poses.positions[k], poses.rotations[k], clocks=clocks, targets=feet[k] + (0.02, 0.0, 0.0))
        put = forward(character.skeleton, after.positions, after.rotations)[0][:, character.anatomy.feet]
        assert np.array_equal(after.contacts, poses.contacts[k])
        aside = (put - feet[k])[~after.contacts]
        assert np.allclose(aside, (0.02, 0.0, 0.0), atol=1e-4)


def test_a_frame_rate_must_be_one() -> None:
    with pytest.raises(ValueError, match="frame_rate"):
        Footing(animal("example"), frame_rate=0.0)
