"""Many trainings out of one table: other seeds, networks, experts, units or presets, one after the other or on Ray.

Every run writes its network, card and curve, and last of all a result record. A run that has a record is finished and
is skipped, so that a sweep that was stopped, or got more runs, is simply called again; one that was stopped goes on
from its checkpoint.
"""

from __future__ import annotations

import json
import math
import os
import re
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from canter.formats.files import write_atomic

if TYPE_CHECKING:
    from canter.control.takes import Takes
    from canter.neural.training.recipe import Network, Recipe

RECORD_SUFFIX = ".json"
FORMAT = 1
MAX_RUNS = 1000
MAX_BYTES = 1_000_000
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
HEAD = ("defaults", "run")

Note = Callable[[str], None]


@dataclass(frozen=True)
class Run:
    """One training: what is learned from, by which network, for how long.

    `sources` are as those of `canter train`: a .takes file, clips, or an animal that improvises for `data_minutes` with
    `data_seed`, which stays the same over a sweep so that all runs share their data. `units` are those of the preset if
    None. `threads` are those of PyTorch.
    """

    name: str
    sources: tuple[str, ...]
    network: str = "mann"
    preset: str = "canter"
    experts: int = 4
    units: int | None = None
    minutes: float = 20.0
    seed: int = 0
    data_minutes: float = 180.0
    data_seed: int = 0
    frame_rate: float = 60.0
    threads: int = 1

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} is no name of a run: letters, digits, '_', '-' and '.'")
        if not self.sources:
            raise ValueError(f"{self.name}: `sources` must name takes, clips or an animal")
        for field in ("minutes", "data_minutes", "frame_rate", "threads"):
            if not 0 < getattr(self, field) < math.inf:
                raise ValueError(f"{self.name}: `{field}` must be above 0, not {getattr(self, field)}")
        if self.seed < 0 or self.data_seed < 0:
            raise ValueError(f"{self.name}: seeds must not be negative")


@dataclass(frozen=True)
class Result:
    """What became of a run: its record, or why there is none; `skipped` if it was finished before."""

    run: Run
    record: Mapping[str, Any] | None
    skipped: bool = False
    error: str = ""


def read_sweep(path: Path) -> tuple[Run, ...]:
    """The runs of a TOML file: a table `[defaults]`, then `[[run]]` for each, whose values replace the defaults.

    A run whose `seed` is a list is as many runs. A run without a name is called after what differs from the defaults.
    Sources are sought beside the file. Raises ValueError with the file's name and the run's number.
    """
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"{path}: {path.stat().st_size} bytes are more than a sweep has")
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"{path}: this is no TOML ({error})") from None
    if unknown := sorted(set(table) - set(HEAD)):
        raise ValueError(f"{path}: unknown is {', '.join(unknown)}; a sweep has [defaults] and [[run]]")
    rows = table.get("run")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise ValueError(f"{path}: a sweep has at least one [[run]]")
    defaults = table.get("defaults", {})
    if not isinstance(defaults, dict):
        raise ValueError(f"{path}: `defaults` must be a table, [defaults]")
    runs: list[Run] = []
    for number, row in enumerate(rows, start=1):
        try:
            runs.extend(_runs(defaults, row, path.parent))
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path}: run {number}: {error}") from None
    if len(runs) > MAX_RUNS:
        raise ValueError(f"{path}: {len(runs)} runs are more than the {MAX_RUNS} of a sweep")
    names = [run.name for run in runs]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{path}: two runs are called {twice[0]!r}; give them a `name` each")
    return tuple(runs)


def _runs(defaults: Mapping[str, Any], row: Mapping[str, Any], folder: Path) -> Iterator[Run]:
    """The runs of one row: one for each of its seeds."""
    values = {**defaults, **row}
    seeds = values.get("seed", 0)
    for seed in seeds if isinstance(seeds, list) else [seeds]:
        one = {**values, "seed": seed}
        one["name"] = row["name"] if "name" in row else _name(defaults, {**row, "seed": seed})
        if "name" in row and isinstance(seeds, list):
            one["name"] = f"{row['name']}-seed-{seed}"
        yield _run(one, folder)


def _name(defaults: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    """The network, and what differs from the defaults, such as "mann-experts-8-seed-1"."""
    network = row.get("network", defaults.get("network", Run.network))
    differs = [key for key, value in row.items() if key not in ("network", "sources") and defaults.get(key) != value]
    return "-".join([str(network), *(f"{key.replace('_', '-')}-{row[key]}" for key in differs)])


def _run(values: Mapping[str, Any], folder: Path) -> Run:
    known = {item.name: item.type for item in fields(Run)}
    if unknown := sorted(set(values) - set(known)):
        raise ValueError(f"unknown is {', '.join(unknown)}; a run has {', '.join(known)}")
    made = dict(values)
    sources = made.get("sources", ())
    sources = [sources] if isinstance(sources, str) else sources
    if not isinstance(sources, list | tuple) or not all(isinstance(source, str) for source in sources):
        raise ValueError("`sources` must be a text or a list of texts")
    made["sources"] = tuple(str(folder / source) if (folder / source).exists() else source for source in sources)
    for key, value in made.items():
        _check_kind(key, str(known[key]), value)
    run = Run(**made)
    recipe_of(run)
    return run


def _check_kind(key: str, kind: str, value: Any) -> None:
    """Raise ValueError unless a value is of the kind that the annotation of its field says."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if kind.startswith("int") and not whole:
        raise ValueError(f"`{key}` must be a whole number, not {value!r}")
    if kind == "float" and not (whole or isinstance(value, float)):
        raise ValueError(f"`{key}` must be a number, not {value!r}")
    if kind == "str" and not isinstance(value, str):
        raise ValueError(f"`{key}` must be a text, not {value!r}")


def recipe_of(run: Run) -> Recipe:
    """The recipe of a run (needs PyTorch); raises ValueError for a network, preset or size that there is not."""
    _require_torch()
    from canter.neural.training.recipe import PRESETS

    if run.preset not in PRESETS:
        raise ValueError(f"there is no preset {run.preset!r}, only {', '.join(PRESETS)}")
    recipe = replace(PRESETS[run.preset], network=cast("Network", run.network), experts=run.experts, seed=run.seed)
    return recipe if run.units is None else replace(recipe, units=run.units)


def _require_torch() -> None:
    try:
        import torch  # noqa: F401
    except ImportError:
        raise ImportError("training needs PyTorch; install it with: pip install 'canter[train]'") from None


def record_path(run: Run, folder: Path) -> Path:
    """Where the result record of a run is, or will be."""
    return folder / f"{run.name}{RECORD_SUFFIX}"


def read_record(run: Run, folder: Path) -> Mapping[str, Any] | None:
    """The record of a finished run, or None. A record of other values under the same name is an error."""
    path = record_path(run, folder)
    if not path.is_file():
        return None
    try:
        record = json.loads(path.read_text("utf-8"))
        config = record["config"]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: this is no result record ({error}); delete it to train anew") from None
    if config != _config(run):
        raise ValueError(f"{path}: it was trained with other values; delete it, or give the run another `name`")
    found: Mapping[str, Any] = record
    return found


def _config(run: Run) -> dict[str, Any]:
    """The values of a run as JSON has them, without threads, which change no result that is promised."""
    values = asdict(run)
    del values["threads"]
    plain: dict[str, Any] = json.loads(json.dumps(values))
    return plain


@lru_cache(maxsize=1)
def _takes(sources: tuple[str, ...], minutes: float, seed: int, frame_rate: float) -> Takes:
    """Takes of the last run, or new ones: most runs of a sweep learn from the same."""
    from canter.neural.training.sources import open_takes

    return open_takes(sources, minutes, seed, frame_rate, lambda _: None)


def train_run(run: Run, folder: Path, note: Note = lambda _: None) -> Mapping[str, Any]:
    """Trains one run into a folder, and writes its record when all else is written.

    The record has `config`, `seed`, `figures` (losses in training and on takes that were held back, steps, frames a
    second, megabytes) and `duration` in seconds.
    """
    import torch

    from canter.neural.training.learn import learn

    torch.set_num_threads(run.threads)
    began = time.perf_counter()
    takes = _takes(run.sources, run.data_minutes, run.data_seed, run.frame_rate)
    recipe, output = recipe_of(run), folder / f"{run.name}.onnx"
    cache = Path(os.environ.get("CANTER_CACHE", Path.home() / ".cache" / "canter")) / "datasets"
    trained = learn(takes, output, recipe, run.minutes, cache=cache, note=note)
    last = trained.curve[-1]
    record = {
        "format": FORMAT,
        "name": run.name,
        "config": _config(run),
        "seed": run.seed,
        "figures": {
            "steps": trained.steps,
            "training_seconds": trained.seconds,
            "frames_per_second": trained.steps * recipe.mean_frames / max(trained.seconds, 1e-9),
            "training": dict(last["training"]),
            "validation": dict(last["validation"]),
            "megabytes": output.stat().st_size / 1e6,
        },
        "duration": time.perf_counter() - began,
    }
    write_atomic(record_path(run, folder), json.dumps(record, indent=1).encode())
    return record


def sweep(
    runs: Sequence[Run], folder: Path, *, ray: str | None = None, note: Note = lambda _: None
) -> Iterator[Result]:
    """Trains all runs that are not finished, and yields what became of each as it ends.

    One after the other, or with `ray` as tasks of a Ray cluster at that address ("local" starts one on this machine);
    its machines must see `folder` and all sources under the same paths. A run that fails does not end the others.
    """
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    records = {run.name: read_record(run, folder) for run in runs}
    for run in runs:
        if (record := records[run.name]) is not None:
            yield Result(run, record, skipped=True)
    left = [run for run in runs if records[run.name] is None]
    if ray is not None and left:
        from canter.neural.training.on_ray import train_on_ray

        yield from train_on_ray(left, folder, ray)
        return
    for run in left:
        note(f"{run.name}: training for {run.minutes:g} minutes")
        yield attempt(run, folder, note)


def attempt(run: Run, folder: Path, note: Note = lambda _: None) -> Result:
    """Trains a run; what went wrong is told by the result."""
    try:
        return Result(run, train_run(run, folder, note))
    except (ValueError, OSError, RuntimeError, ArithmeticError) as error:
        return Result(run, None, error=f"{type(error).__name__}: {error}")
