"""Made-up animals with a known truth: random rigs that walk, to examine whatever tries to understand rigs.

`synthetic_rig(seed)` draws an animal, its gaits, and then everything that real files do to it: axes, units, names,
helper bones, detached feet. It shares no code with the detector that it examines.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from canter.anatomy.synthetic_bodies import BODIES, draw_animal
from canter.anatomy.synthetic_draft import Dice, build
from canter.anatomy.synthetic_file import ClipTruth, SyntheticRig, Truth, finish
from canter.anatomy.synthetic_mutations import MUTATIONS, mutate
from canter.anatomy.synthetic_takes import draw_takes

__all__ = ["MUTATIONS", "REGRESSION_SEEDS", "ClipTruth", "SyntheticRig", "Truth", "synthetic_rig"]

REGRESSION_SEEDS = range(200)
TAIL_DRAGS = 0.04
"""Probability of a tail that hangs lower than the feet."""


def synthetic_rig(seed: int, **overrides: Any) -> SyntheticRig:
    """The quadruped of that seed.

    `overrides` decide what would be drawn: `body`, `gait`, `clip`, `frame_rate`, `axes`, `units`, `names` and `root` by
    name, and by True or False any of `MUTATIONS` and the likes of `noise`, `any_yaw`, `bind_first` or `more_clips`.
    `plain=True` leaves out every mutation that is not asked for.
    """
    if overrides.pop("plain", False):
        overrides = PLAIN | overrides
    dice = Dice(seed, overrides)
    animal = draw_animal(dice.stream("animal"), dice.pick("body", {kind: row.share for kind, row in BODIES.items()}))
    if dice.chance("tail_drags", TAIL_DRAGS):
        animal = replace(animal, tail=1.3 * animal.hip, tail_angle=float(np.radians(-80)), tail_bones=5)
    draft = build(animal, draw_takes(dice, animal))
    mutate(draft, dice)
    rig = finish(draft, dice)
    dice.check()
    return rig


PLAIN: dict[str, Any] = dict.fromkeys(MUTATIONS, False) | {
    "axes": "y up, z forward",
    "units": "metres",
    "names": "clear",
    "root": "pelvis",
    **dict.fromkeys(("any_yaw", "shuffled", "rest_turns", "noise", "end_sites", "tail_drags"), False),
    **dict.fromkeys(("bind_first", "still", "more_clips", "backward", "unclosed"), False),
}
