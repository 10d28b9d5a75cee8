"""A rig before it is written: parts, their parents and their motion in the world, which mutations add to and change.

Because a draft keeps world positions and rotations, hanging a joint elsewhere is only a change of parent; local
positions are worked out at the very end. In the rest pose no part is turned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from canter.anatomy.character import LEGS, Kind
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.synthetic import body_motion as body
from canter.synthetic.gaits import Stride, Track, contacts
from canter.synthetic.proportions import Animal


@dataclass
class Take:
    """One clip to be. `clock (T,)` is the motion's own time at each frame: it rests where the animal does."""

    name: str
    stride: Stride
    track: Track
    frame_rate: float
    clock: Floats
    in_place: bool = False
    backward: bool = False
    bind_first: bool = False
    lame: int | None = None
    """The leg that is held up throughout, if there is one."""

    @property
    def down(self) -> Bools:
        """Which feet are on the ground `(T, 4)`."""
        down = contacts(self.stride, self.clock)
        if self.lame is not None:
            down[:, self.lame] = False
        return down

    def trunk(self, animal: Animal) -> body.TrunkMotion:
        """How the trunk moves."""
        return body.stride_motion(self.stride, *self.track.at(self.clock), self.clock / self.stride.seconds)

    def steps(self, animal: Animal, leg: int) -> body.Steps:
        """What a foot does."""
        if leg == self.lame:
            return body.held_up(animal, leg, *self.track.at(self.clock))
        return body.stride_steps(animal, self.stride, self.track, leg, self.clock)

    def standing_still(self, parts: body.Frames) -> body.Frames:
        """The parts without the travel of the track."""
        point, _ = self.track.at(self.clock)
        return {part: (place - point, turn) for part, (place, turn) in parts.items()}


@dataclass
class Draft:
    """Parts of a rig: `parents` by name (None for a root) and `frames`, one dict a take; the last is the rest pose.

    `hip` is the hip height in metres. `static` parts are helpers that noise leaves alone.
    """

    kind: Kind
    hip: float
    takes: list[Performance]
    parents: dict[str, str | None]
    frames: list[body.Frames]
    legs: dict[str, list[str]]
    feet: dict[str, list[str]] = field(default_factory=dict)
    arms: dict[str, list[str]] = field(default_factory=dict)
    head: str | None = None
    spine: list[str] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)
    static: set[str] = field(default_factory=set)
    mutations: list[str] = field(default_factory=list)
    sole_in_rig: bool = True
    animal: Animal | None = None

    def rest(self, part: str) -> Floats:
        """Where a part is in the rest pose `(3,)`."""
        place: Floats = self.frames[-1][part][0][0]
        return place

    def root(self) -> str:
        """The root that carries most of the body."""
        top = next(iter(self.frames[0])) if self.head is None else self.head
        while (parent := self.parents[top]) is not None:
            top = parent
        return top

    def attach(self, part: str, parent: str, offset: Floats) -> None:
        """A new joint fixed to `parent` at `offset`, in the axes of the rest pose."""
        for frames in self.frames:
            place, own = frames[parent]
            frames[part] = (place + rot.rotate(own, np.asarray(offset, float)), own)
        self.parents[part] = parent

    def put(
        self, part: str, parent: str | None, places: Sequence[Floats], turns: Sequence[Floats] | None = None
    ) -> None:
        """A new joint at given world places, one array a take; upright if no rotations are given."""
        for i, frames in enumerate(self.frames):
            upright = np.tile(rot.IDENTITY, (len(places[i]), 1))
            frames[part] = (places[i], upright if turns is None else turns[i])
        self.parents[part] = parent

    def drop(self, part: str) -> None:
        """Take a part away; its children hang on its parent."""
        for child in self.children(part):
            self.parents[child] = self.parents[part]
        del self.parents[part]
        for frames in self.frames:
            del frames[part]

    def children(self, part: str) -> list[str]:
        return [child for child, parent in self.parents.items() if parent == part]


class Performance(Protocol):
    """What a draft is built from: a clip that says how trunk and feet move."""

    @property
    def name(self) -> str: ...

    @property
    def frame_rate(self) -> float: ...

    @property
    def bind_first(self) -> bool: ...

    def trunk(self, animal: Animal) -> body.TrunkMotion: ...

    def steps(self, animal: Animal, leg: int) -> body.Steps: ...


def build(animal: Animal, takes: Sequence[Performance]) -> Draft:
    """The plain animal in all its takes: spine from the pelvis forward, legs, neck, head, tail."""
    every = [*takes, Take("rest", body.STILL, Track(0.0), 30.0, np.zeros(1))]
    frames = [body.move_trunk(animal, take.trunk(animal)) for take in every]
    for pair in ((0, 1), (2, 3)):
        _add_legs(animal, every, frames, pair)
    frames = [
        take.standing_still(parts) if isinstance(take, Take) and take.in_place else parts
        for take, parts in zip(every, frames, strict=True)
    ]
    upright(frames)
    legs = {name: body.leg_parts(animal, i) for i, name in enumerate(LEGS)}
    return Draft(
        "quadruped",
        animal.hip,
        list(takes),
        _parents(animal),
        frames,
        legs,
        {name: parts[-2:] for name, parts in legs.items()},
        head="head",
        spine=[f"spine.{i}" for i in range(animal.spine_bones + 1)],
        tail=[part for part in frames[0] if part.startswith("tail.")],
        animal=animal,
    )


def _add_legs(animal: Animal, takes: Sequence[Performance], frames: list[body.Frames], pair: tuple[int, int]) -> None:
    """Pose a left and a right leg in every take, with bones long enough for the longest reach of both."""
    plans = [
        [body.plan_leg(animal, leg, trunk, take.steps(animal, leg)) for leg in pair]
        for take, trunk in zip(takes, frames, strict=True)
    ]
    needed = max(reach.span() for plan in plans for reach in plan)
    bones = body.leg_bones(animal, pair[0] < 2, needed)
    for trunk, plan in zip(frames, plans, strict=True):
        for leg, reach in zip(pair, plan, strict=True):
            trunk.update(body.pose_leg(body.leg_parts(animal, leg), reach, bones, leg < 2))


def upright(frames: list[body.Frames]) -> None:
    """Count rotations from the rest pose, so that it has none."""
    back = {part: rot.conjugate(turn[0]) for part, (_, turn) in frames[-1].items()}
    for parts in frames:
        for part, (place, turn) in parts.items():
            parts[part] = (place, rot.multiply(turn, back[part]))


def _parents(animal: Animal) -> dict[str, str | None]:
    chest = f"spine.{animal.spine_bones}"
    parents: dict[str, str | None] = {"spine.0": None}
    chains = [("spine.0", [f"spine.{i + 1}" for i in range(animal.spine_bones)])]
    chains.append((chest, [*(f"neck.{i}" for i in range(animal.neck_bones)), "head", "nose"]))
    if animal.tail_bones:
        chains.append(("spine.0", [*(f"tail.{i}" for i in range(animal.tail_bones)), "tail.end"]))
    chains += [(chest if i < 2 else "spine.0", body.leg_parts(animal, i)) for i in range(len(LEGS))]
    for top, chain in chains:
        for part in chain:
            parents[part] = top
            top = part
    return parents


def retimed(stride: Stride, seconds: float) -> Stride:
    """The same stride, as long, in another time."""
    return replace(stride, seconds=seconds, speed=stride.speed * stride.seconds / seconds)
