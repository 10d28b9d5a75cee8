"""The examiner examined: synthetic rigs are deterministic, and their truth holds."""

from __future__ import annotations

import numpy as np
import pytest

from canter.anatomy.nouns import LEGS
from canter.anatomy.synthetic import synthetic_rig


@pytest.mark.parametrize("seed", range(5))
def test_the_same_seed_gives_the_same_rig(seed: int) -> None:
    one, two = synthetic_rig(seed), synthetic_rig(seed)
    assert one.asset.skeleton.names == two.asset.skeleton.names
    for a, b in zip(one.asset.clips, two.asset.clips, strict=True):
        np.testing.assert_array_equal(a.positions, b.positions)
        np.testing.assert_array_equal(a.rotations, b.rotations)


@pytest.mark.parametrize("seed", range(20))
def test_true_names_exist_once(seed: int) -> None:
    rig = synthetic_rig(seed)
    names = rig.asset.skeleton.names
    assert len(set(names)) == len(names)
    for leg in LEGS:
        assert set(rig.truth.legs[leg]) | set(rig.truth.feet[leg]) <= set(names)
