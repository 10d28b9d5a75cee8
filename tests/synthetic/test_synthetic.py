"""The examiner examined: synthetic rigs are the same by seed, move as animals do, and their truth holds."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from canter.anatomy.character import LEGS
from canter.motion import Motion
from canter.motion.arrays import Floats
from canter.synthetic import (
    MUTATIONS,
    REGRESSION_SEEDS,
    TRAPS,
    ClipTruth,
    SyntheticRig,
    example_animal,
    synthetic_other,
    synthetic_person,
    synthetic_rig,
)
from canter.synthetic.gaits import GAITS
from canter.synthetic.traps import traps_of

SEEDS = range(40)
EXACT = dict.fromkeys(("noise", "marker_noise", "drop_outs", "floor_tilted"), False)
"""No trap that moves joints off their place."""


@lru_cache
def rig_of(seed: int) -> SyntheticRig:
    return synthetic_rig(seed)


def moving(rig: SyntheticRig) -> tuple[Motion, ClipTruth]:
    """The first clip that is no idle."""
    i = next(i for i, clip in enumerate(rig.truth.clips) if clip.gait != "stand")
    return rig.asset.clips[i], rig.truth.clips[i]


def path(motion: Motion, name: str) -> Floats:
    return motion.position_world[:, motion.skeleton.index(name)]


def stances(down: np.ndarray) -> list[slice]:
    """Whole runs of True that neither begin nor end with the clip."""
    edges = np.flatnonzero(np.diff(down.astype(int)))
    starts, stops = edges[down[edges + 1]] + 1, edges[~down[edges + 1]] + 1
    stops = stops[stops > starts[0]] if len(starts) else stops[:0]
    return [slice(a, b) for a, b in zip(starts, stops, strict=False)]


@pytest.mark.parametrize("seed", range(0, 40, 8))
def test_the_same_seed_gives_the_same_rig(seed: int) -> None:
    one, two = synthetic_rig(seed), synthetic_rig(seed)
    assert one.asset.skeleton.names == two.asset.skeleton.names
    for a, b in zip(one.asset.clips, two.asset.clips, strict=True):
        np.testing.assert_array_equal(a.positions, b.positions)
        np.testing.assert_array_equal(a.rotations, b.rotations)


def test_overriding_one_choice_leaves_the_others() -> None:
    plain, renamed = synthetic_rig(3, names="numbers"), synthetic_rig(3, names="clear")
    assert plain.asset.skeleton.names != renamed.asset.skeleton.names
    np.testing.assert_array_equal(plain.asset.clips[0].positions, renamed.asset.clips[0].positions)


def test_an_unknown_override_is_refused() -> None:
    with pytest.raises(TypeError, match="wheels"):
        synthetic_rig(0, wheels=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_true_names_are_in_the_skeleton_and_unique(seed: int) -> None:
    rig = rig_of(seed)
    names, truth = rig.asset.skeleton.names, rig.truth
    assert len(set(names)) == len(names)
    used = [n for leg in LEGS for n in truth.legs[leg] + truth.feet[leg]] + truth.tail + [str(truth.head)]
    assert set(used) <= set(names)
    assert all(truth.legs[leg][-1] in truth.feet[leg] for leg in LEGS)
    assert len(truth.clips) == len(rig.asset.clips)
    for clip, motion in zip(truth.clips, rig.asset.clips, strict=True):
        assert clip.contacts.shape == (len(motion), 4)


@pytest.mark.parametrize("seed", SEEDS)
def test_axes_are_unit_and_agree_with_the_body(seed: int) -> None:
    rig = rig_of(seed)
    truth, motion = rig.truth, rig.asset.clips[0]
    assert np.linalg.norm(truth.up) == pytest.approx(1)
    assert np.linalg.norm(truth.forward) == pytest.approx(1)
    assert truth.up @ truth.forward == pytest.approx(0, abs=1e-9)
    tops = {leg: path(motion, truth.legs[leg][0])[1:].mean(axis=0) for leg in LEGS}
    assert (tops["LF"] - tops["LH"]) @ truth.forward > 0
    assert (tops["LF"] - tops["RF"]) @ np.cross(truth.up, truth.forward) > 0
    assert (tops["LH"] - tops["RH"]) @ np.cross(truth.up, truth.forward) > 0
    feet = np.stack([path(motion, truth.legs[leg][-1]) @ truth.up for leg in LEGS])
    bodies = np.stack([path(motion, truth.legs[leg][0]) @ truth.up for leg in LEGS])
    assert np.mean(feet.min(axis=0) < bodies.min(axis=0)) > 0.95
    assert np.mean(feet.max(axis=0) < bodies.max(axis=0)) > 0.95


@pytest.mark.parametrize("seed", SEEDS)
def test_standing_feet_are_the_lowest_of_the_animal(seed: int) -> None:
    rig = synthetic_rig(seed, elephant_trunk=False, tail_drags=False)
    truth, motion = rig.truth, rig.asset.clips[0]
    feet = [n for leg in LEGS for n in truth.feet[leg]]
    others = [n for leg in LEGS for n in truth.legs[leg] if n not in feet] + truth.tail + [str(truth.head)]
    low = np.min([path(motion, n) @ truth.up for n in feet], axis=0)
    rest = np.min([path(motion, n) @ truth.up for n in others], axis=0)
    assert np.mean(low < rest) > 0.9


@pytest.mark.parametrize("clip", ["straight", "curve"])
@pytest.mark.parametrize("seed", range(0, 40, 2))
def test_planted_feet_do_not_slide(seed: int, clip: str) -> None:
    rig = synthetic_rig(seed, clip=clip, end_at_ankle=False, bind_first=False, frame_rate="60", **EXACT)
    truth, (motion, clip_truth) = rig.truth, moving(rig)
    ground = []
    for i, leg in enumerate(LEGS):
        foot = path(motion, truth.legs[leg][-1])
        for stance in stances(clip_truth.contacts[:, i]):
            assert np.ptp(foot[stance], axis=0).max() < 0.01 * truth.hip_height
            ground.append(float(np.mean(foot[stance] @ truth.up)))
    assert ground
    assert np.ptp(ground) < 0.02 * truth.hip_height


@pytest.mark.parametrize("seed", range(0, 40, 2))
def test_in_place_the_ground_moves_at_the_true_speed(seed: int) -> None:
    rig = synthetic_rig(seed, clip="closed loop", end_at_ankle=False, still=False, unclosed=False, **EXACT)
    truth, (motion, clip) = rig.truth, moving(rig)
    speeds = []
    for i, leg in enumerate(LEGS):
        along = path(motion, truth.legs[leg][-1]) @ truth.forward
        down = clip.contacts[:, i]
        speeds += list((-np.diff(along) * motion.frame_rate)[down[1:] & down[:-1]])
    sign = -1 if clip.gait == "backward" else 1
    assert sign * np.median(speeds) / truth.hip_height == pytest.approx(clip.speed, rel=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_hip_height_is_that_of_the_hind_legs(seed: int) -> None:
    rig = synthetic_rig(seed, clip="closed loop", noise=False, raise_ground=False, bind_first=False)
    heights = [path(rig.asset.clips[0], rig.truth.legs[leg][0]) @ rig.truth.up for leg in ("LH", "RH")]
    assert np.mean(heights) == pytest.approx(rig.truth.hip_height, rel=0.12)


def check_phases(clip: ClipTruth, diagonal: bool) -> None:
    lf, rf, lh, rh = (clip.phases[leg] for leg in LEGS)
    assert lh == 0
    assert all(0 <= phase < 1 for phase in clip.phases.values())
    if clip.gait in ("walk", "amble", "pace", "trot"):
        assert rh == pytest.approx(0.5)
        assert (rf - lf) % 1 == pytest.approx(0.5)
        lag = GAITS["diagonal walk" if diagonal and clip.gait == "walk" else clip.gait].lag
        assert lag is not None
        assert lag[0] - 1e-9 <= lf <= lag[1] + 1e-9
    elif clip.gait == "bound":
        assert min(rh, 1 - rh) < 0.05
    elif clip.gait in ("canter", "gallop"):
        hind_leads_right, fore_leads_right = rh < 0.5, (rf - lf) % 1 < 0.5
        assert (clip.style == "transverse") == (hind_leads_right == fore_leads_right)


@pytest.mark.parametrize("seed", SEEDS)
def test_phases_fit_the_gait(seed: int) -> None:
    truth = rig_of(seed).truth
    for clip in truth.clips:
        if clip.phases:
            check_phases(clip, truth.choices["diagonal_walk"] == "True")


@pytest.mark.parametrize("seed", range(8))
def test_touchdowns_come_at_the_true_phases(seed: int) -> None:
    rig = synthetic_rig(seed, plain=True, clip="strides", frame_rate="120")
    clip, rate = rig.truth.clips[0], rig.asset.clips[0].frame_rate
    touch = {leg: stances(clip.contacts[:, i])[0].start / rate for i, leg in enumerate(LEGS)}
    for leg in LEGS:
        off = (touch[leg] - touch["LH"]) / clip.stride_seconds - clip.phases[leg]
        assert abs(off - round(off)) <= 2 / (rate * clip.stride_seconds)


@pytest.mark.parametrize("seed", SEEDS)
def test_plain_bones_keep_their_length_and_turn_gently(seed: int) -> None:
    rig = synthetic_rig(seed, plain=True, frame_rate="120")
    motion = rig.asset.clips[0]
    assert np.ptp(motion.positions[:, 1:], axis=0).max() < 1e-6
    steps = 1 - np.abs(np.sum(motion.rotations[1:] * motion.rotations[:-1], axis=-1))
    turn = 2 * np.arccos(1 - steps.max()) * motion.frame_rate * rig.truth.clips[0].stride_seconds
    assert turn < 60, "a joint pops"


def test_traps_are_common() -> None:
    """Each in a tenth of the rigs at least, and three or more in half of them."""
    assert all(probability >= 0.1 for probability, _ in TRAPS.values())
    traps = [traps_of(rig_of(seed).truth) for seed in SEEDS]
    assert np.mean([len(names) >= 3 for names in traps]) >= 0.5
    assert len({name for names in traps for name in names}) >= len(TRAPS)


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_changes_the_rig_and_not_its_truth(trap: str) -> None:
    plain = synthetic_rig(2, plain=True, body="dog")
    trapped = synthetic_rig(2, plain=True, body="dog", **{trap: True})
    assert trapped.truth.mutations == (trap,)
    assert trapped.truth.legs == plain.truth.legs
    assert trapped.truth.clips[0].gait == plain.truth.clips[0].gait
    same = len(trapped.asset.skeleton) == len(plain.asset.skeleton)
    moved = not same or not np.array_equal(trapped.asset.clips[0].position_world, plain.asset.clips[0].position_world)
    assert moved


def test_the_regression_set_is_varied() -> None:
    truths = [rig_of(seed).truth for seed in SEEDS]
    assert len(REGRESSION_SEEDS) == 200
    assert len({name for truth in truths for name in truth.mutations}) > 0.7 * len(MUTATIONS)
    gaits = [moving(rig_of(seed))[1].gait for seed in SEEDS]
    assert gaits.count("walk") + gaits.count("trot") > len(gaits) / 2
    assert len(set(gaits)) >= 5
    assert 0.3 < np.mean([truth.clips[0].in_place for truth in truths]) < 0.8


@pytest.mark.parametrize("seed", range(6))
def test_people_have_two_legs_and_two_arms(seed: int) -> None:
    rig = synthetic_person(seed, noise=False, clip="straight")
    assert rig.truth.kind == "biped"
    assert set(rig.truth.legs) == set(rig.truth.arms) == {"L", "R"}
    motion = rig.asset.clips[0]
    for i, leg in enumerate(("L", "R")):
        foot = path(motion, rig.truth.legs[leg][-1])
        for stance in stances(rig.truth.clips[0].contacts[:, i]):
            assert np.ptp(foot[stance], axis=0).max() < 0.01 * rig.truth.hip_height


@pytest.mark.parametrize("body", ["snake", "fish", "insect", "plant", "chest"])
def test_other_things_have_no_legs(body: str) -> None:
    rig = synthetic_other(1, body=body)
    assert rig.truth.kind == "other"
    assert not rig.truth.legs
    assert np.isfinite(rig.asset.clips[0].position_world).all()


def test_the_example_walks_trots_and_canters_in_whole_strides() -> None:
    asset = example_animal()
    assert [clip.name for clip in asset.clips] == ["walk", "trot", "canter"]
    for clip in asset.clips:
        travel = clip.position_world[-1] - clip.position_world[0]
        np.testing.assert_allclose(travel, np.broadcast_to(travel[0], travel.shape), atol=1e-9)
        assert travel[0, 2] > 0.5
        assert clip.position_world[..., 1].min() > -1e-9
