"""Linear blend skinning: the bind pose moves nothing, and rigid motion moves everything rigidly."""

from __future__ import annotations

import numpy as np

from canter.body.poses import bent
from canter.body.skinning import dense_weights, inverse_bind, joint_matrices, posed_vertices
from canter.motion import Skeleton, Skin
from canter.motion import rotations as rot

ARM = Skeleton.make(["Root", "Upper", "Lower"], [-1, 0, 1], np.array([[0.0, 1, 0], [0.3, 0, 0], [0.3, -0.5, 0]]))
SKIN = Skin(
    vertices=np.array([[0.0, 1.0, 0.0], [0.4, 0.9, 0.1], [0.6, 0.5, 0.0]]),
    triangles=np.array([[0, 1, 2]], np.int32),
    joints=np.array([[0, 0], [1, 2], [2, 2]], np.int32),
    weights=np.array([[1.0, 0.0], [0.25, 0.75], [0.5, 0.5]]),
    inverse_bind=inverse_bind(ARM, ARM.rest),
)


def test_the_bind_pose_moves_nothing() -> None:
    np.testing.assert_allclose(
        joint_matrices(ARM.rest, SKIN.inverse_bind), np.tile(np.eye(3, 4), (3, 1, 1)), atol=1e-12
    )
    np.testing.assert_allclose(posed_vertices(SKIN, ARM, ARM.rest), SKIN.vertices, atol=1e-12)


def test_weights_of_a_joint_that_is_named_twice_add_up() -> None:
    np.testing.assert_allclose(dense_weights(SKIN, ARM), [[1, 0, 0], [0, 0.25, 0.75], [0, 0, 1]])


def test_a_turn_of_the_root_turns_everything() -> None:
    turn = np.array([0.2, -0.4, 0.9])
    expected = ARM.rest.positions[0] + rot.rotate(rot.exp(turn), SKIN.vertices - ARM.rest.positions[0])
    np.testing.assert_allclose(posed_vertices(SKIN, ARM, bent(ARM.rest, {0: turn})), expected, atol=1e-12)


def test_a_vertex_between_two_joints_goes_with_both() -> None:
    turn = np.array([0.0, 0.0, 0.8])
    moved = posed_vertices(SKIN, ARM, bent(ARM.rest, {2: turn}))
    elbow = np.array([0.6, 0.5, 0.0])
    rigid = elbow + rot.rotate(rot.exp(turn), SKIN.vertices[1] - elbow)
    np.testing.assert_allclose(moved[1], 0.25 * SKIN.vertices[1] + 0.75 * rigid, atol=1e-12)
    np.testing.assert_allclose(moved[0], SKIN.vertices[0])
