"""How high a foot joint is above the ground when its foot stands: the thickness of the sole below the joint."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from canter.anatomy.character import Character
from canter.motion import Motion, Skin, forward, rotations
from canter.motion.arrays import Floats, Ints

LEVEL_HIP_HEIGHTS = 0.05
"""By how much the feet may differ in height in a rest pose that stands."""
MAX_SOLE_HIP_HEIGHTS = 0.1
"""The greatest height of a foot joint above the ground, where no skin shows its sole."""
MAX_FRAMES, MAX_VERTICES = 24, 480
"""How many frames of a clip and vertices of a foot are looked at, about."""


def sole_heights(character: Character) -> Floats:
    """How high each foot joint is above the ground when it stands `(L,)`.

    By the skin of the foot; else as in the rest pose, if that stands on the ground; else as the foot usually stands.
    """
    rest = _standing_rest(character)
    return np.array([_sole(character, k, rest) for k in range(len(character.anatomy.legs))])


def _standing_rest(character: Character) -> Floats | None:
    """The heights of the feet in the rest pose, if the animal stands on the ground there."""
    anatomy, rest = character.anatomy, character.skeleton.rest
    place, _ = forward(character.skeleton, rest.positions[None], rest.rotations[None])
    feet, hips, height = place[0, anatomy.feet, 1], place[0, anatomy.hips[-2:], 1], anatomy.hip_height
    stands = (
        np.ptp(feet) < LEVEL_HIP_HEIGHTS * height
        and -0.02 * height < feet.min()
        and feet.max() < MAX_SOLE_HIP_HEIGHTS * height
    )
    return np.maximum(feet, 0.0) if stands and abs(hips.mean() / height - 1) < 0.25 else None


def _sole(character: Character, k: int, rest: Floats | None) -> float:
    """That of leg `k`; `rest` are the heights of the feet in a rest pose that stands."""
    foot, height = character.anatomy.legs[k].foot, character.anatomy.hip_height
    stood = [(clip, np.flatnonzero(clip.footfalls.contacts[:, k])) for clip in character.clips]
    stood = [(clip, frames) for clip, frames in stood if len(frames)]
    soles = [_skin_below(character, clip.motion, foot, frames) for clip, frames in stood]
    if by_skin := [s for s in soles if s is not None]:
        return float(np.median(by_skin))
    if rest is not None:
        return float(rest[k])
    usual = [float(np.median(clip.motion.position_world[frames, foot, 1])) for clip, frames in stood]
    level = float(np.median(usual)) if usual else 0.0
    return level if 0 <= level <= MAX_SOLE_HIP_HEIGHTS * height else 0.0


def _skin_below(character: Character, motion: Motion, foot: int, frames: Ints) -> float | None:
    """How far the skin of a foot reaches below its joint, the median over `frames`; None without skin there."""
    below = [j for j in range(len(character.skeleton)) if foot in character.skeleton.chain(j)]
    chosen = frames[:: max(1, len(frames) // MAX_FRAMES)]
    lowest = [low for skin in character.skins if (low := _lowest(skin, below, motion, chosen)) is not None]
    if not lowest:
        return None
    return float(np.median(motion.position_world[chosen, foot, 1] - np.min(lowest, axis=0)))


def _lowest(skin: Skin, joints: Sequence[int], motion: Motion, frames: Ints) -> Floats | None:
    """The lowest height `(F,)` of the vertices that hang mostly on `joints`."""
    ours = np.flatnonzero((skin.weights * np.isin(skin.joints, joints)).sum(axis=1) > 0.5)
    if not len(ours):
        return None
    ours = ours[:: max(1, len(ours) // MAX_VERTICES)]
    bones, weights = skin.joints[ours], skin.weights[ours]
    bound = np.einsum("vkij,vj->vki", skin.inverse_bind[bones][..., :3, :3], skin.vertices[ours])
    bound = bound + skin.inverse_bind[bones][..., :3, 3]
    place, turn = motion.position_world[frames], motion.rotation_world[frames]
    heights = rotations.rotate(turn[:, bones], bound)[..., 1] + place[:, bones, 1]
    result: Floats = (heights * weights).sum(axis=-1).min(axis=1)
    return result
