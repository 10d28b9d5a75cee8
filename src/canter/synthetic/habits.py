"""What packs of animals have beyond the rigs of `mutations` and `traps`: bones of many kinds, odd roots, odd clips.

Each habit is a mutation of a draft; those of `CLIP_HABITS` change what the clips show, in drafts whose takes are ready.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from canter.motion import Asset, Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.easing import cubic_step
from canter.synthetic import body_motion as body
from canter.synthetic.draft import Draft, Take
from canter.synthetic.gaits import TAU, Track
from canter.synthetic.mutations import SIDES, Mutation, chest_of, place_pair

ROLL_SECONDS = 3.0
"""How long a clip is that only rolls over or falls."""


# Bones -------------------------------------------------------------------------------------------


def roll_bones(draft: Draft, rng: np.random.Generator) -> None:
    """Bones that are divided in the middle, the lower part hanging on the upper, to share its twist."""
    share = float(rng.uniform(0.3, 0.6))
    for leg, parts in draft.legs.items():
        for upper, lower in list(itertools.pairwise(parts))[:3]:
            if draft.parents[lower] == upper:
                name = f"{leg}.roll.{upper.split('.')[1]}"
                draft.attach(name, upper, share * (draft.rest(lower) - draft.rest(upper)))
                draft.parents[lower] = name


def long_ears(draft: Draft, rng: np.random.Generator) -> None:
    """Ears of many bones, upright or hanging."""
    size, count = float(rng.uniform(0.5, 1.4)), int(rng.integers(3, 7))
    way = (0.15, 1.0, -0.2) if rng.random() < 0.6 else (0.5, -0.9, 0.0)
    chain = [(0.25, 0.3, -0.1), *[(way[0] * size / count, way[1] * size / count, way[2] * size / count)] * count]
    place_pair(draft, "ear", "head", chain, _head(draft))


def antlers(draft: Draft, rng: np.random.Generator) -> None:
    """Antlers with three points each."""
    place_pair(draft, "antler", "head", [(0.15, 0.35, 0.0), (0.3, 0.5, -0.2), (0.2, 0.6, 0.0)], _head(draft))
    for side, sign in SIDES.items():
        for k in range(3):
            offset = np.array([sign * 0.1, 0.3, 0.3]) * _head(draft)
            draft.attach(f"point.{side}.{k}", f"antler.{side}.{k}", offset)


def fingered_wings(draft: Draft, rng: np.random.Generator) -> None:
    """Wings of three bones with fingers, which beat or are held out."""
    beats, span = bool(rng.random() < 0.5), float(rng.uniform(0.4, 0.9)) * draft.hip
    hertz = float(rng.uniform(1.0, 2.5)) / np.sqrt(draft.hip)
    chest = chest_of(draft)
    chain = [(0.15, 0.15, 0.0), (0.6, 0.5, -0.2), (0.7, -0.2, -0.2)]
    fingers = [(0.6, 0.0, -0.3), (0.4, -0.1, -0.7), (0.1, -0.1, -0.9)]
    for side, sign in SIDES.items():
        away = np.cumsum([np.array([sign * x, y, z]) * span for x, y, z in chain], axis=0)
        parent = chest
        for k, place in enumerate(away):
            _beating(draft, f"wing.{side}.{k}", parent, place, hertz if beats and k else 0.0, sign)
            parent = f"wing.{side}.{k}"
        for k, (x, y, z) in enumerate(fingers):
            top = parent
            for n in (1, 2):
                name, offset = f"finger.{side}.{2 * k + n}", np.array([sign * x, y, z]) * span * n / 2
                _beating(draft, name, top, away[-1] + offset, hertz if beats else 0.0, sign)
                top = name


def _beating(draft: Draft, name: str, parent: str, away: Floats, hertz: float, sign: float) -> None:
    """A joint `away` from the chest that swings up and down about the axis of the trunk, `hertz` times a second."""
    places, turns = [], []
    for k, frames in enumerate(draft.frames):
        place, turn = frames[chest_of(draft)]
        rate = draft.takes[k].frame_rate if k < len(draft.takes) else 30.0
        angle = sign * 0.6 * np.sin(TAU * hertz * np.arange(len(place)) / rate)
        own = rot.multiply(turn, rot.about(np.array([0.0, 0.0, 1.0]), angle))
        places.append(place + rot.rotate(own, away))
        turns.append(own)
    draft.put(name, parent, places, turns)


def jiggle_bones(draft: Draft, rng: np.random.Generator) -> None:
    """Leaves for belly, breast and thighs, which follow late."""
    tops = [chest_of(draft), "spine.1", *(parts[0] for parts in draft.legs.values())]
    for k, top in enumerate(top for top in tops if top in draft.parents):
        side = np.sign(draft.rest(top)[0])
        draft.attach(f"jiggle.{k}", top, np.array([0.1 * side, -0.25 if side == 0 else -0.1, 0.05]) * draft.hip)
        for frames in draft.frames[:-1]:
            place, turn = frames[f"jiggle.{k}"]
            frames[f"jiggle.{k}"] = (0.5 * (place + np.concatenate([place[:1], place[:-1]])), turn)


def control_legs(draft: Draft, rng: np.random.Generator) -> None:
    """Every leg once more on the root, bone by bone in the same place: control rigs export both."""
    root = draft.root()
    for leg, parts in draft.legs.items():
        top = root
        for part in parts:
            name = f"{leg}.control.{part.split('.')[1]}"
            draft.put(name, top, [f[part][0].copy() for f in draft.frames], [f[part][1] for f in draft.frames])
            top = name
            if part in draft.feet[leg]:
                draft.feet[leg].append(name)
        draft.legs[leg] = [*parts, *(f"{leg}.control.{part.split('.')[1]}" for part in parts)]


def rider(draft: Draft, rng: np.random.Generator) -> bool:
    """A person on the back of a large animal: trunk, head, arms that reach forward, legs that hang at both sides."""
    if draft.animal is None or draft.animal.hip < 0.8:
        return False
    back, size = draft.spine[len(draft.spine) // 2], 0.9
    draft.attach("rider", back, np.array([0.0, 0.25, 0.0]) * size)
    for name, parent, y in (("rider.back", "rider", 0.3), ("rider.chest", "rider.back", 0.25)):
        draft.attach(name, parent, np.array([0.0, y, 0.0]) * size)
    draft.attach("rider.head", "rider.chest", np.array([0.0, 0.3, 0.0]) * size)
    arm = [(0.2, 0.05, 0.0), (0.05, -0.25, 0.05), (-0.05, -0.05, 0.25)]
    leg = [(0.1, -0.05, 0.0), (0.15, -0.2, 0.35), (0.05, -0.4, -0.1), (0.0, 0.0, 0.15)]
    place_pair(draft, "rider.arm", "rider.chest", arm, size)
    place_pair(draft, "rider.leg", "rider", leg, size)
    return True


def headless(draft: Draft, rng: np.random.Generator) -> None:
    """A machine: four legs and a trunk, with neither neck nor head nor tail."""
    waiting: list[str] = [part for part in ("neck.0", "tail.0") if part in draft.parents]
    kept = {part for parts in draft.legs.values() for part in parts}
    dropped: list[str] = []
    while waiting:
        part = waiting.pop()
        dropped.append(part)
        waiting += draft.children(part)
    if kept & set(dropped):
        return
    draft.head, draft.tail = None, []
    for part in reversed(dropped):
        draft.drop(part)


# Roots -------------------------------------------------------------------------------------------


def root_at_neck(draft: Draft, rng: np.random.Generator) -> None:
    """The hierarchy begins at the base of the neck."""
    _rehang(draft, "neck.0")


def root_at_head(draft: Draft, rng: np.random.Generator) -> None:
    """The hierarchy begins at the head."""
    _rehang(draft, "head")


def root_at_tail(draft: Draft, rng: np.random.Generator) -> bool:
    """The hierarchy begins at the tail."""
    if not draft.tail:
        return False
    _rehang(draft, draft.tail[0])
    return True


def _rehang(draft: Draft, part: str) -> None:
    """Make a part the root: the way up from it is turned round."""
    above: str | None = None
    here: str | None = part
    while here is not None:
        draft.parents[here], above, here = above, here, draft.parents[here]


# Clips -------------------------------------------------------------------------------------------


def lame(takes: Sequence[Take], rng: np.random.Generator) -> None:
    """One leg is held up in all clips."""
    leg = int(rng.integers(4))
    for take in takes:
        take.lame = leg


def more_clip(takes: list[Take], name: str) -> None:
    """One more clip, which stands: rolling and falling begin with it."""
    rate = takes[0].frame_rate
    takes.append(Take(name, body.STILL, Track(0.0), rate, np.arange(round(ROLL_SECONDS * rate)) / rate, in_place=True))


def rolls_over(draft: Draft, take: int, rng: np.random.Generator) -> None:
    """The animal rolls over once, in the middle half of a clip."""
    when = np.linspace(0, 1, len(draft.frames[take]["spine.0"][0]))
    _roll(draft, take, TAU * cubic_step(np.clip(2 * when - 0.5, 0, 1)) * rng.choice([-1, 1]))


def falls(draft: Draft, take: int, rng: np.random.Generator) -> None:
    """The animal falls on its side and stays there."""
    when = np.linspace(0, 1, len(draft.frames[take]["spine.0"][0]))
    _roll(draft, take, 0.25 * TAU * cubic_step(np.clip(4 * when - 0.5, 0, 1)) * rng.choice([-1, 1]))


def _roll(draft: Draft, take: int, angle: Floats) -> None:
    """Turn the whole animal about the axis of its trunk, which always lies or stands on the ground."""
    frames = draft.frames[take]
    pelvis, chest = frames[draft.spine[0]][0], frames[draft.spine[-1]][0]
    centre = (pelvis + chest) / 2
    along = rot.normalize((chest - pelvis) * np.array([1.0, 0.0, 1.0]))
    turn = rot.about(along, angle)
    rolled = {part: centre + rot.rotate(turn, place - centre) for part, (place, _) in frames.items()}
    ground, lowest = (
        np.minimum.reduce([place[:, 1] for place in places])
        for places in ([place for place, _ in frames.values()], list(rolled.values()))
    )
    down = np.stack([0 * ground, ground - lowest, 0 * ground], axis=-1)
    for part, (_, own) in frames.items():
        frames[part] = (rolled[part] + down, rot.multiply(turn, own))


def hand_keyed(asset: Asset, rng: np.random.Generator) -> Asset:
    """Clips of which only every second to fourth frame was posed; the others are interpolated, joint by joint."""
    gap, eased = int(rng.integers(2, 5)), bool(rng.random() < 0.5)
    return _with_clips(asset, lambda clip: _keyed(clip, gap, eased))


def _keyed(clip: Motion, gap: int, eased: bool) -> Motion:
    count = len(clip)
    keys = np.unique([*range(0, count, min(gap, max(count // 5, 1))), count - 1])
    before = np.clip(np.searchsorted(keys, np.arange(count), side="right") - 1, 0, len(keys) - 2)
    share = (np.arange(count) - keys[before]) / np.diff(keys)[before]
    share = cubic_step(share) if eased else share
    first, second = keys[before], keys[before + 1]
    weight = share[:, None, None]
    positions = (1 - weight) * clip.positions[first] + weight * clip.positions[second]
    rotations = rot.slerp(clip.rotations[first], clip.rotations[second], share[:, None])
    return replace(clip, positions=positions.astype(clip.positions.dtype), rotations=rotations)


def bind_frames(asset: Asset, rng: np.random.Generator) -> Asset:
    """Two or three frames of the bind pose, at the origin, at the head of every clip."""
    count = int(rng.integers(2, 4))
    bind = asset.skeleton.offsets.copy()
    bind[asset.skeleton.parents < 0] = 0

    def bound(clip: Motion) -> Motion:
        positions = np.concatenate([np.tile(bind, (count, 1, 1)), clip.positions])
        rotations = np.concatenate([np.tile(asset.skeleton.rotations, (count, 1, 1)), clip.rotations])
        return replace(clip, positions=positions.astype(clip.positions.dtype), rotations=rotations)

    return _with_clips(asset, bound)


def _with_clips(asset: Asset, change: Callable[[Motion], Motion]) -> Asset:
    return replace(asset, clips=tuple(change(clip) for clip in asset.clips))


def _head(draft: Draft) -> float:
    assert draft.animal is not None
    return draft.animal.head


HABITS: dict[str, tuple[float, Mutation]] = {
    "roll_bones": (0.10, roll_bones),
    "long_ears": (0.10, long_ears),
    "antlers": (0.10, antlers),
    "fingered_wings": (0.10, fingered_wings),
    "jiggle_bones": (0.10, jiggle_bones),
    "rider": (0.10, rider),
    "control_legs": (0.10, control_legs),
    "root_at_neck": (0.10, root_at_neck),
    "root_at_head": (0.05, root_at_head),
    "root_at_tail": (0.05, root_at_tail),
    "headless": (0.05, headless),
}
"""Probability and mutation by name."""
