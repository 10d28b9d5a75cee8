"""Mass distribution: fractions, plausible parts, and a centre of mass that is a weighted mean."""

from __future__ import annotations

import numpy as np
import pytest

from canter.animals.animal import Animal, dog, horse
from canter.body.mass import centre_of_mass, masses


@pytest.fixture(scope="module", params=[horse, dog], ids=["horse", "dog"])
def animal(request: pytest.FixtureRequest) -> Animal:
    found: Animal = request.param()
    return found


def test_masses_are_fractions_with_legs_of_about_a_quarter(animal: Animal) -> None:
    share = masses(animal.skeleton, animal.anatomy, animal.standing.places)
    assert share.min() >= 0
    assert share.sum() == pytest.approx(1)
    assert 0.15 < sum(share[list(leg.joints)].sum() for leg in animal.anatomy.legs) < 0.4


def test_both_sides_weigh_the_same(animal: Animal) -> None:
    share = masses(animal.skeleton, animal.anatomy, animal.standing.places)
    np.testing.assert_allclose(share[animal.anatomy.mirror], share)
    centre = centre_of_mass(animal.skeleton, share, animal.standing.places[None])
    assert centre[0, 0] == pytest.approx(0, abs=1e-9)
    assert 0.7 < centre[0, 1] / animal.anatomy.hip_height < 1.2


def test_a_mass_at_one_bone_is_in_its_middle(animal: Animal) -> None:
    share = np.zeros(len(animal.skeleton))
    share[3] = 1
    places, parent = animal.standing.places, animal.skeleton.parents[3]
    np.testing.assert_allclose(
        centre_of_mass(animal.skeleton, share, places[None])[0], (places[3] + places[parent]) / 2
    )
