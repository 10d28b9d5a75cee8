"""What studios and exporters leave in the files of captured and hand-keyed animals, to be told from the animal itself.

Each trap is a mutation of a draft, in the order of the table: first joints that are no part of the body, then what
happens to the motion of all of them.
"""

from __future__ import annotations

import itertools

import numpy as np

from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.synthetic.draft import Draft
from canter.synthetic.mutations import Mutation, place_pair, place_still
from canter.synthetic.rig_file import Truth


def nubs(draft: Draft, rng: np.random.Generator) -> None:
    """A leaf beyond the last joint of every chain, as modelling programs mark the end of a bone."""
    legs = {part: leg for leg, parts in draft.feet.items() for part in parts}
    following = {one: (leg, other) for leg, parts in draft.legs.items() for one, other in itertools.pairwise(parts)}
    share = float(rng.uniform(0.3, 0.9))
    for part in [part for part in draft.parents if not draft.children(part) and draft.parents[part] is not None]:
        end = share * (draft.rest(part) - draft.rest(str(draft.parents[part])))
        if part in following:  # its foot hangs elsewhere, and the marker is where that is
            leg, foot = following[part]
            end = draft.rest(foot) - draft.rest(part)
            draft.feet[leg].append(f"{part}.nub")
        if part in legs:
            end[1] = max(end[1], -0.5 * max(draft.rest(part)[1], 0.0))  # it lies on the ground and not below
            draft.feet[legs[part]].append(f"{part}.nub")
        draft.attach(f"{part}.nub", part, end)


def heels(draft: Draft, rng: np.random.Generator) -> None:
    """A second bone on every foot, behind or beside the first."""
    back, aside = (float(rng.uniform(0.05, 0.10)), 0.0) if rng.random() < 0.5 else (0.0, float(rng.uniform(0.04, 0.08)))
    for leg, parts in draft.legs.items():
        ankle = parts[-2] if draft.sole_in_rig else parts[-1]
        toe = draft.rest(parts[-1])
        place = np.array([toe[0] + aside * draft.hip, max(min(toe[1], draft.rest(ankle)[1]), 0.0), toe[2]])
        place[2] -= back * draft.hip + (back > 0) * (toe[2] - draft.rest(ankle)[2])
        draft.attach(f"{leg}.heel", ankle, place - draft.rest(ankle))
        draft.feet[leg].append(f"{leg}.heel")


def armour(draft: Draft, rng: np.random.Generator) -> None:
    """Plates on back and shoulders, which hang down at both sides, and one on the head."""
    last = len(draft.spine) - 1
    for k in sorted({0, last // 2, last} & set(range(len(draft.spine)))):
        drop = float(rng.uniform(0.15, 0.45))
        place_pair(draft, f"plate{k}", draft.spine[k], [(0.16, 0.06, 0.0), (0.06, -drop, 0.0)], draft.hip)
    if draft.head is not None:
        draft.attach("helmet", draft.head, np.array([0.0, 0.1, 0.05]) * draft.hip)


def second_tail(draft: Draft, rng: np.random.Generator) -> bool:
    """The tail once more, a little beside itself."""
    if not draft.tail:
        return False
    away = rng.normal(size=3) * np.array([0.3, 1.0, 0.3])
    away *= 0.03 * draft.hip / np.linalg.norm(away)
    parent = draft.parents[draft.tail[0]]
    for part in list(draft.tail):
        places = [f[part][0] + rot.rotate(f[part][1], away) for f in draft.frames]
        draft.put(f"{part}.copy", parent, places, [f[part][1] for f in draft.frames])
        parent = f"{part}.copy"
    return True


def footsteps(draft: Draft, rng: np.random.Generator) -> None:
    """A helper on the ground below the body, which keeps still or travels with it."""
    root, rests = draft.root(), bool(rng.random() < 0.4)
    lows = [min(float(parts[p][0][:, 1].min()) for p in parts) for parts in draft.frames]
    places = []
    for frames, low in zip(draft.frames, lows, strict=True):
        spot = frames[root][0].copy()
        spot[:, 1] = low
        places.append(np.tile(spot[:1], (len(spot), 1)) if rests else spot)
    draft.put("footsteps", root if rng.random() < 0.7 else None, places)
    draft.static.add("footsteps")


def wrappers(draft: Draft, rng: np.random.Generator) -> None:
    """Nodes above the root that never move: the scene, the armature, a null."""
    for i in range(int(rng.integers(1, 4))):
        tops = [part for part, parent in draft.parents.items() if parent is None]
        place_still(draft, f"wrapper.{i}", None, np.zeros(3))
        for part in tops:
            draft.parents[part] = f"wrapper.{i}"


def motion_root(draft: Draft, rng: np.random.Generator) -> None:
    """A second root beside the animal's own, which travels with it on the ground."""
    root = draft.root()
    places = [f[root][0] * np.array([1.0, 0.0, 1.0]) for f in draft.frames]
    draft.put("motion", None, places, [f[root][1] for f in draft.frames])
    draft.static.add("motion")


def translations(draft: Draft, rng: np.random.Generator) -> None:
    """Joints that also move against their parents, by up to 1.5 % of the height of the hips."""
    still = {part for parts in draft.feet.values() for part in parts} | draft.static
    amount = float(rng.uniform(0.005, 0.015)) * draft.hip
    for frames, take in zip(draft.frames[:-1], draft.takes, strict=True):
        clock = np.arange(len(next(iter(frames.values()))[0])) / take.frame_rate
        for part in [part for part in frames if part not in still]:
            hertz, phase = rng.uniform(0.5, 2.5, 3), rng.uniform(0, 2 * np.pi, 3)
            place, turn = frames[part]
            frames[part] = (place + amount / 2 * np.sin(2 * np.pi * clock[:, None] * hertz + phase), turn)


def drop_outs(draft: Draft, rng: np.random.Generator) -> None:
    """Markers that are lost for a moment: a joint and what hangs on it stay as they were against their parent."""
    for frames, take in zip(draft.frames[:-1], draft.takes, strict=True):
        count = len(next(iter(frames.values()))[0])
        for _ in range(max(1, round(0.4 * count / take.frame_rate))):
            part = str(rng.choice([part for part in frames if draft.parents[part] in frames]))
            first = int(rng.integers(1, max(count - 2, 2)))
            _hold(draft, frames, part, first, min(first + int(rng.integers(2, 7)), count))


def _hold(draft: Draft, frames: dict[str, tuple[Floats, Floats]], part: str, first: int, end: int) -> None:
    """Joint `part` and its subtree keep their place and rotation against their parent of the frame before `first`."""
    place, turn = frames[str(draft.parents[part])]
    moved = rot.multiply(turn[first:end], rot.conjugate(turn[first - 1]))
    waiting = [part]
    while waiting:
        name = waiting.pop()
        waiting += draft.children(name)
        own_place, own_turn = (values.copy() for values in frames[name])
        own_place[first:end] = place[first:end] + rot.rotate(moved, own_place[first - 1] - place[first - 1])
        own_turn[first:end] = rot.multiply(moved, np.broadcast_to(own_turn[first - 1], moved.shape))
        frames[name] = (own_place, own_turn)


def marker_noise(draft: Draft, rng: np.random.Generator) -> None:
    """Joints tremble by up to 0.6 % of the height of the hips."""
    amount = float(rng.uniform(0.002, 0.006)) * draft.hip
    for frames in draft.frames[:-1]:
        for part in [part for part in frames if part not in draft.static]:
            place, turn = frames[part]
            frames[part] = (place + amount * rng.standard_normal(place.shape), turn)


def floor_off(draft: Draft, rng: np.random.Generator) -> None:
    """The floor is up to 3 cm too high or too low."""
    height = min(0.03, 0.1 * draft.hip) * rng.uniform(0.5, 1.0) * rng.choice([-1, 1])
    for frames in draft.frames[:-1]:
        for part, (place, turn) in frames.items():
            frames[part] = (place + np.array([0.0, height, 0.0]), turn)


def floor_tilted(draft: Draft, rng: np.random.Generator) -> None:
    """The room was calibrated badly: everything is tilted by up to 2 degrees."""
    angle, way = np.radians(rng.uniform(1.0, 2.0)), rng.uniform(0, 2 * np.pi)
    tilt = rot.about(np.array([np.cos(way), 0.0, np.sin(way)]), angle)
    for frames in draft.frames[:-1]:
        for part, (place, turn) in frames.items():
            frames[part] = (rot.rotate(tilt, place), rot.multiply(tilt, turn))


TRAPS: dict[str, tuple[float, Mutation]] = {
    "heels": (0.18, heels),
    "armour": (0.15, armour),
    "second_tail": (0.18, second_tail),
    "nubs": (0.25, nubs),
    "footsteps": (0.15, footsteps),
    "wrappers": (0.20, wrappers),
    "motion_root": (0.15, motion_root),
    "translations": (0.18, translations),
    "drop_outs": (0.18, drop_outs),
    "marker_noise": (0.18, marker_noise),
    "floor_off": (0.18, floor_off),
    "floor_tilted": (0.15, floor_tilted),
}


CHOICES: dict[str, tuple[str, tuple[str, ...]]] = {
    "people's names": ("names", ("biped", "arms")),
    "centimetres": ("units", ("centimetres",)),
    "120 Hz": ("frame_rate", ("120",)),
    "tail_hangs": ("tail_hangs", ("True",)),
    "unclosed": ("unclosed", ("True",)),
}
"""Traps that are drawn with the rig: the name of the draw, and what it comes out as."""
OTHER_MUTATIONS = ("jaw", "several_roots", "extra_root")
"""Mutations of other rigs that are traps as well."""


def traps_of(truth: Truth) -> list[str]:
    """The traps of a rig by name."""
    drawn = [name for name, (choice, values) in CHOICES.items() if truth.choices.get(choice) in values]
    return [*drawn, *(name for name in truth.mutations if name in TRAPS or name in OTHER_MUTATIONS)]
