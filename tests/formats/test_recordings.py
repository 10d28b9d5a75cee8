"""Real recordings, where `CANTER_DATA` names a folder of them: all are read, and survive a round trip."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from canter.formats import READERS, FormatError, read, write

from .samples import worst_distance

DATA = os.environ.get("CANTER_DATA", "")
FILES = sorted(file for file in Path(DATA).rglob("*") if file.suffix.lower() in READERS) if DATA else []
MOTIONS = [file for file in FILES if file.suffix.lower() not in (".txt", ".json")]

pytestmark = [pytest.mark.data, pytest.mark.skipif(not DATA, reason="CANTER_DATA is not set")]


@pytest.mark.parametrize("file", MOTIONS, ids=lambda file: file.name)
def test_recordings_are_read(file: Path) -> None:
    asset = read(file)
    assert asset.clips
    for clip in asset.clips:
        assert np.isfinite(clip.position_world).all()


def test_json_is_a_motion_a_character_or_refused() -> None:
    for file in set(FILES) - set(MOTIONS):
        try:
            read(file)
        except FormatError as error:
            assert "neither" in str(error) or "JSON" in str(error)  # noqa: PT017


def smallest() -> list[Path]:
    """One motion of each folder and suffix."""
    by_kind: dict[tuple[Path, str], Path] = {}
    for file in sorted(MOTIONS, key=lambda file: file.stat().st_size):
        by_kind.setdefault((file.parent, file.suffix), file)
    return list(by_kind.values())


@pytest.mark.parametrize("suffix", [".bvh", ".glb", ".npz"])
@pytest.mark.parametrize("file", smallest(), ids=lambda file: file.name)
def test_round_trips(tmp_path: Path, file: Path, suffix: str) -> None:
    asset = read(file)
    for clip in asset.clips:
        one = replace(asset, clips=(clip,))
        write(one, tmp_path / f"again{suffix}")
        again = read(tmp_path / f"again{suffix}")
        assert again.clips[0].frame_rate == clip.frame_rate
        assert worst_distance(one, again) < 1e-4
