"""Quaternions (w, x, y, z) and what turns into them, as broadcasting functions on arrays `(..., 4)`.

Written by hand because SciPy's `Rotation` copies to float64 and is some 27 times slower on large arrays;
SciPy is the oracle in the tests. All functions keep the float type that they are given; plain numbers and lists
take the type of the array they meet.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from canter.motion.arrays import ArrayLike, Complexes, Floats

IDENTITY: Floats = np.array([1.0, 0.0, 0.0, 0.0])
SMALL_ARRAYS = 1024
"""Numbers in both factors together below which one matrix product is faster than componentwise arithmetic."""


def _products() -> Floats:
    """The linear map `(4, 16)` from a quaternion `a (4,)` to the matrix `(4, 4)` of left multiplication by it."""
    signs = [[1, 1, 1, 1], [1, -1, 1, -1], [1, -1, -1, 1], [1, 1, -1, -1]]
    table = np.zeros((4, 4, 4))
    for i, row in enumerate(signs):
        for j, sign in enumerate(row):
            table[i, j, i ^ j] = sign
    return table.reshape(4, 16)


_LEFT: dict[np.dtype[Any], Floats] = {np.dtype(kind): _products().astype(kind) for kind in (np.float64, np.float32)}


def _floats(x: ArrayLike) -> Floats:
    array = np.asarray(x)
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _alike(a: ArrayLike, b: ArrayLike) -> tuple[Floats, Floats]:
    """Both as float arrays; a number or list takes the type of the other."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.dtype == b.dtype and a.dtype.kind == "f":
        return a, b  # the usual case, and this is called a lot
    typed = [x.dtype for x in (a, b) if isinstance(x, np.ndarray | np.generic) and np.issubdtype(x.dtype, np.floating)]
    kind = np.result_type(*typed) if typed else np.dtype(np.float64)
    return np.asarray(a, kind), np.asarray(b, kind)


def normalize(x: ArrayLike) -> Floats:
    """`x (..., n)` at unit length; a zero vector stays zero."""
    x = _floats(x)
    length = np.linalg.norm(x, axis=-1, keepdims=True)
    result: Floats = x / np.where(length > 0, length, 1)
    return result


def unit(q: ArrayLike) -> Floats:
    """`q` at unit length, and the identity where it is zero."""
    q = _floats(q)
    length = np.linalg.norm(q, axis=-1, keepdims=True)
    result: Floats = np.where(length > 1e-12, q / np.where(length > 1e-12, length, 1), IDENTITY.astype(q.dtype))
    return result


def positive(q: ArrayLike) -> Floats:
    """The same rotation with w >= 0, the form that files keep."""
    q = _floats(q)
    result: Floats = np.where(q[..., :1] < 0, -q, q)
    return result


def conjugate(q: ArrayLike) -> Floats:
    """The inverse of a unit quaternion."""
    q = _floats(q)
    result: Floats = q * np.array([1, -1, -1, -1], q.dtype)
    return result


def multiply(a: ArrayLike, b: ArrayLike) -> Floats:
    """Hamilton product: first `b`, then `a`."""
    a, b = _alike(a, b)
    if a.size + b.size < SMALL_ARRAYS and a.dtype in _LEFT:
        left = (a @ _LEFT[a.dtype]).reshape(*a.shape[:-1], 4, 4)
        few: Floats = np.matmul(b[..., None, :], left)[..., 0, :]
        return few
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    w = aw * bw - ax * bx - ay * by - az * bz
    out = np.empty((*w.shape, 4), w.dtype)
    out[..., 0] = w
    out[..., 1] = aw * bx + ax * bw + ay * bz - az * by
    out[..., 2] = aw * by - ax * bz + ay * bw + az * bx
    out[..., 3] = aw * bz + ax * by - ay * bx + az * bw
    return out


_LEFT_UNITS = {
    "x": (np.array([1, 0, 3, 2]), np.array([-1.0, 1.0, -1.0, 1.0])),
    "y": (np.array([2, 3, 0, 1]), np.array([-1.0, 1.0, 1.0, -1.0])),
    "z": (np.array([3, 2, 1, 0]), np.array([-1.0, -1.0, 1.0, 1.0])),
}
"""Products i q, j q and k q: the order in which they take the components of q, and their signs."""


def left_products(axes: Floats) -> Floats:
    """Matrices `(..., 4, 4)` for products of pure quaternions with vector parts `axes (..., 3)`: v q is q @ matrix."""
    pure = np.concatenate([np.zeros((*axes.shape[:-1], 1)), axes], axis=-1)
    result: Floats = (pure @ _LEFT[pure.dtype]).reshape(*axes.shape[:-1], 4, 4)
    return result


def turned_one(q: list[float], axis: str, half: complex) -> list[float]:
    """The same as `turned` for the four numbers of one rotation."""
    w, x, y, z = q
    c, s = half.real, half.imag
    if axis == "x":
        return [c * w - s * x, c * x + s * w, c * y - s * z, c * z + s * y]
    if axis == "y":
        return [c * w - s * y, c * x + s * z, c * y + s * w, c * z - s * x]
    return [c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w]


def turned(q: Floats, axis: str, half: Complexes | complex) -> Floats:
    """Rotations `(..., 4)` in float64 turned about the axis "x", "y" or "z" of their parent; the same as a product with
    that turn, but cheaper. `half`, an array `(...)` or a number, is exp(1j a / 2) of the angle `a`."""
    order, signs = _LEFT_UNITS[axis]
    half = half[..., None] if isinstance(half, np.ndarray) else half
    result: Floats = q * half.real
    result += (q.take(order, axis=-1) * signs) * half.imag
    return result


_HAMILTON: Floats = np.ascontiguousarray(_products().reshape(4, 4, 4).transpose(2, 0, 1).reshape(4, 16))


def multiply_parts(a: Floats, b: Floats) -> Floats:
    """The product of `multiply` for float64 quaternions whose components come first `(4, ...)`."""
    products = (a[:, None] * b).reshape(16, -1)
    return (_HAMILTON @ products).reshape(b.shape)


def rotate(q: ArrayLike, v: ArrayLike) -> Floats:
    """Vectors `v (..., 3)` turned by `q (..., 4)`."""
    q, v = _alike(q, v)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    vx, vy, vz = v[..., 0], v[..., 1], v[..., 2]
    tx, ty, tz = 2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)
    rx = vx + w * tx + y * tz - z * ty
    out = np.empty((*rx.shape, 3), rx.dtype)
    out[..., 0] = rx
    out[..., 1] = vy + w * ty + z * tx - x * tz
    out[..., 2] = vz + w * tz + x * ty - y * tx
    return out


def exp(v: ArrayLike) -> Floats:
    """Rotation vectors (axis times angle) `(..., 3)` to quaternions."""
    v = _floats(v)
    half = np.linalg.norm(v, axis=-1, keepdims=True) / 2
    scale = np.where(half > 1e-8, np.sin(half) / np.where(half > 1e-8, 2 * half, 1), 0.5)
    return np.concatenate([np.cos(half), scale * v], axis=-1).astype(v.dtype)


def log(q: ArrayLike) -> Floats:
    """Quaternions to rotation vectors of at most pi."""
    q = positive(q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(sine, q[..., :1])
    scale = np.where(sine > 1e-8, angle / np.where(sine > 1e-8, sine, 1), 2)
    result: Floats = scale * q[..., 1:]
    return result


def about(axis: ArrayLike, angle: ArrayLike) -> Floats:
    """The rotation by `angle (...)` radians about `axis (..., 3)`."""
    axis, angle = _alike(axis, angle)
    return exp(normalize(axis) * angle[..., None])


def angle(q: ArrayLike) -> Floats:
    """How far `q` turns, in radians, 0 to pi."""
    q = _floats(q)
    result: Floats = 2 * np.arctan2(np.linalg.norm(q[..., 1:], axis=-1), np.abs(q[..., 0]))
    return result


def difference(a: ArrayLike, b: ArrayLike) -> Floats:
    """The geodesic angle between two rotations, in radians."""
    return angle(multiply(conjugate(a), b))


def between(a: ArrayLike, b: ArrayLike) -> Floats:
    """The shortest rotation that turns direction `a` into direction `b`; some half turn where they are opposite."""
    start, end = _alike(a, b)
    start, end = np.broadcast_arrays(normalize(start), normalize(end))
    w: Floats = 1 + np.sum(start * end, axis=-1, keepdims=True)
    turn = np.concatenate([w, np.cross(start, end)], axis=-1)
    opposite = w[..., 0] < 4 * np.sqrt(np.finfo(w.dtype).eps)
    if np.any(opposite):
        turn[opposite] = _nearly_half_turn(start[opposite], end[opposite])
    return unit(turn)


def _nearly_half_turn(start: Floats, end: Floats) -> Floats:
    """From `start` to about `-start`: the cross product loses its digits, so half a turn first, then the small rest."""
    other = np.where(np.abs(start[..., :1]) < 0.6, np.array([1, 0, 0], start.dtype), np.array([0, 1, 0], start.dtype))
    cross = np.cross(start, end)
    axis = np.where(np.sum(cross**2, axis=-1, keepdims=True) > 0, cross, np.cross(start, other))
    axis = normalize(axis - start * np.sum(axis * start, axis=-1, keepdims=True))
    half = np.concatenate([np.zeros_like(axis[..., :1]), axis], axis=-1)
    rest = np.concatenate([1 - np.sum(start * end, axis=-1, keepdims=True), -cross], axis=-1)
    return multiply(rest, half)


def yaw(angle: ArrayLike) -> Floats:
    """The turn about +Y by `angle`; 0 faces +Z, positive is to the animal's left."""
    angle = _floats(angle)
    out = np.zeros((*angle.shape, 4), angle.dtype)
    out[..., 0], out[..., 2] = np.cos(angle / 2), np.sin(angle / 2)
    return out


def slerp(a: ArrayLike, b: ArrayLike, t: ArrayLike) -> Floats:
    """From `a` at t = 0 to `b` at t = 1 along the shorter arc; `t` has no component axis."""
    a, b = _alike(a, b)
    t = np.asarray(t, a.dtype)[..., None]
    dot = np.sum(a * b, axis=-1, keepdims=True)
    b = np.where(dot < 0, -b, b)
    theta = np.arccos(np.clip(np.abs(dot), 0, 1))
    sine = np.sin(theta)
    near = sine < 1e-6
    safe = np.where(near, 1, sine)
    left = np.where(near, 1 - t, np.sin((1 - t) * theta) / safe)
    right = np.where(near, t, np.sin(t * theta) / safe)
    return unit(left * a + right * b)


def continuous(q: ArrayLike) -> Floats:
    """Signs along the first axis chosen so that neighbours are near: `(T, ..., 4)`."""
    q = _floats(q)
    if len(q) < 2:
        return q.copy()
    flips = np.sum(q[1:] * q[:-1], axis=-1) < 0
    sign = np.concatenate([np.ones_like(flips[:1], q.dtype), np.cumprod(np.where(flips, -1, 1), axis=0)])
    result: Floats = q * sign[..., None].astype(q.dtype)
    return result


def _quadratics() -> Floats:
    """The linear map `(9, 16)` from a rotation's matrix, row by row, to the products 4 p q of the components p and q of
    its quaternion, row by row, less 1 for 4 p p."""
    table: Floats = np.zeros((3, 3, 4, 4))
    signs = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    for p in range(4):
        table[..., p, p] = np.diag(signs[p])
    for a, b, c in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        for p, q in ((0, a + 1), (a + 1, 0)):
            table[c, b, p, q], table[b, c, p, q] = 1, -1
        for p, q in ((a + 1, b + 1), (b + 1, a + 1)):
            table[a, b, p, q] = table[b, a, p, q] = 1
    return table.reshape(9, 16)


_QUADRATICS: dict[np.dtype[Any], Floats] = {np.dtype(x): _quadratics().astype(x) for x in (np.float64, np.float32)}


def from_matrix(m: ArrayLike) -> Floats:
    """Rotation matrices `(..., 3, 3)` to quaternions with w >= 0; the best-conditioned of four formulas each."""
    m = _floats(m)
    table = _QUADRATICS.get(m.dtype)
    products = m.reshape(-1, 9) @ (_quadratics().astype(m.dtype) if table is None else table)
    best = products[:, ::5].argmax(axis=1)
    products[:, ::5] += 1
    rows = products.reshape(-1, 4, 4)[np.arange(len(best)), best]
    lengths = np.copysign(np.sqrt(np.add.reduce(rows * rows, axis=1, keepdims=True)), rows[:, :1])
    result: Floats = (rows / lengths).reshape(*m.shape[:-2], 4)
    return result


def to_matrix(q: ArrayLike) -> Floats:
    """Unit quaternions to matrices `(..., 3, 3)`."""
    q = _floats(q)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    out = np.empty((*w.shape, 3, 3), q.dtype)
    out[..., 0, 0], out[..., 1, 1], out[..., 2, 2] = (
        1 - 2 * (y * y + z * z),
        1 - 2 * (x * x + z * z),
        1 - 2 * (x * x + y * y),
    )
    out[..., 0, 1], out[..., 1, 0] = 2 * (x * y - w * z), 2 * (x * y + w * z)
    out[..., 0, 2], out[..., 2, 0] = 2 * (x * z + w * y), 2 * (x * z - w * y)
    out[..., 1, 2], out[..., 2, 1] = 2 * (y * z - w * x), 2 * (y * z + w * x)
    return out


def from_euler(angles: ArrayLike, order: str) -> Floats:
    """Intrinsic turns in `order` (such as "zxy": z first, then the turned x), radians `(..., n)`."""
    angles = _floats(angles)
    half = angles / 2
    result: Floats | None = None
    for i, axis in enumerate(order.lower()):
        turn = np.zeros((*angles.shape[:-1], 4), angles.dtype)
        turn[..., 0], turn[..., 1 + "xyz".index(axis)] = np.cos(half[..., i]), np.sin(half[..., i])
        result = turn if result is None else multiply(result, turn)
    if result is None:
        return np.broadcast_to(IDENTITY, (*angles.shape[:-1], 4)).astype(angles.dtype)
    return result


def to_euler(q: ArrayLike, order: str) -> Floats:
    """The inverse of `from_euler` for three different axes, radians `(..., 3)`, the middle one within pi/2.

    Through half sums and half differences, exact also near the gimbal lock, where the last angle is zero
    (Bernardes and Viollet 2022, "Quaternion to Euler angles conversion", section 3).
    """
    i, j, k = ("xyz".index(axis) for axis in order.lower())
    sign = 1 if (i, j, k) in ((0, 1, 2), (1, 2, 0), (2, 0, 1)) else -1
    q = unit(q)
    w, x, y, z = q[..., 0], q[..., 1 + i], sign * q[..., 1 + j], q[..., 1 + k]
    upper, lower = np.hypot(w + y, x + z), np.hypot(w - y, z - x)
    half_sum, half_difference = np.arctan2(x + z, w + y), np.arctan2(z - x, w - y)
    tiny = 4 * np.finfo(q.dtype).eps
    half_sum = np.where(upper < tiny, -half_difference, half_sum)
    half_difference = np.where(lower < tiny, -half_sum, half_difference)
    first, last = half_sum - half_difference, half_sum + half_difference
    middle = sign * (2 * np.arctan2(upper, lower) - np.pi / 2)
    angles = np.stack([first, middle, last], axis=-1)
    return (angles - 2 * np.pi * np.round(angles / (2 * np.pi))).astype(q.dtype)
