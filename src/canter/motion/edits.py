"""Edits of whole motions as pure functions: resample, join, cross-fade, move and rebuild from world coordinates.

All work on every frame at once and return a new `Motion`. Plain cuts are slices: `motion[10:40]`, and
`motion[::-1]` runs backward. Loops are in `loops`, the mirror in `mirroring`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from canter.motion import kinematics
from canter.motion import rotations as rot
from canter.motion.arrays import ArrayLike, Floats
from canter.motion.easing import cubic_step
from canter.motion.skeleton import Motion, Skeleton


def sample(motion: Motion, frames: ArrayLike) -> Motion:
    """`motion` at fractional `frames (N,)`: linear positions, slerped rotations; held beyond either end."""
    if len(motion) == 0:
        raise ValueError("a motion without frames cannot be sampled")
    place = np.clip(np.asarray(frames, np.float64), 0, len(motion) - 1)
    before = place.astype(int)
    after = np.minimum(before + 1, len(motion) - 1)
    share = (place - before).astype(motion.positions.dtype)[:, None]
    positions = motion.positions[before]
    positions = positions + share[..., None] * (motion.positions[after] - positions)
    rotations = rot.slerp(motion.rotations[before], motion.rotations[after], share)
    whole = share[:, 0] == 0  # frames that are met stay as they are
    rotations[whole] = motion.rotations[before[whole]]
    return replace(motion, positions=positions, rotations=rotations)


def resample(motion: Motion, frame_rate: float, periodic: bool = False) -> Motion:
    """The same motion at another frame rate; the new clip ends at or less than a frame before the old end.

    `periodic` keeps the first and the last frame of a loop exactly: its length is rounded to whole new frames,
    and time is stretched by less than half a new frame over the whole cycle.
    """
    if not frame_rate > 0:
        raise ValueError(f"the frame rate must be above zero, not {frame_rate}")
    if len(motion) < 2:
        return replace(motion, frame_rate=frame_rate)
    if periodic:
        steps = max(round(motion.seconds * frame_rate), 1)
        frames: Floats = np.linspace(0, len(motion) - 1, steps + 1)
    else:
        steps = int(np.floor(motion.seconds * frame_rate + 1e-6))
        frames = np.arange(steps + 1) * (motion.frame_rate / frame_rate)
    return replace(sample(motion, frames), frame_rate=frame_rate)


def _check_alike(motions: Sequence[Motion]) -> None:
    first = motions[0]
    for motion in motions[1:]:
        if motion.skeleton is not first.skeleton and (
            motion.skeleton.names != first.skeleton.names
            or not np.array_equal(motion.skeleton.parents, first.skeleton.parents)
        ):
            raise ValueError(f"{motion.name!r} has another skeleton than {first.name!r}")
        if not np.isclose(motion.frame_rate, first.frame_rate):
            raise ValueError(
                f"{motion.name!r} runs at {motion.frame_rate} frames a second, {first.name!r} at "
                f"{first.frame_rate}; resample one of them"
            )


def concatenate(motions: Sequence[Motion]) -> Motion:
    """The motions one after another, each where it stands; they share skeleton and frame rate."""
    if not motions:
        raise ValueError("there is nothing to concatenate")
    _check_alike(motions)
    return replace(
        motions[0],
        positions=np.concatenate([m.positions for m in motions]),
        rotations=np.concatenate([m.rotations for m in motions]),
    )


def crossfade(a: Motion, b: Motion, frames: int) -> Motion:
    """`a`, then `b`, with the last `frames` of `a` overlapping the first `frames` of `b`, each where it stands."""
    _check_alike([a, b])
    if not 0 <= frames <= min(len(a), len(b)):
        raise ValueError(f"cannot overlap {frames} frames of clips with {len(a)} and {len(b)} frames")
    if frames == 0:
        return concatenate([a, b])
    share = cubic_step(np.arange(1, frames + 1) / (frames + 1)).astype(a.positions.dtype)
    both = blend(a[len(a) - frames :], b[:frames], share)
    return concatenate([a[: len(a) - frames], both, b[frames:]])


def blend(a: Motion, b: Motion, share: ArrayLike) -> Motion:
    """Frame by frame from `a` at `share` 0 to `b` at 1; `share` is a number or `(T,)`."""
    _check_alike([a, b])
    if len(a) != len(b):
        raise ValueError(f"cannot blend {len(a)} frames with {len(b)}; resample or cut one of them")
    weight = np.broadcast_to(np.asarray(share, a.positions.dtype), (len(a),))[:, None]
    return replace(
        a,
        positions=a.positions + weight[..., None] * (b.positions - a.positions),
        rotations=rot.slerp(a.rotations, b.rotations, weight),
    )


def transform_skeleton(
    skeleton: Skeleton, rotation: ArrayLike | None = None, translation: ArrayLike | None = None, scale: float = 1.0
) -> Skeleton:
    """The rest pose turned, moved and scaled: `x -> scale * rotate(rotation, x) + translation`."""
    offsets, rotations = _moved_roots(skeleton, skeleton.offsets, skeleton.rotations, rotation, translation, scale)
    return replace(skeleton, offsets=offsets, rotations=rotations)


def transform(
    motion: Motion,
    rotation: ArrayLike | None = None,
    translation: ArrayLike | None = None,
    scale: float = 1.0,
    skeleton: Skeleton | None = None,
) -> Motion:
    """The whole motion, all roots, moved: `x -> scale * rotate(rotation, x) + translation`.

    `rotation (4,)` or `(T, 4)` and `translation (3,)` or `(T, 3)`. Moving keeps the skeleton, scaling scales its
    rest pose; `skeleton` is used instead if given, so that several clips can share one.
    """
    positions, rotations = _moved_roots(
        motion.skeleton, motion.positions, motion.rotations, rotation, translation, scale
    )
    if skeleton is None:
        skeleton = motion.skeleton if scale == 1 else transform_skeleton(motion.skeleton, scale=scale)
    return replace(motion, skeleton=skeleton, positions=positions, rotations=rotations)


def _moved_roots(
    skeleton: Skeleton,
    positions: Floats,
    rotations: Floats,
    rotation: ArrayLike | None,
    translation: ArrayLike | None,
    scale: float,
) -> tuple[Floats, Floats]:
    kind = positions.dtype
    turn = np.asarray(rot.IDENTITY if rotation is None else rotation, kind)[..., None, :]
    shift = np.asarray(np.zeros(3) if translation is None else translation, kind)[..., None, :]
    roots = np.flatnonzero(skeleton.parents < 0)
    positions, rotations = positions * kind.type(scale), rotations.copy()
    positions[..., roots, :] = rot.rotate(turn, positions[..., roots, :]) + shift
    rotations[..., roots, :] = rot.multiply(turn, rotations[..., roots, :])
    return positions, rotations


def with_world(motion: Motion, position_world: Floats, rotation_world: Floats) -> Motion:
    """`motion` with every joint put at the world `position_world (T, J, 3)` and `rotation_world (T, J, 4)`."""
    positions, rotations = kinematics.local(motion.skeleton, position_world, rotation_world)
    return replace(motion, positions=positions, rotations=rotations)
