"""Writes what a game developer needs to run a network elsewhere: ONNX, contract as JSON, reference loops."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from canter.control.improvise import MIN_TURN
from canter.control.steering import MAX_STEP, MIN_TURNING_SPEED, SLOW
from canter.formats.files import write_atomic
from canter.neural.controller import HOLD_EXPONENT, STAND_EXPONENT
from canter.neural.dataset import rest_speed
from canter.neural.labels import ahead_weights, smoothing
from canter.neural.model import Contract, Model, fields_of
from canter.neural.steering import PLAN_STEP, velocity_pull

LOOPS = ("drive.py", "drive.mjs", "steering.py", "steering.mjs")
"""The loops, and beside each the steering that it imports."""
Block = dict[str, Any]


def write_engine_files(model: Path, folder: Path) -> tuple[Path, ...]:
    """Copies a network into a folder, which is made, with its contract and the reference loops beside it."""
    contract = Model(model).contract
    if contract.layout.phase:
        raise ValueError(f"{model}: networks with a phase are there to be compared with; the loops do not run them")
    folder.mkdir(parents=True, exist_ok=True)
    written = [folder / model.name, folder / f"{model.stem}.json", *(folder / name for name in LOOPS)]
    if written[0].resolve() != model.resolve():
        shutil.copyfile(model, written[0])
    write_atomic(written[1], json.dumps(engine_contract(contract), indent=1).encode())
    for name, target in zip(LOOPS, written[2:], strict=True):
        write_atomic(target, (Path(__file__).parent / name).read_bytes())
    return tuple(written)


def engine_contract(contract: Contract) -> dict[str, Any]:
    """The contract with every input and output by name, unit and range of columns, and the numbers of the loop.

    Its `runtime` has, besides those of the steering: how many frames ago the past samples are, the share of `smoothing`
    by which the weights of labels follow what is told in a frame, and the share of them that is left at each sample
    ahead.
    """
    window = contract.layout.window
    past = np.rint(-window.past * contract.frame_rate).astype(int)
    return {
        **fields_of(contract),
        "inputs": {"trajectory": _trajectory(contract), "joints": _joints(contract), "enabled": _enabled(contract)},
        "outputs": {
            "next_joints": _joints(contract),
            "root": [_block("velocity ahead, velocity to the left, yaw rate", "m/s, m/s, rad/s", 0, 3)],
            "contacts": [
                _block("which feet stand, by `body.feet`: from 0.5 on", "1", 0, len(contract.layout.body.feet))
            ],
            "experts": [_block("weights of the experts", "1", 0, contract.experts)],
        },
        "axes": "right-handed, metres, +Y up, +Z ahead, +X left; seen from a frame on the ground under the trunk",
        "normalisation": "inside the network: inputs and outputs are in the units given",
        "runtime": {
            "min_turn": MIN_TURN,
            "rest_speed": rest_speed(contract.hip_height),
            "smoothing": smoothing(contract.frame_rate),
            "past_frames": past.tolist(),
            "labels_ahead": ahead_weights(window.future).tolist(),
            "plan_step": PLAN_STEP,
            "max_step": MAX_STEP,
            "velocity_pull": velocity_pull(contract.frame_rate),
            "slow": SLOW,
            "min_turning_speed": MIN_TURNING_SPEED,
            "stand_exponent": STAND_EXPONENT,
            "hold_exponent": HOLD_EXPONENT,
        },
    }


def _block(what: str, unit: str, start: int, size: int) -> Block:
    return {"what": what, "unit": unit, "columns": [start, start + size]}


def _blocks(parts: list[tuple[str, str, int]]) -> list[Block]:
    starts = np.cumsum([0, *(size for _, _, size in parts)]).tolist()
    return [_block(what, unit, start, size) for (what, unit, size), start in zip(parts, starts, strict=False)]


def _trajectory(contract: Contract) -> list[Block]:
    samples, labels = len(contract.layout.window.times), contract.layout.label_count
    return _blocks(
        [
            ("places of the samples (ahead, left), by `times`", "m", 2 * samples),
            ("directions (ahead, left)", "1", 2 * samples),
            ("velocities (ahead, left)", "m/s", 2 * samples),
            ("wanted speeds", "m/s", samples),
            ("weights of the labels, sample by sample", "1", samples * labels),
        ]
    )


def _joints(contract: Contract) -> list[Block]:
    joints = len(contract.layout.body)
    return _blocks(
        [
            ("places (x, y, z), joint by joint as in `body.names`", "m", 3 * joints),
            ("forward and up axes", "1", 6 * joints),
            ("velocities", "m/s", 3 * joints),
        ]
    )


def _enabled(contract: Contract) -> list[Block]:
    return [_block("1 for experts that take part, 0 for others", "1", 0, contract.experts)]
