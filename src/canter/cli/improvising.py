"""`canter improvise`: unstructured motion into a `.takes` file, and the seconds of each label as a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType

    from canter.control.takes import Takes


def improvise_takes(
    animal: str,
    target: Path,
    minutes: float,
    seed: int,
    frame_rate: float,
    controller: str,
    shares: Sequence[str],
    teaching: bool,
    size: float,
    hip_height: float | None,
    progress: Callable[[int, int], None],
) -> Takes:
    """Improvise with an animal and write the takes."""
    from canter.control.improvise import SESSION, TEACHING, improvise
    from canter.control.registry import prepared
    from canter.control.sources import open_character
    from canter.control.takes import SUFFIX, write_takes

    if target.suffix.lower() != SUFFIX:
        raise ValueError(f"{target}: takes are written as {SUFFIX}")
    if not target.parent.is_dir():
        raise ValueError(f"{target}: there is no folder {target.parent}")
    repertoire = TEACHING if teaching else SESSION
    if shares:
        repertoire = replace(repertoire, shares=parse_shares(shares))
    character = prepared(open_character(animal, hip_height), controller).scaled(size)
    takes = improvise(
        character,
        minutes,
        seed,
        controller=controller,
        frame_rate=frame_rate,
        repertoire=repertoire,
        progress=progress,
    )
    write_takes(takes, target)
    return takes


def parse_shares(pairs: Sequence[str]) -> dict[str, float]:
    """`NAME=SECONDS` pairs as a mapping."""
    shares = {}
    for pair in pairs:
        name, _, seconds = pair.rpartition("=")
        try:
            shares[name] = float(seconds)
        except ValueError:
            shares[name] = math.nan
        if not name or not 0 <= shares[name] < math.inf:
            raise ValueError(f"--shares {pair}: write a label and its seconds, such as sit=20")
    return shares


def label_table(target: Path, takes: Takes) -> RenderableType:
    """The file, and for how many seconds and what share of the time each label holds."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    seconds = takes.seconds
    total = sum(take.motion.seconds for take in takes.takes)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("label")
    for name in ("seconds", "share"):
        table.add_column(name, justify="right")
    for label, shown in sorted(seconds.items(), key=lambda item: -item[1]):
        table.add_row(label, f"{shown:.1f}", f"{shown / sum(seconds.values()):.1%}")
    size = target.stat().st_size / 1e6
    headline = f"{target}: {len(takes.takes)} takes of the {takes.character.name}, {total:.1f} s, {size:.1f} MB"
    return Group(Text(headline, "bold"), table)
