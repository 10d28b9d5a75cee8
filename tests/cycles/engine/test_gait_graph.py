"""Which gait suits what is wished: by speed with hysteresis, by direction, on the spot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from canter.cycles.engine.gait_graph import AHEAD, HYSTERESIS, RESTS, make_choice, make_graph

from .made_up import BACK, LEFT, RIGHT, STAND, TROT, TURN_LEFT, TURN_RIGHT, WALK, library

NAMES = ("stand", "walk", "trot", "back", "side", "side 2", "turn", "turn 2")
CHOICE = make_choice(library().cycles, NAMES, {})
GRAPH = make_graph([(0.0, 1.0), (1.0, 2.0), (2.0, 4.0)])


def choose(wish: complex, *, now: float = 1.0, turn: float = 0.0, current: int = WALK) -> int:
    one = np.ones(1)
    return int(CHOICE.choose(np.array([current]), np.array([wish]), one * abs(wish), one * turn, one * now)[0])


@given(st.floats(0.01, 10.0), st.integers(0, 2))
def test_a_gait_is_kept_a_little_beyond_its_border(speed: float, current: int) -> None:
    chosen = int(GRAPH.gait_for(np.array([speed]), np.array([current]))[0])
    low, high = [0.0, 1.0, 2.0][current], [1.0, 2.0, np.inf][current]
    if low * (1 - HYSTERESIS) < speed < high * (1 + HYSTERESIS):
        assert chosen == current
    else:
        assert chosen == int(GRAPH.gait_for(np.array([speed]), np.array([-1]))[0])


def test_from_nothing_the_speed_alone_decides() -> None:
    assert GRAPH.gait_for(np.array([0.5, 1.5, 3.0]), np.full(3, -1)).tolist() == [0, 1, 2]


def test_the_gaits_that_go_ahead_are_ordered_by_speed() -> None:
    assert CHOICE.ahead == (WALK, TROT)
    assert CHOICE.ranges[WALK][1] == CHOICE.ranges[TROT][0] == pytest.approx(2 * 0.8 * 1.8 / 2.6)
    assert (CHOICE.stand, CHOICE.back, CHOICE.aside, CHOICE.around) == (
        STAND,
        BACK,
        (LEFT, RIGHT),
        (TURN_LEFT, TURN_RIGHT),
    )


def test_by_direction() -> None:
    assert choose(0.8) == WALK
    assert choose(1.8) == TROT
    assert choose(0.3 * np.exp(1j * (AHEAD - 0.01))) == WALK
    assert choose(0.3 * np.exp(1j * (AHEAD + 0.01))) == LEFT
    assert choose(0.3j) == LEFT
    assert choose(-0.3j) == RIGHT
    assert choose(-0.4) == BACK


def test_on_the_spot() -> None:
    slow = 0.5 * RESTS * CHOICE.slowest
    assert choose(0.0, now=slow) == STAND
    assert choose(0.0, now=slow, turn=0.5) == TURN_LEFT
    assert choose(0.0, now=slow, turn=-0.5) == TURN_RIGHT
    assert choose(0.0, now=0.5) == WALK, "who still moves goes on in its slowest gait"


def test_rows_are_independent() -> None:
    wishes = np.array([0.8, 0.3j, 0.0, -0.4])
    now = np.array([0.8, 0.3, 0.0, 0.4])
    chosen = CHOICE.choose(np.full(4, WALK), wishes, np.abs(wishes), np.zeros(4), now)
    assert chosen.tolist() == [WALK, LEFT, STAND, BACK]


def test_told_ranges_move_the_ends_only() -> None:
    told = make_choice(library().cycles, NAMES, {"walk": (0.1, 0.5), "trot": (9.0, 2.5)})
    assert told.ranges[WALK] == pytest.approx((0.1, CHOICE.ranges[WALK][1]))
    assert told.ranges[TROT] == pytest.approx((CHOICE.ranges[TROT][0], 2.5))


def test_without_a_walk_slower_gaits_of_other_kinds_are_taken() -> None:
    cycles = [replace(c, gait="canter" if k == TROT else c.gait) for k, c in enumerate(library().cycles)]
    slow = [replace(c, gait="amble" if k == WALK else c.gait) for k, c in enumerate(cycles)]
    faster = replace(cycles[TROT], gait="trot", velocity=1.5 * cycles[TROT].velocity)
    names = [*NAMES, "trot 2"]
    assert WALK in make_choice([*slow, faster], names, {}).ahead


def test_an_animal_must_be_able_to_stand() -> None:
    with pytest.raises(ValueError, match="no clip in which it stands"):
        make_choice(library().cycles[1:], NAMES[1:], {})
