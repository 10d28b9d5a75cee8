"""The rest of the body: mirror pairs, spine, neck, head and tail."""

from __future__ import annotations

import numpy as np
import pytest

from canter.anatomy import Anatomy, detect
from canter.anatomy.spine_head_tail import common_ancestor
from canter.motion import Asset, Skeleton
from canter.synthetic import synthetic_rig

from .animals import dog, example, with_clips

NAMES = example().skeleton.names


def named(joints: tuple[int, ...]) -> list[str]:
    return [NAMES[j] for j in joints]


def test_spine_neck_head_and_tail_of_the_example() -> None:
    found = dog().anatomy
    assert found.head is not None
    assert NAMES[found.head] == "Head"
    assert named(found.spine) == [f"Spine{i}" for i in range(5)]
    assert found.neck
    assert all("Neck" in name for name in named(found.neck))
    assert named(found.tail) == ["Tail0", "Tail1", "Tail2", "Tail3", "TailEnd"]


def test_no_joint_is_two_things() -> None:
    found = dog().anatomy
    parts = [*found.spine, *found.neck, *found.tail, found.head, *(j for leg in found.legs for j in leg.joints)]
    assert len(parts) == len(set(parts))


def test_the_mirror_exchanges_left_and_right() -> None:
    mirror = dog().anatomy.mirror
    for joint, name in enumerate(NAMES):
        other = name.replace("Left", "*").replace("Right", "Left").replace("*", "Right")
        assert NAMES[mirror[joint]] == other
    np.testing.assert_array_equal(mirror[mirror], np.arange(len(NAMES)))


def rate(right: list[bool]) -> float:
    return float(np.mean(right))


def test_heads_and_tails_of_plain_rigs() -> None:
    heads, tails = [], []
    for seed in range(24):
        rig = synthetic_rig(seed, plain=True)
        found, names = detect(with_clips(rig.asset, *rig.asset.clips[:1])), rig.asset.skeleton.names
        heads.append(found.head is not None and names[found.head] == rig.truth.head)
        ours, truth = {names[j] for j in found.tail}, set(rig.truth.tail)
        tails.append(len(ours & truth) >= 0.6 * len(ours | truth) if truth else not ours)
    assert rate(heads) >= 0.95
    assert rate(tails) >= 0.9


@pytest.mark.parametrize("mutation", ["ears", "horns", "eyes", "jaw", "mane", "reins"])
def test_what_a_head_carries_is_not_the_head(mutation: str) -> None:
    right = []
    for seed in (1, 5, 9, 12):
        rig = synthetic_rig(seed, plain=True, clip="straight", **{mutation: True})
        found: Anatomy = detect(rig.asset)
        right.append(found.head is not None and rig.asset.skeleton.names[found.head] == rig.truth.head)
    assert rate(right) >= 0.75


def test_common_ancestor() -> None:
    tree = Skeleton.make(["root", "a", "b", "c", "other"], [-1, 0, 1, 1, -1], np.zeros((5, 3)))
    assert common_ancestor(tree, [2, 3]) == 1
    assert common_ancestor(tree, [2]) == 2
    assert common_ancestor(tree, [2, 4]) is None


def test_an_animal_without_tail_has_none() -> None:
    asset: Asset = example()
    kept = [j for j, name in enumerate(NAMES) if "Tail" not in name]
    place = {j: i for i, j in enumerate(kept)}
    old = asset.skeleton
    skeleton = Skeleton.make(
        [NAMES[j] for j in kept],
        [place.get(int(old.parents[j]), -1) for j in kept],
        old.offsets[kept],
        old.rotations[kept],
    )
    walk = asset.clips[0]
    clip = type(walk)(skeleton, walk.frame_rate, walk.positions[:, kept], walk.rotations[:, kept])
    found = detect(Asset(skeleton, (clip,)))
    assert found.tail == ()
    assert skeleton.names[found.head or 0] == "Head"
