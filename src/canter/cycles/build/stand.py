"""The clips that an animal stands by: its own where they loop or can be closed, else its standing pose held still."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from canter.anatomy import Anatomy, Character, Clip, Footfalls
from canter.anatomy.standing import sole_heights, stand_gap, standing_pose, stands_of
from canter.motion import Motion, close_loop
from canter.motion.arrays import Floats
from canter.motion.planting import solve_legs

MIN_SECONDS = 1.0
"""The shortest span of standing that is taken out of a clip in which the animal also sits or lies."""
WIDEST_GAP = 0.1
"""Hip heights by which a stand may miss its first pose and still be closed."""
MAX_OFF_SOLES = 0.004
"""Hip heights by which a foot may be off its sole in a stand that is left as it is."""
SECONDS = 2.0
"""How long a stand lasts that is one pose."""

Stand = tuple[Clip, str, float, str]
"""The clip, which one it was taken from, its gap in centimetres, and what it is in words."""


def stand_clips(character: Character, strides: Sequence[Clip]) -> Iterator[Stand]:
    """All loops that stand; where there is none, the stand that closes best; both with their soles on the ground. Else
    the pose in which an animal with these closed `strides` stands."""
    whole = [stretch for clip in stands_of(character.clips) if (stretch := standing_part(clip)) is not None]
    stands = [clip for clip in stands_of(whole) if len(clip.motion) > 3]
    closes = bool(stands) and stand_gap(stands[0]) < 100 * WIDEST_GAP * character.anatomy.hip_height
    if loops := [clip for clip in stands if clip.footfalls.loop]:
        soles = sole_heights(character)
        for clip in loops:
            yield on_soles(clip, character.anatomy, soles), clip.name, stand_gap(clip), "the loop as it is"
    elif closes:
        best = stands[0]
        closed = Clip(close_loop(best.motion, travel=False), replace(best.footfalls, loop=True))
        stood = on_soles(closed, character.anatomy, sole_heights(character))
        yield stood, best.name, stand_gap(best), "the clip, its seam closed"
    elif strides:
        yield _held_pose(character, strides)


def standing_part(clip: Clip) -> Clip | None:
    """A clip that stands, without the parts in which the animal sits, lies or does something else, by its spans: the
    longest span of standing. None if there is none."""
    spans, rate = clip.footfalls.spans, clip.motion.frame_rate
    if all(span.label == "stand" for span in spans):
        return clip
    longest = max((span for span in spans if span.label == "stand"), key=lambda span: span.seconds, default=None)
    if longest is None or longest.seconds < MIN_SECONDS:
        return None
    part = slice(round(longest.start * rate), round(longest.end * rate))
    feet = replace(clip.footfalls, contacts=clip.footfalls.contacts[part], loop=False, spans=(longest,))
    return Clip(clip.motion[part], feet)


def on_soles(clip: Clip, anatomy: Anatomy, soles: Floats) -> Clip:
    """A clip that stands with its feet as high as their `soles (L,)` say; as it is where they are already."""
    feet = clip.motion.position_world[:, anatomy.feet].astype(np.float64)
    off = np.median(feet[..., 1], axis=0) - soles
    if np.abs(off).max() < MAX_OFF_SOLES * anatomy.hip_height:
        return clip
    feet[..., 1] -= off
    motion = replace(clip.motion, positions=clip.motion.positions.astype(np.float64))
    return replace(clip, motion=solve_legs(motion, [leg.chain for leg in anatomy.legs], feet))


def _held_pose(character: Character, strides: Sequence[Clip]) -> Stand:
    stood = standing_pose(character, strides)
    still = [np.repeat(x[None], 5, axis=0) for x in (stood.pose.positions, stood.pose.rotations)]
    contacts = np.ones((5, len(character.anatomy.legs)), bool)
    motion = Motion(character.skeleton, 4 / SECONDS, still[0], still[1], "stand")
    clip = Clip(motion, Footfalls(contacts, "stand", 0.0, True, loop=True))
    if stood.clip is None:
        return clip, "the rest pose", 0.0, "one pose, the rest pose"
    return clip, stood.clip.name, 0.0, "one pose, the middle of the stances"
