"""Gaits for rigs that have none: any made-up animal stands, gets its roles, and walks without sliding or popping."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from canter.anatomy import Character, understand
from canter.anatomy.synthetic import synthetic_rig
from canter.animals.animal import Animal, dog, horse
from canter.animals.build import Plan
from canter.animals.dog import DOG
from canter.animals.fitting import Fitted, fit, gaits_for, similar
from canter.animals.fitting_roles import leg_roles
from canter.animals.fitting_stand import standing_pose
from canter.animals.horse import HORSE
from canter.cli import main
from canter.formats import read
from canter.motion.arrays import Floats

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


def check(one: Fitted) -> None:
    """Right footfalls, soles that stand still and stay above the ground, no bone that stretches, a closed loop."""
    h, motion = one.puppet.standing.height, one.clip.motion
    assert one.clip.footfalls.gait == one.row.name
    assert one.miss < 0.003 * max(h / 0.5, 1.0)
    soles = one.sketch.position_world[:, [leg.joints[-1] for leg in one.puppet.standing.anatomy.legs], 1]
    assert soles.min() > -0.002 * max(h / 0.5, 1.0)
    assert np.abs(motion.rotations[0] - motion.rotations[-1]).max() < 1e-6
    assert pop(motion.rotation_world, motion.frame_rate) < 4.5


def pop(turns: Floats, frame_rate: float) -> float:
    """The largest angular acceleration of any segment over the 95th percentile of its own."""
    from canter.motion import rotations as rot

    q = turns[:-1].astype(np.float64)
    rate = rot.log(rot.multiply(np.roll(q, -1, 0), rot.conjugate(q))) * frame_rate
    jump = np.linalg.norm(np.roll(rate, -1, 0) - rate, axis=-1) * frame_rate
    usual = np.percentile(jump, 95, axis=0)
    return float((jump.max(axis=0) / np.maximum(usual, np.radians(300))).max())


# The command -------------------------------------------------------------------------------------


def test_build_writes_a_clip_of_every_gait(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["build", "example", "--gaits", "dog", "-o", str(tmp_path / "built.glb")])
    assert not left.value.code
    asset = read(tmp_path / "built.glb")
    assert [clip.name for clip in asset.clips] == [row.name for row in animal("dog").rows]
    assert "forelegs: scapula" in capsys.readouterr().out


def test_build_names_what_has_no_gaits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["build", "example", "--gaits", "example", "-o", str(tmp_path / "built.glb")])
    assert left.value.code == 1
    assert "no table of gaits" in capsys.readouterr().err
