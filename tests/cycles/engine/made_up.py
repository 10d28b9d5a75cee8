"""An animal of boxes with cycles whose numbers are known: a stand, a walk, a trot, and steps aside, back and around."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from canter.anatomy import Character, Transform
from canter.control.batch import BatchCommand
from canter.control.steering import Root
from canter.cycles.engine.cycle import GRID, Cycle
from canter.cycles.engine.frame import Frame
from canter.cycles.engine.laws import make_laws
from canter.cycles.engine.library import Library, make_library
from canter.cycles.engine.strides import StrideTable
from canter.cycles.engine.timing import Timing
from canter.footing.lock import Strain
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from footing.rigs import rig

WALK_PHASES, TROT_PHASES = (0.25, 0.75, 0.0, 0.5), (0.5, 0.0, 0.0, 0.5)
"""Touchdowns of LF, RF, LH and RH after that of LH."""
STAND, WALK, TROT, BACK, LEFT, RIGHT, TURN_LEFT, TURN_RIGHT = range(8)
RIG = rig()


@lru_cache
def character() -> Character:
    return Character("boxes", RIG.skeleton, RIG.anatomy, (), Transform(rot.IDENTITY, 1.0, np.zeros(3)))


def cycle(
    name: str, velocity: tuple[float, float], seconds: float, duty: float, touchdowns: tuple[float, ...]
) -> Cycle:
    """Hips swing the legs back in stance and forth in swing, by as much as the feet sweep on legs of one metre."""
    phase = np.arange(GRID)[:, None] / GRID
    since = (phase - np.array(touchdowns)) % 1.0
    share = np.where(since < duty, 0.5 - since / duty, (since - duty) / max(1 - duty, 1e-9) - 0.5)
    sweep = velocity[1] * seconds * duty if duty < 1 else 0.0
    rotations = np.repeat(RIG.pose[1], GRID, axis=0)
    for k, leg in enumerate(RIG.anatomy.legs):
        rotations[:, leg.hip] = rot.exp(np.arcsin(sweep * share[:, k, None]) * np.array([-1.0, 0.0, 0.0]))
    positions = np.repeat(RIG.pose[0], GRID, axis=0)
    positions[:, 0, 1] += 0.01 * np.sin(4 * np.pi * phase[:, 0])
    swept = np.tile([-velocity[0] * seconds * duty, -velocity[1] * seconds * duty], (4, 1)) * (duty < 1)
    return Cycle(name, name, seconds, np.array(velocity), 0.0, positions, rotations,
                 np.array(touchdowns), np.full(4, duty), swept)  # fmt: skip


@lru_cache
def library() -> Library:
    """Numbered as the constants above."""
    walk, back, aside = (
        cycle(name, v, 1.0, 0.65, WALK_PHASES)
        for name, v in (("walk", (0.0, 0.8)), ("back", (0.0, -0.5)), ("side", (0.3, 0.0)))
    )
    turn = replace(cycle("turn", (0.0, 0.0), 1.0, 0.7, WALK_PHASES), turn=0.5)
    return make_library(
        character(),
        (
            cycle("stand", (0.0, 0.0), 4.0, 1.0, (0.0,) * 4),
            walk,
            cycle("trot", (0.0, 1.8), 0.6, 0.45, TROT_PHASES),
            back,
            aside,
            replace(aside, velocity=-aside.velocity, sweep=-aside.sweep),
            turn,
            replace(turn, turn=-0.5),
        ),
    )


@lru_cache
def strides() -> StrideTable:
    return StrideTable(library(), make_laws(library()))


def timing(count: int = 1, gait: int = STAND) -> Timing:
    """Animals altogether in a cycle."""
    result = Timing(count, len(library().cycles), 4)
    result.target = np.full(count, gait)
    for weights in (result.weights, result.posture_weights):
        weights[:, gait] = 1.0
    return result


def strain(count: int = 1, stray: Floats | float = 0.0) -> Strain:
    return Strain(np.full((count, 4), 0.9), np.zeros((count, 4)), np.broadcast_to(stray, (count, 4)))


def frame(time: Timing, root: Root | None = None, dt: float = 1 / 60) -> Frame:
    root = root or Root(time.count)
    return Frame(
        BatchCommand.still(time.count), dt, strain(time.count), np.ones((time.count, 4), bool), root, time, root
    )
