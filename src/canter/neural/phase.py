"""Phases of strides from the contacts of one foot, for networks that need one.

A stride goes from one touchdown to the next: its phase rises to STANCE_SHARE while the foot stands and to 1 while it
swings. It stands still while the animal does.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from canter.motion.arrays import Bools, Floats, Ints

STANCE_SHARE = 0.6
"""The phase at which the foot is lifted."""
MAX_STANCE_SECONDS, STEP_SECONDS = 1.0, 0.3
"""A foot that stands for longer than the first belongs to an animal that stands: its phase goes on only for the second
after it came down and before it is lifted."""


def stride_phases(contacts: Bools, starts: Ints, frame_rate: float) -> Floats:
    """Phases `(T,)`, whole strides counted, from `contacts (T, L)` of clips that begin at `starts (C + 1,)`."""
    result = np.zeros(len(contacts))
    for a, b in pairwise(starts.tolist()):
        result[a:b] = _clip_phases(contacts[a:b, _busiest(contacts[a:b])], frame_rate)
    return result


def _busiest(contacts: Bools) -> int:
    """The leg `(T, L)` that comes down most often."""
    return int(np.argmax((contacts[1:] & ~contacts[:-1]).sum(axis=0))) if len(contacts) > 1 else 0


def _clip_phases(stands: Bools, frame_rate: float) -> Floats:
    """Phases of one clip `(T,)` from the contacts `(T,)` of a foot."""
    changes = np.flatnonzero(np.diff(stands.astype(np.int8))) + 1
    borders = [0, *changes.tolist(), len(stands)]
    if len(borders) > 4:  # what is cut off at both ends is taken to be as long as the next of its kind
        borders[0] = min(0, borders[1] - (borders[3] - borders[2]))
        borders[-1] = max(len(stands), borders[-2] + borders[-3] - borders[-4])
    frames, phases = [float(borders[0])], [0.0 if stands[0] else STANCE_SHARE]
    step, half = STEP_SECONDS * frame_rate, STANCE_SHARE / 2
    for start, end in pairwise(borders):
        base = phases[-1]
        if not stands[max(start, 0)]:
            frames.append(end)
            phases.append(np.floor(base) + 1.0)
            continue
        if end - start > MAX_STANCE_SECONDS * frame_rate:
            frames += [start + step, end - step]
            phases += [base + half, base + half]
        frames.append(end)
        phases.append(base + STANCE_SHARE)
    return np.interp(np.arange(len(stands)), frames, phases)
