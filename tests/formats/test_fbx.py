"""FBX through ufbx: a file in FBX's text form, right and damaged, and a reader that crashes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from canter.formats import FormatError, fbx, read
from canter.motion import rotations as rot
from canter.motion.skeleton import Asset

from .samples import skinned_vertices
from .test_fuzz import damaged, survives

COUNT = int(os.environ.get("CANTER_FUZZ", "500")) // 50  # each takes a process
SECOND = 46186158000  # of FBX's own ticks


def model(number: int, name: str, kind: str, place: str, scale: str = "1,1,1") -> str:
    return f"""Model: {number}, "Model::{name}", "{kind}" {{ Version: 232
        Properties70: {{ P: "InheritType", "enum", "", "",1
            P: "Lcl Translation", "Lcl Translation", "", "A",{place}
            P: "Lcl Scaling", "Lcl Scaling", "", "A",{scale} }} }}"""


def curve(number: int, *values: float) -> str:
    times = ",".join(str(i * SECOND // 2) for i in range(len(values)))
    keys = ",".join(str(v) for v in values)
    return f"""AnimationCurve: {number}, "AnimCurve::", "" {{ Default: 0
        KeyVer: 4009
        KeyTime: *{len(values)} {{ a: {times} }}
        KeyValueFloat: *{len(values)} {{ a: {keys} }}
        KeyAttrFlags: *1 {{ a: 4 }}
        KeyAttrDataFloat: *4 {{ a: 0,0,0,0 }}
        KeyAttrRefCount: *1 {{ a: {len(values)} }} }}"""


def bind(number: int, name: str, along: float) -> str:
    """A cluster whose bone stood `along` X when it was bound."""
    matrix = f"1,0,0,0,0,1,0,0,0,0,1,0,{along},0,0,1"
    return f"""Deformer: {number}, "SubDeformer::{name}", "Cluster" {{ Version: 100
        Indexes: *4 {{ a: 0,1,2,3 }}
        Weights: *4 {{ a: 0.5,0.5,0.5,0.5 }}
        Transform: *16 {{ a: 1,0,0,0,0,1,0,0,0,0,1,0,{-along},0,0,1 }}
        TransformLink: *16 {{ a: {matrix} }} }}"""


def text(scale: str = "2,2,2") -> str:
    """A scaled armature, a hip, a knee that turns a quarter in half a second, and a square that follows both."""
    stop = f'P: "LocalStop", "KTime", "Time", "",{SECOND}'
    objects = [
        model(10, "armature", "Null", "0,0,0", scale),
        model(11, "hip", "LimbNode", "1,0,0"),
        model(12, "knee", "LimbNode", "0,3,0"),
        model(13, "square", "Mesh", "0,0,0"),
        'NodeAttribute: 21, "NodeAttribute::hip", "LimbNode" { TypeFlags: "Skeleton" }',
        'NodeAttribute: 22, "NodeAttribute::knee", "LimbNode" { TypeFlags: "Skeleton" }',
        """Geometry: 30, "Geometry::square", "Mesh" {
            Vertices: *12 { a: 0,0,0,1,0,0,1,1,0,0,1,0 }
            PolygonVertexIndex: *4 { a: 0,1,2,-4 } }""",
        'Deformer: 40, "Deformer::skin", "Skin" { Version: 101 }',
        bind(41, "hip", 2),
        bind(42, "knee", 2),
        f'AnimationStack: 50, "AnimStack::turn", "" {{ Properties70: {{ {stop} }} }}',
        'AnimationLayer: 51, "AnimLayer::base", "" { }',
        'AnimationCurveNode: 52, "AnimCurveNode::R", "" { Properties70: { P: "d|Z", "Number", "", "A",0 } }',
        curve(53, 0, 90, 90),
    ]
    links = ["10,0", "11,10", "12,11", "13,0", "21,11", "22,12", "30,13", "40,30", "41,40", "42,40", "11,41", "12,42"]
    connections = [f'C: "OO",{link}' for link in [*links, "51,50", "52,51"]]
    connections += ['C: "OP",52,12, "Lcl Rotation"', 'C: "OP",53,52, "d|Z"']
    return "\n".join(
        [
            "; FBX 7.4.0 project file",
            "FBXHeaderExtension: { FBXHeaderVersion: 1003",
            "FBXVersion: 7400 }",
            "GlobalSettings: { Version: 1000",
            'Properties70: { P: "UnitScaleFactor", "double", "Number", "",100',
            'P: "TimeMode", "enum", "", "",11 } }',
            "Objects: {",
            *objects,
            "}",
            "Connections: {",
            *connections,
            "}\n",
        ]
    )


def load(folder: Path, content: str) -> Asset:
    (folder / "clip.fbx").write_text(content)
    return read(folder / "clip.fbx")


def test_bones_takes_units_and_scale(tmp_path: Path) -> None:
    asset = load(tmp_path, text())
    assert asset.skeleton.names == ("armature", "hip", "knee")
    assert asset.metres_per_unit == 1
    clip = asset.clips[0]
    assert (clip.name, clip.frame_rate, len(clip)) == ("turn", 24, 25)
    np.testing.assert_allclose(clip.position_world[0], [[0, 0, 0], [2, 0, 0], [2, 6, 0]], atol=1e-9)
    np.testing.assert_allclose(rot.log(clip.rotations[6, 2]), [0, 0, np.pi / 4], atol=1e-6)
    np.testing.assert_allclose(rot.log(clip.rotations[-1, 2]), [0, 0, np.pi / 2], atol=1e-6)


def test_skin_follows(tmp_path: Path) -> None:
    asset = load(tmp_path, text())
    skin = asset.skins[0]
    assert len(skin.vertices) == 4
    assert len(skin.triangles) == 2
    order = np.lexsort(skin.vertices.T[::-1])
    placed = skinned_vertices(skin, asset.clips[0], 0)[order]
    square = skin.vertices[order]
    scale = 2.0  # the bind matrices know nothing of the armature's scale
    hip, knee = [2, 0, 0] + scale * (square - [2, 0, 0]), [2, 6, 0] + scale * (square - [2, 0, 0])
    np.testing.assert_allclose(placed, (hip + knee) / 2, atol=1e-9)


def test_uneven_scale_names_the_node(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"'armature'.*Apply the scale"):
        load(tmp_path, text("1,2,1"))


def test_refusals_name_the_way_out(tmp_path: Path) -> None:
    for content in ("not at all", text()[:300], "; FBX 7.4.0 project file\n"):
        with pytest.raises(FormatError) as caught:
            load(tmp_path, content)
        assert caught.value.remedy


def test_a_crash_or_a_long_wait_is_a_broken_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(command: list[str], **options: object) -> subprocess.CompletedProcess[bytes]:
        return subprocess.CompletedProcess(command, -11, b"", b"")

    def wait(command: list[str], **options: object) -> None:
        raise subprocess.TimeoutExpired(command, 60)

    for double, says in ((crash, "broke"), (wait, "more than 60 s")):
        monkeypatch.setattr(fbx.subprocess, "run", double)
        with pytest.raises(FormatError, match=says):
            load(tmp_path, text())


@pytest.mark.skipif(sys.platform == "win32", reason="starting processes takes long there")
def test_damaged_fbx(tmp_path: Path) -> None:
    data = text().encode()
    for seed in range(COUNT):
        (tmp_path / "clip.fbx").write_bytes(damaged(data, ".fbx", seed))
        survives(tmp_path / "clip.fbx")
