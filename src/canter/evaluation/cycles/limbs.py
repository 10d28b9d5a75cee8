"""Whether an animal hangs together and stands on the ground: joints stay at their legs, and soles touch the ground.

Many rigs have feet that hang on the root (IK targets as bones) and only look as if they were part of their legs; others
end at the ankle, above the ground. Each animal is taken out for a ride with starts, stops, turns, changes of gait,
backward steps and its actions, over level ground and over hills; and it stands, and its drawn mesh is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from canter.anatomy import Anatomy, Character, understand
from canter.body import estimate_body, make_skin
from canter.body.measures import bind_pose
from canter.control.batch import NO_ACTION, BatchCommand
from canter.control.world import World
from canter.cycles.build.drivable import drivable
from canter.cycles.gaits.batch import BatchGaits
from canter.evaluation.cycles.figures import RATE
from canter.evaluation.report import Row, at_most
from canter.motion import Skeleton
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.kinematics import forward
from canter.pictures.mesh import skinned
from canter.synthetic import synthetic_rig

COUNT = 4
"""Animals that go out together, each at speeds and to sides of its own."""
MAX_TORN = 1.0
"""Per cent of hip height by which a joint may leave the places that it has on its leg in the clips."""
MAX_OFF_GROUND = 1.0
"""Per cent of hip height by which soles may be above or below the ground of a standing animal."""
STAND_SECONDS = 1.0
MADE_UP_SEEDS = (0, 2, 3, 5, 7, 9, 11, 16)
HILL_HEIGHT, HILL_LENGTH = 0.3, 6.0
"""Amplitude and wavelength of the hills, in hip heights."""
MAX_COMPANION_SPREAD, MAX_COMPANION_DISTANCE = 0.03, 0.35
"""A joint outside the legs goes with a leg if its place, seen from a joint of that leg, stays within so many hip
heights in all clips, no farther away than the second."""


@dataclass(frozen=True)
class Carried:
    """A joint that goes with a leg, and the joint of the leg that carries it, whatever their parents are."""

    joint: int
    carrier: int


def limb_rows(title: str, character: Character, built: Character | None = None) -> Iterator[Row]:
    """Of one animal, `built` to be driven: how far a joint of a leg gets from where the leg carries it, and how far the
    soles of its mesh, which is estimated where it has none, are off the ground when it stands."""
    built = drivable(character).character if built is None else built
    skins = character.skins or (make_skin(built.skeleton, replace(estimate_body(built), bends=()), bind_pose(built)),)
    off = soles_off_ground(replace(built, skins=skins))
    yield at_most(f"{title}: soles off the ground, standing", 100 * off, MAX_OFF_GROUND, "% of hip height")
    torn = max(torn_hip_heights(character, *outing(BatchGaits(built, COUNT, world=world))) for world in worlds(built))
    yield at_most(f"{title}: feet off their legs, in any frame", 100 * torn, MAX_TORN, "% of hip height")


def made_up_rows(quick: bool) -> Iterator[Row]:
    """Of made-up animals whose feet hang on the root, and whose legs end above the ground."""
    for mutation in ("detached_feet", "end_at_ankle"):
        for seed in MADE_UP_SEEDS[: 1 if quick else None]:
            rig = synthetic_rig(seed, more_clips=True, backward=False, **{mutation: True})
            words = mutation.replace("_", " ")
            yield from limb_rows(f"made-up {rig.truth.choices['body']} {seed} ({words})", understand(rig.asset))


def worlds(character: Character) -> tuple[World | None, World]:
    """Level ground, and hills for an animal of its size."""
    height = character.anatomy.hip_height
    return None, World.rolling(HILL_HEIGHT * height, HILL_LENGTH * height)


def outing(batch: BatchGaits) -> tuple[Floats, Floats]:
    """Local positions `(T, N, J, 3)` and rotations `(T, N, J, 4)` of a ride with all that an animal can be told."""
    states = [batch.step(command) for command in _script(batch)]
    return np.stack([state.positions for state in states]), np.stack([state.rotations for state in states])


def _script(batch: BatchGaits) -> Iterator[BatchCommand]:
    """Starts, stops, turns on the way and on the spot, changes of gait, steps back, actions at rest and on the way."""
    count, choice = batch.count, batch.choice
    speeds = np.linspace(1.05 * choice.slowest, 0.98 * choice.fastest, count)
    sides = np.where(np.arange(count) % 2, -1.0, 1.0)
    still, free, none = np.zeros(count), np.full(count, np.nan), np.full(count, NO_ACTION)

    def told(seconds: float, speed: Floats, heading: Floats, facing: Floats, action: Ints) -> Iterator[BatchCommand]:
        for _ in range(round(seconds * RATE)):
            yield BatchCommand.make(speed, heading, facing, action)

    yield from told(0.5, still, still, free, none)
    yield from told(2.5, speeds, still, free, none)
    yield from told(2.0, still, still, free, none)
    yield from told(2.5, speeds[::-1], 1.5 * sides, free, none)
    yield from told(2.0, speeds, 1.5 * sides, free, none)
    yield from told(2.0, still, 1.5 * sides, free, none)
    yield from told(2.0, still, still, -sides, none)
    yield from told(2.0, np.minimum(speeds, 0.9 * batch.limits.back_speed), still + np.pi, still, none)
    actions = len(batch.capabilities.actions)
    for first in range(0, actions, count):
        asked = (first + np.arange(count)) % actions
        yield from told(2.0, still, still, free, none)
        yield from told(3.0, still, still, free, asked)
        yield from told(2.0, speeds, still, free, none)
        yield from told(2.0, speeds, still, free, asked)
    yield from told(2.0, still, still, free, none)


def soles_off_ground(character: Character) -> float:
    """The farthest, in hip heights, that the lowest point of the mesh of a leg is above or below level ground while the
    animal stands."""
    batch = BatchGaits(character)
    states = [batch.step(BatchCommand.still(1)) for _ in range(round(STAND_SECONDS * RATE))]
    world = [x[0] for x in forward(character.skeleton, states[-1].positions, states[-1].rotations)]
    lows = []
    for leg in character.anatomy.legs:
        joints = [j for top in leg.chain for j in character.skeleton.subtree(top)]
        heights = [
            skinned(skin, *world)[(skin.weights * np.isin(skin.joints, joints)).sum(axis=1) > 0.5, 1]
            for skin in character.skins
        ]
        lows += [float(low) for low in [np.concatenate(heights).min(initial=np.inf)] if np.isfinite(low)]
    return max(map(abs, lows), default=0.0) / character.anatomy.hip_height


# What belongs to the legs ------------------------------------------------------------------------


def torn_hip_heights(character: Character, positions: Floats, rotations: Floats) -> float:
    """The farthest, in hip heights, that a joint of a leg gets from its places in the character's own clips.

    Places are seen from the joint that carries it; those in the clips span a box. Poses are local `(..., J, 3)` and
    `(..., J, 4)`.
    """
    skeleton, height = character.skeleton, character.anatomy.hip_height
    own = [(c.motion.position_world.astype(np.float64), c.motion.rotation_world) for c in character.clips]
    places, turns = (np.concatenate(x) for x in zip(*own, strict=True))
    driven = forward(skeleton, positions, rotations)
    worst = 0.0
    for carried in carried_joints(skeleton, character.anatomy, places, turns):
        seen, ridden = seen_from(carried, places, turns), seen_from(carried, *driven)
        outside = np.maximum(np.maximum(seen.min(axis=0) - ridden, ridden - seen.max(axis=0)), 0.0)
        worst = max(worst, float(np.linalg.norm(outside, axis=-1).max()) / height)
    return worst


def carried_joints(skeleton: Skeleton, anatomy: Anatomy, places: Floats, turns: Floats) -> list[Carried]:
    """Joints below the hip of each leg with the one above, and joints that hang elsewhere but go with a leg in the
    poses with world places `(T, J, 3)` and rotations `(T, J, 4)`."""
    chains = [leg.joints[leg.joints.index(leg.hip) :] for leg in anatomy.legs]
    found = [Carried(b, a) for chain in chains for a, b in pairwise(chain)]
    taken: Bools = np.zeros(len(skeleton), bool)
    for chain in chains:
        taken[[j for top in chain for j in skeleton.subtree(top)]] = True
    for joint in range(len(skeleton)):
        if taken[joint] or (skeleton.parents[joint] >= 0 and any(c.joint == skeleton.parents[joint] for c in found)):
            continue
        for chain in chains:
            options = [Carried(joint, carrier) for carrier in chain[1:]]
            spreads = [_spread(option, places, turns) / anatomy.hip_height for option in options]
            best = int(np.argmin(spreads))
            if spreads[best] < MAX_COMPANION_SPREAD and _near(options[best], places, anatomy.hip_height):
                found.append(options[best])
    return found


def seen_from(carried: Carried, places: Floats, turns: Floats) -> Floats:
    """Where a joint is `(..., 3)` as seen from the one that carries it."""
    away = places[..., carried.joint, :] - places[..., carried.carrier, :]
    return rot.rotate(rot.conjugate(turns[..., carried.carrier, :].astype(np.float64)), away)


def _spread(carried: Carried, places: Floats, turns: Floats) -> float:
    return float(np.ptp(seen_from(carried, places, turns), axis=0).max())


def _near(carried: Carried, places: Floats, height: float) -> bool:
    away = np.linalg.norm(places[:, carried.joint] - places[:, carried.carrier], axis=-1)
    return bool(away.max() < MAX_COMPANION_DISTANCE * height)
