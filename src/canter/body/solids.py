"""A body table placed on a skeleton: solids in metres with signed distance functions."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from canter.body.parts import Body, Capsule, Ellipsoid, Paint, Part, Spot
from canter.motion import Pose, Skeleton, forward
from canter.motion.arrays import Floats


@dataclass(frozen=True, eq=False)
class Solid:
    """A part in the bind pose, in metres. A capsule has two ends and radii; an ellipsoid has `radii (3,)` and a
    `pitch`.

    `color (3,)` is linear RGB; `side` is 1 on the left, -1 on the right, 0 in the middle.
    """

    joint: int
    start: Floats
    end: Floats
    r_start: float
    r_end: float
    thin: float
    radii: Floats | None
    pitch: float
    blend: float
    soft: float
    group: str
    color: Floats
    side: int
    apart: bool = False

    @property
    def box(self) -> Floats:
        """The corners `(2, 3)` of a bounding box."""
        reach = np.full(3, self.radii.max()) if self.radii is not None else np.full(3, max(self.r_start, self.r_end))
        return np.stack([np.minimum(self.start, self.end) - reach, np.maximum(self.start, self.end) + reach])

    def distance(self, points: Floats) -> Floats:
        """Signed distance of `points (..., 3)`, negative inside; accurate to first order near the surface."""
        if self.radii is not None:
            return ellipsoid_distance(points - self.start, self.radii, self.pitch)
        return capsule_distance(points, self)


def lengths(vectors: Floats) -> Floats:
    """The lengths `(...)` of `vectors (..., 3)`; NumPy's norm takes three times as long."""
    result: Floats = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))
    return result


def capsule_distance(points: Floats, solid: Solid) -> Floats:
    """Signed distance to a tapered capsule squeezed from side to side, accurate to first order near the surface."""
    squeeze = np.array([solid.thin, 1.0, 1.0])
    axis = (solid.end - solid.start) * squeeze
    away = (points - solid.start) * squeeze
    along = np.clip(away @ axis / max(float(axis @ axis), 1e-12), 0.0, 1.0)
    away = away - along[..., None] * axis
    length = lengths(away) + 1e-12
    slope = lengths(away * squeeze) + 1e-12
    radius = solid.r_start + (solid.r_end - solid.r_start) * along
    result: Floats = (length - radius) * length / slope
    return result


def ellipsoid_distance(away: Floats, radii: Floats, pitch: float) -> Floats:
    """Signed distance to an ellipsoid around the origin, first-order accurate near the surface; `pitch` in radians."""
    if pitch:
        c, s = np.cos(pitch), np.sin(pitch)
        x, y, z = away[..., 0], away[..., 1], away[..., 2]
        away = np.stack([x, c * y + s * z, c * z - s * y], -1)
    whole = lengths(away / radii)
    slope = lengths(away / radii**2) + 1e-9
    result: Floats = np.where(whole < 1e-6, -radii.min(), whole * (whole - 1.0) / slope)
    return result


def joint_index(skeleton: Skeleton, joint: str | int) -> int:
    return joint if isinstance(joint, int) else skeleton.index(joint)


def place_solids(skeleton: Skeleton, body: Body, pose: Pose | None = None) -> list[Solid]:
    """The parts of a table that has both sides, on a skeleton in its rest pose or in `pose`."""
    pose = pose or skeleton.rest
    world, _ = forward(skeleton, pose.positions, pose.rotations)
    solids = [_place(skeleton, np.asarray(world, float), body.unit, part) for part in body.parts]
    sides = {group: _group_side([s for s in solids if s.group == group], body.unit) for group in body.groups}
    return [replace(solid, side=sides.get(solid.group, 0) or solid.side) for solid in solids]


def _group_side(members: list[Solid], unit: float) -> int:
    """The side of a group whose parts are all on one, such as a leg with its foot near the midline; else 0."""
    across = [float(solid.start[0] + solid.end[0]) / 2 for solid in members]
    mean = float(np.mean(across)) if across else 0.0
    alike = all(x * mean > 0 for x in across)
    return int(np.sign(mean)) if alike and abs(mean) > 0.02 * unit else 0


def place_spot(skeleton: Skeleton, world: Floats, unit: float, spot: Spot) -> Floats:
    """The world position `(3,)` of a spot in metres."""
    if isinstance(spot, tuple):
        place: Floats = world[joint_index(skeleton, spot[0])] + unit * np.array(spot[1:], float)
        return place
    found: Floats = world[joint_index(skeleton, spot)]
    return found


def place_paint(skeleton: Skeleton, world: Floats, unit: float, paint: Paint) -> tuple[Floats, Floats]:
    """Centre and radii of a patch of paint in metres."""
    return place_spot(skeleton, world, unit, paint.centre), unit * np.array(paint.radii)


def _place(skeleton: Skeleton, world: Floats, unit: float, part: Part) -> Solid:
    first = part.centre if isinstance(part, Ellipsoid) else part.start
    start = place_spot(skeleton, world, unit, first)
    joint = joint_index(skeleton, part.joint)
    middle = start[0] if isinstance(part, Ellipsoid) else (start + place_spot(skeleton, world, unit, part.end))[0] / 2
    plain = Solid(
        joint=joint,
        start=start,
        end=start,
        r_start=0.0,
        r_end=0.0,
        thin=1.0,
        radii=None,
        pitch=0.0,
        blend=part.blend * unit,
        soft=part.soft * unit,
        group=part.group,
        color=linear_color(part.color),
        side=0 if abs(middle) < 0.02 * unit else int(np.sign(middle)),
    )
    if isinstance(part, Capsule):
        end = place_spot(skeleton, world, unit, part.end)
        return replace(plain, end=end, r_start=part.r_start * unit, r_end=part.r_end * unit, thin=part.thin)
    radii = unit * np.array(part.radii, float)
    return replace(plain, radii=radii, pitch=float(np.radians(part.pitch)), apart=part.apart)


def linear_color(text: str) -> Floats:
    """Linear red, green and blue `(3,)` of an sRGB colour such as "#8a4b22"."""
    encoded = np.array([int(text[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
    result: Floats = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    return result
