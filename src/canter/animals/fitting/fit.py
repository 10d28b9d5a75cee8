"""Gaits for a rig that has none: rows of a table, scaled by dynamic similarity and fitted to the rig's proportions.

Animals move alike at equal Froude numbers (Alexander and Jayes 1983): lengths scale with the hip height, speeds with
its square root, frequencies with the inverse of that root. What remains are proportions: where the feet stand, how
straight the legs are (`proportions`), how far they reach (`reachable`) and how smoothly they can do it (`refine`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from canter.anatomy import Character, Clip
from canter.anatomy.footfalls import read_footfalls
from canter.animals.fitting.proportions import proportioned
from canter.animals.fitting.puppet import Puppet, follow, make_puppet
from canter.animals.fitting.reachable import MAX_SOLE_DEPTH, cleared, in_stance, reachable
from canter.animals.fitting.refine import ACCEPTED_RATIO, refine, try_row
from canter.animals.fitting.standing_rig import standing_rig
from canter.animals.generator.gait_rows import READ_AS, GaitRow, similar
from canter.animals.generator.standing import Standing
from canter.motion import Motion
from canter.motion.arrays import Floats
from canter.motion.feet import stances


@dataclass(frozen=True, eq=False)
class Fitted:
    """A gait of a rig: the clip, the fitted row that it was generated from, and the puppet with its motion."""

    clip: Clip
    row: GaitRow
    puppet: Puppet
    puppet_motion: Motion

    @property
    def is_recognised(self) -> bool:
        """Whether footfall recognition gives the clip the name of its row."""
        return self.clip.footfalls.gait == READ_AS.get(self.row.name, self.row.name)

    @property
    def foot_error(self) -> float:
        """The farthest in metres that a sole moves while its foot should stand."""
        return float(_foot_errors(self.puppet.standing, self.row, self.puppet_motion).max())


def fit(character: Character, rows: Sequence[GaitRow], model: Standing) -> tuple[Fitted, ...]:
    """A clip for every gait in `rows`, which were made for the animal `model`; the character's clips are not used.

    Each clip is one stride on the character's skeleton, travelling along +Z, its last frame like its first. Raises
    ValueError if the character cannot be given gaits, or the model's are those of sprawling legs.
    """
    if model.sprawls:
        raise ValueError("gaits of sprawling legs fit no other rig; take those of the horse or the dog")
    rig = standing_rig(character)
    puppets = [make_puppet(character, rig, turning) for turning in (False, True)]
    return tuple(_fitted(character, puppets[row.turn != 0], row, model) for row in rows)


def _fitted(character: Character, puppet: Puppet, row: GaitRow, model: Standing) -> Fitted:
    standing = puppet.standing

    def foot_errors(tried: GaitRow, motion: Motion) -> Floats:
        return _foot_errors(standing, tried, motion)

    ours = proportioned(similar(row, model.height, standing.height), puppet, model)
    made = try_row(puppet, ours, foot_errors)
    if made.penalty.max() > ACCEPTED_RATIO or puppet.depths(made.motion).max() > MAX_SOLE_DEPTH * standing.height:
        made = refine(puppet, cleared(puppet, reachable(standing, ours)), foot_errors)
    clip = read_footfalls(follow(puppet, made.motion, character.skeleton, made.row.turn), character.anatomy)
    return Fitted(clip, made.row, puppet, made.motion)


def _foot_errors(animal: Standing, row: GaitRow, motion: Motion) -> Floats:
    """The farthest in metres that the sole of each leg moves while it should stand `(4,)`."""
    found = []
    for leg in range(4):
        toe = motion.position_world[:, animal.anatomy.legs[leg].joints[-1]]
        runs = stances(in_stance(row, len(toe), leg))
        found.append(max(float(np.ptp(toe[first:stop], axis=0).max()) for first, stop in runs))
    return np.array(found)
