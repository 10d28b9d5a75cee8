"""Strides put on the ground: all of an animal's at one level, and no foot below it.

Loops that were keyed apart float or sink, each by a little of its own, and a driven animal takes the height of its feet
from them: without this a wolf would rise from the ground when it runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from canter.anatomy import Anatomy, Clip
from canter.motion import Motion, concatenate, plant_feet, solve_legs, transform
from canter.motion.arrays import Floats
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
SOFT = 0.06
"""Shares of a stride, before and after a leg is short, in which the trunk sinks and rises."""
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
    targets = np.maximum(feet, [-np.inf, 0.0, -np.inf])
    return solve_legs(_in_double(motion), [leg.chain for leg in anatomy.legs], targets)


def _in_double(motion: Motion) -> Motion:
    return replace(motion, positions=motion.positions.astype(np.float64), rotations=motion.rotations.astype(np.float64))


def unslid(motion: Motion, anatomy: Anatomy, velocity: Floats, touchdowns: Floats, duty: Floats) -> Motion:
    """A stride seen from its track whose standing feet go back as steadily as the track goes on; one whose feet hardly
    slide stays as it is.

    `velocity (2,)` is that of the track to the left and ahead, `touchdowns (L,)` and `duty (L,)` are shares of the
    stride. What a driven animal would have to make up for in every stride, legs out of reach above all, is so made up
    for once: the trunk sinks smoothly where a leg is short, and no leg is straight, for a straight one has no knee to
    bend.
    """
    count, seconds, height = len(motion), len(motion) / motion.frame_rate, anatomy.hip_height
    thrice = np.arange(3 * count + 1)  # so that stances over the seam are seen whole
    contacts = (thrice[:, None] / count - touchdowns) % 1.0 < duty
    way = thrice[:, None] / motion.frame_rate * np.array([velocity[0], 0.0, velocity[1]])
    feet = motion.position_world[:, anatomy.feet][thrice % count] + way[:, None]
    if not stance_slip(feet, contacts).max / 100 >= SLIDES * height:
        return motion
    way = way[: count + 1]
    planted = plant_feet(
        transform(concatenate([motion, motion[:1]]), translation=way),
        [leg.chain for leg in anatomy.legs],
        contacts[count : 2 * count + 1],
        heights="keep",
        ease_seconds=EASE * seconds,
        max_extension=MOST,
        max_drop=DEEPEST * height,
        drop_seconds=SOFT * seconds,
        periodic=True,
        track=(way, np.zeros(count + 1)),
    )
    return transform(planted[:count], translation=-way[:count])


def _levels(clip: Clip, anatomy: Anatomy) -> Floats:
    """How high each foot `(L,)` is while it stands; NaN for one that never does."""
    heights, contacts = clip.motion.position_world[:, anatomy.feet, 1], clip.footfalls.contacts
    each = [heights[contacts[:, k], k] for k in range(contacts.shape[1])]
    return np.array([float(np.percentile(h, LOWER)) if len(h) else np.nan for h in each])
