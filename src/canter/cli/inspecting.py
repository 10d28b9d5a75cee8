"""`canter inspect`: files and folders, each file with a table or a line of JSON, and reasons where it fails."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from canter.cli.main import one_line

if TYPE_CHECKING:
    from canter.anatomy import Character


def inspect_files(
    files: Sequence[str],
    *,
    as_json: bool = False,
    write_anatomy: bool = False,
    hip_height: float | None = None,
    step: Callable[[], None] = lambda: None,
) -> bool:
    """Print what canter finds in files and folders; files of one skeleton are read together, those of one pack in one
    unit. Returns whether all were understood."""
    from canter.anatomy.folder import motion_files
    from canter.control.sources import open_together

    failures: list[str] = []

    def failed(file: str, error: Exception) -> None:
        if os.environ.get("CANTER_DEBUG"):
            raise error
        if as_json:
            print(json.dumps({"file": file, "error": one_line(error)}, ensure_ascii=False))
        print(f"canter: {_naming(file, one_line(error))}", file=sys.stderr)
        failures.append(file)

    names = motion_files(files)
    if write_anatomy:
        names = [name for name in names if _is_free(name, failed)]
    opened = open_together(names, hip_height, failed, step)
    good = not failures
    for file, character in opened.items():
        good &= _show(character, file, as_json)
    if not as_json and len(opened) > 1:
        from canter.cli.tables import console, summary

        console().print(summary(opened))
    if write_anatomy:
        _write_anatomies(opened, [Path(folder) for folder in files if Path(folder).is_dir()])
    return good


def _show(character: Character, file: str, as_json: bool) -> bool:
    """Print what canter knows of a character; returns whether it was understood."""
    from canter.anatomy.report import not_understood, report

    found = report(character, file)
    if as_json:
        print(json.dumps(found, ensure_ascii=False, allow_nan=False), flush=True)
    else:
        from canter.cli.tables import console, inspection

        console().print(inspection(found))
    reasons = not_understood(found)
    if reasons:
        print(f"canter: {file} is not understood: {'; '.join(reasons)}", file=sys.stderr)
    return not reasons


def _naming(file: str, words: str) -> str:
    return words if file in words else f"{file}: {words}"


def _is_free(file: str, failed: Callable[[str, Exception], None]) -> bool:
    """Whether there is a place beside a file for its anatomy."""
    from canter.anatomy.overrides import overrides_path

    if not Path(file).is_file():
        failed(file, FileNotFoundError(f"{file} is no file, so there is no place beside it for its anatomy"))
    elif overrides_path(file).exists():
        words = f"{overrides_path(file)} is there already; rename or delete it to have it written anew"
        failed(file, FileExistsError(words))
    else:
        return True
    return False


def _write_anatomies(opened: Mapping[str, Character], folders: Sequence[Path]) -> None:
    """Writes one file of corrections for each folder that was named, and one beside each other file."""
    from canter.anatomy.overrides import folder_overrides_path, overrides_path

    for folder in folders:
        inside = [file for file in opened if folder in Path(file).parents]
        if inside:
            _write_anatomy(opened[inside[0]], folder_overrides_path(folder))
        opened = {file: character for file, character in opened.items() if file not in inside}
    for file, character in opened.items():
        _write_anatomy(character, overrides_path(file))


def _write_anatomy(character: Character, place: Path) -> None:
    from canter.anatomy.overrides import overrides_text
    from canter.anatomy.report import file_anatomy
    from canter.formats.files import write_atomic

    if place.exists():
        raise FileExistsError(f"{place} is there already; rename or delete it to have it written anew")
    metres = None if character.transform.scale_known else character.anatomy.hip_height
    write_atomic(place, overrides_text(file_anatomy(character), character.skeleton, metres).encode())
    print(f"canter: wrote {place}", file=sys.stderr)
