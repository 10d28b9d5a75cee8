"""The ground as feet need it: its height, and places on it as complex numbers.

Places on the ground are complex throughout: real is ahead (+Z), imaginary is left (+X), so that a turn by a yaw is a
product with exp(1j * yaw).
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from canter.control.world import Flat, World
from canter.motion import rotations as rot
from canter.motion.arrays import Complexes, Floats, Ints
from canter.motion.planar import complex_from


class Ground(Protocol):
    """Anything with a height over the ground plane."""

    def height(self, place: Floats) -> Floats:
        """Metres above zero at places `(..., 2)` of x and z."""


def ground_of(world: World | None) -> Ground | None:
    """The world's ground; None where it is level, so that nobody looks up zeros."""
    if world is None or (isinstance(world.terrain, Flat) and world.tilt == (0.0, 0.0)):
        return None
    return world


def to_complex(points: Floats) -> Complexes:
    """Points `(..., 3)` over the ground plane as complex numbers `(...)`."""
    return complex_from(points[..., 2], points[..., 0])


def height_at(ground: Ground, place: Complexes) -> Floats:
    """The height of the ground `(...)` at complex places `(...)`."""
    points = np.empty((*place.shape, 2))
    points[..., 0], points[..., 1] = place.imag, place.real
    return ground.height(points)


def move_roots(positions: Floats, rotations: Floats, roots: slice | Ints, place: Complexes, yaw: Floats) -> None:
    """Turns the roots of local poses `(N, J, 3)` and `(N, J, 4)` about the origin by `yaw (N,)`, then moves them by
    `place (N,)`: from a frame that is there into the world."""
    half = np.exp(0.5j * yaw)
    move_roots_facing(positions, rotations, roots, place, half * half, half)


def move_roots_facing(
    positions: Floats,
    rotations: Floats,
    roots: slice | Ints,
    place: Complexes,
    ahead: Complexes,
    half: Complexes,
) -> None:
    """The same for a yaw that is given as complex numbers `(N,)`: `ahead` turns by it, and `half` by half of it."""
    moved: Complexes = to_complex(positions[:, roots]) * ahead[:, None] + place[:, None]
    positions[:, roots, 0], positions[:, roots, 2] = moved.imag, moved.real
    rotations[:, roots] = rot.turned(rotations[:, roots], "y", half[:, None])
