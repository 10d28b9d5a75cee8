"""What the page is told about an animal of its user, as JSON values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from canter.anatomy import Character
from canter.cycles.build.built import Built
from canter.motion import rotations as rot


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
            {"name": c.name, "gait": c.gait, "speed": known(c.speed), "seconds": known(c.seconds)}
            for c in (row.cycle for row in rows)
        ],
        "actions": list(built.actions) if built is not None else [],
        "warnings": [*anatomy.doubts, *warnings],
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
