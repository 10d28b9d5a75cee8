"""One training loop for all networks: steps of a recipe, checkpoints, curves, and the finished ONNX.

A training that was stopped goes on from its last checkpoint; the steps that it takes are fixed when it begins, so that
it ends where it would have. Under `torchrun` every process takes its share of each batch.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import distributed, nn

from canter.motion.arrays import Ints
from canter.neural.dataset import DataSet
from canter.neural.export import write_model
from canter.neural.layout import Layout
from canter.neural.model import contract_of, layout_of
from canter.neural.networks import Mann, OutputMixture, Pfnn, Vanilla
from canter.neural.step import Step
from canter.neural.training.checkpoint import (
    optimizer_tensors,
    read_checkpoint,
    restore_network,
    restore_optimizer,
    write_checkpoint,
)
from canter.neural.training.muon import Muon
from canter.neural.training.recipe import Recipe
from canter.neural.training.sampling import Sampler
from canter.neural.training.unrolled import Frames, Unrolled, measure

EPOCH_STEPS = 200
"""Steps between checkpoints, which also validate."""
MEASURED_FRAMES = 20_000
"""Frames that the normalisation is measured on."""
VALIDATION_STRETCHES, VALIDATION_FRAMES = 256, 24
TIMED_STEPS = 3
"""Steps of each stage by which the steps of a training of so many minutes are reckoned."""

Progress = Callable[[int, int, Mapping[str, float]], None]


@dataclass(frozen=True, eq=False)
class Trained:
    """What came out: the step, and the loss of every epoch (step, unroll, parts in training and validation)."""

    step: Step
    curve: tuple[Mapping[str, Any], ...]
    seconds: float
    steps: int


def make_network(recipe: Recipe, layout: Layout) -> nn.Module:
    """The untrained network of a recipe."""
    inputs, gating = Step.network_inputs(layout)
    outputs, units, dropout = Step.output_size(layout), recipe.units, recipe.dropout
    match recipe.network:
        case "mann":
            return Mann(inputs, outputs, gating, units, recipe.experts, dropout)
        case "mixture":
            return OutputMixture(inputs, outputs, gating, units, recipe.experts, dropout)
        case "pfnn":
            return Pfnn(inputs, outputs, units, dropout)
        case _:
            return Vanilla(inputs, outputs, units, dropout)


def make_optimizers(recipe: Recipe, network: nn.Module) -> dict[str, torch.optim.Optimizer]:
    """What takes the steps of a recipe, by name: Muon those of the matrices of layers, AdamW all others."""
    rate, decay = recipe.learning_rate, recipe.weight_decay
    matrices = {
        name: p
        for name, p in network.named_parameters()
        if recipe.optimizer == "muon" and p.ndim > 1 and name.split(".")[0] in ("layers", "weights")
    }
    others = [p for name, p in network.named_parameters() if name not in matrices]
    made: dict[str, torch.optim.Optimizer] = {}
    if others:
        made["adamw"] = torch.optim.AdamW(others, lr=rate, weight_decay=decay)
    if matrices:
        made["muon"] = Muon(matrices.values(), rate, decay)
    return made


class Trainer:
    """Trains one network on one data set."""

    def __init__(self, dataset: DataSet, recipe: Recipe, checkpoint: Path | None = None) -> None:
        dataset = replace(dataset, layout=layout_of(dataset, recipe.network, recipe.gating))
        self.dataset, self.recipe, self.path = dataset, recipe, checkpoint
        self.rank, self.processes = 0, 1
        if distributed.is_available() and distributed.is_initialized():
            self.rank, self.processes = distributed.get_rank(), distributed.get_world_size()
        torch.manual_seed(recipe.seed)
        self.frames = Frames(dataset)
        self._samplers: dict[int, Sampler] = {}
        calm = self._sampler(1).draw(np.random.default_rng(recipe.seed), MEASURED_FRAMES)
        self.normalisation = measure(self.frames, calm)
        self.network = make_network(recipe, dataset.layout)
        self.step = Step(self.network, dataset.layout, self.normalisation, recipe.damping)
        self.random = np.random.default_rng([recipe.seed, self.rank])
        self.generator = torch.Generator().manual_seed(recipe.seed * 1000 + self.rank)
        self.unrolled = Unrolled(self.frames, self.step, recipe.disturbance, recipe.weights, self.generator)
        self.optimizers = make_optimizers(recipe, self.network)
        self.done, self.total, self.seconds = 0, 0, 0.0
        self.curve: list[dict[str, Any]] = []

    def _sampler(self, length: int) -> Sampler:
        if length not in self._samplers:
            self._samplers[length] = Sampler(self.dataset, length)
        return self._samplers[length]

    def plan(self, minutes: float, clock: Callable[[], float] = time.perf_counter) -> None:
        """Fixes the precision of products and the number of steps that fill so many minutes of a clock in seconds, by
        timing a few steps of every stage: some processors take products twice as fast in bfloat16, others a hundred
        times more slowly."""
        state = self.random.bit_generator.state, self.generator.get_state()
        weights = {name: value.clone() for name, value in self.network.state_dict().items()}
        whole = self._step_seconds(self.recipe.stages[0].frames, clock)
        self._reduce(True)
        self._reduce(self._step_seconds(self.recipe.stages[0].frames, clock, whole) < whole)
        per_step, last = 0.0, 0.0
        for stage in self.recipe.stages:
            per_step += (stage.until - last) * self._step_seconds(stage.frames, clock)
            last = stage.until
        self.random.bit_generator.state = state[0]
        self.generator.set_state(state[1])
        self.network.load_state_dict(weights)
        self.optimizers = make_optimizers(self.recipe, self.network)
        self.total = max(round(minutes * 60 / per_step), 1)
        if self.processes > 1:
            total = torch.tensor(self.total)
            distributed.broadcast(total, 0)
            reduced = torch.tensor(int(self.step.reduced))
            distributed.broadcast(reduced, 0)
            self.total = int(total)
            self._reduce(bool(reduced))
        self._reduce(self.step.reduced)  # the optimizers are new

    def _reduce(self, reduced: bool) -> None:
        """Takes products in bfloat16, or not."""
        self.step.reduced = reduced
        if isinstance(muon := self.optimizers.get("muon"), Muon):
            muon.precision = torch.bfloat16 if reduced else torch.float32

    def _step_seconds(self, length: int, clock: Callable[[], float], enough: float = math.inf) -> float:
        """Seconds of a step over `length` frames, the median of some; not timed further once one takes longer than
        `enough`, after a first one that warms up."""
        seconds = []
        for k in range(1 + TIMED_STEPS):
            began = clock()
            self._gradients(length)
            for optimizer in self.optimizers.values():
                optimizer.step()
            seconds.append(clock() - began)
            if k > 0 and seconds[-1] > 2 * enough:
                break
        return float(np.median(seconds[1:]))

    def resume(self) -> bool:
        """Goes on from the checkpoint, if there is one of the same recipe and data."""
        if self.path is None or not self.path.is_file():
            return False
        tensors, notes = read_checkpoint(self.path)
        made = json.loads(json.dumps({"recipe": self.recipe.fields(), "data": self.dataset.about["hash"]}))
        if notes.get("made_of") != made:
            raise ValueError(
                f"{self.path}: this checkpoint was made with another recipe or other data; delete it to begin anew"
            )
        restore_network(self.path, self.network, tensors)
        for name, optimizer in self.optimizers.items():
            restore_optimizer(optimizer, tensors, name)
        self.generator.set_state(tensors["generator"])
        self.random.bit_generator.state = notes["random"]
        self.done, self.total, self.seconds = notes["done"], notes["total"], notes["seconds"]
        self._reduce(notes.get("reduced", False))
        self.curve = notes["curve"]
        return True

    def run(self, progress: Progress = lambda *_: None) -> Trained:
        """Takes all steps that are left."""
        sums: dict[str, float] = {}
        began, counted = time.perf_counter(), 0
        while self.done < self.total:
            share = self.done / self.total
            length = self.recipe.frames_at(share)
            for optimizer in self.optimizers.values():
                for group in optimizer.param_groups:
                    group["lr"] = self.recipe.rate_at(share)
            parts = self._gradients(length)
            nn.utils.clip_grad_norm_(self.network.parameters(), self.recipe.max_gradient)
            for optimizer in self.optimizers.values():
                optimizer.step()
            self.done += 1
            counted += 1
            for name, value in parts.items():
                sums[name] = sums.get(name, 0.0) + value
            if self.done % EPOCH_STEPS == 0 or self.done == self.total:
                now = time.perf_counter()
                self.seconds += now - began
                means = {name: value / counted for name, value in sums.items()}
                if not all(math.isfinite(value) for value in means.values()):
                    raise FloatingPointError(f"the loss is no number any more after {self.done} steps")
                self.curve.append(
                    {"step": self.done, "frames": length, "training": means, "validation": self.validate()}
                )
                self._save()
                sums, counted, began = {}, 0, time.perf_counter()
            progress(self.done, self.total, parts)
        return Trained(self.step, tuple(self.curve), self.seconds, self.total)

    def _gradients(self, length: int) -> dict[str, float]:
        """Puts the gradients of one batch into the network; the parts of its loss."""
        count = max(self.recipe.stretches_of(length) // self.processes, 1)
        parts = self.unrolled.loss(self._sampler(length).draw(self.random, count), length)
        self.network.zero_grad()
        self.unrolled.total(parts).backward()  # type: ignore[no-untyped-call]
        if self.processes > 1:
            for parameter in self.network.parameters():
                if parameter.grad is not None:
                    distributed.all_reduce(parameter.grad)
                    parameter.grad /= self.processes
        return {name: float(value.detach()) for name, value in parts.items()}

    def validate(self) -> dict[str, float]:
        """The parts of the loss on clips that are held back; empty where there are none."""
        if not self.dataset.held.any():
            return {}
        random, state, reduced = np.random.default_rng(1), self.generator.get_state(), self.step.reduced
        self.generator.manual_seed(1)
        self.step.reduced = False
        starts: Ints = Sampler(self.dataset, VALIDATION_FRAMES, held=True).draw(random, VALIDATION_STRETCHES)
        self.network.eval()
        with torch.no_grad():
            parts = self.unrolled.loss(starts, VALIDATION_FRAMES)
        self.network.train()
        self.generator.set_state(state)
        self.step.reduced = reduced
        return {name: float(value) for name, value in parts.items()}

    def _save(self) -> None:
        if self.path is None or self.rank > 0:
            return
        tensors = {f"network.{name}": value for name, value in self.network.state_dict().items()}
        for name, optimizer in self.optimizers.items():
            tensors |= optimizer_tensors(optimizer, name)
        tensors["generator"] = self.generator.get_state()
        notes = {
            "made_of": {"recipe": self.recipe.fields(), "data": self.dataset.about["hash"]},
            "random": self.random.bit_generator.state,
            "done": self.done,
            "total": self.total,
            "seconds": self.seconds,
            "reduced": self.step.reduced,
            "curve": self.curve,
        }
        write_checkpoint(self.path, tensors, notes)


def export(trainer: Trainer, path: Path) -> None:
    """Writes the network of a trainer as ONNX."""
    experts: Any = trainer.network.experts
    about = {
        "recipe": trainer.recipe.fields(),
        "steps": trainer.done,
        "training_seconds": trainer.seconds,
        "precision": "bfloat16" if trainer.step.reduced else "float32",
    }
    trainer.step.reduced = False
    write_model(trainer.step, contract_of(trainer.dataset, experts, about), path)
