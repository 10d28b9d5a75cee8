"""Legs, order and facing: the regression set, what must not matter, and rigs that are hardly rigs at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from canter.anatomy import LEGS, Anatomy, detect, understand
from canter.anatomy.report import report
from canter.evaluation.rigs.topic import agrees
from canter.motion import Asset, Motion, Skeleton, concatenate, transform
from canter.motion import rotations as rot
from canter.synthetic import REGRESSION_SEEDS, synthetic_other, synthetic_person, synthetic_rig

from .animals import example, moved, reordered, with_clips

SEEDS = REGRESSION_SEEDS[150:]
"""The tests of the topic `rigs` look at the first sixty."""
AXES = [np.eye(3)[list(order)] * signs for order in permutations(range(3)) for signs in product((1, -1), repeat=3)]
TURNS = [axes for axes in AXES if np.linalg.det(axes) > 0]


def test_the_regression_set() -> None:
    """At least 98 %: of fifty at most one is wrong."""
    rigs = {seed: synthetic_rig(seed) for seed in SEEDS}
    wrong = [seed for seed, rig in rigs.items() if not agrees(detect(rig.asset), rig)]
    assert len(wrong) <= 1, f"wrong: {wrong}"


def parts(found: Anatomy, asset: Asset) -> dict[str, object]:
    """Everything that is said of a rig, by name."""
    names = asset.skeleton.names
    return {
        "kind": found.kind,
        "head": found.head is not None and names[found.head],
        "tail": [names[j] for j in found.tail],
        "spine": [names[j] for j in found.spine],
        "mirror": {names[j]: names[k] for j, k in enumerate(found.mirror)},
    } | {leg.name: [names[j] for j in leg.joints] for leg in found.legs}


@cache
def trotting() -> tuple[Asset, Anatomy]:
    asset = with_clips(example(), example().clip("trot")[::3])
    return asset, detect(asset)


@cache
def without_noise(seed: int) -> tuple[Asset, Anatomy]:
    asset = synthetic_rig(seed, noise=False).asset
    return asset, detect(asset)


@pytest.mark.parametrize("turn", TURNS, ids=range(24))
def test_axes_do_not_matter(turn: np.ndarray) -> None:
    assert len(TURNS) == 24
    asset, one = trotting()
    turned = moved(asset, rot.from_matrix(turn))
    two = detect(turned)
    assert parts(one, asset) == parts(two, turned)
    np.testing.assert_allclose(two.up, turn @ one.up, atol=1e-9)
    np.testing.assert_allclose(two.forward, turn @ one.forward, atol=1e-6)
    assert two.hip_height == pytest.approx(one.hip_height)


@pytest.mark.parametrize("seed", [0, 6, 11, 17, 23])
@pytest.mark.parametrize("change", ["scale 1e-3", "scale 1e3", "yaw", "order"])
def test_unit_yaw_and_order_do_not_matter(seed: int, change: str) -> None:
    asset, one = without_noise(seed)
    scale = float(change.split()[1]) if "scale" in change else 1.0
    if change == "order":
        other = reordered(asset, seed)
    else:
        other = moved(asset, rot.about(one.up, 0.7) if change == "yaw" else None, scale=scale)
    two = detect(other)
    assert parts(one, asset) == parts(two, other)
    assert two.hip_height == pytest.approx(scale * one.hip_height)


def test_legs_come_in_order_from_top_to_toe() -> None:
    found = detect(example())
    assert [leg.name for leg in found.legs] == list(LEGS)
    names = example().skeleton.names
    for leg, word in zip(found.legs, ("LeftFore", "RightFore", "LeftHind", "RightHind"), strict=True):
        assert all(word in names[j] for j in leg.joints)
        assert names[leg.foot] == f"{word}Toe"
        assert leg.joints[-1] == leg.foot
        assert leg.hip in leg.joints
        heights = example().clips[0].position_world[:, leg.joints, 1].mean(axis=0)
        assert heights[0] == heights.max()
    assert found.confidence > 0.9
    assert found.hip_height == pytest.approx(0.46, rel=0.05)


@pytest.mark.parametrize(
    "mutation", ["detached_feet", "several_roots", "extra_root", "end_at_ankle", "digits", "wings"]
)
def test_traps_one_by_one(mutation: str) -> None:
    right = [
        agrees(detect(rig.asset), rig)
        for seed in range(6)
        for rig in [synthetic_rig(seed, plain=True, **{mutation: True})]
    ]
    assert np.mean(right) == 1


@pytest.mark.parametrize("seed", range(8))
def test_people_have_two_legs_and_two_arms(seed: int) -> None:
    rig = synthetic_person(seed)
    found, names = detect(rig.asset), rig.asset.skeleton.names
    assert found.kind == "biped"
    assert [leg.name for leg in found.legs] == [arm.name for arm in found.arms] == ["L", "R"]
    for limbs, truth in ((found.legs, rig.truth.legs), (found.arms, rig.truth.arms)):
        for limb in limbs:
            assert {names[j] for j in limb.joints} & set(truth[limb.name])


@pytest.mark.parametrize("body", ["snake", "fish", "insect", "plant", "chest"])
def test_other_things_are_told_apart(body: str) -> None:
    kinds = [detect(synthetic_other(seed, body=body).asset).kind for seed in range(6)]
    assert kinds == ["other"] * 6


# Hardly rigs -------------------------------------------------------------------------------------


WALK, BONES = example().clips[0], example().skeleton


def still(names: Sequence[str], parents: Sequence[int], places: np.ndarray) -> Asset:
    """A rig that does not move."""
    skeleton = Skeleton.make([*names], [*parents], places)
    turns = np.tile([1.0, 0, 0, 0], (20, len(names), 1))
    return Asset(skeleton, (Motion(skeleton, 30.0, np.tile(places, (20, 1, 1)), turns),))


def row(joints: int) -> Asset:
    return still([f"j{i}" for i in range(joints)], range(-1, joints - 1), np.ones((joints, 3)))


def walking(**changes: Any) -> Asset:
    return with_clips(example(), replace(WALK, **changes))


FIFTH = np.arange(len(WALK))[:, None, None] == 5
LAST = np.eye(len(BONES))[-1][:, None]
NOISE = np.random.default_rng(0).normal(size=WALK.positions.shape)
ODD: dict[str, Asset] = {
    **{f"{n} joints": row(n) for n in range(1, 7)},
    "all joints in one place": still(BONES.names, BONES.parents, np.zeros((len(BONES), 3))),
    "all joints are roots": still(BONES.names, [-1] * len(BONES), WALK.position_world[0]),
    "not a number": walking(positions=np.where(FIFTH, np.nan, WALK.positions)),
    "quaternions of zero": walking(rotations=np.zeros_like(WALK.rotations)),
    "one joint far out": walking(positions=WALK.positions + 1e9 * LAST),
    "noise": walking(positions=NOISE),
    **{f"{n} frames": with_clips(example(), WALK[:n]) for n in (0, 1, 2, 3, 4, 5, 6, 9)},
    "a frame every eleven days": walking(frame_rate=1e-6),
    "a million frames a second": walking(frame_rate=1e6),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ODD)
def test_odd_files_get_an_answer(name: str) -> None:
    character = understand(ODD[name])
    assert 0 <= character.anatomy.confidence <= 1
    assert len(character.clips) == len(ODD[name].clips)
    if character.anatomy.kind == "other":
        assert report(character)["doubts"]
    else:
        assert character.anatomy.hip_height > 0


def test_few_joints_and_places_that_are_no_numbers_say_why() -> None:
    assert "five joints" in detect(ODD["2 joints"]).doubts[0]
    assert "finite" in detect(ODD["not a number"]).doubts[0]


def test_names_may_repeat() -> None:
    skeleton = replace(example().skeleton, names=("bone",) * len(example().skeleton))
    same = Asset(skeleton, tuple(replace(m, skeleton=skeleton) for m in example().clips))
    assert [leg.joints for leg in detect(same).legs] == [leg.joints for leg in detect(example()).legs]


def test_far_from_the_origin() -> None:
    far = moved(example(), shift=np.array([1e5, 0, -1e5]))
    assert parts(detect(far), far) == parts(detect(example()), example())


def reared(degrees: float, frames: int = 60) -> Motion:
    """The example held with its front lifted about the toes of the hind legs, nodding a little."""
    toes = [BONES.index("LeftHindToe"), BONES.index("RightHindToe")]
    pivot = WALK.position_world[0, toes].mean(axis=0)
    angles = np.radians(degrees + 3 * np.sin(np.arange(frames) / 5))
    turns = rot.about(np.array([1.0, 0, 0]), -angles)
    held = concatenate([WALK[:1]] * frames)
    return transform(transform(held, translation=-pivot), turns, pivot)


def test_a_quadruped_that_rears_and_then_walks_is_one() -> None:
    found = detect(with_clips(example(), concatenate([reared(60), example().clip("walk")])))
    assert parts(found, example()) == parts(detect(example()), example())


@pytest.mark.parametrize("degrees", [30, 60])
def test_a_quadruped_on_its_hind_legs_all_the_time_is_no_person(degrees: float) -> None:
    found = detect(with_clips(example(), reared(degrees)))
    assert found.kind == "other" or found.confidence < 0.6
