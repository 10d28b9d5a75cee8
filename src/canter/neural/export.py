"""Writes a trained step as ONNX with its contract."""

from __future__ import annotations

import json
import logging
import warnings
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch

from canter.formats.files import write_atomic
from canter.neural.model import Contract, fields_of
from canter.neural.onnx_file import METADATA_KEY
from canter.neural.step import Step

MIN_COMPACT = 1000
"""Numbers that a parameter of the network has at least to be kept in fewer bits."""
BLOCK = 64
"""Weights that share a scale: ONNX Runtime multiplies by such blocks as they are, without widening them."""
OPSET = 21
"""The first version of ONNX that has scales of blocks."""
Precision = Literal["mixed", "full", "integers"]
"""`mixed`: weights of experts in 8 bits but for the last layer, whose errors would be those of the joints; it and the
rest in half precision. `full`: all in 32 bits. `integers`: as mixed, but the last layer in 8 bits too."""


def compact(model: Any, last: bool = False) -> None:
    """Keeps the weights of the experts in 8 bits, those of the `last` layer only if it is said, and other large
    parameters of the network, such as those of its gate, in half precision."""
    import onnx

    graph = model.graph
    for opset in model.opset_import:
        if opset.domain in ("", "ai.onnx"):
            opset.version = max(opset.version, OPSET)
    del graph.value_info[:]  # they name types of before
    large = {x.name: x for x in graph.initializer if x.name.startswith("network.") and np.prod(x.dims) >= MIN_COMPACT}
    products = [x for x in graph.node if x.op_type == "Gemm" and x.input[1] in large and ".gate." not in x.input[1]]
    in_blocks = [x.name for x in products[: None if last else -1]]
    nodes: list[Any] = []
    for node in graph.node:
        weights = large.get(node.input[1]) if node.name in in_blocks else None
        nodes += [node] if weights is None else _in_blocks(graph, node, large.pop(weights.name))
    casts = []
    for name, constant in large.items():
        values = onnx.numpy_helper.to_array(constant).astype(np.float16)
        constant.CopyFrom(onnx.numpy_helper.from_array(values, f"{name}.half"))
        casts.append(onnx.helper.make_node("Cast", [f"{name}.half"], [name], to=onnx.TensorProto.FLOAT))
    del graph.node[:]
    graph.node.extend([*casts, *nodes])


def _in_blocks(graph: Any, node: Any, weights: Any) -> list[Any]:
    """The nodes that take the place of `node`, x W + c, once its `weights` are integers of 8 bits, with a scale for
    every BLOCK of them along the product."""
    import onnx

    values = onnx.numpy_helper.to_array(weights).astype(np.float32)
    if any(x.name == "transB" and x.i for x in node.attribute):
        values = values.T
    size, count = values.shape
    padded = np.pad(values, ((0, -size % BLOCK), (0, 0))).reshape(-1, BLOCK, count)
    scales = np.maximum(np.abs(padded).max(axis=1), 1e-12) / 127
    integers = np.rint(padded / scales[:, None]).reshape(-1, count)[:size]
    name, (product, dequantised) = weights.name, (f"{node.name}.{part}" for part in ("product", "weights"))
    graph.initializer.remove(weights)
    parts = {
        "integers": (integers + 128).astype(np.uint8),
        "scale": scales,
        "zero": np.full(scales.shape, 128, np.uint8),
    }
    graph.initializer.extend(onnx.numpy_helper.from_array(part, f"{name}.{key}") for key, part in parts.items())
    make = onnx.helper.make_node
    return [
        make("DequantizeLinear", [f"{name}.{key}" for key in parts], [dequantised], axis=0, block_size=BLOCK),
        make("MatMul", [node.input[0], dequantised], [product]),
        make("Add", [product, node.input[2]], list(node.output)),
    ]


def write_model(step: Step, contract: Contract, path: str | Path, precision: Precision = "mixed") -> None:
    """Writes `path` under a temporary name first."""
    layout = contract.layout
    example = torch.zeros(2, layout.trajectory_size), torch.zeros(2, layout.joints_size), torch.ones(contract.experts)
    model = to_onnx(
        step,
        example,
        ["trajectory", "joints", "enabled"],
        ["next_joints", "root", "contacts", "experts"],
        batched=(True, True, False),
    )
    if precision != "full":
        compact(model, last=precision == "integers")
    write_onnx(model, fields_of(contract), Path(path))


def to_onnx(
    module: torch.nn.Module,
    example: tuple[torch.Tensor, ...],
    inputs: list[str],
    outputs: list[str],
    batched: tuple[bool, ...],
) -> Any:
    """A module as an ONNX model; `batched` inputs have any number of rows."""
    batch = torch.export.Dim("batch", min=1, max=1 << 20)
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)  # it warns of packages that nobody needs
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            module.eval(),
            example,
            input_names=inputs,
            output_names=outputs,
            dynamic_shapes=tuple({0: batch} if one else None for one in batched),
            dynamo=True,
            verbose=False,
        )
    assert program is not None
    return program.model_proto


def write_onnx(model: Any, contract: dict[str, Any], path: Path) -> None:
    """Writes an ONNX model with its contract in the metadata, under a temporary name first."""
    import onnx

    onnx.helper.set_model_props(model, {METADATA_KEY: json.dumps(contract)})
    write_atomic(path, model.SerializeToString())
