"""Poses as hinge angles and back, limits that hold the clips, and characters that no simulation can have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import canter
from canter.anatomy import understand
from canter.body.articulation import Articulation, articulate
from canter.body.hinges import hinge_angles
from canter.motion import forward
from canter.motion import rotations as rot
from canter.synthetic import synthetic_rig

Bodies = Callable[[str | int], Articulation]


@pytest.mark.parametrize("seed", [0, 3, 7, 12])
def test_feet_of_strange_rigs_stay_where_they_are(body_of: Bodies, seed: int) -> None:
    """Rigs of any axes and proportions, some with feet that hang on the root."""
    body = body_of(seed)
    motion = body.character.clips[0].motion
    positions, rotations = body.pose(body.place(*motion.world))
    feet = [leg.foot for leg in body.character.anatomy.legs]
    found = forward(body.character.skeleton, positions, rotations)[0][:, feet]
    off = np.linalg.norm(found - motion.position_world[:, feet], axis=-1) / body.hip_height
    assert off.mean() < 0.04
    assert off.max() < 0.12


def test_the_gaits_of_the_dog_can_be_shown(body_of: Bodies) -> None:
    body = body_of("dog")
    for clip in body.character.clips[:4]:
        motion = clip.motion
        positions, rotations = body.pose(body.place(*motion.world))
        feet = [leg.foot for leg in body.character.anatomy.legs]
        found = forward(body.character.skeleton, positions, rotations)[0][:, feet]
        assert np.linalg.norm(found - motion.position_world[:, feet], axis=-1).max() < 0.02


def test_the_bind_pose_has_no_angles(body_of: Bodies) -> None:
    body = body_of("dog")
    placed = body.place(*(x[None] for x in forward(body.character.skeleton, body.bind.positions, body.bind.rotations)))
    np.testing.assert_allclose(placed.angles, 0.0, atol=1e-6)
    np.testing.assert_allclose(placed.turn[0], [1, 0, 0, 0], atol=1e-6)


def test_clips_lie_within_the_limits(body_of: Bodies) -> None:
    body = body_of("dog")
    for clip in body.character.clips:
        angles = body.place(*clip.motion.world).angles
        assert (angles >= body.limits[:, 0]).all()
        assert (angles <= body.limits[:, 1]).all()


def test_hinges_of_both_sides_are_mirror_images(body_of: Bodies) -> None:
    body = body_of("dog")
    for number, other in enumerate(body.partners):
        mine = [hinge for hinge in body.hinges if hinge.segment == number]
        theirs = [hinge for hinge in body.hinges if hinge.segment == other]
        assert len(mine) == len(theirs)
        np.testing.assert_allclose([h.stiffness for h in mine], [h.stiffness for h in theirs], rtol=1e-3)


def test_hinge_angles_make_the_turn_that_they_were_read_from() -> None:
    random = np.random.default_rng(0)
    angles = random.uniform(-1.2, 1.2, (50, 3))
    frame = np.linalg.qr(random.normal(size=(3, 3)))[0]
    frame *= np.sign(np.linalg.det(frame))
    turn = np.tile([1.0, 0.0, 0.0, 0.0], (50, 1))
    for k in range(3):
        turn = rot.multiply(turn, rot.about(frame[:, k], angles[:, k]))
    np.testing.assert_allclose(hinge_angles(turn, frame, 3), angles, atol=1e-9)


def test_people_and_missing_legs_are_refused() -> None:
    person = understand(synthetic_rig(0, kind="biped").asset)
    with pytest.raises(ValueError, match="only quadrupeds can be simulated"):
        articulate(person)
    dog = canter.load("example")
    legs = dog.anatomy.legs[:3]
    with pytest.raises(ValueError, match="only quadrupeds can be simulated"):
        articulate(replace(dog, anatomy=replace(dog.anatomy, legs=legs)))


def test_an_unknown_size_is_refused() -> None:
    dog = canter.load("example")
    with pytest.raises(ValueError, match="--hip-height"):
        articulate(replace(dog, anatomy=replace(dog.anatomy, hip_height=float("nan"))))
