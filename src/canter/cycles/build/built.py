"""A character that is ready to be driven: closed strides, stands and actions, with the engine's cycles of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from canter.anatomy import Anatomy, Character, Clip
from canter.anatomy.lazy import names_of
from canter.animals.animal import Animal
from canter.cycles.build.animal_cycles import animal_rows
from canter.cycles.build.rows import Row, goes_ahead
from canter.cycles.engine.cycle import Cycle
from canter.cycles.engine.laws import fit_stride_law

Law = tuple[float, float]
"""a and b of Fr = a (L / h)^b, the Froude number of a speed by the length of its stride in hip heights."""


@dataclass(frozen=True, eq=False)
class Drivable(Character):
    """A Character with a cycle for each of its strides and stands, the slowest first, and the law of its strides.

    `built_clips` are the clips that the cycles were made of. A copy with other clips, as `dataclasses.replace` makes
    one, keeps cycles that are no longer those of its clips: `is_built` is False, and `drivable` builds it again.
    """

    rows: tuple[Row, ...] = field(kw_only=True)
    law: Law = field(kw_only=True)
    built_clips: Sequence[Clip] = field(kw_only=True)
    built_anatomy: Anatomy = field(kw_only=True)

    @property
    def is_built(self) -> bool:
        """Whether the cycles are those of the clips and the anatomy."""
        return self.clips is self.built_clips and self.anatomy is self.built_anatomy

    def scaled(self, size: float) -> Self:
        """The same animal `size` times as large, its cycles dynamically similar (see `Character.scaled`)."""
        larger = super().scaled(size)
        if larger is self or not self.is_built:
            return larger
        rows = tuple(_scaled_row(row, size, larger.clip(row.taken.clip.name)) for row in self.rows)
        return replace(larger, rows=rows, built_clips=larger.clips, built_anatomy=larger.anatomy)


def make_drivable(character: Character, rows: tuple[Row, ...], law: Law, clips: Sequence[Clip]) -> Drivable:
    """The character with these clips and the cycles of `rows`, each of which was made of one of the clips."""
    return Drivable(
        character.name,
        character.skeleton,
        character.anatomy,
        clips,
        character.transform,
        character.skins,
        character.source,
        character.actions,
        rows=rows,
        law=law,
        built_clips=clips,
        built_anatomy=character.anatomy,
    )


@dataclass(frozen=True, eq=False)
class Built:
    """A character that is ready to be driven, which of its clips were skipped and why, and what was made up for it."""

    character: Drivable | Animal
    skipped: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """Its cycles, the slowest first; those of a shipped animal are generated here, in the order of its table."""
        return animal_rows(self.character) if isinstance(self.character, Animal) else self.character.rows

    @property
    def law(self) -> Law:
        """The stride law of the cycles that go ahead."""
        if isinstance(self.character, Drivable):
            return self.character.law
        return law_of([row.cycle for row in self.rows], self.character.anatomy.hip_height)

    @property
    def actions(self) -> tuple[str, ...]:
        """Names of the clips that are neither a stride nor a stand."""
        cycles = {row.taken.clip.name for row in self.rows}
        return tuple(name for name in names_of(self.character.clips) if name not in cycles)

    def scaled(self, size: float) -> Built:
        """The same of an animal `size` times as large. Gaits are recognised at the size of the clips, so scale last."""
        return replace(self, character=self.character.scaled(size))


def law_of(cycles: Sequence[Cycle], hip_height: float) -> Law:
    """The stride law fitted to the cycles that go ahead."""
    ahead = [cycle for cycle in cycles if goes_ahead(cycle)]
    return fit_stride_law([c.speed for c in ahead], [c.speed * c.seconds for c in ahead], hip_height)


def scaled_cycle(cycle: Cycle, size: float) -> Cycle:
    """That of an animal `size` times as large: lengths scale by `size`, times and speeds by its square root."""
    root = math.sqrt(size)
    return replace(
        cycle,
        seconds=cycle.seconds * root,
        velocity=cycle.velocity * root,
        turn=cycle.turn / root,
        positions=cycle.positions * size,
        sweep=cycle.sweep * size,
    )


def _scaled_row(row: Row, size: float, clip: Clip) -> Row:
    root = math.sqrt(size)
    return replace(
        row,
        taken=replace(row.taken, clip=clip, gap=row.taken.gap * size),
        cycle=scaled_cycle(row.cycle, size),
        speeds=None if row.speeds is None else (row.speeds[0] * root, row.speeds[1] * root),
    )
