"""Rows for other proportions: an animal like its model keeps its row, flexions shift within limits."""

from __future__ import annotations

import pytest

from canter.animals.fitting.proportions import lengthening_roles, proportioned, shifted
from canter.animals.fitting.puppet import make_puppet
from canter.animals.fitting.standing_rig import standing_rig

from ..loaded import animal
from .rigs import rig


def test_a_knee_that_bends_the_other_way_still_lengthens_its_leg() -> None:
    assert "carpus" in lengthening_roles(("scapula", "shoulder", "carpus", "hoof"))
    assert "carpus" not in lengthening_roles(("scapula", "shoulder", "elbow", "carpus", "hoof"))


@pytest.mark.parametrize("name", ["horse", "dog"])
def test_an_animal_like_its_model_keeps_its_row(name: str) -> None:
    who = animal(name)
    row = who.row("trot")
    found = proportioned(row, make_puppet(who, standing_rig(who)), who.standing)
    assert found.fore.centre == pytest.approx(row.fore.centre, abs=0.005)
    assert found.hind.width == pytest.approx(row.hind.width, rel=0.02)
    for role, (stance, _) in row.hind.bends.items():
        for (_, ours), (_, theirs) in zip(found.hind.bends[role][0], stance, strict=True):
            assert ours == pytest.approx(theirs, abs=1.0)


def test_flat_feet_do_not_roll() -> None:
    character, model = rig("dog", 2, end_at_ankle=True), animal("dog")
    found = proportioned(model.row("walk"), make_puppet(character, standing_rig(character)), model.standing)
    assert found.fore.roll_pitch == found.hind.roll_pitch == 0


def test_flexions_shift_less_where_a_joint_is_closed() -> None:
    curve = ((0.0, 20.0), (0.5, 90.0), (1.0, 130.0))
    assert shifted(curve, 10.0, 0.0) == ((0.0, 30.0), (0.5, 95.0), (1.0, 130.0))
    assert shifted(curve, -30.0, 8.0) == ((0.0, 8.0), (0.5, 60.0), (1.0, 100.0))
