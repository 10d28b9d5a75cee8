"""From takes to a network in a file: data set, training with checkpoints, ONNX, curve and model card."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from canter.control.takes import Takes
from canter.formats.files import write_atomic
from canter.neural.dataset import DataSet, breakdown, make_dataset
from canter.neural.model import LICENCE
from canter.neural.training.curves import curve_picture
from canter.neural.training.processes import first_alone
from canter.neural.training.recipe import Recipe
from canter.neural.training.trainer import Progress, Trained, Trainer, export

SUFFIX = ".onnx"
CHECKPOINT_SUFFIX = ".checkpoint.npz"

KINDS = {
    "mann": "mode-adaptive network (Zhang et al. 2018)",
    "pfnn": "phase-functioned network (Holden et al. 2017)",
    "vanilla": "plain network of three layers",
    "mixture": "mixture of networks whose outputs are blended (Jacobs et al. 1991)",
}

Note = Callable[[str], None]


def learn(
    takes: Takes,
    output: Path,
    recipe: Recipe,
    minutes: float,
    *,
    cache: Path | None = None,
    progress: Progress = lambda *_: None,
    note: Note = lambda _: None,
) -> Trained:
    """Trains a network on takes for so many minutes and writes `output`, its curve and its card beside it.

    A checkpoint lies beside it too while the training lasts: called again after a stop, it goes on from there.
    """
    check_output(output, minutes)
    note("making the data set")
    with first_alone():
        dataset = make_dataset(takes, folder=cache, seed=recipe.seed)
    checkpoint = output.with_name(output.stem + CHECKPOINT_SUFFIX)
    trainer = Trainer(dataset, recipe, checkpoint)
    if trainer.resume():
        note(f"going on from {checkpoint.name}, {trainer.done} of {trainer.total} steps are done")
    else:
        trainer.plan(minutes)
    trained = trainer.run(progress)
    if trainer.rank > 0:
        return trained
    export(trainer, output)
    write_atomic(output.with_suffix(".curve.json"), json.dumps(list(trained.curve)).encode())
    if picture := curve_picture(trained.curve, output.stem):
        write_atomic(output.with_suffix(".curve.png"), picture)
    write_atomic(output.with_suffix(".md"), model_card(output.stem, dataset, recipe, trained).encode())
    checkpoint.unlink(missing_ok=True)
    return trained


def check_output(output: Path, minutes: float) -> None:
    """Raise ValueError where a training could not be written, or has no time: asked before the data is made."""
    if output.suffix.lower() != SUFFIX:
        raise ValueError(f"{output}: networks are written as {SUFFIX}")
    if not output.parent.is_dir():
        raise ValueError(f"{output}: there is no folder {output.parent}; make it first")
    if not 0 < minutes < math.inf:
        raise ValueError(f"minutes must be above 0 and finite, not {minutes}")


def model_card(name: str, dataset: DataSet, recipe: Recipe, trained: Trained) -> str:
    """What a network is, what it was trained on and how, for whoever finds the file."""
    layout, about = dataset.layout, dataset.about
    last: Mapping[str, Any] = trained.curve[-1] if trained.curve else {}
    validation = ", ".join(f"{key} {value:.4f}" for key, value in last.get("validation", {}).items()) or "none"
    mixes = recipe.network in ("mann", "mixture")
    size = f"{recipe.experts} experts of {recipe.units} units" if mixes else f"{recipe.units} units"
    twice = " and their mirror images" if about["mirrored"] else ""
    rows = "\n".join(f"| {label} | {s:.0f} | {100 * share:.1f} |" for label, s, _, share in breakdown(dataset))
    return f"""# {name}

A {KINDS[recipe.network]} that moves the {about["character"]}: {size},
{layout.input_size} inputs, {len(layout.body)} joints at {dataset.frame_rate:g} frames a second.

- Data: {about["minutes"]:.1f} minutes{twice}; {json.dumps(about["provenance"])}
- Training: {trained.steps} steps in {trained.seconds / 60:.0f} minutes on {torch.get_num_threads()} thread(s),
  seed {recipe.seed}
- Losses on takes that were held back, over {recipe.stages[-1].frames} frames: {validation}
- Licence: {LICENCE}
- Recipe: `{json.dumps(recipe.fields())}`

| told | seconds | % |
| --- | --- | --- |
{rows}
"""
