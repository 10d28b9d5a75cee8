"""What every reader and writer shares: limits, reading bytes, atomic writing, and frame rates from rounded times."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np

from canter.formats.errors import FormatError
from canter.motion.arrays import Floats

MAX_FILE_BYTES = 1 << 30
MAX_JOINTS = 10_000
MAX_JOINT_FRAMES = 20_000_000
MAX_FRAME_RATE = 100_000.0
MAX_MAGNITUDE = 1e30  # beyond this, squares of lengths stop being numbers

COMMON_RATES = (24, 25, 30, 48, 50, 60, 72, 90, 100, 120, 240)


def load_bytes(path: Path, readable: str = "") -> bytes:
    """The whole file, once it is known to be a file of a sensible size."""
    hint = f"Give a file that exists; readable are {readable}" if readable else "Put the file there"
    try:
        if path.is_dir():
            raise FormatError(path, "", "this is a folder, not a file", hint)
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise FormatError(path, "", f"{size} bytes are more than canter reads", "Split it into shorter clips")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(path, "", f"the file cannot be opened ({_reason(error)})", hint) from None
    if not data:
        raise FormatError(path, "", "the file is empty", "Export it again")
    return data


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def write_atomic(path: Path, data: bytes) -> None:
    """Write beside `path` under a temporary name, then rename, so that no reader ever sees half a file."""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        problem = f"nothing can be written there ({_reason(error)})"
        raise FormatError(path, "", problem, "Name a folder that exists and may be written") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def check_size(path: Path, frames: int, joints: int) -> None:
    """Raise FormatError for what would not fit into memory, before anything is allocated."""
    if joints > MAX_JOINTS:
        raise FormatError(path, "", f"{joints} joints are more than {MAX_JOINTS}", "Export only the animal's rig")
    if frames * joints > MAX_JOINT_FRAMES:
        problem = f"{frames} frames of {joints} joints are more than {MAX_JOINT_FRAMES} joint-frames"
        raise FormatError(path, "", problem, "Split it into shorter clips or export at a lower frame rate")


def is_finite(array: Floats) -> bool:
    """No NaN, no infinity, nothing absurdly large."""
    return bool((np.abs(array) < MAX_MAGNITUDE).all())


def check_finite(path: Path, where: str, *arrays: Floats) -> None:
    """Raise FormatError for NaN, infinite or absurdly large numbers, which would spread through everything."""
    for array in arrays:
        if not is_finite(array):
            raise FormatError(path, where, "a number is not finite", "Export it again, or remove the broken frames")


def snap_rate(rate: float, slack: float = 0.0) -> float:
    """The intended frame rate, where the frame time was rounded by up to `slack` seconds.

    A whole number within 0.01 %, else a common rate whose frame time lies within `slack`, else `rate` itself;
    so 0.0083333 s and 0.0083 s both give 120, and 29.97 stays what it is.
    """
    whole = round(rate)
    if whole >= 1 and abs(rate - whole) <= 1e-4 * whole:
        return float(whole)
    near = [r for r in COMMON_RATES if abs(1 / r - 1 / rate) <= slack]
    return float(min(near, key=lambda r: abs(r - rate))) if near else rate
