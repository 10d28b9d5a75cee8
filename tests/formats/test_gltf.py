"""glTF as exporters write it: containers, samplers, scale, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from canter.formats import FormatError, read
from canter.formats.gltf_clips import frame_rate
from canter.motion import rotations as rot
from canter.motion.skeleton import Asset

from .samples import Gltf

TURN = [0.0, 0.0, np.sin(0.5), np.cos(0.5)]  # one radian about Z, as glTF writes it
STILL = [0.0, 0.0, 0.0, 1.0]


def load(folder: Path, gltf: Gltf | bytes) -> Asset:
    data = gltf.glb() if isinstance(gltf, Gltf) else gltf
    file = folder / ("clip.glb" if data[:4] == b"glTF" else "clip.gltf")
    file.write_bytes(data)
    return read(file)


def arm(**hand: Any) -> Gltf:
    """An armature that turns a quarter and scales by 2, an arm one unit along X, a hand two units further."""
    gltf = Gltf()
    gltf.node("armature", children=[1], rotation=[0, 0, np.sin(np.pi / 4), np.cos(np.pi / 4)], scale=[2, 2, 2])
    gltf.node("arm", children=[2], translation=[1, 0, 0])
    gltf.node("hand", **({"translation": [2, 0, 0]} | hand))
    return gltf


def test_static_armature_turns_and_scales_its_joints(tmp_path: Path) -> None:
    gltf = arm()
    gltf.animation((1, "rotation", [0, 0.5, 1], [STILL, TURN, TURN], "LINEAR"))
    asset = load(tmp_path, gltf)
    assert asset.skeleton.names == ("armature", "arm", "hand")
    assert asset.metres_per_unit == 1
    clip = asset.clips[0]
    np.testing.assert_allclose(clip.position_world[0], [[0, 0, 0], [0, 2, 0], [0, 6, 0]], atol=1e-6)
    np.testing.assert_allclose(clip.position_world[-1, 2], [-4 * np.sin(1), 2 + 4 * np.cos(1), 0], atol=1e-6)


def test_samplers_with_their_own_keys(tmp_path: Path) -> None:
    gltf = arm()
    spline = [[0, 0, 0], [0, 0, 0], [3, 0, 0], [3, 0, 0], [1, 0, 0], [0, 0, 0]]
    gltf.animation(
        (1, "translation", [0, 1], spline, "CUBICSPLINE"),
        (2, "translation", [0.2, 0.6], [[1, 0, 0], [5, 0, 0]], "STEP"),
        (1, "rotation", [0, 1], [STILL, TURN], "LINEAR"),
    )
    clip = load(tmp_path, gltf).clips[0]
    assert clip.frame_rate == 30
    assert len(clip) == 31
    t = np.arange(31) / 30
    expected = (t**3 - 2 * t**2 + t) * 3 + (3 * t**2 - 2 * t**3) + (t**3 - t**2) * 3
    np.testing.assert_allclose(clip.positions[:, 1, 0], 2 * expected, atol=1e-6)
    np.testing.assert_allclose(clip.positions[[0, 17, 18, 30], 2, 0], [2, 2, 10, 10], atol=1e-6)
    np.testing.assert_allclose(rot.log(clip.rotations[:, 1])[:, 2], t, atol=1e-6)


def test_animated_scale_is_baked(tmp_path: Path) -> None:
    gltf = arm()
    gltf.animation((1, "scale", [0, 1], [[1, 1, 1], [3, 3, 3]], "LINEAR"))
    asset = load(tmp_path, gltf)
    np.testing.assert_allclose(asset.clips[0].positions[:, 2, 0], np.linspace(4, 12, 31), atol=1e-5)
    assert any("scale" in note for note in asset.notes)


@pytest.mark.parametrize(
    ("scale", "says"), [([1, 2, 1], "unevenly"), ([-1, -1, -1], "mirrored"), ([-1, 1, 1], "unevenly")]
)
def test_other_scale_is_refused_by_name(tmp_path: Path, scale: list[float], says: str) -> None:
    gltf = arm()
    gltf.root["nodes"][1]["scale"] = scale
    gltf.animation((2, "rotation", [0, 1], [STILL, TURN], "LINEAR"))
    with pytest.raises(FormatError, match=r"'arm'.*Apply the scale") as caught:
        load(tmp_path, gltf)
    assert says in str(caught.value)


def test_scale_on_a_tip_or_nearly_one_does_not_matter(tmp_path: Path) -> None:
    gltf = arm(scale=[1, 2, 1])
    gltf.root["nodes"][1]["scale"] = [0.9999998, 1.0000002, 1]
    gltf.animation((2, "rotation", [0, 1], [STILL, TURN], "LINEAR"))
    asset = load(tmp_path, gltf)
    np.testing.assert_allclose(asset.skeleton.offsets[2], [4, 0, 0])
    assert "'hand'" in asset.notes[0]


def test_matrices_are_taken_apart(tmp_path: Path) -> None:
    gltf = Gltf()
    matrix = np.eye(4)
    matrix[:3, :3] = 3 * rot.to_matrix(rot.about([0.0, 1.0, 0.0], np.array(0.7)))
    matrix[:3, 3] = [1, 2, 3]
    gltf.node("base", matrix=matrix.T.reshape(-1).tolist(), children=[1])
    gltf.node("tip", translation=[0, 1, 0])
    skeleton = load(tmp_path, gltf).skeleton
    np.testing.assert_allclose(skeleton.offsets, [[1, 2, 3], [0, 3, 0]], atol=1e-9)
    np.testing.assert_allclose(skeleton.rotations[0], rot.about([0.0, 1.0, 0.0], np.array(0.7)), atol=1e-9)


def test_feet_that_hang_on_the_root_move(tmp_path: Path) -> None:
    gltf = Gltf()
    gltf.node("root", children=[1, 2])
    gltf.node("body", translation=[0, 1, 0])
    gltf.node("foot", translation=[0.5, 0, 0])
    gltf.animation((2, "translation", np.arange(3) / 24, [[0.5, 0, 0], [0.5, 0.1, 0.2], [0.5, 0, 0.4]], "LINEAR"))
    clip = load(tmp_path, gltf).clips[0]
    assert clip.frame_rate == 24
    np.testing.assert_allclose(clip.position_world[1], [[0, 0, 0], [0, 1, 0], [0.5, 0.1, 0.2]], atol=1e-7)


def test_tree_names_and_scenes(tmp_path: Path) -> None:
    gltf = Gltf()
    for children in ([1], [2], [], [4], []):
        gltf.node(children=children)
    gltf.root["scenes"] = [{"nodes": [0]}, {"nodes": [3]}]
    gltf.root["skins"] = [{"joints": [2, 1]}]
    gltf.animation((4, "rotation", [0, 0.1], [STILL, TURN], "LINEAR"))
    skeleton = load(tmp_path, gltf).skeleton
    assert skeleton.names == ("node_0", "node_1", "node_2", "node_3", "node_4")
    assert skeleton.parents.tolist() == [-1, 0, 1, -1, 3]


def test_data_in_the_file_beside_it_and_in_a_uri(tmp_path: Path) -> None:
    gltf = arm()
    gltf.animation((1, "rotation", [0, 1], [STILL, TURN], "LINEAR"))
    (tmp_path / "own data.bin").write_bytes(gltf.data)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "d.bin").write_bytes(gltf.data)
    for data in (
        gltf.glb(),
        gltf.text(),
        gltf.text("own%20data.bin"),
        gltf.text("sub/d.bin"),
        gltf.text("./sub/d.bin"),
    ):
        assert len(load(tmp_path, data).clips[0]) == 31


@pytest.mark.parametrize(
    "uri", ["../secret.bin", "/etc/passwd", "file:///etc/passwd", "http://host/x.bin", "a/../../secret.bin", "link.bin",
            "%2e%2e/secret.bin", "..\\secret.bin", "C:\\secret.bin", "absent.bin", "", "a\0b", "x" * 5000]
)  # fmt: skip
def test_a_uri_never_leaves_the_folder(tmp_path: Path, uri: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    gltf = arm()
    gltf.animation((1, "rotation", [0, 1], [STILL, TURN], "LINEAR"))
    (tmp_path / "secret.bin").write_bytes(gltf.data)
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    root = json.loads(gltf.text("x"))
    root["buffers"][0]["uri"] = uri
    with pytest.raises(FormatError):
        load(folder, json.dumps(root).encode())


def test_sparse_strided_and_normalised_accessors(tmp_path: Path) -> None:
    gltf = arm()
    gltf.animation(
        (1, "rotation", [0, 1], [STILL, TURN], "LINEAR"), (1, "translation", [0, 1], np.zeros((2, 3)), "LINEAR")
    )
    accessors, views = gltf.root["accessors"], gltf.root["bufferViews"]
    short = gltf.accessor(np.round(np.array([STILL, TURN]) * 32767), "VEC4", 5122, normalized=True)
    gltf.root["animations"][0]["samplers"][0]["output"] = short
    which, new = gltf.accessor([1], "SCALAR", 5121), gltf.accessor([[7, 8, 9]], "VEC3")
    sparse = {"count": 1, "indices": {"bufferView": accessors[which]["bufferView"], "componentType": 5121}}
    accessors[3]["sparse"] = sparse | {"values": {"bufferView": accessors[new]["bufferView"]}}
    times = gltf.accessor([0, 99, 1, 99], "SCALAR")
    views[accessors[times]["bufferView"]]["byteStride"] = 8
    accessors[times]["count"] = 2
    gltf.root["animations"][0]["samplers"][1]["input"] = times
    clip = load(tmp_path, gltf).clips[0]
    np.testing.assert_allclose(rot.log(clip.rotations[-1, 1]), [0, 0, 1], atol=1e-4)
    np.testing.assert_allclose(clip.positions[-1, 1], [14, 16, 18], atol=1e-5)
    assert len(clip) == 31


@pytest.mark.parametrize(
    "change",
    [
        lambda g: g["nodes"][0].update(children=[1, 1]),
        lambda g: g["nodes"][2].update(children=[1]),
        lambda g: g["nodes"][2].update(children=[0]),
        lambda g: g["nodes"][1].update(children=[99]),
        lambda g: g["nodes"][1].update(children="x"),
        lambda g: g["nodes"][1].update(rotation=[0, 0, 0]),
        lambda g: g["nodes"][1].update(translation=[0, 0, "a"]),
        lambda g: g["nodes"][1].update(translation=[0, 0, 1e400]),
        lambda g: g["nodes"].append(7),
        lambda g: g["accessors"][0].update(count=10**12),
        lambda g: g["accessors"][0].update(count=-1),
        lambda g: g["accessors"][0].update(byteOffset=10**9),
        lambda g: g["accessors"][0].update(componentType=1),
        lambda g: g["accessors"][0].update(type="VEC9"),
        lambda g: g["accessors"][0].update(bufferView=50),
        lambda g: [g["accessors"][0].pop("bufferView"), g["accessors"][0].update(count=10**9)],
        lambda g: g["bufferViews"][0].update(byteLength=10**9),
        lambda g: g["bufferViews"][0].update(buffer=3),
        lambda g: g["animations"][0]["samplers"][0].update(interpolation="BEZIER"),
        lambda g: g["animations"][0]["samplers"][0].update(input=77),
        lambda g: g["animations"][0]["channels"][0].update(sampler=9),
        lambda g: g["animations"][0]["channels"][0]["target"].update(node=9),
        lambda g: g.update(extensionsRequired=["KHR_draco_mesh_compression"]),
        lambda g: g.update(asset={"version": "1.0"}),
        lambda g: g.update(skins=[{"joints": [9]}]),
        lambda g: g.update(nodes=[{"mesh": 0}], animations=[]),
    ],
)
def test_broken_documents(tmp_path: Path, change: Any) -> None:
    gltf = arm()
    gltf.animation((1, "rotation", [0, 1], [STILL, TURN], "LINEAR"))
    change(gltf.root)
    with pytest.raises(FormatError) as caught:
        load(tmp_path, gltf)
    assert caught.value.remedy


def test_harmless_extensions_and_odd_extras_are_read(tmp_path: Path) -> None:
    gltf = arm(extras=[1, 2])
    gltf.animation((1, "rotation", [0, 1], [STILL, TURN], "LINEAR"))
    gltf.root["extensionsRequired"] = ["KHR_texture_transform"]
    assert load(tmp_path, gltf).clips


def test_broken_times(tmp_path: Path) -> None:
    for times, says in (([1, 0], "do not rise"), ([0, np.nan], "finite"), ([0, 1e9], "lasts"), ([0, 1, 2], "fit")):
        gltf = arm()
        gltf.animation((1, "rotation", times, [STILL, TURN], "LINEAR"))
        with pytest.raises(FormatError, match=says):
            load(tmp_path, gltf)


def test_morphs_are_noted_and_one_key_is_one_frame(tmp_path: Path) -> None:
    gltf = arm()
    gltf.animation((1, "rotation", [0.5], [TURN], "LINEAR"))
    gltf.root["animations"][0]["channels"].append({"sampler": 0, "target": {"node": 2, "path": "weights"}})
    asset = load(tmp_path, gltf)
    assert len(asset.clips[0]) == 1
    assert "weights" in asset.notes[0]


@pytest.mark.parametrize("rate", [20, 23, 24, 25, 29.97, 30, 48, 50, 60, 90, 100, 120, 144, 240])
def test_dense_keys_show_the_frame_rate(rate: float) -> None:
    times = (np.arange(300) / rate).astype(np.float32).astype(float)
    assert frame_rate([times + 1 / rate, times[::5]]) == pytest.approx(rate, rel=1e-5)


def test_sparse_keys_give_thirty_and_close_keys_stay_below_the_limit() -> None:
    assert frame_rate([np.arange(10) / 6]) == 30
    assert frame_rate([np.arange(10) / 8]) == 24
    assert frame_rate([np.array([0.0])]) == 30
    assert frame_rate([np.array([0, 0.001, 0.5, 0.501, 1.0])]) <= 240
    assert frame_rate([np.arange(50) / 24, np.array([0.0, 0.001, 1.0])]) <= 240
