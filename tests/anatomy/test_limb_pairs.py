"""Which ends are feet: pairs of like limbs, tips that are low, and the best of six ways to stand."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from canter.anatomy.limb_pairs import (
    MAX_TIPS,
    View,
    _likeness,
    find_pairs,
    lateral_axis,
    limb_vector,
    views,
)
from canter.anatomy.rig_motion import rig_motion
from canter.anatomy.up_axis_and_feet import FeetCandidate, four_footed, two_footed
from canter.motion import Asset, Skeleton
from canter.synthetic import synthetic_person, synthetic_rig

from .animals import example


@lru_cache
def seen() -> list[View]:
    return views(rig_motion(example()))


def upright() -> View:
    return next(v for v in seen() if v.axis == 1 and v.sign == 1)


def feet_of(candidate: FeetCandidate, asset: Asset) -> set[str]:
    return {asset.skeleton.names[tip] for tip in candidate.tips}


def test_six_views_have_six_ups() -> None:
    assert sorted(tuple(v.up) for v in seen()) == sorted([*map(tuple, np.eye(3)), *map(tuple, -np.eye(3))])
    for view in seen():
        assert view.to_file(np.array([1.0, 0.0])) @ view.up == pytest.approx(0, abs=1e-9)


def test_tips_are_low_ends_of_every_branch() -> None:
    names = {example().skeleton.names[tip] for tip in upright().tips}
    assert {f"{side}{end}Toe" for side in ("Left", "Right") for end in ("Fore", "Hind")} <= names
    assert "Spine0" not in names


def test_pairs_are_left_and_right() -> None:
    names, view = example().skeleton.names, upright()
    pairs = [{names[tip] for tip in pair.tips} for pair in find_pairs(view, view.tips)]
    assert {"LeftForeToe", "RightForeToe"} in pairs
    assert {"LeftHindToe", "RightHindToe"} in pairs


@pytest.mark.parametrize(
    ("left", "right", "least", "most"),
    [
        ([1.0, 1.0, 0.5], [1.0, 1.0, 0.5], 1.0, 1.0),
        ([1.0, 1.0, 0.5], [1.0, 0.0, 1.0, 0.5], 1.0, 1.0),  # a bone without length says nothing
        ([1.0, 1.0, 0.5], [1.1, 0.95, 0.5], 0.6, 0.9),
        ([1.0, 1.0, 0.5], [0.4, 1.0, 1.0, 0.5], 0.2, 0.6),  # one starts a bone higher
        ([1.0, 1.0, 0.5], [2.0, 1.0, 0.5], 0.0, 0.0),
        ([], [1.0], 0.0, 0.0),
    ],
)
def test_likeness_of_bones(left: list[float], right: list[float], least: float, most: float) -> None:
    assert least <= _likeness(np.array(left), np.array(right), 1.0) <= most
    assert _likeness(np.array(left), np.array(right), 1.0) == _likeness(np.array(right), np.array(left), 1.0)


def test_quiet_joints_outweigh_busy_feet() -> None:
    points = np.array([[1.0, 0], [1, 5], [-1, 0], [-1, -5]])
    across, middle = limb_vector(points, np.array([0.0, 3, 0, 3]), (0, 1), (2, 3))
    assert abs(across[1]) < 0.05
    np.testing.assert_allclose(across[0], 2)
    np.testing.assert_allclose(middle, 0, atol=1e-12)


def test_the_four_feet_win() -> None:
    best = four_footed(seen())[0]
    assert feet_of(best, example()) == {"LeftForeToe", "RightForeToe", "LeftHindToe", "RightHindToe"}
    assert best.view.up.tolist() == [0, 1, 0]
    assert 0.85 < best.share <= 1.05
    assert abs(lateral_axis(best.pairs) @ np.array([0, 1])) > 0.99  # plane axes about +Y are z and x


def test_two_toes_of_one_foot_are_no_pair_of_legs() -> None:
    rig = synthetic_rig(2, plain=True, digits=True, clip="straight")
    best = four_footed(views(rig_motion(rig.asset)))[0]
    for leg, feet in rig.truth.feet.items():
        assert len(feet_of(best, rig.asset) & {*feet, *rig.truth.legs[leg]}) == 1, leg


def test_a_person_stands_on_two() -> None:
    rig = synthetic_person(1)
    best = two_footed(views(rig_motion(rig.asset)))[0]
    assert best.view.up @ rig.truth.up > 0.9
    assert all(feet_of(best, rig.asset) & set(rig.truth.feet[side]) for side in "LR")


def test_hundreds_of_decorations_are_not_all_paired() -> None:
    asset, rng, count = example(), np.random.default_rng(0), 120
    old, joints = asset.skeleton, len(asset.skeleton)
    hair = rng.normal((0, 0.3, 0), 0.05, (count, 3))
    skeleton = Skeleton.make(
        [*old.names, *(f"hair{i}" for i in range(count))],
        [*old.parents, *rng.integers(1, 6, count)],
        np.concatenate([old.offsets, hair]),
    )
    still = np.tile([1.0, 0, 0, 0], (count, 1))
    walk = asset.clips[0][::4]
    clip = replace(
        walk,
        skeleton=skeleton,
        positions=np.concatenate([walk.positions, np.tile(hair, (len(walk), 1, 1))], axis=1),
        rotations=np.concatenate([walk.rotations, np.tile(still, (len(walk), 1, 1))], axis=1),
    )
    seen = views(rig_motion(Asset(skeleton, (clip,))))
    for view in seen:
        assert len(view.tips) > 3 * MAX_TIPS / 2
        assert len({tip for pair in view.pairs for tip in pair.tips}) <= 2 * MAX_TIPS
    assert all(tip < joints for tip in four_footed(seen)[0].tips)
