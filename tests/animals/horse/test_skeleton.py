"""The horse's skeleton against the counts of Huang et al. (2013, section 3)."""

from __future__ import annotations

from canter.animals.generator.plan import both_sides, freedoms
from canter.animals.horse.skeleton import HORSE


def test_it_has_35_joints_and_61_degrees_of_freedom() -> None:
    assert sum(not row.is_tip for row in both_sides(HORSE.joints)) == 35
    assert freedoms(HORSE.joints) == 61


def test_the_joints_of_the_withers_lie_below_their_height_of_1_60_m() -> None:
    scapula = next(row for row in HORSE.joints if row.name == "LeftScapula")
    chest = next(row for row in HORSE.joints if row.name == "Chest")
    assert 1.35 < chest.place[1] * HORSE.hip_height < scapula.place[1] * HORSE.hip_height < 1.60
