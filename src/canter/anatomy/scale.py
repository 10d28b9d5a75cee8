"""How large an animal is in metres, when its file does not say or cannot be believed.

Animals of all sizes move alike at like Froude numbers (Alexander and Jayes 1983): a stride takes a certain multiple of
sqrt(h / g) in each gait, so the rhythm of a clip tells the height of the hips to within a factor of two. That is
enough to choose between metres, centimetres, millimetres, inches and feet.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.motion.constants import GRAVITY

UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "ft": 0.3048, "in": 0.0254}
METRIC = ("m", "cm", "mm")
MIN_HIP_HEIGHT, MAX_HIP_HEIGHT = 0.03, 2.6
"""Metres, from a lizard's to a bull giraffe's."""
STRIDE_FREQUENCY = {
    "walk": 0.28,
    "amble": 0.25,
    "pace": 0.31,
    "trot": 0.44,
    "rack": 0.48,
    "canter": 0.44,
    "gallop": 0.44,
    "bound": 0.44,
    "pronk": 0.44,
    "run": 0.40,
}
"""Dimensionless stride frequency f sqrt(h / g) of each gait, between the captured dog's and horse's."""
USUAL_HIP_HEIGHT = 0.6
"""Metres: that of an everyday animal, which breaks ties."""


@dataclass(frozen=True)
class Scale:
    """Metres for one unit of the file; `known` when the file said so and it is credible; `reason` in words."""

    metres_per_unit: float
    known: bool
    reason: str


def find_scale(promised: float | None, hip_height: float, strides: list[tuple[str, float]]) -> Scale:
    """From what the format promises, the hip height in file units, and (gait, stride seconds) of the clips."""
    if not np.isfinite(hip_height) or hip_height <= 0:
        return Scale(promised or 1.0, promised is not None, "there are no hips to judge by")
    if promised is not None and MIN_HIP_HEIGHT <= promised * hip_height <= MAX_HIP_HEIGHT:
        return Scale(promised, True, "the file's own unit")
    rhythm = [
        GRAVITY * (STRIDE_FREQUENCY[gait] * seconds) ** 2
        for gait, seconds in strides
        if gait in STRIDE_FREQUENCY and seconds > 0
    ]
    likely = float(np.clip(np.exp(np.mean(np.log(rhythm))), MIN_HIP_HEIGHT, MAX_HIP_HEIGHT)) if rhythm else None
    aim = likely or USUAL_HIP_HEIGHT
    credible = {n: s for n, s in UNITS.items() if MIN_HIP_HEIGHT <= s * hip_height <= MAX_HIP_HEIGHT}
    if not credible:
        return Scale(aim / hip_height, False, f"a guess: hips at {aim:.2f} m, by the rhythm of its strides")

    def strangeness(name: str) -> float:
        """How far a unit is from what the rhythm says, and from an everyday animal; feet and inches are rare."""
        height = credible[name] * hip_height
        rare = 0.0 if name in METRIC else 0.7
        return abs(float(np.log(height / aim))) + 0.5 * abs(float(np.log(height / USUAL_HIP_HEIGHT))) + rare

    name = min(credible, key=strangeness)
    fits = abs(np.log(credible[name] * hip_height / aim)) < np.log(2)
    sure = bool(likely is not None and name in METRIC and fits)
    return Scale(credible[name], sure, f"{'taken' if sure else 'guessed'} as {name}, which fits its strides")
