"""Made-up animals of strangers: more kinds of bodies, hand-keyed clips, and what packs do to rigs (`habits`).

Kept apart from `synthetic_rig`, whose seeds are the regression set of many tests: the animals here were made up after
the detector was, and show how well it does on what it was not written for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from canter.synthetic import habits
from canter.synthetic.dice import Dice
from canter.synthetic.draft import build
from canter.synthetic.habits import HABITS
from canter.synthetic.mutations import MUTATIONS, mutate
from canter.synthetic.proportions import BODIES, draw_animal, draw_tail
from canter.synthetic.rig_file import SyntheticRig, finish
from canter.synthetic.takes import KEYED_CLIPS, draw_takes
from canter.synthetic.traps import TRAPS

USUAL_BODIES = 0.3
"""The share of strangers with the body of a usual synthetic animal."""
KEYED, MANY_TAIL_BONES, LAME, ROLLS, FALLS, HAND_KEYED, BIND_FRAMES = 0.3, 0.1, 0.1, 0.1, 0.1, 0.15, 0.1
"""Probabilities of short clips as they are keyed by hand, tails of ten to twenty bones, a leg that is held up, a clip
that rolls over, one that falls, poses between keys that were interpolated, and bind poses of several frames."""
MIN_ROLLING_FRAMES = 60
"""Clips of so many frames may roll over between steps; else there is one more clip that does."""


def synthetic_stranger(seed: int, **overrides: Any) -> SyntheticRig:
    """The stranger of that seed; `overrides` decide what would be drawn, as in `synthetic_rig`."""
    dice = Dice(seed, overrides)
    usual = {kind: USUAL_BODIES * row.share for kind, row in BODIES.items() if row.share}
    rare = [kind for kind, row in BODIES.items() if not row.share]
    kind = dice.pick("body", usual | dict.fromkeys(rare, (1 - USUAL_BODIES) / len(rare)))
    animal = draw_tail(dice, draw_animal(dice.stream("animal"), kind))
    if dice.chance("many_tail_bones", MANY_TAIL_BONES):
        animal = replace(animal, tail_bones=int(dice.stream("tail bones").integers(10, 20)))
    if dice.chance("keyed", KEYED):
        dice.overrides.setdefault("clip", dice.pick("keyed clip", KEYED_CLIPS))
    takes = draw_takes(dice, animal)
    if dice.chance("lame", LAME):
        habits.lame(takes, dice.stream("lame leg"))
    rolls, falls = dice.chance("rolls", ROLLS), dice.chance("falls", FALLS)
    rolling = next((k for k, t in enumerate(takes) if len(t.clock) >= MIN_ROLLING_FRAMES and not t.in_place), None)
    if rolls and rolling is None:
        rolling = len(takes)
        habits.more_clip(takes, "roll")
    if falls:
        habits.more_clip(takes, "fall")
    draft = build(animal, takes)
    if rolls and rolling is not None:
        habits.rolls_over(draft, rolling, dice.stream("roll"))
    if falls:
        habits.falls(draft, len(takes) - 1, dice.stream("fall"))
    mutate(draft, dice, MUTATIONS | TRAPS | HABITS)
    rig = finish(draft, dice)
    for name, probability in (("hand_keyed", HAND_KEYED), ("bind_frames", BIND_FRAMES)):
        if dice.chance(name, probability):
            change = getattr(habits, name)
            rig = replace(rig, asset=change(rig.asset, dice.stream(f"clips {name}")))
    dice.check()
    return rig


CHOICES = ("keyed", "many_tail_bones", "lame", "rolls", "falls", "hand_keyed", "bind_frames")
"""Habits that are drawn, and not mutations."""


def habits_of(rig: SyntheticRig) -> list[str]:
    """The habits of a stranger by name, its body first."""
    drawn = [name for name in CHOICES if rig.truth.choices.get(name) == "True"]
    return [rig.truth.choices["body"], *drawn, *(name for name in rig.truth.mutations if name in HABITS)]
