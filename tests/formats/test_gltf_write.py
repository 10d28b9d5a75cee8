"""Skins, and GLB files that canter writes and reads again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.formats import FormatError, read, write
from canter.motion import rotations as rot
from canter.motion.skeleton import Asset

from .samples import PNG, Gltf, random_asset, skinned_vertices, worst_distance


def load(folder: Path, gltf: Gltf) -> Asset:
    (folder / "clip.glb").write_bytes(gltf.glb())
    return read(folder / "clip.glb")


def square(weights: Any = None, joints: Any = None, **more: Any) -> Gltf:
    """A square bound to two joints below a node that scales by 0.01, as some exporters do."""
    gltf = Gltf()
    gltf.node("armature", children=[1], scale=[0.01, 0.01, 0.01], translation=[5, 0, 0])
    gltf.node("hip", children=[2], translation=[100, 0, 0])
    gltf.node("knee", translation=[0, 100, 0], rotation=[0, 0, np.sin(0.4), np.cos(0.4)])
    bind = np.tile(np.eye(4), (2, 1, 1))
    bind[:, 0, 3] = [-1, -2]
    bind[:, :3] *= 100
    matrices = gltf.accessor(bind.transpose(0, 2, 1).reshape(-1, 16), "MAT4")
    gltf.root["skins"] = [{"joints": [1, 2], "skeleton": 1, "inverseBindMatrices": matrices}]
    attributes = {"POSITION": gltf.accessor([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], "VEC3")}
    attributes["JOINTS_0"] = gltf.accessor(joints or [[0, 1, 0, 0]] * 4, "VEC4", 5121)
    attributes["WEIGHTS_0"] = gltf.accessor(weights or [[0.25, 0.75, 0, 0]] * 4, "VEC4")
    gltf.node("surface", mesh=gltf.mesh(attributes=attributes, **more), skin=0)
    return gltf


def test_skinning_survives_baked_scale(tmp_path: Path) -> None:
    asset = load(tmp_path, square())
    rest = asset.skeleton.rest
    motion_free = replace(random_asset(0, len(asset.skeleton), 1).clips[0], skeleton=asset.skeleton)
    motion = replace(motion_free, positions=rest.positions[None], rotations=rest.rotations[None])
    np.testing.assert_allclose(motion.position_world[0], [[5, 0, 0], [6, 0, 0], [6, 1, 0]], atol=1e-9)
    vertices = asset.skins[0].vertices
    hip = vertices + np.array([6 - 1, 0, 0])
    knee = rot.rotate(rot.about([0.0, 0.0, 1.0], np.array(0.8)), vertices - [2, 0, 0]) + np.array([6, 1, 0])
    np.testing.assert_allclose(skinned_vertices(asset.skins[0], motion, 0), 0.25 * hip + 0.75 * knee, atol=1e-6)


@pytest.mark.parametrize(
    ("mode", "indices", "expected"),
    [
        (4, [0, 1, 2, 0, 2, 3], [[0, 1, 2], [0, 2, 3]]),
        (5, [0, 1, 2, 3], [[0, 1, 2], [1, 3, 2]]),
        (6, [0, 1, 2, 3], [[1, 2, 0], [2, 3, 0]]),
        (5, None, [[0, 1, 2], [1, 3, 2]]),
        (4, None, [[0, 1, 2]]),
    ],
)
def test_triangles_strips_and_fans(tmp_path: Path, mode: int, indices: Any, expected: Any) -> None:
    gltf = square(mode=mode)
    if indices:
        gltf.root["meshes"][0]["primitives"][0]["indices"] = gltf.accessor(indices, "SCALAR", 5123)
    assert load(tmp_path, gltf).skins[0].triangles.tolist() == expected


def test_eight_influences_keep_the_strongest_four(tmp_path: Path) -> None:
    gltf = square(weights=[[0.3, 0.02, 0.1, 0.05]] * 4, joints=[[0, 1, 0, 1]] * 4)
    attributes = gltf.root["meshes"][0]["primitives"][0]["attributes"]
    attributes["JOINTS_1"] = gltf.accessor([[1, 1, 0, 0]] * 4, "VEC4", 5121)
    attributes["WEIGHTS_1"] = gltf.accessor([[0.4, 0.13, 0, 0]] * 4, "VEC4")
    skin = load(tmp_path, gltf).skins[0]
    np.testing.assert_allclose(skin.weights[0], np.array([0.4, 0.3, 0.13, 0.1]) / 0.93, atol=1e-6)
    assert skin.joints[0].tolist() == [2, 1, 2, 1]


def test_colour_and_texture(tmp_path: Path) -> None:
    gltf = square(material=0)
    attributes = gltf.root["meshes"][0]["primitives"][0]["attributes"]
    attributes["COLOR_0"] = gltf.accessor([[255, 0, 51]] * 4, "VEC3", 5121, normalized=True)
    attributes["TEXCOORD_0"] = gltf.accessor(np.zeros((4, 2)), "VEC2")
    surface = {"baseColorFactor": [0.5, 0.25, 1, 1], "baseColorTexture": {"index": 0}}
    gltf.root |= {"materials": [{"pbrMetallicRoughness": surface}], "textures": [{"source": 0}]}
    gltf.root["images"] = [{"uri": "coat.png"}]
    (tmp_path / "coat.png").write_bytes(PNG)
    skin = load(tmp_path, gltf).skins[0]
    assert skin.base_color == (0.5, 0.25, 1, 1)
    assert skin.texture == PNG
    assert skin.colors is not None
    np.testing.assert_allclose(skin.colors[0], [1, 0, 0.2, 1], atol=1e-6)
    (tmp_path / "coat.png").unlink()
    asset = load(tmp_path, gltf)
    assert asset.skins[0].texture is None
    assert "texture" in asset.notes[0]


def test_a_mesh_without_skin_follows_its_joint(tmp_path: Path) -> None:
    gltf = square()
    gltf.root["nodes"][2]["children"] = [4]
    gltf.node("collar", mesh=0, translation=[0, 0, 100], scale=[100, 200, 100])
    asset = load(tmp_path, gltf)
    assert asset.skeleton.names == ("armature", "hip", "knee")
    rest = asset.skeleton.rest
    motion = replace(random_asset(0, 3, 1).clips[0], skeleton=asset.skeleton)
    motion = replace(motion, positions=rest.positions[None], rotations=rest.rotations[None])
    turned = rot.rotate(rot.about([0.0, 0.0, 1.0], np.array(0.8)), asset.skins[1].vertices * [1, 2, 1] + [0, 0, 1])
    np.testing.assert_allclose(skinned_vertices(asset.skins[1], motion, 0), turned + np.array([6, 1, 0]), atol=1e-6)


def test_a_mesh_that_follows_nothing_is_noted(tmp_path: Path) -> None:
    gltf = square()
    gltf.node("floor", mesh=0)
    asset = load(tmp_path, gltf)
    assert len(asset.skins) == 1
    assert "'floor'" in asset.notes[0]


def test_wrong_weights_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="joint that its skin does not have"):
        load(tmp_path, square(joints=[[0, 7, 0, 0]] * 4))


@settings(max_examples=30)
@given(
    seed=st.integers(0, 10**6),
    joints=st.integers(1, 12),
    frames=st.integers(1, 6),
    rate=st.sampled_from([7, 24, 29.97, 30, 60, 120]),
    suffix=st.sampled_from([".glb", ".gltf", ".GLB"]),
    skinned=st.booleans(),
)
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    joints: int,
    frames: int,
    rate: float,
    suffix: str,
    skinned: bool,
) -> None:
    asset = random_asset(seed, joints, frames, rate, skinned)
    file = tmp_path_factory.mktemp("glb") / f"clip{suffix}"
    write(asset, file)
    again = read(file)
    assert sorted(again.skeleton.names) == sorted(asset.skeleton.names)
    assert again.clips[0].frame_rate == rate
    assert worst_distance(asset, again) < 1e-5
    for one, other in zip(asset.skins, again.skins, strict=True):
        assert one.texture == other.texture
        assert one.base_color == pytest.approx(other.base_color)
        np.testing.assert_array_equal(one.triangles, other.triangles)
        place = [again.skeleton.names.index(name) for name in asset.skeleton.names]
        np.testing.assert_allclose(one.inverse_bind, other.inverse_bind[place], atol=1e-6)
        before, after = skinned_vertices(one, asset.clips[0], 0), skinned_vertices(other, again.clips[0], 0)
        np.testing.assert_allclose(before, after, atol=1e-4 * np.abs(before).max())


def test_several_clips_and_still_joints(tmp_path: Path) -> None:
    asset = random_asset(5, 4, 6)
    still = replace(
        asset.clips[0], positions=asset.clips[0].positions[[0] * 6], rotations=asset.clips[0].rotations[[0] * 6]
    )
    both = replace(asset, clips=(replace(asset.clips[0], name="moves"), replace(still, name="stands")))
    write(both, tmp_path / "two.glb")
    again = read(tmp_path / "two.glb")
    assert [clip.name for clip in again.clips] == ["moves", "stands"]
    assert [len(clip) for clip in again.clips] == [6, 6]
    assert worst_distance(both, again) < 1e-5


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    asset = random_asset(6)
    write(asset, tmp_path / "clip.glb")
    before = (tmp_path / "clip.glb").read_bytes()
    broken = replace(asset, skeleton=replace(asset.skeleton, offsets=np.full((6, 3), np.nan)))
    with pytest.raises(FormatError, match="not finite"):
        write(broken, tmp_path / "clip.glb")
    assert (tmp_path / "clip.glb").read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["clip.glb"]
