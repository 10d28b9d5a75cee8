"""Rows on real files that were changed as strangers' files differ: turned, scaled, shaken, cut, reversed, with traps.

What is right is what the file says unchanged, where that agrees with its bone names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from canter.anatomy import Anatomy, Character, detect
from canter.anatomy.report import file_anatomy
from canter.evaluation.report import Row, at_least
from canter.motion import Asset, Motion, Skeleton, concatenate, transform
from canter.motion import rotations as rot
from canter.motion.edits import transform_skeleton
from canter.motion.kinematics import forward
from canter.synthetic.body_motion import STILL, Frames
from canter.synthetic.draft import Draft, Take
from canter.synthetic.gaits import Track
from canter.synthetic.rig_file import parents_first, to_asset
from canter.synthetic.traps import TRAPS

EXCERPT_SECONDS, TILT = 1.2, np.radians(12)
NOISE = 0.004
"""Standard deviation of noise, in hip heights."""
UNSURE = 0.5
"""A confidence below this says that the answer may be wrong."""


@dataclass(frozen=True, eq=False)
class Changed:
    """A changed asset, and the names that the foot of each leg may have."""

    asset: Asset
    feet: dict[str, set[str]]


Change = Callable[[Character, Asset, np.random.Generator], Changed]


def mutated_rows(files: Sequence[tuple[Character, Asset]], progress: Callable[[str], None]) -> Iterator[Row]:
    """How often legs and facing of changed files are right, and whether the confidence says where they are not."""
    right: dict[str, list[bool]] = {}
    unsure: list[bool] = []
    doubted: list[bool] = []
    for number, (character, asset) in enumerate(files):
        progress(f"changes of {asset.source}")
        for name, change in CHANGES.items():
            changed = change(character, asset, np.random.default_rng([number, len(name)]))
            found = detect(changed.asset)
            right.setdefault(name, []).append(is_right(found, changed))
            (doubted if right[name][-1] else unsure).append(found.confidence < UNSURE)
    every = [one for values in right.values() for one in values]
    yield at_least(f"real files changed in {len(every)} ways: legs and facing", 100 * float(np.mean(every)), 97, "%")
    if unsure:
        name = f"real files changed: {len(unsure)} wrong answers with a confidence below {UNSURE:g}"
        yield at_least(name, 100 * float(np.mean(unsure)), 80, "%")
    doubts = 100 * float(np.mean(doubted))
    yield Row(f"real files changed: right answers with a confidence below {UNSURE:g}", doubts, "%")
    for name, values in right.items():
        yield Row(f"real files changed: {name}, right of {len(values)}", 100 * float(np.mean(values)), "%")


def is_right(found: Anatomy, changed: Changed) -> bool:
    """Whether the feet of all legs are those that they were: which is left and which is fore says how it faces."""
    names = changed.asset.skeleton.names
    return found.kind == "quadruped" and all(names[leg.foot] in changed.feet[leg.name] for leg in found.legs)


def _as_it_is(character: Character, asset: Asset) -> Changed:
    known = file_anatomy(character)
    names = asset.skeleton.names
    feet = {leg.name: {names[j] for j in _foot_joints(asset.skeleton, leg.joints)} for leg in known.legs}
    return Changed(asset, feet)


def _foot_joints(skeleton: Skeleton, joints: tuple[int, ...]) -> set[int]:
    """The last two joints of a leg and what hangs on the last."""
    return {*joints[-2:], *(int(j) for j in skeleton.subtree(joints[-1]))}


def _turned(by: np.ndarray) -> Change:
    def change(character: Character, asset: Asset, rng: np.random.Generator) -> Changed:
        plain = _as_it_is(character, asset)
        skeleton = transform_skeleton(asset.skeleton, by)
        clips = tuple(transform(clip, by, skeleton=skeleton) for clip in asset.clips)
        return replace(plain, asset=replace(asset, skeleton=skeleton, clips=clips))

    return change


def _tilted(character: Character, asset: Asset, rng: np.random.Generator) -> Changed:
    way = rng.uniform(0, 2 * np.pi)
    known = file_anatomy(character)
    axis = np.cos(way) * known.left + np.sin(way) * known.forward
    return _turned(rot.about(axis, TILT))(character, asset, rng)


def _scaled(size: float) -> Change:
    def change(character: Character, asset: Asset, rng: np.random.Generator) -> Changed:
        skeleton = transform_skeleton(asset.skeleton, scale=size)
        clips = tuple(transform(clip, scale=size, skeleton=skeleton) for clip in asset.clips)
        return replace(_as_it_is(character, asset), asset=replace(asset, skeleton=skeleton, clips=clips))

    return change


def _with_clips(edit: Callable[[Motion, Character, np.random.Generator], Motion]) -> Change:
    def change(character: Character, asset: Asset, rng: np.random.Generator) -> Changed:
        clips = tuple(edit(clip, character, rng) for clip in asset.clips)
        return replace(_as_it_is(character, asset), asset=replace(asset, clips=clips))

    return change


def _noised(clip: Motion, character: Character, rng: np.random.Generator) -> Motion:
    amount = NOISE * character.anatomy.hip_height / character.transform.scale
    return replace(clip, positions=clip.positions + amount * rng.standard_normal(clip.positions.shape))


def _excerpt(clip: Motion, character: Character, rng: np.random.Generator) -> Motion:
    count = max(round(EXCERPT_SECONDS * clip.frame_rate), 2)
    first = int(rng.integers(max(len(clip) - count, 0) + 1))
    return clip[first : first + count]


def _one_frame(clip: Motion, character: Character, rng: np.random.Generator) -> Motion:
    first = int(rng.integers(len(clip)))
    return clip[first : first + 1]


def _shuffled(character: Character, asset: Asset, rng: np.random.Generator) -> Changed:
    """The same joints in another order, parents still before their children."""
    return _redrawn(character, asset, rng, shuffle=True)


def _trapped(name: str) -> Change:
    def change(character: Character, asset: Asset, rng: np.random.Generator) -> Changed:
        return _redrawn(character, asset, rng, trap=name)

    return change


def _redrawn(
    character: Character, asset: Asset, rng: np.random.Generator, shuffle: bool = False, trap: str = ""
) -> Changed:
    """The character as a draft, which a trap may change, written as an asset again: metres, +Y up, +Z forward."""
    draft = draft_of(character)
    if trap:
        TRAPS[trap][1](draft, rng)
    order = parents_first(draft, rng, shuffle)
    identity = np.array([1.0, 0.0, 0.0, 0.0])
    made = to_asset(
        draft, order, {part: part for part in order}, identity, 1.0, np.tile(identity, (len(order), 1)), False
    )
    feet = {leg: set(names) for leg, names in draft.feet.items()}
    return Changed(replace(made, source=asset.source), feet)


def draft_of(character: Character) -> Draft:
    """A character as a draft of parts, in metres, +Y up, +Z forward."""
    skeleton, anatomy = character.skeleton, character.anatomy
    names = skeleton.names
    rest = forward(skeleton, skeleton.offsets[None], skeleton.rotations[None])
    worlds = [(clip.motion.position_world, clip.motion.rotation_world) for clip in character.clips]
    frames: list[Frames] = [
        {name: (places[:, j].astype(np.float64), turns[:, j].astype(np.float64)) for j, name in enumerate(names)}
        for places, turns in (*worlds, rest)
    ]
    return Draft(
        "quadruped",
        anatomy.hip_height,
        [Take(c.name, STILL, Track(0.0), c.motion.frame_rate, np.zeros(len(c.motion))) for c in character.clips],
        {name: names[p] if p >= 0 else None for name, p in zip(names, skeleton.parents.tolist(), strict=True)},
        frames,
        {leg.name: [names[j] for j in leg.joints] for leg in anatomy.legs},
        {leg.name: [names[j] for j in sorted(_foot_joints(skeleton, leg.joints))] for leg in anatomy.legs},
        head=None if anatomy.head is None else names[anatomy.head],
        spine=[names[j] for j in anatomy.spine],
        tail=[names[j] for j in anatomy.tail],
    )


CHANGES: dict[str, Change] = {
    "turned on its side": _turned(rot.about(np.array([1.0, 0.0, 0.0]), np.pi / 2)),
    "turned about the vertical": _turned(rot.about(np.array([0.0, 1.0, 0.0]), 2.1)),
    "100 times larger": _scaled(100.0),
    "100 times smaller": _scaled(0.01),
    "noise": _with_clips(_noised),
    "joints in another order": _shuffled,
    "played twice": _with_clips(lambda clip, *_: concatenate([clip, clip])),
    "1.2 seconds of it": _with_clips(_excerpt),
    "one frame of it": _with_clips(_one_frame),
    "played backward": _with_clips(lambda clip, *_: clip[::-1]),
    "tilted by 12 degrees": _tilted,
    **{f"trap {name}": _trapped(name) for name in TRAPS},
}
