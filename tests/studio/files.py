"""Animals that tests bring to the studio, small enough to be built quickly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from canter import load
from canter.body.skinning import inverse_bind
from canter.formats import write
from canter.motion import Asset, Pose, Skeleton, Skin, forward
from canter.synthetic.folder import synthetic_folder


def triangle(skeleton: Skeleton) -> Skin:
    """A mesh of one triangle: what has one needs no body made for it."""
    bind, first = np.tile(np.eye(4), (len(skeleton), 1, 1)), np.array([[1.0, 0.0, 0.0, 0.0]] * 3)
    return Skin(np.eye(3), np.array([[0, 1, 2]]), np.zeros((3, 4), int), first, bind)


def boxes(skeleton: Skeleton) -> Skin:
    """A mesh of a box around every joint and the middle of its bone: as large as the animal, and made at once."""
    places = forward(skeleton, skeleton.offsets, skeleton.rotations)[0]
    parents = np.where(skeleton.parents < 0, np.arange(len(skeleton)), skeleton.parents)
    thick = 0.03 * np.ptp(places, axis=0).max()
    ends = np.stack([places, (places + places[parents]) / 2], axis=1)
    low, high = ends.min(axis=1) - thick, ends.max(axis=1) + thick
    corner = np.array(list(np.ndindex(2, 2, 2)))
    vertices = np.where(corner[None] == 0, low[:, None], high[:, None]).reshape(-1, 3)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    one = np.array([t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))])
    count = len(skeleton)
    triangles = (one[None] + 8 * np.arange(count)[:, None, None]).reshape(-1, 3)
    owner = np.zeros((8 * count, 4), int)
    owner[:, 0] = np.repeat(np.arange(count), 8)
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (8 * count, 1))
    pose = Pose(skeleton, skeleton.offsets, skeleton.rotations)
    return Skin(vertices, triangles, owner, weights, inverse_bind(skeleton, pose))


def animal_file(path: Path, hip_height: float = 0.5, names: Mapping[str, str] | None = None) -> Path:
    """An animal with a walk and a trot, hips so many metres high, as somebody would bring it; `names` renames clips."""
    example = load("example")
    character = example.scaled(hip_height / example.anatomy.hip_height)
    clips = tuple(replace(character.clip(clip).motion, name=(names or {}).get(clip, clip)) for clip in ("walk", "trot"))
    write(Asset(character.skeleton, clips, (boxes(character.skeleton),), metres_per_unit=1.0), path)
    return path


def take_file(path: Path) -> Path:
    """Raw capture of ten seconds: an animal stands, walks and stands again."""
    take = synthetic_folder(3).assets[0]
    clip = replace(take.clips[0], name=path.stem)
    write(replace(take, clips=(clip,), skins=(boxes(take.skeleton),)), path)
    return path
