"""Strides from contacts, and the name of the gait by Hildebrand's phase and duty factor.

Hildebrand (1989, "The quadrupedal gaits of vertebrates"): symmetrical gaits are classified by duty factor and LP, the
fraction of a stride by which a forefoot follows the hind foot of its side. Where diagonal feet step together but stay
down as long as in a walk, he speaks of a walking trot: a walk here. The cut-offs are conventions, so a gait near a
border is given with a runner-up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from canter.anatomy.contacts import FineContacts, runs
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.constants import GRAVITY

MIN_CANTER_FROUDE, MAX_CANTER_FROUDE, MIN_RACK_FROUDE = 0.4, 5.0, 0.35
"""Asymmetrical strides below the first are not a gait, a three-beat gait beyond the second is a gallop, a symmetrical
gait below the third is a walk."""
MAX_TROT_DUTY, MIN_WALK_DUTY = 0.58, 0.5
"""Where diagonal feet step together, it is a walk above the first duty factor: trots have up to 0.50, and contacts are
found some 0.06 too long. Between both it may be one."""
MIN_TROT_FROUDE, USUAL_TROT_FROUDE, MAX_WALK_FROUDE = 0.2, 0.35, 1.0
"""Nobody trots below the first Froude number; quadrupeds begin to at the second. Above the third nobody walks: hips
that vault over the feet would leave the ground."""
PATTERN_ERROR = 0.04
"""By how much phases and duty factors may be off, in strides: gaits within it are runners-up."""
MAX_FLIGHT_SHARE = 0.45
"""Strides with a larger share of time in the air are leaps and not a gait."""


@dataclass(frozen=True)
class Stride:
    """From one touchdown of the left hind (a person's left) to the next; phases and duty in the order of the legs."""

    start: float
    seconds: float
    phases: tuple[float, ...]
    duty: tuple[float, ...]


def find_strides(steps: FineContacts, reference: int, shortest: float, longest: float) -> list[Stride]:
    """Strides in which every foot comes down once. A loop is unrolled, and gives each of its strides once."""
    contacts, periodic = steps.contacts, steps.period is not None
    count = len(contacts)
    if periodic:
        contacts = np.tile(contacts, (4, 1))  # the last stance of the second round may end in the fourth
    downs = [_stances(contacts[:, k]) for k in range(contacts.shape[1])]
    found = []
    for (start, _), (end, _) in pairwise(downs[reference].tolist()):
        if periodic and not count <= start < 2 * count:
            continue
        length = end - start
        if not shortest <= length / steps.rate <= longest:
            continue
        each = [_one_stance(stances, start, length) for stances in downs]
        if all(e is not None for e in each):
            phases = tuple(float(e[0]) for e in each if e)
            found.append(
                Stride((start % count) / steps.rate, length / steps.rate, phases, tuple(e[1] for e in each if e))
            )
    return found


def _stances(down: Bools) -> Ints:
    """Touchdown and lift-off `(N, 2)` of the stances that begin inside the clip."""
    return np.array([(a, b) for a, b in runs(down) if a > 0], int).reshape(-1, 2)


def _one_stance(stances: Ints, start: int, length: int) -> tuple[float, float] | None:
    """Phase and duty of the one stance that begins in this stride, looking a little before and after it."""
    for shift in (0.0, -0.15, 0.15):
        window = start + shift * length, start + (1 + shift) * length
        first, end = np.searchsorted(stances[:, 0], window)
        if end - first == 1:
            touch, lift = (int(x) for x in stances[first])
            return ((touch - start) / length) % 1.0, min((lift - touch) / length, 1.0)
    return None


def circular_mean(phases: Sequence[float] | Floats) -> float:
    return float(np.angle(np.mean(np.exp(2j * np.pi * np.asarray(phases)))) / (2 * np.pi)) % 1.0


def apart(a: float, b: float) -> float:
    """Circular distance of two phases, 0 to 0.5."""
    return abs((a - b + 0.5) % 1.0 - 0.5)


@dataclass(frozen=True)
class FootfallPattern:
    """What gaits are classified by.

    `lag` is LP; gaps are circular distances between touchdowns in strides: of the fore pair, of the hind pair, and from
    the leading hind to the trailing fore. `duty` is the mean over the feet, `speed` is in hip heights a second.
    """

    lag: float
    fore_gap: float
    hind_gap: float
    lead_gap: float
    same_lead: bool
    duty: float
    speed: float
    froude: float
    airborne: float
    """Share of the stride with no foot on the ground."""

    @staticmethod
    def of(phases: Sequence[float], duty: Sequence[float], speed: float, height: float) -> FootfallPattern:
        """From phases and duty in the order LF, RF, LH, RH, speed in m/s and the height of the hips in m."""
        lf, rf, lh, rh = phases
        fore, hind = (rf - lf) % 1.0, (rh - lh) % 1.0
        leading_hind = rh if hind < 0.5 else lh
        trailing_fore = lf if fore < 0.5 else rf
        return FootfallPattern(
            circular_mean([lf - lh, rf - rh]),
            min(fore, 1 - fore),
            min(hind, 1 - hind),
            (trailing_fore - leading_hind + 0.5) % 1.0 - 0.5,
            (fore < 0.5) == (hind < 0.5),
            float(np.mean(duty)),
            speed / height,
            speed**2 / (GRAVITY * height),
            _airborne(phases, duty),
        )


def _airborne(phases: Sequence[float], duty: Sequence[float]) -> float:
    when = np.arange(100)[:, None] / 100
    return float(np.mean(np.all((when - np.asarray(phases)) % 1.0 >= np.asarray(duty), axis=1)))


def name_gait(pattern: FootfallPattern) -> str:
    """The gait of a forward stride; "irregular" where the feet follow no known pattern."""
    uneven = max(0.5 - pattern.fore_gap, 0.5 - pattern.hind_gap)
    if uneven <= 0.135 or (uneven <= 0.2 and min(0.5 - pattern.fore_gap, 0.5 - pattern.hind_gap) < 0.08):
        return _symmetrical(pattern)
    if pattern.airborne > MAX_FLIGHT_SHARE:
        return "irregular"  # a leap
    if pattern.hind_gap < 0.08 and pattern.fore_gap < 0.12:
        return "pronk" if apart(pattern.lag, 0.0) < 0.12 else "bound"
    slow = pattern.froude < MIN_CANTER_FROUDE and pattern.speed < 2.5
    if pattern.duty > 0.6 or slow or min(0.5 - pattern.fore_gap, 0.5 - pattern.hind_gap) < 0.135:
        return "irregular"
    three_beats = abs(pattern.lead_gap) < 0.12
    return "canter" if three_beats and pattern.duty > 0.28 and pattern.froude < MAX_CANTER_FROUDE else "gallop"


def _symmetrical(pattern: FootfallPattern) -> str:
    lag, duty = pattern.lag, pattern.duty
    if lag < 0.10 or lag > 0.90:
        return "pace"
    if 0.43 <= lag <= 0.57 or (0.40 <= lag <= 0.62 and duty < MAX_TROT_DUTY) or (0.33 <= lag < 0.40 and duty < 0.54):
        long_stance = duty > MAX_TROT_DUTY and pattern.froude < MAX_WALK_FROUDE
        return "walk" if long_stance or pattern.froude < MIN_TROT_FROUDE else "trot"
    if duty <= 0.5 and pattern.froude > MIN_RACK_FROUDE:
        return "rack"
    return "amble" if lag < 0.19 else "walk"


def runner_up(pattern: FootfallPattern, name: str) -> str:
    """The gait that small errors in phase and duty would most often give instead; empty well inside a class."""
    votes: dict[str, int] = {}
    for lag, duty, fore, hind in product((-PATTERN_ERROR, 0.0, PATTERN_ERROR), repeat=4):
        moved = FootfallPattern(
            (pattern.lag + lag) % 1.0,
            min(abs(pattern.fore_gap + fore), 0.5),
            min(abs(pattern.hind_gap + hind), 0.5),
            pattern.lead_gap + lag,
            pattern.same_lead,
            pattern.duty + duty,
            pattern.speed,
            pattern.froude,
            pattern.airborne,
        )
        other = name_gait(moved)
        if other not in (name, "irregular"):
            votes[other] = votes.get(other, 0) + 1
    if votes and max(votes.values()) >= 9:
        return max(votes, key=lambda k: votes[k])
    return _other_of_diagonals(pattern, name)


def _other_of_diagonals(pattern: FootfallPattern, name: str) -> str:
    """Trot for a walk and walk for a trot, where duty factor and Froude number disagree which of them it is."""
    if name == "walk" and 0.40 <= pattern.lag <= 0.62 and pattern.duty <= MAX_TROT_DUTY + PATTERN_ERROR:
        return "trot"
    slow = pattern.duty > MIN_WALK_DUTY and pattern.froude < USUAL_TROT_FROUDE
    return "walk" if name == "trot" and slow else ""


def sequence(pattern: FootfallPattern, name: str) -> str:
    """Transverse (horse: both leads on one side) or rotary (dog, cheetah) for canter and gallop."""
    return ("transverse" if pattern.same_lead else "rotary") if name in ("canter", "gallop") else ""
