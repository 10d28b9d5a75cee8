"""The legs of a rig as levers: known answers of constructed legs, and both sides alike."""

from __future__ import annotations

import numpy as np
import pytest

from canter.footing.leg_tree import _lever, make_leg_tree
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.kinematics import forward

from .motions import animal
from .rigs import HOOFED, PANTOGRAPH, TWO_BONES, Bones, rig

LOPSIDED = (4, 8, 9, 25, 87, 92)
"""Seeds of rigs whose sides got different joints when each was judged alone."""


def places(bones: Bones, knee: int = 0, hock: int = 0, angle: float = 0.0) -> Floats:
    """Joints of a leg `(1, K, 3)` whose bones below the knee turn by an angle, and below the hock turn back."""
    at, result = 0.0, [np.zeros(3)]
    for k, (up, ahead) in enumerate(bones):
        at += angle * ((k == knee) - (k == hock)) if angle else 0.0
        turned = (ahead + 1j * up) * np.exp(1j * at)
        result.append(result[-1] + (0.0, turned.imag, turned.real))
    return np.array([result])


@pytest.mark.parametrize(("bones", "knee", "hock"), [(TWO_BONES, 1, 2), (PANTOGRAPH, 1, 2), (PANTOGRAPH, 2, 3)])
def test_a_lever_is_how_much_a_leg_lengthens_as_its_knee_opens(bones: Bones, knee: int, hock: int) -> None:
    step, last = 1e-5, len(bones)
    reach = [float(np.linalg.norm(places(bones, knee, hock, angle)[0, last])) for angle in (-step, step)]
    assert _lever(places(bones), 0, knee, hock, last) == pytest.approx(abs(reach[1] - reach[0]) / (2 * step), abs=1e-6)


def test_the_lever_of_two_bones_by_hand() -> None:
    """|(-0.5, 0.2) x (-0.5, -0.2)| / |(-1, 0)|."""
    assert _lever(places(TWO_BONES), 0, 1, 2, 2) == pytest.approx(0.2)


def test_joints_that_bend_to_the_same_side_are_no_pair() -> None:
    curled = ((-0.4, 0.3), (-0.5, 0.0), (-0.4, -0.3))
    assert _lever(places(curled), 0, 1, 2, 3) == 0.0
    assert not rig(curled).tree.legs.paired.any()


def test_a_leg_is_reduced_to_its_joints() -> None:
    legs = rig(TWO_BONES, PANTOGRAPH).tree.legs
    names = [rig(TWO_BONES, PANTOGRAPH).skeleton.names[j] for j in (legs.knee[0], legs.knee[2], legs.hock[2])]
    assert names == ["LF 1", "LH 1", "LH 2"]
    assert legs.paired.tolist() == [False, False, True, True]
    assert np.array_equal(legs.ankle, legs.foot)
    assert not legs.hoofed.any()
    assert not len(rig(TWO_BONES, PANTOGRAPH).tree.loose)


def test_a_short_last_bone_is_a_hoof() -> None:
    built = rig(TWO_BONES, HOOFED)
    legs = built.tree.legs
    assert legs.hoofed.tolist() == [False, False, True, True]
    assert built.skeleton.names[legs.ankle[2]] == "LH 3"
    assert built.skeleton.names[legs.foot[2]] == "LH 4"


def test_feet_that_hang_on_the_root_are_the_ankles_of_their_legs() -> None:
    tree = rig(PANTOGRAPH, PANTOGRAPH, detached=True).tree
    assert np.array_equal(tree.legs.ankle, tree.legs.foot)
    assert np.array_equal(tree.loose.joints, tree.legs.foot)
    assert np.array_equal(tree.loose.carriers, tree.legs.foot - 1)
    assert tree.loose.spots == pytest.approx(np.tile([0.0, *PANTOGRAPH[-1]], (4, 1)))


def test_two_bones_are_enough_for_a_foot_on_the_root() -> None:
    assert (rig(detached=True).tree.legs.ankle == rig(detached=True).tree.legs.foot).all()


def test_a_foreleg_that_is_straight_below_its_second_joint_opens_there() -> None:
    """Four bones look like a scapula and a leg, but what would be the leg cannot bend."""
    straight: Bones = ((-0.5, -0.3), (-0.4, 0.1), (-0.4, 0.1), (-0.2, 0.05))
    bent: Bones = ((-0.3, 0.1), (-0.4, -0.3), (-0.5, 0.2), (-0.3, 0.0))
    names = [(tree := rig(bones).tree).skeleton.names[tree.legs.knee[0]] for bones in (straight, bent)]
    assert names == ["LF 1", "LF 2"]


def test_a_leg_of_one_bone_is_refused() -> None:
    with pytest.raises(ValueError, match="no joint to bend"):
        _ = rig(((-1.0, 0.0),)).tree


def test_extensions_are_shares_of_the_straight_leg() -> None:
    built = rig(TWO_BONES, PANTOGRAPH)
    straight = 2 * np.hypot(0.5, 0.2)
    upper, lower = np.array([-0.7, 0.4]), np.array([-0.4, -0.4])
    folded = np.linalg.norm(upper + lower) / (np.linalg.norm(upper) + np.linalg.norm(lower))
    extensions = built.tree.extensions(*built.pose)
    assert extensions == pytest.approx(np.array([[1 / straight, 1 / straight, folded, folded]]))


def test_the_tree_holds_every_joint_above_a_foot_after_its_parent() -> None:
    tree = rig(HOOFED, PANTOGRAPH).tree
    parents = tree.skeleton.parents
    order = {int(joint): k for k, joint in enumerate(tree.joints)}
    assert all(parents[j] < 0 or order[int(parents[j])] < order[int(j)] for j in tree.joints)
    assert np.array_equal(tree.joints[tree.inner.foot], tree.legs.foot)


@pytest.mark.parametrize("seed", LOPSIDED)
def test_left_and_right_legs_get_the_same_joints(seed: int) -> None:
    character = animal(f"rig {seed}")
    motions = [clip.motion for clip in character.clips]
    samples = (
        np.concatenate([getattr(m, part) for m in motions])[::10].astype(float) for part in ("positions", "rotations")
    )
    legs, mirror = make_leg_tree(character.skeleton, character.anatomy, *samples).legs, character.anatomy.mirror
    for part in (legs.hip, legs.knee, legs.hock, legs.ankle):
        assert np.array_equal(mirror[part[[0, 2]]], part[[1, 3]])


def test_poses_of_one_side_do_not_decide_for_it_alone() -> None:
    """The right hind leg is seen bent so that its own longest lever is at another joint than the left one's."""
    built = rig(TWO_BONES, PANTOGRAPH)
    positions, rotations = built.pose
    rotations[0, built.skeleton.index("RH 2")] = rot.exp(np.array([0.8, 0.0, 0.0]))
    moved = forward(built.skeleton, positions, rotations)[0]
    right = [built.skeleton.index(f"RH {k}") for k in range(4)]
    left = [built.skeleton.index(f"LH {k}") for k in range(4)]
    pairs = [(1, 2), (1, 3), (2, 3)]
    best = [max(pairs, key=lambda pair: _lever(moved, *(side[k] for k in (0, *pair, 3)))) for side in (left, right)]
    assert best == [(1, 2), (1, 3)]
    legs = make_leg_tree(built.skeleton, built.anatomy, positions, rotations).legs
    assert (legs.hock - legs.hip)[2:].tolist() == [2, 2]
