"""What engines get: a contract that names every column, and loops that do what the controller does."""

from __future__ import annotations

import json
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from canter import Character
from canter.control.batch import BatchCommand
from canter.neural.controller import TrajectoryController
from canter.neural.engine.files import LOOPS, write_engine_files
from canter.neural.mann import shipped
from canter.neural.model import Model

FRAMES = 240


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
    return {"speed": 0.0, "label": "sit"} if frame < 200 else {"speed": 2.0, "heading": -3.0}


@pytest.fixture(scope="module")
def ridden(dog: Character, model: Model) -> list[tuple[dict[str, Any], np.ndarray, complex, float]]:
    """What the controller sees and where it goes, frame by frame."""
    controller = TrajectoryController(dog, 1, predictor=model, lock_feet=False)
    actions, frames = list(controller.capabilities.actions), []
    for frame in range(FRAMES):
        told = dict(command(frame))
        action = actions.index(told.pop("label")) if "label" in told else -1
        controller.step(BatchCommand.make(**told, action=action))
        state = controller.state
        frames.append((command(frame), state.joints[0].copy(), complex(state.place[0]), float(state.yaw[0])))
    return frames


def test_the_contract_names_every_column(folder: Path, model: Model) -> None:
    contract = json.loads(next(folder.glob("*.json")).read_text("utf-8"))
    sizes = {"trajectory": model.contract.layout.trajectory_size, "joints": model.contract.layout.joints_size}
    for name, size in sizes.items():
        blocks = contract["inputs"][name]
        assert [block["columns"][0] for block in blocks] == [0, *(block["columns"][1] for block in blocks[:-1])]
        assert blocks[-1]["columns"][1] == size
    assert contract["body"]["names"] == list(model.contract.layout.body.names)
    assert sorted(path.name for path in folder.iterdir()) == sorted(["dog_mann.json", "dog_mann.onnx", *LOOPS])


def test_the_python_loop_goes_as_the_controller_does(folder: Path, ridden: list[Any]) -> None:
    driver = runpy.run_path(str(folder / "drive.py"))["Driver"](folder / "dog_mann.onnx", folder / "dog_mann.json")
    for told, joints, place, yaw in ridden:
        np.testing.assert_allclose(driver.step(**told)[0], joints, atol=2e-4)
        assert abs(driver.place - place) < 1e-4
        assert abs(driver.yaw - yaw) < 1e-4


def test_the_javascript_loop_asks_the_network_the_same(folder: Path, dog: Character, model: Model) -> None:
    node = shutil.which("node", path=f"{Path(sys.executable).parent}:/usr/bin:/usr/local/bin")
    if node is None:
        pytest.skip("there is no node to run JavaScript")
    asked: list[dict[str, list[float]]] = []

    class Recorder:
        contract = model.contract

        def predict(self, trajectory: Any, joints: Any, enabled: Any) -> Any:
            given = model.predict(trajectory, joints, enabled)
            parts = {"trajectory": trajectory, "joints": given.joints, "root": given.root}
            asked.append({name: x[0].astype(float).tolist() for name, x in parts.items()})
            return given

    controller = TrajectoryController(dog, 1, predictor=Recorder(), lock_feet=False)
    actions = list(controller.capabilities.actions)
    for frame in range(FRAMES):
        told = dict(command(frame))
        action = actions.index(told.pop("label")) if "label" in told else -1
        controller.step(BatchCommand.make(**told, action=action))
    record = {"asked": asked, "told": [command(frame) for frame in range(FRAMES)]}
    (folder / "record.json").write_text(json.dumps(record), "utf-8")
    script = folder / "check.mjs"
    script.write_text(
        """
import { readFileSync } from "node:fs";
import { Driver } from "./drive.mjs";
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf-8"));
const { asked, told } = read("record.json");
let frame = 0, worst = 0;
const driver = new Driver(read("dog_mann.json"), async ({ trajectory }) => {
  const expected = asked[frame].trajectory;
  if (trajectory.length !== expected.length) throw new Error(`${trajectory.length} columns`);
  trajectory.forEach((x, k) => { worst = Math.max(worst, Math.abs(x - expected[k])); });
  return { joints: Float32Array.from(asked[frame].joints), root: asked[frame].root, contacts: [] };
});
for (; frame < told.length; frame++) await driver.step(told[frame]);
console.log(worst);
""",
        "utf-8",
    )
    run = subprocess.run([node, script], capture_output=True, text=True, timeout=60, check=True)
    assert float(run.stdout) < 1e-4
    for name in ("record.json", "check.mjs"):
        (folder / name).unlink()


def test_what_is_no_network_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="canter train"):
        write_engine_files(tmp_path / "none.onnx", tmp_path / "out")
    assert not (tmp_path / "out").exists()
