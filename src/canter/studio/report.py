"""What the page is told about an animal of its user, as JSON values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from canter.anatomy import Character, Clip
from canter.anatomy.contacts import runs
from canter.cycles.build.built import Built
from canter.formats.labels import Label
from canter.motion import rotations as rot

MAX_TAKES, MAX_SPANS, MAX_STEPS = 60, 200, 300
"""Takes that are reported, spans of each, and steps of each leg: a page could not show more, and reports stay small."""


def animal_report(character: Character, built: Built | None = None, warnings: Sequence[str] = ()) -> dict[str, Any]:
    """Legs, size, gaits and actions of an animal, and what is doubtful about them; `built` is None if it has no legs to
    be driven by."""
    anatomy, names, transform = character.anatomy, character.skeleton.names, character.transform
    rows = built.rows if built is not None else ()
    return {
        "name": character.name,
        "hip_height": known(anatomy.hip_height),
        "size_guess": None if transform.scale_known else transform.scale_reason,
        "confidence": known(anatomy.confidence),
        "legs": [{"name": leg.name, "joints": [names[j] for j in leg.joints]} for leg in anatomy.legs],
        "joints": list(names),
        "facing_deg": _facing(character),
        "gaits": [
            {
                "name": row.cycle.name,
                "gait": row.cycle.gait,
                "label": row.label,
                "speed": known(row.cycle.speed),
                "seconds": known(row.cycle.seconds),
            }
            for row in rows
        ],
        "actions": list(built.actions) if built is not None else [],
        "warnings": [*anatomy.doubts, *warnings],
    }


def takes_report(character: Character, labels: Mapping[str, Sequence[Label]] | None = None) -> list[dict[str, Any]]:
    """What each take shows from when to when, by its spans and the steps of its legs in seconds, and which `labels`
    people gave it. Loops of one gait are no takes."""
    given = labels or {}
    takes = [clip for clip in character.clips if given.get(clip.name) or _is_take(clip)]
    return [_take_report(clip, given.get(clip.name, ())) for clip in takes[:MAX_TAKES]]


def scaled_takes(takes: Sequence[Mapping[str, Any]], size: float) -> list[dict[str, Any]]:
    """The report on takes of an animal that proves to be `size` times as large: they are as fast as that."""

    def scaled(span: Mapping[str, Any]) -> dict[str, Any]:
        return {**span, "speed": None if span["speed"] is None else known(span["speed"] * size)}

    return [{**take, "spans": [scaled(span) for span in take["spans"]]} for take in takes]


def _is_take(clip: Clip) -> bool:
    feet = clip.footfalls
    return len(feet.spans) > 1 or (len(feet.spans) == 1 and not feet.loop and not feet.in_place)


def _take_report(clip: Clip, labels: Sequence[Label]) -> dict[str, Any]:
    feet, rate = clip.footfalls, clip.motion.frame_rate
    return {
        "name": clip.name,
        "seconds": known(clip.motion.seconds),
        "frame_rate": known(rate),
        "labels": [[label.start, label.end, label.name] for label in labels],
        "spans": [
            {
                "start": known(span.start),
                "end": known(span.end),
                "label": span.label,
                "speed": known(span.speed),
                "runner_up": span.runner_up,
                "confidence": known(span.confidence),
            }
            for span in feet.spans[:MAX_SPANS]
        ],
        "steps": [
            [[known(start / rate), known(end / rate)] for start, end in runs(down)[:MAX_STEPS]]
            for down in feet.contacts.T
        ],
    }


def known(x: float) -> float | None:
    """A number rounded for JSON, None for one that is not finite."""
    return round(float(x), 4) if math.isfinite(x) else None


def _facing(character: Character) -> float:
    """The direction that the animal faced in its file: degrees to the left of +Z, after its up is rotated onto +Y."""
    back = rot.conjugate(character.transform.rotation)
    up, forward = (rot.rotate(back, np.array(axis)) for axis in ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0]))
    axis = np.cross(up, [0.0, 1.0, 0.0])
    length = float(np.linalg.norm(axis))
    angle = math.atan2(length, float(up[1]))
    turn = rot.exp(axis / length * angle) if length > 1e-9 else rot.exp(np.array([angle, 0.0, 0.0]))
    level = rot.rotate(turn, forward)
    return round(math.degrees(math.atan2(level[0], level[2])), 1) + 0.0
