"""An animal of canter's own: a Character that also makes cycles of its gaits at any speed inside their ranges."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from canter.anatomy import Character, Transform
from canter.anatomy.footfalls import read_footfalls
from canter.animals.action_rows import ActionRow
from canter.animals.actions import Action, generate_action
from canter.animals.build import Plan, stand
from canter.animals.generate import generate
from canter.animals.rows import GaitRow
from canter.animals.skins import load_skin
from canter.animals.standing import Standing
from canter.animals.still import generate_stand
from canter.motion import Motion
from canter.motion import rotations as rot


@dataclass(frozen=True, eq=False)
class Animal(Character):
    """A Character with the rows that its gaits were made from, and its actions."""

    standing: Standing = field(kw_only=True)
    rows: tuple[GaitRow, ...] = field(kw_only=True)
    actions: tuple[Action, ...] = field(kw_only=True, default=())

    def row(self, gait: str) -> GaitRow:
        for row in self.rows:
            if row.name == gait:
                return row
        raise KeyError(f"the {self.name} has no gait {gait!r}; there are {', '.join(r.name for r in self.rows)}")

    def action(self, name: str) -> Action:
        for action in self.actions:
            if action.name == name:
                return action
        known = ", ".join(action.name for action in self.actions) or "none"
        raise KeyError(f"the {self.name} has no action {name!r}; there are {known}")

    def cycle(
        self,
        gait: str,
        speed: float | None = None,
        frame_rate: float = 60.0,
        strides: int = 1,
        seed: int | None = None,
    ) -> Motion:
        """Strides of a gait at a speed in m/s; the last frame repeats the first, so much further on.

        With a `seed` the strides differ a little, as a living animal's do; the whole still closes exactly.
        """
        row = self.row(gait)
        if speed is not None and not row.speeds[0] <= speed <= row.speeds[1]:
            low, high = row.speeds
            raise ValueError(f"the {self.name}'s {gait} goes from {low:g} to {high:g} m/s, not at {speed:g}")
        return generate(self.standing, row if speed is None else at_speed(row, speed), frame_rate, strides, seed)


def at_speed(row: GaitRow, speed: float) -> GaitRow:
    """The row at another speed: strides quicken and contacts shorten by its laws, while swing keeps about its time.

    So it is with captured dogs and horses alike. Lift grows a little with speed, and the trunk sinks as far as legs
    that stand further apart need.
    """
    if speed == row.speed:
        return row
    ratio = speed / row.speed
    quicker, shorter = ratio**row.frequency_exponent, ratio**row.contact_exponent
    fore, hind = (
        replace(
            leg,
            duty=float(np.clip(leg.duty * quicker * shorter, 0.15, 0.85)),
            lift=tuple((at, value * ratio**0.3) for at, value in leg.lift),
        )
        for leg in (row.fore, row.hind)
    )
    drop = row.drop * (ratio * shorter) ** 2
    return replace(row, speed=speed, frequency=row.frequency * quicker, fore=fore, hind=hind, drop=drop)


def make_animal(plan: Plan, rows: tuple[GaitRow, ...], action_rows: tuple[ActionRow, ...] = ()) -> Animal:
    """The animal of a plan with a cycle of every gait at its usual speed, and its actions."""
    standing = stand(plan)
    skeleton, anatomy = standing.skeleton, standing.anatomy
    cycles = [generate_stand(standing), *(generate(standing, row) for row in rows)]
    actions = tuple(generate_action(standing, row) for row in action_rows)
    clips = (*(read_footfalls(motion, anatomy) for motion in cycles), *(action.clip(anatomy) for action in actions))
    here = Transform(rot.IDENTITY, 1.0, np.zeros(3), True, "metres")
    skins = load_skin(plan.name, skeleton)
    return Animal(plan.name, skeleton, anatomy, clips, here, skins, standing=standing, rows=rows, actions=actions)


def horse() -> Animal:
    """A riding horse, 1.60 m at the withers."""
    from canter.animals.horse import HORSE
    from canter.animals.horse_actions import ACTIONS
    from canter.animals.horse_gaits import GAITS

    return make_animal(HORSE, GAITS, ACTIONS)


def dog() -> Animal:
    """A shepherd dog, 0.60 m at the withers."""
    from canter.animals.dog import DOG
    from canter.animals.dog_actions import ACTIONS
    from canter.animals.dog_gaits import GAITS

    return make_animal(DOG, GAITS, ACTIONS)


def turtle() -> Animal:
    """A land tortoise with a shell of 0.58 m, hips at 0.20 m."""
    from canter.animals.turtle import TURTLE
    from canter.animals.turtle_gaits import GAITS

    return make_animal(TURTLE, GAITS)
