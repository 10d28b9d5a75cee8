"""From dropped files to an animal that can be driven: each stage in seconds of processor time, and in sorts.

The files are made up: a GLB of five clips with a mesh, a skeleton with two clips and no mesh, and 30 s of capture at
120 Hz. Each is built by the studio's own child process, as an upload is, and then loaded as the server does.
`python -P benchmarks/uploading.py` measures only this.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from canter import Command, load, rollout
from canter.animals.animal import Animal
from canter.body import skin_character
from canter.cycles.build.drivable import drivable
from canter.cycles.build.file import read_drivable
from canter.formats import write
from canter.motion import Asset
from canter.motion.edits import resample
from canter.studio.bounds import body_bounds
from canter.studio.corrections import Corrections

GOALS = {"a GLB of 5 clips": (4.0, 250.0), "a skeleton without a mesh": (8.0, 500.0), "30 s of capture": (15.0, 940.0)}
"""Seconds and sorts of a million numbers."""
STAGES = ("starting", "reading", "understanding", "building", "skinning", "keeping", "loading")
"""`starting` is the child process with its imports, `loading` what the server does until the first frame."""
CAPTURE_RATE, CAPTURE_SECONDS = 120.0, 30.0
CAPTURE_NOISE_M = 0.0005
"""Standard deviation of the markers' noise, as a shift of the whole animal."""


class Upload(NamedTuple):
    """What was dropped, and the processor time of each stage in seconds."""

    what: str
    stages: Mapping[str, float]

    @property
    def seconds(self) -> float:
        return sum(self.stages.values())


def uploads(times: int = 3) -> list[Upload]:
    """All files, each the median of several runs."""
    with tempfile.TemporaryDirectory() as folder:
        files = make_files(Path(folder))
        runs = {what: [measure(path) for _ in range(times)] for what, path in files.items()}
    return [
        Upload(what, {stage: statistics.median(run[stage] for run in found) for stage in STAGES})
        for what, found in runs.items()
    ]


def make_files(folder: Path) -> dict[str, Path]:
    """The files by what they are."""
    dog, example = load("dog"), load("example")
    assert isinstance(dog, Animal)
    animal = drivable(example, model=dog).character
    skeleton = animal.skeleton
    clips = tuple(animal.clip(name).motion for name in ("stand", "walk", "trot", "canter", "gallop"))
    paths = [folder / name for name in ("clips.glb", "skeleton.glb", "capture.bvh")]
    write(Asset(skeleton, clips, (skin_character(animal),), metres_per_unit=1.0), paths[0])
    write(Asset(skeleton, tuple(example.clip(name).motion for name in ("walk", "trot"))), paths[1])
    speeds = (0.0, 0.8, 0.8, 1.8, 3.0, 1.8, 0.8, 0.0)
    times = np.arange(round(60 * CAPTURE_SECONDS)) / 60
    commands = [
        Command(speed=speeds[int(t / CAPTURE_SECONDS * len(speeds))], heading=0.6 * float(np.sin(t / 4))) for t in times
    ]
    ride = resample(rollout(animal.controller("gaits"), commands), CAPTURE_RATE)
    noise = np.random.default_rng(0).normal(0.0, CAPTURE_NOISE_M, (len(ride), 3))
    positions = ride.positions.copy()
    positions[:, 0] += noise
    write(Asset(skeleton, (replace(ride, positions=positions, name="capture"),)), paths[2])
    return dict(zip(GOALS, paths, strict=True))


def measure(path: Path) -> dict[str, float]:
    """Processor time of each stage of one upload."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "built.canter"
        job = {
            "files": [{"path": str(path), "name": path.name}],
            "local": False,
            "corrections": Corrections().to_table(),
            "result": result.name,
            "seconds": None,
            "bytes": 4 << 30,
        }
        (Path(folder) / "job.json").write_text(json.dumps(job), "utf-8")
        single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-P", "-m", "canter.studio.worker"]
        done = subprocess.run(
            command, cwd=folder, check=True, capture_output=True, text=True, env={**os.environ, **single}
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        said = [json.loads(line) for line in done.stdout.splitlines()]
        if "error" in said[-1]:
            raise RuntimeError(said[-1]["error"])
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        start = time.process_time()
        character = read_drivable(result)
        character.controller("gaits").step(Command(speed=1.0))
        body_bounds(character)
        loading = time.process_time() - start
    return {**_stages([one for one in said if "stage" in one], spent), "loading": loading}


def _stages(said: list[dict[str, float]], spent: float) -> dict[str, float]:
    """Processor time by stage from the lines of a child that spent so much in all."""
    seconds = dict.fromkeys(STAGES, 0.0)
    seconds["starting"] = said[0]["processor_seconds"]
    ends = [*(one["processor_seconds"] for one in said[1:]), spent]
    for one, end in zip(said, ends, strict=True):
        seconds[str(one["stage"])] += end - one["processor_seconds"]
    return seconds


def show_uploads(rows: list[Upload], yard: float) -> bool:
    """Prints the table; whether all goals are met, in seconds or in sorts of `yard` seconds."""
    table = Table(title="from dropped files to driving", title_justify="left")
    table.add_column("files")
    for title in (*STAGES, "all", "goal", "sorts", "goal"):
        table.add_column(title, justify="right")
    for row in rows:
        seconds, sorts = GOALS[row.what]
        cells = [f"{row.stages[stage]:.2f}" for stage in STAGES]
        ends = (f"{row.seconds:.2f} s", f"≤ {seconds:g} s", f"{row.seconds / yard:.0f}", f"≤ {sorts:g}")
        table.add_row(row.what, *cells, *ends)
    Console(width=150 if not sys.stdout.isatty() else None).print(table)
    return all(row.seconds <= GOALS[row.what][0] or row.seconds <= GOALS[row.what][1] * yard for row in rows)


def main() -> int:
    from run import yardstick  # beside this file

    return 0 if show_uploads(uploads(), yardstick()) else 1


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    sys.exit(main())
