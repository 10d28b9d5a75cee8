"""Gaits for rigs that have none: any synthetic quadruped walks without sliding or popping, bent the right way."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from canter.anatomy import Character
from canter.animals.fitting.fit import Fitted, fit
from canter.animals.fitting.reachable import in_stance
from canter.animals.fitting.refine import acceleration_ratios, least_bends
from canter.cli import main
from canter.control import load
from canter.control.sources import open_character
from canter.formats import read
from canter.motion import rotations as rot
from canter.motion.feet import stances

from ..loaded import animal
from .rigs import BODIES, rig

DATA = os.environ.get("CANTER_DATA", "")

SHAPES = ["end_at_ankle", "digits", "detached_feet", "extra_root", "twist_bones", "legs_elsewhere", "bare_tail"]


def fitted(character: Character, name: str, *gaits: str) -> tuple[Fitted, ...]:
    model = animal(name)
    return fit(character, [model.row(gait) for gait in gaits or ("walk", "trot")], model.standing)


@pytest.mark.parametrize("name", ["dog", "horse"])
def test_an_animal_fits_its_own_table(name: str) -> None:
    own = animal(name)
    (walk,) = fitted(own, name, "walk")
    theirs = own.clip("walk").motion.position_world
    assert np.abs(walk.clip.motion.position_world - theirs).max() < 0.01 * own.anatomy.hip_height


@pytest.mark.parametrize(("body", "name"), BODIES.items(), ids=list(BODIES))
def test_bodies_walk_and_trot(body: str, name: str) -> None:
    for one in fitted(rig(body), name):
        check(one)


@pytest.mark.parametrize("shape", SHAPES)
def test_odd_rigs_walk(shape: str) -> None:
    for one in fitted(rig("dog", 2, **{shape: True}), "dog"):
        check(one)


@pytest.mark.parametrize("root", ["pelvis", "chest", "middle"])
def test_any_root_walks(root: str) -> None:
    check(fitted(rig("horse", 3, root=root), "horse", "walk")[0])


def test_gaits_of_sprawling_legs_are_refused() -> None:
    with pytest.raises(ValueError, match="sprawling legs"):
        fitted(rig("dog"), "turtle", "slow walk")


def test_clips_are_not_used() -> None:
    """They may only give the standing pose."""
    character = rig("dog")
    (ours,), (bare,) = fitted(character, "dog", "walk"), fitted(replace(character, clips=()), "dog", "walk")
    gap = ours.clip.motion.position_world - bare.clip.motion.position_world
    assert np.abs(gap).max() < 0.1 * character.anatomy.hip_height


@pytest.mark.parametrize("gait", ["back", "side", "turn"])
def test_flat_feet_stand_in_every_direction(gait: str) -> None:
    check(fitted(rig("dog", 2, end_at_ankle=True), "dog", gait)[0])


@pytest.mark.data
@pytest.mark.skipif(not DATA, reason="CANTER_DATA is not set")
@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("fox/Fox.glb", "dog"),
        ("zoo/wolf_walk.bvh", "dog"),
        ("zoo/elephant_asian_walk.bvh", "horse"),
        ("zoo/Horse.gltf", "horse"),
        ("dog/D1_009_KAN01_001.bvh", "dog"),
    ],
)
def test_real_rigs_walk_trot_and_gallop(file: str, name: str) -> None:
    for one in fitted(open_character(str(Path(DATA) / file)), name, "walk", "trot", "gallop"):
        check(one)


def check(one: Fitted) -> None:
    """Right footfalls, feet that stand still and stay above the ground, calm legs bent the right way, a closed loop."""
    standing, motion, row = one.puppet.standing, one.clip.motion, one.row
    assert one.is_recognised
    assert one.clip.footfalls.skating_cm < 0.3
    assert one.foot_error < 0.003
    soles = one.puppet_motion.position_world[:, [leg.joints[-1] for leg in standing.anatomy.legs], 1]
    assert soles.min() > -0.002
    assert foot_slip(one) < 0.003
    assert acceleration_ratios(standing, row, one.puppet_motion).max() < 3
    assert least_bends(standing, one.puppet_motion).min() > -3
    home = rot.yaw(np.radians(-row.turn) * np.arange(len(motion)) / motion.frame_rate)[:, None]
    turned = rot.positive(rot.multiply(home, motion.rotation_world.astype(np.float64)))
    assert np.abs(turned[0] - turned[-1]).max() < 1e-5


def foot_slip(one: Fitted) -> float:
    """How far a foot joint of the puppet moves over the ground while it should stand."""
    feet = one.puppet_motion.position_world[:, one.puppet.feet][..., [0, 2]]
    downs = [in_stance(one.row, len(feet), leg) for leg in range(4)]
    return max(float(np.ptp(feet[a:b, k], axis=0).max()) for k in range(4) for a, b in stances(downs[k]))


# The command -------------------------------------------------------------------------------------


def test_build_writes_a_clip_of_every_gait_in_any_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["build", "example", "--gaits", "dog", "--size", "2", "-o", str(tmp_path / "built.glb")])
    assert not left.value.code
    asset = read(tmp_path / "built.glb")
    assert [clip.name for clip in asset.clips] == [row.name for row in animal("dog").rows]
    np.testing.assert_allclose(asset.skeleton.offsets, 2 * load("example").skeleton.offsets, atol=1e-5)
    said = capsys.readouterr().out
    assert "forelegs: scapula" in said
    assert "its feet say" not in said


def test_build_names_what_has_no_gaits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["build", "example", "--gaits", "example", "-o", str(tmp_path / "built.glb")])
    assert left.value.code == 1
    assert "no table of gaits" in capsys.readouterr().err
