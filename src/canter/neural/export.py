"""Writes a trained step as ONNX with its contract."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from pathlib import Path

import torch

from canter.neural.model import METADATA_KEY, Contract, fields_of
from canter.neural.step import Step


def write_model(step: Step, contract: Contract, path: str | Path) -> None:
    """Writes `path` under a temporary name first."""
    import onnx

    path = Path(path)
    layout = contract.layout
    step = step.eval()
    example = torch.zeros(2, layout.trajectory_size), torch.zeros(2, layout.joints_size), torch.ones(contract.experts)
    batch = torch.export.Dim("batch", min=1, max=1 << 20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            step,
            example,
            input_names=["trajectory", "joints", "enabled"],
            output_names=["next_joints", "root", "contacts", "experts"],
            dynamic_shapes=({0: batch}, {0: batch}, None),
            dynamo=True,
            verbose=False,
        )
    assert program is not None
    model = program.model_proto
    onnx.helper.set_model_props(model, {METADATA_KEY: json.dumps(fields_of(contract))})
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(model.SerializeToString())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
