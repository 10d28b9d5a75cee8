"""Strides put on the ground: all of an animal's at one level, and no foot below it.

Loops that were keyed apart float or sink, each by a little of its own, and a driven animal takes the height of its feet
from them: without this a wolf would rise from the ground when it runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from canter.anatomy import Anatomy, Clip
from canter.anatomy.stand import chain_of
from canter.motion import Motion, leg_flexion, solve_leg, transform
from canter.motion.arrays import Floats

LEVEL = 0.01
"""Hip heights by which a clip may be off the level of the others and stay as it is."""
SUNK = 0.002
"""Hip heights below ground that are left alone."""
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
        chain, places = chain_of(leg), feet[frames, k] * np.array([1.0, 0.0, 1.0])
        bends = leg_flexion(motion.skeleton, motion.positions, motion.rotations, chain)
        solved = solve_leg(
            motion.skeleton, positions[frames], turns[frames], chain, places, foot_rotation="keep_world", flexion=bends
        )
        positions[frames], turns[frames] = solved.positions, solved.rotations
    return replace(motion, positions=positions, rotations=turns)


def _levels(clip: Clip, anatomy: Anatomy) -> Floats:
    """How high each foot `(L,)` is while it stands; NaN for one that never does."""
    heights, contacts = clip.motion.position_world[:, anatomy.feet, 1], clip.footfalls.contacts
    each = [heights[contacts[:, k], k] for k in range(contacts.shape[1])]
    return np.array([float(np.percentile(h, LOWER)) if len(h) else np.nan for h in each])
