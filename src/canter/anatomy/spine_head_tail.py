"""The rest of the body once the legs are known: mirror pairs, spine, neck and head, tail, arms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.anatomy.character import Leg
from canter.motion import Skeleton
from canter.motion.arrays import Bools, Floats, Ints

HEAD_WORD = "head"
"""Names break ties only: which of the joints at the end of a neck is the head."""


@dataclass(frozen=True, eq=False)
class MeanPose:
    """A rig in its mean pose, `points (J, 3)` as (left, up, forward) over the ground under the middle of the body."""

    skeleton: Skeleton
    points: Floats
    body: Bools
    stiff: Bools
    """`(J,)`: joints that never turn or move against their parent."""
    height: float
    ground: float

    def path(self, start: int, end: int) -> list[int]:
        """Joints from `start` to `end` through the tree, both included; empty between separate trees."""
        a, b = self.skeleton.chain(start), self.skeleton.chain(end)
        shared = sum(x == y for x, y in zip(a, b, strict=False))
        if not shared:
            return []
        return a[shared - 1 :][::-1] + b[shared:]

    def is_end(self, joint: int) -> bool:
        """Whether a leaf only marks where its parent's bone ends: it never moves against it, and the parent does."""
        if self.skeleton.end_sites[joint]:
            return True
        parent = int(self.skeleton.parents[joint])
        return bool(self.stiff[joint] and parent >= 0 and not self.stiff[parent] and not self.called_head(joint))

    def called_head(self, joint: int) -> bool:
        return HEAD_WORD in self.skeleton.names[joint].lower()


def common_ancestor(skeleton: Skeleton, joints: list[int]) -> int | None:
    """The deepest joint above or at all of `joints`."""
    chains = [skeleton.chain(j) for j in joints]
    result = None
    for level in zip(*chains, strict=False):
        if len(set(level)) > 1:
            break
        result = level[0]
    return result


def mirror_map(pose: MeanPose, legs: tuple[Leg, ...]) -> Ints:
    """For every joint its partner on the other side, or itself. Legs pair by their chains, the rest by reflection."""
    mirror = np.arange(len(pose.skeleton), dtype=np.int32)
    for left, right in zip(legs[::2], legs[1::2], strict=True):
        count = min(len(left.joints), len(right.joints))
        for a, b in zip(left.joints[-count:], right.joints[-count:], strict=True):
            mirror[a], mirror[b] = b, a
    in_legs = {j for leg in legs for j in leg.joints}
    reflected = pose.points * np.array([-1.0, 1.0, 1.0])
    for joint in range(-1, len(pose.skeleton)):
        partner = int(mirror[joint]) if joint >= 0 else -1
        ours, theirs = _children(pose, joint, in_legs), _children(pose, partner, in_legs)
        if partner < joint:
            continue
        for a, b in _matches(pose.points[ours], reflected[theirs], pose.height):
            mirror[ours[a]], mirror[theirs[b]] = theirs[b], ours[a]
    return mirror


def _children(pose: MeanPose, joint: int, taken: set[int]) -> list[int]:
    children = pose.skeleton.children[joint] if joint >= 0 else np.flatnonzero(pose.skeleton.parents < 0)
    return [int(c) for c in children if int(c) not in taken and pose.body[c]]


def _matches(points: Floats, mirrored: Floats, height: float) -> list[tuple[int, int]]:
    """Nearest one-to-one pairs within a tenth and a half of the hip height."""
    gaps = np.linalg.norm(points[:, None] - mirrored[None], axis=-1)
    found: list[tuple[int, int]] = []
    while gaps.size and np.min(gaps) < 0.25 * height:
        a, b = (int(x) for x in np.unravel_index(np.argmin(gaps), gaps.shape))
        found.append((a, b))
        gaps[a, :], gaps[:, b] = np.inf, np.inf
    return found


@dataclass(frozen=True)
class Midline:
    """The midline of the animal."""

    spine: tuple[int, ...]
    neck: tuple[int, ...]
    head: int | None
    tail: tuple[int, ...]


def find_midline(pose: MeanPose, legs: tuple[Leg, ...], mirror: Ints) -> Midline:
    """Spine, neck, head and tail of a four-legged pose."""
    skeleton = pose.skeleton
    taken = {j for leg in legs for top in leg.joints for j in skeleton.subtree(top)}
    rest = [j for j in np.flatnonzero(pose.body) if int(j) not in taken]
    along = pose.points[:, 2]
    fore = float(np.mean([along[leg.hip] for leg in legs[:2]]))
    hind = float(np.mean([along[leg.hip] for leg in legs[2:]]))
    fore_girdle = common_ancestor(skeleton, [leg.joints[0] for leg in legs[:2]])
    hind_girdle = common_ancestor(skeleton, [leg.joints[0] for leg in legs[2:]])
    share = (along - hind) / max(fore - hind, 1e-9)
    ours = skeleton.chain(legs[0].hip)[0]
    front = [int(j) for j in rest if share[j] > 1.02]
    connected = [j for j in front if skeleton.chain(j)[0] == ours]
    head = _find_head(pose, connected or front, mirror)
    tail = _find_tail(pose, [int(j) for j in rest if share[j] < 0.08], hind_girdle, share)
    tail = () if head is not None and head in tail else tail
    spine = _between(pose, hind_girdle, fore_girdle, [int(j) for j in rest], share, mirror, {*tail})
    neck: tuple[int, ...] = ()
    if head is not None:
        start = fore_girdle if fore_girdle is not None else (spine[-1] if spine else head)
        neck = tuple(j for j in pose.path(start, head)[1:-1] if j not in spine and pose.body[j])
    return Midline(tuple(j for j in spine if j != head and j not in neck), neck, head, tail)


def _find_head(pose: MeanPose, front: list[int], mirror: Ints) -> int | None:
    """The joint that carries a mirrored pair (ears, eyes); else the last that branches; else the last bone."""
    if not front:
        return None
    skeleton, inside = pose.skeleton, set(front)
    lone = [j for j in front if mirror[j] == j]
    carriers = [j for j in lone if any(mirror[c] != c for c in skeleton.children[j] if c in inside)]
    if carriers:
        return max(carriers, key=lambda j: len(skeleton.chain(j)))
    leaves = [j for j in lone or front if not any(c in inside for c in skeleton.children[j])]
    chains = [[j for j in skeleton.chain(leaf) if j in inside] for leaf in leaves]
    chain = max(chains, key=lambda c: _reach(pose, [int(skeleton.parents[c[0]]), *c]))
    late = [j for i, j in enumerate(chain[:-1]) if _reach(pose, chain[i:]) < 0.65 * _reach(pose, chain)]
    branching = [j for j in late or chain[:1] if sum(c in inside for c in skeleton.children[j]) > 1]
    near = chain if not branching else [branching[-1], *(c for c in skeleton.children[branching[-1]] if c in inside)]
    if named := [j for j in near if pose.called_head(j) and not pose.is_end(j)]:
        return named[-1] if named[-1] in chain else named[0]
    if branching:
        return branching[-1]
    last = chain[-2] if len(chain) > 1 and pose.is_end(chain[-1]) else chain[-1]
    highest = max(chain, key=lambda j: pose.points[j, 1])
    hangs = pose.points[highest, 1] - pose.points[last, 1] > 0.4 * pose.height
    return highest if hangs and highest != chain[0] else last


def _find_tail(pose: MeanPose, rear: list[int], girdle: int | None, share: Floats) -> tuple[int, ...]:
    """The chain that reaches furthest behind the hips."""
    inside = set(rear)
    leaves = [j for j in rear if not any(c in inside for c in pose.skeleton.children[j])]
    best: list[int] = []
    for leaf in leaves:
        chain = [j for j in pose.skeleton.chain(leaf) if j in inside and j != girdle]
        if share[leaf] < -0.02 and _reach(pose, chain) > _reach(pose, best):
            best = chain
    return tuple(best)


def _reach(pose: MeanPose, chain: list[int]) -> float:
    return float(np.linalg.norm(np.diff(pose.points[chain], axis=0), axis=-1).sum()) if chain else -1.0


def _between(
    pose: MeanPose,
    hind: int | None,
    fore: int | None,
    rest: list[int],
    share: Floats,
    mirror: Ints,
    tail: set[int],
) -> tuple[int, ...]:
    """The spine: the way through the tree from girdle to girdle; where all hangs on one joint, what lies between."""
    if hind is not None and fore is not None and hind != fore:
        path = [j for j in pose.path(hind, fore) if pose.body[j] and j not in tail]
        if len(path) > 1:
            return tuple(path)
    midline = [j for j in rest if mirror[j] == j and -0.1 < share[j] < 1.1 and j not in tail]
    high = [j for j in midline if pose.points[j, 1] > 0.5 * pose.height]
    return tuple(sorted(high, key=lambda j: share[j]))
