"""What a controller costs: milliseconds a frame of one animal, and memory, in a process of its own.

`python -m canter.evaluation.mann.cost ANIMAL CONTROLLER [FILE]` prints the memory as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from canter.control.batch import BatchCommand, BatchController
from canter.control.registry import load, make_batch

WARM_FRAMES, FRAMES = 60, 600
PERCENTILES = (50, 99)
NETWORK, MATCHING = "network", "matching"
TIMEOUT_SECONDS = 120.0


def frame_times(batch: BatchController, speed: float, frames: int = FRAMES) -> dict[str, float]:
    """Milliseconds a frame of a whole step, median and 99th percentile, at a steady speed in m/s."""
    command = BatchCommand.make(np.full(batch.count, speed))
    batch.reset()
    seconds = []
    for frame in range(WARM_FRAMES + frames):
        began = time.perf_counter()
        batch.step(command)
        if frame >= WARM_FRAMES:
            seconds.append(time.perf_counter() - began)
    return {f"p{q}": float(np.percentile(seconds, q)) * 1e3 for q in PERCENTILES}


def resident_bytes() -> int | None:
    """Memory of this process in bytes; None where the system does not say."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


def memory_of(animal: str, controller: str, file: Path | None = None) -> float | None:
    """MB that one animal of a controller adds to a process that has loaded the animal: libraries, data and arrays."""
    command = [sys.executable, "-m", __name__, animal, controller, *([str(file)] if file else [])]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=True)
        value = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return None if value is None else float(value)


def _measure(animal: str, controller: str, file: str | None) -> float | None:
    character = load(animal)
    before = resident_bytes()
    batch = _make(character, controller, file)
    for _ in range(WARM_FRAMES):
        batch.step(BatchCommand.make(np.full(1, 1.0)))
    after = resident_bytes()
    return None if before is None or after is None else (after - before) / 1e6


def _make(character: Any, controller: str, file: str | None) -> BatchController:
    if controller not in (NETWORK, MATCHING) or file is None:
        return make_batch(controller, character, 1)
    from canter.neural.controller import Predictor, TrajectoryController
    from canter.neural.dataset import read_dataset
    from canter.neural.matching import MotionMatching
    from canter.neural.model import Model

    predictor: Predictor = Model(file) if controller == NETWORK else MotionMatching(read_dataset(Path(file)))
    return TrajectoryController(character, 1, predictor=predictor)


if __name__ == "__main__":
    print(json.dumps(_measure(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)))
