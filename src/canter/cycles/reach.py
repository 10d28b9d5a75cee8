"""Legs put in place in closed form: a knee that opens or folds until the leg is long enough, and a hip that aims it.

The bending plane and everything between the joints stay as they are, so a foot that already is in its place changes
nothing. There is no iteration: it costs the same for one leg or a thousand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.cycles.library import Library, bones, with_turn
from canter.motion.arrays import Floats

REACH = 0.998
"""The share of a straight leg that is never exceeded."""

_PRODUCTS = np.zeros((4, 4, 9))
for _place, _terms in {
    0: ((0, 0, 1), (1, 1, 1), (2, 2, -1), (3, 3, -1)),
    1: ((1, 2, 2), (0, 3, -2)),
    2: ((1, 3, 2), (0, 2, 2)),
    3: ((1, 2, 2), (0, 3, 2)),
    4: ((0, 0, 1), (1, 1, -1), (2, 2, 1), (3, 3, -1)),
    5: ((2, 3, 2), (0, 1, -2)),
    6: ((1, 3, 2), (0, 2, -2)),
    7: ((2, 3, 2), (0, 1, 2)),
    8: ((0, 0, 1), (1, 1, -1), (2, 2, -1), (3, 3, 1)),
}.items():
    for _i, _j, _value in _terms:
        _PRODUCTS[_i, _j, _place] = _value
_MATRIX: Floats = _PRODUCTS.reshape(16, 9)


def cross(a: Floats, b: Floats) -> Floats:
    """NumPy's, without what makes it slow on a few vectors."""
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    result = np.empty(a.shape)
    result[..., 0], result[..., 1], result[..., 2] = y * w - z * v, z * u - x * w, x * v - y * u
    return result


def matrices(q: Floats) -> Floats:
    """Rotation matrices `(..., 3, 3)` of unit quaternions `(..., 4)`."""
    result: Floats = ((q[..., :, None] * q[..., None, :]).reshape(*q.shape[:-1], 16) @ _MATRIX).reshape(
        *q.shape[:-1], 3, 3
    )
    return result


def world(library: Library, positions: Floats, rotations: Floats) -> tuple[Floats, Floats]:
    """World places `(N, J, 3)` and turns `(N, J, 3, 3)` of the joints down to the feet; others are left as they are."""
    turns, places = matrices(rotations), positions.copy()
    for joints, parents in library.levels:
        above = turns[:, parents]
        places[:, joints] = places[:, parents] + np.matmul(above, positions[:, joints, :, None])[..., 0]
        turns[:, joints] = np.matmul(above, turns[:, joints])
    return places, turns


@dataclass(frozen=True, eq=False)
class Ways:
    """From hips to the places wanted of ankles `(N, L, 3)`, how long legs are when straight `(N, L)`, and the share of
    that which they have in the pose as it is."""

    way: Floats
    bones: Floats
    natural: Floats

    def lack(self, most: Floats | float) -> Floats:
        """By how many metres each hip is too high for its leg to reach with the share `most (L,)` of its length."""
        aside = self.way[..., 0] ** 2 + self.way[..., 2] ** 2
        result: Floats = -self.way[..., 1] - np.sqrt(np.maximum((most * self.bones) ** 2 - aside, 0.0))
        return result

    def back(self, most: Floats) -> Floats:
        """How far feet must be drawn under their hips, level `(N, L, 3)`, to be within the share `most` of the leg."""
        level = self.way * np.array([1.0, 0.0, 1.0])
        aside = np.sqrt((level * level).sum(axis=-1))
        room = np.sqrt(np.maximum((most * self.bones) ** 2 - self.way[..., 1] ** 2, (0.2 * self.bones) ** 2))
        result: Floats = level * (np.minimum(room / np.maximum(aside, 1e-9), 1.0) - 1)[..., None]
        return result


def ways(library: Library, places: Floats, feet: Floats) -> Ways:
    """What legs have to do so that the feet get to `feet (N, L, 3)`."""
    legs = library.legs
    upper, lower = bones(places, legs)
    straight = np.sqrt((upper * upper).sum(axis=-1)) + np.sqrt((lower * lower).sum(axis=-1))
    now = np.sqrt(((upper + lower) ** 2).sum(axis=-1))
    return Ways(feet - (places[:, legs.foot] - places[:, legs.ankle]) - places[:, legs.hip], straight, now / straight)


def reach(library: Library, rotations: Floats, places: Floats, turns: Floats, feet: Floats) -> Floats:
    """Changes local `rotations (N, J, 4)` so that the feet are at `feet (N, L, 3)`; which share of its length each leg
    would need for that `(N, L)`, above `REACH` being too much."""
    legs = library.legs
    want = feet - (places[:, legs.foot] - places[:, legs.ankle]) - places[:, legs.hip]
    upper, lower = bones(places, legs)
    a2, b2 = (upper * upper).sum(axis=-1), (lower * lower).sum(axis=-1)
    product = np.sqrt(a2 * b2)
    total = np.sqrt(a2) + np.sqrt(b2)
    size = np.sqrt((want * want).sum(axis=-1))
    now = np.sqrt(((upper + lower) ** 2).sum(axis=-1))
    d2 = np.minimum(size, np.maximum((REACH + 5e-4) * total, now)) ** 2
    axis = cross(upper, lower)
    length = np.maximum(np.sqrt((axis * axis).sum(axis=-1)), 1e-9)
    axis = axis / length[..., None]
    before = np.arctan2(length, (upper * lower).sum(axis=-1))
    after = np.arccos(np.clip((d2 - a2 - b2) / (2 * product), -1.0, 1.0))
    half = (after - before) / 2
    cosine, sine = np.cos(half), np.sin(half)
    lower = lower * (2 * cosine * cosine - 1)[..., None] + cross(axis, lower) * (2 * sine * cosine)[..., None]
    reached = upper + lower
    long = np.sqrt((reached * reached).sum(axis=-1))
    w = long * size + (reached * want).sum(axis=-1)
    aim = cross(reached, want)
    norm = np.maximum(np.sqrt(w * w + (aim * aim).sum(axis=-1)), 1e-12)
    w, aim = w / norm, aim / norm[..., None]
    bend = axis * sine[..., None]
    with_turn(rotations, legs.hip, turns[:, legs.parents[0]], w, aim)
    with_turn(rotations, legs.knee, turns[:, legs.parents[1]], cosine, bend)
    if legs.paired.any():
        pairs = np.flatnonzero(legs.paired)
        with_turn(rotations, legs.hock[pairs], turns[:, legs.parents[2, pairs]], cosine[:, pairs], -bend[:, pairs])
    if legs.hoofed.any():
        keep = np.flatnonzero(legs.hoofed)
        bend = np.where(legs.paired[:, None], 0.0, bend)
        cosine = np.where(legs.paired, 1.0, cosine)
        whole = w * cosine - (aim * bend).sum(axis=-1)
        turn = w[..., None] * bend + cosine[..., None] * aim + cross(aim, bend)
        with_turn(rotations, legs.ankle[keep], turns[:, legs.parents[3, keep]], whole[:, keep], -turn[:, keep])
    stretch: Floats = size / total
    return stretch
