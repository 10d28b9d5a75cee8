"""Puppets: legs with roles down to the ground, and a rig that follows its puppet rigidly."""

from __future__ import annotations

import numpy as np
import pytest

from canter.anatomy import understand
from canter.animals.fitting.puppet import follow, make_puppet
from canter.animals.fitting.standing_rig import standing_rig
from canter.animals.generator.stand_loop import generate_stand
from canter.synthetic import synthetic_rig

from .rigs import rig


@pytest.mark.parametrize("body", ["lizard", "turtle"])
def test_sprawlers_are_refused_in_words(body: str) -> None:
    character = rig(body)
    with pytest.raises(ValueError, match="sprawls"):
        make_puppet(character, standing_rig(character))


def test_bones_without_length_are_no_part_of_a_leg() -> None:
    character = understand(synthetic_rig(122, body="bear").asset)
    legs = [character.anatomy.legs[k].joints for k in (0, 2)]
    places = standing_rig(character).places
    assert min(np.linalg.norm(np.diff(places[list(leg)], axis=0), axis=1).min() for leg in legs) < 1e-6
    standing = make_puppet(character, standing_rig(character)).standing
    assert all(standing.planar(leg).lengths.min() > 0.01 * standing.height for leg in range(4))


@pytest.mark.parametrize("shape", ["end_at_ankle", "digits", "extra_root"])
def test_a_puppet_stands_on_the_ground(shape: str) -> None:
    character = rig("dog", 2, **{shape: True})
    puppet = make_puppet(character, standing_rig(character))
    standing = puppet.standing
    toes = standing.places[[leg.joints[-1] for leg in standing.anatomy.legs], 1]
    assert np.abs(toes).max() < 0.02 * standing.height
    assert len(puppet.owner) == len(character.skeleton)
    assert puppet.owner.max() < len(standing.skeleton)


def test_the_rig_follows_its_puppet() -> None:
    character = rig("dog")
    puppet = make_puppet(character, standing_rig(character))
    motion = generate_stand(puppet.standing)
    followed = follow(puppet, motion, character.skeleton)
    owned = [joint for joint in range(len(character.skeleton)) if puppet.owner[joint] >= 0]
    ours, theirs = followed.position_world[:, owned], motion.position_world[:, puppet.owner[owned]]
    apart = np.linalg.norm(ours - theirs, axis=-1)
    assert np.ptp(apart, axis=0).max() < 1e-5, "every joint keeps its distance to the one that it follows"
    assert np.ptp(ours, axis=0).max() > 0.005, "and moves"


def test_depths_are_how_far_soles_are_below_the_ground() -> None:
    character = rig("dog", 2, end_at_ankle=True)
    puppet = make_puppet(character, standing_rig(character))
    assert all(puppet.flat_footed)
    motion = generate_stand(puppet.standing)
    assert np.abs(puppet.depths(motion)).max() < 0.02 * puppet.standing.height
    lower = motion.positions - [0.0, 0.1, 0.0] * (motion.skeleton.parents < 0)[:, None]
    sunk = puppet.depths(type(motion)(motion.skeleton, motion.frame_rate, lower, motion.rotations))
    np.testing.assert_allclose(sunk - puppet.depths(motion), 0.1, atol=1e-6)
