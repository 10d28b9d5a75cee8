"""What a training needs to go on after a stop, in one file of plain arrays: nothing in it is pickled."""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch

NOTES = "notes"


def write_checkpoint(path: Path, tensors: Mapping[str, torch.Tensor], notes: Mapping[str, Any]) -> None:
    """Writes tensors and plain values, under a temporary name first."""
    arrays = {name: tensor.detach().cpu().numpy() for name, tensor in tensors.items()}
    arrays[NOTES] = np.frombuffer(json.dumps(notes).encode(), np.uint8)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_checkpoint(path: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """Tensors and plain values, or a ValueError that says how to begin anew."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        notes = json.loads(arrays.pop(NOTES).tobytes().decode())
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{path}: this checkpoint is damaged ({error}); delete it to begin anew") from None
    return {name: torch.from_numpy(array) for name, array in arrays.items()}, notes


def restore_network(path: Path, network: torch.nn.Module, tensors: Mapping[str, torch.Tensor]) -> None:
    """Puts the weights of a checkpoint back, or raises a ValueError if they are those of a network of other sizes."""
    weights = {name.removeprefix("network."): value for name, value in tensors.items() if name.startswith("network.")}
    try:
        network.load_state_dict(weights)
    except RuntimeError:
        raise ValueError(f"{path}: this checkpoint is of a network of other sizes; delete it to begin anew") from None


def optimizer_tensors(optimizer: torch.optim.Optimizer, prefix: str) -> dict[str, torch.Tensor]:
    """The state of an optimizer as tensors by name."""
    state = optimizer.state_dict()["state"]
    return {f"{prefix}.{k}.{name}": value for k, entry in state.items() for name, value in entry.items()}


def restore_optimizer(optimizer: torch.optim.Optimizer, tensors: Mapping[str, torch.Tensor], prefix: str) -> None:
    """Puts the state of `optimizer_tensors` back."""
    whole = optimizer.state_dict()
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, value in tensors.items():
        if key.startswith(prefix + "."):
            _, number, name = key.split(".")
            state.setdefault(int(number), {})[name] = value
    whole["state"] = state
    optimizer.load_state_dict(whole)
