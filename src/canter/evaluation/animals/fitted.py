"""Rigs with gaits fitted from the tables of the shipped animals: the same figures, the worst of all gaits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from canter.anatomy import load_character
from canter.animals.animal import Animal
from canter.animals.fitting.fit import Fitted, fit
from canter.animals.fitting.refine import acceleration_ratios, least_bends
from canter.evaluation import Options
from canter.evaluation.animals.limits import (
    MAX_ACCELERATION_RATIO,
    MAX_PENETRATION_CM,
    MAX_SKATING_CM,
    MAX_STANCE_SLIP_CM,
    MIN_BEND_DEG,
)
from canter.evaluation.report import Row, at_least, at_most, skipped
from canter.motion.metrics import ground_penetration

RIGS = (
    ("fox/Fox.glb", "dog"),
    ("zoo/wolf_walk.bvh", "dog"),
    ("zoo/elephant_asian_walk.bvh", "horse"),
    ("dog/D1_009_KAN01_001.bvh", "dog"),
)
"""Recordings, of which only the skeletons are used, and the animal whose gaits they get."""


def fitted_rows(options: Options, animals: Sequence[Animal]) -> Iterator[Row]:
    """`canter build RIG --gaits ANIMAL` for rigs in the data folder, their own clips unused."""
    models = {animal.name: animal for animal in animals}
    for file, name in RIGS:
        title = f"{Path(file).stem} with the gaits of the {name}"
        if options.data is None or not (options.data / file).exists():
            yield skipped(title, "no recordings; give them by --data or CANTER_DATA")
            continue
        options.progress(title)
        model = models[name]
        rows = model.rows[:3] if options.quick else model.rows
        yield from _rows(title, fit(load_character(options.data / file), rows, model.standing))


def _rows(title: str, made: Sequence[Fitted]) -> Iterator[Row]:
    right = sum(one.is_recognised for one in made)
    yield at_least(f"{title}: gaits recognised from footfalls, of {len(made)}", right, len(made))
    yield at_most(
        f"{title}: stance slip of the soles", 100 * max(one.foot_error for one in made), MAX_STANCE_SLIP_CM, "cm"
    )
    yield at_most(f"{title}: penetration", max(_depth(one) for one in made), MAX_PENETRATION_CM, "cm")
    yield at_most(f"{title}: skating", max(one.clip.footfalls.skating_cm for one in made), MAX_SKATING_CM, "cm")
    pop = max(float(acceleration_ratios(one.puppet.standing, one.row, one.puppet_motion).max()) for one in made)
    yield at_most(f"{title}: peak angular acceleration / 95th percentile", pop, MAX_ACCELERATION_RATIO)
    bend = min(float(least_bends(one.puppet.standing, one.puppet_motion).min()) for one in made)
    yield at_least(f"{title}: smallest flexion of elbows, stifles and hocks", bend, MIN_BEND_DEG, "°")


def _depth(one: Fitted) -> float:
    """The depth of the deepest sole below the ground in cm."""
    soles = [leg.joints[-1] for leg in one.puppet.standing.anatomy.legs]
    return ground_penetration(one.puppet_motion.position_world[:, soles]).max
