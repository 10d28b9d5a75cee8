"""The benchmark's made-up file is as large as the recording that it stands in for, and it times every gait."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from canter.formats import read

NETWORKS = Path(__file__).parents[1] / "benchmarks" / "networks.py"
RUN = Path(__file__).parents[1] / "benchmarks" / "run.py"


def test_the_made_up_file(tmp_path: Path) -> None:
    path = runpy.run_path(str(RUN))["made_up"](tmp_path / "made_up.bvh")
    assert 2.5e6 < path.stat().st_size < 3.1e6
    (motion,) = read(path).clips
    assert len(motion) == 4686
    assert len(motion.skeleton) == 27


def test_loading_is_timed_warm_and_cold() -> None:
    warm, cold = runpy.run_path(str(RUN))["loads"](yard=1.0, times=1)
    assert (warm.goal, cold.goal) == (8, 25)
    assert warm.seconds > 0
    assert cold.seconds > 0


def test_every_gait_is_timed() -> None:
    made = runpy.run_path(str(RUN))["cycles"](times=1)
    assert int(made.what.split()[2]) >= 15
    assert made.seconds > 0


def test_the_formulations_of_training_agree() -> None:
    """`training` checks that both give the same numbers before it times them."""
    pytest.importorskip("torch")
    training = runpy.run_path(str(NETWORKS))["training"]
    training.__globals__.update(TURN=1, TRAINING_BATCH=8)
    theirs, ours = training(times=1)
    assert "samples/s" in theirs.measured
    assert ours.met is not None
