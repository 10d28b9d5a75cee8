"""The mirror reflects world positions exactly, undoes itself, and keeps bones whatever the rig's local axes are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.motion import Motion, Skeleton, edits
from canter.motion import rotations as rot
from canter.motion.kinematics import forward
from canter.motion.mirroring import mirror, symmetry

from .rigs import MIRROR, random_motion, random_skeleton, symmetrical_skeleton, wobble

SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=40)
@given(SEEDS, st.booleans())
def test_positions_are_reflected_and_twice_is_once_back(seed: int, equal_axes: bool) -> None:
    motion = wobble(symmetrical_skeleton(seed, equal_axes), seed)
    mirrored = mirror(motion, MIRROR)
    np.testing.assert_allclose(mirrored.position_world, motion.position_world[:, MIRROR] * [-1, 1, 1], atol=1e-9)
    back = mirror(mirrored, MIRROR)
    np.testing.assert_allclose(back.positions, motion.positions, atol=1e-9)
    np.testing.assert_allclose(rot.difference(back.rotations, motion.rotations), 0, atol=1e-6)


@settings(max_examples=40)
@given(SEEDS, st.booleans())
def test_the_mirrored_rig_keeps_its_own_bones(seed: int, equal_axes: bool) -> None:
    """Local offsets stay the rig's own: no bone is stretched, and no skin is torn."""
    motion = wobble(symmetrical_skeleton(seed, equal_axes), seed)
    mirrored = mirror(motion, MIRROR)
    inner = motion.skeleton.parents >= 0
    np.testing.assert_allclose(mirrored.positions[:, inner], motion.positions[:, inner], atol=1e-9)


@settings(max_examples=20)
@given(SEEDS)
def test_a_symmetrical_pose_is_its_own_image(seed: int) -> None:
    motion = wobble(symmetrical_skeleton(seed, equal_axes=False), seed, 4, size=0)
    motion = edits.transform(motion, translation=-motion.position_world[:, 0] * [1, 0, 0])
    mirrored = mirror(motion, MIRROR)
    np.testing.assert_allclose(rot.difference(mirrored.rotations, motion.rotations), 0, atol=1e-6)


def test_the_reference_may_stand_and_face_anywhere() -> None:
    motion = wobble(symmetrical_skeleton(3, equal_axes=False), 4)
    turned = edits.transform_skeleton(motion.skeleton, rot.unit([1.0, 2, 3, 4]), [5, 6, 7])
    expected = mirror(motion, MIRROR)
    actual = mirror(motion, MIRROR, reference=turned.rest)
    np.testing.assert_allclose(rot.difference(actual.rotations, expected.rotations), 0, atol=1e-6)


def test_a_useless_rest_pose_is_replaced_by_a_frame_of_the_motion() -> None:
    """Capture files often hold no animal at rest, only offsets; the motion itself then shows the symmetry."""
    motion = wobble(symmetrical_skeleton(3, equal_axes=False), 4, size=0.3)
    motion = edits.replace(motion, rotations=np.concatenate([motion.skeleton.rotations[None], motion.rotations[1:]]))
    useless = replace(motion.skeleton, rotations=np.tile(rot.IDENTITY, (10, 1)))
    position, _ = forward(useless, useless.offsets, useless.rotations)
    assert symmetry(position, MIRROR)[1] > 0.1
    shown = mirror(edits.replace(motion, skeleton=useless), MIRROR)
    expected = mirror(motion, MIRROR)
    np.testing.assert_allclose(rot.difference(shown.rotations, expected.rotations), 0, atol=1e-6)


def test_any_plane_and_any_rig_reflect_positions() -> None:
    motion = random_motion(random_skeleton(0, 10), 1)
    normal = rot.normalize([1.0, 0, 2])
    mirrored = mirror(motion, MIRROR, lateral=normal * 3)
    x = motion.position_world[:, MIRROR]
    np.testing.assert_allclose(mirrored.position_world, x - 2 * (x @ normal)[..., None] * normal, atol=1e-9)


def test_mirroring_a_left_turn_gives_a_right_turn() -> None:
    motion = wobble(symmetrical_skeleton(1), 1, 10, size=0)
    turning = edits.transform(motion, rot.yaw(np.linspace(0, 1, 10)))
    mirrored = mirror(turning, MIRROR)
    swing = rot.multiply(mirrored.rotation_world[9, 0], rot.conjugate(mirrored.rotation_world[0, 0]))
    np.testing.assert_allclose(rot.log(swing), [0, -1, 0], atol=1e-6)


def test_bad_maps_are_named() -> None:
    motion = wobble(symmetrical_skeleton(1), 1, 2)
    with pytest.raises(ValueError, match="10 joints"):
        mirror(motion, [0, 1])
    with pytest.raises(ValueError, match="'thighL' is mapped to 5"):
        mirror(motion, [0, 1, 5, 6, 7, 3, 4, 2, 8, 9])


def test_float32_and_single_frames() -> None:
    motion = wobble(symmetrical_skeleton(1), 1, 1, kind=np.float32)
    mirrored = mirror(motion, MIRROR)
    assert mirrored.positions.dtype == mirrored.rotations.dtype == np.float32
    np.testing.assert_allclose(mirrored.position_world, motion.position_world[:, MIRROR] * [-1, 1, 1], atol=1e-5)


def test_bones_that_point_to_the_same_side_do_not_turn_a_joint_over() -> None:
    """Left and right end in a bone to the left: the joints above it still are each other's image."""
    skeleton = Skeleton.make(
        ["root", "left", "right", "left end", "right end"],
        [-1, 0, 0, 1, 2],
        np.array([[0.0, 1, 0], [0.2, -1, 0], [-0.2, -1, 0], [0.05, 0, 0], [0.05, 0, 0]]),
    )
    still = Motion(skeleton, 30.0, np.array(skeleton.offsets)[None], np.array(skeleton.rotations)[None])
    image = mirror(still, [0, 2, 1, 4, 3])
    assert rot.difference(image.rotations, still.rotations).max() < 0.5
