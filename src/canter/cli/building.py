"""`canter build`: what was understood and made, as a table and as lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType

    from canter.anatomy import Character
    from canter.animals.fitting.fit import Fitted
    from canter.cycles.build.built import Built
    from canter.cycles.build.rows import Row


def built_table(target: Path, built: Built) -> RenderableType:
    """The gaits of a `.canter` file as a table, its actions, and the clips that were skipped."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from canter.anatomy import actions_of

    character, (a, b) = built.character, built.law
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("gait", "name", "from"):
        table.add_column(name, overflow="fold")
    for name in ("m/s", "strides/s", "range m/s", "closing cm"):
        table.add_column(name, justify="right")
    for row in built.rows:
        table.add_row(*_cells(row))
    height, joints = character.anatomy.hip_height, len(character.skeleton)
    headline = Text(f"{target}: {character.name}, hips {height:.2f} m high, {joints} joints", "bold")
    law = Text(f"stride law: Fr = {a:.2f} (L / h)^{b:.2f}", "dim")
    actions = actions_of(character)
    others = [name for name in built.actions if name not in actions]
    lines = [Text(f"actions: {', '.join(actions)}", "dim")] if actions else []
    lines += [Text(f"also kept: {', '.join(others)}", "dim")] if others else []
    shift = character.transform
    lines += [] if shift.scale_known else [Text(f"its size is {shift.scale_reason}; --hip-height gives it", "yellow")]
    lines += [Text(words, "yellow") for words in built.warnings]
    lines += [Text(f"not taken: {name}, {why}", "yellow") for name, why in built.skipped]
    return Group(headline, table, law, *lines)


def _cells(row: Row) -> tuple[str, ...]:
    taken, cycle = row.taken, row.cycle
    first, last = taken.frames
    where = f"{taken.source} {first}-{last}" if "stride" in taken.how else taken.source
    return (
        row.label,
        cycle.name,
        f"{where} ({taken.how})",
        "" if cycle.stands else f"{cycle.speed:.2f}",
        "" if cycle.stands else f"{1 / cycle.seconds:.2f}",
        f"{row.speeds[0]:.2f}-{row.speeds[1]:.2f}" if row.speeds else "",
        f"{taken.gap:.1f}",
    )


def rig_lines(character: Character, fitted: tuple[Fitted, ...], gaits: str, target: Path) -> Iterator[str]:
    """How a rig stands and what its legs are, the gaits that were fitted to it, and the file."""
    standing, rig = fitted[0].puppet.standing, fitted[0].puppet.rig
    yield f"{character.name}: stands by its {rig.reason}, hips at {standing.height:.2f} m, moved as a {gaits}"
    for k, words in ((0, "forelegs"), (2, "hind legs")):
        yield f"  {words}: {', '.join(standing.roles[k])}"
    yield from (_fitted_line(one) for one in fitted)
    yield f"{target}: {len(fitted)} clips, {len(character.skeleton)} joints"


def _fitted_line(one: Fitted) -> str:
    seen, row = one.clip.footfalls, one.row
    doubt = "" if one.is_recognised else f" (its feet say {seen.gait})"
    missed = f", feet miss their place by up to {100 * one.foot_error:.1f} cm" if one.foot_error > 0.003 else ""
    way = f"{row.turn:.0f} degrees a second" if row.turn else f"{abs(row.speed) or abs(row.sideways):.2f} m/s"
    return f"  {row.name}: {way}, {row.frequency:.2f} strides a second{doubt}{missed}"
