"""Cleaning: damage done to a clean animal is mended, in the axes and units of its file, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from canter.anatomy import understand
from canter.cleaning.clean import clean
from canter.cleaning.loop_cuts import loop_cut
from canter.motion import Asset, Motion, concatenate, resample, transform
from canter.motion import rotations as rot
from canter.synthetic import example_animal, synthetic_rig


@pytest.fixture(scope="module")
def dog() -> Asset:
    return example_animal(strides=4)


def one(asset: Asset, name: str) -> tuple[Asset, Motion]:
    motion = asset.clip(name)
    return replace(asset, clips=(motion,)), motion


def slid(motion: Motion, amount: float = 0.03, rise: float = 0.0, up: int = 1, ahead: int = 2) -> Motion:
    """The whole animal slides to and fro along its way, and rises."""
    time = np.linspace(0, 1, len(motion))
    shift = np.zeros((len(motion), 3))
    shift[:, ahead], shift[:, up] = amount * np.sin(6 * np.pi * time), rise
    return transform(motion, translation=shift)


def test_a_clean_clip_stays_as_it_is(dog: Asset) -> None:
    asset, walk = one(dog, "walk")
    (done,) = clean(asset).clips
    assert len(done.motion) == len(walk)
    assert np.abs(done.motion.position_world - walk.position_world).max() < 0.03
    assert done.after.slip_max <= max(done.before.slip_max, 0.01)


def test_sliding_feet_stand_still(dog: Asset) -> None:
    asset, walk = one(dog, "walk")
    (done,) = clean(replace(asset, clips=(slid(walk),))).clips
    assert done.before.slip_mean > 1
    assert done.after.slip_max < 0.2
    assert done.after.skating < done.before.skating
    trunk = walk.skeleton.names.index("Spine1")
    assert np.abs(done.motion.position_world[:, trunk] - slid(walk).position_world[:, trunk]).max() < 0.06


def test_it_comes_down_to_the_ground(dog: Asset) -> None:
    asset, walk = one(dog, "walk")
    for rise in (0.04, -0.06, 0.7):
        (done,) = clean(replace(asset, clips=(slid(walk, 0.0, rise),))).clips
        feet = [j for j, name in enumerate(walk.skeleton.names) if name.endswith("Toe")]
        assert np.abs(done.motion.position_world[:, feet, 1].min(axis=0)).max() < 0.01
        assert done.before.off_ground == pytest.approx(100 * rise, abs=1)
        assert abs(done.after.off_ground) < 0.1


def test_a_gaping_loop_is_closed(dog: Asset) -> None:
    asset, trot = one(dog, "trot")
    bent = trot.rotations.copy()
    neck = trot.skeleton.names.index("Neck0")
    bent[:, neck] = rot.multiply(bent[:, neck], rot.about([1, 0, 0], np.linspace(0, 0.15, len(trot))))
    (done,) = clean(replace(asset, clips=(replace(trot, rotations=bent),))).clips
    assert done.before.loop_gap > 1
    assert done.after.loop_gap < 0.01
    assert done.after.slip_max < 0.2


def test_axes_units_and_in_place_stay() -> None:
    rig = synthetic_rig(
        5, plain=True, axes="z up, -y forward", units="centimetres", clip="closed loop", gait="walk", frame_rate="60"
    )
    before = rig.asset.clips[0]
    (done,) = clean(rig.asset).clips
    assert len(done.motion) == len(before)
    size = float(np.ptp(before.position_world, axis=(0, 1)).max())
    assert np.abs(done.motion.position_world - before.position_world).max() < 0.1 * size
    middle = done.motion.position_world.mean(axis=1)
    assert np.linalg.norm(middle[-1] - middle[0]) < 0.01 * size  # it still walks on the spot
    assert done.after.slip_mean <= done.before.slip_mean + 1e-6


def test_a_take_is_cut_to_a_loop(dog: Asset) -> None:
    asset, trot = one(dog, "trot")
    stand = concatenate([trot[:1]] * 40)
    take = replace(concatenate([stand, trot]), name="take")[: 40 + 3 * 36 + 11]
    (done,) = clean(replace(asset, clips=(take,)), cut_loops=True).clips
    assert any("cut to a loop" in note for note in done.notes)
    strides = (len(done.motion) - 1) / 36
    assert abs(strides - round(strides)) < 0.1
    assert done.after.loop_gap < 0.01


def test_what_stands_is_not_cut(dog: Asset) -> None:
    asset, walk = one(dog, "walk")
    still = replace(concatenate([walk[:1]] * 60), name="still")
    character = understand(replace(asset, clips=(walk, still)))
    assert loop_cut(character.clip("still"), character.anatomy) is None


def test_slow_files_are_cleaned_too(dog: Asset) -> None:
    asset, walk = one(dog, "walk")
    (done,) = clean(replace(asset, clips=(resample(slid(walk), 24, periodic=True),))).clips
    assert done.after.slip_max < 0.3
    assert done.motion.frame_rate == 24


def test_no_legs_no_cleaning() -> None:
    with pytest.raises(ValueError, match="no legs"):
        clean(synthetic_rig(3, kind="other", body="chest").asset)


TRAPS: list[dict[str, bool]] = [
    {"ik_joints": True},
    {"ik_joints": True, "heels": True},
    {"detached_feet": True, "nubs": True},
    {"detached_feet": True, "heels": True},
]


@pytest.mark.parametrize("seed", [300, 301, 306])
@pytest.mark.parametrize("traps", TRAPS, ids="+".join)
def test_all_that_goes_with_a_foot_is_moved_with_it(traps: dict[str, bool], seed: int) -> None:
    rig = synthetic_rig(seed, plain=True, **traps)
    height, names = rig.truth.hip_height, rig.asset.skeleton.names
    asset = replace(rig.asset, clips=(slid(rig.asset.clips[0], 0.04 * height),))
    character = understand(asset)
    (done,) = clean(asset, character).clips
    assert done.before.slip_max > 1
    assert done.after.slip_max < 0.3 * done.before.slip_max
    before, after = (
        motion.position_world / unit
        for motion, unit in ((character.clips[0].motion, character.anatomy.hip_height), (done.motion, height))
    )
    for leg in character.anatomy.legs:
        parts = sorted({leg.foot, *(names.index(part) for part in rig.truth.feet[leg.name])})
        for a, b in combinations(parts, 2):
            if np.linalg.norm(before[:, a] - before[:, b], axis=-1).max() < 0.02:
                assert np.linalg.norm(after[:, a] - after[:, b], axis=-1).max() < 0.03, (names[a], names[b])
