"""Rotations keep the group axioms over batch shapes and float types, and agree with SciPy's `Rotation`."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from canter.motion import rotations as rot

ORDERS = ["".join(order) for order in permutations("xyz")]
SHAPES = st.sampled_from([(), (1,), (5,), (0,), (2, 3), (4, 1, 2)])
TYPES = st.sampled_from([np.float32, np.float64])
SEEDS = st.integers(0, 2**32 - 1)


def near(kind: Any) -> float:
    return 2e-6 if kind == np.float32 else 1e-12


def quaternions(seed: int, shape: tuple[int, ...], kind: Any) -> Any:
    return rot.unit(np.random.default_rng(seed).normal(size=(*shape, 4))).astype(kind)


def vectors(seed: int, shape: tuple[int, ...], kind: Any) -> Any:
    return np.random.default_rng(seed).normal(size=(*shape, 3)).astype(kind)


def oracle(q: Any) -> Rotation:
    return Rotation.from_quat(np.asarray(q, np.float64).reshape(-1, 4), scalar_first=True)


@settings(max_examples=60)
@given(SEEDS, SHAPES, TYPES)
def test_group_axioms(seed: int, shape: tuple[int, ...], kind: Any) -> None:
    a, b, c = (quaternions(seed + i, shape, kind) for i in range(3))
    one = rot.IDENTITY.astype(kind)
    tolerance = near(kind)
    product = rot.multiply(a, b)
    assert product.dtype == kind
    assert product.shape == a.shape
    np.testing.assert_allclose(np.linalg.norm(product, axis=-1), 1, atol=tolerance)
    np.testing.assert_allclose(rot.multiply(product, c), rot.multiply(a, rot.multiply(b, c)), atol=tolerance)
    np.testing.assert_allclose(rot.multiply(one, a), a, atol=0)
    np.testing.assert_allclose(rot.multiply(a, one), a, atol=0)
    np.testing.assert_allclose(rot.multiply(a, rot.conjugate(a)), np.broadcast_to(one, a.shape), atol=tolerance)


@settings(max_examples=60)
@given(SEEDS, SHAPES, TYPES)
def test_rotating_is_the_groups_action_and_keeps_lengths(seed: int, shape: tuple[int, ...], kind: Any) -> None:
    a, b, v = quaternions(seed, shape, kind), quaternions(seed + 1, shape, kind), vectors(seed, shape, kind)
    turned = rot.rotate(rot.multiply(a, b), v)
    assert turned.dtype == kind
    assert turned.shape == v.shape
    np.testing.assert_allclose(turned, rot.rotate(a, rot.rotate(b, v)), atol=10 * near(kind))
    np.testing.assert_allclose(np.linalg.norm(turned, axis=-1), np.linalg.norm(v, axis=-1), rtol=10 * near(kind))
    np.testing.assert_allclose(rot.rotate(-a, v), rot.rotate(a, v), atol=10 * near(kind))
    np.testing.assert_allclose((rot.to_matrix(a) @ v[..., None])[..., 0], rot.rotate(a, v), atol=10 * near(kind))


@settings(max_examples=60)
@given(SEEDS, SHAPES, TYPES)
def test_every_function_keeps_shape_and_float_type(seed: int, shape: tuple[int, ...], kind: Any) -> None:
    q, v = quaternions(seed, shape, kind), vectors(seed, shape, kind)
    t = np.full(shape, 0.25, kind)
    results = {
        (4,): [rot.exp(v), rot.unit(q), rot.positive(q), rot.conjugate(q), rot.between(v, v[..., ::-1]), rot.yaw(t)],
        (3,): [rot.log(q), rot.to_euler(q, "zxy"), rot.normalize(v)],
        (): [rot.angle(q), rot.difference(q, q)],
        (3, 3): [rot.to_matrix(q)],
    }
    results[(4,)] += [rot.slerp(q, -q, t), rot.slerp(q, q, 0.5), rot.about(v, 0.5), rot.about(v, t)]
    results[(4,)] += [rot.from_euler(v, "xyz"), rot.from_matrix(rot.to_matrix(q)), rot.rotate(q, v)[..., [0, 1, 2, 0]]]
    for tail, arrays in results.items():
        for array in arrays:
            assert array.dtype == kind
            assert array.shape == (*shape, *tail)
            assert np.all(np.isfinite(array))


def test_plain_numbers_take_the_type_of_the_array_they_meet() -> None:
    q = rot.IDENTITY.astype(np.float32)
    assert rot.rotate(q, [0, 1, 0]).dtype == np.float32
    assert rot.multiply(q, [1.0, 0, 0, 0]).dtype == np.float32
    assert rot.rotate([1, 0, 0, 0], [0, 1, 0]).dtype == np.float64
    assert rot.about(np.array([0, 2, 0], np.float32), 1.0).dtype == np.float32


@settings(max_examples=40)
@given(SEEDS, SEEDS)
def test_products_and_turns_agree_with_scipy(seed: int, other: int) -> None:
    a, b, v = quaternions(seed, (7,), np.float64), quaternions(other, (7,), np.float64), vectors(seed, (7,), np.float64)
    expected = rot.positive((oracle(a) * oracle(b)).as_quat(scalar_first=True))
    np.testing.assert_allclose(rot.positive(rot.multiply(a, b)), expected, atol=1e-12)
    np.testing.assert_allclose(rot.rotate(a, v), oracle(a).apply(v), atol=1e-12)
    np.testing.assert_allclose(rot.to_matrix(a), oracle(a).as_matrix(), atol=1e-12)
    np.testing.assert_allclose(rot.angle(a), oracle(a).magnitude(), atol=1e-7)
    np.testing.assert_allclose(rot.log(a), oracle(a).as_rotvec(), atol=1e-9)


@pytest.mark.parametrize("size", [0.0, 1e-300, 1e-12, 1e-9, 1e-8, 1e-4, 1.0, np.pi - 1e-9, np.pi])
def test_exp_and_log_agree_with_scipy_and_undo_each_other_at_any_size(size: float) -> None:
    v = rot.normalize(vectors(3, (50,), np.float64)) * size
    np.testing.assert_allclose(rot.exp(v), Rotation.from_rotvec(v).as_quat(scalar_first=True), atol=1e-12)
    back = rot.log(rot.exp(v))
    if size == np.pi:  # either sign of a half turn is the same rotation
        back = np.where(np.sum(back * v, axis=-1, keepdims=True) < 0, -back, back)
    np.testing.assert_allclose(back, v, rtol=1e-8, atol=1e-15)


@settings(max_examples=60)
@given(SEEDS, TYPES)
def test_matrices_and_quaternions_undo_each_other(seed: int, kind: Any) -> None:
    q = rot.positive(quaternions(seed, (20,), kind))
    np.testing.assert_allclose(rot.difference(rot.from_matrix(rot.to_matrix(q)), q), 0, atol=4 * near(kind))


@pytest.mark.parametrize("axis", [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, -1, 1]])
def test_half_turns_survive_the_matrix(axis: list[int]) -> None:
    q = rot.about(axis, np.pi)
    np.testing.assert_allclose(np.abs(rot.from_matrix(rot.to_matrix(q))), np.abs(q), atol=1e-12)
    np.testing.assert_allclose(rot.difference(rot.from_matrix(rot.to_matrix(q)), q), 0, atol=1e-12)


@pytest.mark.parametrize("order", ORDERS)
@settings(max_examples=25)
@given(seed=SEEDS)
def test_euler_angles_agree_with_scipy(order: str, seed: int) -> None:
    angles = np.random.default_rng(seed).uniform(-np.pi, np.pi, (20, 3)) * [1, 0.49, 1]
    q = rot.from_euler(angles, order)
    expected = Rotation.from_euler(order.upper(), angles)
    np.testing.assert_allclose(rot.to_matrix(q), expected.as_matrix(), atol=1e-12)
    np.testing.assert_allclose(rot.to_euler(q, order), expected.as_euler(order.upper()), atol=1e-9)
    np.testing.assert_allclose(rot.to_euler(q, order), angles, atol=1e-9)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("short", [0.0, 1e-10, 1e-7, 1e-5, 1e-3])
@pytest.mark.parametrize("side", [-1, 1])
def test_euler_angles_hold_near_the_gimbal_lock(kind: Any, order: str, short: float, side: int) -> None:
    angles = np.random.default_rng(5).uniform(-3, 3, (50, 3))
    angles[:, 1] = side * (np.pi / 2 - short)
    q = rot.from_euler(angles.astype(kind), order)
    back = rot.to_euler(q, order)
    assert np.all(np.abs(back[:, 1]) <= np.pi / 2 + 1e-6)
    np.testing.assert_allclose(rot.difference(rot.from_euler(back, order), q), 0, atol=2 * near(kind))


def test_euler_of_fewer_axes_and_of_none() -> None:
    np.testing.assert_allclose(rot.from_euler([[0.3]], "Y"), rot.yaw([0.3]), atol=1e-15)
    np.testing.assert_allclose(rot.from_euler(np.zeros((2, 0)), ""), np.tile(rot.IDENTITY, (2, 1)))


@settings(max_examples=40)
@given(SEEDS, st.floats(0, 1))
def test_slerp_follows_the_geodesic_of_scipy(seed: int, t: float) -> None:
    a, b = quaternions(seed, (6,), np.float64), quaternions(seed + 1, (6,), np.float64)
    expected = oracle(a) * Rotation.from_rotvec(t * (oracle(a).inv() * oracle(b)).as_rotvec())
    np.testing.assert_allclose(rot.to_matrix(rot.slerp(a, b, t)), expected.as_matrix(), atol=1e-7)
    np.testing.assert_allclose(rot.slerp(a, a, t), a, atol=1e-12)
    np.testing.assert_allclose(rot.difference(rot.slerp(a, b, 0.0), a), 0, atol=1e-7)
    np.testing.assert_allclose(rot.difference(rot.slerp(a, -b, 1.0), b), 0, atol=1e-7)


def test_slerp_of_nearly_equal_rotations_stays_between_them() -> None:
    for size in (1e-3, 1e-5, 1e-7, 1e-9):
        a, b = rot.IDENTITY, rot.about([0, 0, 1], size)
        np.testing.assert_allclose(rot.log(rot.slerp(a, b, 0.25)), [0, 0, size / 4], atol=1e-9 * size)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("gap", [0.0, 1e-15, 1e-9, 1e-7, 1e-5, 1e-3, 0.1, 1.0])
@pytest.mark.parametrize("sign", [-1, 1])
def test_between_turns_one_direction_into_the_other_by_the_shortest_way(kind: Any, gap: float, sign: int) -> None:
    a = rot.normalize(vectors(1, (200,), np.float64))
    a = np.concatenate([a, np.eye(3), -np.eye(3)])
    b = rot.normalize(sign * a + gap * vectors(2, (len(a),), np.float64))
    q = rot.between(3 * a.astype(kind), b.astype(kind))
    np.testing.assert_allclose(rot.rotate(q, a.astype(kind)), b, atol=5 * near(kind))
    shortest = np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1))
    np.testing.assert_allclose(rot.angle(q), shortest, atol=2e-3 if kind == np.float32 else 1e-9)


def test_between_opposite_single_vectors() -> None:
    np.testing.assert_allclose(rot.rotate(rot.between([0, 0, 2], [0, 0, -1]), [0, 0, 1]), [0, 0, -1], atol=1e-15)


def test_between_zero_vectors_is_no_turn() -> None:
    np.testing.assert_allclose(rot.between(np.zeros(3), [0, 1, 0]), rot.IDENTITY)


def test_yaw_turns_forward_to_the_left() -> None:
    np.testing.assert_allclose(rot.rotate(rot.yaw(np.pi / 2), [0.0, 0, 1]), [1, 0, 0], atol=1e-15)


def test_signs_are_chosen_continuously_and_keep_the_rotation() -> None:
    turning = rot.about([0, 1, 0], np.linspace(0, 9, 60))
    flipped = turning * np.where(np.random.default_rng(0).random(60) < 0.5, -1, 1)[:, None]
    smooth = rot.continuous(flipped)
    assert np.all(np.sum(smooth[1:] * smooth[:-1], axis=-1) > 0)
    np.testing.assert_allclose(rot.difference(smooth, turning), 0, atol=1e-7)
    np.testing.assert_array_equal(rot.continuous(flipped[:1]), flipped[:1])


def test_unit_and_normalize_survive_zero() -> None:
    np.testing.assert_array_equal(rot.unit(np.zeros((2, 4))), np.tile(rot.IDENTITY, (2, 1)))
    np.testing.assert_array_equal(rot.normalize(np.zeros(3)), np.zeros(3))


def test_shorter_products_agree_with_the_usual_one() -> None:
    random = np.random.default_rng(4)
    a, b, angle = random.normal(size=(5, 3, 4)), random.normal(size=(5, 3, 4)), random.uniform(-3, 3, (5, 3))
    first = [np.ascontiguousarray(x.transpose(2, 0, 1)) for x in (a, b)]
    np.testing.assert_allclose(rot.multiply_parts(*first).transpose(1, 2, 0), rot.multiply(a, b), atol=1e-12)
    for axis, vector in zip("xyz", np.eye(3), strict=True):
        turned = rot.turned(b, axis, np.exp(0.5j * angle))
        np.testing.assert_allclose(turned, rot.multiply(rot.about(vector, angle), b), atol=1e-12)
    pure = np.concatenate([np.zeros((5, 3, 1)), a[..., 1:]], axis=-1)
    products = np.matmul(b[..., None, :], rot.left_products(a[..., 1:]))[..., 0, :]
    np.testing.assert_allclose(products, rot.multiply(pure, b), atol=1e-12)
