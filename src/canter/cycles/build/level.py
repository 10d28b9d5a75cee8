"""Strides put on the ground: all of an animal's at one level, and no foot below it.

Loops that were keyed apart float or sink, each by a little of its own, and a driven animal takes the height of its feet
from them: without this a wolf would rise from the ground when it runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from canter.anatomy import Anatomy, Clip
from canter.motion import Motion, leg_flexion, solve_leg, transform
from canter.motion.arrays import Bools, Floats
from canter.motion.feet import foot_targets
from canter.motion.metrics import stance_slip

LEVEL = 0.01
"""Hip heights by which a clip may be off the level of the others and stay as it is."""
SUNK = 0.002
"""Hip heights below ground that are left alone."""
SLIDES = 0.02
"""Hip heights over which a standing foot may slide in a clip that is left as it is."""
EASE = 0.12
"""Shares of a stride in which a foot goes over from where it stood to where it swings in the clip."""
MOST, DEEPEST = 0.98, 0.08
"""The share of its length that a standing leg has at most, and hip heights by which the trunk is let down for it."""
LOWER = 25
"""The percentile of a standing foot's heights that is its level: feet roll up at the ends of a stance."""


def on_one_level(clips: Sequence[Clip], anatomy: Anatomy, reference: Clip) -> list[Clip]:
    """The clips as high as the `reference` with most of their standing feet, and above ground with all."""
    wanted = _levels(reference, anatomy)
    result = []
    for clip in clips:
        off = float(np.nanmedian(_levels(clip, anatomy) - wanted))
        motion = clip.motion
        if abs(off) > LEVEL * anatomy.hip_height:
            motion = transform(motion, translation=[0.0, -off, 0.0])
        result.append(replace(clip, motion=above_ground(motion, anatomy)))
    return result


def above_ground(motion: Motion, anatomy: Anatomy) -> Motion:
    """The motion with feet lifted to the ground where they would be below it, and legs that follow."""
    feet = motion.position_world[:, anatomy.feet].astype(np.float64)
    if feet[..., 1].min() > -SUNK * anatomy.hip_height:
        return motion
    positions, turns = (x.astype(np.float64) for x in (motion.positions, motion.rotations))
    for k, leg in enumerate(anatomy.legs):
        frames = np.flatnonzero(feet[:, k, 1] < 0)
        if not len(frames):
            continue
        chain, places = leg.chain, feet[frames, k] * np.array([1.0, 0.0, 1.0])
        bends = leg_flexion(motion.skeleton, motion.positions, motion.rotations, chain)
        solved = solve_leg(
            motion.skeleton, positions[frames], turns[frames], chain, places, foot_rotation="keep_world", flexion=bends
        )
        positions[frames], turns[frames] = solved.positions, solved.rotations
    return replace(motion, positions=positions, rotations=turns)


def unslid(motion: Motion, anatomy: Anatomy, velocity: Floats, touchdowns: Floats, duty: Floats) -> Motion:
    """A stride seen from its track whose standing feet go back as steadily as the track goes on; one whose feet hardly
    slide stays as it is.

    `velocity (2,)` is that of the track to the left and ahead, `touchdowns (L,)` and `duty (L,)` are shares of the
    stride. What a driven animal would have to make up for in every stride, legs out of reach above all, is so made up
    for once: the trunk sinks smoothly where a leg is short, and no leg is straight, for a straight one has no knee to
    bend.
    """
    count, height = len(motion), anatomy.hip_height
    contacts = (np.arange(3 * count)[:, None] / count - touchdowns) % 1.0 < duty
    way = np.arange(3 * count)[:, None] / motion.frame_rate * np.array([velocity[0], 0.0, velocity[1]])
    feet = np.tile(motion.position_world[:, anatomy.feet].astype(np.float64), (3, 1, 1)) + way[:, None]
    middle = slice(count, 2 * count)
    if not stance_slip(feet, contacts).max / 100 >= SLIDES * height:
        return motion
    ease = EASE * count / motion.frame_rate
    targets = (foot_targets(feet, contacts, motion.frame_rate, ease, "keep") - way[:, None])[middle]
    positions: Floats = motion.positions.astype(np.float64)
    turns: Floats = motion.rotations.astype(np.float64)
    legs = [motion.position_world[:, leg.chain] for leg in anatomy.legs]
    drop = _smooth(np.clip(_lack(legs, targets, contacts[middle]), 0.0, DEEPEST * height))
    positions[:, motion.skeleton.parents < 0, 1] -= drop[:, None]
    for k, leg in enumerate(anatomy.legs):
        chain = leg.chain
        bends = leg_flexion(motion.skeleton, motion.positions, motion.rotations, chain)
        solved = solve_leg(
            motion.skeleton,
            positions,
            turns,
            chain,
            targets[:, k],
            foot_rotation="keep_world",
            flexion=bends,
            reach=MOST,
        )
        positions, turns = solved.positions, solved.rotations
    return replace(motion, positions=positions, rotations=turns)


def _lack(legs: Sequence[Floats], targets: Floats, contacts: Bools) -> Floats:
    """How much too high the trunk is in each frame `(T,)` for the standing legs to be bent a little."""
    need = np.zeros(len(targets))
    for k, points in enumerate(legs):
        longest = MOST * float(np.median(np.linalg.norm(np.diff(points, axis=1), axis=-1).sum(axis=1)))
        way = points[:, 0] - targets[:, k]
        flat = np.hypot(way[:, 0], way[:, 2])
        lack = way[:, 1] - np.sqrt(np.maximum(longest**2 - flat**2, 0.0))
        need = np.maximum(need, np.where(contacts[:, k] & (flat < longest), lack, 0.0))
    return need


def _smooth(x: Floats) -> Floats:
    """At least about `x (T,)` around a stride, without corners: the largest value near each frame, then their mean."""
    near = max(len(x) // 16, 1)
    shifts = range(-near, near + 1)
    highest = np.max([np.roll(x, shift) for shift in shifts], axis=0)
    bell = np.cos(np.linspace(-np.pi / 2, np.pi / 2, 2 * near + 3)[1:-1]) ** 2
    result: Floats = np.average([np.roll(highest, shift) for shift in shifts], axis=0, weights=bell)
    return result


def _levels(clip: Clip, anatomy: Anatomy) -> Floats:
    """How high each foot `(L,)` is while it stands; NaN for one that never does."""
    heights, contacts = clip.motion.position_world[:, anatomy.feet, 1], clip.footfalls.contacts
    each = [heights[contacts[:, k], k] for k in range(contacts.shape[1])]
    return np.array([float(np.percentile(h, LOWER)) if len(h) else np.nan for h in each])
