"""The controller `matching`: motion matching over takes, or over what the animal improvises when it is made."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from canter.anatomy import Character
from canter.control.improvise import TEACHING, improvise
from canter.control.registry import prepared
from canter.control.takes import read_takes
from canter.control.world import World
from canter.neural.controller import TrajectoryController
from canter.neural.dataset import DataSet, make_dataset
from canter.neural.matching import MotionMatching

DATA_MINUTES = 5.0
"""Minutes that an animal improvises, if no takes are given: some seconds of waiting."""
DATA_SEED = 0
KEPT_DATA = 2
"""Data sets that are kept in memory, for the next controller of the same animal."""


@lru_cache(KEPT_DATA)
def _improvised(character: Character, minutes: float) -> DataSet:
    return make_dataset(improvise(prepared(character, "gaits"), minutes, DATA_SEED, repertoire=TEACHING))


class BatchMatching(TrajectoryController):
    """N animals moved by motion matching: over the file of takes `data`, or over `minutes` of improvisation."""

    def __init__(
        self,
        character: Character,
        count: int = 1,
        *,
        world: World | None = None,
        data: str | Path | None = None,
        minutes: float = DATA_MINUTES,
        lock_feet: bool = True,
    ) -> None:
        dataset = _improvised(character, minutes) if data is None else make_dataset(read_takes(data))
        super().__init__(character, count, predictor=MotionMatching(dataset), world=world, lock_feet=lock_feet)
