"""Generated gaits against measured ones: the same Froude number, and rows that miss wrong numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from canter.animals.animal import Animal, horse
from canter.evaluation.animals.comparison import matched, measured_rows
from canter.evaluation.animals.figures import JUDGE_RATE_HZ
from canter.evaluation.animals.measurements import measured


@pytest.fixture(scope="module")
def animal() -> Animal:
    return horse()


def test_strides_are_compared_at_the_same_froude_number(animal: Animal) -> None:
    facts = measured("horse")["trot"]
    s = matched(animal, facts)
    assert s.froude == pytest.approx(facts.froude, rel=0.05)
    assert s.motion.frame_rate == pytest.approx(JUDGE_RATE_HZ, rel=0.02)


def test_a_wrong_number_is_missed(animal: Animal) -> None:
    lame = replace(animal, rows=(replace(animal.row("trot"), touchdowns=(0.46, 0.8, 0.0, 0.5)),))
    found = {row.name: row.status for row in measured_rows(lame, "trot")}
    assert found["horse trot: touchdown of RF"] == "missed"
    assert found["horse trot: touchdown of RH"] == "met"


def test_gaits_without_measurements_have_no_rows(animal: Animal) -> None:
    assert list(measured_rows(animal, "side")) == []
    assert {row.name.split(":")[0] for row in measured_rows(animal, "canter")} == {"horse canter, literature"}


def test_few_strides_are_noted() -> None:
    from canter.animals.animal import dog

    found = [row for row in measured_rows(dog(), "back") if "only" in row.reason]
    assert [row.reason for row in found] == ["only 7 strides"] * 5
