"""Joints that rigs carry besides the body are recognised, and no leg is taken for one."""

from __future__ import annotations

import numpy as np
import pytest

from canter.anatomy.rig_motion import rig_motion
from canter.synthetic import synthetic_rig


@pytest.mark.parametrize(("mutation", "least"), [("origin_helpers", 1), ("twist_bones", 4)])
def test_helpers_are_no_part_of_the_body(mutation: str, least: int) -> None:
    plain = synthetic_rig(5, plain=True, clip="straight")
    helped = synthetic_rig(5, plain=True, clip="straight", **{mutation: True})
    added = set(helped.asset.skeleton.names) - set(plain.asset.skeleton.names)
    assert len(added) >= least
    rig = rig_motion(helped.asset)
    left_out = {helped.asset.skeleton.names[j] for j in np.flatnonzero(~rig.body)}
    assert len(left_out & added) >= 0.8 * len(added)
    legs = {name for chain in helped.truth.legs.values() for name in chain}
    assert not left_out & legs
