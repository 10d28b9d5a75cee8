"""Which end of the animal is the front: a weighted vote of cues, each positive if the second pair of feet is in front.

Motion weighs most: a foot is in the air while it goes forward, and bodies travel forward. A clip that walks backward,
or is played so, turns both round, so the vote of motion counts no more than the odds that clips go forward; where toes,
knees, ears and head agree with each other, they outvote it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.anatomy.limb_pairs import find_pairs, lateral_axis, limb_vector
from canter.anatomy.rig_motion import active, body_frame
from canter.anatomy.up_axis_and_feet import FeetCandidate
from canter.motion.arrays import Floats

MOTION_CUES = {"swing": (4.1, 0.25), "travel": (1.2, 0.7)}
STILL_CUES = {"joints": (1.5, 0.03), "toe": (1.4, 0.4), "height": (2.2, 0.4), "ears": (1.7, 1.0), "root": (0.2, 1.0)}
"""Cue: weight, and the value from which it counts fully. Weights are logarithms of odds, by a logistic regression over
synthetic rigs and strangers."""
TWO_FEET_CUES = {"swing": (3.0, 0.25), "travel": (1.5, 0.7), "toe": (4.5, 0.4)}
"""People stand on straight legs and turn about a good deal: of their shape only the toes are a reliable cue."""
BACKWARD_CLIPS = 0.1
"""The share of files that are taken to walk backward, or to be played so, before anything is seen of their shape."""
BACKWARD_VOTE = 1.0
"""The vote of motion against the facing from which clips are said to walk backward."""


@dataclass(frozen=True)
class Facing:
    """`sign` +1: the second pair of feet is in front. `margin` 0 to 1: by how much this is likelier than the other way
    round; `backward`: the clips walk backward."""

    sign: int
    margin: float
    backward: bool
    cues: dict[str, float]


def find_facing(candidate: FeetCandidate) -> Facing:
    """The vote of all cues on which pair of feet is in front."""
    cues = still_cues(candidate) | motion_cues(candidate)
    motion = _vote(cues, MOTION_CUES)
    four_feet = len(candidate.pairs) == 2
    total = _of_clips_either_way(motion) + _vote(cues, STILL_CUES) if four_feet else _vote(cues, TWO_FEET_CUES)
    sign = 1 if total >= 0 else -1
    return Facing(sign, float(np.tanh(abs(total) / 2)), motion * sign < -BACKWARD_VOTE, cues)


def _of_clips_either_way(motion: float) -> float:
    """The logarithm of the odds that motion gives, where a share of all clips goes backward."""
    forward, backward = np.log([1 - BACKWARD_CLIPS, BACKWARD_CLIPS])
    return float(np.logaddexp(forward + motion, backward - motion) - np.logaddexp(forward - motion, backward + motion))


def _vote(cues: dict[str, float], table: dict[str, tuple[float, float]]) -> float:
    return sum(w * float(np.clip(np.nan_to_num(cues[name]) / sure, -1, 1)) for name, (w, sure) in table.items())


def ahead(candidate: FeetCandidate) -> Floats:
    """The unit direction in the view's plane from the first pair to the second."""
    return _rectangle([p.across for p in candidate.pairs], [p.middle for p in candidate.pairs])


def _rectangle(across: list[Floats], middles: list[Floats]) -> Floats:
    """The way that the rectangle of hips and shoulders points that fits best, from the first pair to the second.

    By least squares a long body points along its length, a short one square to its width; one pair has a width only.
    """
    total = np.zeros(2)
    for vector in across:
        total += vector * np.sign(total @ vector or 1)
    square = np.array([-total[1], total[0]]) / max(float(np.linalg.norm(total)), 1e-9)
    if len(middles) < 2:
        return square
    along = middles[1] - middles[0]
    square = square * np.sign(square @ along or 1)
    fitted = float(np.sum((total / 2) ** 2)) * square + float(np.linalg.norm(along)) * along
    result: Floats = fitted / max(float(np.linalg.norm(fitted)), 1e-9)
    return result


def still_cues(candidate: FeetCandidate) -> dict[str, float]:
    """The cues of the mean pose."""
    forward = ahead(candidate)
    cues = {
        "toe": _toes(candidate, forward),
        "joints": _joints(candidate, forward),
        "height": 0.0,
        "ears": 0.0,
        "root": 0.0,
    }
    if len(candidate.pairs) < 2:
        return cues
    view = candidate.view
    floor = float(view.low[list(candidate.tips)].mean())
    height = view.top - floor
    limbs = {j for pair in candidate.pairs for chain in pair.chains for j in _whole_limb(candidate, chain)}
    rest = [int(j) for j in view.rig.joints if j not in limbs]
    along = view.mean[:, :2] @ forward
    middles = [float(p.middle @ forward) for p in candidate.pairs]
    front = [j for j in rest if along[j] > middles[1] + 0.1 * height]
    back = [j for j in rest if along[j] < middles[0] - 0.1 * height]
    return cues | {
        "height": _end_height(candidate, front, height) - _end_height(candidate, back, height),
        "ears": float(_small_pairs(candidate, front)) - float(_small_pairs(candidate, back)),
        "root": _root_end(candidate),
    }


def _whole_limb(candidate: FeetCandidate, chain: tuple[int, ...]) -> list[int]:
    return candidate.view.rig.skeleton.subtree(chain[0])


def _end_height(candidate: FeetCandidate, joints: list[int], height: float) -> float:
    """How high the far end of the body carries itself over the top of the legs, in body heights."""
    if not joints:
        return 0.0
    tops = np.mean([candidate.view.mean[chain[0], 2] for p in candidate.pairs for chain in p.chains])
    return float((np.max(candidate.view.mean[joints, 2]) - tops) / height)


def _toes(candidate: FeetCandidate, forward: Floats) -> float:
    """How far the last bone points ahead while the foot is low, as a share of its length; a shin is no toe."""
    body, votes = candidate.view.body, []
    for pair in candidate.pairs:
        for chain in pair.chains:
            if len(chain) < 2:
                continue
            low = body[:, chain[-1], 2] <= np.percentile(body[:, chain[-1], 2], 40)
            points = body[low][:, chain].mean(axis=0)
            bones = np.diff(points, axis=0)
            lengths = np.maximum(np.linalg.norm(bones, axis=-1), 1e-9)
            a_toe = np.clip((0.35 - lengths[-1] / lengths.sum()) / 0.15, 0, 1)
            votes.append(float(a_toe * (bones[-1, :2] @ forward) / lengths[-1]))
    return float(np.mean(votes)) if votes else 0.0


def _joints(candidate: FeetCandidate, forward: Floats) -> float:
    """How far the lower joints of the standing legs stick out backward: hock, elbow, carpus and fetlock all do.

    Stifle and shoulder, in the upper part, point forward and are left out. In shares of the leg's length.
    """
    body, votes = candidate.view.body, []
    for pair in candidate.pairs:
        for chain in pair.chains:
            low = body[:, chain[-1], 2] <= np.percentile(body[:, chain[-1], 2], 40)
            points = body[low][:, chain].mean(axis=0)
            length = float(np.linalg.norm(np.diff(points, axis=0), axis=-1).sum())
            top, floor = points[:, 2].max(), points[-1, 2]
            for above, joint, below in zip(points, points[1:], points[2:], strict=False):
                share = np.clip((0.62 - (joint[2] - floor) / max(top - floor, 1e-9)) / 0.15, 0, 1)
                upper, lower = np.linalg.norm(joint - above), np.linalg.norm(below - joint)
                straight = above + (below - above) * upper / max(float(upper + lower), 1e-9)
                votes.append(-float(share * ((joint - straight)[:2] @ forward)) / max(length, 1e-9))
    total = float(np.sum(votes)) / 4 if votes else 0.0
    return float(np.sign(total) * max(0.0, abs(total) - 0.02))


def _small_pairs(candidate: FeetCandidate, joints: list[int]) -> bool:
    """Ears and eyes: a mirrored pair among the joints of one end."""
    view = candidate.view
    tips = [t for t in view.tips if t in set(joints)]
    across = lateral_axis(candidate.pairs)
    for pair in find_pairs(view, tips):
        vector = pair.across
        width = float(np.linalg.norm(vector))
        if pair.likeness > 0.7 and abs(vector @ across) > 0.85 * width and width < 0.6 * view.rig.size:
            return True
    return False


def _root_end(candidate: FeetCandidate) -> float:
    """Rigs are mostly rooted at the pelvis: the pair that hangs nearer to the root is behind."""
    skeleton = candidate.view.rig.skeleton
    depths = [np.mean([len(skeleton.chain(chain[0])) for chain in pair.chains]) for pair in candidate.pairs]
    return float(np.clip(depths[1] - depths[0], -1, 1))


def motion_cues(candidate: FeetCandidate) -> dict[str, float]:
    """Swing and travel over all takes at their own frame rate, each take counting by how much its feet move."""
    swings, travels, weights = [], [], []
    for positions, frame_rate in candidate.view.rig.takes:
        if len(positions) < 5:
            continue
        swing, travel, sweep = _take_cues(candidate, positions, frame_rate)
        swings.append(swing)
        travels.append(travel)
        weights.append(sweep * min(len(positions) / frame_rate, 5.0))
    if not weights or sum(weights) <= 0:
        return {"swing": 0.0, "travel": 0.0}
    return {
        "swing": float(np.average(swings, weights=weights)),
        "travel": float(np.average(travels, weights=weights)),
    }


def _take_cues(candidate: FeetCandidate, positions: Floats, frame_rate: float) -> tuple[float, float, float]:
    view, rig = candidate.view, candidate.view.rig
    flip = np.array([1, view.sign, view.sign])
    body, turned = body_frame(positions, view.axis, rig.body)
    body = body * flip
    mean = body.mean(axis=0)[:, :2]
    forward = _take_forward(candidate, mean)
    tips = list(candidate.tips)
    moving = active(positions[:, rig.body], frame_rate)
    ahead_of_body = body[:, tips, :2] @ forward
    velocity = np.gradient(ahead_of_body, axis=0)
    votes = []
    for k in range(len(tips)):
        height, speed = body[moving, tips[k], 2], velocity[moving, k]
        if np.std(height) > 1e-6 * rig.size and np.std(speed) > 1e-9 * rig.size:
            votes.append(float(np.corrcoef(height, speed)[0, 1]))
    sweep = float(
        np.mean(np.percentile(ahead_of_body[moving], 95, axis=0) - np.percentile(ahead_of_body[moving], 5, axis=0))
    )
    centre = np.median(positions[:, rig.body], axis=1)
    plane = np.stack([centre[:, (view.axis + 1) % 3], centre[:, (view.axis + 2) % 3] * view.sign], axis=-1)
    angle = turned * view.sign
    world_forward = np.stack(
        [
            forward[0] * np.cos(angle) - forward[1] * np.sin(angle),
            forward[0] * np.sin(angle) + forward[1] * np.cos(angle),
        ],
        axis=-1,
    )
    step = np.gradient(plane, axis=0)
    progress = float(np.sum(step * world_forward))
    length = float(np.sum(np.linalg.norm(step, axis=-1)))
    travel = progress / length if abs(progress) > 1.0 * rig.size and length > 0 else 0.0
    return (float(np.mean(votes)) if votes else 0.0), travel, sweep / rig.size


def _take_forward(candidate: FeetCandidate, mean: Floats) -> Floats:
    """`ahead`, seen in the reference frame of one take."""
    seen = [limb_vector(mean, candidate.view.activity, *pair.chains) for pair in candidate.pairs]
    return _rectangle([across for across, _ in seen], [middle for _, middle in seen])
