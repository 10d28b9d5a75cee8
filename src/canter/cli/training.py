"""`canter train` and `canter dataset`: from takes, clips or an animal to a network, and what is in the data."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from canter.neural.training.sources import open_takes as open_takes

if TYPE_CHECKING:
    from rich.console import RenderableType

    from canter.control.takes import Takes
    from canter.neural.dataset import DataSet
    from canter.neural.training.recipe import Network, Recipe

Note = Callable[[str], None]


def breakdown_table(dataset: DataSet) -> RenderableType:
    """Seconds of each label (MANN's Table 1), and the speeds of each gait (Figure 5)."""
    import numpy as np
    from rich import box
    from rich.console import Group
    from rich.table import Table

    from canter.neural.dataset import breakdown

    labels = Table(box=box.SIMPLE_HEAD, pad_edge=False, title="what is told", title_justify="left")
    for name in ("label", "seconds", "frames", "%"):
        labels.add_column(name, justify="left" if name == "label" else "right")
    for label, seconds, frames, share in breakdown(dataset):
        labels.add_row(label, f"{seconds:.1f}", str(frames), f"{100 * share:.2f}")
    gaits = Table(box=box.SIMPLE_HEAD, pad_edge=False, title="speeds of the gaits in m/s", title_justify="left")
    for name in ("gait", "seconds", "5 %", "median", "95 %"):
        gaits.add_column(name, justify="left" if name == "gait" else "right")
    speed, gait = np.abs(dataset.arrays["velocity"]), np.asarray(dataset.arrays["gait"])
    for number, name in enumerate(dataset.gaits):
        own = speed[gait == number]
        if len(own):
            low, middle, high = np.percentile(own, (5, 50, 95))
            seconds = len(own) / dataset.frame_rate
            gaits.add_row(name, f"{seconds:.1f}", f"{low:.2f}", f"{middle:.2f}", f"{high:.2f}")
    return Group(labels, gaits)


def prepare_training(
    output: Path,
    minutes: float,
    network: Network,
    preset: str,
    experts: int,
    units: int | None,
    seed: int,
    threads: int,
) -> Recipe:
    """The recipe of a training, on so many threads; raises before any data is made, which may take minutes."""
    try:
        import torch
    except ImportError:
        raise ImportError("training needs PyTorch; install it with: pip install 'canter[train]'") from None

    from canter.neural.training.learn import check_output
    from canter.neural.training.recipe import PRESETS

    if threads < 0:
        raise ValueError(f"threads must be 1 or more, or 0 for all cores, not {threads}")
    check_output(output, minutes)
    recipe = replace(PRESETS[preset], network=network, experts=experts, seed=seed)
    recipe = recipe if units is None else replace(recipe, units=units)
    torch.set_num_threads(threads or os.cpu_count() or 1)
    return recipe


def train_network(
    takes: Takes,
    output: Path,
    minutes: float,
    recipe: Recipe,
    step: Callable[[int, int], None],
    note: Note,
) -> str:
    """Train a network on takes; what came out, in words."""
    from canter.neural.training.learn import learn
    from canter.neural.training.processes import joined

    cache = Path(os.environ.get("CANTER_CACHE", Path.home() / ".cache" / "canter")) / "datasets"
    with joined() as process:
        quiet = process > 0
        trained = learn(
            takes,
            output,
            recipe,
            minutes,
            cache=cache,
            progress=lambda done, steps, _: None if quiet else step(done, steps),
            note=(lambda _: None) if quiet else note,
        )
    if quiet:
        return ""
    size = output.stat().st_size / 1e6
    return f"{output}: {trained.steps} steps in {trained.seconds / 60:.1f} minutes, {size:.1f} MB"


def export_network(animal: str, folder: Path) -> str:
    """Write a network, or the one that is shipped for an animal, into a folder for engines; what was written."""
    from canter.control.registry import is_animal, load
    from canter.neural.engine.files import write_engine_files
    from canter.neural.mann import BatchMann, shipped

    path = shipped(load(animal), BatchMann.network) if is_animal(animal) else Path(animal)
    if folder.suffix or folder.is_file():
        raise ValueError(f"{folder}: a network is written into a folder")
    return "\n".join(map(str, write_engine_files(path, folder)))
