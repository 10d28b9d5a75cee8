"""A rig in the making: parts with their parents and their motion in the world, which mutations may add to and rehang.

Because a draft keeps world positions and rotations, hanging a joint elsewhere is only a change of parent; local
positions are worked out at the very end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from canter.anatomy import synthetic_body as body
from canter.anatomy.nouns import LEGS
from canter.anatomy.synthetic_gaits import Stride, Track, contacts
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats


@dataclass
class Take:
    """One clip to be. `clock (T,)` is the motion's own time at each frame: it rests where the animal does."""

    name: str
    stride: Stride | None
    track: Track
    frame_rate: float
    clock: Floats
    in_place: bool = False
    backward: bool = False
    bind_first: bool = False

    @property
    def down(self) -> Bools:
        """Which feet are on the ground `(T, 4)`."""
        if self.stride is None:
            return np.ones((len(self.clock), 4), bool)
        return contacts(self.stride, self.clock)


@dataclass
class Draft:
    """Parts of a rig: `parents` by name (None for a root) and `frames`, one dict a take; the last is the rest pose."""

    animal: body.Animal
    takes: list[Take]
    parents: dict[str, str | None]
    frames: list[body.Frames]
    legs: dict[str, list[str]]
    feet: dict[str, list[str]]
    head: str
    tail: list[str]

    def place(self, take: int, part: str) -> Floats:
        return self.frames[take][part][0]

    def attach(self, part: str, parent: str, offset: Floats, turn: Floats | None = None) -> None:
        """A new joint fixed to `parent` at `offset`, in the axes of the rest pose."""
        for frames in self.frames:
            place, own = frames[parent]
            frames[part] = (
                place + rot.rotate(own, np.asarray(offset, float)),
                own if turn is None else rot.multiply(own, np.broadcast_to(turn, own.shape)),
            )
        self.parents[part] = parent

    def put(self, part: str, parent: str | None, places: list[Floats], turns: list[Floats] | None = None) -> None:
        """A new joint at given world places, one array a take; upright if no rotations are given."""
        for i, frames in enumerate(self.frames):
            upright = np.tile(rot.IDENTITY, (len(places[i]), 1))
            frames[part] = (places[i], upright if turns is None else turns[i])
        self.parents[part] = parent

    def drop(self, part: str) -> None:
        """Take a part away; its children hang on its parent."""
        for child, parent in self.parents.items():
            if parent == part:
                self.parents[child] = self.parents[part]
        del self.parents[part]
        for frames in self.frames:
            del frames[part]

    def children(self, part: str) -> list[str]:
        return [child for child, parent in self.parents.items() if parent == part]


def build(animal: body.Animal, takes: list[Take]) -> Draft:
    """The plain animal in all its takes: spine from the pelvis forward, legs, neck, head, tail."""
    still = Take("rest", None, Track(0.0), 30.0, np.zeros(1))
    every = [*takes, still]
    trunks = [body.move_trunk(animal, take.stride, take.track, take.clock) for take in every]
    for leg in range(len(LEGS)):
        _add_leg(animal, every, trunks, leg)
    for trunk, take in zip(trunks, every, strict=True):
        if take.in_place:
            _stay(trunk, take)
    _upright(trunks)
    parents = _parents(animal)
    legs = {name: body.leg_parts(animal, i) for i, name in enumerate(LEGS)}
    feet = {name: parts[-2:] for name, parts in legs.items()}
    tail = [part for part in trunks[0] if part.startswith("tail.")]
    return Draft(
        animal, takes, parents, [{part: t[part] for part in parents} for t in trunks], legs, feet, "head", tail
    )


def _add_leg(animal: body.Animal, takes: list[Take], trunks: list[body.Frames], leg: int) -> None:
    """Pose one leg in every take, with bones long enough for the longest reach of it and its partner."""
    pair = (leg, leg ^ 1)
    plans = [
        [body.plan_leg(animal, take.stride, take.track, each, trunk, take.clock) for each in pair]
        for take, trunk in zip(takes, trunks, strict=True)
    ]
    needed = max(float(np.linalg.norm(r.ankle - r.top, axis=-1).max()) for plan in plans for r in plan)
    bones, angle = body.leg_bones(animal, leg < 2, needed)
    for trunk, plan in zip(trunks, plans, strict=True):
        trunk.update(body.pose_leg(animal, leg, plan[0], bones, float(angle)))


def _stay(trunk: body.Frames, take: Take) -> None:
    """Take the travel out of a straight track."""
    point, _ = take.track.at(take.clock)
    for part, (place, turn) in trunk.items():
        trunk[part] = (place - point, turn)


def _upright(trunks: list[body.Frames]) -> None:
    """Count rotations from the rest pose, so that it has none."""
    rest = {part: rot.conjugate(turn) for part, (_, turn) in trunks[-1].items()}
    for trunk in trunks:
        for part, (place, turn) in trunk.items():
            trunk[part] = (place, rot.multiply(turn, rest[part]))


def _parents(animal: body.Animal) -> dict[str, str | None]:
    parents: dict[str, str | None] = {"spine.0": None}
    for i in range(animal.spine_bones):
        parents[f"spine.{i + 1}"] = f"spine.{i}"
    chest = f"spine.{animal.spine_bones}"
    chains = [(chest, [f"neck.{i}" for i in range(animal.neck_bones)] + ["head", "nose"])]
    if animal.tail_bones:
        chains.append(("spine.0", [f"tail.{i}" for i in range(animal.tail_bones)] + ["tail.end"]))
    for i in range(len(LEGS)):
        chains.append((chest if i < 2 else "spine.0", body.leg_parts(animal, i)))
    for top, chain in chains:
        for part in chain:
            parents[part] = top
            top = part
    return parents


def retime(stride: Stride, seconds: float) -> Stride:
    """The same stride, as long, in another time."""
    return replace(stride, seconds=seconds, speed=stride.speed * stride.seconds / seconds)
