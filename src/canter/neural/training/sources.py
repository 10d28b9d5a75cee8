"""What a network learns from, by the names that people type: takes, clips or an animal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from canter.control.takes import Takes

Note = Callable[[str], None]


def open_takes(sources: Sequence[str], minutes: float, seed: int, frame_rate: float, note: Note) -> Takes:
    """Takes of a .takes file, of clips, or improvised for so many minutes by an animal that can be driven."""
    from canter.anatomy.folder import motion_files
    from canter.control.capture import captured_takes
    from canter.control.improvise import TEACHING, improvise
    from canter.control.registry import is_animal, prepared
    from canter.control.sources import open_character
    from canter.control.takes import SUFFIX, read_takes
    from canter.cycles.build.build_file import join_sources

    first = sources[0]
    if len(sources) == 1 and first.lower().endswith(SUFFIX):
        return read_takes(first)
    if len(sources) == 1 and (is_animal(first) or first.lower().endswith(".canter")):
        note(f"improvising {minutes:g} minutes of the {Path(first).stem}")
        return improvise(
            prepared(open_character(first), "gaits"), minutes, seed, frame_rate=frame_rate, repertoire=TEACHING
        )
    note("reading clips")
    return captured_takes(join_sources(motion_files(sources)), frame_rate)
