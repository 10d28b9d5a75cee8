"""Made-up animals with a known truth: random rigs that walk, to examine whatever tries to understand rigs.

`synthetic_rig(seed)` draws an animal, its gaits, and then everything that real files do to it: axes, units, names,
helper bones, detached feet. It shares no code with the detector that it examines.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from canter.anatomy.nouns import LEGS, Kind
from canter.anatomy.synthetic_body import BODIES, draw_animal
from canter.anatomy.synthetic_draft import Draft, Take, build, retime
from canter.anatomy.synthetic_gaits import Track, draw_stride
from canter.anatomy.synthetic_names import file_names
from canter.motion import Asset, Motion, Skeleton, kinematics
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats

REGRESSION_SEEDS = range(200)


@dataclass(frozen=True, eq=False)
class ClipTruth:
    """What one clip really shows. Speed is in hip heights a second; a stand has no stride, duty or phases.

    `contacts (T, 4)` in the order LF, RF, LH, RH. A gait goes backward where `gait` says so; its speed stays positive.
    """

    name: str
    gait: str
    speed: float
    in_place: bool
    stride_seconds: float = float("nan")
    duty: dict[str, float] = field(default_factory=dict)
    phases: dict[str, float] = field(default_factory=dict)
    style: str = ""
    contacts: Bools = field(default_factory=lambda: np.zeros((0, 4), bool))


@dataclass(frozen=True, eq=False)
class Truth:
    """What the rig really is, in the names and coordinates of its file.

    `legs` run from hip or scapula to the last joint of the foot; `feet` are the joints that may be called the foot.
    `hip_height` is the height of the hind hip joints of the standing animal, in file units.
    """

    kind: Kind
    up: Floats
    forward: Floats
    legs: dict[str, list[str]]
    feet: dict[str, list[str]]
    head: str | None
    tail: list[str]
    hip_height: float
    clips: tuple[ClipTruth, ...]
    arms: dict[str, list[str]] = field(default_factory=dict)
    mutations: tuple[str, ...] = ()
    sole_in_rig: bool = True
    """Whether the rig has a joint that stays put on the ground in stance."""


@dataclass(frozen=True, eq=False)
class SyntheticRig:
    """A file's content and the truth about it."""

    asset: Asset
    truth: Truth


def synthetic_rig(seed: int, **overrides: Any) -> SyntheticRig:
    """The rig of that seed; `overrides` fix what would be drawn (see `CHOICES`)."""
    rng = np.random.default_rng(seed)
    body = overrides.get("body") or str(rng.choice(list(BODIES)))
    animal = draw_animal(rng, body)
    gait = overrides.get("gait") or str(rng.choice(["walk", "trot"]))
    stride = draw_stride(rng, gait, animal.hip, animal.step, animal.bend)
    rate = float(rng.choice([24, 25, 30, 60, 120]))
    frames = max(round(stride.seconds * rate), 9)
    stride = retime(stride, frames / rate)
    in_place = bool(rng.random() < 0.5)
    strides = 1 if in_place else int(rng.integers(2, 5))
    clock = np.arange(frames * strides + 1) / rate
    take = Take(stride.gait, stride, Track(stride.speed), rate, clock, in_place)
    draft = build(animal, [take])
    return finish(draft, rng, overrides)


AXES = {
    "y up z": ((0, 1, 0), (0, 0, 1)),
    "y up -z": ((0, 1, 0), (0, 0, -1)),
    "y up x": ((0, 1, 0), (1, 0, 0)),
    "z up -y": ((0, 0, 1), (0, -1, 0)),
    "z up x": ((0, 0, 1), (1, 0, 0)),
    "z up y": ((0, 0, 1), (0, 1, 0)),
    "x up z": ((1, 0, 0), (0, 0, 1)),
    "-y up z": ((0, -1, 0), (0, 0, 1)),
    "-x up y": ((-1, 0, 0), (0, 1, 0)),
    "-z up x": ((0, 0, -1), (1, 0, 0)),
}
SCALES = {"metres": 1.0, "centimetres": 100.0, "millimetres": 1000.0, "inches": 39.37, "small": 0.01, "game": 16.0}


def finish(draft: Draft, rng: np.random.Generator, overrides: dict[str, Any]) -> SyntheticRig:
    """Put the draft into the axes, units, order and names of a file."""
    axes = overrides.get("axes") or str(rng.choice(list(AXES)))
    scale = SCALES[overrides.get("scale") or str(rng.choice(list(SCALES)))]
    up, forward = (np.array(v, float) for v in AXES[axes])
    turn = rot.from_matrix(np.stack([np.cross(up, forward), up, forward], axis=-1))
    order = parents_first(draft.parents, rng, bool(overrides.get("shuffle", rng.random() < 0.5)))
    names = file_names(draft, order, overrides.get("names") or str(rng.choice(["clear", "biped", "numbers"])))
    asset = to_asset(draft, order, names, turn, scale)
    truth = truth_of(draft, names, up, forward, scale)
    return SyntheticRig(asset, truth)


def parents_first(parents: dict[str, str | None], rng: np.random.Generator, shuffle: bool) -> list[str]:
    """All parts, parents before children, in a random order or branch by branch."""
    order: list[str] = []
    waiting = [part for part, parent in parents.items() if parent is None]
    while waiting:
        part = waiting.pop(int(rng.integers(len(waiting))) if shuffle else 0)
        order.append(part)
        waiting[:0] = [child for child, parent in parents.items() if parent == part]
    return order


def to_asset(draft: Draft, order: list[str], names: dict[str, str], turn: Floats, scale: float) -> Asset:
    """World motion to a skeleton and clips in file coordinates: `scale * rotate(turn, x)`."""
    index = {part: i for i, part in enumerate(order)}
    parents = [index[p] if (p := draft.parents[part]) is not None else -1 for part in order]
    labels = [names[part] for part in order]
    back = rot.conjugate(turn)
    blank = Skeleton.make(labels, parents, np.zeros((len(order), 3)))
    moved = []
    for frames in draft.frames:
        place = np.stack([frames[part][0] for part in order], axis=1)
        spin = np.stack([frames[part][1] for part in order], axis=1)
        place, spin = scale * rot.rotate(turn, place), rot.multiply(rot.multiply(turn, spin), back)
        moved.append(kinematics.local(blank, place, spin))
    rest_place, rest_turn = moved.pop()
    skeleton = Skeleton.make(labels, parents, rest_place[0], rot.unit(rest_turn[0]))
    clips = [
        Motion(skeleton, take.frame_rate, place, rot.continuous(rot.unit(spin)), take.name)
        for take, (place, spin) in zip(draft.takes, moved, strict=True)
    ]
    return Asset(skeleton, tuple(clips), source="synthetic")


def truth_of(draft: Draft, names: dict[str, str], up: Floats, forward: Floats, scale: float) -> Truth:
    """The truth in the file's own words."""
    hips = [draft.place(-1, draft.legs[leg][0])[0, 1] for leg in ("LH", "RH")]
    return Truth(
        "quadruped",
        up,
        forward,
        {leg: [names[part] for part in parts] for leg, parts in draft.legs.items()},
        {leg: [names[part] for part in parts] for leg, parts in draft.feet.items()},
        names[draft.head],
        [names[part] for part in draft.tail],
        float(np.mean(hips)) * scale,
        tuple(clip_truth(take, draft.animal.hip) for take in draft.takes),
    )


def clip_truth(take: Take, hip: float) -> ClipTruth:
    stride = take.stride
    if stride is None:
        return ClipTruth(take.name, "stand", 0.0, take.in_place, contacts=take.down)
    sign = -1 if take.backward else 1
    return ClipTruth(
        take.name,
        "backward" if take.backward else stride.gait,
        stride.speed / hip,
        take.in_place,
        stride.seconds,
        dict.fromkeys(LEGS, stride.duty),
        {leg: (sign * phase) % 1.0 for leg, phase in zip(LEGS, stride.phases, strict=True)},
        stride.style,
        take.down,
    )
