"""From an asset to its Anatomy in the file's own coordinates: legs in order, facing, head, tail, and a confidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from canter.anatomy.character import LEGS, Anatomy, Kind, Leg
from canter.anatomy.floor import floor_slope
from canter.anatomy.forward_axis import Facing, ahead, find_facing
from canter.anatomy.leg_ends import ending_at_feet
from canter.anatomy.limb_pairs import View, find_pairs, lateral_axis, limb_vector, low_share, slope_of_way, views
from canter.anatomy.rig_motion import RigMotion, rig_motion
from canter.anatomy.spine_head_tail import MeanPose, Midline, find_midline, mirror_map
from canter.anatomy.up_axis_and_feet import FeetCandidate, four_footed, two_footed
from canter.motion import Asset
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints

SURE_SCORE, UNSURE_SCORE = 0.85, 0.55
"""Shares of the full score at which confidence is 1 and 0."""
MAX_SURE_BELOW = 0.6
"""The term of joints below the feet above which the confidence falls, to 0 where it is 1."""
UNSURE_FACING = 0.7
"""The margin of the facing below which front and back could be exchanged: the other way round has odds of 15 %."""
SAME_FOOT = 0.25
"""Ends of limbs that are nearer to each other than this share of the body's height may be of one foot."""
MIN_BIPED_SCORE, SURE_BIPED_SCORE = 14.5, 17.5
"""The scores from which a biped is believed, and from which it is certain."""
MIN_BIPED_GAIN = 0.05
"""The share of the full score by which two feet must be better than four on which the body could stand as well; four on
which it could not count for twice this less."""
MIN_BIPED_HIP_SHARE = 0.3
"""How high the hips of a person or a bird are at least, as a share of its height."""

MIN_LEAN, MAX_LEAN, MIN_UPRIGHT_GAIN = np.radians(5), np.radians(25), 0.5
"""A file whose feet lean by an angle between these is also looked at with them level, and believed to lean if that
scores so much more."""


def detect(asset: Asset) -> Anatomy:
    """The anatomy of a rig. Never fails: what is neither a quadruped nor a person is of kind "other"."""
    if len(asset.skeleton) < 5:
        return _other(asset, ("fewer than five joints: that is too little for legs and a body",))
    rig = rig_motion(asset)
    if not np.isfinite(rig.size) or not all(np.isfinite(positions).all() for positions, _ in rig.takes):
        return _other(asset, ("some joints have no finite place",))
    seen = views(rig)
    found = four_footed(seen)
    plain = _detect(asset, seen, found)
    least = two_footed(seen)[0].share if plain.kind == "biped" else 0.0
    for turn in _upright_turns(rig, plain, found):
        upright = views(rig.turned(turn))
        better = four_footed(upright)
        if better and better[0].score > found[0].score + MIN_UPRIGHT_GAIN and better[0].share > least:
            leaning = _detect(asset, upright, better)
            if leaning.kind == "quadruped":
                return _turned_back(leaning, turn)
    return plain


def _detect(asset: Asset, seen: list[View], found: list[FeetCandidate]) -> Anatomy:
    """The anatomy of a rig as it is seen, with the choices of four feet that were `found`."""
    four = [s for s in found if _stands_on_four(s)]
    level = bool(four) and four[0].terms["plane"] >= 0.6
    two = [] if level else two_footed(seen)
    upright = bool(two) and two[0].score > MIN_BIPED_SCORE
    if four and not (upright and two[0].share > four[0].share + MIN_BIPED_GAIN):
        if extra := _more_legs(four[0]):
            return _other(asset, (f"{4 + extra} limbs reach the ground; canter knows animals with four legs",))
        return _quadruped(asset, four)
    rival = max([s.share for s in four[:1]] + [s.share - 2 * MIN_BIPED_GAIN for s in found[:1]], default=0.0)
    if upright and (person := _biped(asset, two[0], rival)):
        return person
    return _other(asset, ("no four limbs were found that reach one ground and carry a body between them",))


def _upright_turns(rig: RigMotion, plain: Anatomy, found: list[FeetCandidate]) -> Iterator[Floats]:
    """Rotations of the file that may stand the animal upright: they put the feet on one level or, where no animal was
    found, the way that it goes."""
    if found and (turn := _upright_turn(found[0])) is not None:
        yield turn
    for axis in range(3) if found and plain.kind == "other" else ():
        slope = slope_of_way(rig, axis, MAX_LEAN)
        lean = float(np.arctan(np.linalg.norm(slope)))
        if lean > MIN_LEAN:
            downhill = np.zeros(3)
            downhill[[(axis + 1) % 3, (axis + 2) % 3]] = -slope
            yield rot.about(np.cross(downhill, np.eye(3)[axis]), lean)


def _upright_turn(candidate: FeetCandidate) -> Floats | None:
    """The rotation of the file that puts the four feet on one level, where they lean by more than a usual pose does."""
    view, tips = candidate.view, list(candidate.tips)
    places = np.column_stack([view.mean[tips, :2], np.ones(4)])
    slope = np.linalg.lstsq(places, view.low[tips], rcond=None)[0][:2]
    lean = float(np.arctan(np.linalg.norm(slope)))
    if not MIN_LEAN < lean < MAX_LEAN:
        return None
    return rot.about(np.cross(view.to_file(-slope), view.up), lean)


def _turned_back(anatomy: Anatomy, turn: Floats) -> Anatomy:
    """An anatomy of a rig that was turned, in the axes that it had before."""
    up, forward = (rot.rotate(rot.conjugate(turn), x) for x in (anatomy.up, anatomy.forward))
    return replace(anatomy, up=up, forward=forward)


def _stands_on_four(candidate: FeetCandidate) -> bool:
    """All feet but one, which may be lame, spend time near their own lowest place, and these are not far apart: both
    hands of a person are."""
    floor, height = candidate.floor_and_height
    tips = list(candidate.tips)
    lowest = np.clip(candidate.view.low[tips], floor, floor + 0.3 * height)
    shares = low_share(candidate.view, tips, lowest, height)
    terms = candidate.terms
    return bool(
        terms["plane"] > 0.25 and terms["hangs"] > 0.4 and np.sort(shares)[1] > 0.08 and candidate.share > UNSURE_SCORE
    )


def _more_legs(candidate: FeetCandidate) -> int:
    """How many further limbs stand on the same ground beside the body: an insect's, not a tail or a trunk, nor the
    targets and poles of a control rig, which hang on the root one by one."""
    view = candidate.view
    floor, height = candidate.floor_and_height
    limbs = {j for p in candidate.pairs for c in p.chains for top in c for j in view.rig.skeleton.subtree(top)}
    reach = view.activity[list(candidate.tips)].mean()
    count = 0
    for pair in find_pairs(view, [t for t in view.tips if t not in limbs]):
        tips = list(pair.tips)
        low = low_share(view, tips, floor, height).min() > 0.3 and view.low[tips].min() > floor - 0.3 * height
        tops = min(view.mean[chain[0], 2] for chain in pair.chains)
        long = len(pair.chains[0]) >= 3 and tops > floor + 0.4 * height
        long &= all(chain[0] in view.rig.skeleton.chain(chain[-1]) for chain in pair.chains)
        busy = view.activity[tips].min() > 0.5 * reach
        free = not limbs & {*pair.chains[0], *pair.chains[1]} and _beside(view, tips, candidate, 0.2 * height)
        count += 2 * bool(low and long and busy and free and pair.likeness > 0.6)
    return count


def _beside(view: View, tips: list[int], candidate: FeetCandidate, gap: float) -> bool:
    """Whether tips stand at places of their own, and not where a foot stands that is known already."""
    places = view.mean[tips][:, None, :2] - view.mean[list(candidate.tips)][None, :, :2]
    return bool(np.linalg.norm(places, axis=-1).min() > gap)


def _other(asset: Asset, doubts: tuple[str, ...]) -> Anatomy:
    mirror = np.arange(len(asset.skeleton), dtype=np.int32)
    up, forward = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
    return Anatomy("other", up, forward, float("nan"), (), mirror, confidence=0.0, doubts=doubts)


def _quadruped(asset: Asset, found: list[FeetCandidate]) -> Anatomy:
    """The anatomy by the best choice of feet whose whole legs begin above the ground: seen upside down, an animal that
    sprawls stands on its knees, with its hips under the ground."""
    answers = (_with_feet(asset, found[k:]) for k in range(len(found)))
    first = next(answers)
    if first.hip_height > 0:
        return first
    return next((answer for answer in answers if answer.hip_height > 0), first)


def _with_feet(asset: Asset, found: list[FeetCandidate]) -> Anatomy:
    """The anatomy with the feet of the first candidate; the others are its rivals."""
    best = found[0]
    facing = find_facing(best)
    fore, hind = (best.pairs[1], best.pairs[0]) if facing.sign > 0 else best.pairs
    frame = _frame(best, facing)
    limbs = [_limb(best, frame, chain) for pair in (fore, hind) for chain in _left_first(best, frame, pair.chains)]
    limbs = ending_at_feet(best, limbs)
    legs = _legs(frame, LEGS[:2], limbs[:2]) + _legs(frame, LEGS[2:], limbs[2:])
    pose = _mean_pose(asset, best, frame, legs)
    mirror = mirror_map(pose, legs)
    midline = find_midline(pose, legs, mirror)
    confidence, doubts = _confidence(found, facing)
    anatomy = _anatomy("quadruped", best, frame, pose, legs, (), mirror, midline, confidence, doubts)
    return _levelled(anatomy, best.view.rig)


def _levelled(anatomy: Anatomy, rig: RigMotion) -> Anatomy:
    """The anatomy with up square to the floor that the feet stand on, where that is a little tilted."""
    axes = np.stack([anatomy.left, anatomy.up, anatomy.forward])
    takes = [(positions[:, anatomy.feet] @ axes.T, rate) for positions, rate in rig.takes]
    slope = floor_slope(takes, anatomy.hip_height)
    if not slope.any():
        return anatomy
    up = np.array([-slope[0], 1.0, -slope[1]]) @ axes
    up /= np.linalg.norm(up)
    forward = anatomy.forward - (anatomy.forward @ up) * up
    heights = rig.frames @ up
    lowest = float(np.percentile(heights[:, anatomy.feet], 4))
    ground = ground_under(lowest, lowest + anatomy.hip_height)
    height = hip_height(_hind_hips(heights, anatomy.legs) - ground, heights[:, anatomy.feet])
    forward /= np.linalg.norm(forward)
    return replace(anatomy, up=up, forward=forward, ground=ground, hip_height=height)


def _biped(asset: Asset, best: FeetCandidate, rival: float) -> Anatomy | None:
    """A person, or None where the legs hardly lift the body: two ends of something else. It is the less certain the
    nearer the share of the score is that four feet, the `rival`, have."""
    facing = find_facing(best)
    frame = _frame(best, facing)
    chains = _left_first(best, frame, best.pairs[0].chains)
    legs = _legs(frame, ("L", "R"), chains)
    pose = _mean_pose(asset, best, frame, legs)
    if pose.height < MIN_BIPED_HIP_SHARE * np.percentile(pose.points[pose.body, 1], 90):
        return None
    arms = _arms(best, frame, legs)
    mirror = mirror_map(pose, legs + arms)
    taken = {j for leg in legs + arms for j in leg.joints}
    rest = [int(j) for j in best.view.rig.joints if int(j) not in taken]
    head = max(rest, key=lambda j: pose.points[j, 1]) if rest else None
    if head is not None and pose.is_end(head):
        head = int(asset.skeleton.parents[head])
    chain = asset.skeleton.chain(head) if head is not None else []
    spine = tuple(j for j in chain[:-1] if j not in taken)
    sure = np.clip((best.score - MIN_BIPED_SCORE) / (SURE_BIPED_SCORE - MIN_BIPED_SCORE), 0, 1)
    sure *= np.clip((best.share - rival) / MIN_BIPED_GAIN - 1, 0, 1)
    confidence = float(sure * (0.6 + 0.4 * facing.margin))
    return _anatomy("biped", best, frame, pose, legs, arms, mirror, Midline(spine, (), head, ()), confidence, ())


def _arms(candidate: FeetCandidate, frame: Frame, legs: tuple[Leg, ...]) -> tuple[Leg, ...]:
    """The longest other mirrored pair of limbs that starts above the hips."""
    view = candidate.view
    taken = {j for leg in legs for j in leg.joints}
    hips = float(np.mean([view.mean[leg.hip, 2] for leg in legs]))
    across = lateral_axis(candidate.pairs)
    pairs = []
    for pair in find_pairs(view, [t for t in view.tips if t not in taken]):
        vector = pair.across
        high = all(view.mean[chain[0], 2] > hips for chain in pair.chains)
        if high and len(pair.chains[0]) >= 3 and abs(vector @ across) > 0.6 * np.linalg.norm(vector):
            pairs.append(pair)
    if not pairs:
        return ()

    def length(chain: tuple[int, ...]) -> float:
        return float(np.linalg.norm(np.diff(view.mean[list(chain)], axis=0), axis=-1).sum())

    best = max(pairs, key=lambda p: p.likeness * min(length(c) for c in p.chains))
    chains = _left_first(candidate, frame, best.chains)
    return _legs(frame, ("L", "R"), chains)


@dataclass(frozen=True, eq=False)
class Frame:
    """Directions in the view's plane, and the mean pose as (left, up, forward)."""

    left: Floats
    forward: Floats
    points: Floats


def _frame(candidate: FeetCandidate, facing: Facing) -> Frame:
    forward = ahead(candidate) * facing.sign
    left = np.array([-forward[1], forward[0]])
    view = candidate.view
    middle = np.mean([p.middle for p in candidate.pairs], axis=0)
    plane = view.mean[:, :2] - middle
    return Frame(left, forward, np.stack([plane @ left, view.mean[:, 2], plane @ forward], axis=-1))


def _left_first(
    candidate: FeetCandidate, frame: Frame, chains: tuple[tuple[int, ...], tuple[int, ...]]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Which limb is the left one, by the whole limb and not the foot: dogs cross the midline."""
    across, _ = limb_vector(frame.points[:, [0, 2]], candidate.view.activity, *chains)
    return chains if across[0] >= 0 else (chains[1], chains[0])


def _limb(candidate: FeetCandidate, frame: Frame, chain: tuple[int, ...]) -> tuple[int, ...]:
    """The chain without top joints that also carry another leg, helpers left out."""
    skeleton, body = candidate.view.rig.skeleton, candidate.view.rig.body
    others = set(candidate.tips) - {chain[-1]}
    kept = [j for j in chain if not others & set(skeleton.subtree(j)) and (body[j] or j == chain[-1])]
    return tuple(kept) or chain[-1:]


def _legs(frame: Frame, names: Sequence[str], chains: Sequence[tuple[int, ...]]) -> tuple[Leg, ...]:
    """A left and a right leg; their hip is the first joint that stands well off the midline on both sides."""
    count = min(len(c) for c in chains)
    left, right = (np.array(c[-count:]) for c in chains)
    width = np.abs(frame.points[left, 0] - frame.points[right, 0]) / 2
    first = int(np.argmax(width > 0.3 * np.max(width[: max(count - 1, 1)])))
    return tuple(Leg(n, c, c[len(c) - count + first], c[-1]) for n, c in zip(names, chains, strict=True))


def _mean_pose(asset: Asset, candidate: FeetCandidate, frame: Frame, legs: tuple[Leg, ...]) -> MeanPose:
    rig = candidate.view.rig
    ground = ground_height(candidate, legs)
    points = frame.points - np.array([0.0, ground, 0.0])
    heights = candidate.view.body[..., 2]
    height = hip_height(_hind_hips(heights, legs) - ground, heights[:, [leg.foot for leg in legs]])
    return MeanPose(asset.skeleton, points, rig.body, _stiff(asset), height, ground)


def _hind_hips(heights: Floats, legs: tuple[Leg, ...]) -> Floats:
    """The mean height `(F,)` of the hips of the last pair of legs, of the heights of all joints `(F, J)`."""
    result: Floats = heights[:, [leg.hip for leg in legs[-2:]]].mean(axis=1)
    return result


def ground_height(candidate: FeetCandidate, legs: tuple[Leg, ...]) -> float:
    """The height of the ground under the feet of a candidate."""
    view = candidate.view
    lowest = float(np.median(view.low[[leg.foot for leg in legs]]))
    return ground_under(lowest, float(np.mean([view.mean[leg.hip, 2] for leg in legs[-2:]])))


def ground_under(lowest: float, hips: float) -> float:
    """The file's zero plane where the lowest feet come close to it, as they do in rigs that end at the ankle."""
    return 0.0 if -0.05 * (hips - lowest) < lowest < 0.3 * (hips - lowest) else lowest


def hip_height(hips: Floats, feet: Floats) -> float:
    """75th percentile of the height of the (hind) hips `(F,)` over frames with two of the feet `(F, L)` near the
    ground."""
    near: Bools = feet < np.percentile(feet, 4, axis=0) + 0.15 * float(np.median(hips))
    standing = hips[near.sum(axis=1) >= 2]
    return float(np.percentile(standing if len(standing) else hips, 75))


def _stiff(asset: Asset) -> Bools:
    stiff = np.ones(len(asset.skeleton), bool)
    for motion in asset.clips:
        if len(motion):
            turning = np.abs(motion.rotations - motion.rotations[:1]).max(axis=(0, 2)) > 1e-5
            scale = np.abs(motion.positions).max() + 1e-9
            moving = np.abs(motion.positions - motion.positions[:1]).max(axis=(0, 2)) > 1e-5 * scale
            stiff &= ~(turning | moving)
    return stiff


def _confidence(found: list[FeetCandidate], facing: Facing) -> tuple[float, tuple[str, ...]]:
    """How sure the answer is, 0 to 1, and what lowers that: the score of the feet, by how much the next best choice of
    feet is behind, and by how much the next best facing is less likely."""
    best = found[0]
    feet = float(np.clip((best.share - UNSURE_SCORE) / (SURE_SCORE - UNSURE_SCORE), 0, 1))
    feet *= float(np.clip((1 - best.terms["below"]) / (1 - MAX_SURE_BELOW), 0, 1))
    rival = next((s for s in found[1:] if not _same_feet(best, s)), None)
    margin = float(np.clip((best.score - rival.score) / 2.0, 0, 1)) if rival else 1.0
    doubts = []
    if feet < 0.5:
        doubts.append("the legs do not look like any usual rig")
    if margin < 0.5:
        doubts.append("another choice of feet scores nearly as well")
    if facing.margin < UNSURE_FACING:
        doubts.append("front and back could be exchanged")
    if facing.backward:
        doubts.append("the clips walk backward")
    return round(feet * (0.5 + 0.5 * margin) * facing.margin**2, 3), tuple(doubts)


def _same_feet(one: FeetCandidate, other: FeetCandidate) -> bool:
    """Whether two choices of feet are the same but for toes, heels or controls of one foot."""
    if one.view.up @ other.view.up < 0.5:
        return False
    _, height = one.floor_and_height
    places = one.view.mean
    apart = np.linalg.norm(places[list(one.tips)][:, None] - places[list(other.tips)], axis=-1)
    return bool((apart.min(axis=0) < SAME_FOOT * height).all() and (apart.min(axis=1) < SAME_FOOT * height).all())


def _anatomy(
    kind: Kind,
    candidate: FeetCandidate,
    frame: Frame,
    pose: MeanPose,
    legs: tuple[Leg, ...],
    arms: tuple[Leg, ...],
    mirror: Ints,
    midline: Midline,
    confidence: float,
    doubts: tuple[str, ...],
) -> Anatomy:
    view = candidate.view
    rig: RigMotion = view.rig
    return Anatomy(
        kind,
        view.up,
        view.to_file(frame.forward),
        pose.height,
        legs,
        mirror,
        arms,
        midline.spine,
        midline.neck,
        midline.head,
        midline.tail,
        tuple(int(j) for j in np.flatnonzero(~rig.body)),
        confidence,
        doubts,
        pose.ground,
    )
