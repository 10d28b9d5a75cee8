"""`canter info`: what is installed, found without importing it."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from importlib import metadata


def information() -> Iterator[str]:
    """Lines about this installation."""
    from canter import __version__

    yield f"canter    {__version__}"
    yield f"python    {platform.python_version()} ({sys.executable})"
    yield f"system    {platform.platform()}, {os.cpu_count()} cores"
    for group, names in required().items():
        yield f"{group:<9} {', '.join(f'{name} {_version(name)}' for name in names)}"
    yield f"data      {os.environ.get('CANTER_DATA') or 'CANTER_DATA is not set'}"
    yield f"methods   {_controllers()}"


def required() -> dict[str, list[str]]:
    """The packages that canter needs, as its metadata say: `base`, then one group for each extra."""
    groups: dict[str, list[str]] = {"base": []}
    try:
        lines = metadata.requires("canter") or []
    except metadata.PackageNotFoundError:  # run from a folder of sources that is not installed
        lines = []
    for line in lines:
        extra = re.search(r"extra == [\"']([\w-]+)", line)
        groups.setdefault(extra[1] if extra else "base", []).extend(re.findall(r"^[\w.-]+", line))
    return groups


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "(missing)"


def _controllers() -> str:
    try:
        from canter.control.registry import entries

        return ", ".join(
            f"{e.name} (needs the extra {e.extra})" if e.missing else e.name for e in entries("controller")
        )
    except Exception as error:  # a partial install still gets its answer
        return f"cannot be listed: {error}"
