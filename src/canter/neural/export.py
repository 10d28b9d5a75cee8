"""Writes a trained step as ONNX with its contract."""

from __future__ import annotations

import json
import logging
import os
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch

from canter.neural.model import METADATA_KEY, Contract, fields_of
from canter.neural.step import Step

MIN_HALVED = 1000
"""Numbers that a parameter of the network has at least to be kept in half precision."""


def _halve(model: Any) -> None:
    """Keeps large parameters of the network in half precision; they are widened when the file is loaded."""
    import onnx
    from onnx import numpy_helper

    graph = model.graph
    casts = []
    for constant in graph.initializer:
        name = constant.name
        if name.startswith("network.") and np.prod(constant.dims) >= MIN_HALVED:
            values = numpy_helper.to_array(constant).astype(np.float16)
            constant.CopyFrom(numpy_helper.from_array(values, f"{name}.half"))
            casts.append(onnx.helper.make_node("Cast", [f"{name}.half"], [name], to=onnx.TensorProto.FLOAT))
    for cast in reversed(casts):
        graph.node.insert(0, cast)


def write_model(step: Step, contract: Contract, path: str | Path) -> None:
    """Writes `path` under a temporary name first."""
    import onnx

    path = Path(path)
    layout = contract.layout
    step = step.eval()
    example = torch.zeros(2, layout.trajectory_size), torch.zeros(2, layout.joints_size), torch.ones(contract.experts)
    batch = torch.export.Dim("batch", min=1, max=1 << 20)
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)  # it warns of packages that nobody needs
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
    _halve(model)
    onnx.helper.set_model_props(model, {METADATA_KEY: json.dumps(fields_of(contract))})
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(model.SerializeToString())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
