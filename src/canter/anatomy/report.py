"""What was detected in a file, as plain data: the object that `canter inspect --json` prints (see docs/inspect.md)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from canter.anatomy.character import Anatomy, Character, Clip, Leg, TakeSpan
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.feet import stances

MIN_CONFIDENCE = 0.3
"""Below this a file counts as not understood."""


def report(character: Character, file: str | None = None) -> dict[str, Any]:
    """What canter knows about a character: strings, numbers, lists and None, with axes in the file's coordinates."""
    anatomy = file_anatomy(character)
    names = character.skeleton.names
    shift = character.transform
    return {
        "file": character.source if file is None else file,
        "kind": anatomy.kind,
        "up": _axis(anatomy.up),
        "forward": _axis(anatomy.forward),
        "hip_height": _number(character.anatomy.hip_height),
        "legs": _chains(anatomy.legs, names),
        "head": None if anatomy.head is None else names[anatomy.head],
        "tail": [names[j] for j in anatomy.tail],
        "confidence": _number(anatomy.confidence, 3),
        "clips": [_clip(clip, character.anatomy) for clip in character.clips],
        "arms": _chains(anatomy.arms, names),
        "spine": [names[j] for j in anatomy.spine],
        "neck": [names[j] for j in anatomy.neck],
        "metres_per_unit": _number(shift.scale, 9),
        "scale_known": bool(shift.scale_known),
        "scale_reason": shift.scale_reason,
        "doubts": list(anatomy.doubts),
    }


def not_understood(found: Mapping[str, Any]) -> list[str]:
    """Why a file counts as not understood; empty if it was understood."""
    reasons = []
    if found["kind"] == "other":
        reasons.append("no four legs to walk on were found")
    elif (found["confidence"] or 0.0) < MIN_CONFIDENCE:
        reasons.append(f"the confidence {found['confidence'] or 0.0:.2f} is below {MIN_CONFIDENCE}")
    return [*reasons, *found["doubts"]] if reasons else []


def file_anatomy(character: Character) -> Anatomy:
    """The anatomy in the file's own axes and units, as it was found."""
    shift = character.transform
    back = rot.conjugate(shift.rotation)
    return replace(
        character.anatomy,
        up=rot.rotate(back, np.array([0.0, 1.0, 0.0])),
        forward=rot.rotate(back, np.array([0.0, 0.0, 1.0])),
        hip_height=character.anatomy.hip_height / shift.scale,
        ground=float(-shift.translation[1] / shift.scale),
    )


def _clip(clip: Clip, anatomy: Anatomy) -> dict[str, Any]:
    feet, hip_height = clip.footfalls, anatomy.hip_height
    heights = feet.speed / hip_height if hip_height > 0 else math.nan
    return {
        "name": clip.name,
        "seconds": _number(clip.motion.seconds),
        "in_place": bool(feet.in_place),
        "gait": feet.gait,
        "speed": _number(feet.speed),
        "speed_heights_per_s": _number(heights),
        "stride_s": _number(feet.stride_seconds),
        "duty": _numbers(feet.duty),
        "phases": _numbers(feet.phases),
        "skating_cm": _number(feet.skating_cm),
        "runner_up": feet.runner_up or None,
        "sequence": feet.sequence or None,
        "loop": bool(feet.loop),
        "frame_rate": _number(clip.motion.frame_rate),
        "stride_length": _number(feet.stride_length),
        "froude": _number(feet.froude),
        "shares": _numbers(feet.shares),
        "doubts": list(feet.doubts),
        "spans": [_span(span) for span in feet.spans],
        "stances": _stances(clip, anatomy),
    }


def _span(span: TakeSpan) -> dict[str, Any]:
    return {
        "start": _number(span.start),
        "end": _number(span.end),
        "label": span.label,
        "runner_up": span.runner_up or None,
        "confidence": _number(span.confidence, 3),
        "speed": _number(span.speed),
        "turn_rate": _number(span.turn_rate),
        "stride_s": _number(span.stride_seconds),
        "duty": _numbers(span.duty),
        "phases": _numbers(span.phases),
    }


def _stances(clip: Clip, anatomy: Anatomy) -> dict[str, list[list[float]]]:
    """From when to when each foot is down, in seconds."""
    rate = clip.motion.frame_rate
    return {
        leg.name: [[round(a / rate, 4), round(b / rate, 4)] for a, b in stances(clip.footfalls.contacts[:, k])]
        for k, leg in enumerate(anatomy.legs)
    }


def _chains(legs: tuple[Leg, ...], names: tuple[str, ...]) -> dict[str, list[str]]:
    return {leg.name: [names[j] for j in leg.joints] for leg in legs}


def _axis(v: Floats) -> list[float]:
    return [round(float(x), 6) + 0.0 for x in v]


def _number(x: float, digits: int = 4) -> float | None:
    """Rounded for reading; what is not finite has no JSON and becomes None."""
    return round(float(x), digits) if math.isfinite(x) else None


def _numbers(table: Mapping[str, float]) -> dict[str, float | None]:
    return {name: _number(x) for name, x in table.items()}
