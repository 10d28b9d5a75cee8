"""Leads on a figure of eight: whether the inner foreleg leads in a canter and a gallop, and how a change of lead looks.

Each animal of a batch is told a heading that turns steadily, to the other side after each loop, at one of three lateral
accelerations, and begins at another phase of its stride. The lead of a stride is read off the feet: it is the side of
the foreleg that lands second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from canter.anatomy import Character
from canter.control.steering import Wish
from canter.cycles.engine.library import fastest_joints
from canter.cycles.gaits.batch import BatchGaits
from canter.cycles.gaits.leads import suitable_side
from canter.evaluation import Options
from canter.evaluation.cycles.figures import CALM, DRAG, RATE, SLIP, SNAP, Ride, ride
from canter.evaluation.report import Row, at_least, at_most
from canter.motion.arrays import Floats, Ints
from canter.motion.constants import GRAVITY

ANIMALS = 12
LATERAL_G = (0.08, 0.15, 0.25)
"""Sideways accelerations of the turns, in g."""
STRAIGHT_SECONDS, MAX_LOOP_SECONDS, LOOPS = 4.0, 8.0, 4
"""Seconds straight ahead before the first loop; those of a loop at most; and how many there are."""
MIN_SHARE = 0.1
"""The share of the commanded yaw rate from which an animal turns."""
INSIDE = 95.0
"""Per cent of strides on the inside lead."""


@dataclass(frozen=True, eq=False)
class Eight:
    """A figure of eight of N animals: the ride, the `leads (T, N)` that the engine reports and those that suit the
    predicted turn, the yaw rates that are commanded `(N,)`, and the seconds of a stride."""

    made: Ride
    leads: Ints
    suitable: Ints
    commanded: Floats
    stride: float


def lead_rows(character: Character, options: Options) -> Iterator[Row]:
    """For every gait of an animal that has leads."""
    batch = BatchGaits(character, ANIMALS)
    for gait, cycles in batch.choice.leads.items():
        name = f"{character.name}: figure of eight at {batch.names[gait]}"
        options.progress(name)
        eight = _ride_eight(batch, gait, LOOPS // 2 if options.quick else LOOPS)
        made, height = eight.made, character.anatomy.hip_height
        inside, count = _inside(eight)
        yield at_least(f"{name}: strides on the inside lead, of {count}", inside, INSIDE, "%")
        waits, airborne = _changes(eight)
        yield at_most(f"{name}: strides from the predicted turn's reversal to the change", max(waits), 1.0)
        yield at_least(
            f"{name}: changes of lead over a suspension, of {len(waits)}", 100 * float(np.mean(airborne)), 100.0, "%"
        )
        fastest = np.max([fastest_joints(batch.library.cycles[k]) for k in cycles], axis=0)
        snap = float((made.joint_speeds / np.maximum(SNAP * fastest, CALM)).max())
        yield at_most(f"{name}: greatest joint speed / what is allowed", snap, 1.0)
        yield at_most(f"{name}: low feet drag", 100 * made.drag() / height, DRAG, "% of hip height")
        yield at_most(f"{name}: stance slip", 100 * made.slip(), SLIP, "cm")


def _ride_eight(batch: BatchGaits, gait: int, loops: int) -> Eight:
    """Loops to the left and to the right in turn, at the usual speed of a gait."""
    laws, count = batch.strides.laws, batch.count
    speed, stride = np.full(count, laws.speeds[gait]), 1 / laws.rates[gait]
    yaw_rate = GRAVITY * np.resize(LATERAL_G, count) / speed
    start = STRAIGHT_SECONDS + stride * np.arange(count) / count
    loop_seconds = np.minimum(2 * np.pi / yaw_rate, MAX_LOOP_SECONDS)
    free, heading = np.full(count, np.nan), np.zeros(count)
    suitable: list[Ints] = []

    def orders(frame: int) -> tuple[Floats, Floats, Floats, Ints]:
        nonlocal heading
        loop = np.floor((frame / RATE - start) / loop_seconds)
        heading = heading + np.where(loop < 0, 0.0, 1 - 2 * (loop % 2)) * yaw_rate / RATE
        suitable.append(suitable_side(batch.root, Wish(speed, heading, free), batch.limits, batch.timing.stride))
        return speed, heading, free, np.full(count, gait)

    batch.reset()
    whole = ride(batch, int(RATE * (start.max() + loops * loop_seconds.max())), orders)
    made = whole.since(int(RATE * STRAIGHT_SECONDS / 2))
    return Eight(made, batch.leads.sides[made.gait], np.stack(suitable)[-len(made.yaw) :], yaw_rate, stride)


def _inside(eight: Eight) -> tuple[float, int]:
    """The share of strides on the inside lead in per cent, without one stride a crossing, and of how many."""
    wrong = count = 0
    down = eight.made.contacts[1:] & ~eight.made.contacts[:-1]
    rates = np.diff(eight.made.yaw, axis=0) * RATE
    for n, commanded in enumerate(eight.commanded):
        turn = np.where(np.abs(rates[:, n]) > MIN_SHARE * commanded, np.sign(rates[:, n]), 0.0)
        left, right = (np.flatnonzero(down[:, n, leg]) for leg in (0, 1))
        partner = right[np.argmin(np.abs(right - left[:, None]), axis=1)]
        landed, lead = np.maximum(left, partner), np.sign(left - partner)
        turning = np.flatnonzero(turn)
        crossings = [*turning[np.diff(turn[turning], prepend=0.0) != 0], len(turn)]
        for first, end in pairwise(crossings):
            strides = lead[(landed >= first) & (landed < end)]
            count += max(len(strides) - 1, 0)
            wrong += max(int((strides != turn[first]).sum()) - 1, 0)
    return 100 * (1 - wrong / max(count, 1)), count


def _changes(eight: Eight) -> tuple[list[float], list[bool]]:
    """Of every change of lead: strides since the predicted turn has reversed, and whether no foot is down at some
    moment between it and the next touchdown."""
    waits: list[float] = []
    airborne: list[bool] = []
    contacts = eight.made.contacts
    for n in range(contacts.shape[1]):
        lead = eight.leads[:, n]
        for change in np.flatnonzero(np.diff(lead)) + 1:
            unsuitable = np.flatnonzero(eight.suitable[:change, n] != lead[change])
            waits.append(float(change - 1 - unsuitable[-1]) / RATE / eight.stride)
            after = contacts[change:, n]
            landings = np.flatnonzero((after[1:] & ~after[:-1]).any(axis=1))
            airborne += [bool((~after[: k + 1].any(axis=1)).any()) for k in landings[:1]]
    return waits, airborne
