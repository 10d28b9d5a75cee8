"""Trunks are shown steadier than they are predicted, and nothing else is."""

from __future__ import annotations

import numpy as np

from canter import Character
from canter.control.batch import BatchCommand
from canter.motion import Motion
from canter.neural.controller import TrajectoryController
from canter.neural.mann import MODELS
from canter.neural.model import Model, Prediction
from canter.neural.steadying import SteadyTrunk


def test_trembling_fades_and_lags_by_a_frame_at_most(dog: Character) -> None:
    contract = Model(MODELS / "dog_mann.onnx").contract
    body, size = contract.layout.body, contract.layout.joints_size
    legs = np.array([name.startswith(("Left", "Right")) for name in body.names])
    steady, time = SteadyTrunk(legs, contract.hip_height, 60.0, 1, size), np.arange(240) / 60
    head, axes = 3 * len(body) + 6 * body.names.index("Head"), slice(3 * len(body), 9 * len(body))
    shown = {}
    for hertz in (2.0, 20.0):
        steady.reset(np.ones(1, bool), np.zeros((1, size), np.float32))
        shown[hertz] = []
        for wave in np.sin(2 * np.pi * hertz * time):
            joints = np.full((1, size), wave, np.float32)
            steady.step(joints)
            shown[hertz].append(steady.joints[0, head])
            assert np.allclose(steady.joints[0, axes].reshape(-1, 6)[legs], wave, atol=1e-6)
    assert np.ptp(shown[20.0][60:]) < 0.5 * 2
    assert np.ptp(shown[2.0][60:]) > 0.95 * 2
    late = np.sin(2 * np.pi * 2.0 * (time - 1 / 60))
    assert np.abs(np.array(shown[2.0]) - late)[60:].max() < 0.1


class Trembling:
    """A stand whose trunk and legs turn to and fro in every other frame."""

    def __init__(self, model: Model) -> None:
        self.contract, self.sign = model.contract, 1.0

    def predict(self, trajectory: np.ndarray, joints: np.ndarray, enabled: np.ndarray) -> Prediction:
        self.sign = -self.sign
        made = self.contract.stand.astype(np.float32)[None].copy()
        body = self.contract.layout.body
        axes = made[:, 3 * len(body) : 9 * len(body)].reshape(1, -1, 2, 3)
        axes[..., 1] += 0.02 * self.sign * axes[..., 2]
        return Prediction(made, np.zeros((1, 3)), np.ones((1, 4)), np.full((1, self.contract.experts), 0.25))


def test_a_trembling_animal_is_shown_steadier_on_feet_that_stand(dog: Character) -> None:
    model, moved = Model(MODELS / "dog_mann.onnx"), {}
    head, feet = dog.skeleton.names.index("Head"), dog.anatomy.feet
    for lock_feet in (True, False):
        batch = TrajectoryController(dog, 1, predictor=Trembling(model), lock_feet=lock_feet)
        states = [batch.step(BatchCommand.still(1)) for _ in range(60)]
        positions, rotations = (np.concatenate([getattr(s, x) for s in states]) for x in ("positions", "rotations"))
        places = Motion(dog.skeleton, 60.0, positions, rotations).position_world
        moved[lock_feet] = [np.ptp(places[30:, joint], axis=0).max() for joint in (head, *feet)]
    assert moved[True][0] < 0.6 * moved[False][0]
    assert max(moved[True][1:]) < 1e-3 < max(moved[False][1:])
