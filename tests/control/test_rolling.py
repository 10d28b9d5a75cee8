"""The coefficients of rolling hills: drawn once, and no part of what a terrain is compared and written by."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from canter.control.world import Rolling, World, sine_of_cycles


def test_the_waves_are_drawn_once_and_give_the_height() -> None:
    hills = Rolling(0.4, 3.0, 5)
    vectors, phases, amplitude = hills.waves
    assert hills.waves is hills.waves
    places = np.random.default_rng(1).uniform(-20, 20, (50, 2))
    waves = [np.sin(places @ k + phase) - np.sin(phase) for k, phase in zip(vectors, phases, strict=True)]
    summed = amplitude * sum(waves)
    np.testing.assert_allclose(hills.height(places), summed, atol=1e-14)
    assert np.abs(summed).max() <= 0.4


def test_a_terrain_that_was_used_is_equal_to_a_fresh_one() -> None:
    used, fresh = Rolling(0.4, 3.0, 5), Rolling(0.4, 3.0, 5)
    used.height(np.zeros(2))
    assert used == fresh
    assert hash(used) == hash(fresh)
    assert repr(used) == "Rolling(amplitude=0.4, wavelength=3.0, seed=5)"
    assert World(used).to_table() == World(fresh).to_table()
    assert World.from_table(World(used).to_table()) == World(fresh)


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=50))
def test_the_sine_of_cycles_is_that_of_numpy(cycles: list[float]) -> None:
    values = np.array(cycles)
    np.testing.assert_allclose(sine_of_cycles(values), np.sin(2 * np.pi * (values - np.rint(values))), atol=1e-13)
