"""ONNX files with a contract in their metadata: opened with checks, for files come from strangers too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

METADATA_KEY = "canter"
MAX_BYTES = 200_000_000
DAMAGED_REMEDY = "copy the file again, or train it again with `canter train`"


def open_network(path: Path) -> tuple[Any, Any]:
    """An ONNX Runtime session of one thread, and the plain values of the contract; a ValueError that says what to do,
    if it is no file of canter's."""
    import onnxruntime

    if not path.is_file():
        raise FileNotFoundError(f"there is no network {path}; `canter train` makes one")
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"{path}: {path.stat().st_size} bytes are more than canter reads")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime has many kinds, and none is public
        raise ValueError(
            f"{path}: this is no ONNX file that can be run ({str(error)[:200]}); {DAMAGED_REMEDY}"
        ) from None
    text = session.get_modelmeta().custom_metadata_map.get(METADATA_KEY)
    if text is None:
        raise ValueError(
            f"{path}: this ONNX file is not one of canter's: it has no contract in its metadata; only networks of "
            "`canter train` can be driven"
        )
    try:
        return session, json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{path}: its contract is no JSON ({error}); {DAMAGED_REMEDY}") from None
