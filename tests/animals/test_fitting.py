"""Gaits for rigs that have none: any made-up animal stands, gets its roles, and walks without sliding or popping."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from canter.anatomy import Character, understand
from canter.animals.animal import Animal, dog, horse
from canter.animals.dog.skeleton import DOG
from canter.animals.fitting.calm import jerks, straightest
from canter.animals.fitting.fit import Fitted, fit, gaits_for, giving_roles, in_stance, similar
from canter.animals.fitting.puppet import make_puppet
from canter.animals.fitting.roles import leg_roles
from canter.animals.fitting.stand import standing_pose
from canter.animals.generator.plan import Plan
from canter.animals.horse.skeleton import HORSE
from canter.cli import main
from canter.cli.names import open_character
from canter.formats import read
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.metrics import stance_slip
from canter.synthetic import synthetic_rig

DATA = os.environ.get("CANTER_DATA", "")

BODIES = {"dog": "dog", "cat": "dog", "bear": "dog", "horse": "horse", "cow": "horse", "giraffe": "horse"}
SHAPES = ["end_at_ankle", "digits", "detached_feet", "extra_root", "twist_bones", "legs_elsewhere", "bare_tail"]


@lru_cache
def animal(name: str) -> Animal:
    return dog() if name == "dog" else horse()


def rig(body: str, seed: int = 1, **overrides: object) -> Character:
    return understand(synthetic_rig(seed, body=body, plain=True, **overrides).asset)


def fitted(character: Character, name: str, *gaits: str) -> tuple[Fitted, ...]:
    model = animal(name)
    return fit(character, [model.row(gait) for gait in gaits or ("walk", "trot")], model.standing)


def leg(plan: Plan, fore: bool) -> Floats:
    names = ["Left" + name for name in (plan.fore if fore else plan.hind)]
    return np.array([next(j.place for j in plan.joints if j.name == name) for name in names])


# Roles -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", [DOG, HORSE], ids=["dog", "horse"])
def test_the_tables_get_their_own_roles(plan: Plan) -> None:
    assert leg_roles(leg(plan, True), True) == plan.fore_roles
    assert leg_roles(leg(plan, False), False) == plan.hind_roles


def test_a_leg_without_scapula_begins_at_the_shoulder() -> None:
    assert leg_roles(leg(DOG, True)[1:], True) == DOG.fore_roles[1:]


def test_a_column_of_two_bones_has_an_elbow_and_a_stifle() -> None:
    column = np.array([[0.1, 0.95, 0.0], [0.1, 0.5, -0.01], [0.1, 0.0, 0.0]])
    assert leg_roles(column, True) == ("shoulder", "elbow")
    assert leg_roles(column * [1, 1, -1], False) == ("hip", "stifle")


def test_a_twist_bone_gets_no_role() -> None:
    points = leg(DOG, False)
    twisted = np.insert(points, 1, points[:2].mean(axis=0), axis=0)
    assert leg_roles(twisted, False) == ("hip", "", "stifle", "hock")


def test_a_leg_of_two_joints_is_refused() -> None:
    with pytest.raises(ValueError, match="three joints"):
        leg_roles(np.zeros((2, 3)), True)


# Standing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", BODIES)
def test_animals_stand_on_their_soles_alike_on_both_sides(body: str) -> None:
    character = rig(body)
    stood, anatomy = standing_pose(character), character.anatomy
    feet, h = stood.places[anatomy.feet], anatomy.hip_height
    assert np.abs(feet[:, 1] - stood.soles).max() < 0.01 * h
    assert np.abs(feet[[0, 2]] * [-1, 1, 1] - feet[[1, 3]]).max() < 0.02 * h


def test_a_rig_that_lies_flat_and_has_no_clips_is_refused() -> None:
    character = rig("dog")
    offsets = character.skeleton.offsets * np.array([1.0, 0.0, 1.0])
    flat = replace(character, clips=(), skeleton=replace(character.skeleton, offsets=offsets))
    with pytest.raises(ValueError, match="does not stand"):
        standing_pose(flat)


def test_what_is_no_quadruped_is_refused() -> None:
    person = understand(synthetic_rig(1, kind="biped").asset)
    with pytest.raises(ValueError, match="four legs"):
        standing_pose(person)


@pytest.mark.parametrize("body", ["lizard", "turtle"])
def test_sprawlers_are_refused_in_words(body: str) -> None:
    with pytest.raises(ValueError, match="sprawls"):
        fitted(rig(body), "dog")


# Gaits -------------------------------------------------------------------------------------------


def test_similar_animals_have_the_same_froude_number() -> None:
    row = animal("dog").row("trot")
    tall = similar(row, 0.5, 2.0)
    assert tall.speed == pytest.approx(2 * row.speed)
    assert tall.frequency == pytest.approx(row.frequency / 2)
    assert tall.speed / tall.frequency / 2.0 == pytest.approx(row.speed / row.frequency / 0.5)


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


def test_clips_are_not_used() -> None:
    character = rig("dog")
    bare = replace(character, clips=())
    model = animal("dog")
    for with_clips, without in zip(
        gaits_for(character, model.rows[:1], model.standing),
        gaits_for(bare, model.rows[:1], model.standing),
        strict=True,
    ):
        gap = with_clips.motion.position_world - without.motion.position_world
        assert np.abs(gap).max() < 0.1 * character.anatomy.hip_height


@pytest.mark.parametrize("gait", ["back", "side", "turn"])
def test_flat_feet_stand_in_every_direction(gait: str) -> None:
    check(fitted(rig("dog", 2, end_at_ankle=True), "dog", gait)[0])


def test_bones_without_length_are_no_part_of_a_leg() -> None:
    character = understand(synthetic_rig(122, body="bear").asset)
    legs = [character.anatomy.legs[k].joints for k in (0, 2)]
    places = standing_pose(character).places
    assert min(np.linalg.norm(np.diff(places[list(leg)], axis=0), axis=1).min() for leg in legs) < 1e-6
    standing = make_puppet(character, standing_pose(character)).standing
    assert all(standing.planar(leg).lengths.min() > 0.01 * standing.height for leg in range(4))


def test_a_knee_that_bends_the_other_way_still_gives() -> None:
    assert "carpus" in giving_roles(("scapula", "shoulder", "carpus", "hoof"))
    assert "carpus" not in giving_roles(("scapula", "shoulder", "elbow", "carpus", "hoof"))


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
    assert one.is_told_right
    assert one.clip.footfalls.skating_cm < 0.3
    assert one.miss < 0.003
    soles = one.sketch.position_world[:, [leg.joints[-1] for leg in standing.anatomy.legs], 1]
    assert soles.min() > -0.002
    assert foot_slip(one) < 0.003
    assert jerks(standing, row, one.sketch).max() < 3
    assert straightest(standing, one.sketch).min() > -3
    home = rot.yaw(np.radians(-row.turn) * np.arange(len(motion)) / motion.frame_rate)[:, None]
    turned = rot.positive(rot.multiply(home, motion.rotation_world.astype(np.float64)))
    assert np.abs(turned[0] - turned[-1]).max() < 1e-5


def foot_slip(one: Fitted) -> float:
    """How far a foot joint of the puppet moves over the ground while it should stand, in metres."""
    feet = one.sketch.position_world[:, one.puppet.feet]
    down = np.stack([in_stance(one.row, len(feet), leg) for leg in range(4)], axis=1)
    return stance_slip(feet, down).max / 100


# The command -------------------------------------------------------------------------------------


def test_build_writes_a_clip_of_every_gait(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["build", "example", "--gaits", "dog", "-o", str(tmp_path / "built.glb")])
    assert not left.value.code
    asset = read(tmp_path / "built.glb")
    assert [clip.name for clip in asset.clips] == [row.name for row in animal("dog").rows]
    said = capsys.readouterr().out
    assert "forelegs: scapula" in said
    assert "its feet say" not in said


def test_build_names_what_has_no_gaits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["build", "example", "--gaits", "example", "-o", str(tmp_path / "built.glb")])
    assert left.value.code == 1
    assert "no table of gaits" in capsys.readouterr().err
