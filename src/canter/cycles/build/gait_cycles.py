"""The cycles that an animal is driven by: those of its gaits, with mirror images where a side has none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from canter.anatomy import Character, Clip, Footfalls
from canter.anatomy.lazy import names_of
from canter.animals.animal import Animal
from canter.animals.generator.gait_rows import READ_AS, GaitRow
from canter.cycles.build.cut import cut
from canter.cycles.build.cycle import make_cycle
from canter.cycles.engine.cycle import GRID, Cycle
from canter.motion.mirroring import mirror


@lru_cache(maxsize=4)
def gait_cycles(character: Character) -> tuple[tuple[Cycle, ...], tuple[str, ...]]:
    """The cycles of a character's gaits and their names; steps aside and turns get their mirror images.

    Those of the last characters are kept: all controllers of one animal share them.
    """
    cycles: list[Cycle] = []
    names: list[str] = []
    stood = False
    for clip in _own(character) if isinstance(character, Animal) else [taken.clip for taken in cut(character).taken]:
        stands = clip.footfalls.gait == "stand"
        if not (clip.footfalls.loop or stands) or (stands and stood):
            continue
        stood = stood or stands
        cycles.append(make_cycle(character, clip))
        names.append(clip.name)
        if clip.footfalls.gait in ("side", "turn"):
            cycles.append(make_cycle(character, _mirrored(character, clip)))
            names.append(f"{clip.name} right")
    return tuple(cycles), tuple(names)


def _own(animal: Animal) -> Iterator[Clip]:
    """The clips of an animal of ours: its gaits on the grid of a cycle, without a need to read what its feet do."""
    rows = {row.name: row for row in animal.rows}
    acted = set(names_of(animal.actions))
    for name in names_of(animal.clips):
        if name in rows:
            yield _finer(animal, rows[name])
        elif name not in acted:
            yield animal.clip(name)


def _finer(animal: Animal, row: GaitRow) -> Clip:
    """A gait of ours on the grid of a cycle, with the contacts of its row."""
    motion = animal.cycle(row.name, frame_rate=GRID * row.frequency)
    phase = np.arange(len(motion)) / (len(motion) - 1)
    duty = (row.fore.duty, row.fore.duty, row.hind.duty, row.hind.duty)
    since = (phase[:, None] - np.array(row.touchdowns) + 1e-9) % 1.0
    gait = READ_AS.get(row.name, row.name.split()[-1])
    return Clip(motion, Footfalls(since < np.array(duty), gait, abs(row.speed), in_place=False, loop=True))


def _mirrored(character: Character, clip: Clip) -> Clip:
    """The mirror image of a clip, with left and right feet exchanged."""
    anatomy = character.anatomy
    motion = mirror(clip.motion, anatomy.mirror)
    order = [[leg.foot for leg in anatomy.legs].index(int(anatomy.mirror[leg.foot])) for leg in anatomy.legs]
    return Clip(motion, replace(clip.footfalls, contacts=clip.footfalls.contacts[:, order]))
