"""From one held action into another in one request: without standing about, a snap or a sliding foot."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

import numpy as np
import pytest

from canter import Command, State
from canter.control import BatchCommand
from canter.cycles.gaits.action_table import ActionTable
from canter.cycles.gaits.batch import BatchGaits
from canter.cycles.gaits.crossings import NEVER, crossing_frames

from ..engine.made_up import library
from .test_action_table import ROOT, action
from .test_actions import RATE, dog, feet, going, quickness, slip, until

HELD_SECONDS, WAY_SECONDS = 2.5, 4.0


HELD = [action.name for action in dog().actions if action.hold]
PAIRS = list(permutations(HELD, 2))


@lru_cache
def rides() -> dict[tuple[str, str], list[State]]:
    """Every pair of held actions, each performed by one dog of a batch: the first for a while, then at once the second;
    from one second before the second is asked for."""
    batch = BatchGaits(dog(), len(PAIRS))
    numbers = np.array([[batch.capabilities.actions.index(name) for name in pair] for pair in PAIRS])
    states = []
    for frame in range(round((HELD_SECONDS + WAY_SECONDS) * RATE)):
        asked = numbers[:, int(frame >= HELD_SECONDS * RATE)]
        states.append(batch.step(BatchCommand.make(np.zeros(len(PAIRS)), action=asked)))
    kept = states[round((HELD_SECONDS - 1.0) * RATE) :]
    return {pair: [state.row(k, dog()) for state in kept] for k, pair in enumerate(PAIRS)}


def test_there_are_held_actions_to_go_between() -> None:
    assert HELD == ["idle", "sit", "lie", "upright"]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_one_held_action_is_followed_by_the_other(first: str, second: str) -> None:
    states = rides()[first, second]
    gaits = [state.gait for state in states]
    assert set(gaits) == {first, second}, "it does not stand in between"
    began = gaits.index(second)
    assert set(gaits[began:]) == {second}
    assert [k for k, state in enumerate(states) if "started" in state.events] == [began]
    assert not any("finished" in state.events for state in states), "who follows one action by another is not done"
    leave = dog().action(first).leave
    assert began - RATE < leave[1] - leave[0] - 0.2 * RATE, "it does not wait until it stands"
    assert slip(states) < 0.001
    assert min(quickness(states, name) for name in (first, second)) < 1.0
    assert feet(states)[..., 1].min() > -0.005


def test_an_animal_alone_goes_over_as_in_a_batch() -> None:
    gaits = dog().controller("gaits")
    going(gaits, HELD_SECONDS, Command(action="sit"))
    alone = going(gaits, WAY_SECONDS, Command(action="lie"))
    together = rides()["sit", "lie"][RATE:]
    for one, other in zip(alone, together, strict=True):
        assert one.pose.positions == pytest.approx(other.pose.positions, abs=1e-9)
        assert one.pose.rotations == pytest.approx(other.pose.rotations, abs=1e-9)


@pytest.mark.parametrize("seconds", [0.1, 0.6, 1.1, 1.6])
def test_a_request_that_is_withdrawn_on_the_way_ends_in_standing(seconds: float) -> None:
    gaits = dog().controller("gaits")
    going(gaits, HELD_SECONDS, Command(action="sit"))
    states = going(gaits, seconds, Command(action="lie"))
    states += until(gaits, "finished", Command())
    states += going(gaits, 1.0, Command())
    assert states[-1].gait not in ("sit", "lie")
    assert quickness(states, "sit") < 1.0 or quickness(states, "lie") < 1.0
    assert slip(states) < 0.001


@pytest.mark.parametrize("seconds", [0.1, 0.6, 1.1, 1.6])
def test_a_third_request_on_the_way_is_followed(seconds: float) -> None:
    gaits = dog().controller("gaits")
    going(gaits, HELD_SECONDS, Command(action="sit"))
    states = going(gaits, seconds, Command(action="lie"))
    states += going(gaits, 5.0, Command(action="upright"))
    assert states[-1].gait == "upright"
    assert not any("finished" in state.events for state in states)
    assert min(quickness(states, name) for name in ("sit", "lie", "upright")) < 1.0
    assert slip(states) < 0.001


def test_who_is_told_to_stay_after_all_sits_down_again_at_once() -> None:
    gaits = dog().controller("gaits")
    going(gaits, HELD_SECONDS, Command(action="sit"))
    going(gaits, 0.15, Command(action="lie"))
    states = going(gaits, 1.0, Command(action="sit"))
    assert {state.gait for state in states} == {"sit"}
    roots = np.stack([state.pose.positions[0, 1] for state in states])
    assert roots.max() < 0.5 * dog().anatomy.hip_height, "it does not get up first"


def test_an_action_that_was_asked_for_during_a_jump_is_not_lost() -> None:
    gaits = dog().controller("gaits")
    until(gaits, "started", Command(action="jump"))
    states = going(gaits, 4.5, Command(action="sit"))
    assert not any("finished" in state.events for state in states), "the jump is over, what was asked for is not"
    assert states[-1].gait == "sit"


def made_up(*, hold: tuple[int, int], lifted: tuple[int, int]) -> ActionTable:
    """Two actions of 61 frames on the spot: one held, one that lifts a foot in some frames before it is held."""
    contacts = np.ones((61, 4), bool)
    contacts[slice(*lifted), 2] = False
    table = ActionTable()
    table.add(action("rest", 61, hold=hold), library(), 30.0, ROOT)
    table.add(action("paw", 61, hold=(40, 50), contacts=contacts), library(), 30.0, ROOT)
    return table


def test_one_goes_over_where_the_next_pose_is_soonest() -> None:
    table = made_up(hold=(20, 40), lifted=(10, 20))
    into = crossing_frames(table, 0, 1, 1.0, 30.0)
    assert (into[20:40] == NEVER).all(), "a hold is left from its end"
    assert into[40] == 40, "all poses are alike: at once, and into the held pose"


def test_a_foot_that_has_just_come_down_is_not_lifted_again_at_once() -> None:
    table = made_up(hold=(20, 40), lifted=(42, 46))
    contacts = np.ones((61, 4), bool)
    contacts[2:12, 2] = False
    table.add(action("step", 61, hold=(14, 50), contacts=contacts), library(), 30.0, ROOT)
    into = crossing_frames(table, 1, 2, 1.0, 30.0)
    assert (into[42:46] == NEVER).all(), "not with a foot in the air"
    assert into[46] not in (0, 1), "nor shortly before it is lifted"
