"""DeepMimic's JSON: a motion file of frames, and the character file that says what their numbers mean.

Y is up and lengths are metres. A frame is its duration, the root's position and quaternion (w, x, y, z), then four
numbers for a spherical joint, one for a revolute joint (a turn about its own Z), none for a fixed one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from canter.formats.errors import FormatError
from canter.formats.files import MAX_MAGNITUDE, check_finite, check_size, load_bytes, snap_rate
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.skeleton import Asset, Motion, Skeleton

NUMBERS_PER_JOINT = {"none": 7, "spherical": 4, "revolute": 1, "fixed": 0}
"""Numbers of a frame that a joint of each type takes; "none" is the root, with position and rotation."""
MAX_CHARACTER_BYTES = 16 << 20
Character = tuple[Skeleton, tuple[str, ...]]  # joints and the type of each


def parse(data: bytes, path: Path, character: str | Path | None = None) -> Asset:
    """The clip of a motion file, or the bare skeleton of a character file."""
    content = _json(data, path)
    if "Skeleton" in content:
        return Asset(_character(content, path)[0], metres_per_unit=1.0)
    if "Frames" not in content:
        problem = "this JSON is neither a DeepMimic motion (Frames) nor a character (Skeleton)"
        raise FormatError(path, "", problem, "Convert it to BVH, GLB or npz")
    values = _frames(content, path)
    skeleton, kinds = _load(Path(character)) if character else _find(values.shape[1] - 1, path)
    if values.shape[1] - 1 != _width(kinds):
        problem = f"its frames have {values.shape[1] - 1} numbers and {character} needs {_width(kinds)}"
        raise FormatError(path, "Frames", problem, "Name the character that the motion was made for")
    check_size(path, len(values), len(skeleton))
    notes = ("the motion is meant to loop",) if content.get("Loop") in ("wrap", True, "true") else ()
    return Asset(skeleton, (_motion(skeleton, kinds, values, path),), metres_per_unit=1.0, notes=notes)


def _json(data: bytes, path: Path) -> dict[str, Any]:
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise FormatError(path, "", f"this is not JSON ({error})", "Write the file again") from None
    if not isinstance(content, dict):
        raise FormatError(path, "", "this JSON is not an object", "Give a DeepMimic motion or character")
    return content


def _frames(content: dict[str, Any], path: Path) -> Floats:
    frames = content["Frames"]
    if not isinstance(frames, list) or not frames or not all(isinstance(row, list) for row in frames):
        raise FormatError(path, "Frames", "there are no frames", "Write the motion again")
    odd = next((i for i, row in enumerate(frames) if len(row) != len(frames[0])), None)
    if odd is not None:
        problem = f"{len(frames[odd])} numbers, where frame 0 has {len(frames[0])}"
        raise FormatError(path, f"frame {odd}", problem, "Remove this frame or write the motion again")
    try:
        values = np.array(frames)
    except (ValueError, OverflowError):
        values = np.empty(0, object)
    if values.dtype.kind not in "if" or values.ndim != 2:
        raise FormatError(path, "Frames", "something is not a number", "Write the motion again")
    check_finite(path, "Frames", values)
    return values.astype(np.float64)


def _width(kinds: tuple[str, ...]) -> int:
    return sum(NUMBERS_PER_JOINT[kind] for kind in kinds)


def _load(path: Path) -> Character:
    return _character(_json(load_bytes(path), path), path)


def _find(width: int, path: Path) -> Character:
    """The one character in the motion's folder, or in `characters` beside it, whose joints fit the frames."""
    for folder in (path.parent, path.parent.parent / "characters"):
        fitting = _fitting(folder, path, width)
        named = {other: c for other, c in fitting.items() if path.stem.startswith(other.stem)}
        choice = fitting if len(fitting) == 1 else named
        if len(choice) == 1:
            return next(iter(choice.values()))
        if fitting:
            names = ", ".join(sorted(other.name for other in fitting))
            raise FormatError(path, "", f"several characters fit its frames: {names}", "Pass character=FILE")
    problem = f"no character file beside it has {width} degrees of freedom"
    raise FormatError(path, "", problem, "Put the character's JSON into the same folder, or pass character=FILE")


def _fitting(folder: Path, motion: Path, width: int) -> dict[Path, Character]:
    result: dict[Path, Character] = {}
    for other in sorted([*folder.glob("*.json"), *folder.glob("*.txt")]):
        try:
            if other == motion or other.stat().st_size > MAX_CHARACTER_BYTES:
                continue
            data = other.read_bytes()
            found = _character(_json(data, other), other) if b'"Skeleton"' in data else None
        except (FormatError, OSError):
            continue
        if found and _width(found[1]) == width:
            result[other] = found
    return result


def _character(content: dict[str, Any], path: Path) -> Character:
    skeleton = content.get("Skeleton")
    joints = skeleton.get("Joints") if isinstance(skeleton, dict) else None
    if not isinstance(joints, list) or not joints or not all(isinstance(joint, dict) for joint in joints):
        raise FormatError(path, "Skeleton", "there are no Joints", "Give a DeepMimic character file")
    check_size(path, 1, len(joints))
    kinds = tuple(_kind(joint, i, path) for i, joint in enumerate(joints))
    parents = [_parent(joint, i, path) for i, joint in enumerate(joints)]
    offsets = np.array([[_number(joint, f"Attach{a}", i, path) for a in "XYZ"] for i, joint in enumerate(joints)])
    angles = np.array([[_number(joint, f"AttachTheta{a}", i, path) for a in "ZYX"] for i, joint in enumerate(joints)])
    names = [str(joint.get("Name", f"joint_{i}")) for i, joint in enumerate(joints)]
    tips = np.array([kind == "fixed" and i not in parents for i, kind in enumerate(kinds)])
    return Skeleton.make(names, parents, offsets, rot.from_euler(angles, "zyx"), tips), kinds


def _kind(joint: dict[str, Any], i: int, path: Path) -> str:
    kind = str(joint.get("Type")).lower()
    if kind not in NUMBERS_PER_JOINT or (kind == "none") != (i == 0):
        problem = f"a joint of type {kind[:40]!r} is not read here"
        remedy = "The root must be 'none', the others 'spherical', 'revolute' or 'fixed'"
        raise FormatError(path, f"joint {i}", problem, remedy)
    return kind


def _parent(joint: dict[str, Any], i: int, path: Path) -> int:
    parent = joint.get("Parent")
    if not isinstance(parent, int) or not (parent == -1 if i == 0 else 0 <= parent < i):
        problem = f"its parent {str(parent)[:20]} does not stand before it"
        raise FormatError(path, f"joint {i}", problem, "List parents first, -1 for the root")
    return parent


def _number(joint: dict[str, Any], key: str, i: int, path: Path) -> float:
    value = joint.get(key, 0)
    if not isinstance(value, int | float) or not abs(value) < MAX_MAGNITUDE:
        raise FormatError(path, f"joint {i}", f"{key} is not a number", "Write the character again")
    return float(value)


def _motion(skeleton: Skeleton, kinds: tuple[str, ...], values: Floats, path: Path) -> Motion:
    positions = np.tile(skeleton.offsets, (len(values), 1, 1))
    turns = np.tile(rot.IDENTITY, (len(values), len(kinds), 1))
    at = 1
    for j, kind in enumerate(kinds):
        part = values[:, at : at + NUMBERS_PER_JOINT[kind]]
        if kind == "none":
            positions[:, j] += part[:, :3]
        if kind in ("none", "spherical"):
            turns[:, j] = rot.unit(part[:, -4:])
        elif kind == "revolute":
            turns[:, j] = rot.about([0.0, 0.0, 1.0], part[:, 0])
        at += NUMBERS_PER_JOINT[kind]
    rotations = rot.multiply(skeleton.rotations, turns)
    return _evenly(Motion(skeleton, 1.0, positions, rotations, path.stem), values[:, 0], path)


def _evenly(motion: Motion, durations: Floats, path: Path) -> Motion:
    """The motion at one frame rate, resampled where the frames last unequally long."""
    usual = float(np.median(durations[:-1])) if len(motion) > 1 else 1 / 30
    if not 1e-5 < usual < 1e4 or np.any(durations < 0):
        raise FormatError(path, "Frames", f"a frame of {usual} s cannot be", "Write the duration first in each frame")
    rate = snap_rate(1 / usual, 1e-6)
    positions, rotations = motion.positions, motion.rotations
    if len(motion) > 1 and np.abs(durations[:-1] - usual).max() > 0.01 * usual:
        times = np.concatenate([[0.0], np.cumsum(durations[:-1])])
        frames = int(min(times[-1] * rate + 1e-3, 1e12)) + 1
        if frames > 100 * len(motion):
            raise FormatError(path, "Frames", "the durations differ too much", "Write the motion at one frame rate")
        grid = np.arange(frames) / rate
        left = np.clip(np.searchsorted(times, grid, side="right") - 1, 0, len(times) - 2)
        t = np.clip((grid - times[left]) / np.maximum(times[left + 1] - times[left], 1e-12), 0, 1)[:, None]
        positions = positions[left] + (positions[left + 1] - positions[left]) * t[..., None]
        rotations = rot.slerp(rotations[left], rotations[left + 1], np.broadcast_to(t, (frames, len(motion.skeleton))))
    return Motion(motion.skeleton, rate, positions, rotations, motion.name)
