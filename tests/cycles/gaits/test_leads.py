"""Leads: which foreleg leads a cycle, its mirror image, and the choice by the turn that is to come."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

import canter
from canter import Command
from canter.anatomy import Character
from canter.control.batch import BatchCommand
from canter.control.steering import Root, Wish
from canter.cycles.build.rows import mirror_image
from canter.cycles.engine.cycle import Cycle
from canter.cycles.gaits.batch import BatchGaits
from canter.cycles.gaits.leads import GROUNDED_STRIDES, suitable_side
from canter.evaluation import Options
from canter.evaluation.cycles.leads import lead_rows
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

LEFT, RIGHT = 1, -1


@lru_cache
def animal(name: str) -> Character:
    return canter.load(name)


def cycle_of(name: str, gait: str) -> Cycle:
    batch = BatchGaits(animal(name))
    return batch.library.cycles[batch.names.index(gait)]


@pytest.mark.parametrize(
    ("touchdowns", "lead"),
    [
        ((0.3, 0.5, 0.0, 0.2), RIGHT),  # the right fore lands second
        ((0.5, 0.3, 0.2, 0.0), LEFT),
        ((0.5, 0.3, 0.0, 0.2), LEFT),  # rotary: the fore legs count
        ((0.95, 0.1, 0.6, 0.8), RIGHT),  # around the end of the stride
        ((0.5, 0.5, 0.0, 0.2), RIGHT),  # fore legs together: the hind legs count
        ((0.5, 0.5, 0.0, 0.0), 0),  # a bound
        ((0.5, 0.0, 0.0, 0.5), 0),  # a trot
        ((0.25, 0.75, 0.0, 0.5), 0),  # a walk
        ((0.3, 0.5, 0.0, 0.5), 0),  # hind legs as in a symmetrical gait: a limp
    ],
)
def test_the_leading_leg_of_a_cycle(touchdowns: tuple[float, ...], lead: int) -> None:
    cycle = replace(cycle_of("horse", "canter"), touchdowns=np.array(touchdowns))
    assert cycle.lead == lead
    assert replace(cycle, duty=np.ones(4)).lead == 0  # a stand


def test_a_mirror_image_has_the_other_lead_and_its_own_mirror_image_is_the_cycle() -> None:
    horse, cycle = animal("horse"), cycle_of("horse", "canter")
    image = mirror_image(cycle, horse.skeleton, horse.anatomy)
    assert (cycle.lead, image.lead, image.name) == (RIGHT, LEFT, "canter left lead")
    back = mirror_image(image, horse.skeleton, horse.anatomy)
    np.testing.assert_allclose(back.positions, cycle.positions, atol=1e-9)
    assert rot.difference(back.rotations, cycle.rotations).max() < 1e-6
    for field in ("touchdowns", "duty", "sweep", "velocity"):
        np.testing.assert_allclose(getattr(back, field), getattr(cycle, field))


def test_bones_of_an_uneven_rig_keep_their_lengths() -> None:
    horse, cycle = animal("horse"), cycle_of("horse", "canter")
    positions = cycle.positions.copy()
    joint = horse.anatomy.legs[0].joints[-1]
    positions[:, joint] *= 1.1
    uneven = replace(cycle, positions=positions)
    image = mirror_image(uneven, horse.skeleton, horse.anatomy)
    np.testing.assert_array_equal(image.positions[:, joint], uneven.positions[:, joint])


@pytest.mark.parametrize("name", ["horse", "dog", "turtle"])
def test_canter_and_gallop_have_leads_and_nothing_else(name: str) -> None:
    batch = BatchGaits(animal(name))
    assert {batch.names[k] for k in batch.choice.leads} == ({"canter", "gallop"} & set(batch.names))
    for gait, (left, right) in batch.choice.leads.items():
        assert (batch.library.cycles[left].lead, batch.library.cycles[right].lead) == (LEFT, RIGHT)
        assert batch.choice.gait_of[[left, right]].tolist() == [gait, gait]


def test_the_suitable_side_is_that_of_the_turn_and_none_straight_on() -> None:
    limits, root = BatchGaits(animal("horse")).limits, Root(4)
    root.velocity = np.full(4, 5.0 + 0j)
    wish = Wish(np.full(4, 5.0), np.array([0.5, -0.5, 0.0, 0.001]), np.full(4, np.nan))
    assert suitable_side(root, wish, limits, np.full(4, 0.6)).tolist() == [LEFT, RIGHT, 0, 0]


def canters(turn: Floats, seconds: float = 5.0) -> BatchGaits:
    """Horses in a canter whose headings turn steadily `(N,)`."""
    batch = BatchGaits(animal("horse"), len(turn))
    for frame in range(round(60 * seconds)):
        batch.step(BatchCommand.make(5.0, turn * frame / 60))
    return batch


def test_a_gait_begins_on_the_lead_of_the_turn() -> None:
    batch = canters(np.array([0.4, -0.4, 0.0]))
    state = batch.step(BatchCommand.make(5.0, batch.root.yaw))
    assert state.telemetry["lead"].tolist()[:2] == [LEFT, RIGHT]
    assert {state.gait_names[k] for k in state.gait} == {"canter"}


def test_other_gaits_have_no_lead() -> None:
    horse = animal("horse").controller("gaits")
    states = [horse.step(Command(speed=3.0)) for _ in range(120)]
    assert states[-1].gait == "trot"
    assert all(np.isnan(state.telemetry["lead"]) for state in states)


def test_a_change_of_lead_stays_a_canter_and_waits_for_the_leading_foreleg() -> None:
    batch = canters(np.array([0.4]))
    heading = batch.root.yaw.copy()
    for frame in range(120):
        clock = batch.timing.clocks[0, 0]
        state = batch.step(BatchCommand.make(5.0, heading - 0.4 * frame / 60))
        assert state.gait_names[int(state.gait[0])] == "canter"
        if state.telemetry["lead"][0] == RIGHT:
            assert clock < 0.6
            return
    pytest.fail("the lead was not changed")


def test_without_a_suspension_the_lead_changes_at_once() -> None:
    batch = canters(np.array([0.4]))
    while not 1.6 < batch.timing.clocks[0, 0] < 1.8:  # the leading foreleg swings, others stand
        batch.step(BatchCommand.make(5.0, batch.root.yaw + 0.2))
    batch.leads.state.grounded[:] = GROUNDED_STRIDES + 0.1
    batch.root.yaw_rate[:] = 0.0
    state = batch.step(BatchCommand.make(5.0, batch.root.yaw - 0.5))
    assert state.telemetry["lead"][0] == RIGHT


def test_a_row_of_a_batch_has_the_leads_of_the_animal_alone() -> None:
    turns = np.array([0.3, -0.3])
    together = canters(turns, 8.0).step(BatchCommand.make(5.0, turns * 8.0))
    for row, turn in enumerate(turns):
        alone = canters(np.array([turn]), 8.0).step(BatchCommand.make(5.0, turn * 8.0))
        np.testing.assert_allclose(together.rotations[row], alone.rotations[0], atol=1e-9)


def test_figures_of_eight_are_ridden_on_the_inside_lead() -> None:
    rows = list(lead_rows(animal("dog"), Options(quick=True)))
    assert rows
    assert [row.name for row in rows if row.status != "met"] == []


@pytest.mark.parametrize("one_lead", [False, True])
def test_turns_change_the_lead_unless_there_is_only_one(one_lead: bool) -> None:
    """A dog that canters left or right round and then straight on, and one that goes straight on all the time."""
    dog = BatchGaits(animal("dog"), 3, one_lead=one_lead)
    turn, heading, leads = np.array([0.0, 0.8, -0.8]), np.zeros(3), []
    for frame in range(6 * 60):
        heading = heading + turn / 60 * (120 <= frame < 300)
        state = dog.step(BatchCommand.make(np.full(3, 3.2), heading))
        leads.append(state.telemetry["lead"])
    preferred = leads[-1][0]
    np.testing.assert_array_equal(np.array(leads)[120:, 0], preferred)
    np.testing.assert_array_equal(leads[290], [preferred] * 3 if one_lead else [preferred, LEFT, RIGHT])
    np.testing.assert_array_equal(leads[-1], leads[290])
