"""Runs of a sweep as tasks of a Ray cluster: as many at once as its processors allow."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from canter.neural.training.sweep import Result, Run, attempt

LOCAL = "local"
"""The address that starts a cluster on this machine."""
NICENESS = "RAY_worker_niceness"
"""Ray starts workers at niceness 15, where they starve beside anything else on a machine of few cores."""


def train_on_ray(runs: Sequence[Run], folder: Path, address: str = LOCAL) -> Iterator[Result]:
    """Trains runs as tasks, and yields what became of each as it ends; each takes its `threads` processors.

    A run whose worker dies is started again by Ray, and goes on from its checkpoint.
    """
    ray = _import_ray()
    started = not ray.is_initialized()
    if started:
        os.environ.setdefault(NICENESS, "0")
        local: dict[str, Any] = {"include_dashboard": False}
        ray.init(**(local if address == LOCAL else {"address": address}), log_to_driver=False)
    try:
        _check_processors(ray, runs)
        task = ray.remote(attempt)
        waiting = {task.options(num_cpus=run.threads, name=run.name).remote(run, folder): run for run in runs}
        while waiting:
            (ended,), _ = ray.wait(list(waiting), num_returns=1)
            run = waiting.pop(ended)
            try:
                result: Result = ray.get(ended)
            except ray.exceptions.RayError as error:
                result = Result(run, None, error=f"{type(error).__name__}: {error}")
            yield result
    finally:
        if started:
            ray.shutdown()


def _check_processors(ray: Any, runs: Sequence[Run]) -> None:
    """Raise ValueError if a run wants more processors than any machine of the cluster has: it would wait for ever."""
    most = max((int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]), default=0)
    for run in runs:
        if run.threads > most:
            raise ValueError(f"{run.name}: no machine of the cluster has {run.threads} processors, only {most}")


def _import_ray() -> Any:
    try:
        import ray
    except ImportError:
        raise ImportError(
            "sweeps on Ray need the extra 'sweep'; install it with: pip install 'canter[sweep]'"
        ) from None
    return ray
