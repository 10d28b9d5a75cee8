"""Sweeps: tables of runs, skipped when they are finished, resumed when they are not, locally and on Ray."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")

from canter.cli import main
from canter.control.takes import Takes, write_takes
from canter.neural.model import Model
from canter.neural.training import sweep as sweeping
from canter.neural.training.recipe import Stage
from canter.neural.training.sweep import read_record, read_sweep, sweep

TABLE = """
[defaults]
sources = "dog.takes"
minutes = 0.001
units = 16
experts = 2

[[run]]
seed = [0, 1]

[[run]]
name = "plain"
network = "vanilla"
"""


@pytest.fixture
def table(tmp_path: Path, takes: Takes, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CANTER_CACHE", str(tmp_path / "cache"))
    write_takes(takes, tmp_path / "dog.takes")
    path = tmp_path / "sweep.toml"
    path.write_text(TABLE, "utf-8")
    return path


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "sweep.toml"
    path.write_text(text, "utf-8")
    return path


def test_rows_replace_defaults_and_seeds_make_runs(tmp_path: Path) -> None:
    (tmp_path / "dog.takes").touch()
    runs = read_sweep(written(tmp_path, TABLE + '[[run]]\npreset = "paper"\nexperts = 8\nunits = 64\n'))
    names = ["mann-seed-0", "mann-seed-1", "plain", "mann-preset-paper-experts-8-units-64-seed-0"]
    assert [run.name for run in runs] == names
    assert [run.seed for run in runs] == [0, 1, 0, 0]
    assert {run.sources for run in runs} == {(str(tmp_path / "dog.takes"),)}
    assert (runs[2].network, runs[2].units, runs[3].units) == ("vanilla", 16, 64)
    recipe = sweeping.recipe_of(runs[3])
    assert (recipe.dropout, recipe.experts, recipe.units) == (0.3, 8, 64)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[run]", "no TOML"),
        ("", r"at least one \[\[run\]\]"),
        ("[defaults]\nsources = 'dog'", r"at least one \[\[run\]\]"),
        ("run = 3", r"at least one \[\[run\]\]"),
        ("runs = 3", "unknown is runs"),
        ("defaults = 3\n[[run]]", "must be a table"),
        ("[[run]]\nseed = 1", "run 1: .*`sources`"),
        ("[[run]]\nsources = 'dog'\nlayers = 4", "run 1: unknown is layers"),
        ("[[run]]\nsources = 'dog'\n[[run]]\nsources = [1]", "run 2: `sources`"),
        ("[[run]]\nsources = 'dog'\nunits = 2.5", "`units` must be a whole number"),
        ("[[run]]\nsources = 'dog'\nunits = 2", "units must be 8 to 4096"),
        ("[[run]]\nsources = 'dog'\nminutes = 'long'", "`minutes` must be a number"),
        ("[[run]]\nsources = 'dog'\nminutes = 0", "`minutes` must be above 0"),
        ("[[run]]\nsources = 'dog'\nminutes = inf", "`minutes` must be above 0"),
        ("[[run]]\nsources = 'dog'\nseed = [1, true]", "`seed` must be a whole number"),
        ("[[run]]\nsources = 'dog'\nseed = -1", "seeds must not be negative"),
        ("[[run]]\nsources = 'dog'\nnetwork = 'gan'", "no network 'gan'"),
        ("[[run]]\nsources = 'dog'\npreset = 'mine'", "no preset 'mine'"),
        ("[[run]]\nsources = 'dog'\nname = '../../x'", "no name of a run"),
        ("[[run]]\nsources = 'dog'\n[[run]]\nsources = 'dog'", "two runs are called"),
    ],
)
def test_what_is_no_sweep_is_told_with_its_run(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_sweep(written(tmp_path, text))


def test_finished_runs_are_skipped_and_failed_ones_stop_nobody(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, quick = sweeping.recipe_of, {"batch_frames": 64, "stages": (Stage(1.0, 2),)}
    monkeypatch.setattr(sweeping, "recipe_of", lambda run: replace(real(run), **quick))
    run, folder = read_sweep(table)[1], tmp_path / "out"
    runs = (replace(run, name="lost", sources=("unicorn",)), run)
    lost, trained = sweep(runs, folder)
    assert "unicorn" in lost.error
    assert lost.record is None
    assert not trained.error
    assert not trained.skipped
    record = read_record(run, folder)
    assert record == trained.record == json.loads((folder / "mann-seed-1.json").read_text())
    assert record is not None
    assert (record["seed"], record["config"]["minutes"]) == (1, 0.001)
    assert record["duration"] > record["figures"]["training_seconds"] > 0
    assert record["figures"]["validation"]["joints"] > 0
    assert Model(folder / "mann-seed-1.onnx").contract.experts == 2
    names = {"mann-seed-1.json", "mann-seed-1.onnx", "mann-seed-1.md", "mann-seed-1.curve.json"}
    assert {path.name for path in folder.iterdir()} == names
    skipped, lost = sweep(runs, folder)
    assert skipped.skipped
    assert skipped.record == record
    assert lost.error


def test_a_record_of_other_values_is_not_taken_for_this_run(table: Path, tmp_path: Path) -> None:
    run = read_sweep(table)[0]
    path = tmp_path / f"{run.name}.json"
    path.write_text(json.dumps({"config": {"minutes": 5}}))
    with pytest.raises(ValueError, match="other values"):
        next(sweep([run], tmp_path))
    path.write_text("{")
    with pytest.raises(ValueError, match="no result record"):
        next(sweep([run], tmp_path))


def test_the_command_leaves_with_1_if_a_run_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "[[run]]\nsources = 'unicorn'\n")
    with pytest.raises(SystemExit) as left:
        main(["sweep", str(path)])
    assert left.value.code == 1
    said = capsys.readouterr()
    assert "unicorn" in said.err
    assert "failed" in said.out


def test_without_ray_the_extra_is_named(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match=r"canter\[sweep\]"):
        list(sweep(read_sweep(table), tmp_path / "out", ray="local"))


def test_runs_are_tasks_of_a_ray_cluster(table: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="no Ray here: `pip install -e .[sweep]` gets it")
    runs = read_sweep(table)[:2]
    results = list(sweep(runs, tmp_path / "out", ray="local"))
    assert {result.run.name for result in results} == {run.name for run in runs}
    assert [result.error for result in results] == ["", ""]
    assert all(read_record(run, tmp_path / "out") is not None for run in runs)
    assert all(result.skipped for result in sweep(runs, tmp_path / "out", ray="local"))
