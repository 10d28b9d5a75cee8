"""Which joints a network moves, and where its features are."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import get_args

import numpy as np

import canter
from canter import Character
from canter.neural.dataset import DataSet
from canter.neural.layout import Gating, moved_joints


def test_a_dog_has_the_sizes_of_the_paper(dataset: DataSet) -> None:
    assert len(dataset.layout.body) == 27
    assert dataset.layout.labels == ("idle", "locomotion", "sit", "lie", "upright", "jump")
    assert dataset.layout.input_size == 480
    assert len(dataset.layout.gating_columns) == 19


def test_what_a_gate_sees(dataset: DataSet) -> None:
    layout = dataset.layout
    seen = {gating: replace(layout, gating=gating).gating_columns for gating in get_args(Gating)}
    told = set(seen["velocities"][-7:])  # six labels and the wanted speed
    assert {name: len(columns) for name, columns in seen.items()} == {
        "velocities": 19,
        "positions": 19,
        "both": 31,
        "rotations": 27 * 6 + 7,
        "input": 480,
    }
    assert all(told <= set(columns) for columns in seen.values())
    feet = [layout.trajectory_size + 3 * foot for foot in layout.body.feet]
    assert set(feet) <= set(seen["positions"])
    assert not set(feet) & set(seen["velocities"])
    assert {foot + 9 * 27 for foot in feet} <= set(seen["velocities"])


def test_what_hangs_is_left_out() -> None:
    horse = canter.load("horse")
    names = {horse.skeleton.names[joint] for joint in moved_joints(horse.skeleton, horse.anatomy)}
    assert {"Tail1", "Tail2", "Muzzle", "LeftForeHoof"} <= names
    assert not names & {"Tail3", "TailTip", "LeftEar", "RightEarTip"}


def test_only_the_root_of_a_dog_is_placed_by_the_network(dataset: DataSet, dog: Character) -> None:
    body = dataset.layout.body
    assert [name for name, free in zip(body.names, body.free, strict=True) if free] == ["Hips"]
    assert [body.names[foot] for foot in body.feet] == [dog.skeleton.names[foot] for foot in dog.anatomy.feet]


def test_sums_add_up_the_steps_from_the_root(dataset: DataSet) -> None:
    body = dataset.layout.body
    foot = body.feet[0]
    chain = np.flatnonzero(body.sums[foot])
    assert chain[0] == 0
    assert chain[-1] == foot
    assert all(body.parents[b] == a for a, b in pairwise(chain))
