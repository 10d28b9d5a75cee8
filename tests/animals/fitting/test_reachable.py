"""Rows within reach: footholds agree with the generator, long strides are shortened or the body lowered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.animals.fitting.reachable import MIN_STRIDE_SHARE, footholds, in_stance, reachable
from canter.animals.generator.gaits import generate

from ..loaded import animal


@pytest.mark.parametrize("gait", ["walk", "canter"])
def test_footholds_are_where_the_generator_puts_the_toes(gait: str) -> None:
    standing, row = animal("horse").standing, animal("horse").row(gait)
    motion = generate(standing, row)
    for leg in range(4):
        toe = motion.position_world[:, standing.anatomy.legs[leg].joints[-1]]
        down = in_stance(row, len(motion), leg)
        found = footholds(standing, row, len(motion), leg)
        way = np.array([0.0, 0.0, row.speed / row.frequency])
        gaps = [np.linalg.norm(found[down] + k * way - toe[down], axis=1) for k in (-1, 0, 1)]
        assert np.min(gaps, axis=0).max() < 0.01 * standing.height


def test_a_row_in_reach_keeps_its_strides() -> None:
    standing, row = animal("horse").standing, animal("horse").row("walk")
    found = reachable(standing, row)
    assert (found.speed, found.frequency) == (row.speed, row.frequency)


def test_strides_that_are_too_long_are_shortened_and_the_body_lowered() -> None:
    standing, row = animal("horse").standing, animal("horse").row("walk")
    long = replace(row, speed=2.2 * row.speed, drop=0.0)
    found = reachable(standing, long)
    share = (found.speed / found.frequency) / (long.speed / long.frequency)
    assert MIN_STRIDE_SHARE - 0.01 < share < 1
    assert found.drop > long.drop
