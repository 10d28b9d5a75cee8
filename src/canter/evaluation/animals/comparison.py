"""Generated gaits compared with measured ones at the same Froude number: lengths by hip height, times by its root.

Bands: stride frequency inside the 10th to 90th percentile (10 % about the median of fewer than 15 strides), stride
length there or within 12 % of the fitted law, duty factors and touchdowns within 0.05 (0.08 in uneven gaits), clearance
within a factor of 1.5, peaks of the trunk's height within 0.08, ranges of joints within a factor of 1.3. The larger
harmonic of the trunk must be inside the percentiles, the smaller not above them. Two dogs' spines were measured; the
band is from the lower percentile of the one to the higher of the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from canter.animals.animal import Animal
from canter.evaluation.animals.figures import (
    Sample,
    clearance,
    harmonics,
    is_uneven,
    joint_angles,
    sample,
    spine_range,
    touchdowns,
    trunk_point,
)
from canter.evaluation.animals.measurements import (
    JOINTS,
    LABRADOR_SPINE,
    LITERATURE,
    STRIDE_LAWS,
    Band,
    Facts,
    measured,
)
from canter.evaluation.report import Row, at_least, at_most, judged, within
from canter.motion.arrays import Floats
from canter.motion.constants import GRAVITY

FEW_STRIDES = 15
"""Fewer measured strides have no reliable percentiles."""
PHASE_TOLERANCE, UNEVEN_PHASE_TOLERANCE, DUTY_TOLERANCE, PEAK_TOLERANCE = 0.05, 0.08, 0.05, 0.08
"""Allowed differences of touchdowns (in even and uneven gaits), duty factors and phases of maxima, in cycles."""
CLEARANCE_FACTOR, RANGE_FACTOR, LAW_TOLERANCE = 1.5, 1.3, 0.12
"""Allowed factors on clearance and joint ranges, and the relative error against the law of stride length."""
MIN_HARMONIC_RATIO = 1.3
"""How many times larger than the other a harmonic must have been measured for its phase to be judged."""
BY_GIRDLE = {"hip": "hip on pelvis"}
"""The literature measures the hip between femur and pelvis; the captured dog's is between femur and trunk."""
TWICE_A_STRIDE = {("dog", "trot"), ("horse", "walk"), ("horse", "trot")}
"""Gaits in which the trunk rises and falls twice a stride."""


def matched(animal: Animal, facts: Facts) -> Sample:
    """The animal's stride at the measured Froude number, or at the nearest speed of its gait."""
    usual = sample(animal, facts.gait)
    return sample(animal, facts.gait, float(np.copysign(np.sqrt(facts.froude * GRAVITY * usual.hips), usual.row.speed)))


def measured_rows(animal: Animal, gait: str) -> Iterator[Row]:
    """A row for every measured figure of one gait; none where there are no measurements."""
    facts = measured(animal.name).get(gait)
    if facts is not None:
        s = matched(animal, facts)
        title = f"{animal.name} {gait}"
        yield from _stride_rows(title, s, facts)
        yield from _footfall_rows(title, s, facts)
        yield from _trunk_rows(title, s, facts)
        yield from _head_row(title, s, facts)
        yield from _spine_rows(title, s, facts)
        yield from _joint_rows(title, s, facts)
    if animal.name == "horse" and gait in LITERATURE:
        yield from _literature_rows(animal, gait, facts is not None)


def _stride_rows(title: str, s: Sample, facts: Facts) -> Iterator[Row]:
    cells, taller = facts.cells, facts.height / facts.hips
    weak = f"only {facts.strides} strides" if facts.strides < FEW_STRIDES else ""
    _, low, high = cells["froude"]
    yield _noted(within(f"{title}: Froude number at {s.row.speed:.3g} m/s", s.froude, *_times(low, high, taller)), weak)
    median, low, high = cells["frequency"]
    if facts.strides < FEW_STRIDES:
        low, high = 0.9 * median, 1.1 * median
    slower = float(np.sqrt(facts.hips / s.hips))
    yield _noted(within(f"{title}: stride frequency", s.row.frequency, *_times(low, high, slower), "Hz"), weak)
    yield _noted(_length_row(title, s, facts, taller), weak)
    for part, leg in (("fore", s.row.fore), ("hind", s.row.hind)):
        median = cells[f"{part} duty"][0]
        yield _noted(within(f"{title}: {part} duty factor", leg.duty, *_about(median, DUTY_TOLERANCE)), weak)


def _length_row(title: str, s: Sample, facts: Facts, taller: float) -> Row:
    """Stride length in hip heights: inside the percentiles, or near the law of the measured animal's own height."""
    a, b = STRIDE_LAWS[s.animal.name]
    law = a * (s.froude / taller) ** b * taller
    _, low, high = facts.cells["stride"]
    low, high = _times(low, high, taller)
    length = abs(s.row.speed) / s.row.frequency / s.hips
    met = low <= length <= high or abs(length / law - 1) <= LAW_TOLERANCE
    goal = f"{low:.3g} … {high:.3g} or {law:.3g} ± 12 %"
    return judged(f"{title}: stride length / hip height", length, met, goal)


def _footfall_rows(title: str, s: Sample, facts: Facts) -> Iterator[Row]:
    by_lead = "leading hind" in facts.cells
    for name, at in touchdowns(s.row, by_lead).items():
        allowed = UNEVEN_PHASE_TOLERANCE if by_lead else PHASE_TOLERANCE
        yield _phase_row(f"{title}: touchdown of {name}", at, facts.cells[name][0], allowed)
    for part, legs in (("fore", (0, 1)), ("hind", (2, 3))):
        goal = facts.cells[f"{part} lift"][0] * facts.height / facts.hips
        lift = float(np.mean([clearance(s, leg) for leg in legs]))
        yield within(f"{title}: {part} clearance / hip height", lift, *_factor(goal, goal, CLEARANCE_FACTOR))


def _trunk_rows(title: str, s: Sample, facts: Facts) -> Iterator[Row]:
    scale = 100 * facts.hips / s.hips  # to cm of the measured animal
    for part in ("hips", "withers"):
        found = harmonics(trunk_point(s.animal.anatomy, s.places, part)[:, 1], s.first_hind)
        sizes = [facts.cells[f"{part} A{n}"] for n in (1, 2)]
        yield from _order_row(f"{title}: {part} height", s, found[0].size, found[1].size)
        for n in (0, 1):
            name, (median, low, high) = f"{title}: {part} height, harmonic {n + 1}", sizes[n]
            size = found[n].size * scale
            if median < MIN_HARMONIC_RATIO * sizes[1 - n][0]:
                yield at_most(f"{name}, scaled to the measured animal", size, high, "cm")
                continue
            yield within(f"{name}, scaled to the measured animal", size, low, high, "cm")
            goal = facts.cells[f"{part} at{n + 1}"][0]
            yield _phase_row(f"{name}, phase of the maximum", found[n].at, goal, PEAK_TOLERANCE, 1 / (n + 1))


def _head_row(title: str, s: Sample, facts: Facts) -> Iterator[Row]:
    """The range of the head's height, in cm of the measured animal."""
    head = s.animal.anatomy.head
    if head is not None and "head" in facts.cells:
        found = float(np.ptp(s.places[:, head, 1])) * 100 * facts.hips / s.hips
        _, low, high = facts.cells["head"]
        yield within(f"{title}: head height range, scaled to the measured animal", found, low, high, "cm")


def _order_row(name: str, s: Sample, first: float, second: float) -> Iterator[Row]:
    """Whether the right harmonic of the trunk's height is the larger one."""
    if (s.animal.name, s.row.name) in TWICE_A_STRIDE:
        yield at_least(f"{name}, harmonic 2 / harmonic 1", second / max(first, 1e-6), 1)
    elif is_uneven(s.row):
        yield at_least(f"{name}, harmonic 1 / harmonic 2", first / max(second, 1e-6), 1)


def _spine_rows(title: str, s: Sample, facts: Facts) -> Iterator[Row]:
    for plane in ("lateral", "sagittal"):
        if plane not in facts.cells:
            continue
        _, low, high = facts.cells[plane]
        other = LABRADOR_SPINE.get(facts.gait, {}).get(plane, (low, high))
        band = min(low, other[0]), max(high, other[1])
        yield within(f"{title}: spine, {plane} range", spine_range(s, plane), *band, "°")


def _joint_rows(title: str, s: Sample, facts: Facts) -> Iterator[Row]:
    for joint in JOINTS:
        if joint in facts.cells:
            span, low, high = facts.cells[joint]
            row = _range_row(title, s, joint, (span, span))
            if row is not None:
                yield replace(row, reason=f"{row.reason}, measured {low:g}…{high:g}")


def _range_row(title: str, s: Sample, joint: str, band: Band, label: str = "") -> Row | None:
    """Range of a joint over the stride, the mean of left and right, within 1.3 times the band."""
    angles = _angles(s, joint, label)
    if not angles:
        return None
    low, high = (float(np.mean([f(a) for a in angles])) for f in (np.min, np.max))
    row = within(f"{title}: {label}{joint} range", high - low, *_factor(*band, RANGE_FACTOR), "°")
    return replace(row, reason=f"{low:.0f}…{high:.0f}")


def _angles(s: Sample, joint: str, label: str) -> list[Floats]:
    legs = (0, 1) if label == "fore " else (2, 3) if label == "hind " else range(4)
    found = [joint_angles(s, leg) for leg in legs]
    return [each[joint] for each in found if joint in each]


# The horse's literature --------------------------------------------------------------------------


def _literature_rows(animal: Animal, gait: str, is_measured: bool) -> Iterator[Row]:
    """Figures of the literature for what was not measured, at the usual speed."""
    s, said = sample(animal, gait), LITERATURE[gait]
    title = f"horse {gait}, literature"
    if not is_measured:
        yield within(f"{title}: stride frequency", s.row.frequency, *said.frequency, "Hz")
        duty = (s.row.fore.duty + s.row.hind.duty) / 2
        yield within(f"{title}: duty factor", duty, *said.duty)
        if said.length:
            yield within(f"{title}: stride length", s.row.speed / s.row.frequency, *said.length, "m")
        if said.lag:
            lf, _, lh, _ = s.row.touchdowns
            yield _phase_row(f"{title}: fore touchdown after hind", (lf - lh) % 1, sum(said.lag) / 2, PHASE_TOLERANCE)
    if said.sagittal:
        low, high = said.sagittal
        yield within(
            f"{title}: spine, sagittal range", spine_range(s, "sagittal"), *_factor(low, high, RANGE_FACTOR), "°"
        )
    yield from _literature_joints(title, s, said.joints or {}, said.fetlock)


def _literature_joints(title: str, s: Sample, joints: dict[str, Band], fetlock: Band | None) -> Iterator[Row]:
    for joint, band in joints.items():
        for label in ("fore ", "hind ") if joint == "fetlock" else ("",):
            row = _range_row(title, s, BY_GIRDLE.get(joint, joint), band, label)
            if row is not None:
                yield row
    if fetlock is None:
        return
    for label in ("fore ", "hind "):
        most = float(np.mean([a.max() for a in _angles(s, "fetlock", label)])) - 180
        band = _factor(fetlock[0] - 180, fetlock[1] - 180, RANGE_FACTOR)
        yield within(f"{title}: {label}fetlock, largest extension past straight", most, *band, "°")


# Bands -------------------------------------------------------------------------------------------


def _noted(row: Row, note: str) -> Row:
    """The row with a note as its reason, if there is one."""
    return replace(row, reason=note) if note else row


def _times(low: float, high: float, factor: float) -> Band:
    """The band multiplied by a factor, to three significant digits."""
    return float(f"{low * factor:.3g}"), float(f"{high * factor:.3g}")


def _about(median: float, allowed: float) -> Band:
    """The band `allowed` to both sides of a median."""
    return round(median - allowed, 4), round(median + allowed, 4)


def _factor(low: float, high: float, factor: float) -> Band:
    """The band widened by a factor to both sides, to three significant digits."""
    return float(f"{low / factor:.3g}"), float(f"{high * factor:.3g}")


def _phase_row(name: str, value: float, goal: float, allowed: float, period: float = 1.0) -> Row:
    """A phase in cycles that should be within `allowed` of its goal, modulo `period`."""
    gap = (value - goal + period / 2) % period - period / 2
    return judged(name, value, abs(gap) <= allowed + 1e-9, f"{goal % period:.3g} ± {allowed:g}")
