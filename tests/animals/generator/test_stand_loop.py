"""The loop of standing: exact, with feet in place, alive, and breathing faster in small animals."""

from __future__ import annotations

import numpy as np
import pytest

from canter.animals.generator.stand_loop import generate_stand
from canter.motion import rotations as rot

from ..loaded import animal

ANIMALS = pytest.mark.parametrize("name", ["horse", "dog", "turtle"])


@ANIMALS
def test_it_is_an_exact_loop(name: str) -> None:
    motion = generate_stand(animal(name).standing, frame_rate=50.0)
    assert len(motion) == 401
    np.testing.assert_allclose(motion.positions[0], motion.positions[-1], atol=1e-9)
    assert rot.difference(motion.rotations[0], motion.rotations[-1]).max() < 1e-7


@ANIMALS
def test_feet_stay_and_head_and_tail_move(name: str) -> None:
    who = animal(name)
    world = generate_stand(who.standing).position_world
    assert np.ptp(world[:, who.anatomy.feet], axis=0).max() < 1e-4 * who.anatomy.hip_height
    assert who.anatomy.head is not None
    for joint in (who.anatomy.spine[0], who.anatomy.head, who.anatomy.tail[-1]):
        assert np.ptp(world[:, joint], axis=0).max() > 0.01 * who.anatomy.hip_height


def test_small_animals_breathe_faster() -> None:
    rates = []
    for name in ("horse", "turtle"):
        standing = animal(name).standing
        spine = standing.anatomy.spine
        motion = generate_stand(standing)
        between = rot.multiply(
            rot.conjugate(motion.rotation_world[:-1, spine[0]]), motion.rotation_world[:-1, spine[-1]]
        )
        rates.append(int(np.argmax(np.abs(np.fft.rfft(rot.log(between)[:, 0]))[1:])) + 1)
    assert rates == [2, 4], "breaths in eight seconds"
