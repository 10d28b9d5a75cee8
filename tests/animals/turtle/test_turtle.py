"""The turtle: that nothing assumes a mammal. It walks on legs that sprawl, under a shell of one piece."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import canter
from canter.anatomy.footfalls import read_footfalls
from canter.animals.animal import Animal
from canter.animals.generator.plan import both_sides, freedoms
from canter.animals.turtle.skeleton import TURTLE
from canter.body.mesh import Mesh
from canter.body.quality import folded_share, volume
from canter.body.skinning import dense_weights
from canter.evaluation.animals.figures import Sample, depth, loop_gap, pops, sample, slip
from canter.formats import write
from canter.motion import Asset
from canter.motion import rotations as rot

from ..loaded import animal

GAITS = ("slow walk", "fast walk")


def turtle() -> Animal:
    return animal("turtle")


def samples(gait: str) -> list[Sample]:
    """The gait at its usual speed and at both ends of its range."""
    return [sample(turtle(), gait, speed) for speed in (None, *turtle().row(gait).speeds)]


def test_it_has_19_joints_with_44_degrees_of_freedom() -> None:
    assert sum(not row.is_tip for row in both_sides(TURTLE.joints)) == 19
    assert freedoms(TURTLE.joints) == 44


@pytest.mark.parametrize("gait", GAITS)
def test_footfalls_call_both_a_walk_at_any_speed(gait: str) -> None:
    for s in samples(gait):
        found = read_footfalls(s.motion, turtle().anatomy).footfalls
        assert found.gait == "walk"
        assert found.speed == pytest.approx(s.row.speed, rel=0.01)


def test_slow_is_slower_than_fast_and_their_ranges_do_not_overlap() -> None:
    slow, fast = (turtle().clip(gait).footfalls for gait in GAITS)
    assert slow.speed < fast.speed
    assert slow.stride_seconds > fast.stride_seconds > 1
    assert min(slow.duty.values()) > max(fast.duty.values()) > 0.65
    assert turtle().row("slow walk").speeds[1] <= turtle().row("fast walk").speeds[0]


def test_forefeet_follow_the_hind_feet_of_their_side() -> None:
    for gait in GAITS:
        phases = turtle().clip(gait).footfalls.phases
        assert 0.3 < (phases["LF"] - phases["LH"]) % 1 < 0.43
        assert 0.3 < (phases["RF"] - phases["RH"]) % 1 < 0.43


@pytest.mark.parametrize("gait", GAITS)
def test_feet_stay_where_they_stand_and_out_of_the_ground(gait: str) -> None:
    for s in samples(gait):
        assert slip(s).value < 0.3, slip(s).where
        assert depth(s).value < 0.2, depth(s).where


@pytest.mark.parametrize("gait", GAITS)
def test_feet_are_flat_until_they_roll_over_their_toes(gait: str) -> None:
    s = sample(turtle(), gait)
    turns = s.motion.rotation_world[:-1]
    for k, leg in enumerate(turtle().anatomy.legs):
        row = s.row.fore if k < 2 else s.row.hind
        share = ((s.phase - s.row.touchdowns[k]) % 1.0) / row.duty
        flat = (share > 0.03) & (share < row.roll_start - 0.03)
        assert np.degrees(rot.angle(turns[flat, leg.joints[-2]])).max() < 0.5
        lifted = s.places[(share > 1) & (share < 1 / row.duty), leg.foot, 1]
        assert lifted.max() > 0.015


@pytest.mark.parametrize("gait", GAITS)
@pytest.mark.parametrize("frame_rate", [24.0, 60.0, 100.0])
def test_cycles_close_exactly_at_any_frame_rate(gait: str, frame_rate: float) -> None:
    s = sample(turtle(), gait, None, frame_rate)
    assert loop_gap(s) < 1e-9
    assert s.motion.frame_rate == pytest.approx(frame_rate, rel=0.06)


@pytest.mark.parametrize("gait", GAITS)
def test_nothing_jerks(gait: str) -> None:
    for s in samples(gait):
        assert pops(s).value < 3, pops(s).where


@pytest.mark.parametrize("gait", GAITS)
def test_upper_limbs_stick_out_and_swing_about_the_vertical(gait: str) -> None:
    s = sample(turtle(), gait)
    for leg in turtle().anatomy.legs:
        upper, lower, foot, _ = leg.joints
        bone = s.places[:, lower] - s.places[:, upper]
        aside = np.abs(bone[:, 0]) / np.linalg.norm(bone, axis=-1)
        drop = -bone[:, 1] / np.linalg.norm(bone, axis=-1)
        heading = np.degrees(np.arctan2(bone[:, 2], np.abs(bone[:, 0])))
        assert aside.min() > 0.6
        assert np.abs(drop).max() < 0.5
        assert np.ptp(heading) > 45
        shank = s.places[:, foot] - s.places[:, lower]
        bend = np.sum(bone * shank, axis=-1) / np.linalg.norm(bone, axis=-1) / np.linalg.norm(shank, axis=-1)
        assert 40 < np.degrees(np.arccos(bend)).min() < np.degrees(np.arccos(bend)).max() < 105


def test_the_shell_is_of_one_piece() -> None:
    anatomy = turtle().anatomy
    for clip in turtle().clips:
        girdles = clip.motion.position_world[:, anatomy.hips]
        apart = np.linalg.norm(girdles[:, :, None] - girdles[:, None], axis=-1)
        assert np.ptp(apart, axis=0).max() < 1e-6
    for gait in GAITS:
        turns = turtle().clip(gait).motion.rotation_world[:, list(anatomy.spine)]
        assert rot.difference(turns[:, 0], turns[:, 1]).max() < 1e-5


def test_the_shell_rocks_a_little() -> None:
    for gait in GAITS:
        turns = turtle().clip(gait).motion.rotation_world[:, 0]
        ahead, left = rot.rotate(turns, [0.0, 0.0, 1.0]), rot.rotate(turns, [1.0, 0.0, 0.0])
        for tilt in (ahead[:, 1], left[:, 1]):
            assert 1 < np.degrees(np.ptp(np.arcsin(tilt))) < 10


def test_the_skin_of_the_shell_hangs_on_the_shell_alone() -> None:
    (skin,) = turtle().skins
    weights = dense_weights(skin, turtle().skeleton)[:, turtle().skeleton.index("Shell")]
    height = skin.vertices[:, 1] / TURTLE.hip_height
    assert weights[height > 1.5].min() > 1 - 1e-6
    assert np.mean(weights > 1 - 1e-6) > 0.45


@pytest.mark.parametrize("clip", ["stand", *GAITS])
def test_the_skin_neither_folds_nor_shrinks(clip: str) -> None:
    (skin,), skeleton, motion = turtle().skins, turtle().skeleton, turtle().clip(clip).motion
    whole = volume(skin, skeleton)
    for frame in range(0, len(motion), max(len(motion) // 8, 1)):
        pose = motion.pose(frame)
        assert folded_share(skin, skeleton, pose) < 0.001
        assert abs(volume(skin, skeleton, pose) / whole - 1) < 0.15


def test_the_skin_is_small_closed_and_coloured() -> None:
    (skin,) = turtle().skins
    assert 8000 < len(skin.triangles) < 15000
    assert Mesh(skin.vertices, skin.triangles).is_closed
    assert skin.colors is not None
    assert np.ptp(skin.colors[:, :3], axis=0).min() > 0.3
    assert skin.vertices[:, 1].min() == pytest.approx(0, abs=0.004)


def test_the_detector_reads_its_file_without_help(tmp_path: Path) -> None:
    who = turtle()
    path = tmp_path / "unknown.glb"
    write(Asset(who.skeleton, tuple(clip.motion for clip in who.clips), who.skins), path)
    found = canter.load(path)
    assert found.anatomy.kind == "quadruped"
    assert found.anatomy.confidence > 0.8
    assert found.anatomy.feet == who.anatomy.feet
    assert found.anatomy.head == who.anatomy.head
    assert found.anatomy.forward @ np.array([0.0, 0.0, 1.0]) > 0.99
    assert [clip.footfalls.gait for clip in found.clips] == ["stand", "walk", "walk"]
