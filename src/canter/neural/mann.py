"""The controllers `mann` and `mann8`: shipped networks, or one of your own, behind the contract of all controllers."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from canter.anatomy import Character
from canter.control.experts import parse_experts
from canter.control.world import World
from canter.neural.controller import TrajectoryController
from canter.neural.model import Model

MODELS = Path(__file__).parents[1] / "models"
"""Where shipped networks are: ANIMAL_NETWORK.onnx."""


@cache
def _open(path: Path) -> Model:
    return Model(path)


def shipped(character: Character, network: str) -> Path:
    """The shipped network of that name for a character, or a ValueError that says what to do."""
    path = MODELS / f"{character.name}_{network}.onnx"
    if not path.is_file():
        there = sorted(file.stem.removesuffix(f"_{network}") for file in MODELS.glob(f"*_{network}.onnx"))
        raise ValueError(
            f"canter ships no network {network!r} for the {character.name}, only for {', '.join(there) or 'none'}; "
            f"`canter train` makes one, and the option `model` names its file"
        )
    return path


class BatchMann(TrajectoryController):
    """N animals moved by a mode-adaptive network: the shipped one with four experts, or the file `model`.

    `experts` names those that are on, such as "1,3,4"; all, if it is empty.
    """

    network = "mann"

    def __init__(
        self,
        character: Character,
        count: int = 1,
        *,
        world: World | None = None,
        model: str | Path | None = None,
        lock_feet: bool = True,
        experts: str = "",
    ) -> None:
        network = _open(Path(model) if model is not None else shipped(character, self.network))
        enabled = parse_experts(experts, network.contract.experts)
        super().__init__(character, count, predictor=network, world=world, lock_feet=lock_feet, enabled=enabled)


class BatchMann8(BatchMann):
    """The same with eight experts."""

    network = "mann8"
