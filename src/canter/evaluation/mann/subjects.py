"""The animals of the tables: authored ones, which `gaits` teaches, and the captured dog, whose takes are the truth."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from canter.anatomy import Character
from canter.control.capture import captured_takes
from canter.control.improvise import TEACHING, improvise
from canter.control.registry import load, make_batch, prepared
from canter.control.takes import Takes
from canter.evaluation.mann.capture import Stretch, joined_character, stretches_of, take_files, tracks_like
from canter.evaluation.mann.measures import stance_heights
from canter.evaluation.mann.tracks import Track, ride_tracks, tracks_of
from canter.motion.arrays import Floats
from canter.neural.dataset import DataSet, make_dataset

DATA_MINUTES = 60.0
"""Minutes that an authored animal improvises for the comparison networks, as for the shipped ones."""
DATA_SEED, SPLIT_SEED = 0, 0
CAPTURED_FOLDER = "dog"
"""The folder of the captured dog among the recordings."""


def cache_folder() -> Path:
    """Where data sets and comparison networks are kept: CANTER_CACHE, or a folder of the user's."""
    return Path(os.environ.get("CANTER_CACHE", Path.home() / ".cache" / "canter"))


@dataclass(frozen=True, eq=False)
class Subject:
    """An animal, the takes that networks learn from (made when they are first asked for) and what is true of it.

    `authored` animals are taught by `gaits`, whose rides are the ground truth.
    """

    name: str
    character: Character
    authored: bool
    make_takes: Callable[[], Takes]

    @cached_property
    def takes(self) -> Takes:
        return self.make_takes()

    @cached_property
    def dataset(self) -> DataSet:
        """The data set of all comparison networks: one split of the takes for all seeds."""
        return make_dataset(self.takes, folder=cache_folder() / "datasets", seed=SPLIT_SEED)

    @cached_property
    def ranges(self) -> dict[str, tuple[float, float]]:
        """The speeds in m/s of each gait that `gaits` takes by itself."""
        can = make_batch("gaits", self.character, 1).capabilities
        asked_for = {style.name for style in can.styles}
        return {name: span for name, span in can.gaits.items() if name not in asked_for}

    @cached_property
    def tracks(self) -> tuple[Track, ...]:
        return tracks_of(self.ranges) if self.authored else tracks_like(self.stretches)

    @cached_property
    def ground(self) -> Floats:
        """How high each foot `(L,)` stands in the ground truth."""
        if not self.authored:
            return stance_heights([stretch.motion for stretch in self.stretches], self.character.anatomy)
        rides = ride_tracks(make_batch("gaits", self.character, len(self.tracks)), self.tracks)
        return stance_heights([ride.motion for ride in rides], self.character.anatomy)

    @cached_property
    def stretches(self) -> list[Stretch]:
        """What all captured takes show."""
        return stretches_of(self.takes)

    @cached_property
    def held_stretches(self) -> list[Stretch]:
        """What the captured takes show that were held back from training."""
        held = self.dataset.held[:: 1 + bool(self.dataset.about["mirrored"])]
        return stretches_of(self.takes, held)


def authored(animal: str, minutes: float = DATA_MINUTES) -> Subject:
    """An animal that canter ships."""
    character = load(animal)
    return Subject(animal, character, True, lambda: improvise(character, minutes, DATA_SEED, repertoire=TEACHING))


def captured(data: Path) -> Subject:
    """The captured dog among the recordings."""
    whole = joined_character(take_files(data / CAPTURED_FOLDER))
    return Subject("captured dog", prepared(whole, "gaits"), False, lambda: captured_takes(whole))
