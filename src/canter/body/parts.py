"""The nouns of a body's table: rounded parts that hang on joints, patches of paint, and how far joints will bend.

All lengths are in hip heights and all places are offsets from joints in the bind pose, so that one table fits an
animal of any size; +X is left, +Y up, +Z forward. A row whose joint is called "Left..." stands for the right side too.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

JointName = str | int
Spot = str | int | tuple[JointName, float, float, float]
"""A place: a joint, or a joint and an offset (left, up, forward) from it."""
Color = str
"""As in "#8a4b22", sRGB."""


@dataclass(frozen=True)
class Capsule:
    """A tapered, rounded bone or muscle from `start` to `end`, `thin` times narrower from side to side than deep.

    `joint` carries it. `blend` is the radius with which it melts into the parts of its `group` before it, `soft` the
    length over which it shares its skin with other joints.
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
    """A rounded mass with `radii` (half width, half height, half length), its nose lowered by `pitch` degrees."""

    joint: JointName
    centre: Spot
    radii: tuple[float, float, float]
    color: Color
    pitch: float = 0.0
    blend: float = 0.06
    group: str = "trunk"
    soft: float = 0.04


Part = Capsule | Ellipsoid


@dataclass(frozen=True)
class Paint:
    """Colour for the skin inside an ellipsoid, fading over the outer share `fade` of it."""

    centre: Spot
    radii: tuple[float, float, float]
    color: Color
    fade: float = 0.3
    pitch: float = 0.0
    group: str = ""
    """Only the skin of this group, if one is named."""


@dataclass(frozen=True)
class Bend:
    """How far a joint turns from the bind pose, degrees about `axis` of the world: x nods, y yaws, z rolls."""

    joint: JointName
    low: float
    high: float
    axis: str = "x"


@dataclass(frozen=True)
class Body:
    """A body's table. `unit` is the hip height in metres, `cell` the grid's mesh width in hip heights.

    `groups` names the groups in the order in which they are joined, each with the radius with which it melts into
    what came before. Nothing reaches below `floor` (hip heights), so that soles are flat. `bends` are tried out
    when the skin is bound, and its weights are corrected until it does not fold.
    """

    unit: float
    parts: tuple[Part, ...]
    groups: dict[str, float] = field(default_factory=lambda: {"trunk": 0.0})
    paints: tuple[Paint, ...] = ()
    bends: tuple[Bend, ...] = ()
    cell: float = 0.0125
    triangles: int = 9000
    floor: float | None = 0.0
    symmetric: bool = True
    name: str = ""


def both_sides(body: Body) -> Body:
    """The table with every row of the left side followed by its mirror image."""
    parts = [copy for part in body.parts for copy in _part_pair(part)]
    paints = [copy for paint in body.paints for copy in _paint_pair(paint)]
    bends = [copy for bend in body.bends for copy in _bend_pair(bend)]
    groups = {copy: radius for name, radius in body.groups.items() for copy in dict.fromkeys((name, _other(name)))}
    return replace(body, parts=tuple(parts), paints=tuple(paints), bends=tuple(bends), groups=groups)


def _part_pair(part: Part) -> tuple[Part, ...]:
    if not _is_left(part.joint) and not _is_left(_spot_joint(_first_spot(part))):
        return (part,)
    joint, group = _other(part.joint), _other(part.group)
    if isinstance(part, Ellipsoid):
        return part, replace(part, joint=joint, group=group, centre=_mirrored(part.centre))
    return part, replace(part, joint=joint, group=group, start=_mirrored(part.start), end=_mirrored(part.end))


def _paint_pair(paint: Paint) -> tuple[Paint, ...]:
    """Paint that lies off the middle is mirrored even if its joint is in the middle."""
    mirrored = replace(paint, centre=_mirrored(paint.centre), group=_other(paint.group))
    return (paint,) if mirrored == paint else (paint, mirrored)


def _bend_pair(bend: Bend) -> tuple[Bend, ...]:
    if not _is_left(bend.joint):
        return (bend,)
    if bend.axis == "x":
        return bend, replace(bend, joint=_other(bend.joint))
    return bend, replace(bend, joint=_other(bend.joint), low=-bend.high, high=-bend.low)


def _first_spot(part: Part) -> Spot:
    return part.centre if isinstance(part, Ellipsoid) else part.start


def _spot_joint(spot: Spot) -> JointName:
    return spot[0] if isinstance(spot, tuple) else spot


def _mirrored(spot: Spot) -> Spot:
    if isinstance(spot, tuple):
        joint, x, y, z = spot
        return (_other(joint), -x, y, z)
    return _other(spot)


def _is_left(joint: JointName) -> bool:
    return isinstance(joint, str) and joint.lower().startswith("left")


def _other(name: JointName) -> JointName:
    """The name on the other side; a name without a side, or a joint's number, stays."""
    if not isinstance(name, str) or not _is_left(name):
        return name
    return ("Right" if name[0] == "L" else "right") + name[4:]
