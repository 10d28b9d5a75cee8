"""Networks as files: they say what they are, and whatever else is refused with a reason."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from canter.neural.dataset import DataSet
from canter.neural.model import Model, contract_from, fields_of
from canter.neural.onnx_file import METADATA_KEY


def test_it_knows_its_contract(network: Path, dataset: DataSet) -> None:
    contract = Model(network).contract
    assert contract.layout.body.names == dataset.layout.body.names
    assert contract.layout.labels == dataset.layout.labels
    assert contract.experts == 2
    assert list(contract.gaits) == ["walk", "trot", "canter", "gallop"]
    assert contract.about["recipe"]["units"] == 32
    again = contract_from(json.loads(json.dumps(fields_of(contract))))
    np.testing.assert_array_equal(again.stand, contract.stand)
    np.testing.assert_array_equal(again.limits.frequencies, contract.limits.frequencies)


def test_it_predicts_any_number_of_animals_alike(network: Path, dataset: DataSet) -> None:
    model, random = Model(network), np.random.default_rng(0)
    trajectory = random.normal(size=(5, model.contract.layout.trajectory_size)).astype(np.float32)
    joints = np.asarray(dataset.arrays["joints"][:5])
    on = np.ones(2, np.float32)
    every = model.predict(trajectory, joints, on)
    one = model.predict(trajectory[3:4], joints[3:4], on)
    np.testing.assert_allclose(every.joints[3:4], one.joints, atol=1e-5)
    np.testing.assert_allclose(every.experts.sum(axis=1), 1, atol=1e-5)
    off = model.predict(trajectory, joints, np.array([0, 1], np.float32))
    np.testing.assert_allclose(off.experts, [[0, 1]] * 5, atol=1e-6)


def test_bones_keep_their_lengths(network: Path, dataset: DataSet) -> None:
    model, body = Model(network), dataset.layout.body
    joints = np.asarray(dataset.arrays["joints"][::400])
    trajectory = np.zeros((len(joints), model.contract.layout.trajectory_size), np.float32)
    places = model.predict(trajectory, joints, np.ones(2, np.float32)).joints[:, : 3 * len(body)]
    places = places.reshape(-1, len(body), 3)
    bones = np.linalg.norm(places[:, 1:] - places[:, body.parents[1:]], axis=-1)
    lengths = np.linalg.norm(body.offsets[1:], axis=-1)
    np.testing.assert_allclose(bones, np.broadcast_to(lengths, bones.shape), atol=1e-5)


def test_files_that_are_no_networks_of_ours_are_refused(network: Path, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    with pytest.raises(FileNotFoundError, match="canter train"):
        Model(tmp_path / "none.onnx")
    damaged = tmp_path / "damaged.onnx"
    damaged.write_bytes(network.read_bytes()[:5000])
    with pytest.raises(ValueError, match="no ONNX file"):
        Model(damaged)
    text = tmp_path / "text.onnx"
    text.write_text("hello")
    with pytest.raises(ValueError, match="no ONNX file"):
        Model(text)
    whole = onnx.load(network)
    contract = json.loads(next(p.value for p in whole.metadata_props if p.key == METADATA_KEY))
    for name, change, words in [
        ("foreign", None, "not one of canter's"),
        ("newer", {"format": 99}, "newer canter"),
        ("older", {"format": 0}, "train it again"),
        ("torn", {"body": {}}, "damaged"),
        ("short", {"stand": [0.0]}, "damaged"),
        ("nan", {"stand": [float("nan")] * len(contract["stand"])}, "not finite"),
        ("other", {"labels": ["idle", "locomotion"]}, "do not fit"),
        ("crowded", {"experts": 9}, "do not fit"),
        ("empty", {"experts": 0}, r"0 experts\); copy the file again, or train it again"),
        ("limping", {"body": {**contract["body"], "feet": [99, 1, 2, 3]}}, "feet"),
        ("orphaned", {"body": {**contract["body"], "parents": [5] * len(contract["stand"])}}, "not one parent"),
        ("turned", {"body": {**contract["body"], "parents": contract["body"]["parents"][::-1]}}, "before its parent"),
        ("tied", {"body": {**contract["body"], "free": [False] * len(contract["body"]["free"])}}, "not free"),
        ("boundless", {"limits": {**contract["limits"], "max_speed": float("inf")}}, "not finite"),
        ("hasty", {"frame_rate": 1e9}, "frames a second"),
    ]:
        del whole.metadata_props[:]
        if change is not None:
            onnx.helper.set_model_props(whole, {METADATA_KEY: json.dumps({**contract, **change})})
        path = tmp_path / f"{name}.onnx"
        path.write_bytes(whole.SerializeToString())
        with pytest.raises(ValueError, match=words) as error:
            Model(path)
        assert str(path) in str(error.value)
    for text_of_contract, words in [("{", "no JSON"), ("[]", "train it again")]:
        del whole.metadata_props[:]
        onnx.helper.set_model_props(whole, {METADATA_KEY: text_of_contract})
        (tmp_path / "torn.onnx").write_bytes(whole.SerializeToString())
        with pytest.raises(ValueError, match=words):
            Model(tmp_path / "torn.onnx")
