"""Inverse kinematics for a leg of any number of joints by "bend and aim", for many frames or characters at once.

One number s scales the pose's own flexions (1 is the pose as it is, 0 a straight leg, more than 1 bends further) until
the distance from hip to foot fits the target; then one rotation at the hip aims the leg. Bending planes are kept
and a target that is already met changes nothing. A leg that is nearly straight has no bend to scale: there the
average flexion of the poses, of the rest pose or a given pole axis is blended in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from canter.motion import rotations as rot
from canter.motion.arrays import ArrayLike, Bools, Floats, Ints
from canter.motion.kinematics import forward_of
from canter.motion.roots import falling_root
from canter.motion.skeleton import Skeleton

STRAIGHT_FLEXION = 0.1
"""Radians of flexion, over all joints of a leg, below which its own bend is trusted less and less."""

MIN_BONE = 0.02
"""The share of a leg that a bone is long at least whose direction counts: joints at the ends of a shorter one do not
take part in the bend, for noise turns it."""

MAX_FLEXION = 0.98 * np.pi
"""Radians to which a joint is bent at most."""

LEFT = (1.0, 0.0, 0.0)


class Aim(NamedTuple):
    """World turns `(..., n, 4)` of a leg's n bones, the number `bend (...)` that scaled its flexions, and the distance
    `miss (...)` from the foot to its target that is left."""

    turns: Floats
    bend: Floats
    miss: Floats


class LegSolution(NamedTuple):
    """New local `positions (..., J, 3)` and `rotations (..., J, 4)`; `miss (...)` and `bend (...)` as in `Aim`."""

    positions: Floats
    rotations: Floats
    miss: Floats
    bend: Floats


def solve_leg(
    skeleton: Skeleton,
    positions: Floats,
    rotations: Floats,
    chain: Sequence[int],
    target_world: ArrayLike,
    *,
    foot_rotation: Literal["follow", "keep_world"] = "follow",
    give: ArrayLike | None = None,
    flexion: ArrayLike | None = None,
    pole: ArrayLike = LEFT,
    reach: float = 1.0,
) -> LegSolution:
    """Poses `(..., J, ·)` with the last joint of `chain` (hip first, foot last) at `target_world (..., 3)`.

    A target out of reach is approached as far as the leg goes, and `miss` is the distance that is left; so is, for
    three bones and more, one in the nearest fifth of what the bones could reach. `reach` below 1 stops short of a
    straight leg. `give (n - 1,)` is how much each inner joint takes part in the bend (a fetlock: 0), by default all
    but those at a bone that is next to nothing.
    `foot_rotation` keeps the foot's world rotation or lets it follow its shin. `flexion (n - 1, 3)`, rotation
    vectors in the hip joint's frame as `leg_flexion` gives them, and then the world axis `pole` say how a straight
    leg bends. A foot that hangs elsewhere in the rig is put at the target itself; the shin follows it.
    """
    chain = _check_chain(skeleton, chain)
    parents = [max(int(skeleton.parents[joint]), 0) for joint in chain]
    place, turn = forward_of(skeleton, positions, rotations, [*chain, *parents])
    points, n = place[..., : len(chain), :], len(chain) - 1
    target = np.broadcast_to(np.asarray(target_world, np.float64), (*points.shape[:-2], 3))
    shape = _flexions(points)
    hint = _hint(skeleton, chain, shape.flexions, turn[..., 0, :], flexion, pole)
    give = _steady(shape.lengths) if give is None else give
    aim = _bend_and_aim(shape, target - points[..., 0, :], give, hint, reach)
    new_points = _carried(points, aim.turns)

    positions, rotations = positions.copy(), rotations.copy()
    for k, joint in enumerate(chain):
        own = turn[..., k, :]
        parent_place, parent_turn = place[..., len(chain) + k, :], turn[..., len(chain) + k, :]
        if skeleton.parents[joint] < 0:
            parent_place, parent_turn = np.zeros(3), rot.IDENTITY
        carrier = max((c for c in range(k) if chain[c] in skeleton.chain(joint)), default=None)
        if carrier is not None:  # the parent moves with that joint of the leg
            move = aim.turns[..., carrier, :]
            parent_place = new_points[..., carrier, :] + rot.rotate(move, parent_place - points[..., carrier, :])
            parent_turn = rot.multiply(move, parent_turn)
        back = rot.conjugate(parent_turn)
        if k < n or foot_rotation == "follow":
            own = rot.multiply(aim.turns[..., min(k, n - 1), :], own)
        if k < n or foot_rotation == "keep_world" or carrier != n - 1:
            rotations[..., joint, :] = rot.unit(rot.multiply(back, own))
        if k > 0 and carrier != k - 1:
            goal = target if k == n else new_points[..., k, :]
            positions[..., joint, :] = rot.rotate(back, goal - parent_place)
    return LegSolution(positions, rotations, aim.miss, aim.bend)


def leg_flexion(skeleton: Skeleton, positions: Floats, rotations: Floats, chain: Sequence[int]) -> Floats:
    """The average flexion `(n - 1, 3)` of a leg's inner joints over poses `(..., J, ·)`, in the hip joint's frame."""
    place, turn = forward_of(skeleton, positions, rotations, list(chain))
    return _average_flexion(_flexions(place).flexions, turn[..., 0, :])


def bend_and_aim(
    points: ArrayLike,
    target: ArrayLike,
    *,
    give: ArrayLike | None = None,
    hint: ArrayLike | None = None,
    reach: float = 1.0,
) -> Aim:
    """Turns for a chain of world `points (..., n + 1, 3)` that bring its last point to `target (..., 3)`.

    The core of `solve_leg`, free of skeletons, so that legs of equal length can be solved together. `hint`
    `(..., n - 1, 3)` is a world flexion for straight chains, as rotation vectors relative to the first bone.
    """
    points, target = np.asarray(points, np.float64), np.asarray(target, np.float64)
    lead = np.broadcast_shapes(points.shape[:-2], target.shape[:-1])
    points = np.broadcast_to(points, (*lead, *points.shape[-2:]))
    return _bend_and_aim(_flexions(points), target - points[..., 0, :], give, hint, reach)


class _Shape(NamedTuple):
    """A chain as bone lengths `(..., n)`, the first bone's direction `(..., 3)` and flexions `(..., n - 1, 3)`."""

    lengths: Floats
    first: Floats
    flexions: Floats


def _bend_and_aim(shape: _Shape, way: Floats, give: ArrayLike | None, hint: ArrayLike | None, reach: float) -> Aim:
    """`bend_and_aim` for a chain whose foot shall stand `way (..., 3)` from its hip."""
    lead, n = way.shape[:-1], shape.lengths.shape[-1]
    count = int(np.prod(lead))
    leg = _Shape(*(x.reshape(count, *x.shape[len(lead) :]) for x in shape))
    way = way.reshape(count, 3)
    share = np.broadcast_to(np.asarray(1.0 if give is None else give, np.float64), (n - 1,))
    foot = _foot(leg)
    total, now = np.sum(leg.lengths, axis=-1), np.linalg.norm(foot, axis=-1)
    want = np.minimum(np.linalg.norm(way, axis=-1), np.maximum(reach * total, now))
    bend, final = np.ones(count), leg
    rows = np.flatnonzero(np.abs(now - want) > 1e-14 * total) if n > 1 else np.arange(0)
    if len(rows):
        if hint is not None:
            hint = np.broadcast_to(np.asarray(hint, np.float64), (*lead, n - 1, 3)).reshape(count, n - 1, 3)[rows]
        bend[rows], flexions = _bend(_Shape(*(x[rows] for x in leg)), now[rows], want[rows], share, hint)
        final = leg._replace(flexions=leg.flexions.copy())
        final.flexions[rows] = flexions
        foot = _foot(final)
    turns = _bone_turns(leg.flexions, final.flexions)
    far = np.flatnonzero((np.linalg.norm(foot, axis=-1) > want + 1e-10 * total) & (want < now))
    if len(far) and n > 1:
        directions = rot.rotate(_bone_turns(0 * final.flexions[far], final.flexions[far]), leg.first[far, None])
        turns[far], foot[far] = _fold_up(turns[far], directions * leg.lengths[far, :, None], want[far], share > 0)
    aim = rot.between(foot, way)
    turns = rot.multiply(aim[:, None], turns)
    miss = np.linalg.norm(rot.rotate(aim, foot) - way, axis=-1)
    return Aim(turns.reshape(*lead, n, 4), bend.reshape(lead), miss.reshape(lead))


def _bend(leg: _Shape, now: Floats, want: Floats, share: Floats, hint: Floats | None) -> tuple[Floats, Floats]:
    """The bend `(N,)` and flexions that change the leg's length from `now` to `want (N,)`."""
    less = leg.flexions * share[:, None]
    more = _trusted(less, leg.first, hint, share) if np.any(want < now) else less

    def bent(s: Floats, part: Ints) -> Floats:
        step, own = (s - 1)[:, None, None], leg.flexions[part]
        result: Floats = own + step * np.where(step > 0, more[part], less[part])
        size = np.linalg.norm(result, axis=-1)
        if np.any(size > MAX_FLEXION):  # a joint that is folded up stays so, and the others go on
            most = np.maximum(np.linalg.norm(own, axis=-1), MAX_FLEXION)
            result *= (most / np.maximum(size, most))[..., None]
        return result

    def stretch(u: Floats, part: Ints) -> Floats:
        """Squared length less the wanted one; in u = s² nearly a straight line, also near a straight leg."""
        foot = _foot(_Shape(leg.lengths[part], leg.first[part], bent(np.sqrt(u), part)))
        result: Floats = np.sum(foot * foot, axis=-1) - want[part] ** 2
        return result

    longer, square = want > now, np.sum(leg.lengths, axis=-1) ** 2
    guess = 1 + 1.2 * (now**2 - want**2) / np.maximum(square - now**2, 1e-12 * square)
    low, high = np.where(longer, 0.0, 1.0), np.where(longer, 1.0, guess)
    limit = np.where(longer, 1.0, _fold_limit(leg.flexions, more) ** 2)
    bend = np.sqrt(falling_root(stretch, low, high, limit, 1e-13 * square))
    return bend, bent(bend, np.arange(len(bend)))


def _fold_limit(flexions: Floats, more: Floats) -> Floats:
    """The bend `(N,)` at which every joint that bends is folded up; 1 where none does."""
    step = np.linalg.norm(more, axis=-1)
    room = (MAX_FLEXION + np.linalg.norm(flexions, axis=-1)) / np.maximum(step, 1e-12)
    result: Floats = 1 + np.max(np.where(step > 1e-3 * np.max(step, axis=-1, keepdims=True), room, 0), axis=-1)
    return result


def _fold_up(turns: Floats, bones: Floats, want: Floats, free: Bools) -> tuple[Floats, Floats]:
    """Turns and foot of legs that are still too long where bending all joints alike does not help any more.

    One joint after another folds what hangs on it, as the elbow of a two-bone leg, the most useful joint first.
    """
    rows, n = np.arange(len(bones)), bones.shape[1]
    last = np.full(len(rows), -1)
    for _ in range(60):
        ends = np.cumsum(bones, axis=1)
        long = np.linalg.norm(ends[:, -1], axis=-1) > want + 1e-12
        if not np.any(long):
            break
        upper, lower = ends[:, :-1], ends[:, -1:] - ends[:, :-1]
        a, b = np.linalg.norm(upper, axis=-1), np.linalg.norm(lower, axis=-1)
        usable = free & (a > 0) & (b > 0) & (np.arange(n - 1) != last[:, None])
        k = np.argmin(np.where(usable, np.abs(a - b), np.inf), axis=-1)
        a, b, upper, lower = a[rows, k], b[rows, k], upper[rows, k], lower[rows, k]
        cosine = (want**2 - a**2 - b**2) / np.maximum(2 * a * b, 1e-300)
        angle = np.arccos(np.clip(cosine, -1, 1)) - rot.angle(rot.between(upper, lower))
        helps = usable[rows, k] & long
        turn = np.where(helps[:, None], rot.about(np.cross(upper, lower), angle), rot.IDENTITY)
        turn = np.where((np.arange(n) > k[:, None])[..., None], turn[:, None], rot.IDENTITY)
        turns, bones = rot.multiply(turn, turns), rot.rotate(turn, bones)
        last = k
    return turns, np.sum(bones, axis=1)


def _flexions(points: Floats) -> _Shape:
    """The shape of a chain of `points (..., n + 1, 3)`.

    With d the bone directions, exp(f_1) exp(f_2) ... exp(f_k) d_0 = d_k, so scaling every f by 0 straightens the
    chain and leaves all f perpendicular to d_0. A bone without length continues the one before it.
    """
    bones = np.diff(points, axis=-2).astype(np.float64)
    lengths = np.linalg.norm(bones, axis=-1)
    some = lengths > 1e-9 * np.sum(lengths, axis=-1, keepdims=True)
    directions = bones / np.where(some, lengths, 1)[..., None]
    n = bones.shape[-2]
    direction = np.broadcast_to(np.array([0.0, -1.0, 0.0]), (*bones.shape[:-2], 3))
    for k in reversed(range(n)):
        direction = np.where(some[..., k, None], directions[..., k, :], direction)
    first = direction
    flexions = np.zeros((*bones.shape[:-2], n - 1, 3))
    turned = np.broadcast_to(rot.IDENTITY, (*bones.shape[:-2], 4))
    for k in range(1, n):
        following = np.where(some[..., k, None], directions[..., k, :], direction)
        step = rot.between(direction, following)
        flexions[..., k - 1, :] = rot.rotate(rot.conjugate(turned), rot.log(step))
        turned, direction = rot.multiply(step, turned), following
    return _Shape(lengths, first, flexions)


def _foot(leg: _Shape) -> Floats:
    """From hip to foot `(N, 3)`: Rodrigues' formula from the last bone up, component by component for speed."""
    lengths, first, flexions = leg
    x, y, z = flexions[..., 0].T, flexions[..., 1].T, flexions[..., 2].T
    angle = np.sqrt(x * x + y * y + z * z)
    safe = np.maximum(angle, 1e-12)
    cosine, sine, versine = np.cos(angle), np.sin(angle) / safe, 2 * (np.sin(angle / 2) / safe) ** 2
    dx, dy, dz = first.T
    length = lengths.T
    vx, vy, vz = length[-1] * dx, length[-1] * dy, length[-1] * dz
    for k in range(len(length) - 2, -1, -1):
        fx, fy, fz, c, s = x[k], y[k], z[k], cosine[k], sine[k]
        along = versine[k] * (fx * vx + fy * vy + fz * vz)
        vx, vy, vz = (
            length[k] * dx + c * vx + s * (fy * vz - fz * vy) + along * fx,
            length[k] * dy + c * vy + s * (fz * vx - fx * vz) + along * fy,
            length[k] * dz + c * vz + s * (fx * vy - fy * vx) + along * fz,
        )
    return np.stack([vx, vy, vz], axis=-1)


def _bone_turns(before: Floats, after: Floats) -> Floats:
    """How each bone `(N, n, 4)` turns in the world when the flexions `(N, n - 1, 3)` change, the first bone held."""
    old = new = np.broadcast_to(rot.IDENTITY, (len(before), 4))
    turns = [old]
    for k in range(before.shape[-2]):
        old, new = rot.multiply(old, rot.exp(before[:, k])), rot.multiply(new, rot.exp(after[:, k]))
        turns.append(rot.multiply(new, rot.conjugate(old)))
    return np.stack(turns, axis=-2)


def _trusted(flexions: Floats, first: Floats, hint: Floats | None, share: Floats) -> Floats:
    """The flexions to add more of: a leg's own, and the nearer to straight it is, the more of the hint's."""
    size = np.linalg.norm(flexions, axis=(-1, -2))
    rows = np.flatnonzero(size < STRAIGHT_FLEXION)
    if len(rows) == 0:
        return flexions
    zigzag = _zigzag(LEFT, len(share))
    vectors = np.broadcast_to(zigzag if hint is None else hint, flexions.shape)[rows]
    along = first[rows, None]
    vectors = (vectors - along * np.sum(vectors * along, axis=-1, keepdims=True)) * share[:, None]
    length = np.linalg.norm(vectors, axis=(-1, -2))[:, None, None]
    spare = np.cross(along, np.where(np.abs(along[..., :1]) < 0.6, [1.0, 0, 0], [0, 1.0, 0])) * zigzag[:, :1]
    vectors = np.where(length > 1e-6, vectors / np.maximum(length, 1e-6), rot.normalize(spare) * share[:, None])
    own = ((size[rows] / STRAIGHT_FLEXION) ** 2)[:, None, None]
    result = flexions.copy()
    result[rows] = own * flexions[rows] + (1 - own) * STRAIGHT_FLEXION * vectors
    return result


def _steady(lengths: Floats) -> Floats:
    """1 for each inner joint between two bones `(..., n)` that are long enough in the middle pose, else 0 `(n - 1,)`; 1
    for all where none is."""
    rows = lengths.reshape(-1, lengths.shape[-1])
    middle = np.median(rows, axis=0) if len(rows) else np.ones(lengths.shape[-1])
    long = middle > MIN_BONE * middle.sum()
    steady: Floats = (long[1:] & long[:-1]).astype(np.float64)
    return steady if steady.any() else np.ones(len(steady))


def _zigzag(axis: ArrayLike, joints: int) -> Floats:
    """Flexions `(joints, 3)` about one axis to and fro, as the joints of a leg fold."""
    signs = np.where(np.arange(joints) % 2 == 0, 1.0, -1.0)
    return signs[:, None] * rot.normalize(np.asarray(axis, np.float64))


def _hint(
    skeleton: Skeleton, chain: list[int], own: Floats, hip: Floats, flexion: ArrayLike | None, pole: ArrayLike
) -> Floats | None:
    """World flexions for nearly straight legs: as given, or the poses' average, or the rest pose's, or by the pole."""
    joints = len(chain) - 2
    if joints < 1 or np.all(np.linalg.norm(own, axis=(-1, -2)) >= STRAIGHT_FLEXION):
        return None
    average = _average_flexion(own, hip) if flexion is None else np.asarray(flexion, np.float64)
    if np.linalg.norm(average) < STRAIGHT_FLEXION / 4:
        average = leg_flexion(skeleton, skeleton.offsets, skeleton.rotations, chain)
    if np.linalg.norm(average) < STRAIGHT_FLEXION / 4:
        return np.broadcast_to(_zigzag(pole, joints), own.shape)
    return rot.rotate(hip[..., None, :].astype(np.float64), average)


def _average_flexion(flexions: Floats, hip: Floats) -> Floats:
    turned = rot.rotate(rot.conjugate(hip[..., None, :].astype(np.float64)), flexions)
    result: Floats = np.mean(turned, axis=tuple(range(turned.ndim - 2)))
    return result


def _carried(points: Floats, turns: Floats) -> Floats:
    """The chain's points `(..., n + 1, 3)` after its bones have turned."""
    bones = rot.rotate(turns, np.diff(points, axis=-2))
    start = np.broadcast_to(points[..., :1, :], (*bones.shape[:-2], 1, 3))
    return np.cumsum(np.concatenate([start, bones], axis=-2), axis=-2)


def _check_chain(skeleton: Skeleton, chain: Sequence[int]) -> list[int]:
    joints = [int(joint) for joint in chain]
    if len(joints) < 2 or len(set(joints)) < len(joints):
        raise ValueError(f"a leg needs two or more different joints from hip to foot, not {joints}")
    if min(joints) < 0 or max(joints) >= len(skeleton):
        raise ValueError(f"the leg {joints} names joints outside the skeleton's {len(skeleton)}")
    return joints
