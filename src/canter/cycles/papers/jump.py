"""Jumps in the presets `sung` and `huang`: where in which gait they begin and end, by the nearest postures.

How a jump is flown and how its feet are held is as in the preset `gaits`; when it is heeded, from which gait, and how
it is blended with what goes before and comes after is the papers'.
"""

from __future__ import annotations

import numpy as np

from canter.anatomy import Character
from canter.cycles.engine.cycle import GRID
from canter.cycles.engine.library import Library
from canter.cycles.engine.strides import StrideTable, mean_phase, wrap
from canter.cycles.engine.timing import Timing
from canter.cycles.jumps.jump import Jump, is_jump, make_jump
from canter.cycles.papers.search import cloud, distances
from canter.motion.arrays import Floats
from canter.motion.kinematics import forward

MAX_PATTERN_ERROR, PATIENCE_STRIDES = 0.01, 2.0
"""Cycles by which legs may be off the gait's pattern when it takes over again, and strides after which it does."""


def jumps_of(character: Character) -> dict[str, Jump]:
    """The jumps of a character by name."""
    jumps = (action for action in character.actions if is_jump(action, character.anatomy))
    return {action.name: make_jump(character, action) for action in jumps}


def nearest(library: Library, jump: Jump, second: float) -> tuple[int, float]:
    """The cycle, and its phase, whose legs are most like those of a jump at a second of its clip."""
    skeleton, legs = library.skeleton, library.character.anatomy.legs
    share = np.clip((second - jump.start) / (jump.end - jump.start), 0.0, 1.0)
    at = int(share * (GRID - 1) / GRID * GRID)
    places = forward(skeleton, library.positions, library.rotations)[0]
    here = forward(skeleton, jump.cycle.positions[at], jump.cycle.rotations[at])[0]
    off = np.zeros(places.shape[:2])
    for leg in legs:
        joints = list(leg.joints)
        there = cloud(places[:, :, joints]).reshape(-1, 2 * len(joints) - 1, 3)
        off += distances(cloud(here[joints]), there).reshape(off.shape)
    gait, phase = np.unravel_index(int(np.argmin(off)), off.shape)
    return int(gait), float(phase) / GRID


def leg_phases(strides: StrideTable, timing: Timing) -> Floats:
    """At which phase of the cycle that it goes in each leg `(L,)` of the first animal is."""
    result: Floats = strides.phases(timing.clocks)[0, timing.target[0]]
    return result


def phase_of(strides: StrideTable, timing: Timing) -> float:
    """The phase of the cycle that the legs of the first animal keep on average."""
    return float(mean_phase(leg_phases(strides, timing)))


def pattern_error(strides: StrideTable, timing: Timing) -> float:
    """Cycles by which a leg or the body of the first animal is off the pattern of its gait at most."""
    phases = leg_phases(strides, timing)
    every = np.append(phases, timing.body_phases[0, timing.target[0]])
    return float(np.abs(wrap(every - mean_phase(phases))).max())
