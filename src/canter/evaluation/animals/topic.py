"""The topic `animals`: whether the animals that canter ships move as real ones do, and soundly.

Every gait is set against what was measured of real animals (`animal_measured`), and must keep its feet where they
stand, close its loop, fall freely in suspension, move without pops, and be named right by its footfalls alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter

import numpy as np

from canter.anatomy.footfalls import read_footfalls
from canter.animals.animal import Animal
from canter.control.registry import entries
from canter.evaluation import Options
from canter.evaluation.animals.actions import action_rows
from canter.evaluation.animals.facts import SEQUENCES, SKATING, measured
from canter.evaluation.animals.figures import (
    FINE,
    PLAIN,
    Sample,
    Worst,
    depth,
    fall,
    loop_gap,
    pops,
    sample,
    slip,
    stride_differences,
)
from canter.evaluation.animals.fitted import fitted_rows
from canter.evaluation.animals.measured import matched, measured_rows
from canter.evaluation.report import Row, at_most, skipped, within
from canter.motion.constants import GRAVITY
from canter.motion.metrics import foot_skating, ground_penetration

SLIP, DEPTH, GAP, POP, FALL = 0.3, 0.2, 1e-9, 3.0, 0.2
MOST_SKATING = 0.3
"""Skating in cm a frame that no gait may exceed where no real animal was measured."""
STANDING_SKATING = 0.03
"""Of a real dog that stands."""
NAMES = {"back": "backward", "slow walk": "walk", "fast walk": "walk"}
"""Gaits that footfalls call otherwise."""
VARIATION, RIDE = (1.0, 4.0), 8
"""Per cent of hip height by which strides of a ride differ, and how many strides it has."""


def rows(options: Options) -> Iterator[Row]:
    animals = [animal for entry in entries("animal") if isinstance(animal := entry.resolve()(), Animal)]
    made = {animal.name: [row.name for row in animal.rows if _failure(animal, row.name) is None] for animal in animals}
    for animal in animals:
        for gait in made[animal.name]:
            options.progress(f"{animal.name}: {gait}")
            yield from measured_rows(animal, gait)
            yield from sound_rows(animal, gait, options.quick)
        yield from stand_rows(animal)
        yield from action_rows(animal)
        yield from _missing_rows(animal, made[animal.name])
        yield from _variation_rows(animal, made[animal.name])
    yield from fitted_rows(options, animals)
    for animal in animals:
        yield from (_time_row(animal, gait) for gait in made[animal.name])


def _failure(animal: Animal, gait: str) -> str | None:
    """Why a gait of the animal's cannot be made, or None: one broken row must not hide the others."""
    try:
        animal.cycle(gait)
    except (ArithmeticError, ValueError, np.linalg.LinAlgError) as error:
        return str(error)
    return None


def _missing_rows(animal: Animal, made: list[str]) -> Iterator[Row]:
    """Gaits that the animal has and cannot make, and measured gaits that it does not have."""
    have = [row.name for row in animal.rows]
    for gait in have:
        if gait not in made:
            yield Row(f"{animal.name} {gait}", None, "", "a cycle", "missed", _failure(animal, gait) or "")
    for gait in measured(animal.name):
        if gait not in have:
            yield skipped(f"{animal.name} {gait}", "no such gait yet")


# Soundness ---------------------------------------------------------------------------------------


def sound_rows(animal: Animal, gait: str, quick: bool = False) -> Iterator[Row]:
    """What must hold of any gait of any animal, at its usual speed and at both ends of its range."""
    title = f"{animal.name} {gait}"
    low, high = animal.row(gait).speeds
    speeds = (None,) if quick or low == high else (None, low, high)
    samples = [sample(animal, gait, speed) for speed in speeds]
    usual = samples[0]
    yield _worst_row(f"{title}: stance slip", samples, slip, SLIP)
    yield _worst_row(f"{title}: penetration", samples, depth, DEPTH)
    yield at_most(f"{title}: loop closure", max(loop_gap(s) for s in samples), GAP, "m, rad")
    yield _skating_row(animal, gait)
    yield _fall_row(title, usual)
    yield from (_pop_row(animal, gait, rate) for rate in (PLAIN, FINE))
    yield from _name_rows(animal, gait, [sample(animal, gait, speed, PLAIN) for speed in speeds])


def stand_rows(animal: Animal) -> Iterator[Row]:
    """The animal that only stands."""
    for clip in animal.clips:
        if clip.name == "stand":
            title, found = f"{animal.name} stand", clip.footfalls
            yield at_most(f"{title}: skating", found.skating_cm, STANDING_SKATING, "cm")
            yield at_most(f"{title}: penetration", ground_penetration(clip.motion.position_world).max, DEPTH, "cm")
            yield Row(f"{title}: named", found.gait, "", "stand", "met" if found.gait == "stand" else "missed")


def _worst_row(name: str, samples: list[Sample], figure: Callable[[Sample], Worst], goal: float) -> Row:
    """The worst of several speeds; where it misses, with the place and the speed."""
    found = [figure(s) for s in samples]
    index = int(np.argmax([worst.value for worst in found]))
    row = at_most(name, found[index].value, goal, "cm")
    if row.status == "met":
        return row
    return replace(row, reason=f"{found[index].where}, {samples[index].row.speed:.3g} m/s")


def _skating_row(animal: Animal, gait: str) -> Row:
    """MANN's skating with H = 2.5 cm at the measured Froude number, in frames of 60 a second."""
    facts = measured(animal.name).get(gait)
    speed = None if facts is None else matched(animal, facts).row.speed
    s = sample(animal, gait, speed, PLAIN)
    feet = s.motion.position_world[:, animal.anatomy.feet]
    goal = SKATING.get(animal.name, {}).get(gait, MOST_SKATING)
    return at_most(f"{animal.name} {gait}: skating", float(foot_skating(feet, s.motion.frame_rate).mean()), goal, "cm")


def _fall_row(title: str, s: Sample) -> Row:
    name = f"{title}: vertical acceleration in suspension"
    if s.flight.sum() < 2:
        return skipped(name, "a foot is always down")
    low, high = -GRAVITY * (1 + FALL), -GRAVITY * (1 - FALL)
    row = within(name, fall(s), round(low, 2), round(high, 2), "m/s²")
    return replace(row, reason=f"{100 * s.flight.mean():.0f} % of the stride")


def _pop_row(animal: Animal, gait: str, rate: float) -> Row:
    """At 60 frames a second as it is seen, and finer, where a pop of one frame is no twentieth of a short stride."""
    worst = pops(sample(animal, gait, frame_rate=rate))
    name = f"{animal.name} {gait}: greatest angular acceleration / 95th percentile, {rate:g} Hz"
    return replace(at_most(name, worst.value, POP), reason=worst.where)


def _name_rows(animal: Animal, gait: str, samples: list[Sample]) -> Iterator[Row]:
    """The gait by footfalls alone; and on which side canter and gallop lead."""
    found = [read_footfalls(s.motion, animal.anatomy).footfalls for s in samples]
    goal = NAMES.get(gait, gait)
    names = ", ".join(f"{f.gait} at {s.row.speed:.3g} m/s" for f, s in zip(found, samples, strict=True))
    met = all(f.gait == goal for f in found)
    yield Row(f"{animal.name} {gait}: named by footfalls alone", names, "", goal, "met" if met else "missed")
    if gait in ("canter", "gallop") and animal.name in SEQUENCES:
        order = SEQUENCES[animal.name]
        met = found[0].sequence == order
        yield Row(f"{animal.name} {gait}: sequence", found[0].sequence, "", order, "met" if met else "missed")


# Variation and time ------------------------------------------------------------------------------


def _variation_rows(animal: Animal, made: list[str]) -> Iterator[Row]:
    """Strides of a seeded ride, each with the next: the mean over a stride of the joint that differs most."""
    for gait in made:
        apart = 100 * stride_differences(animal, gait, RIDE, seed=1) / animal.anatomy.hip_height
        low, high = float(apart.min()), float(apart.max())
        met = VARIATION[0] <= low and high <= VARIATION[1]
        goal = f"{VARIATION[0]:g} … {VARIATION[1]:g} of hip height"
        name = f"{animal.name} {gait}: two strides of a seeded ride differ"
        yield Row(name, f"{low:.2f} … {high:.2f}", "%", goal, "met" if met else "missed")


def _time_row(animal: Animal, gait: str) -> Row:
    """The quicker of two; for information, the benchmarks hold the limit."""
    times = []
    for _ in range(2):
        start = perf_counter()
        animal.cycle(gait)
        times.append(perf_counter() - start)
    return Row(f"{animal.name} {gait}: time to make a cycle", 1000 * min(times), "ms", "for information")
