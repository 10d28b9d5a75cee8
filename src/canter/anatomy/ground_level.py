"""How high the ground under an animal really is: at the soles, which a rig need not have a joint for.

Where there is a mesh it shows the soles. Otherwise a foot that rolls shows them: a joint above the ground turns about
its sole while it stands, so that the sole is the one point, fixed to the foot, that stays in place. A joint that stays
in place itself is at its sole. And no foot stands below the ground, whatever the zero plane of a file is.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from canter.anatomy.character import Character, Clip
from canter.anatomy.contacts import runs
from canter.anatomy.standing import MAX_SOLE_HIP_HEIGHTS, skin_below, usual_height
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.edits import transform, transform_skeleton

MIN_OFF_GROUND = 0.01
"""Hip heights by which the soles must be off the ground for the animal to be moved."""
MIN_OFF_ZERO_PLANE = 0.05
"""The same where the ground is the zero plane of the file and no mesh contradicts it."""
STANCE_MARGIN = 1 / 6
"""The share of a stance at either end that does not count: feet are set down and lifted there."""
MIN_STANCE_FRAMES = 5
MIN_ROLL, MAX_ROLL_RESIDUAL = 0.003, 0.35
"""Hip heights that a joint moves at least while it stands for that to be rolling, as a root mean square, and the share
of it that may be left when it is explained by rolling about a sole."""
RIDGE = 1e-3
"""Weight of the squared distance from joint to sole against the mean squared movement of the sole: joints that hardly
turn tell nothing."""


def on_its_soles(character: Character) -> Character:
    """The character with the ground moved to its soles, and its hip height counted from there."""
    off, height = ground_offset(character), character.anatomy.hip_height
    if off == 0.0:
        return character
    shift = np.array([0.0, -off, 0.0])
    skeleton = transform_skeleton(character.skeleton, translation=shift)
    clips = [
        Clip(
            transform(clip.motion, translation=shift, skeleton=skeleton),
            replace(clip.footfalls, froude=clip.footfalls.froude * height / (height - off)),
        )
        for clip in character.clips
    ]
    return replace(
        character,
        skeleton=skeleton,
        anatomy=replace(character.anatomy, hip_height=height - off),
        clips=tuple(clips),
        transform=replace(character.transform, translation=character.transform.translation + shift),
    )


def ground_offset(character: Character) -> float:
    """Metres by which the ground under the soles is above that of the character; 0 where nothing tells of any."""
    height, legs = character.anatomy.hip_height, range(len(character.anatomy.legs))
    if not legs:
        return 0.0
    skins = [(usual_height(character, k), skin_below(character, k)) for k in legs]
    meshes = [level - below for level, below in skins if below is not None and math.isfinite(level)]
    if len(meshes) > len(legs) / 2:
        off, least = float(np.median(meshes)), MIN_OFF_GROUND
    else:
        soles = [sole for k in legs if (sole := _rolled_level(character, k)) is not None]
        off = float(np.median(soles)) if len(soles) >= len(legs) / 2 else 0.0
        least = MIN_OFF_ZERO_PLANE if character.transform.translation[1] == 0.0 else MIN_OFF_GROUND
        lowest = _lowest_stance(character)
        if lowest < min(off * (abs(off) > least * height), -MIN_OFF_GROUND * height):
            off, least = lowest, MIN_OFF_GROUND
    return off if least * height < abs(off) < MAX_SOLE_HIP_HEIGHTS * height else 0.0


def _lowest_stance(character: Character) -> float:
    """The height of the joints of the lowest pair of feet while they stand, in metres; 0 where no foot does."""
    heights = [usual_height(character, k) for k in range(len(character.anatomy.legs))]
    pairs = [float(np.mean(heights[k : k + 2])) for k in range(0, len(heights), 2)]
    return min((height for height in pairs if math.isfinite(height)), default=0.0)


def _rolled_level(character: Character, k: int) -> float | None:
    """The height of the sole that foot `k` rolls about while it stands, in metres; None if it does not.

    With joint places p and rotations R in the frames of a stance, the sole s in axes of the joint is that for which
    p + R s moves least, by least squares over all stances, each about its own mean.
    """
    foot, height = character.anatomy.legs[k].foot, character.anatomy.hip_height
    turned: list[Floats] = []
    moved: list[Floats] = []
    stood: list[tuple[Floats, Floats]] = []
    for clip in character.clips:
        for first, last in runs(clip.footfalls.contacts[:, k]):
            margin = round(STANCE_MARGIN * (last - first))
            part = slice(first + margin, last - margin)
            if last - first - 2 * margin < MIN_STANCE_FRAMES:
                continue
            place = clip.motion.position_world[part, foot].astype(np.float64)
            axes = rot.to_matrix(clip.motion.rotation_world[part, foot].astype(np.float64))
            turned.append((axes - axes.mean(axis=0)).reshape(-1, 3))
            moved.append((place - place.mean(axis=0)).ravel())
            stood.append((place, axes))
    if not stood:
        return None
    a, b = np.concatenate(turned), np.concatenate(moved)
    sole = np.linalg.solve(a.T @ a + RIDGE * len(a) * np.eye(3), -a.T @ b)
    before, after = (float(np.sqrt(np.mean(x**2))) for x in (b, a @ sole + b))
    if before < MIN_ROLL * height or after > MAX_ROLL_RESIDUAL * before:
        return None
    levels = np.concatenate([place[:, 1] + (axes @ sole)[:, 1] for place, axes in stood])
    drops = np.concatenate([(axes @ sole)[:, 1] for _, axes in stood])
    return float(np.median(levels)) if -MAX_SOLE_HIP_HEIGHTS * height < np.median(drops) < 0 else None
