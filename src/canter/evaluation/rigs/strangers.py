"""Rows on made-up animals of strangers: bodies, clips and habits of packs that the usual synthetic rigs do not have."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from canter.anatomy import Anatomy, Character, detect, understand
from canter.evaluation import Options
from canter.evaluation.report import Row, at_least
from canter.synthetic import SyntheticRig
from canter.synthetic.stranger import habits_of, synthetic_stranger

STRANGER_SEEDS = range(2000, 2300)
QUICK_STRANGERS = 20
UNREADABLE = ("lame", "rolls")
"""Habits of clips whose gait is not what was made up."""


def stranger_rows(options: Options, agrees: Callable[[Anatomy, SyntheticRig], bool]) -> Iterator[Row]:
    """The rows of all strangers; `agrees` says whether what was found is the truth."""
    right: list[bool] = []
    gaits: list[bool] = []
    habits: dict[str, list[bool]] = {}
    for seed in STRANGER_SEEDS[:QUICK_STRANGERS] if options.quick else STRANGER_SEEDS:
        options.progress(f"stranger {seed}")
        rig = synthetic_stranger(seed)
        found = detect(rig.asset)
        right.append(agrees(found, rig))
        for habit in habits_of(rig):
            habits.setdefault(habit, []).append(right[-1])
        if right[-1] and not set(UNREADABLE) & set(habits_of(rig)):
            gaits += gaits_named(understand(rig.asset, found), rig)
    yield at_least(
        "strangers: legs, order and facing", 100 * float(np.mean(right)), 97 if not options.quick else 90, "%"
    )
    yield at_least("strangers: gait, or runner-up", 100 * float(np.mean(gaits)), 90, "%")
    for habit in () if options.quick else sorted(habits):
        name = f"strangers with {habit}: legs, order and facing, right of {len(habits[habit])}"
        yield Row(name, 100 * float(np.mean(habits[habit])), "%")


def gaits_named(character: Character, rig: SyntheticRig) -> list[bool]:
    """For every clip that moves, whether its gait or runner-up is the true one."""
    pairs = zip(character.clips, rig.truth.clips, strict=True)
    return [truth.gait in (c.footfalls.gait, c.footfalls.runner_up) for c, truth in pairs if truth.gait != "stand"]
