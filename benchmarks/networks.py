"""How fast networks run and are trained: MANN against NumPy in the same run, whole frames of a controller against
`gaits` and motion matching, batches of animals on two cores, sizes of files, and samples a second of two formulations.

`python -P benchmarks/networks.py` measures only this; it needs the extra `train`. Weights are untrained where only the
time counts, which does not depend on them. Times are processor time of one thread, taken in turns, the median; only
ratios count.
"""

from __future__ import annotations

import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from canter.control.batch import BatchCommand, BatchController
from canter.control.command import Command
from canter.control.registry import load, make_batch
from canter.neural.mann import MODELS
from canter.neural.model import Contract, Model, Prediction

UNITS, EXPERTS = 512, 8
NETWORK_GOAL, INT8_GOAL, STEP_GOAL, MEGABYTES_GOAL = 1.0, 0.25, 1.5, 12.0
FOUR_GOAL, EIGHT_GOAL = 60.0, 30.0
"""Frames a second of 256 animals on two cores, for four and for eight experts."""
TRAINING_GOAL = 5.0
ANIMALS, PROCESSES = 256, 2
MATCHING_MINUTES = 3.0
"""Of improvised motion that motion matching searches; its cost grows with it."""
TRAINING_BATCH = 128
TURN = 10
"""Calls of one work before it is the turn of the next."""


class Figure(NamedTuple):
    """What was measured, in words and numbers, and whether a goal is met (None: there is none)."""

    what: str
    measured: str
    goal: str = ""
    met: bool | None = None


def main() -> int:
    try:
        import torch
    except ImportError:
        print("networks are not measured: `pip install 'canter[train]'` gets PyTorch")
        return 0
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        figures = [*networks(Path(folder)), *frames(), *sizes(Path(folder)), *training(), *batches(Path(folder))]
    show(figures)
    return 0 if all(figure.met is not False for figure in figures) else 1


# Networks ----------------------------------------------------------------------------------------


def shipped_contract() -> Contract:
    return Model(MODELS / "dog_mann.onnx").contract


def make_step(experts: int, units: int) -> Any:
    """An untrained step of the dog."""
    import torch

    from canter.neural.networks import Mann
    from canter.neural.step import Normalisation, Step

    torch.manual_seed(0)
    layout = shipped_contract().layout
    inputs, gating = Step.network_inputs(layout)
    network = Mann(inputs, Step.output_size(layout), gating, units, experts)
    zero, one = np.zeros(layout.input_size, np.float32), np.ones(layout.input_size, np.float32)
    return Step(network, layout, Normalisation(zero, one, zero[:3], one[:3]), 0.9)


def write_untrained(step: Any, path: Path, precision: Any = "mixed") -> Path:
    """Writes an untrained step, as canter writes trained ones unless a precision is said, if it is not there yet."""
    from canter.neural.export import write_model

    if not path.is_file():
        write_model(step, replace(shipped_contract(), experts=step.network.experts), path, precision)
    return path


def blend_first(step: Any) -> Callable[[np.ndarray], np.ndarray]:
    """The baseline in NumPy: the weights of experts are blended by one product, then multiplied with the input
    `(inputs,)` (MANN, equation 1, as printed)."""
    network, gating = step.network, step.gating.numpy()
    gate = [(layer.weight.detach().numpy(), layer.bias.detach().numpy()) for layer in list(network.gate)[::2]]
    layers = []
    for layer in network.layers:
        weight, bias = layer.weight.detach().numpy(), layer.bias.detach().numpy()
        experts, outputs = bias.shape
        layers.append((np.ascontiguousarray(weight.reshape(experts, -1)), bias, (len(weight) // experts, outputs)))

    def elu(x: np.ndarray) -> np.ndarray:
        return np.where(x > 0, x, np.expm1(np.minimum(x, 0)))

    def run(x: np.ndarray) -> np.ndarray:
        seen = x[gating]
        for k, (weight, bias) in enumerate(gate):
            seen = weight @ seen + bias
            seen = elu(seen) if k < len(gate) - 1 else seen
        blend = np.exp(seen - seen.max())
        blend /= blend.sum()
        for k, (weight, bias, shape) in enumerate(layers):
            x = x @ (blend @ weight).reshape(shape) + blend @ bias
            x = elu(x) if k < len(layers) - 1 else x
        return x

    return run


def networks(folder: Path, times: int = 150) -> list[Figure]:
    """One frame of MANN with eight experts of 512 units: NumPy, in full precision, in integers and as it is shipped."""
    import torch

    step = make_step(EXPERTS, UNITS).eval()
    plain, small, shipped = (
        Model(write_untrained(step, folder / f"mann8.{precision}.onnx", precision))
        for precision in ("full", "integers", "mixed")
    )
    layout, baseline = plain.contract.layout, blend_first(step)
    random = np.random.default_rng(0)
    x = random.standard_normal(layout.input_size).astype(np.float32)
    with torch.no_grad():
        wanted = step.network(torch.tensor(x[None]), torch.tensor(x[None, step.gating.numpy()]), torch.ones(EXPERTS))
    assert np.allclose(baseline(x), wanted[0][0].numpy(), atol=1e-3)
    feeds = x[None, : layout.trajectory_size], x[None, layout.trajectory_size :], np.ones(EXPERTS, np.float32)
    one, *others = (model.predict(*feeds).joints for model in (plain, small, shipped))
    errors = [f"{100 * np.linalg.norm(other - one) / np.linalg.norm(one):.2f} % error a frame" for other in others]
    works = (lambda: baseline(x), *(lambda model=model: model.predict(*feeds) for model in (plain, small, shipped)))
    numpy, ours, integers, mixed = in_turns(works, times)
    cold = in_turns(works, times, warm=False)
    what = f"network, {EXPERTS} experts of {UNITS}"
    return [
        Figure(f"{what}: NumPy, weights blended first", f"{numpy * 1e3:.2f} ms"),
        ratio(f"{what}: ONNX Runtime, kinematics included", ours, numpy, NETWORK_GOAL),
        ratio(f"{what}: experts in int8 ({errors[0]})", integers, numpy, INT8_GOAL),
        ratio(f"{what}: as it is shipped, the last layer in half precision ({errors[1]})", mixed, numpy),
        Figure(f"{what}: NumPy, cold cache", f"{cold[0] * 1e3:.2f} ms"),
        ratio(f"{what}: ONNX Runtime, cold cache", cold[1], cold[0]),
        ratio(f"{what}: experts in int8, cold cache", cold[2], cold[0]),
    ]


def sizes(folder: Path) -> list[Figure]:
    """Megabytes of the shipped networks and of the untrained one."""
    untrained = folder / "mann8.mixed.onnx"
    files = [*sorted(MODELS.glob("*.onnx")), untrained]
    made = {untrained: f"{EXPERTS} experts of {UNITS}"}
    return [
        Figure(
            f"file: {made.get(path, path.stem)}",
            f"{path.stat().st_size / 1e6:.1f} MB",
            f"≤ {MEGABYTES_GOAL:g} MB",
            path.stat().st_size <= 1e6 * MEGABYTES_GOAL,
        )
        for path in files
    ]


# Controllers -------------------------------------------------------------------------------------


def frames(times: int = 600) -> list[Figure]:
    """A whole frame of one dog while speed and heading change: the shipped network, motion matching, and `gaits`."""
    from canter.control.batch import Single
    from canter.control.improvise import TEACHING, improvise
    from canter.neural.controller import TrajectoryController
    from canter.neural.dataset import make_dataset
    from canter.neural.matching import MotionMatching

    dog = load("dog")
    data = make_dataset(improvise(dog, MATCHING_MINUTES, 0, repertoire=TEACHING))
    matching = TrajectoryController(dog, 1, predictor=MotionMatching(data))
    controllers = [dog.controller("gaits"), dog.controller("mann"), Single(matching)]
    turns = [told(times) for _ in controllers]
    works = [lambda c=c, t=t: c.step(next(t)) for c, t in zip(controllers, turns, strict=True)]
    gaits, mann, matched = in_turns(works, times)
    return [
        Figure("a frame of one dog: gaits", f"{gaits * 1e3:.2f} ms"),
        ratio("a frame of one dog: mann, 4 experts", mann, gaits, STEP_GOAL),
        ratio(f"a frame of one dog: matching in {MATCHING_MINUTES:g} minutes", matched, gaits),
    ]


def told(times: int) -> Any:
    """Commands of changing speed and heading, enough for those that are not timed too."""
    count = times + times // TURN + TURN
    return iter([Command(speed=4.5 * (k // 100 % 4) / 4, heading=0.5 * (k // 150 % 2)) for k in range(count)])


class Untrained:
    """A predictor that runs an untrained network, whose motion nobody could go on from, and gives that of the shipped
    one; `aside` are the seconds that the shipped one took."""

    def __init__(self, network: Model, shipped: Model) -> None:
        self._network, self._shipped, self.contract = network, shipped, shipped.contract
        self._on, self.aside = np.ones(network.contract.experts, np.float32), 0.0

    def predict(self, trajectory: np.ndarray, joints: np.ndarray, enabled: np.ndarray) -> Prediction:
        self._network.predict(trajectory, joints, self._on)
        began = time.process_time()
        prediction = self._shipped.predict(trajectory, joints, enabled)
        self.aside += time.process_time() - began
        return prediction


def batch_seconds(count: int, path: Path | None, steps: int = 40) -> float:
    """Seconds of processor time of a frame of `count` dogs at all speeds: the shipped network of four experts, or the
    untrained one in a file."""
    from canter.neural.controller import TrajectoryController

    dog = load("dog")
    predictor = None if path is None else Untrained(Model(path), Model(MODELS / "dog_mann.onnx"))
    batch: BatchController = (
        make_batch("mann", dog, count) if predictor is None else TrajectoryController(dog, count, predictor=predictor)
    )
    command = BatchCommand.make(np.linspace(0, 4.5, count), np.linspace(-1, 1, count))
    for _ in range(5):
        batch.step(command)
    seconds = []
    for _ in range(steps):
        aside = predictor.aside if predictor else 0.0
        began = time.process_time()
        batch.step(command)
        spent = time.process_time() - began
        seconds.append(spent - ((predictor.aside - aside) if predictor else 0.0))
    return statistics.median(seconds)


def batches(folder: Path) -> list[Figure]:
    """Frames a second of 256 dogs, half of them in each of two processes that run at the same time."""
    from canter.neural.training.recipe import Recipe

    units = Recipe().units
    eight = write_untrained(make_step(8, units), folder / "eight.onnx")
    figures = []
    context = multiprocessing.get_context("spawn")  # a fork would inherit PyTorch's threads
    with context.Pool(PROCESSES) as pool:
        for name, path, goal in (("4 experts", None, FOUR_GOAL), (f"8 experts of {units}", eight, EIGHT_GOAL)):
            slowest = max(pool.starmap(batch_seconds, [(ANIMALS // PROCESSES, path)] * PROCESSES, chunksize=1))
            rate = 1 / slowest
            what = f"{ANIMALS} dogs on {PROCESSES} cores: mann, {name}"
            figures.append(Figure(what, f"{rate:.0f} frames/s", f"≥ {goal:g} frames/s", rate >= goal))
    return figures


# Training ----------------------------------------------------------------------------------------


def training(times: int = TURN) -> list[Figure]:
    """Samples a second, forwards and backwards, of all experts as one product, and of weights blended for each sample
    (as in mann-pytorch), at the same size and batch."""
    import torch

    network = make_step(4, UNITS).network
    inputs = len(network.layers[0].weight) // 4
    x = torch.randn(TRAINING_BATCH, inputs)
    seen, on = x[:, : network.gate[0].in_features], torch.ones(4)

    def per_sample() -> torch.Tensor:
        blend = torch.softmax(network.gate(seen), dim=1)
        y = x.unsqueeze(1)
        for k, layer in enumerate(network.layers):
            weight = layer.weight.reshape(4, -1, layer.weight.shape[1])
            blended = torch.einsum("nk,kio->nio", blend, weight)
            y = torch.bmm(y, blended) + (blend @ layer.bias).unsqueeze(1)
            y = torch.nn.functional.elu(y) if k < 2 else y
        return y.squeeze(1)

    def all_experts() -> torch.Tensor:
        return network(x, seen, on)[0]

    assert torch.allclose(per_sample(), all_experts(), atol=1e-3)

    def learn(forward: Callable[[], torch.Tensor]) -> None:
        network.zero_grad()
        forward().square().mean().backward()

    theirs, ours = in_turns((lambda: learn(per_sample), lambda: learn(all_experts)), times)
    what = f"training, 4 experts of {UNITS}, batch {TRAINING_BATCH}"
    return [
        Figure(f"{what}: weights blended for each sample", f"{TRAINING_BATCH / theirs:,.0f} samples/s"),
        Figure(
            f"{what}: all experts in one product",
            f"{TRAINING_BATCH / ours:,.0f} samples/s, {theirs / ours:.1f}×",
            f"≥ {TRAINING_GOAL:g}×",
            theirs / ours >= TRAINING_GOAL,
        ),
    ]


# Figures -----------------------------------------------------------------------------------------


def in_turns(works: Sequence[Callable[[], object]], times: int, warm: bool = True) -> list[float]:
    """The median seconds of processor time of each work; they take turns, so that what disturbs meets them alike.

    Warm, a turn is some calls after one that does not count: each finds its own numbers in the cache. Otherwise it is
    one call, before which the others have filled the cache with theirs.
    """
    seconds: list[list[float]] = [[] for _ in works]
    turn = TURN if warm else 1
    for _ in range(-(-times // turn)):
        for work, own in zip(works, seconds, strict=True):
            if warm:
                work()
            for _ in range(turn):
                began = time.process_time()
                work()
                own.append(time.process_time() - began)
    return [statistics.median(own) for own in seconds]


def ratio(what: str, seconds: float, baseline: float, goal: float | None = None) -> Figure:
    """A time and its ratio to a baseline, which shall be at most the goal."""
    share = seconds / baseline
    measured = f"{seconds * 1e3:.2f} ms, {share:.2f}×"
    return Figure(what, measured) if goal is None else Figure(what, measured, f"≤ {goal:g}×", share <= goal)


def show(figures: Sequence[Figure]) -> None:
    table = Table(title="networks, one thread", title_justify="left")
    table.add_column("what")
    for title in ("measured", "goal", ""):
        table.add_column(title, justify="right")
    for figure in figures:
        met = "" if figure.met is None else "met" if figure.met else "missed"
        table.add_row(figure.what, figure.measured, figure.goal, met)
    Console(width=120 if not sys.stdout.isatty() else None).print(table)


if __name__ == "__main__":
    sys.exit(main())
