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
from canter.evaluation.mann.capture import Stretch, joined_character, longest, stretches_of, take_files, tracks_like
from canter.evaluation.mann.gaits import own_gaits
from canter.evaluation.mann.hour import Poses
from canter.evaluation.mann.measures import stance_heights
from canter.evaluation.mann.terrain import joint_ranges
from canter.evaluation.mann.tracks import Track, ride_tracks, tracks_of
from canter.motion import Motion
from canter.motion.arrays import Floats
from canter.neural.dataset import DataSet, make_dataset

DATA_MINUTES = 60.0
"""Minutes that an authored animal improvises for the comparison networks, as for the shipped ones."""
DATA_SEED, SPLIT_SEED = 0, 0
PACES = ("walk", "pace", "trot", "canter")
"""Gaits in which paths are followed and commands answered."""
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
        return own_gaits(self.character)

    @cached_property
    def paces(self) -> dict[str, float]:
        """A speed in m/s in the middle of each gait's range, from slow to fast: of those of PACES that there are."""
        middle = {name: (low + high) / 2 for name, (low, high) in self.ranges.items() if name in PACES}
        return dict(sorted(middle.items(), key=lambda item: item[1]))

    @cached_property
    def tracks(self) -> tuple[Track, ...]:
        return tracks_of(self.ranges) if self.authored else tracks_like(self.stretches)

    @cached_property
    def truth(self) -> list[Motion]:
        """The motions of the ground truth: stretches of a capture, or rides of the teacher along the tracks."""
        if not self.authored:
            return [stretch.motion for stretch in self.stretches]
        rides = ride_tracks(make_batch("gaits", self.character, len(self.tracks)), self.tracks)
        return [ride.motion for ride in rides]

    @cached_property
    def ground(self) -> Floats:
        """How high each foot `(L,)` stands in the ground truth."""
        return stance_heights(self.truth, self.character.anatomy)

    @cached_property
    def joint_ranges(self) -> tuple[Floats, Floats]:
        """How leg joints turn in the ground truth: see `terrain.joint_ranges`."""
        return joint_ranges(self.truth, self.character.anatomy)

    @cached_property
    def poses(self) -> Poses:
        """Poses of the data, and those in which an action is held."""
        return Poses(self.dataset)

    @cached_property
    def stretches(self) -> list[Stretch]:
        """The longest stretches of all captured takes: the tracks have their speeds."""
        return longest(stretches_of(self.takes))

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
