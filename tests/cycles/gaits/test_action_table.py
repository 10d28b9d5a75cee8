"""The table of actions: clips at the frame rate of the engine, seen from the animal that does them."""

from __future__ import annotations

import numpy as np
import pytest

from canter.anatomy import Action
from canter.cycles.gaits.action_table import ActionTable, _clock
from canter.motion import Motion
from canter.motion.arrays import Bools

from ..engine.made_up import RIG, library

ROOT = np.array([0.0, 0.0, 0.1])


def action(name: str, frames: int, *, hold: tuple[int, int] | None = None, contacts: Bools | None = None) -> Action:
    """The rest pose, drawn ahead and to the left over so many frames of 30 a second."""
    positions, rotations = (np.repeat(x, frames, axis=0) for x in RIG.pose)
    positions[:, 0] += np.linspace(0, 1, frames)[:, None] * (0.2, 0.0, 0.6)
    stands = np.ones((frames, 4), bool) if contacts is None else contacts
    motion = Motion(RIG.skeleton, 30.0, positions, rotations, name)
    return Action(name, motion, (0, 0), hold, (frames - 1, frames - 1), stands)


def test_a_clock_is_half_a_stance_or_as_far_as_the_swing_is() -> None:
    stands = np.array([True, True, False, False, False, True, False])
    assert _clock(stands) == pytest.approx([0.5, 0.5, 1.25, 1.5, 1.75, 0.5, 1.5])


def test_an_action_is_resampled_and_its_travel_taken_out() -> None:
    table = ActionTable()
    table.add(action("step", 31), library(), 60.0, ROOT)
    assert table.length.tolist() == [61]
    assert table.travelled[0] == 0
    assert table.travelled[-1] == pytest.approx(0.6 + 0.2j)
    assert table.travelled[30] == pytest.approx(0.3 + 0.1j, abs=1e-6)
    assert np.abs(table.positions[:, 0, [0, 2]] - ROOT[[0, 2]]).max() < 1e-6
    assert np.abs(np.ptp(table.feet, axis=0)).max() < 1e-5


def test_actions_follow_one_another() -> None:
    table = ActionTable()
    table.add(action("sit", 31, hold=(10, 20)), library(), 60.0, ROOT)
    table.add(action("bow", 16), library(), 60.0, ROOT)
    assert table.names == ["sit", "bow"]
    assert table.first.tolist() == [0, 61]
    assert table.length.tolist() == [61, 31]
    assert table.hold_first.tolist() == [20, -1]
    assert table.hold_last.tolist() == [40, -1]
    assert len(table.positions) == len(table.clocks) == 92


def test_only_the_end_can_be_left_and_only_with_all_feet_down() -> None:
    lifted = np.ones((61, 4), bool)
    lifted[50:55, 2] = False
    table = ActionTable()
    table.add(action("paw", 61, contacts=lifted), library(), 30.0, ROOT)
    assert not table.leavable[:55].any()
    assert table.leavable[55:].all()
