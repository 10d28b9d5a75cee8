"""Experts: weights of a network by task, and what counts as broken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from canter.evaluation.mann.columns import network_column
from canter.evaluation.mann.experts import Task, activations, broken, perform, tasks_of
from canter.evaluation.mann.subjects import Subject


def test_weights_of_experts_by_task(subject: Subject, network: Path) -> None:
    column = network_column(subject, "tiny", network)
    assert (column.experts, column.lockable) == (2, True)
    tasks = [Task("stand", 0.0), Task("walk", 0.9, "walk")]
    found = activations(tasks, column.over(tasks, perform))
    for task in tasks:
        assert sum(found[task.name]["mean"]) == pytest.approx(1.0, abs=1e-4)
        assert len(found[task.name]["profile"]) == 40
    alone = activations(tasks, column.over(tasks, perform, enabled=[0.0, 1.0]))
    np.testing.assert_allclose(alone["walk"]["mean"], [0.0, 1.0], atol=1e-5)


def test_what_is_broken() -> None:
    whole = {"finite": True, "speed": 1.0, "yaw_rate": 0.5, "activity": 2.0, "gait": 1.0, "done": True}
    walk, left, sit = Task("walk", 1.0, "walk"), Task("turn left", 1.0, "", 0.5), Task("sit", 1.0, action="sit")
    for task in (walk, left, sit):
        assert broken(task, whole, whole) == ""
        assert broken(task, whole, {"finite": False}) == "no numbers"
    assert "50 % of the speed" in broken(walk, whole, whole | {"speed": 0.5})
    assert "strides" in broken(walk, whole, whole | {"gait": 0.2})
    assert "10 % of the leg activity" in broken(walk, whole, whole | {"activity": 0.2})
    assert "-20 % of the turn" in broken(left, whole, whole | {"yaw_rate": -0.1})
    assert broken(sit, whole, whole | {"done": False}) == "no sit"


def test_tasks_have_both_sides() -> None:
    names = [task.name for task in tasks_of({"walk": 1.0, "trot": 2.0}, 0.6, ["sit"])]
    assert names == ["stand", "walk", "trot", "turn left", "turn right", "sit"]
