"""The columns of the tables: every controller that is compared, made for any number of animals."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from canter.control.batch import BatchController
from canter.control.registry import make_batch
from canter.control.world import World
from canter.evaluation.mann.subjects import Subject, cache_folder
from canter.neural.controller import TrajectoryController
from canter.neural.mann import MODELS
from canter.neural.matching import MotionMatching
from canter.neural.model import Model

Row = TypeVar("Row")
Found = TypeVar("Found")

CYCLES = ("gaits", "sung", "huang")
"""Controllers that play cycles."""
SINGLE = ("sung", "huang")
"""Those of them that drive one animal at a time."""
MATCHING = "matching"


@dataclass(frozen=True, eq=False)
class Column:
    """A controller to compare: `make(count, lock_feet, world, enabled)`; `single` drives one animal at a time.

    `lockable` says whether its feet can be left unlocked, `switchable` whether experts can be switched off; `identity`
    is what a record of it was measured of, `path` the file or folder that it runs from.
    """

    name: str
    make: Callable[..., BatchController]
    single: bool = False
    lockable: bool = False
    experts: int = 0
    switchable: bool = False
    identity: str = ""
    path: Path | None = None

    def over(
        self, rows: Sequence[Row], ride: Callable[[BatchController, Sequence[Row]], list[Found]], **options: Any
    ) -> list[Found]:
        """What `ride` finds for every row: all at once, or one after another where the controller drives only one."""
        if not rows:
            return []
        if not self.single:
            return ride(self.make(len(rows), **options), rows)
        batch = self.make(1, **options)
        return [found for row in rows for found in ride(batch, [row])]


def cycles_column(subject: Subject, name: str) -> Column:
    """`gaits`, or a paper's preset."""

    def make(count: int, lock_feet: bool = True, world: World | None = None) -> BatchController:
        return make_batch(name, subject.character, count, world=world)

    return Column(name, make, single=name in SINGLE, identity=name)


def network_column(subject: Subject, name: str, path: Path) -> Column:
    """A network in a file."""
    model = Model(path)

    def make(
        count: int, lock_feet: bool = True, world: World | None = None, enabled: Sequence[float] | None = None
    ) -> BatchController:
        return TrajectoryController(
            subject.character, count, predictor=model, world=world, lock_feet=lock_feet, enabled=enabled
        )

    contract = model.contract
    switchable = contract.experts > 1 and not contract.layout.phase  # the points of a phase function are no experts
    return Column(name, make, False, True, contract.experts, switchable, file_hash(path), path)


def matching_column(subject: Subject) -> Column:
    """Motion matching over the data that networks learn from."""

    def make(count: int, lock_feet: bool = True, world: World | None = None) -> BatchController:
        predictor = MotionMatching(subject.dataset)
        return TrajectoryController(subject.character, count, predictor=predictor, world=world, lock_feet=lock_feet)

    data = str(subject.dataset.about["hash"])
    return Column(MATCHING, make, False, True, identity=data, path=cache_folder() / "datasets" / data)


def shipped_columns(subject: Subject) -> list[Column]:
    """The networks that canter ships for the animal."""
    if not subject.authored:
        return []
    return [network_column(subject, path.stem, path) for path in sorted(MODELS.glob(f"{subject.name}_*.onnx"))]


def file_hash(path: Path) -> str:
    """Sixteen digits that stand for what is in a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
