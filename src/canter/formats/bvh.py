"""Reading BVH as it is found: any channel order, moving inner joints, and the spellings of many exporters.

The hierarchy is scanned by one regular expression; the numbers are read all at once, if the file is long enough for
what its header promises. Rest rotations are the identity, as the format has it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from canter.formats.decimals import NUMBER, parse_numbers
from canter.formats.errors import FormatError
from canter.formats.files import MAX_FRAME_RATE, check_size, is_finite, snap_rate
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.skeleton import Asset, Motion, Skeleton

SCANNER = re.compile(
    rf"""(?P<open>\{{) | (?P<close>\}})
    | end[ \t]+site [ \t]* (?P<site>[^\n{{]*)
    | (?:root|joint) (?:[ \t]+ (?P<name>[^\n{{]*))?
    | offset (?P<offset>(?:[\s,]+{NUMBER}){{3}})
    | channels \s+ (?P<count>\d{{1,9}}) (?P<channels>(?:[\s,]+[xyz](?:position|rotation|scale)\b)*)
    | (?P<space>(?:\s|hierarchy\b)+) | (?P<unknown>[^\n{{}}]+)""",
    re.IGNORECASE | re.VERBOSE,
)
MOTION = re.compile(rb"^[ \t]*MOTION[ \t]*$", re.IGNORECASE | re.MULTILINE)
FRAMES = re.compile(rb"\s*Frames[ \t]*:?[ \t]*(\d{1,18})\b", re.IGNORECASE)
FRAME_TIME = re.compile(rf"\s*Frame[ \t]*Time[ \t]*:?[ \t]*({NUMBER})".encode(), re.IGNORECASE)


@dataclass
class Joint:
    """One joint while the file is being read; `channels` are such as "xposition", in the file's order."""

    name: str
    parent: int
    is_site: bool
    offset: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    channels: list[str] = field(default_factory=list)


def parse(data: bytes, path: Path) -> Asset:
    """The skeleton of a BVH file and its one clip."""
    data = _plain(data)
    split = MOTION.search(data)
    header = data[: split.start()] if split else data
    joints = _hierarchy(header, path)
    check_size(path, 1, len(joints))
    if split is None:
        return Asset(_without_empty_sites(joints)[0], notes=("the file has no MOTION section",))
    return _with_motion(joints, data, split.end(), path)


def _plain(data: bytes) -> bytes:
    """Text in one byte a character, with plain line ends."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data = data.decode("utf-16", errors="replace").encode()
    data = data.removeprefix(b"\xef\xbb\xbf")
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _hierarchy(header: bytes, path: Path) -> list[Joint]:
    text = _decoded(header)
    joints: list[Joint] = []
    stack: list[int] = []
    waiting = False  # a joint was named and its brace has not opened yet
    for match in SCANNER.finditer(text):
        kind = match.lastgroup
        if kind == "space":
            continue
        problem = _take(match, joints, stack, waiting)
        waiting = problem is None and kind not in ("open", "close", "offset", "count", "channels")
        if problem:
            line = text.count("\n", 0, match.start()) + 1
            raise FormatError(path, f"line {line}", problem, "Export the BVH again, or mend this line by hand")
    if stack or waiting:
        name = joints[-1].name if waiting else joints[stack[-1]].name
        problem = f"the hierarchy ends inside joint {name!r}"
        raise FormatError(path, f"line {text.count(chr(10)) + 1}", problem, "The file is cut short: copy it again")
    if not joints:
        raise FormatError(path, "line 1", "there is no ROOT joint", "Is this a BVH file? Export it again")
    return joints


def _take(match: re.Match[str], joints: list[Joint], stack: list[int], waiting: bool) -> str | None:
    """Read one statement of the hierarchy; returns what is wrong with it, or None."""
    kind, words = match.lastgroup, match.group().split()
    if kind == "open":
        if not waiting:
            return "'{' does not follow a joint"
        stack.append(len(joints) - 1)
        return None
    if waiting:
        return f"joint {joints[-1].name!r} is not followed by '{{'"
    if kind == "close":
        return None if stack and stack.pop() >= 0 else "'}' closes nothing"
    if kind == "unknown":
        return f"{match.group().strip()[:40]!r} is not understood here"
    if kind in ("offset", "count", "channels"):
        return _describe(match, joints[stack[-1]]) if stack else f"{words[0]} stands outside a joint"
    is_site = words[0].lower() == "end"
    if is_site and not stack:
        return "End Site stands outside a joint"
    joints.append(_joint(match, is_site, stack[-1] if stack else -1, joints))
    return None


def _joint(match: re.Match[str], is_site: bool, parent: int, joints: list[Joint]) -> Joint:
    given = (match["site"] if is_site else match["name"]) or ""
    default = f"{joints[parent].name}_end" if is_site else f"joint_{len(joints)}"
    return Joint(given.strip() or default, parent, is_site)


def _describe(match: re.Match[str], joint: Joint) -> str | None:
    if match["offset"] is not None:
        joint.offset = [float(x) for x in match["offset"].replace(",", " ").split()]
        return None if is_finite(np.array(joint.offset)) else f"the offset of {joint.name!r} is not finite"
    joint.channels = match["channels"].lower().replace(",", " ").split()
    if len(joint.channels) != int(match["count"]):
        return f"{joint.name!r} promises {match['count']} channels and names {len(joint.channels)}"
    return None


def _without_empty_sites(joints: list[Joint]) -> tuple[Skeleton, list[Joint]]:
    """The skeleton, and the joints that it keeps: an End Site in the place of its parent is dropped."""
    parents_used = {joint.parent for joint in joints}
    keep = [i for i, j in enumerate(joints) if i in parents_used or not j.is_site or j.channels or np.any(j.offset)]
    new = {old: i for i, old in enumerate(keep)} | {-1: -1}
    kept = [joints[i] for i in keep]
    skeleton = Skeleton.make(
        [j.name for j in kept],
        [new[j.parent] for j in kept],
        np.array([j.offset for j in kept], float).reshape(-1, 3),
        end_sites=np.array(
            [j.is_site and not j.channels and i not in parents_used for i, j in zip(keep, kept, strict=True)]
        ),
    )
    return skeleton, kept


def _with_motion(joints: list[Joint], data: bytes, start: int, path: Path) -> Asset:
    frames, start = _header_value(FRAMES, data, start, "Frames: COUNT", path)
    seconds, start = _header_value(FRAME_TIME, data, start, "Frame Time: SECONDS", path)
    skeleton, kept = _without_empty_sites(joints)
    count, channels = int(frames), sum(len(j.channels) for j in joints)
    if not count or not channels:
        return Asset(skeleton, notes=("the file has no frames",))
    values, extra = _numbers(data, start, count, channels, path)
    check_size(path, count, len(skeleton))
    rate = _frame_rate(seconds, count, data, start, path)
    positions, rotations = _local(kept, values, skeleton, path)
    notes = [f"{extra} rows follow after the promised {count} and were left out"] if extra else []
    added = _added(kept, positions, skeleton)
    if added:
        positions[:, added] += skeleton.offsets[added]
        notes.append("position channels of inner joints are near zero and were added to the offsets")
    return Asset(skeleton, (Motion(skeleton, rate, positions, rotations, path.stem),), notes=tuple(notes))


def _added(joints: list[Joint], positions: Floats, skeleton: Skeleton) -> list[int]:
    """Inner joints whose position channels are relative to the offset, as a few exporters write them.

    Told by all of them staying near zero: taken as places, they would fold the animal into a point.
    """
    lengths = np.linalg.norm(skeleton.offsets, axis=1)
    channelled = [sum(c.endswith("position") for c in joint.channels) == 3 for joint in joints]
    inner = [j for j in range(len(joints)) if channelled[j] and skeleton.parents[j] >= 0 and lengths[j] > 0]
    near = np.abs(positions[:, inner]).max(axis=(0, 2), initial=0) < 0.05 * lengths[inner]
    return inner if len(inner) >= 3 and near.all() else []


def _line(data: bytes, at: int) -> str:
    before = data.count(b"\n", 0, at)
    return f"line {before + 1}"


def _header_value(pattern: re.Pattern[bytes], data: bytes, start: int, wanted: str, path: Path) -> tuple[str, int]:
    match = pattern.match(data, start)
    if match is None:
        at = start + len(data[start : start + 1000]) - len(data[start : start + 1000].lstrip())
        raise FormatError(path, _line(data, at), f"'{wanted}' is missing", "Export the BVH again, or add the line")
    return match[1].decode(), match.end()


def _frame_rate(seconds: str, frames: int, data: bytes, at: int, path: Path) -> float:
    time = float(seconds)
    if frames == 1 and time == 0:
        return 30.0
    if not 1 / MAX_FRAME_RATE <= time <= 1e6:
        raise FormatError(path, _line(data, at), f"a frame time of {seconds} s cannot be", "Write such as 0.0333333")
    digits = seconds.lower().partition("e")
    decimals = len(digits[0].partition(".")[2]) - int(digits[2] or 0)
    return snap_rate(1 / time, 1.001 * 10.0**-decimals if decimals > 1 else 0)


def _numbers(data: bytes, start: int, frames: int, channels: int, path: Path) -> tuple[Floats, int]:
    """All rows as `(frames, channels)`, and the number of surplus rows."""
    wanted = frames * channels
    values: Floats = np.empty(0)
    if 2 * wanted - 1 <= len(data) - start:  # a number and a blank take two bytes
        values = _parsed(data[start:])
    if values.size < wanted or values.size % channels or not is_finite(values):
        raise _complaint(data, start, frames, channels, path)
    return values[:wanted].reshape(frames, channels), values.size // channels - frames


def _parsed(text: bytes) -> Floats:
    """The numbers of `text`, or none if something in it is not a number."""
    values = parse_numbers(text.replace(b",", b" ") if b"," in text else text)
    return np.empty(0) if values is None else values


def _complaint(data: bytes, start: int, frames: int, channels: int, path: Path) -> FormatError:
    """Find the row that is wrong, slowly, and say so."""
    first, found = data.count(b"\n", 0, start) + 1, 0
    rows = data[start:].rstrip().split(b"\n")
    for line, row in enumerate(rows, first):
        values = _parsed(row)
        if row.strip() and not (values.size and is_finite(values)):
            words = row.replace(b",", b" ").split()
            bad = next((word for word in words if not (_parsed(word).size and is_finite(_parsed(word)))), row)
            problem = f"{_decoded(bad)[:40]!r} is not a finite number"
            return FormatError(path, f"line {line}", problem, "Mend or remove this frame")
        found += values.size
        if found % channels and values.size != channels and values.size:
            problem = f"a row of {values.size} numbers, where {channels} channels are promised"
            remedy = "The file is cut short or its CHANNELS are wrong: export it again"
            return FormatError(path, f"line {line}", problem, remedy)
    there = found // channels
    problem = f"{frames} frames are promised and {there} are there"
    remedy = f"Copy the file again, or write 'Frames: {there}'"
    return FormatError(path, f"line {first + len(rows) - 1}", problem, remedy)


def _local(joints: list[Joint], values: Floats, skeleton: Skeleton, path: Path) -> tuple[Floats, Floats]:
    """Local positions and rotations; joints whose turns come in the same order are done at once."""
    positions = np.tile(skeleton.offsets, (len(values), 1, 1))
    rotations = np.tile(rot.IDENTITY, (len(values), len(joints), 1))
    orders: dict[str, tuple[list[int], list[int]]] = {}
    column = 0
    for j, joint in enumerate(joints):
        turns = []
        for channel in joint.channels:
            if channel.endswith("position"):
                positions[:, j, "xyz".index(channel[0])] = values[:, column]
            elif channel.endswith("rotation"):
                turns.append((channel[0], column))
            elif np.any(np.abs(values[:, column] - 1) > 1e-3):
                problem, remedy = "the joint is scaled, which canter does not follow", "Export without scale channels"
                raise FormatError(path, f"joint {joint.name!r}", problem, remedy)
            column += 1
        group = orders.setdefault("".join(axis for axis, _ in turns), ([], []))
        group[0].append(j)
        group[1].extend(c for _, c in turns)
    for order, (which, columns) in orders.items():
        if order:
            angles = np.radians(values[:, columns]).reshape(len(values), len(which), len(order))
            rotations[:, which] = rot.from_euler(angles, order)
    return positions, rotations
