"""`canter inspect`: one file after another, each with a table or a line of JSON, and reasons where it fails."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from canter.cli.main import one_line

if TYPE_CHECKING:
    from canter.anatomy import Character


def inspect_file(file: str, *, as_json: bool = False, write_anatomy: bool = False) -> bool:
    """Print what canter finds in a file; returns whether it was understood."""
    from canter.anatomy.report import not_understood, report
    from canter.control.sources import open_character

    try:
        if write_anatomy:
            _check_free(file)
        character = open_character(file)
        found = report(character, file)
        if write_anatomy:
            _write_anatomy(character, file)
    except Exception as error:
        if os.environ.get("CANTER_DEBUG"):
            raise
        if as_json:
            print(json.dumps({"file": file, "error": one_line(error)}, ensure_ascii=False))
        print(f"canter: {_naming(file, one_line(error))}", file=sys.stderr)
        return False
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


def _check_free(file: str) -> None:
    from canter.anatomy.overrides import overrides_path

    if not Path(file).is_file():
        raise FileNotFoundError(f"{file} is no file, so there is no place beside it for its anatomy")
    if overrides_path(file).exists():
        raise FileExistsError(f"{overrides_path(file)} is there already; rename or delete it to have it written anew")


def _write_anatomy(character: Character, file: str) -> None:
    from canter.anatomy.overrides import overrides_path, overrides_text
    from canter.anatomy.report import file_anatomy
    from canter.formats.files import write_atomic

    place = overrides_path(file)
    write_atomic(place, overrides_text(file_anatomy(character), character.skeleton).encode())
    print(f"canter: wrote {place}", file=sys.stderr)
