"""`canter train` refuses what cannot work before it makes data, says what to do, and leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from canter.cli import main
from canter.cli import training as cli
from canter.formats import write
from canter.motion import Asset
from canter.synthetic import example_animal


def refused(command: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What a training that fails says last."""
    with pytest.raises(SystemExit) as left:
        main(["train", "mann", *command])
    assert left.value.code == 1
    return capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-o", "dog.onnx", "--experts", "0"], "experts must be 1 to 64"),
        (["-o", "dog.onnx", "--units", "1"], "units must be 8 to 4096"),
        (["-o", "dog.onnx", "--minutes", "0"], "minutes must be above 0"),
        (["-o", "dog.onnx", "--minutes", "inf"], "minutes must be above 0 and finite"),
        (["-o", "dog.onnx", "--threads", "-1"], "threads must be 1 or more"),
        (["-o", "dog.pt"], "written as .onnx"),
        (["-o", "none/dog.onnx"], "there is no folder none; make it first"),
    ],
)
def test_options_are_checked_before_an_animal_improvises(
    options: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def improvises(*_: object) -> None:
        raise AssertionError("an animal improvises for nothing")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "open_takes", improvises)
    assert words in refused(["dog", *options], capsys)
    assert not list(tmp_path.iterdir())


def test_clips_that_are_broken_or_too_short_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CANTER_CACHE", str(tmp_path / "cache"))
    animal, clip, output = example_animal(strides=2), tmp_path / "walk.npz", tmp_path / "out" / "walk.onnx"
    output.parent.mkdir()
    write(Asset(animal.skeleton, (animal.clip("walk"),)), clip)
    command = [str(clip), "-o", str(output), "--threads", "1"]
    assert "too little to learn from, 20 s are needed; add clips" in refused(command, capsys)
    with np.load(clip) as file:
        arrays = dict(file)
    arrays["positions"][5] = np.nan
    np.savez(clip, **arrays)
    assert "walk.npz, positions: a number is not finite" in refused(command, capsys)
    assert not list(output.parent.iterdir())
    assert not (tmp_path / "cache").exists()
