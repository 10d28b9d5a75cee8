"""The ground track: the middle of the girdles and where they point, whatever the root bone does."""

from __future__ import annotations

import numpy as np
import pytest

from canter.anatomy import ground_track
from canter.anatomy.ground import low_pass
from canter.motion import rotations as rot
from canter.motion import transform

from .animals import dog


def test_it_follows_a_straight_walk() -> None:
    walk = dog().clip("walk").motion
    track = ground_track(walk, dog().anatomy)
    assert np.abs(track.facings).max() < np.radians(2)
    assert np.abs(track.positions[:, 0]).max() < 0.01
    speed = np.diff(track.positions[:, 1]).mean() * walk.frame_rate
    assert speed == pytest.approx(0.72, rel=0.02)
    np.testing.assert_allclose(np.linalg.norm(track.directions, axis=-1), 1)


@pytest.mark.parametrize("yaw", [0.5, -2.0, 3.0])
def test_it_turns_and_moves_with_the_animal(yaw: float) -> None:
    walk = dog().clip("walk").motion
    plain = ground_track(walk, dog().anatomy)
    turned = ground_track(transform(walk, rot.yaw(yaw), np.array([3.0, 0, -1])), dog().anatomy)
    np.testing.assert_allclose(np.cos(turned.facings - plain.facings - yaw), 1, atol=1e-9)
    ahead = turned.positions - [3.0, -1.0]
    back = np.stack(
        [ahead @ [np.cos(yaw), -np.sin(yaw)], ahead @ [np.sin(yaw), np.cos(yaw)]],
        axis=-1,
    )
    np.testing.assert_allclose(back, plain.positions, atol=1e-6)


def test_facings_are_continuous_over_whole_turns() -> None:
    walk = dog().clip("walk").motion
    spin = transform(walk, rot.yaw(np.linspace(0, 4 * np.pi, len(walk))))
    facings = ground_track(spin, dog().anatomy, smooth=False).facings
    assert facings[-1] - facings[0] == pytest.approx(4 * np.pi, abs=0.05)
    assert np.abs(np.diff(facings)).max() < 0.2


def test_smoothing_takes_out_the_sway_and_keeps_the_way() -> None:
    time = np.arange(240) / 60
    drift, sway = 0.5 * time, 0.1 * np.sin(2 * np.pi * 8 * time)
    smooth = low_pass(drift + sway, 60.0)
    assert np.abs(smooth - drift)[20:-20].max() < 0.01
    np.testing.assert_array_equal(low_pass(sway[:5], 60.0), sway[:5])
    np.testing.assert_array_equal(low_pass(sway, 4.0), sway)
