"""How far archives are inflated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from canter.formats import archive
from canter.formats.archive import MAX_RATIO, Archive, pack
from canter.formats.errors import FormatError


@pytest.mark.parametrize(("content", "opens"), [("numbers", True), ("zeros", False)])
def test_what_a_large_file_holds_is_inflated_and_what_a_small_one_pretends_to_is_not(
    content: str, opens: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_TOTAL_BYTES", 10_000)
    numbers = np.random.default_rng(0).bytes(50_000) if content == "numbers" else bytes(50_000)
    packed = pack({"a": numbers})
    assert (len(packed) * MAX_RATIO > len(numbers)) == opens
    opened = Archive(packed, Path("some.takes"))
    if opens:
        assert opened.bytes("a") == numbers
    else:
        with pytest.raises(FormatError, match="more than canter inflates"):
            opened.bytes("a")
