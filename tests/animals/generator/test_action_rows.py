"""Action rows: moves of one leg delayed for the other."""

from __future__ import annotations

from canter.animals.generator.action_rows import LegMoves, Step
from canter.animals.generator.waves import points

MOVES = LegMoves(
    steps=(Step(0.1, 0.4, 0.2, height=0.05),), carried="0:0 .5:1", bends={"elbow": "0:0 .3:20", "carpus": ""}
)


def test_delayed_moves_keep_their_values() -> None:
    later = MOVES.later(0.25)
    assert later.steps == (Step(0.35, 0.65, 0.2, height=0.05),)
    assert points(later.carried) == ((0.25, 0.0), (0.75, 1.0))
    assert points(later.bends["elbow"]) == ((0.25, 0.0), (0.55, 20.0))
    assert later.bends["carpus"] == ""


def test_own_steps_replace_the_delayed_ones() -> None:
    own = Step(1.0, 2.0)
    assert MOVES.later(0.25, own).steps == (own,)


def test_delays_add_up() -> None:
    assert MOVES.later(0.25).later(0.5) == MOVES.later(0.75)
