"""The Character: metres, +Y up, +Z forward, +X left, ground at zero, and skins that go along."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.anatomy import Character, detect, understand
from canter.motion import Asset, Motion, Skin
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.synthetic import synthetic_rig

from .animals import dog, example, moved

SKEWED = rot.multiply(
    rot.from_matrix(np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])), rot.about(np.array([0, 1.0, 0]), 0.4)
)


def placed(character: Character, points: Floats) -> Floats:
    """File coordinates taken to canonical ones."""
    change = character.transform
    return change.scale * rot.rotate(change.rotation, points) + change.translation


@pytest.mark.parametrize("seed", range(0, 40, 5))
def test_axes_and_ground(seed: int) -> None:
    rig = synthetic_rig(seed, clip="straight")
    character = understand(rig.asset)
    anatomy = character.anatomy
    assert anatomy.up.tolist() == [0, 1, 0]
    assert anatomy.forward.tolist() == [0, 0, 1]
    assert anatomy.ground == 0
    motion = max((c.motion for c in character.clips), key=len)
    hips = motion.position_world[:, anatomy.hips].mean(axis=0)
    yaw = np.arctan2(*(hips[:2].mean(axis=0) - hips[2:].mean(axis=0))[[0, 2]])
    assert abs(yaw) < np.radians(15)
    assert (hips[0] - hips[1])[0] > 0
    assert (hips[2] - hips[3])[0] > 0
    feet = motion.position_world[:, anatomy.feet, 1]
    assert -0.1 < np.percentile(feet, 5) / anatomy.hip_height < 0.35
    assert hips[2:, 1].mean() == pytest.approx(anatomy.hip_height, rel=0.15)


@pytest.mark.parametrize(("scale", "shift"), [(1.0, [0, 0, 0]), (100.0, [300.0, 50, -20])])
def test_clips_are_the_transformed_clips_of_the_file(scale: float, shift: list[float]) -> None:
    asset = moved(example(), SKEWED, np.array(shift), scale)
    character = understand(asset)
    assert character.transform.scale == pytest.approx(1 / scale)
    for clip, file in zip(character.clips, asset.clips, strict=True):
        np.testing.assert_allclose(clip.motion.position_world, placed(character, file.position_world), atol=1e-9)
        assert clip.motion.skeleton is character.skeleton
        assert clip.name == file.name
    assert character.clip("walk").footfalls.speed == pytest.approx(0.72, rel=0.01)


def test_the_rest_pose_is_transformed_too() -> None:
    asset = moved(example(), SKEWED)
    character = understand(asset)
    rest = character.skeleton.rest
    still = Motion(character.skeleton, 30.0, rest.positions[None], rest.rotations[None])
    file = Motion(asset.skeleton, 30.0, asset.skeleton.offsets[None], asset.skeleton.rotations[None])
    np.testing.assert_allclose(still.position_world, placed(character, file.position_world), atol=1e-9)


def coat(asset: Asset) -> Skin:
    """Points about every joint, each held by its joint and its parent."""
    rng, skeleton = np.random.default_rng(0), asset.skeleton
    rest = Motion(skeleton, 30.0, skeleton.offsets[None], skeleton.rotations[None])
    place, turn = rest.position_world[0], rest.rotation_world[0]
    joints = len(skeleton)
    bind = np.tile(np.eye(4), (joints, 1, 1))
    bind[:, :3, :3], bind[:, :3, 3] = rot.to_matrix(turn), place
    held = np.stack(
        [np.arange(joints), np.maximum(skeleton.parents, 0), np.zeros(joints, int), np.zeros(joints, int)], 1
    )
    weights = np.tile([0.7, 0.3, 0, 0], (joints, 1))
    return Skin(place + 0.05 * rng.normal(size=place.shape), np.zeros((0, 3), int), held, weights, np.linalg.inv(bind))


def skinned(skin: Skin, motion: Motion, frame: int) -> Floats:
    """Linear blend skinning, spelled out."""
    place, turn = motion.position_world[frame], motion.rotation_world[frame]
    result = np.zeros_like(skin.vertices)
    for v, vertex in enumerate(skin.vertices):
        for joint, weight in zip(skin.joints[v], skin.weights[v], strict=True):
            bound = skin.inverse_bind[joint, :3, :3] @ vertex + skin.inverse_bind[joint, :3, 3]
            result[v] += weight * (rot.rotate(turn[joint], bound) + place[joint])
    return result


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_skins_go_with_the_joints(scale: float) -> None:
    asset = moved(example(), SKEWED, np.array([1.0, 2, 3]), scale)
    asset = replace(asset, skins=(coat(asset),))
    character = understand(asset)
    for frame in (0, 30):
        there = skinned(character.skins[0], character.clips[0].motion, frame)
        here = skinned(asset.skins[0], asset.clips[0], frame)
        np.testing.assert_allclose(there, placed(character, here), atol=1e-9)


def test_a_character_remembers_its_name_and_finds_its_clips() -> None:
    character = understand(replace(example(), source="folder/rex.bvh"))
    assert character.name == "rex"
    assert character.clip("trot").name == "trot"
    with pytest.raises(KeyError, match="walk, trot, canter"):
        character.clip("fly")
    with pytest.raises(KeyError, match="LF, RF, LH, RH"):
        dog().anatomy.leg("LM")


def test_an_anatomy_that_is_given_is_used() -> None:
    given = replace(detect(example()), head=None, hip_height=0.9)
    character = understand(example(), given)
    assert character.anatomy.head is None
    assert character.anatomy.hip_height == 0.9


def test_a_file_without_clips_is_a_character_without_clips() -> None:
    character = understand(replace(example(), clips=()))
    assert character.anatomy.kind == "quadruped"
    assert character.clips == ()
    assert character.anatomy.hip_height == pytest.approx(0.46, rel=0.05)
