"""Features and back: joints seen from the ground track are the joints of the motion."""

from __future__ import annotations

import numpy as np

from canter.control.takes import Takes
from canter.motion import rotations as rot
from canter.neural.dataset import DataSet, clip_features
from canter.neural.features import world_joints


def test_joints_come_back_from_their_features(takes: Takes, dataset: DataSet) -> None:
    motion, anatomy = takes.takes[0].motion, takes.character.anatomy
    columns = [takes.character.skeleton.names.index(name) for name in dataset.layout.body.names]
    seen = clip_features(motion, anatomy, columns)
    positions, rotations = world_joints(seen["joints"], len(columns), seen["place"], seen["yaw"])
    moved = motion.position_world[:, columns] - positions
    np.testing.assert_allclose(moved, np.broadcast_to(moved[0, 0], moved.shape), atol=1e-4)  # places begin at zero
    assert np.abs(moved[0, 0, 1]) < 1e-5
    own = motion.rotation_world[:, columns].astype(np.float64)
    assert rot.angle(rot.multiply(rot.conjugate(own), rotations)).max() < 1e-3


def test_features_do_not_know_where_north_is(takes: Takes, dataset: DataSet) -> None:
    from canter.motion.edits import transform

    motion, anatomy = takes.takes[0].motion, takes.character.anatomy
    columns = list(range(len(takes.character.skeleton)))
    elsewhere = transform(motion, rotation=rot.yaw(1.2), translation=np.array([3.0, 0.0, -7.0]))
    here, there = (clip_features(m, anatomy, columns)["joints"] for m in (motion, elsewhere))
    np.testing.assert_allclose(here, there, atol=2e-3)
