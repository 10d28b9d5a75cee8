"""A trained network as a file: ONNX, with its contract (joints, features, steering, licence, recipe) in the metadata.

ONNX Runtime runs it; PyTorch is needed only to train. Files from strangers are checked before anything is run.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from canter.control.capture import STILL
from canter.control.steering import SteeringLimits
from canter.motion.arrays import Floats
from canter.neural.dataset import DataSet, body_fields, body_of
from canter.neural.layout import Body, Gating, Layout
from canter.neural.onnx_file import DAMAGED_REMEDY, open_network
from canter.neural.steering import measure_limits
from canter.neural.watch import Watch, make_watch

FORMAT = 1
MAX_JOINTS, MAX_LABELS, MAX_REFERENCES = 500, 100, 10_000
MAX_FRAME_RATE = 1000.0
"""Frames a second."""
LICENCE = "MIT"


@dataclass(frozen=True, eq=False)
class Contract:
    """What a network expects and gives: enough to run it without knowing how it was made.

    `stand (12 J,)` are the joints of an animal that stands, with a phase after them if the layout has one; `gaits` the
    range of speeds that each gait has in the data; `jumps` are labels that go on ahead; `watch` knows poses of the
    data, and how far from them a pose may be; `about` says what it was trained on, and how.
    """

    layout: Layout
    frame_rate: float
    hip_height: float
    limits: SteeringLimits
    stand: Floats
    jumps: tuple[str, ...]
    gaits: Mapping[str, tuple[float, float]]
    experts: int
    watch: Watch
    about: Mapping[str, Any]


def layout_of(dataset: DataSet, network: str, gating: Gating) -> Layout:
    """The layout of a data set for a kind of network. A PFNN has a phase, and the gait by labels of its own: so had
    the one that MANN is compared with (section 9)."""
    phased = network == "pfnn"
    gaits = tuple(gait_speeds(dataset)) if phased else ()
    return replace(dataset.layout, phase=phased, gating=gating, gaits=gaits)


def contract_of(dataset: DataSet, experts: int, about: Mapping[str, Any]) -> Contract:
    """The contract of a network that was trained on a data set."""
    return Contract(
        dataset.layout,
        dataset.frame_rate,
        dataset.hip_height,
        measure_limits(dataset),
        standing(dataset),
        dataset.jumps,
        gait_speeds(dataset),
        experts,
        make_watch(dataset),
        {**dataset.about, **about},
    )


def standing(dataset: DataSet) -> Floats:
    """The joints `(12 J,)` of the frame that is most like the mean of those that stand, with still joints."""
    arrays, joints = dataset.arrays, len(dataset.layout.body)
    still = np.flatnonzero((np.asarray(arrays["label"]) == 0) & (np.abs(arrays["velocity"]) < 0.1 * dataset.rest_speed))
    if not len(still):
        still = np.argsort(np.abs(arrays["velocity"]))[:100]
    some = arrays["joints"][np.sort(np.random.default_rng(0).permutation(still)[:4000])].astype(np.float64)
    speed = np.abs(some[:, 9 * joints :]).mean(axis=1)
    some = some[speed <= np.median(speed)]
    result: Floats = some[np.argmin(((some - np.median(some, axis=0))[:, : 9 * joints] ** 2).sum(axis=1))].copy()
    result[9 * joints :] = 0.0
    return np.append(result, 0.0) if dataset.layout.phase else result


def gait_speeds(dataset: DataSet) -> dict[str, tuple[float, float]]:
    """The gaits of locomotion and the speeds at which each is the most frequent, from slow to fast."""
    arrays = dataset.arrays
    speed, gait = np.asarray(arrays["velocity"]), np.asarray(arrays["gait"])
    goes = (np.asarray(arrays["label"]) == 1) & (speed.real > dataset.rest_speed)
    if not goes.any():
        return {}
    edges = np.linspace(dataset.rest_speed, float(np.percentile(np.abs(speed[goes]), 99.9)), 41)
    rung = np.digitize(np.abs(speed), edges) - 1
    found: dict[str, list[float]] = {}
    no_gaits = np.isin(dataset.gaits, (*dataset.layout.labels, *STILL))
    for k in range(40):
        counts = np.bincount(gait[goes & (rung == k)], minlength=len(dataset.gaits))
        counts[no_gaits] = 0
        if counts.sum():
            name = dataset.gaits[int(counts.argmax())]
            low, high = found.get(name, [edges[k], edges[k]])
            found[name] = [min(low, edges[k]), max(high, edges[k + 1])]
    return {name: (float(low), float(high)) for name, (low, high) in found.items()}


def fields_of(contract: Contract) -> dict[str, Any]:
    """A contract as plain values."""
    limits = {key: np.asarray(x).tolist() for key, x in asdict(contract.limits).items()}
    return {
        "format": FORMAT,
        "body": body_fields(contract.layout.body),
        "labels": list(contract.layout.labels),
        "times": contract.layout.window.times.tolist(),
        "phase": contract.layout.phase,
        "gating": contract.layout.gating,
        "gait_labels": list(contract.layout.gaits),
        "frame_rate": contract.frame_rate,
        "hip_height": contract.hip_height,
        "limits": limits,
        "stand": [round(float(x), 6) for x in contract.stand],
        "jumps": list(contract.jumps),
        "gaits": {name: list(span) for name, span in contract.gaits.items()},
        "experts": contract.experts,
        "watch": {"limit": contract.watch.limit, "joints": _packed(contract.watch.joints)},
        "licence": LICENCE,
        "about": dict(contract.about),
    }


def _packed(values: Floats) -> str:
    """Numbers as text: half precision in base 64."""
    return base64.b64encode(values.astype("<f2").tobytes()).decode()


def _unpacked(text: str, columns: int) -> Floats:
    """Rows of so many `columns` from such text."""
    values = np.frombuffer(base64.b64decode(text, validate=True), "<f2").reshape(-1, columns)
    if not 0 < len(values) <= MAX_REFERENCES:
        raise ValueError(f"{len(values)} poses to watch by")
    return values.astype(np.float32)


def contract_from(fields: Any) -> Contract:
    """A contract from plain values, or a ValueError that says what is wrong with them and what to do."""
    version = fields.get("format") if isinstance(fields, dict) else None
    if version != FORMAT:
        newer = isinstance(version, int) and version > FORMAT
        hint = "install a newer canter" if newer else "train it again with `canter train`"
        raise ValueError(f"its format is {version!r}, this canter reads {FORMAT}; {hint}")
    try:
        contract = _contract(fields)
        _check_body(contract.layout.body)
        _check_sizes(contract)
        _check_numbers(contract)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"no {error}" if isinstance(error, KeyError) else error
        raise ValueError(f"its contract is damaged ({what}); {DAMAGED_REMEDY}") from None
    return contract


def _contract(fields: Mapping[str, Any]) -> Contract:
    """A contract from plain values that may be wrong."""
    body = body_of(fields["body"])
    limits = {key: np.asarray(x, np.float64) for key, x in fields["limits"].items()}
    plain: dict[str, Any] = {key: x if x.ndim else float(x) for key, x in limits.items()}
    return Contract(
        Layout(
            body,
            tuple(map(str, fields["labels"])),
            phase=bool(fields.get("phase", False)),
            gating=fields.get("gating", "velocities"),
            gaits=tuple(map(str, fields.get("gait_labels", ()))),
        ),
        float(fields["frame_rate"]),
        float(fields["hip_height"]),
        SteeringLimits(**plain),
        np.asarray(fields["stand"], np.float64),
        tuple(map(str, fields["jumps"])),
        {str(name): (float(low), float(high)) for name, (low, high) in fields["gaits"].items()},
        int(fields["experts"]),
        Watch(_unpacked(fields["watch"]["joints"], 12 * len(body)), float(fields["watch"]["limit"])),
        dict(fields["about"]),
    )


def _check_body(body: Body) -> None:
    """Raise ValueError unless parents come before their children and feet are joints."""
    joints = len(body)
    if not 0 < joints <= MAX_JOINTS:
        raise ValueError(f"{joints} joints")
    if not len(body.parents) == len(body.offsets) == len(body.free) == joints:
        raise ValueError(f"not one parent, offset and freedom for each of {joints} joints")
    if not ((body.parents >= -1) & (body.parents < np.arange(joints))).all():
        raise ValueError("a joint before its parent")
    if not body.free[body.parents < 0].all():
        raise ValueError("a root that is not free")
    if not all(isinstance(foot, int) and 0 <= foot < joints for foot in body.feet):
        raise ValueError(f"feet {list(body.feet)} of {joints} joints")


def _check_sizes(contract: Contract) -> None:
    """Raise ValueError unless labels, experts and the stand are as many as can be."""
    layout, size = contract.layout, len(contract.stand) - contract.layout.phase
    if not 2 <= len(layout.labels) <= layout.label_count <= MAX_LABELS:
        raise ValueError(f"{layout.label_count} labels")
    if size != 12 * len(layout.body):
        raise ValueError(f"{size} numbers of a stand for {len(layout.body)} joints")
    if contract.experts < 1:
        raise ValueError(f"{contract.experts} experts")
    if missing := sorted(set(layout.gaits) - set(contract.gaits)):
        raise ValueError(f"no speeds of {', '.join(missing)}")


def _check_numbers(contract: Contract) -> None:
    """Raise ValueError unless all numbers are finite, and rates and sizes are above zero."""
    watch, limits = contract.watch, asdict(contract.limits).values()
    numbers = [
        contract.layout.body.offsets,
        contract.stand,
        watch.joints,
        watch.limit,
        *limits,
        *contract.gaits.values(),
    ]
    if not all(np.isfinite(x).all() for x in numbers):
        raise ValueError("numbers that are not finite")
    if not 0 < contract.frame_rate <= MAX_FRAME_RATE:
        raise ValueError(f"{contract.frame_rate} frames a second")
    if not (contract.hip_height > 0 and math.isfinite(contract.hip_height) and contract.limits.max_speed > 0):
        raise ValueError("a size or speed that is not above zero")


@dataclass(frozen=True, eq=False)
class Prediction:
    """The next frame of N animals: `joints (N, 12 J)`, `root (N, 3)` (velocity ahead and left, yaw rate), `contacts
    (N, L)` from 0 to 1, and the weights of experts `(N, K)`."""

    joints: Floats
    root: Floats
    contacts: Floats
    experts: Floats


class Model:
    """A network in an ONNX Runtime session of one thread."""

    def __init__(self, path: str | Path) -> None:
        path = Path(path)
        session, fields = open_network(path)
        try:
            self.contract = contract_from(fields)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        self.path, self._session = path, session
        layout = self.contract.layout
        wanted = {
            "trajectory": layout.trajectory_size,
            "joints": layout.joints_size,
            "enabled": self.contract.experts,
        }
        shapes = {x.name: x.shape[-1] for x in session.get_inputs()}
        if any(shapes.get(name) != size for name, size in wanted.items()):
            raise ValueError(f"{path}: its inputs {shapes} do not fit its contract {wanted}; {DAMAGED_REMEDY}")

    def predict(self, trajectory: Floats, joints: Floats, enabled: Floats) -> Prediction:
        """The next frame from trajectories `(N, K (7 + A))` and joints `(N, 12 J)`; `enabled (K,)` experts are on."""
        feeds = {"trajectory": trajectory, "joints": joints, "enabled": enabled}
        return Prediction(*self._session.run(None, feeds))
