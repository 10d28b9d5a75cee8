"""`.canter` files of characters that are ready to be driven: their cycles are stored, and not made again when read.

Format 2 has a row in `cycles` for each stride and stand, and its arrays as `cycles/NNN.*.npy`. A file in format 1, or
one whose cycles have another number of samples than the engine's, is read without its cycles: they are then made of its
clips, which are closed strides, when it is first driven.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from canter.anatomy import Character, Clip
from canter.anatomy.character_file import read_parts, save_character
from canter.anatomy.lazy import ByName
from canter.cycles.build.built import Built, make_drivable
from canter.cycles.build.rows import Row, Taken
from canter.cycles.engine.cycle import GRID, Cycle
from canter.formats.archive import Archive
from canter.formats.canter_file import MAX_FRAMES
from canter.formats.files import check_finite
from canter.formats.json_fields import Fields
from canter.motion import rotations as rot

ARRAYS = {"positions": 3, "rotations": 4}
"""The arrays of a cycle and their components for each joint."""
STRIDE_SECONDS = 0.001, 600.0
"""The shortest and the longest cycle that is read."""


def save(built: Built, path: Path, provenance: Mapping[str, Any]) -> None:
    """Write a character with its cycles, ranges of speeds and stride law."""
    a, b = built.law
    arrays: dict[str, np.ndarray] = {}
    for k, row in enumerate(built.rows):
        arrays |= {_member(k, name): getattr(row.cycle, name).astype(np.float32) for name in ARRAYS}
    about = {
        "provenance": dict(provenance),
        "laws": {"froude": {"a": a, "b": b}},
        "samples": GRID,
        "cycles": [_row_table(row) for row in built.rows],
        "transitions": [],
    }
    save_character(built.character, path, about, arrays)


def read_drivable(path: str | Path) -> Character:
    """The character of a `.canter` file: a `Drivable` if it holds cycles, else as `save_character` wrote it."""
    character, fields, archive = read_parts(path)
    if not fields.table.get("cycles") or fields.table.get("samples") != GRID:
        return character
    clips = ByName(character.clips)
    tables = fields.parts("cycles", len(character.clips))
    rows = [_row(table, clips, archive, k, character) for k, table in enumerate(tables)]
    law = fields.part("laws").part("froude")
    return make_drivable(character, tuple(rows), (law.number("a"), law.number("b")), character.clips)


def _member(number: int, name: str) -> str:
    return f"cycles/{number:03d}.{name}.npy"


# Rows --------------------------------------------------------------------------------------------


def _row_table(row: Row) -> dict[str, Any]:
    taken, cycle = row.taken, row.cycle
    return {
        "name": cycle.name,
        "gait": cycle.gait,
        "clip": taken.clip.name,
        "from": taken.source,
        "frames": list(taken.frames),
        "how": taken.how,
        "gap_cm": taken.gap,
        "speed": cycle.speed,
        "strides_per_second": 1 / cycle.seconds,
        "speeds": row.speeds and list(row.speeds),
        "seconds": cycle.seconds,
        "turn": cycle.turn,
        **{name: getattr(cycle, name).tolist() for name in ("velocity", "touchdowns", "duty", "sweep")},
    }


def _row(table: Fields, clips: Mapping[str, Clip], archive: Archive, number: int, character: Character) -> Row:
    name = table.text("clip")
    if name not in clips:
        raise table.wrong("clip", "the name of a clip of this file")
    source, how, frames = table.text("from"), table.text("how"), table.span("frames", MAX_FRAMES)
    taken = Taken(clips[name], source, frames, table.number("gap_cm"), 0.0, how)
    speeds = None
    if table.table.get("speeds") is not None:
        low, high = table.numbers("speeds", (2,)).tolist()
        if not 0 <= low <= high:
            raise table.wrong("speeds", "the least and the greatest speed of a gait")
        speeds = low, high
    return Row(taken, _cycle(table, archive, number, character), speeds)


def _cycle(table: Fields, archive: Archive, number: int, character: Character) -> Cycle:
    legs, joints = len(character.anatomy.legs), len(character.skeleton)
    seconds = table.number("seconds")
    if not STRIDE_SECONDS[0] <= seconds <= STRIDE_SECONDS[1]:
        raise table.wrong("seconds", f"from {STRIDE_SECONDS[0]:g} to {STRIDE_SECONDS[1]:g}")
    touchdowns, duty = table.numbers("touchdowns", (legs,)), table.numbers("duty", (legs,))
    if not ((touchdowns >= 0) & (touchdowns < 1) & (duty > 0) & (duty <= 1)).all():
        raise table.wrong("touchdowns, duty", "shares of a stride")
    arrays = {}
    for which, components in ARRAYS.items():
        member = _member(number, which)
        arrays[which] = archive.array(member, (GRID, joints, components), "f").astype(np.float64)
        check_finite(archive.path, member, arrays[which])
    if not (np.abs(np.linalg.norm(arrays["rotations"], axis=-1) - 1) < 1e-3).all():
        raise archive.error(_member(number, "rotations"), "a rotation is not of unit length")
    return Cycle(
        table.text("name"),
        table.text("gait"),
        seconds,
        table.numbers("velocity", (2,)),
        table.number("turn"),
        arrays["positions"],
        rot.unit(arrays["rotations"]),
        touchdowns,
        duty,
        table.numbers("sweep", (legs, 2)),
    )
