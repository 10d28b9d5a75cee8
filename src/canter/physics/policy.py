"""A trained policy as a file: ONNX, with what it was trained for in the metadata. It runs without PyTorch."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from canter.body.articulation import Articulation
from canter.motion.arrays import Floats
from canter.neural.onnx_file import open_network

FORMAT = 1
RETRAIN = "`canter train residual` makes one for it"


@dataclass(frozen=True, eq=False)
class PolicyContract:
    """What a policy is for: its `kind` ("residual" or "carl"), the `body` by a hash, sizes of its input and its action,
    and how it was made."""

    kind: str
    body: str
    inputs: int
    actions: int
    about: Mapping[str, Any]

    def fields(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "format": FORMAT,
            "policy": self.kind,
            **{k: getattr(self, k) for k in ("body", "inputs", "actions")},
        } | {"about": dict(self.about)}


def body_hash(body: Articulation) -> str:
    """What tells bodies apart: names, places, masses and limits of their segments and hinges."""
    numbers = [
        np.round([[*segment.place, segment.mass] for segment in body.segments], 4).tolist(),
        np.round([[*hinge.axis, hinge.low, hinge.high, hinge.stiffness] for hinge in body.hinges], 3).tolist(),
        [hinge.name for hinge in body.hinges],
    ]
    return hashlib.sha256(json.dumps(numbers).encode()).hexdigest()[:16]


class Policy:
    """A policy in an ONNX Runtime session of one thread."""

    def __init__(self, path: str | Path, kind: str) -> None:
        self.path = Path(path)
        self._session, fields = open_network(self.path)
        self.contract = _contract(self.path, fields)
        if self.contract.kind != kind:
            raise ValueError(f"{path}: this is a policy of the kind {self.contract.kind!r}, not {kind!r}")
        shape = {x.name: x.shape[-1] for x in self._session.get_inputs()}
        if shape != {"observation": self.contract.inputs}:
            raise ValueError(f"{path}: its inputs {shape} are not those of its contract; train it again")

    def check(self, body: Articulation, inputs: int, actions: int) -> None:
        """Raise ValueError unless it was trained for such a body."""
        mine = self.contract
        if (mine.inputs, mine.actions) != (inputs, actions) or mine.body != body_hash(body):
            raise ValueError(
                f"{self.path}: this policy was trained for another body ({mine.about.get('animal', 'unknown')}, "
                f"{mine.actions} servos), not for {body.character.name!r} ({actions} servos); {RETRAIN}"
            )

    def act(self, observation: Floats) -> Floats:
        """Actions `(N, A)` for observations `(N, n)`."""
        result: Floats = self._session.run(["action"], {"observation": observation.astype(np.float32)})[0]
        return result.astype(np.float64)


def _contract(path: Path, fields: Any) -> PolicyContract:
    version = fields.get("format") if isinstance(fields, dict) else None
    if version != FORMAT or "policy" not in fields:
        raise ValueError(f"{path}: this is no policy that this canter reads (format {version!r}); {RETRAIN}")
    try:
        return PolicyContract(
            str(fields["policy"]),
            str(fields["body"]),
            int(fields["inputs"]),
            int(fields["actions"]),
            dict(fields["about"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: its contract is damaged ({error}); {RETRAIN}") from None
