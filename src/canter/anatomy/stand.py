"""Feet that stand: how high a foot joint is above its sole, and legs that hold their feet still while they are down.

Where a leg is too short for the place that its foot should keep, the body sinks a little, smoothly, as a handler of
puppets would let it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from canter.anatomy.character import Anatomy, Character
from canter.motion import (
    Motion,
    Skin,
    cycle_travel,
    foot_targets,
    forward,
    leg_flexion,
    loop,
    rotations,
    solve_leg,
    transform,
)
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.feet import Height, stances
from canter.motion.loops import Track

LEVEL = 0.05
"""Stances whose heights differ by less than this many hip heights are on level ground."""
ROLL = 0.02
"""A foot joint that rises and sinks by more hip heights than this within a stance rolls over its toes: let it."""
THICKEST_SOLE = 0.1
"""Hip heights that a foot joint may be above the ground for the sake of its sole, where no skin can tell."""
DEEPEST_DROP = 0.08
"""Hip heights that the body may sink to let a foot stay where it is."""
DROP_SECONDS = 0.06
SAMPLES = 24
"""Frames of a clip, and twentieths of a foot's vertices, that are looked at for the sole."""


# Soles -------------------------------------------------------------------------------------------


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
    stands = np.ptp(feet) < LEVEL * height and -0.02 * height < feet.min() and feet.max() < THICKEST_SOLE * height
    return np.maximum(feet, 0.0) if stands and abs(hips.mean() / height - 1) < 0.25 else None


def _sole(character: Character, k: int, rest: Floats | None) -> float:
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
    return level if 0 <= level <= THICKEST_SOLE * height else 0.0


def _skin_below(character: Character, motion: Motion, foot: int, frames: Ints) -> float | None:
    """How far the skin of a foot reaches below its joint, the median over `frames`; None without skin there."""
    below = [j for j in range(len(character.skeleton)) if foot in character.skeleton.chain(j)]
    chosen = frames[:: max(1, len(frames) // SAMPLES)]
    lowest = [low for skin in character.skins if (low := _lowest(skin, below, motion, chosen)) is not None]
    if not lowest:
        return None
    return float(np.median(motion.position_world[chosen, foot, 1] - np.min(lowest, axis=0)))


def _lowest(skin: Skin, joints: Sequence[int], motion: Motion, frames: Ints) -> Floats | None:
    """The lowest height `(F,)` of the vertices that hang mostly on `joints`."""
    ours = np.flatnonzero((skin.weights * np.isin(skin.joints, joints)).sum(axis=1) > 0.5)
    if not len(ours):
        return None
    ours = ours[:: max(1, len(ours) // (20 * SAMPLES))]
    bones, weights = skin.joints[ours], skin.weights[ours]
    bound = np.einsum("vkij,vj->vki", skin.inverse_bind[bones][..., :3, :3], skin.vertices[ours])
    bound = bound + skin.inverse_bind[bones][..., :3, 3]
    place, turn = motion.position_world[frames], motion.rotation_world[frames]
    heights = rotations.rotate(turn[:, bones], bound)[..., 1] + place[:, bones, 1]
    result: Floats = (heights * weights).sum(axis=-1).min(axis=1)
    return result


# Planting ----------------------------------------------------------------------------------------


def plant_feet(motion: Motion, anatomy: Anatomy, contacts: Bools, soles: Floats, track: Track | None = None) -> Motion:
    """`motion` whose feet keep their place while `contacts (T, L)` says so, with eased release.

    On level ground a foot is brought to its sole's height `soles (L,)`, unless it rolls. With the ground `track` of a
    closed loop, contacts may run over the seam and the result still closes.
    """
    if track is None:
        return _planted(motion, anatomy, contacts, soles)
    steps = len(motion) - 1
    around = np.concatenate([contacts[:-1], contacts[:-1], contacts])
    planted = _planted(loop(motion, 3, track=track), anatomy, around, soles)
    return cycle_travel(motion, track).inverse().apply(planted[steps : 2 * steps + 1])


def _planted(motion: Motion, anatomy: Anatomy, contacts: Bools, soles: Floats) -> Motion:
    feet = motion.position_world[:, anatomy.feet]
    level = _is_level(feet, anatomy, contacts, soles)
    targets = np.empty(feet.shape)
    for k in range(len(anatomy.legs)):
        still = level and _roll(feet[:, k, 1], contacts[:, k]) < ROLL * anatomy.hip_height
        height: Height = float(soles[k]) if still else "keep"
        targets[:, [k]] = foot_targets(feet[:, [k]], contacts[:, [k]], motion.frame_rate, height=height)
    drop = _drop(motion, anatomy, contacts, targets)
    lowered = transform(motion, translation=drop[:, None] * np.array([0.0, -1.0, 0.0]))
    return _solved(lowered, anatomy, targets)


def _solved(motion: Motion, anatomy: Anatomy, targets: Floats) -> Motion:
    """Legs that bring their feet to `targets (T, L, 3)`; frames that are right already stay as they are."""
    positions, turns = motion.positions.copy(), motion.rotations.copy()
    for k, leg in enumerate(anatomy.legs):
        chain = leg.chain
        away = np.abs(targets[:, k] - motion.position_world[:, leg.foot]).max(axis=-1)
        frames = np.flatnonzero(away > 1e-9 * anatomy.hip_height)
        if len(frames) == 0:
            continue
        flexion = leg_flexion(motion.skeleton, motion.positions, motion.rotations, chain)
        solved = solve_leg(
            motion.skeleton,
            positions[frames],
            turns[frames],
            chain,
            targets[frames, k],
            foot_rotation="keep_world",
            flexion=flexion,
        )
        positions[frames], turns[frames] = solved.positions, solved.rotations
    return replace(motion, positions=positions, rotations=turns)


def _is_level(feet: Floats, anatomy: Anatomy, contacts: Bools, soles: Floats) -> bool:
    """Whether all stances are about as high: not on stairs or a slope."""
    heights = feet[..., 1] - soles
    medians = [
        np.median(heights[first:stop, k])
        for k in range(len(anatomy.legs))
        for first, stop in stances(contacts[:, k])
        if stop - first > 2
    ]
    return bool(medians) and float(np.ptp(medians)) < LEVEL * anatomy.hip_height


def _roll(height: Floats, down: Bools) -> float:
    """How much a foot joint rises and sinks within a stance, the median over stances."""
    stood = [height[first:stop] for first, stop in stances(down)]
    spans = [np.percentile(h, 90) - np.percentile(h, 10) for h in stood]
    return float(np.median(spans)) if spans else 0.0


def _drop(motion: Motion, anatomy: Anatomy, contacts: Bools, targets: Floats) -> Floats:
    """How far the body sinks in each frame `(T,)` so that every standing foot is in reach."""
    need = np.zeros(len(motion))
    for k, leg in enumerate(anatomy.legs):
        points = motion.position_world[:, leg.chain]
        longest = 0.999 * float(np.median(np.linalg.norm(np.diff(points, axis=1), axis=-1).sum(axis=1)))
        way = points[:, 0] - targets[:, k]
        flat = np.hypot(way[:, 0], way[:, 2])
        lack = way[:, 1] - np.sqrt(np.maximum(longest**2 - flat**2, 0.0))
        need = np.maximum(need, np.where(contacts[:, k] & (flat < longest), lack, 0.0))
    return _smooth(np.minimum(need, DEEPEST_DROP * anatomy.hip_height), DROP_SECONDS * motion.frame_rate)


def _smooth(x: Floats, sigma: float) -> Floats:
    """At least about `x` and without corners: the largest value around each frame, then a Gaussian mean."""
    if not x.any():
        return x
    reach = max(1, round(2 * sigma))
    padded = np.pad(x, 2 * reach, mode="edge")
    highest = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).max(axis=1)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / max(sigma, 0.5)) ** 2)
    result: Floats = np.convolve(highest, kernel / kernel.sum(), mode="valid")
    return result
