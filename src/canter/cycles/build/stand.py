"""How an animal stands: by its own clips where they show it, else by the middle of the stances of a gait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from canter.anatomy import Character, Clip, Footfalls
from canter.cycles.build.cycle import make_cycle
from canter.cycles.engine.cycle import Cycle
from canter.motion import Motion, close_loop, forward, metrics, solve_leg
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

WIDEST_GAP = 0.1
"""Hip heights by which a stand may miss its first pose and still be closed."""
SECONDS = 2.0
"""How long a stand lasts that is one pose."""
WALKS = 0.5
"""The mean duty factor above which a gait is a walk, and its body about as in standing."""
MIDDLE = (0.35, 0.65)
"""The part of a stance in which a leg is as in standing."""

Stand = tuple[Clip, str, float, str]
"""The clip, which one it was taken from, its gap in centimetres, and what it is in words."""


def stand_clips(character: Character, strides: Sequence[Clip]) -> Iterator[Stand]:
    """All loops that stand; where there is none, the stand that closes best, or one made from closed `strides`."""
    stands = [clip for clip in character.clips if clip.footfalls.gait == "stand" and len(clip.motion) > 3]
    loops = [clip for clip in stands if clip.footfalls.loop]
    if loops:
        yield from ((clip, clip.name, _gap(clip), "the loop as it is") for clip in loops)
        return
    best = min(stands, key=_gap, default=None)
    if best is not None and _gap(best) < 100 * WIDEST_GAP * character.anatomy.hip_height:
        feet = replace(best.footfalls, loop=True)
        yield Clip(close_loop(best.motion, travel=False), feet), best.name, _gap(best), "the clip, its seam closed"
    elif strides:
        usual = _usual(character, [make_cycle(character, clip) for clip in strides])
        yield _from_stances(character, usual), usual.name, 0.0, "one pose, the middle of the stances"


def _usual(character: Character, cycles: Sequence[Cycle]) -> Cycle:
    """The cycle to stand by: the slowest that goes ahead; of many that walk, the one whose body is held most like in
    the others, for the slowest may be a dog that sniffs at the ground."""
    ahead = [cycle for cycle in cycles if cycle.velocity[1] >= 0.5 * cycle.speed] or list(cycles)
    ahead = sorted(ahead, key=lambda cycle: cycle.speed)
    walks = [cycle for cycle in ahead if cycle.duty.mean() > WALKS]
    if len(walks) < 3:
        return ahead[0]
    legs = {joint for leg in character.anatomy.legs for joint in leg.joints}
    body = [joint for joint in range(len(character.skeleton)) if joint not in legs]
    means = np.stack([_mean_turn(cycle.rotations)[body] for cycle in walks])
    apart = [float(rot.difference(means, own[None]).mean(axis=1).sum()) for own in means]
    return walks[int(np.argmin(apart))]


def _gap(clip: Clip) -> float:
    return metrics.loop_closure(clip.motion, travel=False).position


def _from_stances(character: Character, cycle: Cycle) -> Clip:
    """The body as on average over a stride, the legs as in the middle of their stances, every foot on the ground."""
    anatomy, skeleton = character.anatomy, character.skeleton
    positions, rotations = cycle.positions.mean(axis=0), _mean_turn(cycle.rotations)
    feet = forward(skeleton, cycle.positions, cycle.rotations)[0][:, anatomy.feet]
    grid = np.arange(len(feet)) / len(feet)
    places = []
    for k, leg in enumerate(anatomy.legs):
        share = ((grid - cycle.touchdowns[k]) % 1.0) / cycle.duty[k]
        middle = (share > MIDDLE[0]) & (share < MIDDLE[1])
        middle = middle if middle.any() else share < 1.0
        own = list(leg.joints[leg.joints.index(leg.hip) :])
        positions[own], rotations[own] = (
            cycle.positions[middle][:, own].mean(axis=0),
            _mean_turn(cycle.rotations[middle][:, own]),
        )
        places.append(feet[middle, k].mean(axis=0))
    for leg, place in zip(anatomy.legs, _evened(np.stack(places)), strict=True):
        solved = solve_leg(skeleton, positions, rotations, leg.chain, place, foot_rotation="keep_world")
        positions, rotations = solved.positions, solved.rotations
    still = [np.repeat(x[None], 5, axis=0) for x in (positions, rotations)]
    motion = Motion(skeleton, 4 / SECONDS, still[0], still[1], "stand")
    return Clip(motion, Footfalls(np.ones((5, len(anatomy.legs)), bool), "stand", 0.0, True, loop=True))


def _mean_turn(turns: Floats) -> Floats:
    """The mean of rotations `(T, J, 4)` that are not far apart."""
    same = np.where((turns * turns[:1]).sum(axis=-1, keepdims=True) < 0, -turns, turns)
    return rot.unit(same.mean(axis=0))


def _evened(feet: Floats) -> Floats:
    """Feet `(4, 3)` of a pair equally far ahead, aside and high."""
    result = feet.copy()
    for left in (0, 2):
        pair = feet[left : left + 2]
        width = (pair[0, 0] - pair[1, 0]) / 2
        middle = pair[:, 0].mean()
        result[left : left + 2] = pair.mean(axis=0)
        result[left, 0], result[left + 1, 0] = middle + width, middle - width
    return result
