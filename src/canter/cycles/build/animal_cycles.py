"""The cycles of the animals that canter ships, generated from their gait tables on the grid of a cycle."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from canter.anatomy import Clip, Footfalls
from canter.anatomy.lazy import names_of
from canter.animals.animal import Animal
from canter.animals.generator.gait_rows import READ_AS, GaitRow
from canter.cycles.build.cycle import make_cycle
from canter.cycles.build.rows import Row, Taken, goes_ahead
from canter.cycles.engine.cycle import GRID


@lru_cache(maxsize=4)
def animal_rows(animal: Animal) -> tuple[Row, ...]:
    """The strides and the stand of an animal of ours, in the order of its clips; those of the last animals are kept."""
    speeds = {row.name: row.speeds for row in animal.rows}
    rows = []
    for clip in _clips(animal):
        if clip.footfalls.loop or clip.footfalls.gait == "stand":
            taken = Taken(clip, clip.name, (0, len(clip.motion) - 1), 0.0, 0.0, "the loop as it is")
            cycle = make_cycle(animal, clip)
            rows.append(Row(taken, cycle, speeds.get(clip.name) if goes_ahead(cycle) else None))
    return tuple(rows)


def _clips(animal: Animal) -> Iterator[Clip]:
    """Gaits and stands on the grid of a cycle; contacts are those of the table, so that no footfalls are detected."""
    rows = {row.name: row for row in animal.rows}
    actions = set(names_of(animal.actions))
    for name in names_of(animal.clips):
        if name in rows:
            yield _on_grid(animal, rows[name])
        elif name not in actions:
            yield animal.clip(name)


def _on_grid(animal: Animal, row: GaitRow) -> Clip:
    """A stride of a gait with one frame for each sample of a cycle, and the contacts of its row."""
    motion = animal.cycle(row.name, frame_rate=GRID * row.frequency)
    phase = np.arange(len(motion)) / (len(motion) - 1)
    duty = (row.fore.duty, row.fore.duty, row.hind.duty, row.hind.duty)
    since = (phase[:, None] - np.array(row.touchdowns) + 1e-9) % 1.0
    gait = READ_AS.get(row.name, row.name.split()[-1])
    return Clip(motion, Footfalls(since < np.array(duty), gait, abs(row.speed), in_place=False, loop=True))
