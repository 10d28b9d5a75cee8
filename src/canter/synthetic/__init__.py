"""Synthetic animals with ground truth: random rigs that walk, to test whatever detects anatomy and gaits.

`synthetic_rig(seed)` draws an animal, its gaits, and then everything that real files do to it: axes, units, names,
helper bones, detached feet. It shares no code with the detector that it examines.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from canter.anatomy.canonical import understand
from canter.anatomy.character import Character
from canter.motion import Asset
from canter.synthetic.dice import Dice
from canter.synthetic.draft import Take, build
from canter.synthetic.gaits import Stride, Track
from canter.synthetic.mutations import MUTATIONS, ears, mutate
from canter.synthetic.other_rigs import synthetic_other, synthetic_person
from canter.synthetic.proportions import BODIES, Animal, draw_animal, draw_tail
from canter.synthetic.rig_file import ClipTruth, SyntheticRig, Truth, finish
from canter.synthetic.takes import draw_takes
from canter.synthetic.traps import TRAPS

__all__ = [
    "MUTATIONS",
    "REGRESSION_SEEDS",
    "TRAPS",
    "ClipTruth",
    "SyntheticRig",
    "Truth",
    "example_animal",
    "example_character",
    "synthetic_other",
    "synthetic_person",
    "synthetic_rig",
]

REGRESSION_SEEDS = range(200)


def synthetic_rig(seed: int, **overrides: Any) -> SyntheticRig:
    """The rig of that seed: a quadruped, unless `kind="biped"` or `kind="other"` asks for something else.

    `overrides` decide what would be drawn: `body`, `gait`, `clip`, `frame_rate`, `axes`, `units`, `names` and `root` by
    name, and by True or False any of `MUTATIONS` and `TRAPS` and the likes of `noise`, `any_yaw` or `more_clips`.
    `plain=True` leaves out every mutation that is not asked for.
    """
    kind = overrides.pop("kind", "quadruped")
    if kind != "quadruped":
        return {"biped": synthetic_person, "other": synthetic_other}[kind](seed, **overrides)
    if overrides.pop("plain", False):
        overrides = PLAIN | overrides
    dice = Dice(seed, overrides)
    animal = draw_animal(dice.stream("animal"), dice.pick("body", {kind: row.share for kind, row in BODIES.items()}))
    animal = draw_tail(dice, animal)
    draft = build(animal, draw_takes(dice, animal))
    mutate(draft, dice, MUTATIONS | TRAPS)
    rig = finish(draft, dice)
    dice.check()
    return rig


PLAIN: dict[str, Any] = dict.fromkeys(MUTATIONS | TRAPS, False) | {
    "axes": "y up, z forward",
    "units": "metres",
    "names": "clear",
    "root": "pelvis",
    "clip_names": "gait",
    **dict.fromkeys(("any_yaw", "shuffled", "rest_turns", "noise", "end_sites", "tail_drags", "tail_hangs"), False),
    **dict.fromkeys(
        ("bind_first", "still", "more_clips", "backward", "unclosed", "idle_first", "diagonal_walk"), False
    ),
}


EXAMPLE = Animal(
    kind="dog",
    hip=0.46,
    trunk=0.56,
    width=0.15,
    rise=0.49,
    neck=0.27,
    neck_angle=float(np.radians(42)),
    head=0.19,
    tail=0.36,
    tail_angle=float(np.radians(-22)),
    crouch=1.055,
    pastern=0.06,
    flat=1.15,
    step=1.0,
    splay=0.75,
    sprawl=False,
    bend=0.08,
    spine_bones=4,
    neck_bones=2,
    tail_bones=4,
    scapula=True,
    cannon=True,
    sole=0.0,
)
EXAMPLE_STRIDES = (
    #      gait   style seconds  m/s  duty  LF   RF   LH   RH     lift  bob   pitch rock bend nod  wag
    Stride("walk", "", 0.90, 0.72, 0.64, (0.25, 0.75, 0.0, 0.5), 0.065, 0.008, 0.025, 2, 0.08, 0.05, 0.25),
    Stride("trot", "", 0.60, 1.60, 0.46, (0.48, 0.98, 0.0, 0.5), 0.085, 0.018, 0.012, 2, 0.06, 0.03, 0.20),
    Stride("canter", "transverse", 0.50, 2.90, 0.33, (0.22, 0.48, 0.0, 0.20), 0.13, 0.030, 0.10, 1, 0.02, 0.09, 0.20),
)


def example_animal(strides: int = 4, frame_rate: float = 60.0) -> Asset:
    """A clean dog that walks, trots and canters straight ahead for whole strides: metres, +Y up, +Z forward."""
    takes = []
    for stride in EXAMPLE_STRIDES:
        clock = np.arange(round(strides * stride.seconds * frame_rate) + 1) / frame_rate
        takes.append(Take(stride.gait, stride, Track(stride.speed), frame_rate, clock))
    draft = build(EXAMPLE, takes)
    ears(draft, np.random.default_rng(0))
    rig = finish(draft, Dice(0, {**PLAIN, "end_sites": False}))
    return replace(rig.asset, source="example", metres_per_unit=1.0)


def example_character() -> Character:
    """The example as a Character, which the registry knows as "example"."""
    return understand(example_animal())
