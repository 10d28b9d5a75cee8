"""The topic `animals`: whether the shipped animals move as real ones do, and without faults.

Every gait is compared with measurements of real animals (`comparison`). Its feet must not slip, its loop must close,
its centre of mass must fall freely in suspension, no segment may pop, and footfall recognition must name it correctly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter

import numpy as np

from canter.anatomy.footfalls import read_footfalls
from canter.animals.animal import Animal
from canter.animals.generator.gait_rows import footfall_name
from canter.control.registry import entries
from canter.evaluation import Options
from canter.evaluation.animals.actions import action_rows
from canter.evaluation.animals.comparison import matched, measured_rows
from canter.evaluation.animals.figures import (
    JUDGE_RATE_HZ,
    VIEW_RATE_HZ,
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
from canter.evaluation.animals.limits import (
    GRAVITY_TOLERANCE,
    MAX_ACCELERATION_RATIO,
    MAX_LOOP_GAP,
    MAX_PENETRATION_CM,
    MAX_SKATING_CM,
    MAX_STANCE_SLIP_CM,
    MAX_STANDING_SKATING_CM,
)
from canter.evaluation.animals.measurements import SEQUENCES, SKATING_CM, measured
from canter.evaluation.report import Row, at_most, judged, skipped, within
from canter.motion.constants import GRAVITY
from canter.motion.metrics import foot_skating, ground_penetration

VARIATION_PERCENT, VARIED_STRIDES = (1.0, 4.0), 8
"""Per cent of hip height by which consecutive strides of a seeded sequence differ, and how many strides it has."""


def rows(options: Options) -> Iterator[Row]:
    """All rows of the topic: every gait and action of every registered `Animal`, then fitted rigs and timings."""
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
    """The error message of a gait that cannot be generated, or None: one broken row must not hide the others."""
    try:
        animal.cycle(gait)
    except (ArithmeticError, ValueError, np.linalg.LinAlgError) as error:
        return str(error)
    return None


def _missing_rows(animal: Animal, made: list[str]) -> Iterator[Row]:
    """Gaits that the animal has but that cannot be generated, and measured gaits that it does not have."""
    have = [row.name for row in animal.rows]
    for gait in have:
        if gait not in made:
            yield Row(f"{animal.name} {gait}", None, "", "a cycle", "missed", _failure(animal, gait) or "")
    for gait in measured(animal.name):
        if gait not in have:
            yield skipped(f"{animal.name} {gait}", "no such gait yet")


# Faults ------------------------------------------------------------------------------------------


def sound_rows(animal: Animal, gait: str, quick: bool = False) -> Iterator[Row]:
    """What must hold for any gait of any animal, at its usual speed and at both ends of its range."""
    title = f"{animal.name} {gait}"
    low, high = animal.row(gait).speeds
    speeds = (None,) if quick or low == high else (None, low, high)
    samples = [sample(animal, gait, speed) for speed in speeds]
    usual = samples[0]
    yield _worst_row(f"{title}: stance slip", samples, slip, MAX_STANCE_SLIP_CM)
    yield _worst_row(f"{title}: penetration", samples, depth, MAX_PENETRATION_CM)
    yield at_most(f"{title}: loop closure", max(loop_gap(s) for s in samples), MAX_LOOP_GAP, "m, rad")
    yield _skating_row(animal, gait)
    yield _fall_row(title, usual)
    yield from (_pop_row(animal, gait, rate) for rate in (VIEW_RATE_HZ, JUDGE_RATE_HZ))
    yield from _name_rows(animal, gait, [sample(animal, gait, speed, VIEW_RATE_HZ) for speed in speeds])


def stand_rows(animal: Animal) -> Iterator[Row]:
    """The clip of standing."""
    for clip in animal.clips:
        if clip.name == "stand":
            title, found = f"{animal.name} stand", clip.footfalls
            deepest = ground_penetration(clip.motion.position_world).max
            yield at_most(f"{title}: skating", found.skating_cm, MAX_STANDING_SKATING_CM, "cm")
            yield at_most(f"{title}: penetration", deepest, MAX_PENETRATION_CM, "cm")
            yield judged(f"{title}: gait recognised from footfalls", found.gait, found.gait == "stand", "stand")


def _worst_row(name: str, samples: list[Sample], figure: Callable[[Sample], Worst], goal: float) -> Row:
    """The worst of several speeds; a missed row says where and at which speed."""
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
    s = sample(animal, gait, speed, VIEW_RATE_HZ)
    feet = s.motion.position_world[:, animal.anatomy.feet]
    goal = SKATING_CM.get(animal.name, {}).get(gait, MAX_SKATING_CM)
    return at_most(f"{animal.name} {gait}: skating", float(foot_skating(feet, s.motion.frame_rate).mean()), goal, "cm")


def _fall_row(title: str, s: Sample) -> Row:
    name = f"{title}: vertical acceleration in suspension"
    if s.flight.sum() < 2:
        return skipped(name, "a foot is always down")
    low, high = -GRAVITY * (1 + GRAVITY_TOLERANCE), -GRAVITY * (1 - GRAVITY_TOLERANCE)
    row = within(name, fall(s), round(low, 2), round(high, 2), "m/s²")
    return replace(row, reason=f"{100 * s.flight.mean():.0f} % of the stride")


def _pop_row(animal: Animal, gait: str, rate: float) -> Row:
    """At 60 Hz as it is seen, and finer: in a short stride one frame of 60 Hz is above the 95th percentile."""
    worst = pops(sample(animal, gait, frame_rate=rate))
    name = f"{animal.name} {gait}: peak angular acceleration / 95th percentile, {rate:g} Hz"
    return replace(at_most(name, worst.value, MAX_ACCELERATION_RATIO), reason=worst.where)


def _name_rows(animal: Animal, gait: str, samples: list[Sample]) -> Iterator[Row]:
    """The gait as footfall recognition names it; and whether canter and gallop are transverse or rotary."""
    found = [read_footfalls(s.motion, animal.anatomy).footfalls for s in samples]
    goal = footfall_name(gait)
    names = ", ".join(f"{f.gait} at {s.row.speed:.3g} m/s" for f, s in zip(found, samples, strict=True))
    met = all(f.gait == goal for f in found)
    yield judged(f"{animal.name} {gait}: gait recognised from footfalls", names, met, goal)
    if gait in ("canter", "gallop") and animal.name in SEQUENCES:
        order = SEQUENCES[animal.name]
        yield judged(f"{animal.name} {gait}: sequence", found[0].sequence, found[0].sequence == order, order)


# Variation and time ------------------------------------------------------------------------------


def _variation_rows(animal: Animal, made: list[str]) -> Iterator[Row]:
    """How much each stride of a seeded sequence differs from the next: mean distance of the joint that differs most."""
    for gait in made:
        apart = 100 * stride_differences(animal, gait, VARIED_STRIDES, seed=1) / animal.anatomy.hip_height
        low, high = float(apart.min()), float(apart.max())
        least, most = VARIATION_PERCENT
        name, goal = f"{animal.name} {gait}: difference of consecutive strides", f"{least:g} … {most:g} of hip height"
        yield judged(name, f"{low:.2f} … {high:.2f}", least <= low and high <= most, goal, "%")


def _time_row(animal: Animal, gait: str) -> Row:
    """The shorter of two runs; informational, the benchmarks hold the limit."""
    times = []
    for _ in range(2):
        start = perf_counter()
        animal.cycle(gait)
        times.append(perf_counter() - start)
    return Row(f"{animal.name} {gait}: time to generate a cycle", 1000 * min(times), "ms", "for information")
