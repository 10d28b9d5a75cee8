"""Bodies for rigs that came without one."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from canter.anatomy import Character, load_character, understand
from canter.body import bind_pose, estimate_body, folded_share, make_skin, skin_character, volume
from canter.body.estimate_legs import CELL_HIP_HEIGHTS
from canter.body.mesh import Mesh
from canter.body.parts import Ellipsoid
from canter.body.skinning import dense_weights
from canter.motion import Skin, forward
from canter.synthetic import example_character, synthetic_rig

DATA = os.environ.get("CANTER_DATA", "")


def coarse_skin(character: Character) -> Skin:
    body = replace(estimate_body(character), cell=0.025, triangles=2500, bends=())
    return make_skin(character.skeleton, body, bind_pose(character))


@pytest.mark.parametrize("seed", [3, 17, 25, 40, 60, 77])
def test_any_quadruped_gets_a_body(seed: int) -> None:
    character = understand(synthetic_rig(seed).asset)
    skin = coarse_skin(character)
    mesh = Mesh(skin.vertices, skin.triangles)
    assert mesh.is_closed
    assert mesh.volume > 0
    assert len(skin.triangles) < 15000
    np.testing.assert_allclose(skin.weights.sum(axis=1), 1, atol=1e-9)
    assert skin.colors is not None
    assert skin.colors.min() >= 0
    assert skin.colors.max() <= 1
    _holds_its_bones(character, mesh)


def _holds_its_bones(character: Character, mesh: Mesh) -> None:
    """The skin reaches about as far as the legs and the spine do."""
    pose, unit = bind_pose(character), character.anatomy.hip_height
    place, _ = forward(character.skeleton, pose.positions, pose.rotations)
    inner = place[[joint for leg in character.anatomy.legs for joint in leg.joints]]
    assert (inner > mesh.vertices.min(axis=0) - 0.06 * unit).all()
    assert (inner < mesh.vertices.max(axis=0) + 0.06 * unit).all()


@pytest.mark.parametrize("kind", ["biped", "other"])
def test_what_is_no_quadruped_gets_rounded_bones(kind: str) -> None:
    character = understand(synthetic_rig(1, kind=kind).asset)
    skin = coarse_skin(character)
    assert Mesh(skin.vertices, skin.triangles).is_closed


def moving(character: Character, skin: Skin, frames: int) -> tuple[list[float], list[float]]:
    """The share of folded triangles and the change of volume in up to so many frames of every clip."""
    whole = volume(skin, character.skeleton)
    poses = [
        clip.motion.pose(int(frame))
        for clip in character.clips
        for frame in np.unique(np.linspace(0, len(clip.motion) - 1, frames).astype(int))
    ]
    folded = [folded_share(skin, character.skeleton, pose) for pose in poses]
    return folded, [volume(skin, character.skeleton, pose) / whole - 1 for pose in poses]


RIGS: dict[str, Callable[[], Character]] = {
    "example": example_character,
    "bounding": lambda: understand(synthetic_rig(60).asset),
    "sprawling": lambda: understand(synthetic_rig(2, body="lizard").asset),
}


@pytest.mark.parametrize("name", RIGS)
def test_it_moves_without_folding_and_keeps_its_volume(name: str) -> None:
    character = RIGS[name]()
    skin = skin_character(character)
    assert len(skin.triangles) < 15000
    folded, swell = moving(character, skin, 25)
    assert max(folded) < 0.001
    assert np.abs(swell).max() < 0.15


@pytest.mark.parametrize("seed", [3, 60])
def test_the_feet_of_a_pair_do_not_grow_together(seed: int) -> None:
    character = understand(synthetic_rig(seed).asset)
    parents, skin = character.skeleton.parents, coarse_skin(character)
    dense = dense_weights(skin, character.skeleton)
    feet = [dense[:, leg.foot] + dense[:, parents[leg.foot]] for leg in character.anatomy.legs]
    for left, right in ((0, 1), (2, 3)):
        assert np.minimum(feet[left], feet[right]).max() < 0.05


@pytest.mark.data
@pytest.mark.skipif(not DATA, reason="CANTER_DATA is not set")
@pytest.mark.parametrize("folder", ["dog", "fox", "zoo"])
def test_recorded_animals_move_without_folding(folder: str) -> None:
    files = [file for file in (Path(DATA) / folder).iterdir() if file.suffix in (".bvh", ".glb", ".gltf")]
    character = load_character(min(files, key=lambda file: file.stat().st_size))
    folded, swell = moving(character, skin_character(character), 60)
    assert np.quantile(folded, 0.95) < 0.001
    assert max(folded) < 0.01
    assert np.abs(swell).max() < 0.15


def joints_of(character: Character) -> np.ndarray:
    """World places `(J, 3)` in the bind pose."""
    pose = bind_pose(character)
    return forward(character.skeleton, pose.positions, pose.rotations)[0]


@pytest.mark.parametrize(("seed", "body"), [(0, "giraffe"), (4, "cat"), (10, "cow")])
def test_legs_that_end_above_the_ground_get_feet_that_reach_it(seed: int, body: str) -> None:
    character = understand(synthetic_rig(seed, plain=True, body=body, end_at_ankle=True).asset)
    skin, unit = coarse_skin(character), character.anatomy.hip_height
    weights = dense_weights(skin, character.skeleton)
    places = joints_of(character)
    for leg in character.anatomy.legs:
        assert places[leg.foot, 1] > 0.03 * unit
        ours = weights[:, list(leg.joints)].sum(axis=1) > 0.5
        assert skin.vertices[ours, 1].min() == pytest.approx(0.0, abs=0.005 * unit)


def test_an_elephant_has_a_trunk_where_its_rig_has_one() -> None:
    elephant = understand(synthetic_rig(1, plain=True, body="elephant", elephant_trunk=True).asset)
    skin, places = coarse_skin(elephant), joints_of(elephant)
    chain = [elephant.skeleton.index(name) for name in elephant.skeleton.names if "Trunk" in name]
    assert len(chain) == 5
    for joint in chain:
        away = np.linalg.norm(skin.vertices - places[joint], axis=1)
        assert away.min() < 0.12 * elephant.anatomy.hip_height
    plain = understand(synthetic_rig(1, plain=True, body="elephant").asset)
    assert coarse_skin(plain).vertices[:, 2].max() < skin.vertices[:, 2].max() + 0.1


def test_lizards_lie_low_and_have_thick_tails() -> None:
    """The belly in hip heights, and the height of the tail at its root over that of the trunk."""
    low = {}
    for body in ("lizard", "horse"):
        character = understand(synthetic_rig(3, plain=True, body=body).asset)
        unit, places = character.anatomy.hip_height, joints_of(character)
        middle = places[character.anatomy.hips, 2].mean()
        vertices = coarse_skin(character).vertices / unit
        near = np.abs(vertices[:, 2] - middle / unit) < 0.15
        low[body] = float(vertices[near & (np.abs(vertices[:, 0]) < 0.1), 1].min())
    assert low["lizard"] < 0.35
    assert low["horse"] > 0.45


def test_feet_that_stand_close_together_are_not_too_narrow_for_the_grid() -> None:
    character = example_character()
    skeleton, unit = character.skeleton, character.anatomy.hip_height
    places, offsets = joints_of(character), skeleton.offsets.copy()
    for leg in character.anatomy.legs:
        offsets[leg.hip, 0] -= places[leg.foot, 0] - np.sign(places[leg.foot, 0]) * 0.034 * unit
    character = replace(character, skeleton=replace(skeleton, offsets=offsets), clips=())
    body = estimate_body(character)
    paws = [part for part in body.parts if isinstance(part, Ellipsoid) and part.group[1:] in ("F", "H")]
    widest = {leg.name: max(paw.radii[0] for paw in paws if paw.group == leg.name) for leg in character.anatomy.legs}
    assert min(widest.values()) > 1.5 * CELL_HIP_HEIGHTS
    assert max(widest.values()) < 0.034 - 0.5 * CELL_HIP_HEIGHTS
