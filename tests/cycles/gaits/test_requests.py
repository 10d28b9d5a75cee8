"""When actions begin: at rest, jumps while going ahead, and once for each command."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

import canter
from canter.control import BatchCommand, BatchState
from canter.cycles.gaits.batch import BatchGaits

RATE = 60


@lru_cache
def dogs() -> BatchGaits:
    """Three: one that stands, one that walks, one that goes backward."""
    return BatchGaits(canter.load("dog"), 3)


def started() -> BatchGaits:
    gaits = dogs()
    gaits.reset()
    for _ in range(2 * RATE):
        gaits.step(command())
    return gaits


def command(action: str | None = None, speed: float = 1.0) -> BatchCommand:
    number = -1 if action is None else dogs().capabilities.actions.index(action)
    return BatchCommand.make([0.0, speed, 0.6], [0.0, 0.0, np.pi], [np.nan, np.nan, 0.0], np.full(3, number))


def begun(state: BatchState) -> list[bool]:
    return state.events.get("started", np.zeros(3, bool)).tolist()


def test_an_action_waits_until_the_animal_rests() -> None:
    gaits = started()
    first = gaits.step(command("sit"))
    assert begun(first) == [True, False, False]
    speeds, when = [], {}
    for k in range(4 * RATE):
        state = gaits.step(command("sit"))
        speeds.append(np.linalg.norm(state.velocity_world, axis=-1))
        when |= dict.fromkeys(np.flatnonzero(begun(state)).tolist(), k)
    assert set(when) == {1, 2}
    assert 0.2 * RATE < when[1] < 3 * RATE
    assert 0 < when[2] < 3 * RATE
    assert speeds[0][1] > 0.5
    assert speeds[when[1]][1] < 0.4
    assert [state.gait_names[gait] for gait in state.gait] == ["sit"] * 3


def test_a_jump_begins_at_once_where_the_animal_goes_ahead() -> None:
    gaits = started()
    assert begun(gaits.step(command("jump"))) == [True, True, False]
    assert gaits.jumps.state.active.tolist() == [False, True, False]
    assert gaits.actions.state.which[0] >= 0, "who stands jumps from standing"
    for _ in range(3 * RATE):
        if begun(gaits.step(command("jump")))[2]:
            break
    assert gaits.actions.state.which[2] >= 0, "who goes backward stops first"


def test_an_action_is_not_begun_twice_for_one_command() -> None:
    gaits = started()
    count = np.zeros(3, int)
    for _ in range(5 * RATE):
        count += begun(gaits.step(command("jump")))
    assert count.tolist() == [1, 1, 1]
    gaits.step(command())
    again = np.zeros(3, int)
    for _ in range(3 * RATE):
        again += begun(gaits.step(command("jump")))
    assert again.tolist() == [1, 1, 1], "after something else it is"


def test_an_animal_that_is_busy_is_not_asked() -> None:
    gaits = started()
    gaits.step(command("jump"))
    assert begun(gaits.step(command("sit"))) == [False, False, False]
