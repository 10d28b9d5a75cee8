"""One answer to "make this drivable", for Python, the command line and the studio alike.

Strides are cut out of a character's clips once, gaits that they do not show are made as a model animal goes, and the
stride law is fitted. What was built before, and an animal that canter ships, is ready as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from canter.anatomy import Character, Clip
from canter.anatomy.lazy import names_of
from canter.anatomy.loose_joints import companions
from canter.animals.animal import Animal
from canter.animals.fitting.fit import Fitted, fit
from canter.animals.generator.gait_rows import READ_AS, GaitRow
from canter.control.registry import load
from canter.cycles.build.built import Built, Drivable, law_of, make_drivable
from canter.cycles.build.cut import Cut, cut, is_short_action, with_hops_as_actions
from canter.cycles.build.rows import MADE, Row, Taken, goes_ahead, make_row
from canter.cycles.build.stand import stand_clips
from canter.cycles.engine.gait_graph import make_choice

MODEL_HIP_HEIGHT = 0.9
"""Metres: an animal whose hips are higher goes like a horse, a lower one like a dog, if it has no gaits of its own."""
MAX_REASONS = 6
"""Skipped clips that an error names."""

Model = Animal | Literal["auto"] | None
Progress = Callable[[int, int], None]
"""Called with the number of steps done and of all."""


def drivable(character: Character, *, model: Model = None, progress: Progress = lambda *_: None) -> Built:
    """The character with the cycles of its gaits; ValueError with the reasons if no clip shows a stride of a gait.

    With an animal as `model`, gaits that the clips do not show are made as that animal goes. With "auto" a character
    without any stride gets all gaits of a shipped animal of its size, and the result has a warning.
    """
    if isinstance(character, Animal) and not isinstance(model, Animal) and _has_gaits(character):
        return Built(character)
    if isinstance(character, Drivable) and character.is_built:
        if not isinstance(model, Animal):
            return Built(character)
        found = Cut(character.rows, ())
    else:
        character = with_hops_as_actions(character)
        found = cut(character)
    if not any(goes_ahead(row.cycle) for row in found.rows):
        if model is None:
            raise ValueError(
                f"{_no_stride(character, found)}; --gaits dog makes gaits for it, canter inspect tells what its feet do"
            )
        if model == "auto":
            model = model_for(character)
            words = f"{_no_stride(character, found)}; its gaits are made like those of the {model.name}"
            return replace(_filled(character, found, model, progress), warnings=(words,))
    return _filled(character, found, model if isinstance(model, Animal) else None, progress)


def _has_gaits(animal: Animal) -> bool:
    """Whether clips of its own table are among its clips: a copy may have others."""
    return bool({row.name for row in animal.rows} & set(names_of(animal.clips)))


def model_for(character: Character) -> Animal:
    """The animal of ours whose gaits suit a character of its size."""
    return model_called("horse" if character.anatomy.hip_height > MODEL_HIP_HEIGHT else "dog")


def model_called(name: str) -> Animal:
    """The animal of that name whose gaits a rig is given."""
    animal = load(name)
    if not isinstance(animal, Animal):
        raise ValueError(f"{name} has no table of gaits")
    return animal


def _no_stride(character: Character, found: Cut) -> str:
    reasons = "; ".join(f"{name}: {why}" for name, why in found.skipped[:MAX_REASONS]) or "there are no clips"
    return f"{character.name}: no stride of a gait was found ({reasons})"


def _filled(character: Character, found: Cut, model: Animal | None, progress: Progress) -> Built:
    """What was found, filled up with gaits of the `model`, and the character's short actions beside it."""
    steps = 1 + (len(model.rows) if model else 0)
    progress(1, steps)
    rows = list(found.rows)
    if model is not None:
        rows += _made(character, rows, model, lambda done: progress(1 + done, steps))
        rows.sort(key=lambda row: row.cycle.speed)
    names = {row.taken.clip.name for row in rows}
    actions = [clip for clip in character.clips if is_short_action(clip) and clip.name not in names]
    clips = (*(row.taken.clip for row in rows), *actions)
    law = law_of([row.cycle for row in rows], character.anatomy.hip_height)
    kept = {clip.name for clip in actions}
    skipped = tuple((name, why) for name, why in found.skipped if name not in kept)
    return Built(make_drivable(character, with_speeds(rows), law, clips), skipped)


def _made(character: Character, rows: Sequence[Row], model: Animal, progress: Callable[[int], None]) -> list[Row]:
    """Strides of the gaits of a model that the character does not show itself, and a stand if it has none."""
    own = {row.taken.clip.footfalls.gait for row in rows}
    made: list[Taken] = []
    for done, row in enumerate(model.rows, start=1):
        if READ_AS.get(row.name, row.name) not in own:
            made.append(_taken(fit(character, [row], model.standing)[0], row, model))
        progress(done)
    if "stand" not in own:
        strides = [*(row.taken.clip for row in rows), *(one.clip for one in made)]
        made += [
            Taken(clip, source, (0, len(clip.motion) - 1), gap, 0.0, how)
            for clip, source, gap, how in stand_clips(character, strides)
        ]
    names, loose = {row.taken.clip.name for row in rows}, companions(character)
    return [make_row(character, one, loose) for one in made if one.clip.name not in names]


def _taken(fitted: Fitted, row: GaitRow, model: Animal) -> Taken:
    footfalls = replace(fitted.clip.footfalls, gait=READ_AS.get(row.name, row.name))
    motion = replace(fitted.clip.motion, name=row.name)
    return Taken(Clip(motion, footfalls), f"the {model.name}'s table", (0, len(motion) - 1), 0.0, 0.0, MADE)


def with_speeds(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows with the range of speeds at which the preset `gaits` takes each gait that goes ahead."""
    cycles = [row.cycle for row in rows]
    if not any(goes_ahead(cycle) for cycle in cycles):
        return tuple(rows)
    ranges = make_choice(cycles, [cycle.name for cycle in cycles], {}).ranges
    speeds = {cycles[k].name: span for k, span in ranges.items()}
    return tuple(replace(row, speeds=speeds.get(row.cycle.name)) for row in rows)
