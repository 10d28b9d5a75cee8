"""How large an animal is in metres, when its file does not say or cannot be believed.

Animals of all sizes move alike at like Froude numbers (Alexander and Jayes 1983): a stride takes a certain multiple of
sqrt(h / g) in each gait, so the rhythm of a clip tells the height of the hips. It is less certain where it is slow: a
tortoise may walk as slowly as it likes, but nobody much faster than legs swing. What the rhythm leaves open the shape
decides: small animals are longer than they are high, large ones stand on long legs. Both are weighed as independent
measurements of the logarithm of the height. A format that promises a unit keeps it unless its animal would be further
off than such measurements ever are; but only where they bear the promise out is the size called known: artists often
ignore the unit of a format. Files of one pack are measured together, for they share a unit.
"""

from __future__ import annotations

from collections.abc import Sequence
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
SLOW_GAITS = ("walk", "amble")
RHYTHM_ERROR, SLOW_RHYTHM_ERROR, SHAPE_ERROR = 0.6, 1.5, 0.8
"""Standard deviations of the logarithm of a hip height by the rhythm, by one that may be that of a slow walk, and by
the shape."""
MIN_PACK_ERROR = 0.3
"""The same of a unit by many files at least: their errors have causes in common, such as an animator's taste."""
SQUARE_HIP_HEIGHT, SQUARE_TRUNK, SHAPE_POWER = 1.1, 1.05, 2.5
"""Metres, and trunk in hip heights: an animal of that shape is about that high, and lower by this power of its length
(rats 2.2 and 0.06 m, pigs 1.6 and 0.6, dogs 1.2 and 0.5, horses 1.05 and 1.2, camels 0.9 and 1.5)."""
USUAL_HIP_HEIGHT = 0.6
"""Metres: that of an everyday animal, where its shape is unknown."""
MAX_DEVIATIONS = 2.2
"""Standard deviations by which a promised unit may be off before it is not believed."""
MAX_KNOWN_RATIO = 1.5
"""How many times larger or smaller than by strides and shape an animal of known size may be. Of made-up animals 62 %
are known by their true unit, 11 to 28 % by one twice too large or too small (81 and 38 to 58 % if this were 2)."""
RARE_UNIT_COST, OWN_UNIT_COST = 1.0, MAX_DEVIATIONS
"""Standard deviations by which feet and inches must fit better than metric units to be taken; and those by which all
units must be off for an animal to be in a unit of its own."""


@dataclass(frozen=True)
class Evidence:
    """What tells the size of one animal: the height of its hips in file units, (gait, stride seconds) of its clips, and
    the distance from hips to shoulders in hip heights (NaN where it has none)."""

    hip_height: float
    strides: Sequence[tuple[str, float]] = ()
    trunk: float = float("nan")


@dataclass(frozen=True)
class Scale:
    """Metres for one unit of the file; `known` when the file says so and its animal bears it out; `reason` in words."""

    metres_per_unit: float
    known: bool
    reason: str


def given_scale(hip_height: float, metres: float) -> Scale:
    """The scale of an animal whose hips, `hip_height` in file units, are known to be so many metres high."""
    return Scale(metres / hip_height, True, f"as was given: hips {metres:.2f} m high")


def find_scale(promised: float | None, animals: Sequence[Evidence]) -> Scale:
    """From what the format promises and the evidence of an animal, or of all animals of a pack, which share a unit."""
    animals = [animal for animal in animals if np.isfinite(animal.hip_height) and animal.hip_height > 0]
    if not animals:
        return Scale(promised or 1.0, promised is not None, "there are no hips to judge by")
    likely, error = _likely_unit(animals)
    where = " of this pack" if len(animals) > 1 else ""
    if promised is None:
        return _guess(animals, likely, error, where)
    if _credible(promised, animals) and abs(np.log(promised) - likely) < MAX_DEVIATIONS * error:
        return _as_promised(promised, animals, likely, where)
    guess = _guess(animals, likely, error, where)
    height = promised * max(animal.hip_height for animal in animals)
    if guess.metres_per_unit == promised:
        return Scale(promised, False, f"the file's own unit, although hips at {height:.3g} m are hard to believe")
    return Scale(
        guess.metres_per_unit, False, f"{guess.reason}; by the file's own unit hips would be at {height:.3g} m"
    )


def _as_promised(promised: float, animals: Sequence[Evidence], likely: float, where: str) -> Scale:
    """The promised unit: known where strides and shape bear it out, else with the height that they suggest."""
    if abs(np.log(promised) - likely) < np.log(MAX_KNOWN_RATIO):
        return Scale(promised, True, "the file's own unit")
    height = np.exp(likely) * max(animal.hip_height for animal in animals)
    return Scale(promised, False, f"the file's own unit, although {_evidence(animals)}{where} suggest {height:.2g} m")


def likely_height(animal: Evidence) -> tuple[float, float]:
    """The logarithm of an animal's hip height in metres by rhythm and shape, and its standard deviation."""
    shape = np.log(USUAL_HIP_HEIGHT)
    if np.isfinite(animal.trunk) and animal.trunk > 0:
        shape = np.log(SQUARE_HIP_HEIGHT) - SHAPE_POWER * np.log(animal.trunk / SQUARE_TRUNK)
    shape = float(np.clip(shape, np.log(MIN_HIP_HEIGHT), np.log(MAX_HIP_HEIGHT)))
    strides = [(gait, seconds) for gait, seconds in animal.strides if gait in STRIDE_FREQUENCY and seconds > 0]
    if not strides:
        return shape, SHAPE_ERROR
    heights = [GRAVITY * (STRIDE_FREQUENCY[gait] * seconds) ** 2 for gait, seconds in strides]
    rhythm = float(np.median(np.log(np.clip(heights, MIN_HIP_HEIGHT, MAX_HIP_HEIGHT))))
    may_be_slow = rhythm > shape and all(gait in SLOW_GAITS for gait, _ in strides)
    weights = np.array([SLOW_RHYTHM_ERROR if may_be_slow else RHYTHM_ERROR, SHAPE_ERROR]) ** -2.0
    return float(weights @ [rhythm, shape] / weights.sum()), float(weights.sum() ** -0.5)


def _likely_unit(animals: Sequence[Evidence]) -> tuple[float, float]:
    """The logarithm of the metres that a unit is by all animals, and its standard deviation."""
    found = [(*likely_height(animal), animal.hip_height) for animal in animals]
    units = np.array([height - np.log(units) for height, _, units in found])
    weights = np.array([error for _, error, _ in found]) ** -2.0
    alone = float(weights.max() ** -0.5)
    return float(weights @ units / weights.sum()), min(max(float(weights.sum() ** -0.5), MIN_PACK_ERROR), alone)


def _credible(unit: float, animals: Sequence[Evidence]) -> bool:
    return all(MIN_HIP_HEIGHT <= unit * animal.hip_height <= MAX_HIP_HEIGHT for animal in animals)


def _guess(animals: Sequence[Evidence], likely: float, error: float, where: str) -> Scale:
    """The usual unit that fits best; one of its own where none does."""

    def cost(name: str) -> float:
        return abs(float(np.log(UNITS[name])) - likely) / error + (0.0 if name in METRIC else RARE_UNIT_COST)

    name = min((name for name in UNITS if _credible(UNITS[name], animals)), key=cost, default=None)
    evidence = _evidence(animals)
    if name is None or cost(name) > OWN_UNIT_COST:
        heights = np.clip([np.exp(likely) * animal.hip_height for animal in animals], MIN_HIP_HEIGHT, MAX_HIP_HEIGHT)
        unit = float(np.median(heights / [animal.hip_height for animal in animals]))
        return Scale(unit, False, f"a guess by {evidence}{where}")
    return Scale(UNITS[name], False, f"guessed as {name}, which fits {evidence}{where}")


def _evidence(animals: Sequence[Evidence]) -> str:
    """What sizes were judged by, in words."""
    walks = any(gait in STRIDE_FREQUENCY for animal in animals for gait, _ in animal.strides)
    return "strides and shape" if walks else "shape"
