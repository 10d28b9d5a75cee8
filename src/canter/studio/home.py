"""The folder in which the studio keeps what belongs to its user, by the custom of the system."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

HOME_VARIABLE = "CANTER_HOME"
"""The environment variable that names another folder."""


def data_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """`CANTER_HOME`, or the folder `canter` where programs of this system keep the data of a user."""
    if own := environ.get(HOME_VARIABLE):
        return Path(own).expanduser().absolute()
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "canter"
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "canter"
    named = Path(environ.get("XDG_DATA_HOME", ""))
    return (named if named.is_absolute() else Path.home() / ".local" / "share") / "canter"
