"""The topic `cycles`: whether animals driven from one cycle per gait go where and how they are told.

Of the preset `gaits`: speed and heading as commanded, feet that stand still and above ground, transitions between all
ordered pairs of gaits from twelve phases each without snapping, stumbling or dragging, and how soon it answers to a new
speed, heading and gait; whether feet stay at their legs and soles on the ground. The same for made-up animals, and for
the animals of others where there is a folder of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from canter.anatomy import Character
from canter.control.registry import load
from canter.cycles.engine.library import fastest_joints
from canter.cycles.gaits.batch import BatchGaits
from canter.evaluation import Options
from canter.evaluation.cycles.figures import CALM, DRAG, RATE, SLIP, SNAP, Ride, ride, stride_seconds
from canter.evaluation.cycles.leads import lead_rows
from canter.evaluation.cycles.limbs import limb_rows, made_up_rows
from canter.evaluation.cycles.papers import paper_rows
from canter.evaluation.cycles.response import response_rows
from canter.evaluation.cycles.strangers import stranger_rows
from canter.evaluation.report import Row, at_most
from canter.motion.arrays import Floats, Ints

ANIMALS = ("horse", "dog", "turtle")
PHASES = 12
SPEED, HEADING, DEPTH = 2.0, 2.0, 1.0
"""Per cent of speed, degrees, per cent of hip height."""
UNEVEN = ("canter", "gallop")
SETTLE, WATCH = 6.0, 4.0
"""Strides to settle in a gait, and to watch after a change."""


def rows(options: Options) -> Iterator[Row]:
    for name in ANIMALS:
        character = load(name)
        options.progress(f"{name}: speed and heading")
        yield from _tracking_rows(character, options.quick)
        yield from _pair_rows(character, options)
        yield from lead_rows(character, options)
        options.progress(f"{name}: how soon it answers")
        yield from response_rows(character, options.quick)
        options.progress(f"{name}: feet and soles")
        yield from limb_rows(name, character)
    options.progress("made-up animals: feet and soles")
    yield from made_up_rows(options.quick)
    yield from stranger_rows(options)
    yield from paper_rows(options)


def _free(count: int) -> Floats:
    return np.full(count, np.nan)


# Speed and heading -------------------------------------------------------------------------------


def _tracking_rows(character: Character, quick: bool) -> Iterator[Row]:
    """Twelve speeds over the whole range, straight on and with a change of heading by 90 degrees."""
    name = character.name
    batch = BatchGaits(character, PHASES)
    speeds = np.linspace(1.05 * batch.choice.slowest, 0.98 * batch.choice.fastest, PHASES)
    headings = np.linspace(-np.pi / 2, np.pi / 2, PHASES)
    strides = np.array([stride_seconds(batch, float(v)) for v in speeds])
    frames = int(RATE * (6 * strides.max() + 5))
    made = ride(batch, frames, lambda frame: (speeds, headings, _free(PHASES), np.full(PHASES, -1)))
    errors = []
    for k in range(PHASES):
        span = round(RATE * strides[k] * max(round(2 / strides[k]), 1))
        gone = abs(made.place[-1, k] - made.place[-1 - span, k]) * RATE / span
        errors.append(100 * abs(gone / speeds[k] - 1))
    yield at_most(f"{name}: mean speed off the command, worst of {PHASES}", max(errors), SPEED, "%")
    off = np.degrees(np.abs(np.angle(np.exp(1j * (made.yaw[-1] - headings)))))
    yield at_most(f"{name}: heading off the command, worst of {PHASES}", float(off.max()), HEADING, "°")
    yield at_most(f"{name}: stance slip", 100 * made.slip(), SLIP, "cm")
    yield at_most(f"{name}: penetration", 100 * made.depth() / character.anatomy.hip_height, DEPTH, "% of hip height")


# Transitions -------------------------------------------------------------------------------------


def _pair_rows(character: Character, options: Options) -> Iterator[Row]:
    """All ordered pairs of gaits that go ahead, from twelve phases each."""
    batch = BatchGaits(character, PHASES)
    choice, laws = batch.choice, batch.strides.laws
    gaits = sorted((*choice.ahead, *choice.others), key=lambda k: float(laws.speeds[k]))
    pairs = list(permutations(gaits, 2))
    if options.quick:
        pairs = pairs[:: max(len(pairs) // 6, 1)]
    snaps, drags, slips, stumbles, soon = [], [], [], [], []
    for a, b in pairs:
        options.progress(f"{character.name}: {batch.names[a]} to {batch.names[b]}")
        made = _change(batch, a, b)
        limit = np.maximum(
            SNAP * np.maximum(fastest_joints(batch.library.cycles[a]), fastest_joints(batch.library.cycles[b])),
            CALM,
        )
        snaps.append((float((made.joint_speeds / limit).max()), f"{batch.names[a]} to {batch.names[b]}"))
        drags.append(100 * made.drag() / character.anatomy.hip_height)
        slips.append(100 * made.slip())
        if batch.names[a] not in UNEVEN and batch.names[b] not in UNEVEN:
            stumbles.append(not made.alternates())
        soon.append(_strides_until(batch, made, a, b))
    title = f"{character.name}: {len(pairs)} transitions from {PHASES} phases"
    worst, where = max(snaps)
    yield at_most(f"{title}: greatest joint speed / what is allowed ({where})", worst, 1.0)
    yield at_most(f"{title}: low feet drag", max(drags), DRAG, "% of hip height")
    yield at_most(f"{title}: stance slip", max(slips), SLIP, "cm")
    yield at_most(f"{title}: stumbles (symmetrical gaits)", float(sum(stumbles)), 0.0)
    yield at_most(f"{title}: strides until the new gait's footfalls", max(soon), 2.0)


def _change(batch: BatchGaits, a: int, b: int) -> Ride:
    """A batch in gait `a` that is told to go in `b`, each animal at another phase."""
    laws, count = batch.strides.laws, batch.count
    batch.reset()
    before = 1 / laws.rates[a]
    settle = int(RATE * (SETTLE * before + 1))
    switch = settle + np.round(np.arange(count) / count * before * RATE).astype(int)
    frames = int(switch.max() + RATE * WATCH * max(before, 1 / laws.rates[b]))

    def orders(frame: int) -> tuple[Floats, Floats, Floats, Ints]:
        gait = np.where(frame < switch, a, b)
        return laws.speeds[gait], np.zeros(count), _free(count), gait

    return ride(batch, frames, orders).since(settle - 2)


def _strides_until(batch: BatchGaits, made: Ride, a: int, b: int) -> float:
    """Strides from the command until the feet come down in the new gait's order and time, worst of the batch."""
    laws, touchdowns = batch.strides.laws, batch.strides.touchdowns
    touch = made.contacts[1:] & ~made.contacts[:-1]
    stride = 1 / laws.rates[b]
    worst = 0.0
    for n in range(made.contacts.shape[1]):
        told = int(np.argmax(made.gait[:, n] == b))
        wrong = told
        for leg in range(1, made.contacts.shape[2]):
            for t in np.flatnonzero(touch[:, n, leg]):
                lead = np.flatnonzero(touch[:, n, 0])
                if len(lead) < 2 or not lead[0] <= t <= lead[-1] or t < told:
                    continue
                k = int(np.searchsorted(lead, t, side="right")) - 1
                phase = (t - lead[k]) / (lead[k + 1] - lead[k]) if k + 1 < len(lead) else 0.0
                goal = touchdowns[b, leg] - touchdowns[b, 0]
                if abs((phase - goal + 0.5) % 1 - 0.5) > 0.1:
                    wrong = max(wrong, int(t))
        mean = (stride + 1 / laws.rates[a]) / 2
        worst = max(worst, (wrong - told) / RATE / mean)
    return worst
