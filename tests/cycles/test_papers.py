"""What holds for the presets of both papers, whatever they are told."""

from __future__ import annotations

import numpy as np
import pytest

from canter.control import Command, load, make_controller
from canter.cycles.library import fastest_joints
from canter.cycles.paper import Paper
from canter.evaluation.cycles_figures import CALM, RATE, joint_speeds
from canter.motion.kinematics import forward


@pytest.mark.parametrize("animal", ["horse", "dog", "turtle"])
@pytest.mark.parametrize(("preset", "seed"), [("sung", 3), ("huang", 5)])
def test_rides_are_sound(preset: str, seed: int, animal: str) -> None:
    controller = make_controller(preset, load(animal))
    assert isinstance(controller, Paper)
    anatomy, chance = controller.character.anatomy, np.random.default_rng(seed)
    poses = [controller.reset().pose]
    for _ in range(6):
        speed = float(chance.uniform(*controller.capabilities.speed_range))
        command = Command(speed=speed, heading=float(chance.uniform(-2, 2)))
        poses += [controller.step(command).pose for _ in range(120)]
    positions, rotations = (np.stack([getattr(pose, part) for pose in poses]) for part in ("positions", "rotations"))
    assert np.isfinite(positions).all()
    assert np.isfinite(rotations).all()
    fastest = np.stack([fastest_joints(cycle) for cycle in controller.crowd.library.cycles]).max(axis=0)
    assert (joint_speeds(rotations, RATE) < np.maximum(1.5 * fastest, CALM)).all()
    feet = forward(controller.character.skeleton, positions, rotations)[0][:, anatomy.feet]
    assert feet[..., 1].min() > -0.01 * anatomy.hip_height
