"""The networks of the tables, trained alike: the same data and minutes, on one thread, and but for those that learn as
the paper did the same recipe.

A network is kept in the cache folder with its checkpoint beside it while it trains, so that a training that was stopped
goes on; none is a part of canter.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from canter.evaluation.mann.subjects import Subject, cache_folder
from canter.motion.arrays import Bools
from canter.neural.dataset import ARRAYS, DataSet

COMPARISON_MINUTES = 6.0
"""Minutes of processor time that each network of a table is trained, on one thread: what else runs on the computer
costs it few steps, where minutes of a clock would cost it many."""
UNITS = 256
"""Hidden units of an expert."""
WIDE_UNITS = 2048
"""Those of the paper's vanilla network."""
SEEDS = (0, 1, 2)
TURN_RATE, TURN_SECONDS = 0.25, 0.5
"""The mean yaw rate in rad/s over so many seconds from which a trot turns."""

Note = Callable[[str], None]


@dataclass(frozen=True)
class Network:
    """A network of the tables: its recipe's fields, the seeds that it is trained with, and whether turns at a trot are
    left out of its data. `units` of 0 are as many as give the parameters of MANN with four experts. With the preset
    `paper` it is trained as the paper did, every frame by itself."""

    name: str
    network: str
    experts: int = 4
    units: int = UNITS
    gating: str = "velocities"
    seeds: tuple[int, ...] = (0,)
    without_trot_turns: bool = False
    preset: str = "canter"


NETWORKS = (
    Network("mann4", "mann", 4, seeds=SEEDS),
    Network("mann8", "mann", 8, seeds=SEEDS),
    Network("pfnn", "pfnn", seeds=SEEDS),
    Network("vanilla", "vanilla", units=0, seeds=SEEDS),
    Network("vanilla_wide", "vanilla", units=WIDE_UNITS),
    Network("mixture", "mixture"),
    Network("gating_input", "mann", gating="input"),
    Network("gating_positions", "mann", gating="positions"),
    Network("gating_both", "mann", gating="both"),
    Network("gating_rotations", "mann", gating="rotations"),
    Network("no_trot_turns", "mann", without_trot_turns=True),
    Network("mann8_paper", "mann", 8, units=512, preset="paper"),
    Network("pfnn_paper", "pfnn", units=512, preset="paper"),
    Network("vanilla_paper", "vanilla", units=WIDE_UNITS, preset="paper"),
)
"""All networks that `--retrain` trains; what the gate sees in `mann4` are the velocities of the feet."""


@dataclass(frozen=True)
class Training:
    """One network with one seed, trained for so many minutes, or for the `steps` that these were elsewhere."""

    network: Network
    seed: int
    minutes: float = field(default=COMPARISON_MINUTES)
    steps: int | None = None

    @property
    def name(self) -> str:
        return f"{self.network.name}-{self.seed}"


def trainings(only: str | None = None, minutes: float | None = None) -> list[Training]:
    """All trainings, those of networks with several seeds first, and first seeds first; or the ones called `only`."""
    time = COMPARISON_MINUTES if minutes is None else minutes
    every = [Training(network, seed, time) for seed in SEEDS for network in NETWORKS if seed in network.seeds]
    every.sort(key=lambda one: len(one.network.seeds), reverse=True)
    chosen = [one for one in every if only is None or only in (one.name, one.network.name)]
    if not chosen:
        names = ", ".join(network.name for network in NETWORKS)
        raise ValueError(f"no network of the tables is called {only!r}; there are: {names}, each also with -SEED")
    return chosen


def equal_units(inputs: int, outputs: int, experts: int = 4, units: int = UNITS) -> int:
    """The hidden units of one plain network of three layers with as many parameters as so many experts."""
    wanted = experts * (inputs * units + units * units + units * outputs + 2 * units + outputs)
    b = inputs + outputs + 2
    return round((-b + math.sqrt(b * b + 4 * (wanted - outputs))) / 2)


def recipe_of(training: Training, dataset: DataSet) -> Any:
    """The recipe of a training; all but the network, its size, gate and seed is that of its preset."""
    from canter.neural.step import Step
    from canter.neural.training.recipe import PRESETS, Recipe

    one, layout = training.network, dataset.layout
    units = one.units or equal_units(layout.input_size, Step.output_size(layout))
    own = {"network": one.network, "experts": one.experts, "units": units, "gating": one.gating, "seed": training.seed}
    return Recipe.of(PRESETS[one.preset].fields() | own)


def data_of(training: Training, subject: Subject) -> DataSet:
    """What a network is trained on."""
    if not training.network.without_trot_turns:
        return subject.dataset
    return without_frames(subject.dataset, trot_turns(subject.dataset), "turns at a trot")


def trot_turns(dataset: DataSet) -> Bools:
    """The frames `(T,)` in which an animal trots and turns."""
    yaw = np.asarray(dataset.arrays["yaw"], np.float64)
    same = dataset.clip_of[1:] == dataset.clip_of[:-1]
    rate = np.where(same, np.diff(yaw), 0.0) * dataset.frame_rate
    window = max(round(TURN_SECONDS * dataset.frame_rate), 1)
    mean = np.convolve(np.append(rate, 0.0), np.ones(window) / window, "same")
    trots = np.asarray(dataset.arrays["gait"]) == (dataset.gaits.index("trot") if "trot" in dataset.gaits else -1)
    result: Bools = trots & (np.abs(mean) > TURN_RATE)
    return result


def without_frames(dataset: DataSet, left_out: Bools, reason: str) -> DataSet:
    """A data set without the frames `left_out (T,)`: clips are cut there."""
    cut = np.flatnonzero(np.diff(left_out.astype(np.int8), prepend=0)) if left_out.any() else np.zeros(0, int)
    borders = np.unique(np.concatenate([dataset.starts, cut]))
    pieces = [(a, b) for a, b in itertools.pairwise(borders) if not left_out[a]]
    kept = np.concatenate([np.arange(a, b) for a, b in pieces])
    held = dataset.held[dataset.clip_of[[a for a, _ in pieces]]]
    about = dataset.about | {"hash": _digest(dataset.about["hash"], reason, int(left_out.sum())), "without": reason}
    return replace(
        dataset,
        starts=np.concatenate([[0], np.cumsum([b - a for a, b in pieces])]),
        held=held,
        arrays={name: np.asarray(dataset.arrays[name])[kept] for name in ARRAYS},
        about=about,
    )


def _digest(*values: Any) -> str:
    return hashlib.sha256(repr(values).encode()).hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class Made:
    """A trained network: its file, recipe, steps, seconds and losses on what was held back."""

    path: Path
    recipe: Mapping[str, Any]
    steps: int
    seconds: float
    parameters: int
    validation: Mapping[str, float]


def train(training: Training, subject: Subject, note: Note = lambda _: None) -> Made:
    """Trains a network, or finds it trained already, in the cache folder."""
    import torch

    from canter.formats.files import write_atomic
    from canter.neural.model import layout_of
    from canter.neural.training.trainer import Trainer, export

    torch.set_num_threads(1)
    dataset = data_of(training, subject)
    recipe = recipe_of(training, dataset)
    gaits = layout_of(dataset, recipe.network, recipe.gating).gaits
    key = _digest(dataset.about["hash"], json.dumps(recipe.fields(), sort_keys=True), training.minutes, *gaits)
    folder = cache_folder() / "networks"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{training.name}-{key}.onnx"
    notes = path.with_suffix(".json")
    if not (path.is_file() and notes.is_file()):
        trainer = Trainer(dataset, recipe, path.with_suffix(".checkpoint.npz"))
        if trainer.resume():
            note(f"{training.name}: going on after {trainer.done} of {trainer.total} steps")
        else:
            trainer.plan(training.minutes, time.process_time)
            minutes = training.minutes
            if training.steps is not None:
                minutes, trainer.total = minutes * training.steps / trainer.total, training.steps
            note(f"{training.name}: {trainer.total} steps in about {minutes:.3g} minutes")
        trained = trainer.run()
        export(trainer, path)
        count = sum(p.numel() for p in trainer.network.parameters())
        about = {"steps": trained.steps, "seconds": trained.seconds, "parameters": count, "curve": trained.curve}
        write_atomic(notes, json.dumps(about).encode())
        path.with_suffix(".checkpoint.npz").unlink(missing_ok=True)
    about = json.loads(notes.read_text("utf-8"))
    last = about["curve"][-1].get("validation", {}) if about["curve"] else {}
    return Made(path, recipe.fields(), about["steps"], about["seconds"], about["parameters"], last)
