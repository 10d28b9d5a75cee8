"""`canter animals`: what canter ships, as plain data for the table, for JSON and for the gallery."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from canter.anatomy import Character
    from canter.control.registry import Entry


def shipped() -> Iterator[dict[str, Any]]:
    """Every registered animal, loaded one by one; of one whose extra is missing, the name of the extra."""
    from canter.control.registry import entries, load

    for entry in entries("animal"):
        if entry.missing:
            yield {"name": entry.name, "about": entry.summary, "missing": f"needs the extra {entry.extra!r}"}
        else:
            yield described(entry, load(entry.name))


def described(entry: Entry, character: Character) -> dict[str, Any]:
    """One animal: strings, numbers, lists and None. `gaits` have ranges of speed, `clips` are its other clips."""
    from canter.anatomy.lazy import names_of

    gaits = _gaits(character)
    names = {gait["name"] for gait in gaits}
    others = [character.clip(name) for name in names_of(character.clips) if name not in names]
    return {
        "name": entry.name,
        "about": entry.summary,
        "hip_height": _number(character.anatomy.hip_height),
        "joints": len(character.skeleton),
        "triangles": sum(len(skin.triangles) for skin in character.skins),
        "gaits": gaits,
        "clips": [{"name": clip.name, "seconds": _number(clip.motion.seconds)} for clip in others],
    }


def _gaits(character: Character) -> list[dict[str, Any]]:
    """The gait rows of a shipped animal; of any other character its clips with a stride, at their own speed."""
    from canter.animals.animal import Animal

    if isinstance(character, Animal):
        return [_gait(row.name, row.speed, row.speeds, row.frequency, row.sideways, row.turn) for row in character.rows]
    falls = [(clip.name, clip.footfalls) for clip in character.clips]
    return [_gait(name, x.speed, None, 1 / x.stride_seconds) for name, x in falls if x.stride_seconds > 0]


def _gait(
    name: str,
    speed: float,
    speeds: tuple[float, float] | None,
    frequency: float,
    sideways: float = 0.0,
    turn: float = 0.0,
) -> dict[str, Any]:
    return {
        "name": name,
        "speed": _number(speed),
        "speeds": None if speeds is None or speeds[0] == speeds[1] else list(speeds),
        "strides_a_second": _number(frequency),
        "sideways": sideways,
        "turn_deg": turn,
    }


def pace(gait: dict[str, Any]) -> str:
    """How fast a gait goes, in words: metres a second ahead, or to the side, or degrees a second."""
    if gait["turn_deg"]:
        return f"{gait['turn_deg']:g}°/s"
    if gait["sideways"]:
        return f"{gait['sideways']:.2f} sideways"
    return "-" if gait["speed"] is None else f"{gait['speed']:.2f}"


def span(gait: dict[str, Any]) -> str:
    """The slowest and the fastest that a gait goes."""
    return "" if gait["speeds"] is None else " to ".join(f"{speed:g}" for speed in gait["speeds"])


def _number(x: float) -> float | None:
    return round(float(x), 4) if math.isfinite(x) else None
