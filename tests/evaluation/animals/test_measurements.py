"""The tables of measured animals."""

from __future__ import annotations

import pytest

from canter.evaluation.animals.measurements import measured


def test_tables_hold_what_was_published() -> None:
    dog, horse_facts = measured("dog"), measured("horse")
    assert dog["trot"].cells["fore duty"][0] == 0.483
    assert dog["gallop"].cells["leading fore"][0] == 0.518
    assert dog["back"].source == "captured Labrador"
    assert horse_facts["walk"].hips == pytest.approx(1.10, abs=0.01)
    assert horse_facts["walk"].froude == pytest.approx(1.59**2 / (9.81 * 1.10), rel=0.02)
    assert measured("turtle") == {}


def test_tables_are_in_order() -> None:
    for facts in (*measured("dog").values(), *measured("horse").values()):
        for name in ("froude", "frequency", "stride", "fore duty", "hind duty", "fore lift", "hips A1", "withers A2"):
            median, low, high = facts.cells[name]
            assert low <= median <= high, (facts.gait, name)
