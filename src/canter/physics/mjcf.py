"""An articulated body as MJCF, MuJoCo's own format: what `canter body` writes and what is simulated.

Numbers are in metres, kilograms, seconds and radians, in MuJoCo's axes (see `canter.physics.axes`). The ground is a
plane; where it tilts or turns, gravity does so instead. Segments do not collide with each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np

from canter.body.articulation import Articulation
from canter.body.hinges import Hinge
from canter.body.segments import Segment
from canter.body.solids import Solid
from canter.motion.arrays import Floats
from canter.motion.constants import GRAVITY
from canter.physics.axes import to_mujoco

TIMESTEP_SECONDS = 1 / 240
"""Of the simulation: one twice as fine gave policies the same reward."""
FRICTION = 0.9
FOOT_RADIUS_HIP_HEIGHTS, FOOT_HALF_WIDTH_HIP_HEIGHTS = 0.035, 0.035
"""The radius of the capsule across that a foot stands on, and half its length: who stands on points tips over."""
CONTACT_SECONDS = 0.01
"""The time constant of contacts: softer ones let animals with narrow feet tip over."""
TORSION, ROLLING = 0.01, 0.0005
"""Friction of MuJoCo against twisting (m) and rolling (m)."""
BODY_BITS, GROUND_BITS, BOX_BITS = (1, 0), (0, 1), (1, 1)
"""What collides with what, as MuJoCo's contype and conaffinity: bodies with ground and boxes, boxes with all."""
ROOT, GROUND = "root", "ground"
PARKED_METRES = 300.0
"""How far above the ground boxes hang that nobody has thrown."""
BOX_DENSITY = 100.0


@dataclass(frozen=True)
class Scene:
    """What is around the body: how many boxes can be thrown at once, and the step of the simulation in seconds."""

    boxes: int = 0
    timestep: float = TIMESTEP_SECONDS


def write_mjcf(body: Articulation, scene: Scene | None = None) -> str:
    """The MJCF document of a body that stands on the ground in its bind pose."""
    scene = scene or Scene()
    root = ElementTree.Element("mujoco", model=_plain(body.character.name) or "animal")
    _add(root, "compiler", angle="radian", autolimits="true", inertiafromgeom="false")
    _add(
        root,
        "option",
        timestep=scene.timestep,
        integrator="implicitfast",
        jacobian="dense",
        gravity=(0, 0, -GRAVITY),
        iterations=8,
        ls_iterations=12,
    )
    visual = _add(root, "visual")
    _add(visual, "headlight", ambient="0.4 0.4 0.4", diffuse="0.6 0.6 0.6")
    assets = _add(root, "asset")
    colours = {"rgb1": ".35 .4 .35", "rgb2": ".3 .35 .3"}
    _add(assets, "texture", name="grid", type="2d", builtin="checker", width=256, height=256, **colours)
    _add(assets, "material", name="grid", texture="grid", texrepeat=(1, 1), texuniform="true")
    world = _add(root, "worldbody")
    _add(world, "light", pos=(0, 0, 5), dir=(0, 0, -1), directional="true")
    _ground(world)
    names = segment_names(body)
    _segments(world, body, names)
    for number in range(scene.boxes):
        _box(world, number, body.hip_height)
    _servos(root, body, hinge_names(body))
    _sensors(root, body, names, scene)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def segment_names(body: Articulation) -> list[str]:
    """A name of its own for every segment: that of its joint, with a number where two are called alike."""
    return _unique([_plain(segment.name) or "bone" for segment in body.segments], {GROUND, "world"})


def hinge_names(body: Articulation) -> list[str]:
    """A name of its own for every hinge."""
    return _unique([_plain(hinge.name) or "hinge" for hinge in body.hinges], {ROOT})


def _plain(name: str) -> str:
    """The letters, digits and signs of a name that any tool can read."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "_-.") else "_" for c in name)[:60]


def _unique(names: Sequence[str], taken: set[str]) -> list[str]:
    found, result = set(taken), []
    for name in names:
        one, number = name, 2
        while one in found:
            one, number = f"{name}_{number}", number + 1
        found.add(one)
        result.append(one)
    return result


def _add(parent: ElementTree.Element, tag: str, **attributes: object) -> ElementTree.Element:
    return ElementTree.SubElement(parent, tag, {name.rstrip("_"): _text(value) for name, value in attributes.items()})


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        return f"{float(value):.7g}"
    return " ".join(f"{float(x):.7g}" for x in np.asarray(value).ravel())


def _bits(bits: tuple[int, int]) -> dict[str, int]:
    return {"contype": bits[0], "conaffinity": bits[1]}


def _ground(world: ElementTree.Element) -> None:
    look = {"material": "grid", "friction": (FRICTION, TORSION, ROLLING), **_bits(GROUND_BITS)}
    look |= {"solref": (CONTACT_SECONDS, 1), "priority": 1}  # its friction counts, not that of what touches it
    _add(world, "geom", name=GROUND, type="plane", size=(0, 0, 1), **look)


def _segments(world: ElementTree.Element, body: Articulation, names: list[str]) -> None:
    elements: list[ElementTree.Element] = []
    hinges = hinge_names(body)
    for number, segment in enumerate(body.segments):
        above = body.segments[segment.parent].place if segment.parent >= 0 else np.zeros(3)
        parent = elements[segment.parent] if segment.parent >= 0 else world
        element = _add(parent, "body", name=names[number], pos=to_mujoco(segment.place - above))
        elements.append(element)
        if segment.parent < 0:
            _add(element, "freejoint", name=ROOT)
        for name, hinge in zip(hinges, body.hinges, strict=True):
            if hinge.segment == number:
                _hinge(element, name, hinge)
        _inertial(element, segment)
        _shapes(element, names[number], body, segment)


def _hinge(element: ElementTree.Element, name: str, hinge: Hinge) -> None:
    spring = {"stiffness": hinge.stiffness, "damping": hinge.damping} if hinge.passive else {}
    _add(
        element,
        "joint",
        name=name,
        type="hinge",
        axis=to_mujoco(hinge.axis),
        range=(hinge.low, hinge.high),
        armature=hinge.armature,
        **spring,
    )


def _inertial(element: ElementTree.Element, segment: Segment) -> None:
    inertia = segment.inertia[np.ix_([2, 0, 1], [2, 0, 1])]
    full = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    _add(element, "inertial", pos=to_mujoco(segment.centre - segment.place), mass=segment.mass, fullinertia=full)


def _shapes(element: ElementTree.Element, name: str, body: Articulation, segment: Segment) -> None:
    """What a segment collides with: its bone as a capsule, and the ball of a foot; of the trunk its ellipsoids."""
    friction = (FRICTION, TORSION, ROLLING)
    shapes = [leg_shape(body, segment)] if segment.leg >= 0 else [_shape(solid, segment) for solid in _large(segment)]
    for k, shape in enumerate(shapes):
        _add(element, "geom", name=f"{name}.{k}", friction=friction, rgba=".72 .56 .38 1", **shape, **_bits(BODY_BITS))
    if segment.role == "lower":
        radius = FOOT_RADIUS_HIP_HEIGHTS * body.hip_height
        centre = foot_centre(body, segment) - segment.place
        across = np.array([FOOT_HALF_WIDTH_HIP_HEIGHTS * body.hip_height, 0.0, 0.0])
        ends = to_mujoco(np.stack([centre - across, centre + across])).ravel()
        shown = {"friction": friction, "rgba": ".25 .2 .18 1", "solref": (CONTACT_SECONDS, 1)}
        _add(
            element, "geom", name=f"{name}.foot", type="capsule", size=radius, fromto=ends, **shown, **_bits(BODY_BITS)
        )


def foot_centre(body: Articulation, segment: Segment) -> Floats:
    """The middle `(3,)` of the foot at the end of a leg: it rests on the ground in the bind pose."""
    radius = FOOT_RADIUS_HIP_HEIGHTS * body.hip_height
    result: Floats = segment.end.copy()
    result[1] = max(radius, segment.end[1] - radius) if segment.end[1] > 2 * radius else radius
    return result


def leg_shape(body: Articulation, segment: Segment) -> dict[str, object]:
    """A leg's bone as a capsule that stays inside its skin and off the ground."""
    limbs = [solid for solid in segment.solids if solid.radii is None]
    radii = [(solid.r_start + solid.r_end) / 2 / max(solid.thin, 1.0) for solid in limbs]
    length = float(np.linalg.norm(segment.end - segment.place))
    radius = min(float(np.median(radii)) if radii else 0.03 * body.hip_height, 0.3 * length)
    end = foot_centre(body, segment) if segment.role == "lower" else segment.end
    if segment.role == "lower":  # thinner than the foot, which alone touches the ground
        radius = min(radius, 0.7 * FOOT_RADIUS_HIP_HEIGHTS * body.hip_height)
    ends = np.stack([np.zeros(3), end - segment.place])
    return {"type": "capsule", "size": radius, "fromto": to_mujoco(ends).ravel()}


def _large(segment: Segment) -> list[Solid]:
    """The parts of a segment that something can bump into."""
    sizes = [_volume(solid) for solid in segment.solids]
    return [solid for solid, size in zip(segment.solids, sizes, strict=True) if size > 0.05 * max(sizes)]


def _volume(solid: Solid) -> float:
    if solid.radii is not None:
        return float(np.prod(solid.radii)) * 4 / 3 * math.pi
    radius = (solid.r_start + solid.r_end) / 2
    return math.pi * radius**2 * (float(np.linalg.norm(solid.end - solid.start)) + radius) / solid.thin


def _shape(solid: Solid, segment: Segment) -> dict[str, object]:
    if solid.radii is not None:
        turn = np.array([math.cos(solid.pitch / 2), math.sin(solid.pitch / 2), 0.0, 0.0])
        at, size = to_mujoco(solid.start - segment.place), to_mujoco(solid.radii)
        return {"type": "ellipsoid", "size": size, "pos": at, "quat": turn[[0, 3, 1, 2]]}
    ends = np.stack([solid.start, solid.end]) - segment.place
    if np.linalg.norm(ends[1] - ends[0]) < 1e-4:
        return {"type": "sphere", "size": max(solid.r_start, solid.r_end), "pos": to_mujoco(ends[0])}
    return {"type": "capsule", "size": (solid.r_start + solid.r_end) / 2, "fromto": to_mujoco(ends).ravel()}


def _box(world: ElementTree.Element, number: int, hip_height: float) -> None:
    half = 0.2 * hip_height
    mass = BOX_DENSITY * (2 * half) ** 3
    name = f"box{number}"
    element = _add(world, "body", name=name, pos=(30.0 * number, 0, PARKED_METRES), gravcomp=1)
    _add(element, "freejoint", name=name)
    _add(element, "inertial", pos=(0, 0, 0), mass=mass, diaginertia=[mass * (2 * half) ** 2 / 6] * 3)
    _add(element, "geom", name=name, type="box", size=(half, half, half), rgba=".7 .35 .2 1", **_bits(BOX_BITS))


def _servos(root: ElementTree.Element, body: Articulation, names: list[str]) -> None:
    actuators = _add(root, "actuator")
    for name, hinge in zip(names, body.hinges, strict=True):
        if not hinge.passive:
            most = hinge.max_torque
            gains = {"kp": hinge.stiffness, "kv": hinge.damping, "forcerange": (-most, most)}
            _add(actuators, "position", name=name, joint=name, ctrlrange=(hinge.low, hinge.high), **gains)


def _sensors(root: ElementTree.Element, body: Articulation, names: list[str], scene: Scene) -> None:
    """Force of the ground on each foot, whether trunk or head touch the ground, the centre of mass and its velocity,
    and whether a box touches the body."""
    sensors = _add(root, "sensor")
    first = names[0]
    for name, segment in zip(names, body.segments, strict=True):
        if segment.role == "lower":
            _add(sensors, "contact", name=f"{name}.force", body1=name, geom2=GROUND, data="force", reduce="netforce")
    for name, segment in zip(names, body.segments, strict=True):
        if segment.role in ("trunk", "neck", "head"):
            _add(sensors, "contact", name=f"{name}.down", body1=name, geom2=GROUND, data="found")
    _add(sensors, "subtreecom", name="centre", body=first)
    _add(sensors, "subtreelinvel", name="velocity", body=first)
    for number in range(scene.boxes):
        _add(sensors, "contact", name=f"box{number}.hit", subtree1=first, geom2=f"box{number}", data="found")
