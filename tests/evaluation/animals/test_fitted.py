"""Rows of fitted rigs: skipped without recordings, measured with a rig in their place."""

from __future__ import annotations

from pathlib import Path

from canter.animals.animal import dog, horse
from canter.evaluation import Options
from canter.evaluation.animals import fitted
from canter.evaluation.animals.fitted import RIGS, fitted_rows
from canter.formats import write
from canter.synthetic import example_animal


def test_without_recordings_every_rig_is_skipped() -> None:
    found = list(fitted_rows(Options(quick=True), [dog(), horse()]))
    assert [row.status for row in found] == ["skipped"] * len(RIGS)


def test_a_rig_is_measured(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(fitted, "RIGS", (("rig.glb", "dog"),))
    write(example_animal(), tmp_path / "rig.glb")
    found = list(fitted_rows(Options(quick=True, data=tmp_path), [dog()]))
    assert [row.status for row in found] == ["met"] * 6
    assert found[0].name == "rig with the gaits of the dog: gaits recognised from footfalls, of 3"
