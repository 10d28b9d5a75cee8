"""What canter knows about an animal: its legs and girdles, what its feet do in each clip, and the Character.

Legs come in the order LF, RF, LH, RH; people have the legs L and R, and their arms apart.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

import numpy as np

from canter.anatomy.lazy import ByName, T, map_lazily
from canter.motion import Motion, Skeleton, Skin
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.edits import transform_skeleton
from canter.motion.metrics import foot_skating

LEGS = ("LF", "RF", "LH", "RH")
Kind = Literal["quadruped", "biped", "other"]
Span = tuple[int, int]
"""The first and the last frame of a stretch of an action."""
SIZE_RANGE = 0.01, 100.0
"""The smallest and the largest factor by which an animal is scaled."""


@dataclass(frozen=True)
class Leg:
    """A chain of joints from hip or scapula down to the toe.

    `joints` runs from top to toe, the foot last, also where the rig hangs the foot elsewhere. `hip` is the first
    of them that stands off the midline (some rigs start a leg at the spine); `foot` is the joint that meets the ground.
    """

    name: str
    joints: tuple[int, ...]
    hip: int
    foot: int

    @property
    def chain(self) -> list[int]:
        """The joints from hip to foot, as inverse kinematics bends them; toes below the foot go with it."""
        return list(self.joints[self.joints.index(self.hip) : self.joints.index(self.foot) + 1])


@dataclass(frozen=True, eq=False)
class Anatomy:
    """Which joint is what. `up`, `forward` and `hip_height` are in the coordinates of the skeleton that it describes.

    `ground` is the height of the ground along `up`; `ground_given` says that a person told it, or the hip height.
    `mirror (J,)` maps each joint to its partner on the other side, or to itself. `ignored` are helper joints, no
    part of the body. `confidence` is 0 to 1; `doubts` says in words what lowers it. `hip_height_metres` is the real
    height of the hips, where somebody has given it.
    """

    kind: Kind
    up: Floats
    forward: Floats
    hip_height: float
    legs: tuple[Leg, ...]
    mirror: Ints
    arms: tuple[Leg, ...] = ()
    spine: tuple[int, ...] = ()
    neck: tuple[int, ...] = ()
    head: int | None = None
    tail: tuple[int, ...] = ()
    ignored: tuple[int, ...] = ()
    confidence: float = 1.0
    doubts: tuple[str, ...] = ()
    ground: float = 0.0
    hip_height_metres: float | None = None
    ground_given: bool = False

    @property
    def left(self) -> Floats:
        return np.cross(self.up, self.forward)

    @property
    def feet(self) -> list[int]:
        return [leg.foot for leg in self.legs]

    @property
    def hips(self) -> list[int]:
        return [leg.hip for leg in self.legs]

    @property
    def partners(self) -> list[int]:
        """The number of the leg on the other side of each leg."""
        return [self.feet.index(int(self.mirror[foot])) for foot in self.feet]

    def scaled(self, size: float) -> Anatomy:
        """That of an animal `size` times as large."""
        return replace(self, hip_height=self.hip_height * size, ground=self.ground * size)

    def leg(self, name: str) -> Leg:
        for leg in self.legs:
            if leg.name == name:
                return leg
        raise KeyError(f"no leg {name!r}; there are {', '.join(leg.name for leg in self.legs)}")


@dataclass(frozen=True)
class TakeSpan:
    """What an animal does from `start` to `end`, in seconds.

    The label is a gait, "turn", "backward", "side", "stand", "sit", "lie", "jump", "transition" or "other". Speed is in
    metres a second over ground, `turn_rate` in radians a second; of a gait also the seconds of a stride, and duty
    factor and phase of each leg. `confidence` is the share of the strides in it that show this gait or its runner-up.
    """

    start: float
    end: float
    label: str
    speed: float = 0.0
    turn_rate: float = 0.0
    runner_up: str = ""
    confidence: float = 1.0
    stride_seconds: float = float("nan")
    duty: dict[str, float] = field(default_factory=dict)
    phases: dict[str, float] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        return self.end - self.start


@dataclass(frozen=True, eq=False)
class Footfalls:
    """What the feet of one clip do, and the gait that this is.

    `contacts (T, L)` says which foot is on the ground in each frame, in the order of the anatomy's legs. `phases` and
    `duty` are fractions of a stride, phases after the touchdown of LH. Speed is in metres a second over ground,
    recovered from the stance feet where the clip walks in place; lengths in metres. Figures that the clip does not show
    (a stand has no stride) are NaN. `shares` splits the clip's moving time among the gaits seen in it. `spans` say
    what a take shows when; they are read where a file is understood.
    """

    contacts: Bools
    gait: str
    speed: float
    in_place: bool
    runner_up: str = ""
    sequence: str = ""
    """Canter and gallop: "transverse" when both leads are on one side, else "rotary"."""
    stride_seconds: float = float("nan")
    stride_length: float = float("nan")
    duty: dict[str, float] = field(default_factory=dict)
    phases: dict[str, float] = field(default_factory=dict)
    froude: float = float("nan")
    skating_cm: float = float("nan")
    loop: bool = False
    shares: dict[str, float] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()
    spans: tuple[TakeSpan, ...] = ()


def scaled_motion(motion: Motion, size: float, skeleton: Skeleton) -> Motion:
    """The motion of an animal `size` times as large, on its `skeleton`: lengths scale by `size`, times by its root.

    So speeds scale by the square root too, and accelerations and Froude numbers stay the same (dynamic similarity,
    Alexander and Jayes 1983). The frames are the same, further apart in time.
    """
    rate = motion.frame_rate / math.sqrt(size)
    return Motion(skeleton, rate, motion.positions * motion.positions.dtype.type(size), motion.rotations, motion.name)


@dataclass(frozen=True, eq=False)
class Clip:
    """A motion in canonical coordinates, travelling over ground, with what its feet do."""

    motion: Motion
    footfalls: Footfalls

    @property
    def name(self) -> str:
        return self.motion.name

    def scaled(self, size: float, skeleton: Skeleton, anatomy: Anatomy) -> Clip:
        """That of an animal `size` times as large, with that `skeleton` and `anatomy`."""
        motion, feet, root = scaled_motion(self.motion, size, skeleton), self.footfalls, math.sqrt(size)
        footfalls = replace(
            feet,
            speed=feet.speed * root,
            stride_seconds=feet.stride_seconds * root,
            stride_length=feet.stride_length * size,
            skating_cm=feet.skating_cm if math.isnan(feet.skating_cm) else _skating(motion, anatomy),
        )
        return Clip(motion, footfalls)


@dataclass(frozen=True, eq=False)
class Action:
    """One action from standing to standing, and the frames in which it is entered, held and left.

    Frame `hold[0]` and `hold[1]` are the same pose with the same speed, so the hold can be looped; a jump has none, and
    is entered until it takes off and left from where it lands. `contacts (T, L)` says which feet stand.
    """

    name: str
    motion: Motion
    enter: Span
    hold: Span | None
    leave: Span
    contacts: Bools

    def clip(self, anatomy: Anatomy) -> Clip:
        """The action as a clip; one that comes back to where it began, as idling does, is a way to stand."""
        away = float(np.linalg.norm((self.motion.positions[-1, 0] - self.motion.positions[0, 0])[[0, 2]]))
        at_home = away < 1e-3
        footfalls = Footfalls(
            self.contacts,
            "stand" if at_home else "action",
            away / self.motion.seconds,
            in_place=False,
            loop=at_home,
            skating_cm=_skating(self.motion, anatomy),
        )
        return Clip(self.motion, footfalls)

    def scaled(self, size: float, skeleton: Skeleton) -> Action:
        """That of an animal `size` times as large, with that `skeleton`."""
        return replace(self, motion=scaled_motion(self.motion, size, skeleton))


def _skating(motion: Motion, anatomy: Anatomy) -> float:
    return float(np.mean(foot_skating(motion.position_world[:, anatomy.feet], motion.frame_rate)))


@dataclass(frozen=True, eq=False)
class Transform:
    """From file coordinates to canonical ones: `scale * rotate(rotation, x) + translation`."""

    rotation: Floats
    scale: float
    translation: Floats
    scale_known: bool = True
    """Whether the file gives its unit; otherwise the scale is a guess from the animal's size."""
    scale_reason: str = ""


@dataclass(frozen=True, eq=False)
class Character:
    """An animal that canter understands: metres, +Y up, +Z forward, +X to its left.

    Clips are read as a tuple is; those of the animals that canter ships are made when they are first asked for. So are
    `actions`, which are among the clips too: what is known to begin and end in standing, with the frames of its hold.
    """

    name: str
    skeleton: Skeleton
    anatomy: Anatomy
    clips: Sequence[Clip]
    transform: Transform
    skins: tuple[Skin, ...] = ()
    source: str = ""
    actions: Sequence[Action] = ()

    def clip(self, name: str) -> Clip:
        return _named(self.clips, name, "clip")

    def action(self, name: str) -> Action:
        return _named(self.actions, name, "action")

    def scaled(self, size: float) -> Self:
        """The same animal `size` times as large, dynamically similar: its clips have the same Froude numbers.

        A foal and a draught horse move alike, each at its own speeds. Scaling by 1 / `size` undoes it.
        """
        check_size(size)
        if size == 1:
            return self
        skeleton, anatomy = transform_skeleton(self.skeleton, scale=size), self.anatomy.scaled(size)
        shift = self.transform
        return replace(
            self,
            skeleton=skeleton,
            anatomy=anatomy,
            clips=map_lazily(self.clips, lambda clip: clip.scaled(size, skeleton, anatomy)),
            transform=replace(shift, scale=shift.scale * size, translation=shift.translation * size),
            skins=tuple(_scaled_skin(skin, size) for skin in self.skins),
            actions=map_lazily(self.actions, lambda action: action.scaled(size, skeleton)),
        )

    def controller(self, name: str, **options: Any) -> Any:
        """The controller of that registered name, driving this character (see `canter.control`)."""
        # The one import from a lower layer: controllers are found by name.
        return importlib.import_module("canter.control.registry").make_controller(name, self, **options)


def check_size(size: float) -> None:
    """Raise ValueError for a factor by which no animal can be scaled."""
    if not SIZE_RANGE[0] <= size <= SIZE_RANGE[1]:
        raise ValueError(
            f"size must be from {SIZE_RANGE[0]:g} to {SIZE_RANGE[1]:g} times the animal's own, not {size:g}"
        )


def _named(items: Sequence[T], name: str, what: str) -> T:
    found = ByName(items)
    if name not in found:
        raise KeyError(f"no {what} is called {name!r}; there are {', '.join(found) or 'none'}")
    return found[name]


def _scaled_skin(skin: Skin, size: float) -> Skin:
    """Vertices and joints' places alike; turns and weights stay."""
    binding = skin.inverse_bind.copy()
    binding[:, :3, 3] *= size
    return replace(skin, vertices=skin.vertices * size, inverse_bind=binding)
