"""What engines get: a contract that names every column, and loops that do what the controller does."""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from canter import Character
from canter.control.batch import BatchCommand
from canter.motion import rotations as rot
from canter.motion.kinematics import forward
from canter.neural.controller import TrajectoryController
from canter.neural.engine.files import LOOPS, write_engine_files
from canter.neural.mann import shipped
from canter.neural.model import Model, Prediction

FRAMES = 330
"""Until the dog has got up and goes."""
MAX_LINES, MAX_COLUMNS = 60, 120
"""A reference loop is read before it is ported."""


@pytest.fixture(scope="module")
def model(dog: Character) -> Model:
    return Model(shipped(dog, "mann"))


@pytest.fixture(scope="module")
def folder(model: Model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("engine")
    write_engine_files(model.path, target)
    return target


def command(frame: int) -> dict[str, Any]:
    """Speeds, a heading, a facing and an action, one after the other."""
    if frame < 100:
        return {"speed": 0.8 + 0.02 * frame, "heading": 0.01 * frame}
    if frame < 150:
        return {"speed": 1.0, "heading": 1.5, "facing": 0.5}
    return {"speed": 0.0, "label": "sit"} if frame < 220 else {"speed": 2.0, "heading": -3.0}


class Recorder:
    """A network that keeps what it was asked and what it gave, as lists of numbers."""

    def __init__(self, model: Model) -> None:
        self.model, self.contract = model, model.contract
        self.frames: list[dict[str, Any]] = []

    def predict(self, trajectory: np.ndarray, joints: np.ndarray, enabled: np.ndarray) -> Prediction:
        given = self.model.predict(trajectory, joints, enabled)
        parts = {"trajectory": trajectory, "joints": given.joints, "root": given.root, "contacts": given.contacts}
        self.frames.append({name: x[0].astype(float).tolist() for name, x in parts.items()})
        return given


@pytest.fixture(scope="module")
def ridden(dog: Character, model: Model) -> list[dict[str, Any]]:
    """What the controller is told, asks the network and gets, where it goes and its pose, frame by frame."""
    recorder = Recorder(model)
    controller = TrajectoryController(dog, 1, predictor=recorder, lock_feet=False)
    actions, skeleton = list(controller.capabilities.actions), dog.skeleton
    columns = [skeleton.names.index(name) for name in model.contract.layout.body.names]
    for frame in range(FRAMES):
        told = dict(command(frame))
        action = actions.index(told.pop("label")) if "label" in told else -1
        shown = controller.step(BatchCommand.make(**told, action=action))
        position, rotation = forward(skeleton, shown.positions, shown.rotations)
        axes = rot.to_matrix(rotation[0, columns])
        recorder.frames[-1] |= {
            "told": command(frame),
            "place": [controller.state.place[0].real, controller.state.place[0].imag],
            "yaw": float(controller.state.yaw[0]),
            "position": position[0, columns].tolist(),
            "forward": axes[..., 2].tolist(),
            "up": axes[..., 1].tolist(),
        }
    return recorder.frames


def test_the_contract_names_every_column(folder: Path, model: Model) -> None:
    contract = json.loads(next(folder.glob("*.json")).read_text("utf-8"))
    sizes = {"trajectory": model.contract.layout.trajectory_size, "joints": model.contract.layout.joints_size}
    for name, size in sizes.items():
        blocks = contract["inputs"][name]
        assert [block["columns"][0] for block in blocks] == [0, *(block["columns"][1] for block in blocks[:-1])]
        assert blocks[-1]["columns"][1] == size
    assert contract["body"]["names"] == list(model.contract.layout.body.names)
    assert sorted(path.name for path in folder.iterdir()) == sorted(["dog_mann.json", "dog_mann.onnx", *LOOPS])


def test_the_python_loop_goes_as_the_controller_does(
    folder: Path, ridden: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(folder)
    for name in ("drive", "steering"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    contract = json.loads((folder / "dog_mann.json").read_text("utf-8"))
    driver = importlib.import_module("drive").Driver(folder / "dog_mann.onnx", contract)
    for frame in ridden:
        pose, contacts = driver.step(**frame["told"])
        np.testing.assert_allclose(driver.joints[0], frame["joints"], atol=2e-4)
        track = driver.place.real, driver.place.imag, driver.yaw
        np.testing.assert_allclose(track, [*frame["place"], frame["yaw"]], atol=1e-4)
        off = np.array(frame["contacts"]) - 0.5
        assert ((contacts == (off > 0)) | (np.abs(off) < 1e-3)).all()
        assert list(pose) == contract["body"]["names"]
        for k, part in enumerate(("position", "forward", "up")):
            np.testing.assert_allclose([joint[k] for joint in pose.values()], frame[part], atol=1e-3)


CHECK = """
import { readFileSync } from "node:fs";
import { Driver } from "./drive.mjs";
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf-8"));
const frames = read("record.json"), contract = read("dog_mann.json");
const worst = { trajectory: 0, position: 0, forward: 0, up: 0 };
const compare = (name, given, expected) => {
  if (given.length !== expected.length) throw new Error(`${given.length} numbers of ${name}, not ${expected.length}`);
  given.forEach((x, k) => { worst[name] = Math.max(worst[name], Math.abs(x - expected[k])); });
};
const ort = { Tensor: class { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } } };
let frame;
const session = { run: async ({ trajectory, joints, enabled }) => {
  compare("trajectory", trajectory.data, frame.trajectory);
  const sizes = [trajectory.dims, joints.dims, enabled.dims];
  const wanted = [[1, frame.trajectory.length], [1, contract.stand.length], [contract.experts]];
  if (JSON.stringify(sizes) !== JSON.stringify(wanted)) throw new Error(`sizes ${JSON.stringify(sizes)}`);
  const { joints: next_joints, root, contacts } = frame, tensor = (x) => ({ data: Float32Array.from(x) });
  return { next_joints: tensor(next_joints), root: tensor(root), contacts: tensor(contacts) };
} };
const driver = new Driver(ort, session, contract);
for (frame of frames) {
  const { pose, contacts } = await driver.step(frame.told);
  for (const name of ["position", "forward", "up"])
    compare(name, contract.body.names.flatMap((joint) => pose[joint][name]), frame[name].flat());
  if (contacts.some((stands, k) => stands !== frame.contacts[k] > 0.5)) throw new Error("other feet stand");
}
console.log(JSON.stringify(worst));
"""


def test_the_javascript_loop_asks_the_network_the_same(folder: Path, ridden: list[dict[str, Any]]) -> None:
    node = shutil.which("node", path=f"{Path(sys.executable).parent}:/usr/bin:/usr/local/bin")
    if node is None:
        pytest.skip("there is no node to run JavaScript")
    (folder / "record.json").write_text(json.dumps(ridden), "utf-8")
    (folder / "check.mjs").write_text(CHECK, "utf-8")
    run = subprocess.run([node, folder / "check.mjs"], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    assert all(off < (1e-4 if name == "trajectory" else 1e-3) for name, off in json.loads(run.stdout).items())
    for name in ("record.json", "check.mjs"):
        (folder / name).unlink()


@pytest.mark.parametrize("name", ["drive.py", "drive.mjs"])
def test_a_loop_is_short(folder: Path, name: str) -> None:
    lines = (folder / name).read_text("utf-8").splitlines()
    assert len(lines) <= MAX_LINES
    assert max(map(len, lines)) <= MAX_COLUMNS


def test_what_is_no_network_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="canter train"):
        write_engine_files(tmp_path / "none.onnx", tmp_path / "out")
    assert not (tmp_path / "out").exists()
