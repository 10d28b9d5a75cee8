"""The table format of a body: rounded parts attached to joints, patches of paint, and how far joints bend.

All lengths are in hip heights and all positions are offsets from joints in the bind pose, so that one table fits an
animal of any size; +X is left, +Y up, +Z forward. A row that is attached to "Left..." or lies off the midline stands
for the right side too.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

JointName = str | int
Spot = str | int | tuple[JointName, float, float, float]
"""A position: a joint, or a joint and an offset (left, up, forward) from it in hip heights."""
Color = str
"""An sRGB colour such as "#8a4b22"."""


@dataclass(frozen=True)
class Capsule:
    """A tapered, rounded bone or muscle from `start` to `end`, `thin` times narrower from side to side than deep.

    `joint` moves it. `blend` is the radius with which it is blended into the earlier parts of its `group`, `soft` the
    length over which its skin weights fall off.
    """

    joint: JointName
    start: Spot
    end: Spot
    r_start: float
    r_end: float
    color: Color
    thin: float = 1.0
    blend: float = 0.02
    group: str = "trunk"
    soft: float = 0.02


@dataclass(frozen=True)
class Ellipsoid:
    """An ellipsoid with `radii` (half width, half height, half length), pitched nose down by `pitch` degrees.

    One that is `apart`, such as an eye, is a closed surface of its own.
    """

    joint: JointName
    centre: Spot
    radii: tuple[float, float, float]
    color: Color
    pitch: float = 0.0
    blend: float = 0.06
    group: str = "trunk"
    soft: float = 0.04
    apart: bool = False


Part = Capsule | Ellipsoid


@dataclass(frozen=True)
class Paint:
    """A colour for the skin inside an ellipsoid, fading over the outer fraction `fade` of it."""

    centre: Spot
    radii: tuple[float, float, float]
    color: Color
    fade: float = 0.3
    pitch: float = 0.0
    group: str = ""
    """Limits the paint to the skin of one group, if named."""


@dataclass(frozen=True)
class Bend:
    """The range in which a joint turns from the bind pose, in degrees about a world axis: x pitch, y yaw, z roll."""

    joint: JointName
    low: float
    high: float
    axis: str = "x"


@dataclass(frozen=True)
class Body:
    """A body table. `unit` is the hip height in metres, `cell` the grid's cell in hip heights.

    `groups` maps the groups, in the order in which they are joined, to the radius with which each is blended into those
    before it. Nothing reaches below `floor` (hip heights), so that soles are flat. `triangles` is about how many the
    skin gets. `bends` are tried when the skin is bound, and its weights are corrected until it does not fold.
    """

    unit: float
    parts: tuple[Part, ...]
    groups: dict[str, float] = field(default_factory=lambda: {"trunk": 0.0})
    paints: tuple[Paint, ...] = ()
    bends: tuple[Bend, ...] = ()
    cell: float = 0.0105
    triangles: int = 10000
    floor: float | None = 0.0
    symmetric: bool = True
    """Whether the two halves are mirror images; then only one is computed."""
    one_sided: bool = True
    """Whether rows of the left side stand for the right side too."""
    name: str = ""


def both_sides(body: Body) -> Body:
    """The table with every row of the left side followed by its mirror image, if it is `one_sided`."""
    if not body.one_sided:
        return body
    parts = [copy for part in body.parts for copy in _part_pair(part)]
    paints = [copy for paint in body.paints for copy in _paint_pair(paint)]
    bends = [copy for bend in body.bends for copy in _bend_pair(bend)]
    groups = {side: radius for name, radius in body.groups.items() for side in (name, str(_other(name)))}
    return replace(body, parts=tuple(parts), paints=tuple(paints), bends=tuple(bends), groups=groups, one_sided=False)


def _part_pair(part: Part) -> tuple[Part, ...]:
    """The part and its mirror image, or the part alone if it lies on the midline."""
    copy: Part
    if isinstance(part, Ellipsoid):
        copy = replace(part, centre=_mirrored(part.centre))
    else:
        copy = replace(part, start=_mirrored(part.start), end=_mirrored(part.end))
    copy = replace(copy, joint=_other(part.joint), group=str(_other(part.group)))
    return (part,) if copy == part else (part, copy)


def _paint_pair(paint: Paint) -> tuple[Paint, ...]:
    """The paint and its mirror image, or the paint alone if it lies on the midline."""
    mirrored = replace(paint, centre=_mirrored(paint.centre), group=str(_other(paint.group)))
    return (paint,) if mirrored == paint else (paint, mirrored)


def _bend_pair(bend: Bend) -> tuple[Bend, ...]:
    if not _is_left(bend.joint):
        return (bend,)
    if bend.axis == "x":
        return bend, replace(bend, joint=_other(bend.joint))
    return bend, replace(bend, joint=_other(bend.joint), low=-bend.high, high=-bend.low)


def _mirrored(spot: Spot) -> Spot:
    if isinstance(spot, tuple):
        joint, x, y, z = spot
        return (_other(joint), -x, y, z)
    return _other(spot)


def _is_left(joint: JointName) -> bool:
    return isinstance(joint, str) and joint.lower().startswith("left")


def _other(name: JointName) -> JointName:
    """The right-hand name of a left-hand one; other names and joint indices stay."""
    if not isinstance(name, str) or not _is_left(name):
        return name
    return ("Right" if name[0] == "L" else "right") + name[4:]
