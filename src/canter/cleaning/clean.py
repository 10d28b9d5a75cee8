"""Cleaning clips: standing feet are planted with all that goes with them, loops closed, animals put on the ground.

Everything is done on canonical clips that travel, and then converted back into the file's own axes and units; a clip
that walked in place still does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from canter.anatomy.canonical import to_canonical, understand
from canter.anatomy.character import Anatomy, Character, Clip, Transform
from canter.anatomy.ground import ground_track
from canter.anatomy.loose_joints import LooseJoints, companions, moved_along
from canter.anatomy.standing import sole_heights
from canter.cleaning.loop_cuts import loop_cut, nearly_loops
from canter.motion import Asset, Motion, Skeleton, close_loop, metrics, plant_feet, transform
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.motion.feet import Height, stances
from canter.motion.loops import Track

STRAIGHT_LOOP_TURN = np.radians(3)
"""A loop that turns less than this goes straight ahead."""
LEVEL_HIP_HEIGHTS = 0.05
"""Stances whose heights differ by less than this many hip heights are on level ground."""
ROLL_HIP_HEIGHTS = 0.02
"""A foot joint that rises and sinks by more hip heights than this within a stance rolls over its toes; it may."""
MAX_DROP_HIP_HEIGHTS = 0.08
"""How far the body may sink to let a foot stay where it is."""


@dataclass(frozen=True)
class Quality:
    """How clean a clip is, in centimetres.

    Mean and largest stance slip; MANN's skating in cm a frame of 60 a second, with heights from the ground that
    the feet stand on; the gap of a loop (NaN for no loop); how far the standing feet are off the file's height zero.
    """

    slip_mean: float
    slip_max: float
    skating: float
    loop_gap: float
    off_ground: float


@dataclass(frozen=True, eq=False)
class CleanClip:
    """A clip in the file's coordinates, with its quality before and after, and notes on what else was changed."""

    motion: Motion
    before: Quality
    after: Quality
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Cleaned:
    """The asset with clean clips, in its own axes and units, and the quality of each clip before and after."""

    asset: Asset
    clips: tuple[CleanClip, ...]


def clean(asset: Asset, character: Character | None = None, *, cut_loops: bool = False) -> Cleaned:
    """Feet planted, loops closed, everything on the ground; `character` is that of the asset, if it is known already.

    `cut_loops` makes a loop of a take that travels with a steady gait: it is cut to the whole strides that meet best.
    """
    character = understand(asset) if character is None else character
    if len(character.anatomy.legs) < 2:
        raise ValueError(f"{character.name}: no legs were found, so there are no feet to clean")
    soles, loose = sole_heights(character), companions(character)
    clips = tuple(
        _clean_clip(motion, clip, character, soles, loose, cut_loops)
        for motion, clip in zip(asset.clips, character.clips, strict=True)
    )
    return Cleaned(replace(asset, clips=tuple(c.motion for c in clips)), clips)


def _clean_clip(
    source: Motion, clip: Clip, character: Character, soles: Floats, loose: LooseJoints, cut_loops: bool
) -> CleanClip:
    anatomy, feet = character.anatomy, clip.footfalls
    notes = []
    motion, contacts, loop = clip.motion, feet.contacts, feet.loop and len(clip.motion) > 2
    loop = loop or (not feet.in_place and not cut_loops and nearly_loops(clip, anatomy))
    velocity = _added_travel(to_canonical(source, character.transform, character.skeleton), motion)
    if cut_loops and not loop and not feet.in_place and (span := loop_cut(clip, anatomy)):
        motion, contacts, loop = motion[span[0] : span[1] + 1], contacts[span[0] : span[1] + 1], True
        notes.append(f"cut to a loop, frames {span[0]} to {span[1]}")
    elif len(motion) != len(source):
        notes.append(f"{len(motion)} frames instead of {len(source)}: {_why_other_length(len(motion) - len(source))}")
    before = _quality(motion, anatomy, contacts, loop, soles)
    before = replace(before, off_ground=before.off_ground - 100 * float(character.transform.translation[1]))
    if loop:
        motion = close_loop(motion, track=_track(motion, anatomy))
    motion = _grounded(motion, anatomy, contacts, soles)
    if loop or not feet.in_place or feet.gait == "stand":
        planted = plant_feet(
            motion,
            [leg.chain for leg in anatomy.legs],
            contacts,
            heights=_heights(motion, anatomy, contacts, soles, loop),
            max_drop=MAX_DROP_HIP_HEIGHTS * anatomy.hip_height,
            periodic=loop,
            track=_track(motion, anatomy) if loop else None,
        )
        motion = moved_along(planted, motion, loose)
    else:
        notes.append("neither a loop nor travelling, so its feet were left alone")
    after = _quality(motion, anatomy, contacts, loop, soles)
    return CleanClip(_put_back(motion, velocity, character.transform, source.skeleton), before, after, tuple(notes))


def _why_other_length(more: int) -> str:
    return "the last now repeats the first" if more > 0 else "a bind pose or a still beginning or end was cut off"


# The ground --------------------------------------------------------------------------------------


def _grounded(motion: Motion, anatomy: Anatomy, contacts: Bools, soles: Floats) -> Motion:
    """Raised or lowered as a whole until its feet stand on the ground."""
    off = _off_ground(motion, anatomy, contacts, soles)
    return transform(motion, translation=[0.0, -off, 0.0]) if np.isfinite(off) else motion


def _off_ground(motion: Motion, anatomy: Anatomy, contacts: Bools, soles: Floats) -> float:
    heights = motion.position_world[:, anatomy.feet, 1] - soles
    down = heights[contacts]
    return float(np.median(down)) if len(down) else float("nan")


# Feet and loops ----------------------------------------------------------------------------------


def _heights(motion: Motion, anatomy: Anatomy, contacts: Bools, soles: Floats, loop: bool) -> list[Height]:
    """At which height each foot is planted: on level ground on its sole, unless it rolls; else as it is."""
    height = motion.position_world[:, anatomy.feet, 1]
    if loop:  # three times over, so that stances over the seam are seen whole
        height, contacts = (np.concatenate([x[:-1], x[:-1], x]) for x in (height, contacts))
    level = _is_level(height - soles, contacts, LEVEL_HIP_HEIGHTS * anatomy.hip_height)
    rolls = [_roll(height[:, k], contacts[:, k]) >= ROLL_HIP_HEIGHTS * anatomy.hip_height for k in range(len(soles))]
    return [float(sole) if level and not roll else "keep" for sole, roll in zip(soles, rolls, strict=True)]


def _is_level(height: Floats, contacts: Bools, tolerance: float) -> bool:
    """Whether the feet `(T, L)` are about as high in all stances: not on stairs or a slope."""
    medians = [
        np.median(height[first:stop, k])
        for k in range(contacts.shape[1])
        for first, stop in stances(contacts[:, k])
        if stop - first > 2
    ]
    return bool(medians) and float(np.ptp(medians)) < tolerance


def _roll(height: Floats, down: Bools) -> float:
    """How much a foot joint `(T,)` rises and sinks within a stance, the median over stances."""
    stood = [height[first:stop] for first, stop in stances(down)]
    spans = [np.percentile(h, 90) - np.percentile(h, 10) for h in stood]
    return float(np.median(spans)) if spans else 0.0


def _track(motion: Motion, anatomy: Anatomy) -> Track:
    """The ground track of a loop, without a turn that is only its gap."""
    track = ground_track(motion, anatomy, smooth=False)
    turn = float(track.facings[-1] - track.facings[0])
    facings = np.zeros(len(motion)) if abs(turn) < STRAIGHT_LOOP_TURN else track.facings
    return track.positions, facings


def _quality(motion: Motion, anatomy: Anatomy, contacts: Bools, loop: bool, soles: Floats) -> Quality:
    feet = motion.position_world[:, anatomy.feet]
    slip = metrics.stance_slip(feet, contacts)
    off = _off_ground(motion, anatomy, contacts, soles)
    ground = soles + off if np.isfinite(off) else None
    skating = float(np.mean(metrics.foot_skating(feet, motion.frame_rate, ground=ground)))
    gap = metrics.loop_closure(motion, track=_track(motion, anatomy)).position if loop else float("nan")
    return Quality(slip.mean, slip.max, skating, gap, 100 * off)


# Back into the file ------------------------------------------------------------------------------


def _added_travel(source: Motion, motion: Motion) -> Floats:
    """The velocity (3,) that `understand` added to a clip that walks in place; zero for others."""
    same = np.abs(source.positions - motion.positions[0]).max(axis=(1, 2))
    start = int(np.argmin(same))
    root = int(np.flatnonzero(source.skeleton.parents < 0)[0])
    if start + 1 >= len(source) or len(motion) < 2:
        return np.zeros(3)
    steps = (motion.positions[1, root] - source.positions[start + 1, root]) * motion.frame_rate
    moved: Floats = steps.astype(np.float64)
    return moved if np.linalg.norm(moved) > 1e-4 else np.zeros(3)


def _put_back(motion: Motion, velocity: Floats, shift: Transform, skeleton: Skeleton) -> Motion:
    """From canonical coordinates to the file's, the added travel taken out again, the ground at the file's zero."""
    travel = np.arange(len(motion))[:, None] / motion.frame_rate * velocity
    motion = transform(motion, translation=-travel)
    back = rot.conjugate(shift.rotation)
    level = shift.translation * np.array([1.0, 0.0, 1.0])
    return transform(motion, back, -rot.rotate(back, level) / shift.scale, 1 / shift.scale, skeleton)
