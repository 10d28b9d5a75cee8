"""Spine, neck, head, ears and tail of a gait: the spine by harmonics of the row, the rest by springs and delays.

How far the head nods is set by `nod` and `neck_spring` of a gait row and by `move_neck`; how the tail hangs by
`tail_lift` and `move_tail`. Numbers without a measurement were set by eye.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.animals.generator.gait_rows import GaitRow
from canter.animals.generator.standing import Standing, propagate_below, turn_about
from canter.animals.generator.strides import StrideSequence
from canter.animals.generator.waves import derivative, lagged, spring, wave
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.constants import GRAVITY

PELVIS_FLEXION_SHARE = 0.62
"""The share of the spine's flexion that the pelvis takes; the chest takes the rest."""
HIGHEST_HARMONIC = 12
"""The highest harmonic of a stride in the accelerations that drive neck and tail."""
FLEXION_EXPONENT = 0.6
"""Flexion, bend and roll are distributed along the spine by its fraction from pelvis to chest to this power."""
SPRING_HIP_HEIGHT_M = 1.17
"""The hip height at which a neck spring has the frequency of its row; smaller animals have quicker ones."""
NECK_DEG_PER_G = 14
"""Degrees by which a neck spring of gain 1 lowers the neck under a vertical acceleration of 1 g."""
NECK_LAG_CYCLES, HEAD_LAG_CYCLES = 0.02, 0.05
"""Delays of each neck joint behind the one before, and of the head, in strides."""
HEAD_NOD_SHARE, HEAD_TRUNK_SHARE, NECK_STEADINESS = 0.25, 0.3, 0.35
"""The shares of nod and trunk rotation that the head takes, and of the latter that the last neck joint lacks."""
HEAD_LOOK_GAIN = 1.5
"""How far the head turns to the side against the row's `look`, of which the neck takes 1."""
TAIL_FREQUENCY_HZ, TAIL_DAMPING_UP, TAIL_DAMPING_SIDE = 1.1, 0.35, 0.25
TAIL_UP_DEG_PER_G, TAIL_SIDE_DEG_PER_G = 16, 110
"""The springs of the tail: natural frequency, damping ratios, and degrees under an acceleration of 1 g."""
TAIL_LAG_SIDE_CYCLES, TAIL_LAG_UP_CYCLES = 0.06, 0.05
"""Delays of each tail joint behind the one before, in strides."""


@dataclass(frozen=True, eq=False)
class Trunk:
    """Rotations `(G, S, 4)` of the spine relative to standing, and positions `(G, 3)` of its first joint, no travel."""

    turns: Floats
    root: Floats


def move_trunk(animal: Standing, row: GaitRow, sequence: StrideSequence) -> Trunk:
    """The spine by the row's harmonics; its pitch follows from the heights of sacrum and withers."""
    phase = sequence.phase
    h, spine = animal.height, list(animal.anatomy.spine)
    first, last = animal.places[spine[0]], animal.places[spine[-1]]
    length = float(last[2] - first[2])
    rise = (wave(row.withers, phase) - wave(row.sacrum, phase)) * h
    pitch = -np.arcsin(np.clip(rise / length, -0.5, 0.5))
    share = np.linspace(0, 1, len(spine))
    share = np.where(share > 0, share**FLEXION_EXPONENT, 0.0)
    flexion = np.radians(wave(row.flexion, phase))[:, None]
    bend = np.radians(wave(row.bend, phase))[:, None]
    lean = -flexion * PELVIS_FLEXION_SHARE + flexion * share  # about +X, nose down is positive
    aside = bend * (share - 0.5)
    roll = np.radians(wave(row.pelvis_roll, phase))[:, None] * (1 - share)
    roll = roll + np.radians(wave(row.thorax_roll, phase))[:, None] * share
    yaw = np.radians(wave(row.yaw, phase) + sequence.drift("yaw", 0.25))[:, None]
    turns = turn_about(1, yaw + aside)
    turns = rot.multiply(turns, rot.multiply(turn_about(0, pitch[:, None] + lean), turn_about(2, -roll)))
    root = np.tile(first, (len(phase), 1))
    root[:, 0] += (wave(row.sway, phase) + sequence.drift("sway", 0.0025)) * h
    root[:, 1] += (wave(row.sacrum, phase) - row.drop + sequence.drift("heave", 0.0015)) * h
    root[:, 2] += wave(row.surge, phase) * h
    return Trunk(turns, root)


def move_neck(animal: Standing, row: GaitRow, sequence: StrideSequence, turns: Floats, places: Floats) -> None:
    """Writes neck, head and ears into `turns` and `places`.

    Constant angles and the nod of the row, plus a spring driven by the vertical acceleration of the neck's base; each
    joint is delayed against the one before. The head keeps steadier than the trunk.
    """
    anatomy = animal.anatomy
    if anatomy.head is None:
        return
    neck, phase = [*anatomy.neck], sequence.phase
    chest = anatomy.spine[-1]
    base = turns[:, chest]
    heave = derivative(
        places[:, neck[0] if neck else anatomy.head, 1], sequence.total, 2, HIGHEST_HARMONIC * sequence.strides
    )
    frequency, damping, gain = row.neck_spring
    natural = frequency * np.sqrt(SPRING_HIP_HEIGHT_M / animal.height)
    sprung = spring(-heave / GRAVITY, sequence.total, natural, damping) * gain * np.radians(NECK_DEG_PER_G)
    nod = np.radians(wave(row.nod, phase) + row.neck + sequence.drift("nod", 0.6))
    look = np.radians(row.look + sequence.drift("look", 0.5))
    for k, joint in enumerate(neck):
        share = (k + 1) / len(neck)
        angle = -lagged(nod + sprung, NECK_LAG_CYCLES * k / sequence.strides) * share
        calm = rot.slerp(rot.IDENTITY, base, np.full(len(phase), 1 - NECK_STEADINESS * share))
        turns[:, joint] = rot.multiply(rot.multiply(calm, turn_about(1, look * share)), turn_about(0, angle))
    still = rot.slerp(rot.IDENTITY, base, np.full(len(phase), HEAD_TRUNK_SHARE))
    moving = lagged(nod - nod.mean() + sprung, HEAD_LAG_CYCLES / sequence.strides)
    angle = -moving * HEAD_NOD_SHARE - np.radians(row.head)
    turns[:, anatomy.head] = rot.multiply(
        rot.multiply(still, turn_about(1, HEAD_LOOK_GAIN * look)), turn_about(0, angle)
    )
    for ear in animal.ears:
        turns[:, ear] = rot.multiply(turns[:, anatomy.head], turn_about(0, np.full(len(phase), -np.radians(row.ears))))
    propagate_below(animal, turns, places, [*neck, anatomy.head, *animal.ears])


def move_tail(animal: Standing, row: GaitRow, sequence: StrideSequence, turns: Floats, places: Floats) -> None:
    """Writes the tail into `turns` and `places`: lifted by the row, and on springs driven by the acceleration of its
    base.

    Each joint swings later and further than the one before.
    """
    tail = list(animal.anatomy.tail)
    if not tail:
        return
    root = animal.anatomy.spine[0]
    heave, aside = (
        derivative(places[:, tail[0], axis], sequence.total, 2, HIGHEST_HARMONIC * sequence.strides) / GRAVITY
        for axis in (1, 0)
    )
    up = spring(heave, sequence.total, TAIL_FREQUENCY_HZ, TAIL_DAMPING_UP) * np.radians(TAIL_UP_DEG_PER_G)
    side = spring(-aside, sequence.total, TAIL_FREQUENCY_HZ, TAIL_DAMPING_SIDE) * np.radians(TAIL_SIDE_DEG_PER_G)
    side = side + np.radians(sequence.drift("tail", 0.8))
    for k, joint in enumerate(tail):
        lift = np.radians(row.tail_lift) * (1.2 - 0.4 * k / max(len(tail) - 1, 1))
        more = (k + 1) / len(tail)
        turn = rot.multiply(
            turn_about(1, lagged(side, TAIL_LAG_SIDE_CYCLES * k / sequence.strides) * more),
            turn_about(0, lift + lagged(up, TAIL_LAG_UP_CYCLES * k / sequence.strides) * more),
        )
        turns[:, joint] = rot.multiply(turns[:, root], turn)
    propagate_below(animal, turns, places, tail)
