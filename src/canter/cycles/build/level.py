"""Strides put on the ground: all of an animal's at one level, and no foot below it.

Loops that were keyed apart float or sink, each by a little of its own, and a driven animal takes the height of its feet
from them: without this a wolf would rise from the ground when it runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from canter.anatomy import Anatomy, Character, Clip
from canter.anatomy.standing import lowest_skin
from canter.motion import Motion, concatenate, plant_feet, solve_legs, transform
from canter.motion.arrays import Floats
from canter.motion.metrics import stance_slip
from canter.motion.planting import smoothed_above

LEVEL = 0.01
"""Hip heights by which a clip may be off the level of the others and stay as it is."""
MAX_SOLE_OFF, MAX_SOLE_DEPTH = 0.04, 0.06
"""Hip heights by which the skin of a foot may be off the ground while it stands, and below it at any time, in a clip
that is left as it is."""
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


def on_one_level(clips: Sequence[Clip], character: Character, reference: Clip) -> list[Clip]:
    """The clips as high as the `reference` with most of their standing feet, with the soles of their skin on the
    ground, and above it with all feet."""
    anatomy = character.anatomy
    wanted = _levels(reference, anatomy)
    result = []
    for clip in clips:
        off = float(np.nanmedian(_levels(clip, anatomy) - wanted))
        motion = clip.motion
        if abs(off) > LEVEL * anatomy.hip_height:
            motion = transform(motion, translation=[0.0, -off, 0.0])
        motion = _on_soles(replace(clip, motion=motion), character)
        result.append(replace(clip, motion=above_ground(motion, anatomy)))
    return result


def _on_soles(clip: Clip, character: Character) -> Motion:
    """The motion of a closed stride with each leg as much higher or lower as brings the skin of its foot to the ground
    while it stands, and higher for as long as a toe would be below the ground. A stride whose feet are hardly off stays
    as it is: soft paws sink in a little."""
    motion, anatomy, height = clip.motion, character.anatomy, character.anatomy.hip_height
    feet, reach = np.array(motion.position_world[:, anatomy.feet], np.float64), round(SOFT * (len(motion) - 1))
    off, sunk = 0.0, 0.0
    for k, down in enumerate(clip.footfalls.contacts.T):
        found = lowest_skin(character, k, motion.position_world, motion.rotation_world)
        if found is None or not down.any():
            continue
        level = float(np.median(found[1][down]))
        below = np.maximum(level - found[1], 0.0)
        smooth = smoothed_above(np.tile(below[:-1], 3), max(reach, 1))[len(below) - 1 : 2 * len(below) - 1]
        feet[:, k, 1] += smooth - level
        off, sunk = max(off, abs(level)), max(sunk, float(-found[1].min()))
    if off <= MAX_SOLE_OFF * height and sunk <= MAX_SOLE_DEPTH * height:
        return motion
    return solve_legs(_in_double(motion), [leg.chain for leg in anatomy.legs], feet, max_extension=MOST)


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
