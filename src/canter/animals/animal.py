"""The animals that canter ships: Characters that generate cycles of their gaits at any speed inside their ranges."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from importlib import import_module
from typing import Self, TypeVar

import numpy as np

from canter.anatomy import Action, Clip, Footfalls, Transform
from canter.anatomy.character import Character, scaled_motion
from canter.anatomy.footfalls import read_footfalls
from canter.anatomy.lazy import LazySequence
from canter.animals.generator.action_rows import ActionRow
from canter.animals.generator.actions import generate_action
from canter.animals.generator.gait_rows import GaitRow, at_speed, similar
from canter.animals.generator.gaits import generate
from canter.animals.generator.plan import Plan, stand
from canter.animals.generator.stand_loop import generate_stand
from canter.animals.generator.standing import Standing
from canter.animals.skins import load_skin
from canter.body.parts import Body
from canter.motion import Motion, Skeleton
from canter.motion import rotations as rot
from canter.motion.edits import transform_skeleton

FRAME_RATE = 60.0
A = TypeVar("A", bound="Animal")


@dataclass(frozen=True, eq=False)
class Animal(Character):
    """A Character with the gait and action rows that its clips are generated from.

    `size` is its size relative to its plan; `standing` and `rows` are already scaled. Motion is generated at the size
    of the plan and then scaled in space and time, so that springs, breath and lags scale too and footfall recognition
    works equally well at any size.
    """

    standing: Standing = field(kw_only=True)
    rows: tuple[GaitRow, ...] = field(kw_only=True)
    action_rows: tuple[ActionRow, ...] = field(kw_only=True, default=())
    size: float = field(kw_only=True, default=1.0)

    def row(self, gait: str) -> GaitRow:
        """The row of a gait; KeyError with the gaits there are if it has none of that name."""
        for row in self.rows:
            if row.name == gait:
                return row
        raise KeyError(f"the {self.name} has no gait {gait!r}; there are {', '.join(r.name for r in self.rows)}")

    def cycle(
        self,
        gait: str,
        speed: float | None = None,
        frame_rate: float = FRAME_RATE,
        strides: int = 1,
        seed: int | None = None,
    ) -> Motion:
        """Strides of a gait at a speed in m/s; the last frame repeats the first, moved by the travel of the strides.

        With a `seed` the strides differ a little, as a living animal's do; the whole is still an exact loop.
        """
        row = self.row(gait)
        if speed is not None and not row.speeds[0] <= speed <= row.speeds[1]:
            low, high = row.speeds
            raise ValueError(f"the {self.name}'s {gait} goes from {low:g} to {high:g} m/s, not at {speed:g}")
        return self._cycle(row if speed is None else at_speed(row, speed), frame_rate, strides, seed)

    @property
    def body(self) -> Body:
        """The table of parts that its skin is made from, for its skeleton in the rest pose."""
        tables: Body = import_module(f"canter.animals.{self.name}.body").BODY
        return replace(tables, unit=tables.unit * self.size)

    def stand(self, frame_rate: float = FRAME_RATE) -> Motion:
        """A loop of standing, with breathing, weight shifts and head movement."""
        return scaled_motion(
            generate_stand(self._plan_standing, frame_rate=frame_rate * self._time_scale), self.size, self.skeleton
        )

    def scaled(self, size: float) -> Self:
        """The same animal `size` times as large, moving at the same Froude numbers (see `Character.scaled`)."""
        larger = super().scaled(size)
        if larger is self:
            return self
        standing = _scaled_standing(self.standing, larger.skeleton, size)
        rows = tuple(similar(row, 1.0, size) for row in self.rows)
        larger = replace(larger, standing=standing, rows=rows, size=self.size * size)
        return with_clips(larger) if isinstance(self.clips, LazySequence) else larger

    @property
    def _time_scale(self) -> float:
        """How many times as long its motion takes as that of the plan's size."""
        return math.sqrt(self.size)

    @cached_property
    def _plan_standing(self) -> Standing:
        """The standing pose at the size of the plan."""
        if self.size == 1:
            return self.standing
        skeleton = transform_skeleton(self.skeleton, scale=1 / self.size)
        return _scaled_standing(self.standing, skeleton, 1 / self.size)

    def _cycle(self, row: GaitRow, frame_rate: float, strides: int = 1, seed: int | None = None) -> Motion:
        made = generate(self._plan_standing, similar(row, self.size, 1.0), frame_rate * self._time_scale, strides, seed)
        return scaled_motion(made, self.size, self.skeleton)

    def _clip(self, motion: Motion) -> Clip:
        """The clip of a motion, with its footfalls recognised at the size of the plan."""
        if self.size == 1:
            return read_footfalls(motion, self.anatomy)
        planned = scaled_motion(motion, 1 / self.size, self._plan_standing.skeleton)
        clip = read_footfalls(planned, self._plan_standing.anatomy)
        return clip.scaled(self.size, self.skeleton, self.anatomy)

    def _action(self, row: ActionRow) -> Action:
        return generate_action(self._plan_standing, row, FRAME_RATE * self._time_scale).scaled(self.size, self.skeleton)


def with_clips(animal: A) -> A:
    """The animal with clips of standing, all gaits at their usual speed and all actions, generated on first use."""
    actions = LazySequence({row.name: partial(animal._action, row) for row in animal.action_rows})

    def stand_clip() -> Clip:
        motion = animal.stand()
        down = np.ones((len(motion), len(animal.anatomy.legs)), bool)
        return Clip(motion, Footfalls(down, "stand", 0.0, in_place=True, skating_cm=0.0, loop=True))

    def gait_clip(row: GaitRow) -> Clip:
        return animal._clip(animal._cycle(row, FRAME_RATE))

    def action_clip(number: int) -> Clip:
        return actions[number].clip(animal.anatomy)

    makers: dict[str, Callable[[], Clip]] = {
        "stand": stand_clip,
        **{row.name: partial(gait_clip, row) for row in animal.rows},
    }
    makers |= {name: partial(action_clip, number) for number, name in enumerate(actions.names)}
    return replace(animal, clips=LazySequence(makers), actions=actions)


def _scaled_standing(standing: Standing, skeleton: Skeleton, size: float) -> Standing:
    """The standing pose of an animal `size` times as large, on its scaled `skeleton`."""
    places, anatomy = standing.places * size, standing.anatomy.scaled(size)
    return replace(standing, skeleton=skeleton, places=places, anatomy=anatomy)


def make_animal(plan: Plan, rows: tuple[GaitRow, ...], action_rows: tuple[ActionRow, ...] = ()) -> Animal:
    """The animal of a plan, with its shipped skin if there is one (see `canter.animals.skins`).

    Raises ValueError for a row that bends a joint which the legs do not have.
    """
    standing = stand(plan)
    for row in rows:
        for leg, roles in ((row.fore, plan.fore_roles), (row.hind, plan.hind_roles)):
            if unknown := sorted(set(leg.bends) - set(roles)):
                raise ValueError(
                    f"{plan.name} {row.name}: no {', '.join(unknown)} to bend; there are {', '.join(roles)}"
                )
    here = Transform(rot.IDENTITY, 1.0, np.zeros(3), True, "metres")
    skins = load_skin(plan.name, standing.skeleton)
    skeleton, anatomy = standing.skeleton, standing.anatomy
    return with_clips(
        Animal(plan.name, skeleton, anatomy, (), here, skins, standing=standing, rows=rows, action_rows=action_rows)
    )


def horse() -> Animal:
    """A riding horse, 1.60 m at the withers."""
    from canter.animals.horse.actions import ACTIONS
    from canter.animals.horse.gaits import GAITS
    from canter.animals.horse.skeleton import HORSE

    return make_animal(HORSE, GAITS, ACTIONS)


def dog() -> Animal:
    """A shepherd dog, 0.60 m at the withers."""
    from canter.animals.dog.actions import ACTIONS
    from canter.animals.dog.gaits import GAITS
    from canter.animals.dog.skeleton import DOG

    return make_animal(DOG, GAITS, ACTIONS)


def turtle() -> Animal:
    """A land tortoise with a shell of 0.58 m, hips at 0.20 m."""
    from canter.animals.turtle.gaits import GAITS
    from canter.animals.turtle.skeleton import TURTLE

    return make_animal(TURTLE, GAITS)
