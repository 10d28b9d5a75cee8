"""Which part of a clip to show: its most typical stride, if it has strides, and the poses at moments of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from canter.anatomy import Anatomy, Character, Clip
from canter.anatomy.ground import ground_track
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.motion.edits import sample


@dataclass(frozen=True)
class Span:
    """`frames` frames from `start` on; in a loop they may cross the seam. `stride`: one stride, not the whole clip."""

    start: float
    frames: float
    stride: bool
    loop: bool

    def moments(self, count: int) -> Floats:
        """The middles of `count` equal parts, in frames (of a loop, unwrapped)."""
        return self.start + (np.arange(count) + 0.5) / count * self.frames


def typical_stride(anatomy: Anatomy, clip: Clip) -> Span:
    """From one touchdown of LH (or of the leg that phases count from) to the next; the stride whose length and speed
    are nearest to those of the clip.

    A foot that is down in a frame counts as down from half a frame before, so a stride starts there.
    """
    falls, last = clip.footfalls, len(clip.motion) - 1
    whole = Span(0.0, float(max(last, 0)), False, falls.loop)
    if last < 2 or not np.isfinite(falls.stride_seconds) or falls.stride_seconds <= 0:
        return whole
    length = falls.stride_seconds * clip.motion.frame_rate
    contacts = falls.contacts[:-1] if falls.loop else falls.contacts
    downs = touchdowns(_reference(anatomy, contacts, falls.phases), falls.loop)
    if falls.loop:
        strides = max(1, round(last / length))
        return Span(float(downs[0]) - 0.5 if len(downs) else 0.0, last / strides, True, True)
    if len(downs) < 2:
        return whole
    lengths = np.diff(downs)
    score = np.abs(np.log(lengths / length))
    if np.isfinite(falls.speed) and falls.speed > 0:
        places, _ = body_track(anatomy, clip.motion)
        travel = np.linalg.norm(np.diff(places[downs], axis=0), axis=1) * clip.motion.frame_rate / lengths
        score = score + 0.5 * np.abs(np.log(np.maximum(travel, 1e-3) / falls.speed))
    best = int(np.argmin(score))
    return Span(float(downs[best]) - 0.5, float(lengths[best]), True, False)


def touchdowns(down: Bools, loop: bool) -> np.ndarray:
    """The frames in which a foot meets the ground; in a loop also over the seam."""
    before = np.roll(down, 1)
    if not loop and len(down):
        before[0] = True
    return np.flatnonzero(down & ~before)


def _reference(anatomy: Anatomy, contacts: Bools, phases: Mapping[str, float]) -> Bools:
    """The contacts of the leg that the others' phases are counted from, if it steps; else of the first that does."""
    names = [leg.name for leg in anatomy.legs]
    order = sorted(range(len(names)), key=lambda i: (phases.get(names[i], 1.0) != 0, names[i] != "LH", i))
    for i in order:
        if i < contacts.shape[1] and 0 < contacts[:, i].sum() < len(contacts):
            return np.asarray(contacts[:, i])
    return np.zeros(len(contacts), bool)


def poses_at(motion: Motion, moments: Floats, loop: bool) -> Motion:
    """The motion at fractional frames; those of a loop wrap around, without its travel."""
    last = len(motion) - 1
    return sample(motion, moments % last if loop and last > 0 else moments)


def contacts_at(clip: Clip, moments: Floats, loop: bool) -> Bools:
    """Which feet are down at fractional frames `(N, L)`: those of the nearest frame."""
    contacts = clip.footfalls.contacts
    if not len(contacts):
        return np.zeros((len(moments), contacts.shape[1] if contacts.ndim == 2 else 0), bool)
    nearest = np.rint(moments).astype(int)
    nearest = nearest % (len(contacts) - 1) if loop and len(contacts) > 1 else np.clip(nearest, 0, len(contacts) - 1)
    return np.asarray(contacts[nearest])


def body_track(anatomy: Anatomy, motion: Motion) -> tuple[Floats, Floats]:
    """The ground track, unsmoothed: places `(T, 3)` at height 0 and facings `(T,)`; without legs the mean joint."""
    if len(anatomy.legs) in (2, 4):
        track = ground_track(motion, anatomy, smooth=False)
        flat, facings = track.positions, track.facings
    else:
        flat, facings = motion.position_world[:, :, [0, 2]].mean(axis=1), np.zeros(len(motion))
    return np.stack([flat[:, 0], np.zeros(len(motion)), flat[:, 1]], -1), facings


def straightened(anatomy: Anatomy, motion: Motion, loop: bool) -> tuple[Floats, Floats]:
    """World positions `(N, J, 3)` and rotations `(N, J, 4)` without travel and turn: over the origin, along +Z."""
    places, facings = body_track(anatomy, motion)
    steady = np.full(len(facings), np.angle(np.exp(1j * facings).mean()))
    if not loop and len(facings) > 2 and np.ptp(facings) > 0.2:
        count = np.arange(len(facings))
        steady = np.polyval(np.polyfit(count, facings, 1), count)
    back = rot.yaw(-steady)[:, None]
    positions, rotations = motion.position_world.astype(np.float64), motion.rotation_world.astype(np.float64)
    return rot.rotate(back, positions - places[:, None]), rot.multiply(back, rotations)


def ground_height(character: Character, positions: Floats) -> float:
    """Height of the ground in metres: 0, or the lowest foot where a clip is far above or below that."""
    feet = positions[:, character.anatomy.feet] if character.anatomy.legs else positions
    lowest, size = float(np.min(feet[..., 1])), character.anatomy.hip_height
    if not np.isfinite(size) or not -0.08 * size <= lowest <= 0.3 * size:
        return lowest
    return 0.0
