"""Jumps in the presets `sung` and `huang`: where in which gait they begin and end, by the nearest postures.

How a jump is flown and how its feet are held is as in the preset `gaits`; when it is heeded, from which gait, and how
it is blended with what goes before and comes after is the papers'.
"""

from __future__ import annotations

import numpy as np

from canter.anatomy import Character
from canter.cycles.build.cycle import GRID
from canter.cycles.engine.engine import Crowd
from canter.cycles.engine.library import Library
from canter.cycles.engine.state import mean_phase, wrap
from canter.cycles.gaits.root import Springs
from canter.cycles.gaits.transition import Mixing
from canter.cycles.jumps.jump import Leap, is_leap, make_leap
from canter.cycles.jumps.jumping import Ease, Leaping
from canter.cycles.papers.search import cloud, distances
from canter.motion.arrays import Complexes, Floats, Ints
from canter.motion.kinematics import forward

ALIGNED, PATIENCE = 0.01, 2.0
"""Cycles by which legs may be off the gait's pattern when it takes over again, and strides after which it does."""


def leaps_of(character: Character) -> dict[str, Leap]:
    """The jumps of a character by name."""
    jumps = (action for action in character.actions if is_leap(action, character.anatomy))
    return {action.name: make_leap(character, action) for action in jumps}


def nearest(library: Library, leap: Leap, second: float) -> tuple[int, float]:
    """The gait, and its phase, whose legs are most like those of a jump at a second of its clip."""
    skeleton, legs = library.skeleton, library.character.anatomy.legs
    at = int(leap.phase(second) * GRID)
    places = forward(skeleton, library.positions, library.rotations)[0]
    here = forward(skeleton, leap.cycle.positions[at], leap.cycle.rotations[at])[0]
    off = np.zeros(places.shape[:2])
    for leg in legs:
        joints = list(leg.joints)
        there = cloud(places[:, :, joints]).reshape(-1, 2 * len(joints) - 1, 3)
        off += distances(cloud(here[joints]), there).reshape(off.shape)
    gait, phase = np.unravel_index(int(np.argmin(off)), off.shape)
    return int(gait), float(phase) / GRID


class Upright:
    """A carriage that leaves the poses as they are: in a jump nothing bends into a turn."""

    def hold(self, crowd: Crowd, positions: Floats, rotations: Floats) -> None:
        """Nothing to do."""


class PaperLeap(Leaping):
    """A jump that begins in the gait that it is in and ends in the gait `into`, or in the same if there is none."""

    def __init__(self, engine: Crowd, leap: Leap, turn_rate: float, ease: Ease, into: int | None = None) -> None:
        def choose(current: Ints, wish: Complexes, soon: Floats, turn: Floats, now: Floats) -> Ints:
            return current if into is None else np.full_like(current, into)

        super().__init__(
            engine, (leap,), choose, turn_rate, transition=Mixing(), drive=Springs(), carriage=Upright(), ease=ease
        )

    def step(self, speed: float, heading: float) -> tuple[Floats, Floats]:
        """One frame; another speed is heeded after the jump, when a gait for it can be taken."""
        return super().step(self._carry, heading)

    @property
    def over(self) -> bool:
        """Whether the gait has taken over and the legs keep its pattern."""
        patient = self.at > self.plan.settled + PATIENCE * self._stride
        return super().over and (off_pattern(self.crowd) < ALIGNED or patient)


def leg_phases(crowd: Crowd) -> Floats:
    """At which phase of the gait that it goes in each leg `(L,)` of the first animal is."""
    result: Floats = crowd.phases_of(crowd.herd.clocks)[0, crowd.herd.target[0]]
    return result


def phase_of(crowd: Crowd) -> float:
    """The phase of the gait that the legs of the first animal keep on average."""
    return float(mean_phase(leg_phases(crowd)))


def off_pattern(crowd: Crowd) -> float:
    """Cycles by which a leg or the body of the first animal is off the pattern of its gait, at the most."""
    phases, herd = leg_phases(crowd), crowd.herd
    return float(np.abs(wrap(np.append(phases, herd.body[0, herd.target[0]]) - mean_phase(phases))).max())
