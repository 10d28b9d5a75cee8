"""The ground as feet need it: its height, and places on it as complex numbers.

Places on the ground are complex throughout: real is ahead (+Z), imaginary is left (+X), so that a turn by a yaw is a
product with exp(1j * yaw).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from canter.control.world import Flat, World
from canter.motion import rotations as rot
from canter.motion.arrays import Complexes, Floats, Ints
from canter.motion.numbers import column
from canter.motion.planar import complex_from, unit_complex


class Ground(Protocol):
    """Anything with a height over the ground plane."""

    def height(self, place: Floats) -> Floats:
        """Metres above zero at places `(..., 2)` of x and z."""


def ground_of(world: World | None) -> Ground | None:
    """The world's ground; None where it is level, so that nobody looks up zeros."""
    if world is None or world.tilt != (0.0, 0.0):
        return world
    return None if isinstance(world.terrain, Flat) else world.terrain


def to_complex(points: Floats) -> Complexes:
    """Points `(..., 3)` over the ground plane as complex numbers `(...)`."""
    return complex_from(points[..., 2], points[..., 0])


def height_at(ground: Ground, place: Complexes) -> Floats:
    """The height of the ground `(...)` at complex places `(...)`."""
    return ground.height(np.ascontiguousarray(place).view(np.float64).reshape(*place.shape, 2)[..., ::-1])


def heights_of(ground: Ground, places: Sequence[complex]) -> list[float]:
    """The same at a few places in plain numbers, which a ground may know by itself."""
    known = getattr(ground, "heights_of", None)
    found: list[float] = known(places) if known is not None else height_at(ground, np.array(places)).tolist()
    return found


def move_roots(positions: Floats, rotations: Floats, roots: slice | Ints, place: Complexes, yaw: Floats) -> None:
    """Turns the roots of local poses `(N, J, 3)` and `(N, J, 4)` about the origin by `yaw (N,)`, then moves them by
    `place (N,)`: from a frame that is there into the world."""
    turn_roots(positions, rotations, roots, "y", unit_complex(0.5 * yaw), place)


PLANES = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}
"""The components of vectors that a turn about an axis changes, as the real and the imaginary part of a number."""


def turn_roots(
    positions: Floats, rotations: Floats, roots: slice | Ints, axis: str, half: Any, shift: Any = 0.0, pivot: Any = 0.0
) -> None:
    """Turns the roots of local poses `(N, J, 3)` and `(N, J, 4)` about "x", "y" or "z" through `pivot`, then shifts
    them. `half` is exp(1j a / 2) of the angle `a`. It, `shift` and `pivot` are complex, in the plane of the turn:
    arrays `(N,)`, or numbers for one animal."""
    real, imaginary = PLANES[axis]
    if not isinstance(half, np.ndarray) and isinstance(roots, slice) and roots.stop - roots.start == 1:
        spot, rotation = positions[0, roots.start], rotations[0, roots.start]
        one = (complex(spot.item(real), spot.item(imaginary)) - pivot) * (half * half) + (pivot + shift)
        spot[real], spot[imaginary] = one.real, one.imag
        rotation[:] = rot.turned_one(rotation.tolist(), axis, half)
        return
    half, shift, pivot = column(half), column(shift), column(pivot)
    spots = positions[:, roots]
    moved = (complex_from(spots[..., real], spots[..., imaginary]) - pivot) * (half * half) + (pivot + shift)
    positions[:, roots, real], positions[:, roots, imaginary] = moved.real, moved.imag
    rotations[:, roots] = rot.turned(rotations[:, roots], axis, half)
