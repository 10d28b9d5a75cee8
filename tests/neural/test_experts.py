"""Experts of a network that are switched off take no part, and the animal still moves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from canter import Character, Command
from canter.control.experts import with_experts
from canter.control.registry import make_controller


def test_who_is_off_has_no_weight_and_the_others_share_it(dog: Character, network: Path) -> None:
    controller = make_controller("mann", dog, model=network)
    experts = with_experts(controller)
    assert experts is not None
    assert experts.enabled_experts == (True, True)
    before = controller.step(Command(speed=1.0)).telemetry["expert"]
    assert (before > 0).all()
    experts.enabled_experts = (False, True)
    np.testing.assert_allclose(controller.step(Command(speed=1.0)).telemetry["expert"], [0, 1], atol=1e-6)
    controller.reset()
    assert experts.enabled_experts == (False, True)
    with pytest.raises(ValueError, match="at least one"):
        experts.enabled_experts = (False, False)
    assert experts.enabled_experts == (False, True)


def test_an_option_names_those_that_are_on(dog: Character, network: Path) -> None:
    switched, named = (
        make_controller("mann", dog, model=network),
        make_controller("mann", dog, model=network, experts="2"),
    )
    experts = with_experts(switched)
    assert experts is not None
    experts.enabled_experts = (False, True)
    for _ in range(20):
        one, two = (controller.step(Command(speed=1.5)) for controller in (switched, named))
    np.testing.assert_array_equal(one.pose.rotations, two.pose.rotations)
    with pytest.raises(ValueError, match="numbers from 1 to 2"):
        make_controller("mann", dog, model=network, experts="3")
