"""How an animal stands: whether its rest pose does, how high its foot joints then are, and the pose itself.

A rest pose stands in shape if legs and trunk are as in standing, wherever it is; whether its soles are on the ground is
another matter, and only decides how far it is moved. The standing pose is the rest pose if that stands in shape, put on
the ground; else the mean of a clip in which the animal stands; else the middle of the stances of its slowest gait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from canter.anatomy.character import Anatomy, Character, Clip
from canter.anatomy.contacts import runs
from canter.anatomy.ground import ground_track
from canter.motion import Motion, Pose, Skin, forward, metrics, mirror, solve_leg
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.mirroring import most_symmetrical

MAX_FOOT_UNEVENNESS, MAX_HIP_ERROR, MAX_LEAN, MIN_TRUNK = 0.15, 0.25, 0.6, 0.3
"""In a rest pose that stands in shape, in hip heights: how uneven the feet may be, how far off their height above them
the hips, how far ahead of or behind its hip a foot; and how far shoulders are ahead of hips at least."""
MAX_LEG_LENGTH = 1.8
"""The length of a leg's bones in such a pose, in distances from hip to foot: more, and the foot is not at its leg."""
MAX_OFF_GROUND = 0.01
"""Hip heights by which the feet of a rest pose may be off their soles on average and still be left where they are."""
MAX_FLOAT = 0.02
"""Hip heights by which the feet of such a pose may be above those in clips, or below the ground."""
MAX_SOLE_HIP_HEIGHTS = 0.3
"""The greatest height of a foot joint above the ground, where no skin shows its sole: some rigs end at the ankle."""
SOLE_PERCENTILE = 25
"""The percentile of a foot joint's heights in its stances that is its level: feet roll up at the ends of a stance."""
FLAT_PERCENTILE = 5
"""The percentile of how far the skin above a foot reaches below it that is when the foot is flat."""
MAX_SOLE_FRAMES, MAX_SOLE_VERTICES = 24, 480
"""How many frames of a clip and vertices of a foot are looked at for its sole, about."""
UPRIGHT_TOLERANCE = 0.2
"""How far from their usual height hips and shoulders may be in a frame that counts, in hip heights."""
WALK_DUTY = 0.5
"""The mean duty factor above which a gait is a walk, and its body about as in standing."""
MIN_STANDING_SHARE = 0.5
"""The share of a clip that stands in which feet are down at least, on average; in one with less they were misread."""
MIDDLE = (0.35, 0.65)
"""The part of a stance in which a leg is as in standing."""
MAX_AHEAD = 0.15
"""Hip heights by which a foot stands ahead of or behind its hip at most, where that is told by strides: keyed feet do
not go back steadily."""
MAX_EXTENSION = 0.985
"""The fraction of its length to which a standing leg is stretched at most."""
MAX_EVENED_MOVE, MAX_EVENED_TURN = 0.2, np.radians(40)
"""By how much, in hip heights and radians, both sides are made alike; where it is more, the rig does not mirror."""


@dataclass(frozen=True, eq=False)
class StandingPose:
    """A pose that stands on the ground over the origin and faces +Z; `clip` shows it, None for the rest pose."""

    pose: Pose
    clip: Clip | None = None


def standing_pose(character: Character, clips: Sequence[Clip] | None = None) -> StandingPose:
    """How a character stands: in its rest pose, or by `clips`, its own if none are given.

    A rest pose that does not stand is taken only where there are no clips.
    """
    if stands_in_shape(character) or not (clips := _with_frames(character.clips if clips is None else clips)):
        return StandingPose(_over_origin(character, _lowered(character.skeleton.rest, _off_ground(character))))
    clip = _clip_to_stand_by(character, clips)
    return StandingPose(_over_origin(character, _mean_pose(character, clip)), clip)


def shown_standing(character: Character) -> StandingPose:
    """How a character stands in the best of its clips that stand; without one, its `standing_pose`."""
    if not character.anatomy.legs or not (stands := stands_of(_with_frames(character.clips))):
        return standing_pose(character)
    return StandingPose(_over_origin(character, _mean_pose(character, stands[0])), stands[0])


def _with_frames(clips: Sequence[Clip]) -> list[Clip]:
    return [clip for clip in clips if len(clip.motion)]


# The rest pose -----------------------------------------------------------------------------------


def stands_in_shape(character: Character) -> bool:
    """Whether the rest pose has level feet below hips of about the right height, and shoulders ahead of the hips."""
    anatomy, h = character.anatomy, character.anatomy.hip_height
    if len(anatomy.legs) < 2:
        return True
    places = _rest(character).position_world[0]
    feet, hips = places[anatomy.feet] / h, places[anatomy.hips] / h
    level = np.ptp(feet[:, 1]) < MAX_FOOT_UNEVENNESS and abs((hips - feet)[-2:, 1].mean() - 1) < MAX_HIP_ERROR
    under = np.abs((hips - feet)[:, 2]).max() < MAX_LEAN
    ahead = len(hips) < 4 or (hips[:2] - hips[2:])[:, 2].min() > MIN_TRUNK
    bent = max(_length(places[leg.chain]) / np.linalg.norm(places[leg.hip] - places[leg.foot]) for leg in anatomy.legs)
    return bool(level and under and ahead and bent < MAX_LEG_LENGTH)


def _off_ground(character: Character) -> float:
    """Metres by which the feet of the rest pose are above their soles on average; 0 where that is nothing."""
    if not character.anatomy.legs:
        return 0.0
    heights = _rest(character).position_world[0, character.anatomy.feet, 1]
    off = float(np.mean(heights - sole_heights(character)))
    return off if abs(off) > MAX_OFF_GROUND * character.anatomy.hip_height else 0.0


def _rest(character: Character) -> Motion:
    """The rest pose as a motion of one frame."""
    rest = character.skeleton.rest
    return Motion(character.skeleton, 1.0, rest.positions.astype(np.float64)[None], rest.rotations[None])


# Soles -------------------------------------------------------------------------------------------


def sole_heights(character: Character) -> Floats:
    """How high each foot joint is above the ground when it stands `(L,)`, in metres: by the skin of the foot, else by
    the height of the joint; both while the foot is down in clips or in a rest pose that stands, and the mean of left
    and right."""
    skins = [skin_below(character, k) for k in range(len(character.anatomy.legs))]
    joints = _joint_heights(character)
    soles = np.array([height if skin is None else skin for skin, height in zip(skins, joints, strict=True)])
    for left in range(0, len(soles) - 1, 2):
        soles[left : left + 2] = soles[left : left + 2].mean()
    return soles


def _joint_heights(character: Character) -> Floats:
    """How high each foot joint is when it stands `(L,)`, by clips or by a rest pose that stands: by what is lower, for
    either may float above the ground that they share; 0 where neither can be."""
    anatomy, h = character.anatomy, character.anatomy.hip_height
    heights = np.array([usual_height(character, k) for k in range(len(anatomy.legs))])
    if stands_in_shape(character):
        rest = _rest(character).position_world[0, anatomy.feet, 1]
        floats = np.isfinite(heights).any() and rest.mean() > np.nanmean(heights) + MAX_FLOAT * h
        heights = heights if floats or rest.min() < -MAX_FLOAT * h else np.maximum(rest, 0.0)
    return np.where((heights >= 0) & (heights <= MAX_SOLE_HIP_HEIGHTS * h), heights, 0.0)


def usual_height(character: Character, k: int) -> float:
    """The height of foot joint `k` while it is down, the median over clips; NaN if it never is."""
    downs = [
        clip.motion.position_world[frames, character.anatomy.legs[k].foot, 1] for clip, frames in _downs(character, k)
    ]
    return float(np.median([np.percentile(heights, SOLE_PERCENTILE) for heights in downs])) if downs else float("nan")


def _downs(character: Character, k: int) -> Sequence[tuple[Clip, Ints]]:
    """The clips in which foot `k` is down and the hips are at about their usual height, and the frames: those that
    stand, else any; where there are none, at any height: the paws of a dog that lies are not as in standing."""
    upright, stands = UPRIGHT_TOLERANCE * character.anatomy.hip_height, stands_of(character.clips)
    for clips, tolerance in ((stands, upright), (character.clips, upright), (character.clips, np.inf)):
        ups = [(clip, _hip_errors(character, clip.motion) <= tolerance) for clip in clips]
        downs = [(clip, np.flatnonzero(up & clip.footfalls.contacts[:, k])) for clip, up in ups]
        if found := [(clip, frames) for clip, frames in downs if len(frames)]:
            return found
    return []


def skin_below(character: Character, k: int) -> float | None:
    """How far the skin of foot `k` reaches below its joint, the median over frames and then over clips. Where nothing
    hangs on the foot, it is the skin of the lowest joint of the leg that has any, in the frames in which it reaches
    least far: that one turns about the sole."""
    leg, found = character.anatomy.legs[k], []
    downs = [(clip.motion, frames) for clip, frames in _downs(character, k)]
    for motion, frames in downs or [(_rest(character), np.zeros(1, np.int64))]:
        chosen = frames[:: max(1, len(frames) // MAX_SOLE_FRAMES)]
        places, turns = motion.position_world[chosen], motion.rotation_world[chosen]
        if (lowest := lowest_skin(character, k, places, turns)) is not None:
            carrier, heights = lowest
            below = places[:, leg.foot, 1] - heights
            found.append(float(np.percentile(below, 50 if carrier == leg.foot else FLAT_PERCENTILE)))
    return max(float(np.median(found)), 0.0) if found else None


def lowest_skin(character: Character, k: int, places: Floats, turns: Floats) -> tuple[int, Floats] | None:
    """The lowest joint of leg `k` that has skin, and how low that reaches `(T,)` in poses with world places
    `(T, J, 3)` and rotations `(T, J, 4)`, in metres; None where the leg has none."""
    for joint in character.anatomy.legs[k].chain[:0:-1]:
        if (skin := foot_skin(character, places, turns, joint, MAX_SOLE_VERTICES)) is not None:
            return joint, skin[..., 1].min(axis=-1)
    return None


def foot_skin(
    character: Character, places: Floats, turns: Floats, foot: int, count: int | None = None
) -> Floats | None:
    """The skin `(..., N, 3)` that belongs mostly to a foot and its descendants, in metres; None if there is none.

    `places (..., J, 3)` and `turns (..., J, 4)` are the world positions and rotations of the joints; with `count`, only
    about so many vertices of each skin are posed.
    """
    below = character.skeleton.subtree(foot)
    posed = [_posed(skin, below, places, turns, count) for skin in character.skins]
    posed = [points for points in posed if points.shape[-2]]
    return np.concatenate(posed, axis=-2) if posed else None


def _posed(skin: Skin, joints: Sequence[int], places: Floats, turns: Floats, count: int | None) -> Floats:
    """The vertices `(..., N, 3)` of a skin that hang mostly on `joints`."""
    ours = np.flatnonzero((skin.weights * np.isin(skin.joints, joints)).sum(axis=1) > 0.5)
    ours = ours if count is None else ours[:: max(1, len(ours) // count)]
    bones, weights = skin.joints[ours], skin.weights[ours, :, None]
    bound = np.einsum("vkij,vj->vki", skin.inverse_bind[bones][..., :3, :3], skin.vertices[ours])
    bound = bound + skin.inverse_bind[bones][..., :3, 3]
    result: Floats = ((rot.rotate(turns[..., bones, :], bound) + places[..., bones, :]) * weights).sum(axis=-2)
    return result


# From clips --------------------------------------------------------------------------------------


def stands_of(clips: Sequence[Clip]) -> list[Clip]:
    """The clips that stand, with their feet down mostly: loops in their order, then others, those that close best
    first."""
    named = [clip for clip in clips if clip.footfalls.gait == "stand"]
    stands = [clip for clip in named if clip.footfalls.contacts.mean() > MIN_STANDING_SHARE]
    return sorted(stands, key=lambda clip: 0.0 if clip.footfalls.loop else 1.0 + stand_gap(clip))


def stand_gap(clip: Clip) -> float:
    """Centimetres by which the last pose of a clip that stands misses the first."""
    return metrics.loop_closure(clip.motion, travel=False).position


def _clip_to_stand_by(character: Character, clips: Sequence[Clip]) -> Clip:
    """The best clip that stands; else the slowest that goes ahead; of many that walk, the one whose body is held most
    like in the others, for the slowest may be a dog that sniffs at the ground; else any."""
    if stands := stands_of(clips):
        return stands[0]
    strides = [clip for clip in clips if np.isfinite(clip.footfalls.stride_seconds)]
    ahead = [clip for clip in strides if clip.footfalls.gait not in ("backward", "side", "turn")] or strides
    if not ahead:
        return min(clips, key=lambda clip: _hip_errors(character, clip.motion).min())
    ahead.sort(key=lambda clip: clip.footfalls.speed)
    walks = [clip for clip in ahead if np.mean([*clip.footfalls.duty.values()]) > WALK_DUTY]
    if len(walks) < 3:
        return ahead[0]
    legs = {joint for leg in character.anatomy.legs for joint in leg.joints}
    body = [joint for joint in range(len(character.skeleton)) if joint not in legs]
    means = []
    for clip in walks:
        motion = _seen_from_body(clip.motion, character.anatomy)
        means.append(_mean_rotations(motion.rotations, np.ones(motion.rotations.shape[:2]))[body])
    apart = [float(rot.difference(np.stack(means), own[None]).mean(axis=1).sum()) for own in means]
    return walks[int(np.argmin(apart))]


def _mean_pose(character: Character, clip: Clip) -> Pose:
    """The body as on average over a clip, the legs as in the middle of their stances, both sides alike, soles on the
    ground; only frames with the body at its usual height count."""
    anatomy, skeleton = character.anatomy, character.skeleton
    motion = _seen_from_body(clip.motion, anatomy)
    upright = _upright_frames(character, motion)
    weights = np.tile(upright[:, None], (1, len(skeleton)))
    footholds = np.zeros((len(anatomy.legs), 3))
    for k, leg in enumerate(anatomy.legs):
        down = clip.footfalls.contacts[:, k]
        choices = (_middle_of_stances(down, clip.footfalls.loop) & upright, down & upright, upright)
        chosen = next(frames for frames in choices if frames.any())
        weights[:, [*skeleton.subtree(leg.hip), *skeleton.subtree(leg.foot)]] = chosen[:, None]
        footholds[k] = motion.position_world[chosen, leg.foot].mean(axis=0)
    shares = weights / weights.sum(axis=0)
    positions = np.einsum("tj,tjc->jc", shares, motion.positions)
    pose = _symmetric(character, Pose(skeleton, positions, _mean_rotations(motion.rotations, shares)), motion)
    return _on_soles(character, pose, footholds, np.inf if clip.footfalls.gait == "stand" else MAX_AHEAD)


def _seen_from_body(motion: Motion, anatomy: Anatomy) -> Motion:
    """The motion as seen from where the animal is on the ground and faces, frame by frame."""
    if not anatomy.legs:
        return motion
    track = ground_track(motion, anatomy, smooth=False)
    back, roots = rot.yaw(-track.facings)[:, None], motion.skeleton.parents < 0
    positions, rotations = motion.positions.astype(np.float64), motion.rotations.astype(np.float64)
    positions[:, roots] = rot.rotate(back, positions[:, roots] - np.insert(track.positions, 1, 0.0, axis=1)[:, None])
    rotations[:, roots] = rot.multiply(back, rotations[:, roots])
    return Motion(motion.skeleton, motion.frame_rate, positions, rotations, motion.name)


def _hip_errors(character: Character, motion: Motion) -> Floats:
    """How far the (hind) hips are from their usual height in each frame `(T,)`, in metres."""
    anatomy = character.anatomy
    if not anatomy.legs:
        return np.zeros(len(motion))
    hips = motion.position_world[:, anatomy.hips[-2:], 1].mean(axis=1)
    return np.asarray(np.abs(hips - anatomy.hip_height))


def _upright_frames(character: Character, motion: Motion) -> Bools:
    """The frames `(T,)` with hips nearest to their usual height, and shoulders about as high as mostly in those."""
    off, tolerance = _hip_errors(character, motion), UPRIGHT_TOLERANCE * character.anatomy.hip_height
    upright = off <= off.min() + tolerance
    if len(character.anatomy.legs) < 4:
        return np.asarray(upright)
    fore = motion.position_world[:, character.anatomy.hips[:2], 1].mean(axis=1)
    return np.asarray(upright & (np.abs(fore - np.median(fore[upright])) <= tolerance))


def _middle_of_stances(down: Bools, loop: bool) -> Bools:
    """The frames `(T,)` in the middle of the stances of one foot; stances cut off by the ends do not count."""
    if down.all():
        return down
    count = len(down) - loop  # the last frame of a loop repeats the first
    result = np.zeros(len(down), bool)
    for first, stop in runs(down[:count], periodic=loop):
        if loop or (first > 0 and stop < count):
            start, end = (round(first + share * (stop - first)) for share in MIDDLE)
            result[np.arange(start, max(end, start + 1)) % count] = True
    return result


def _mean_rotations(rotations: Floats, weights: Floats) -> Floats:
    """The weighted mean `(J, 4)` of rotations `(T, J, 4)`, by the largest eigenvectors (Markley et al. 2007)."""
    products = np.einsum("tj,tja,tjb->jab", weights, rotations, rotations)
    return rot.positive(np.linalg.eigh(products)[1][..., -1])


def _symmetric(character: Character, pose: Pose, motion: Motion) -> Pose:
    """`pose` averaged with its mirror image; unchanged where the rig's axes do not mirror."""
    if len(character.anatomy.legs) % 2:
        return pose
    alone = Motion(character.skeleton, 1.0, pose.positions[None], pose.rotations[None])
    partner = np.asarray(character.anatomy.mirror)
    image = mirror(alone, partner, reference=most_symmetrical(motion, partner)).pose(0)
    rotations = rot.slerp(pose.rotations, image.rotations, 0.5)
    even = _over_origin(character, Pose(character.skeleton, (pose.positions + image.positions) / 2, rotations))
    before, after = (forward(character.skeleton, x.positions, x.rotations) for x in (pose, even))
    used = [joint for joint in range(len(character.skeleton)) if joint not in character.anatomy.ignored]
    moved = np.linalg.norm(after[0] - before[0], axis=-1)[used].max()
    turned = rot.difference(before[1], after[1])[used].max()
    return even if moved < MAX_EVENED_MOVE * character.anatomy.hip_height and turned < MAX_EVENED_TURN else pose


# On the ground -----------------------------------------------------------------------------------


def _on_soles(character: Character, pose: Pose, footholds: Floats, most_ahead: float) -> Pose:
    """The pose with its feet above `footholds (L, 3)`, the same on both sides, at the height of their soles, ahead of
    or behind their hips by `most_ahead` hip heights at most; the body is let down where a leg is too short."""
    footholds[:, 1] = sole_heights(character)
    for left in range(0, len(footholds) - 1, 2):
        ours, other = footholds[left], footholds[left + 1] * [-1.0, 1.0, 1.0]
        footholds[left] = (ours + other) / 2
        footholds[left + 1] = footholds[left] * [-1.0, 1.0, 1.0]
    legs = character.anatomy.legs
    places, _ = forward(character.skeleton, pose.positions, pose.rotations)
    hips, most = places[character.anatomy.hips, 2], most_ahead * character.anatomy.hip_height
    footholds[:, 2] = np.clip(footholds[:, 2], hips - most, hips + most)
    missing = [missing_reach(places[leg.chain], spot) for leg, spot in zip(legs, footholds, strict=True)]
    pose = _lowered(pose, max(missing, default=0.0))
    for leg, spot in zip(legs, footholds, strict=True):
        solved = solve_leg(
            character.skeleton, pose.positions, pose.rotations, leg.chain, spot, foot_rotation="keep_world"
        )
        pose = Pose(character.skeleton, solved.positions, solved.rotations)
    return pose


def missing_reach(points: Floats, target: Floats) -> float:
    """Metres by which the body must be lowered for a leg with joints at `points (n, 3)` to reach its foothold."""
    longest = MAX_EXTENSION * _length(points)
    x, y, z = points[0] - target
    return max(float(y) - float(np.sqrt(max(longest**2 - x**2 - z**2, 0.0))), 0.0)


def _length(points: Floats) -> float:
    """The length of the bones between joints at `points (n, 3)`, in metres."""
    return float(np.linalg.norm(np.diff(points, axis=0), axis=-1).sum())


def _lowered(pose: Pose, metres: float) -> Pose:
    if metres == 0.0:
        return pose
    positions = np.array(pose.positions, np.float64)
    positions[pose.skeleton.parents < 0, 1] -= metres
    return Pose(pose.skeleton, positions, pose.rotations)


def _over_origin(character: Character, pose: Pose) -> Pose:
    """`pose` turned and moved on the ground so that it faces +Z with its trunk over the origin."""
    anatomy = character.anatomy
    place, _ = forward(character.skeleton, np.asarray(pose.positions, float), np.asarray(pose.rotations, float))
    hips = place[anatomy.hips] if anatomy.legs else place
    ahead = hips[: len(hips) // 2].mean(axis=0) - hips[len(hips) // 2 :].mean(axis=0)
    turn = rot.IDENTITY
    if len(anatomy.legs) == 4 and np.hypot(ahead[0], ahead[2]) > 0.2 * anatomy.hip_height:
        turn = rot.yaw(-np.arctan2(ahead[0], ahead[2]))
    positions, rotations = np.array(pose.positions, float), np.array(pose.rotations, float)
    roots = character.skeleton.parents < 0
    positions[roots] = rot.rotate(turn, positions[roots] - np.array([1.0, 0.0, 1.0]) * hips.mean(axis=0))
    rotations[roots] = rot.multiply(turn, rotations[roots])
    return Pose(character.skeleton, positions, rotations)
