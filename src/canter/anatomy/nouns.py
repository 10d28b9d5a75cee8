"""What canter knows about an animal: its legs and girdles, what its feet do in each clip, and the Character.

Legs come in the order LF, RF, LH, RH; people have the legs L and R, and their arms apart.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from canter.motion import Motion, Skeleton, Skin
from canter.motion.arrays import Bools, Floats, Ints

LEGS = ("LF", "RF", "LH", "RH")
Kind = Literal["quadruped", "biped", "other"]


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


@dataclass(frozen=True, eq=False)
class Anatomy:
    """Which joint is what. `up`, `forward` and `hip_height` are in the coordinates of the skeleton that it describes.

    `ground` is the height of the ground along `up`. `mirror (J,)` maps each joint to its partner on the other side, or
    to itself. `ignored` are helper joints that are no part of the body. `confidence` is 0 to 1; `doubts` says in words
    what lowers it.
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

    @property
    def left(self) -> Floats:
        return np.cross(self.up, self.forward)

    @property
    def feet(self) -> list[int]:
        return [leg.foot for leg in self.legs]

    @property
    def hips(self) -> list[int]:
        return [leg.hip for leg in self.legs]

    def leg(self, name: str) -> Leg:
        for leg in self.legs:
            if leg.name == name:
                return leg
        raise KeyError(f"no leg {name!r}; there are {', '.join(leg.name for leg in self.legs)}")


@dataclass(frozen=True, eq=False)
class Footfalls:
    """What the feet of one clip do, and the gait that this is.

    `contacts (T, L)` says which foot is on the ground in each frame, in the order of the anatomy's legs. `phases` and
    `duty` are fractions of a stride, phases after the touchdown of LH. Speed is in metres a second over ground,
    recovered from the stance feet where the clip walks in place; lengths in metres. Figures that the clip cannot tell
    (a stand has no stride) are NaN. `shares` splits the clip's moving time among the gaits seen in it.
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


@dataclass(frozen=True, eq=False)
class Clip:
    """A motion in canonical coordinates, travelling over ground, with what its feet do."""

    motion: Motion
    footfalls: Footfalls

    @property
    def name(self) -> str:
        return self.motion.name


@dataclass(frozen=True, eq=False)
class Transform:
    """From file coordinates to canonical ones: `scale * rotate(rotation, x) + translation`."""

    rotation: Floats
    scale: float
    translation: Floats
    scale_known: bool = True
    """Whether the file told its unit; otherwise the scale is a guess from the animal's size."""
    scale_reason: str = ""


@dataclass(frozen=True, eq=False)
class Character:
    """An animal that canter understands: metres, +Y up, +Z forward, +X to its left."""

    name: str
    skeleton: Skeleton
    anatomy: Anatomy
    clips: tuple[Clip, ...]
    transform: Transform
    skins: tuple[Skin, ...] = ()
    source: str = ""

    def clip(self, name: str) -> Clip:
        for clip in self.clips:
            if clip.name == name:
                return clip
        raise KeyError(f"no clip is called {name!r}; there are {', '.join(c.name for c in self.clips) or 'none'}")

    def controller(self, name: str, **options: Any) -> Any:
        """The controller of that registered name, driving this character (see `canter.control`)."""
        # The one door that opens downwards: controllers live below and are found by name.
        return importlib.import_module("canter.control.registry").make_controller(name, self, **options)
