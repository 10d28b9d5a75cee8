"""The shipped bodies: closed, alike on both sides, light, and they bend without folding."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import cKDTree

from canter.body import folded_share, make_skin, trial_poses, volume
from canter.body.mesh import Mesh
from canter.body.parts import both_sides
from canter.body.skinning import posed_vertices
from canter.motion import forward

from .skins import BODIES, SKELETONS, coarse, coarse_skin, skin_of

ANIMALS = pytest.mark.parametrize("name", ["horse", "dog"])


@ANIMALS
def test_the_surface_is_closed_outward_and_light(name: str) -> None:
    _, _, skin = skin_of(name)
    mesh = Mesh(skin.vertices, skin.triangles)
    assert mesh.is_closed
    assert mesh.volume > 0
    assert 5000 < len(skin.triangles) < 15000
    assert skin.normals is not None
    faces = mesh.faces / np.maximum(np.linalg.norm(mesh.faces, axis=1, keepdims=True), 1e-12)
    along = (faces * skin.normals[skin.triangles].mean(axis=1)).sum(axis=1)
    assert np.mean(along > 0) > 0.999
    np.testing.assert_allclose(np.linalg.norm(skin.normals, axis=1), 1, atol=1e-6)


@ANIMALS
def test_both_sides_are_alike(name: str) -> None:
    skeleton, body, skin = skin_of(name)
    image = skin.vertices * [-1, 1, 1]
    distance, partner = cKDTree(skin.vertices).query(image)
    assert distance.max() < 1e-9 * body.unit
    assert skin.colors is not None
    np.testing.assert_allclose(skin.colors[partner], skin.colors, atol=0.02)
    left = _share(skin.joints, skin.weights, [i for i, n in enumerate(skeleton.names) if n.startswith("Left")])
    right = _share(skin.joints, skin.weights, [i for i, n in enumerate(skeleton.names) if n.startswith("Right")])
    assert np.quantile(np.abs(left[partner] - right), 0.99) < 1e-6


def _share(joints: np.ndarray, weights: np.ndarray, chosen: list[int]) -> np.ndarray:
    share: np.ndarray = (weights * np.isin(joints, chosen)).sum(axis=1)
    return share


@ANIMALS
def test_it_stands_on_the_ground_at_its_height(name: str) -> None:
    _, body, skin = skin_of(name)
    assert abs(skin.vertices[:, 1].min()) < 0.005 * body.unit
    assert 1.3 * body.unit < skin.vertices[:, 1].max() < 2 * body.unit
    soles = skin.vertices[skin.vertices[:, 1] < 0.01 * body.unit]
    assert len(soles) > 20


@ANIMALS
def test_weights_are_weights(name: str) -> None:
    skeleton, _, skin = skin_of(name)
    assert skin.weights.shape == skin.joints.shape == (len(skin.vertices), 4)
    np.testing.assert_allclose(skin.weights.sum(axis=1), 1, atol=1e-9)
    assert skin.weights.min() >= 0
    assert skin.joints.min() >= 0
    assert skin.joints.max() < len(skeleton)
    other = skin.vertices[:, 0] > 0.1 * BODIES[name].unit
    right = [i for i, n in enumerate(skeleton.names) if n.startswith("Right")]
    assert _share(skin.joints, skin.weights, right)[other].max() < 0.02


@ANIMALS
def test_inverse_bind_is_the_inverse_of_the_rest_pose(name: str) -> None:
    skeleton, _, skin = skin_of(name)
    place, _ = forward(skeleton, skeleton.offsets, skeleton.rotations)
    at = np.einsum("jab,jb->ja", skin.inverse_bind, np.concatenate([place, np.ones((len(place), 1))], axis=1))
    np.testing.assert_allclose(at[:, :3], 0, atol=1e-9)
    np.testing.assert_allclose(posed_vertices(skin, skeleton, skeleton.rest), skin.vertices, atol=1e-9)


@ANIMALS
def test_it_bends_without_folding_and_keeps_its_volume(name: str) -> None:
    skeleton, body, skin = skin_of(name)
    full = volume(skin, skeleton)
    for pose in trial_poses(skeleton, both_sides(body).bends):
        assert folded_share(skin, skeleton, pose) < 0.001
        assert abs(volume(skin, skeleton, pose) / full - 1) < 0.15


@ANIMALS
def test_colours_are_colours_and_the_points_are_dark(name: str) -> None:
    skeleton, body, skin = skin_of(name)
    assert skin.colors is not None
    assert skin.colors.shape == (len(skin.vertices), 4)
    assert skin.colors.min() >= 0
    assert skin.colors.max() <= 1
    tip = {"horse": "Muzzle", "dog": "HeadTip"}[name]
    place, _ = forward(skeleton, skeleton.offsets, skeleton.rotations)
    near = np.linalg.norm(skin.vertices - place[skeleton.index(tip)], axis=1) < 0.06 * body.unit
    assert skin.colors[near, :3].mean() < 0.5 * skin.colors[:, :3].mean()


def test_the_same_table_gives_the_same_skin() -> None:
    again = make_skin(SKELETONS["horse"], coarse(BODIES["horse"]))
    for field in ("vertices", "triangles", "joints", "weights", "colors"):
        assert np.array_equal(getattr(again, field), getattr(coarse_skin(), field))


def test_a_coarse_skin_is_closed_too() -> None:
    skin = coarse_skin()
    assert Mesh(skin.vertices, skin.triangles).is_closed
    assert len(skin.triangles) < 2600
