"""Data sets: what is in them, what is told, what is refused, and that they are read back from disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from canter.control.takes import Takes
from canter.neural.dataset import DataSet, breakdown, make_dataset, without_haste
from canter.neural.labels import smoothed


def test_every_frame_is_there_once(takes: Takes, dataset: DataSet) -> None:
    assert len(dataset) == sum(len(take.motion) for take in takes.takes)
    assert sum(frames for _, _, frames, _ in breakdown(dataset)) == len(dataset)
    assert dataset.held.sum() == 1


def test_captured_takes_are_mirrored(takes: Takes) -> None:
    captured = replace(takes, provenance={"made_by": "capture"})
    both = make_dataset(captured)
    assert len(both) == 2 * sum(len(take.motion) for take in takes.takes)
    own, image = (slice(*both.starts[k : k + 2]) for k in range(2))
    np.testing.assert_allclose(both.arrays["velocity"][own], both.arrays["velocity"][image].conj(), atol=1e-3)
    np.testing.assert_array_equal(both.arrays["contacts"][own][:, [1, 0, 3, 2]], both.arrays["contacts"][image])
    for name in ("heading", "facing"):
        np.testing.assert_allclose(both.arrays[name][own], -both.arrays[name][image])
        assert np.nanmax(np.abs(both.arrays[name][own])) > 0.1


def test_a_jump_goes_on_and_a_sit_does_not(dataset: DataSet) -> None:
    assert dataset.jumps == ("locomotion", "jump")


def test_nobody_is_told_to_rest_while_it_runs(dataset: DataSet) -> None:
    label, speed = np.asarray(dataset.arrays["label"]), np.abs(dataset.arrays["velocity"])
    rests = np.isin(label, [dataset.layout.labels.index(name) for name in ("idle", "sit", "lie", "upright")])
    assert speed[rests].max() <= dataset.rest_speed + 1e-5
    assert np.abs(dataset.arrays["wanted_speed"])[rests].max() == 0
    told = without_haste(np.array([2, 2, 5]), np.array([3.0, 0.1, 3.0]), np.arange(6) % 4 == 1, 0.5)
    np.testing.assert_array_equal(told, [1, 2, 5])


def test_labels_follow_what_is_told_and_never_announce_it() -> None:
    label = np.array([0] * 30 + [2] * 60)
    weights = smoothed(label, 3, np.array([0, 90]), 60.0)
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(weights[:30, 0], 1, atol=1e-6)
    assert (np.diff(weights[30:, 2]) >= 0).all()
    assert weights[-1, 2] > 0.99


def test_a_data_set_is_kept_and_read_again(takes: Takes, tmp_path: Path) -> None:
    made = make_dataset(takes, folder=tmp_path)
    again = make_dataset(takes, folder=tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
    assert isinstance(again.arrays["joints"], np.memmap)
    for name, values in made.arrays.items():
        np.testing.assert_array_equal(values, again.arrays[name])
    make_dataset(takes, folder=tmp_path, seed=1)
    assert len(list(tmp_path.iterdir())) == 2


def test_too_little_and_damaged_motion_is_refused(takes: Takes) -> None:
    with pytest.raises(ValueError, match="too little"):
        make_dataset(replace(takes, takes=takes.takes[:0]))
    first = takes.takes[0]
    positions = first.motion.positions.copy()
    positions[5] = np.nan
    damaged = replace(first, motion=replace(first.motion, positions=positions))
    with pytest.raises(ValueError, match="not finite"):
        make_dataset(replace(takes, takes=(damaged, *takes.takes[1:])))
