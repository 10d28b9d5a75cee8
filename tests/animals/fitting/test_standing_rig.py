"""The standing pose of a rig: symmetric, on its soles, or refused with a reason."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.anatomy import understand
from canter.animals.fitting.standing_rig import standing_rig
from canter.synthetic import synthetic_rig

from ..loaded import animal
from .rigs import BODIES, rig


@pytest.mark.parametrize("body", BODIES)
def test_animals_stand_on_their_soles_alike_on_both_sides(body: str) -> None:
    character = rig(body)
    stood, anatomy = standing_rig(character), character.anatomy
    feet, h = stood.places[anatomy.feet], anatomy.hip_height
    assert np.abs(feet[:, 1] - stood.soles).max() < 0.01 * h
    assert np.abs(feet[[0, 2]] * [-1, 1, 1] - feet[[1, 3]]).max() < 0.02 * h


def test_a_rig_that_lies_flat_and_has_no_clips_is_refused() -> None:
    character = rig("dog")
    offsets = character.skeleton.offsets * np.array([1.0, 0.0, 1.0])
    flat = replace(character, clips=(), skeleton=replace(character.skeleton, offsets=offsets))
    with pytest.raises(ValueError, match="does not stand"):
        standing_rig(flat)


def test_what_is_no_quadruped_is_refused() -> None:
    person = understand(synthetic_rig(1, kind="biped").asset)
    with pytest.raises(ValueError, match="four legs"):
        standing_rig(person)


def test_a_shipped_animal_stands_in_its_rest_pose() -> None:
    who = animal("horse")
    found = standing_rig(who)
    assert found.reason == "rest pose"
    np.testing.assert_allclose(found.places, who.standing.places, atol=0.01 * found.height)
    assert found.trunk == who.anatomy.spine


def test_bones_keep_their_lengths() -> None:
    character = rig("cow", 4)
    found, parents = standing_rig(character), character.skeleton.parents
    inner = [joint for leg in character.anatomy.legs for joint in leg.joints[1:]]
    lengths = np.linalg.norm(found.places[inner] - found.places[parents[inner]], axis=1)
    np.testing.assert_allclose(lengths, np.linalg.norm(character.skeleton.offsets[inner], axis=1), rtol=1e-3)
