"""From a draft to the content of a file: axes, units, joint order, names, rest rotations, noise; and ground truth."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from canter.anatomy.character import Kind
from canter.motion import Asset, Motion, Skeleton, kinematics
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.synthetic.dice import Dice
from canter.synthetic.draft import Draft, Performance, Take
from canter.synthetic.names import SCHEMES, file_names


@dataclass(frozen=True, eq=False)
class ClipTruth:
    """What one clip really shows. Speed is in hip heights a second; a stand has no stride, duty or phases.

    `contacts (T, 4)` in the order of the legs. An animal that backs up has the gait "backward" and a positive speed.
    """

    name: str
    gait: str
    speed: float
    in_place: bool
    stride_seconds: float = float("nan")
    duty: dict[str, float] = field(default_factory=dict)
    phases: dict[str, float] = field(default_factory=dict)
    style: str = ""
    """"transverse" or "rotary", of canter and gallop."""
    contacts: Bools = field(default_factory=lambda: np.zeros((0, 4), bool))


@dataclass(frozen=True, eq=False)
class Truth:
    """What the rig really is, in the names and coordinates of its file.

    `legs` run from hip or scapula to the last joint of the foot; `feet` are all joints that may be called the foot,
    that is those below the last long bone. `forward` is the mean facing of a clip that turns. `hip_height` is the
    height of the hind hip joints of the standing animal, in file units.
    """

    kind: Kind
    up: Floats
    forward: Floats
    legs: dict[str, list[str]]
    feet: dict[str, list[str]]
    arms: dict[str, list[str]]
    head: str | None
    tail: list[str]
    hip_height: float
    clips: tuple[ClipTruth, ...]
    mutations: tuple[str, ...] = ()
    choices: dict[str, str] = field(default_factory=dict)
    """Everything that was drawn by name, such as `body` or `clip`, to see what failures have in common."""
    sole_in_rig: bool = True
    """Whether the rig has a joint that stays put on the ground in stance: the last of each leg."""


@dataclass(frozen=True, eq=False)
class SyntheticRig:
    """A file's content and the truth about it."""

    asset: Asset
    truth: Truth


AXES: dict[str, tuple[tuple[int, int, int], tuple[int, int, int]]] = {
    "y up, z forward": ((0, 1, 0), (0, 0, 1)),
    "y up, -z forward": ((0, 1, 0), (0, 0, -1)),
    "y up, x forward": ((0, 1, 0), (1, 0, 0)),
    "z up, -y forward": ((0, 0, 1), (0, -1, 0)),
    "z up, x forward": ((0, 0, 1), (1, 0, 0)),
    "z up, y forward": ((0, 0, 1), (0, 1, 0)),
    "x up, z forward": ((1, 0, 0), (0, 0, 1)),
    "-y up, z forward": ((0, -1, 0), (0, 0, 1)),
    "-x up, y forward": ((-1, 0, 0), (0, 1, 0)),
    "-z up, x forward": ((0, 0, -1), (1, 0, 0)),
}
AXES_SHARES = dict(zip(AXES, (0.25, 0.12, 0.10, 0.13, 0.10, 0.10, 0.05, 0.05, 0.05, 0.05), strict=True))
UNITS = {"metres": 1.0, "centimetres": 100.0, "millimetres": 1000.0, "inches": 39.37, "game": 0.0}
UNIT_SHARES = {"metres": 0.3, "centimetres": 0.3, "millimetres": 0.1, "inches": 0.1, "game": 0.2}
ANY_YAW, SHUFFLED, REST_TURNS, NOISE, END_SITES = 0.2, 0.4, 0.5, 0.3, 0.3
"""Probabilities of a forward off the axes, joints out of order, turned rest poses, noise, marked end sites."""


def finish(draft: Draft, dice: Dice) -> SyntheticRig:
    """Put the draft into the axes, units, order and names of a file."""
    up, forward = (np.array(axis, float) for axis in AXES[dice.pick("axes", AXES_SHARES)])
    if dice.chance("any_yaw", ANY_YAW):
        forward = rot.rotate(rot.about(up, dice.stream("yaw").uniform(-np.pi, np.pi)), forward)
    turn = rot.from_matrix(np.stack([np.cross(up, forward), up, forward], axis=-1))
    scale = UNITS[dice.pick("units", UNIT_SHARES)] or float(10 ** dice.stream("game units").uniform(-2, 2))
    if dice.chance("noise", NOISE):
        _shake(draft, dice.stream("noise"))
    order = parents_first(draft, dice.stream("order"), dice.chance("shuffled", SHUFFLED))
    names = file_names(order, dice.pick("names", SCHEMES))
    own = _rest_turns(order, turn, dice.stream("rest"), dice.chance("rest_turns", REST_TURNS))
    ends = dice.chance("end_sites", END_SITES)
    asset = to_asset(draft, order, names, turn, scale, own, ends)
    return SyntheticRig(asset, truth_of(draft, names, up, forward, scale, dice.chosen))


def parents_first(draft: Draft, rng: np.random.Generator, shuffle: bool) -> list[str]:
    """All parts, parents before children, in a random order or branch by branch."""
    order: list[str] = []
    waiting = [part for part, parent in draft.parents.items() if parent is None]
    waiting.sort(key=lambda part: part != draft.root())
    while waiting:
        part = waiting.pop(int(rng.integers(len(waiting))) if shuffle else 0)
        order.append(part)
        waiting[:0] = draft.children(part)
    return order


def _shake(draft: Draft, rng: np.random.Generator) -> None:
    """Add up to 0.3 % of the body's size of noise to every place of every clip, as captures have it."""
    places = np.stack([draft.rest(part) for part in draft.parents if part not in draft.static])
    size = float(np.ptp(places, axis=0).max())
    amount = float(rng.uniform(0.0003, 0.0015)) * size
    for frames in draft.frames[:-1]:
        for part, (place, turn) in frames.items():
            if part not in draft.static:
                frames[part] = (place + amount * rng.standard_normal(place.shape), turn)


def _rest_turns(order: list[str], turn: Floats, rng: np.random.Generator, wild: bool) -> Floats:
    """What each joint is turned by in the rest pose `(J, 4)`, before the file's axes: none in the file, or any."""
    plain = np.tile(rot.conjugate(turn), (len(order), 1))
    return rot.unit(rng.standard_normal(plain.shape)) if wild else plain


def to_asset(
    draft: Draft, order: list[str], names: dict[str, str], turn: Floats, scale: float, own: Floats, ends: bool
) -> Asset:
    """World motion to a skeleton and clips in file coordinates: `scale * rotate(turn, x)`."""
    index = {part: i for i, part in enumerate(order)}
    parents = [-1 if (parent := draft.parents[part]) is None else index[parent] for part in order]
    labels = [names[part] for part in order]
    blank = Skeleton.make(labels, parents, np.zeros((len(order), 3)))
    moved = []
    for frames in draft.frames:
        place = np.stack([frames[part][0] for part in order], axis=1)
        spin = np.stack([frames[part][1] for part in order], axis=1)
        spin = rot.multiply(rot.multiply(turn, spin), own)
        moved.append(kinematics.local(blank, scale * rot.rotate(turn, place), spin))
    rest_place, rest_turn = moved.pop()
    tips = np.array([ends and not draft.children(part) and part.split(".")[-1] in ENDS for part in order])
    skeleton = Skeleton.make(labels, parents, rest_place[0], rot.unit(rest_turn[0]), tips)
    clips = [_clip(take, skeleton, *local) for take, local in zip(draft.takes, moved, strict=True)]
    return Asset(skeleton, tuple(clips), source="synthetic")


ENDS = ("toe", "nose", "end", "nub")
"""Leaves that never turn against their parent, which BVH files keep as End Sites."""


def _clip(take: Performance, skeleton: Skeleton, places: Floats, turns: Floats) -> Motion:
    if take.bind_first:
        bind = skeleton.offsets.copy()
        bind[skeleton.parents < 0] = 0
        places = np.concatenate([bind[None], places])
        turns = np.concatenate([skeleton.rotations[None], turns])
    return Motion(skeleton, take.frame_rate, places, rot.continuous(rot.unit(turns)), take.name)


def truth_of(
    draft: Draft, names: dict[str, str], up: Floats, forward: Floats, scale: float, chosen: dict[str, str]
) -> Truth:
    """The ground truth in the names and coordinates of the file."""

    def named(chains: dict[str, list[str]]) -> dict[str, list[str]]:
        return {key: [names[part] for part in parts] for key, parts in chains.items()}

    return Truth(
        draft.kind,
        up,
        forward,
        named(draft.legs),
        named(draft.feet),
        named(draft.arms),
        names[draft.head] if draft.head else None,
        [names[part] for part in draft.tail],
        draft.hip * scale,
        tuple(clip_truth(draft, take) for take in draft.takes if isinstance(take, Take)),
        tuple(draft.mutations),
        chosen,
        draft.sole_in_rig,
    )


def clip_truth(draft: Draft, take: Take) -> ClipTruth:
    """What a take shows."""
    stride, legs = take.stride, tuple(draft.legs)
    down = take.down[:, : len(legs)]
    if take.bind_first:
        down = np.concatenate([np.zeros_like(down[:1]), down])
    if not legs:
        return ClipTruth(take.name, stride.gait, float("nan"), take.in_place)
    if stride.gait == "stand":
        return ClipTruth(take.name, "stand", 0.0, take.in_place, contacts=down)
    sign = -1 if take.backward else 1
    return ClipTruth(
        take.name,
        "backward" if take.backward else stride.gait,
        stride.speed / draft.hip,
        take.in_place,
        stride.seconds,
        dict.fromkeys(legs, stride.duty),
        {leg: (sign * phase) % 1.0 for leg, phase in zip(legs, stride.phases, strict=False)},
        stride.style,
        down,
    )
