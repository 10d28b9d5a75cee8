"""The topic `animals` as a whole: every gait once, also those without measurements, and broken ones are reported."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.animals.animal import Animal, horse
from canter.evaluation import Options
from canter.evaluation.animals import topic
from canter.evaluation.animals.topic import rows, sound_rows


@pytest.fixture(scope="module")
def animal() -> Animal:
    return horse()


def test_gaits_nobody_measured_are_still_judged_for_faults(animal: Animal) -> None:
    names = [row.name for row in sound_rows(animal, "canter", quick=True)]
    assert "horse canter: stance slip" in names
    assert "horse canter: sequence" in names


def test_the_topic_runs_through_every_gait_once() -> None:
    found = list(rows(Options(quick=True)))
    names = [row.name for row in found]
    assert len(names) == len(set(names))
    assert {"dog trot: stride frequency", "horse walk: skating", "horse gallop, literature: duty factor"} <= set(names)
    assert all(np.isfinite(row.value) for row in found if isinstance(row.value, float))


def test_a_gait_that_cannot_be_generated_is_reported(animal: Animal, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = replace(animal, rows=(replace(animal.row("walk"), frequency=0.0),), action_rows=(), clips=(), actions=())
    monkeypatch.setattr(topic, "entries", lambda shelf: [type("Entry", (), {"resolve": lambda self: lambda: broken})()])
    found = {row.name: row for row in rows(Options(quick=True))}
    assert found["horse walk"].status == "missed"
    assert "zero" in found["horse walk"].reason
