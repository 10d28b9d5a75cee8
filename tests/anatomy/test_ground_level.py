"""The ground is at the soles: those of the mesh, or those that feet roll about."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.anatomy import understand
from canter.anatomy.detect import detect
from canter.anatomy.ground_level import ground_offset
from canter.anatomy.standing import sole_heights
from canter.motion import Asset, Skin, forward, transform
from canter.synthetic import SyntheticRig, synthetic_rig

SEEDS = (0, 3, 11, 12)
"""Of animals that walk over the ground."""


def without_soles(seed: int) -> SyntheticRig:
    """Legs that end at the ankle, and ground that is not the zero plane."""
    return synthetic_rig(seed, plain=True, end_at_ankle=True, raise_ground=True)


def with_hooves(asset: Asset, legs: dict[str, list[str]]) -> Asset:
    """A block from each ankle down to the ground of the rest pose, which is at zero."""
    skeleton = asset.skeleton
    ankles = [skeleton.index(parts[-1]) for parts in legs.values()]
    places, turns = (x[0] for x in forward(skeleton, skeleton.offsets[None], skeleton.rotations[None]))
    assert np.abs(turns - [1, 0, 0, 0]).max() < 1e-9
    sole = places[ankles] * [1.0, 0.0, 1.0]
    vertices = np.concatenate([places[ankles], sole, sole + np.array([0.01, 0.0, 0.0])])
    binding = np.tile(np.eye(4), (len(skeleton), 1, 1))
    binding[:, :3, 3] = -places
    joints = np.zeros((len(vertices), 4), np.int32)
    joints[:, 0] = np.tile(ankles, 3)
    triangles = np.arange(12).reshape(3, 4).T.astype(np.int32)
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (len(vertices), 1))
    return replace(asset, skins=(Skin(vertices, triangles, joints, weights, binding),))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_foot_that_rolls_shows_where_its_sole_is(seed: int) -> None:
    rig = without_soles(seed)
    found, character = detect(rig.asset).hip_height, understand(rig.asset)
    assert character.anatomy.hip_height == pytest.approx(rig.truth.hip_height, rel=0.03)
    assert found != pytest.approx(rig.truth.hip_height, rel=0.03)
    walk, truth = character.clips[0].footfalls, rig.truth.clips[0]
    assert walk.speed / character.anatomy.hip_height == pytest.approx(truth.speed, rel=0.03)
    assert walk.froude == pytest.approx(walk.speed**2 / (9.81 * character.anatomy.hip_height), rel=1e-3)


@pytest.mark.parametrize("seed", SEEDS)
def test_feet_with_soles_of_their_own_stay_where_they_are(seed: int) -> None:
    for raised in (False, True):
        rig = synthetic_rig(seed, plain=True, raise_ground=raised)
        character = understand(rig.asset, replace(detect(rig.asset), ground_given=True))
        assert ground_offset(character) == 0.0


@pytest.mark.parametrize("seed", [5, 7])
def test_a_mesh_shows_the_soles_where_nothing_rolls(seed: int) -> None:
    rig = without_soles(seed)
    blind = understand(rig.asset)
    assert sole_heights(blind).max() < 0.01 * blind.anatomy.hip_height
    seen = understand(with_hooves(rig.asset, rig.truth.legs))
    assert seen.anatomy.hip_height > 1.03 * blind.anatomy.hip_height
    assert seen.anatomy.hip_height == pytest.approx(rig.truth.hip_height, rel=0.045)
    assert sole_heights(seen).min() > 0.03 * seen.anatomy.hip_height


def test_the_ground_that_a_person_gives_is_kept() -> None:
    rig = without_soles(0)
    given = replace(detect(rig.asset), ground_given=True)
    assert understand(rig.asset, given).anatomy.hip_height == pytest.approx(given.hip_height)


@pytest.mark.parametrize("seed", [0, 3, 7])
def test_no_foot_stands_below_the_ground(seed: int) -> None:
    rig = synthetic_rig(seed, plain=True)
    sunk = [transform(clip, translation=[0.0, -0.03 * rig.truth.hip_height, 0.0]) for clip in rig.asset.clips]
    character = understand(replace(rig.asset, clips=tuple(sunk)))
    feet = character.clips[0].motion.position_world[:, character.anatomy.feet, 1]
    assert abs(np.percentile(feet, 10)) < 0.01 * character.anatomy.hip_height
