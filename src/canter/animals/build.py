"""From a table of joints to a Skeleton: rest poses are tables of places, and a joint's rest frame is the world's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from canter.motion import Skeleton


@dataclass(frozen=True)
class Joint:
    """A row of a skeleton's table: where a joint stands at rest, and how it may turn.

    `place` is (left, up, forward) in hip heights from under the hips. A row whose name begins with "Left" stands for
    the right side too. `freedoms` counts the degrees of freedom; a tip has none and marks where a bone ends.
    """

    name: str
    parent: str
    place: tuple[float, float, float]
    freedoms: int = 0

    @property
    def is_tip(self) -> bool:
        return self.freedoms == 0


def both_sides(rows: Sequence[Joint]) -> list[Joint]:
    """The rows with every left limb followed by its mirror image, parents before children."""
    found: list[Joint] = []
    for row in rows:
        found.append(row)
    right = [_mirrored(row) for row in rows if row.name.startswith("Left")]
    return found + right


def _mirrored(row: Joint) -> Joint:
    x, y, z = row.place
    return Joint(_other(row.name), _other(row.parent), (-x, y, z), row.freedoms)


def _other(name: str) -> str:
    return "Right" + name[4:] if name.startswith("Left") else name


def build_skeleton(rows: Sequence[Joint], hip_height: float) -> Skeleton:
    """The skeleton of a table at a hip height in metres."""
    table = both_sides(rows)
    names = [row.name for row in table]
    places = np.array([row.place for row in table]) * hip_height
    parents = np.array([names.index(row.parent) if row.parent else -1 for row in table], np.int32)
    offsets = places.copy()
    child = parents >= 0
    offsets[child] -= places[parents[child]]
    return Skeleton.make(names, parents, offsets, end_sites=np.array([row.is_tip for row in table]))


def freedoms(rows: Sequence[Joint]) -> int:
    """Degrees of freedom of the whole skeleton."""
    return sum(row.freedoms for row in both_sides(rows))
