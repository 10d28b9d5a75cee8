"""Small rigs and motions for the tests of this folder."""

from __future__ import annotations

from typing import Any

import numpy as np

from canter.motion import Motion, Skeleton
from canter.motion import rotations as rot

MIRROR = np.array([0, 1, 5, 6, 7, 2, 3, 4, 8, 9])


def random_skeleton(seed: int, joints: int = 8, roots: int = 1) -> Skeleton:
    """A random forest with random rest pose."""
    g = np.random.default_rng(seed)
    parents = [-1 if j < roots else int(g.integers(0, j)) for j in range(joints)]
    rest = rot.unit(g.normal(size=(joints, 4)))
    return Skeleton.make([f"joint{j}" for j in range(joints)], parents, g.normal(size=(joints, 3)), rest)


def random_motion(skeleton: Skeleton, seed: int, frames: int = 12, kind: Any = np.float64) -> Motion:
    """Every joint at a random place in every frame, inner joints too."""
    g = np.random.default_rng(seed)
    positions = g.normal(size=(frames, len(skeleton), 3)).astype(kind)
    rotations = rot.unit(g.normal(size=(frames, len(skeleton), 4))).astype(kind)
    return Motion(skeleton, 30.0, positions, rotations, "random")


def symmetrical_skeleton(seed: int, equal_axes: bool = True) -> Skeleton:
    """A root, a spine, two legs of three joints and two more joints on the midline, symmetrical about x = 0.

    With `equal_axes` False, left and right joints have unrelated local axes, as artists' rigs do.
    """
    g = np.random.default_rng(seed)
    parents = [-1, 0, 1, 2, 3, 1, 5, 6, 1, 8]
    names = ["root", "spine", "thighL", "shinL", "footL", "thighR", "shinR", "footR", "neck", "head"]
    left = [[0.2, 0.9, 0.5], [0.25, 0.5, 0.6], [0.2, 0, 0.5]]
    right = [[-x, y, z] for x, y, z in left]
    place = np.array([[0, 1, 0], [0, 1, 0.5], *left, *right, [0, 1.2, 0.8], [0, 1.3, 1.0]])
    reflected = np.array([1, 1, -1, -1])  # of a rotation in the plane x = 0
    turn = rot.unit(g.normal(size=(10, 4)))
    midline = np.arange(10) == MIRROR
    turn[midline] = rot.about([1, 0, 0], g.uniform(-3, 3, midline.sum()))
    if equal_axes:
        turn[5:8] = turn[2:5] * reflected
    offsets, rests = place.copy(), turn.copy()
    for joint, parent in enumerate(parents):
        if parent >= 0:
            offsets[joint] = rot.rotate(rot.conjugate(turn[parent]), place[joint] - place[parent])
            rests[joint] = rot.multiply(rot.conjugate(turn[parent]), turn[joint])
    return Skeleton.make(names, parents, offsets, rests)


def wobble(skeleton: Skeleton, seed: int, frames: int = 20, size: float = 0.4, kind: Any = np.float64) -> Motion:
    """A smooth motion about the rest pose with a travelling root and rigid bones; it does not loop."""
    g = np.random.default_rng(seed)
    time = np.linspace(0, 1, frames)[:, None, None]
    waves = [np.sin(2 * np.pi * n * time + g.uniform(0, 6, (1, len(skeleton), 3))) for n in (0.7, 1.6)]
    turns = size * sum(wave * g.normal(size=(1, len(skeleton), 3)) for wave in waves)
    rotations = rot.multiply(skeleton.rotations[None], rot.exp(turns))
    positions = np.repeat(skeleton.offsets[None], frames, axis=0).astype(float)
    positions[:, 0] += time[:, 0] * g.normal(size=3) + 0.05 * np.sin(9 * time[:, 0])
    return Motion(skeleton, 30.0, positions.astype(kind), rotations.astype(kind), "wobble")
