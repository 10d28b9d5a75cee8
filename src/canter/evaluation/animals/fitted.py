"""Gaits that rigs get from the tables of ours: the same figures as of the shipped animals, worst of all gaits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from canter.anatomy import load_character
from canter.animals.animal import Animal
from canter.animals.fitting.calm import jerks, straightest
from canter.animals.fitting.fit import Fitted, fit
from canter.evaluation import Options
from canter.evaluation.report import Row, at_least, at_most, skipped

RIGS = (
    ("fox/Fox.glb", "dog"),
    ("zoo/wolf_walk.bvh", "dog"),
    ("zoo/elephant_asian_walk.bvh", "horse"),
    ("dog/D1_009_KAN01_001.bvh", "dog"),
)
"""Recordings whose skeletons alone are used, and whose gaits they get."""
SLIP, DEPTH, SKATING, POP, WRONG_WAY = 0.3, 0.2, 0.3, 3.0, -3.0


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
    right = sum(one.is_told_right for one in made)
    yield at_least(f"{title}: gaits named by footfalls alone, of {len(made)}", right, len(made))
    yield at_most(f"{title}: stance slip of the soles", 100 * max(one.miss for one in made), SLIP, "cm")
    yield at_most(f"{title}: penetration", max(_depth(one) for one in made), DEPTH, "cm")
    yield at_most(f"{title}: skating", max(one.clip.footfalls.skating_cm for one in made), SKATING, "cm")
    pop = max(float(jerks(one.puppet.standing, one.row, one.sketch).max()) for one in made)
    yield at_most(f"{title}: greatest angular acceleration / 95th percentile", pop, POP)
    bend = min(float(straightest(one.puppet.standing, one.sketch).min()) for one in made)
    yield at_least(f"{title}: least bend of elbows, stifles and hocks", bend, WRONG_WAY, "°")


def _depth(one: Fitted) -> float:
    """The deepest sole below the ground in cm."""
    feet = [leg.joints[-1] for leg in one.puppet.standing.anatomy.legs]
    return max(-100 * float(np.min(one.sketch.position_world[:, feet, 1])), 0.0)
