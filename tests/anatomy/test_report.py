"""The report: axes as in the file, plain JSON, and reasons where canter is at a loss."""

from __future__ import annotations

import json

import numpy as np
import pytest

from canter.anatomy import detect, understand
from canter.anatomy.report import file_anatomy, not_understood, report
from canter.synthetic import example_animal, synthetic_rig


@pytest.mark.parametrize("axes", ["y up, z forward", "z up, -y forward", "-x up, y forward"])
def test_anatomy_comes_back_as_it_was_found(axes: str) -> None:
    asset = synthetic_rig(4, plain=True, axes=axes, units="centimetres", clip="straight").asset
    found = detect(asset)
    back = file_anatomy(understand(asset, found))
    assert np.allclose(back.up, found.up)
    assert np.allclose(back.forward, found.forward)
    assert back.hip_height == pytest.approx(found.hip_height)
    assert back.ground == pytest.approx(found.ground, abs=1e-9)


@pytest.mark.parametrize("kind", ["quadruped", "biped", "other"])
def test_it_is_plain_json(kind: str) -> None:
    found = report(understand(synthetic_rig(2, kind=kind).asset), "file.glb")
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["file"] == "file.glb"


def test_what_is_understood_has_no_reasons() -> None:
    found = report(understand(example_animal(strides=4)))
    assert not_understood(found) == []
    assert not_understood({**found, "confidence": 0.1, "doubts": ["why"]})[-1] == "why"
    assert not_understood({**found, "kind": "other"})
