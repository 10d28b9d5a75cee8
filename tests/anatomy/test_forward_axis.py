"""Front and back: what moves and what stands still both tell, also when a clip is short, still or runs backward."""

from __future__ import annotations

import numpy as np
import pytest

from canter.anatomy import detect
from canter.anatomy.forward_axis import Facing, ahead, find_facing, motion_cues, still_cues
from canter.anatomy.limb_pairs import views
from canter.anatomy.rig_motion import rig_motion
from canter.anatomy.up_axis_and_feet import FeetCandidate, four_footed
from canter.evaluation.rigs.topic import reversed_asset
from canter.motion import Asset
from canter.synthetic import synthetic_person, synthetic_rig

from .animals import example, with_clips


def stance_of(asset: Asset) -> FeetCandidate:
    return four_footed(views(rig_motion(asset)))[0]


def front_is_second(candidate: FeetCandidate, asset: Asset) -> bool:
    """Whether the second pair of a candidate is that of the fore legs."""
    return "Fore" in asset.skeleton.names[candidate.pairs[1].tips[0]]


def facing_of(asset: Asset) -> tuple[Facing, int]:
    candidate = stance_of(asset)
    return find_facing(candidate), 1 if front_is_second(candidate, asset) else -1


def test_ahead_is_along_the_body() -> None:
    candidate = stance_of(example())
    sign = 1 if front_is_second(candidate, example()) else -1
    np.testing.assert_allclose(sign * ahead(candidate), [1, 0], atol=0.01)  # plane axes about +Y are z and x


def test_swing_and_travel_point_forward() -> None:
    candidate = stance_of(example())
    sign = 1 if front_is_second(candidate, example()) else -1
    cues = motion_cues(candidate)
    assert sign * cues["swing"] > 0.25
    assert sign * cues["travel"] > 0.9


def test_bent_legs_and_ears_point_forward_in_a_still_pose() -> None:
    candidate = stance_of(with_clips(example()))
    sign = 1 if front_is_second(candidate, example()) else -1
    cues = still_cues(candidate)
    assert sign * cues["joints"] > 0
    assert sign * cues["ears"] == 1
    assert motion_cues(candidate) == {"swing": 0.0, "travel": 0.0}


@pytest.mark.parametrize("clip", ["walk", "trot", "canter"])
def test_facing_is_kept_when_time_runs_backward(clip: str) -> None:
    forward = with_clips(example(), example().clip(clip))
    seen, truth = facing_of(forward)
    assert (seen.sign, seen.backward) == (truth, False)
    seen, truth = facing_of(reversed_asset(forward))
    assert (seen.sign, seen.backward) == (truth, True)


@pytest.mark.parametrize("frame", [0, 20, 40, 60, 80, 100])
def test_one_frame_in_mid_stride_faces_along_the_body(frame: int) -> None:
    walk = example().clip("walk")
    found = detect(with_clips(example(), walk[frame : frame + 1]))
    assert found.kind == "quadruped"
    assert found.forward[2] > np.cos(np.radians(12))


@pytest.mark.parametrize("seed", range(0, 24, 2))
def test_rest_poses_alone_face_the_right_way(seed: int) -> None:
    rig = synthetic_rig(seed, plain=True)
    found = detect(with_clips(rig.asset))
    assert found.kind == "quadruped"
    assert found.forward @ rig.truth.forward > 0.95
    names = rig.asset.skeleton.names
    assert all(names[leg.foot] in rig.truth.feet[leg.name] for leg in found.legs)


@pytest.mark.parametrize("seed", range(6))
def test_people_face_where_their_toes_point(seed: int) -> None:
    rig = synthetic_person(seed)
    assert detect(rig.asset).forward @ rig.truth.forward > 0.7
