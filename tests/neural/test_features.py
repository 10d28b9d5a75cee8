"""Features and back: joints seen from the ground track are the joints of the motion."""

from __future__ import annotations

import numpy as np

from canter.control.takes import Takes
from canter.motion import rotations as rot
from canter.neural.dataset import DataSet, clip_features
from canter.neural.features import local_joints


def test_joints_come_back_from_their_features(takes: Takes, dataset: DataSet) -> None:
    motion, anatomy, body = takes.takes[0].motion, takes.character.anatomy, dataset.layout.body
    columns = [takes.character.skeleton.names.index(name) for name in body.names]
    seen = clip_features(motion, anatomy, columns)
    positions, rotations = local_joints(seen["joints"], body.parents, np.arange(len(columns)))
    inner = body.parents >= 0
    np.testing.assert_allclose(positions[:, inner], motion.positions[:, columns][:, inner], atol=1e-4)
    own = motion.rotations[:, columns].astype(np.float64)
    assert rot.angle(rot.multiply(rot.conjugate(own), rotations))[:, inner].max() < 1e-3
    root = int(np.flatnonzero(~inner)[0])
    turned = rot.multiply(rot.yaw(seen["yaw"].astype(np.float64)), rotations[:, root])
    assert rot.angle(rot.multiply(rot.conjugate(own[:, root]), turned)).max() < 1e-3
    np.testing.assert_allclose(positions[:, root, 1], motion.position_world[:, columns[root], 1], atol=1e-4)


def test_features_do_not_know_where_north_is(takes: Takes, dataset: DataSet) -> None:
    from canter.motion.edits import transform

    motion, anatomy = takes.takes[0].motion, takes.character.anatomy
    columns = list(range(len(takes.character.skeleton)))
    elsewhere = transform(motion, rotation=rot.yaw(1.2), translation=np.array([3.0, 0.0, -7.0]))
    here, there = (clip_features(m, anatomy, columns)["joints"] for m in (motion, elsewhere))
    np.testing.assert_allclose(here, there, atol=2e-3)
