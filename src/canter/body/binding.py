"""The pose in which a skin is bound: the rest pose if the animal stands in it, else the mean of its clips."""

from __future__ import annotations

import numpy as np

from canter.anatomy import Character
from canter.motion import Motion, Pose, forward, mirror
from canter.motion import rotations as rot
from canter.motion.arrays import Ints
from canter.motion.mirroring import most_symmetrical

MAX_FOOT_UNEVENNESS, MAX_HIP_ERROR = 0.12, 0.25
"""In a rest pose that stands: how uneven feet may be and how far off their height hips may be, in hip heights."""
UPRIGHT_TOLERANCE = 0.1
"""How far from their usual height hips may be in a frame that counts, in hip heights."""


def bind_pose(character: Character) -> Pose:
    """A pose that stands over the origin and faces +Z."""
    rest = character.skeleton.rest
    pose = rest if stands(character) or not character.clips else _mean_pose(character)
    return _over_origin(character, pose)


def stands(character: Character) -> bool:
    """Whether the rest pose has level feet below hips of about the right height, and shoulders ahead of the hips."""
    anatomy, rest = character.anatomy, character.skeleton.rest
    if len(anatomy.legs) < 2:
        return True
    place, _ = forward(character.skeleton, rest.positions, rest.rotations)
    height, feet, hips = anatomy.hip_height, place[anatomy.feet], place[anatomy.hips]
    rise = (hips - feet)[-2:, 1].mean()
    level = np.ptp(feet[:, 1]) < MAX_FOOT_UNEVENNESS * height and abs(rise / height - 1) < MAX_HIP_ERROR
    lean = np.abs((hips - feet)[:, 2]).max() < 0.6 * height
    ahead = len(hips) < 4 or (hips[:2] - hips[2:])[:, 2].min() > 0.3 * height
    return bool(level and lean and ahead)


def _mean_pose(character: Character) -> Pose:
    """The mean of all frames with hips at about the right height: averaged over strides an animal stands."""
    poses = [clip.motion for clip in character.clips if len(clip.motion)]
    turns = np.concatenate([motion.rotations[_upright_frames(character, motion)] for motion in poses])
    places = np.concatenate([motion.positions[_upright_frames(character, motion)] for motion in poses])
    roots = character.skeleton.parents < 0
    chosen = _over_origin(character, Pose(character.skeleton, places[0], turns[0]))
    same = np.where((turns * turns[:1]).sum(axis=-1, keepdims=True) < 0, -turns, turns)
    rotations, positions = rot.unit(same.mean(axis=0, dtype=float)), places.mean(axis=0, dtype=float)
    rotations[roots], positions[roots] = chosen.rotations[roots], chosen.positions[roots]
    return _symmetric(character, _over_origin(character, Pose(character.skeleton, positions, rotations)))


def _upright_frames(character: Character, motion: Motion) -> Ints:
    """The frames in which the hips are nearest to the anatomy's hip height, the nearest first."""
    anatomy = character.anatomy
    hind = anatomy.hips[len(anatomy.hips) // 2 :]
    off = np.abs(motion.position_world[:, hind, 1].mean(axis=1) - anatomy.ground - anatomy.hip_height)
    order: Ints = np.argsort(off, kind="stable")
    near = order[off[order] < off.min() + UPRIGHT_TOLERANCE * anatomy.hip_height]
    return np.asarray(near)


def _symmetric(character: Character, pose: Pose) -> Pose:
    """`pose` averaged with its mirror image; unchanged where the rig's axes do not mirror."""
    if len(character.anatomy.legs) % 2:
        return pose
    alone = Motion(character.skeleton, 1.0, np.asarray(pose.positions)[None], np.asarray(pose.rotations)[None])
    partner = np.asarray(character.anatomy.mirror)
    longest = max((clip.motion for clip in character.clips), key=len)
    image = mirror(alone, partner, reference=most_symmetrical(longest, partner)).pose(0)
    rotations = rot.slerp(np.asarray(pose.rotations, float), np.asarray(image.rotations, float), 0.5)
    even = _over_origin(character, Pose(character.skeleton, (pose.positions + image.positions) / 2, rotations))
    before, after = (forward(character.skeleton, x.positions, x.rotations) for x in (pose, even))
    used = [joint for joint in range(len(character.skeleton)) if joint not in character.anatomy.ignored]
    moved = np.linalg.norm(after[0] - before[0], axis=-1)[used].max()
    turned = rot.difference(before[1], after[1])[used].max()
    return even if moved < 0.2 * character.anatomy.hip_height and turned < np.radians(40) else pose


def _over_origin(character: Character, pose: Pose) -> Pose:
    """`pose` turned and moved on the ground so that it faces +Z with its trunk over the origin."""
    anatomy = character.anatomy
    place, _ = forward(character.skeleton, np.asarray(pose.positions, float), np.asarray(pose.rotations, float))
    hips = place[anatomy.hips] if anatomy.legs else place
    hind, fore = hips[len(hips) // 2 :].mean(axis=0), hips[: len(hips) // 2].mean(axis=0)
    ahead = fore - hind
    turn = rot.IDENTITY
    if len(anatomy.legs) == 4 and np.hypot(ahead[0], ahead[2]) > 0.2 * anatomy.hip_height:
        turn = rot.yaw(-np.arctan2(ahead[0], ahead[2]))
    middle = np.array([1.0, 0.0, 1.0]) * hips.mean(axis=0)
    positions, rotations = np.array(pose.positions, float), np.array(pose.rotations, float)
    roots = character.skeleton.parents < 0
    positions[roots] = rot.rotate(turn, positions[roots] - middle)
    rotations[roots] = rot.multiply(turn, rotations[roots])
    return Pose(character.skeleton, positions, rotations)
