"""Bodies as MuJoCo reads them: the same joints in the same order, and they stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from canter.body.articulation import Articulation
from canter.physics.mjcf import Scene, hinge_names, write_mjcf

mujoco = pytest.importorskip("mujoco")

Bodies = Callable[[str | int], Articulation]


def test_joints_and_masses_are_the_bodys_own(body_of: Bodies) -> None:
    body = body_of("dog")
    model = mujoco.MjModel.from_xml_string(write_mjcf(body))
    joints = [model.joint(k).name for k in range(model.njnt)]
    assert joints == ["root", *hinge_names(body)]
    np.testing.assert_allclose(model.body_mass.sum(), body.mass, rtol=1e-6)
    assert model.nu == sum(not hinge.passive for hinge in body.hinges)


def test_the_centre_of_mass_is_where_the_segments_have_it(body_of: Bodies) -> None:
    body = body_of("dog")
    model = mujoco.MjModel.from_xml_string(write_mjcf(body))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    masses = np.array([segment.mass for segment in body.segments])
    centre = masses @ np.array([segment.centre for segment in body.segments]) / masses.sum()
    np.testing.assert_allclose(data.subtree_com[0], centre[[2, 0, 1]], atol=1e-5)


@pytest.mark.parametrize("seed", [1, 4, 6, 7])
def test_strangers_stand_for_ten_seconds(body_of: Bodies, seed: int) -> None:
    """Some of these put their feet close together, where feet of points and soft contacts let them tip over."""
    from canter.physics.standing import try_standing

    stood = try_standing(body_of(seed))
    assert stood.upright
    assert stood.moved_hip_heights < 0.08


def test_names_that_are_no_words_are_told_apart(body_of: Bodies) -> None:
    body = body_of("dog")
    odd = replace(body, segments=tuple(replace(segment, name='ü b<>&"') for segment in body.segments))
    model = mujoco.MjModel.from_xml_string(write_mjcf(odd, Scene(boxes=2)))
    assert model.nbody == 1 + len(body.segments) + 2
