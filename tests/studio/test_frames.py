"""Frames and terrains as the page's tests have them in web/src/golden.json: if this fails, the wire has changed."""

from __future__ import annotations

import json

import numpy as np

from .golden import PATH, golden


def test_the_page_is_tested_with_what_the_server_sends_now() -> None:
    """`python -m tests.studio.golden` writes the file anew; `npm test` in web/ then says what the page misreads."""
    kept, now = json.loads(PATH.read_text("utf-8")), golden()
    assert kept["frame"] == now["frame"]
    for name in ("path_points", "colours", "max_label_length"):
        assert kept[name] == now[name]
    for old, new in zip(kept["terrains"], now["terrains"], strict=True):
        assert old["terrain"] == new["terrain"]
        numbers = [(old[key], new[key]) for key in ("places", "heights", "gradients")]
        assert (old["waves"] or {}).keys() == (new["waves"] or {}).keys()
        numbers += [(old["waves"][key], new["waves"][key]) for key in new["waves"] or {}]
        for one, other in numbers:  # a sine may differ in its last digit from machine to machine
            np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)
