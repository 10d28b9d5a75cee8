"""Weights that do not fold the skin: where a triangle is pressed together in a trial pose, its corners get others.

What is left of a triangle in a pose is its area there, seen along where its joints turn its normal, against its area
at rest: 1 where nothing is pressed, 0 or less where it folds over. Every triangle with too little left asks the weights
of its corners for the smallest change that would give it enough, as in position based dynamics (Mueller and others
2007); the wishes are averaged, spread over the neighbours, and granted step by step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from canter.body.mesh import Mesh, enclosed, face_normals
from canter.body.weights import only_strongest
from canter.motion.arrays import Bools, Floats, Ints

ENOUGH = 0.25
"""How much of a triangle should be left in every trial pose."""
WATCHED = 0.4
"""Triangles of which less is left in some pose are watched between two looks at all."""
ROUNDS, STEPS = 8, 12
"""How often all triangles are looked at, and how many steps are taken in between with those watched."""
RINGS = 5
"""How many rings of neighbours a change of weights is spread over."""
VIGOUR = 8.0
"""Steps are longer by this than the mean of the wishes, which spreading makes smaller."""

STEADY, MOST, WORST = 0.11, 0.14, 6
"""The change of volume that is left alone, the most that is good, and in how many poses at a time it is mended."""
FOLDED, FAR, YIELD = 0.0007, 110.0, 0.35
"""Where a larger share folds, joints turned farther than this against their parents, in degrees, give it so much."""
FINE = (False, 0, 0)
"""The score of weights with which the volume is steady and nothing folds: too much swelling, folds at worst, in all."""


@dataclass(frozen=True, eq=False)
class Trials:
    """Vertices at rest `(V, 3)`, their triangles `(F, 3)`, and what joints do to them in poses `(P, J, 3, 4)`."""

    vertices: Floats
    triangles: Ints
    moves: Floats

    @staticmethod
    def of(mesh: Mesh, moves: Floats) -> Trials:
        """All of a mesh; poses are brought to the origin, where float32 is exact enough."""
        near = moves - np.pad(moves[..., 3:].mean(axis=1, keepdims=True), ((0, 0), (0, 0), (0, 0), (3, 0)))
        return Trials(mesh.vertices.astype(np.float32), mesh.triangles, near.astype(np.float32))

    def left(self, weights: Floats) -> Floats:
        """What is left of each triangle in each pose `(P, F)`."""
        return np.array([_left(*self._posed(weights, self.moves[i : i + 1]))[0] for i in range(len(self.moves))])

    def _posed(self, weights: Floats, moves: Floats) -> tuple[Floats, Floats]:
        """The corners `(P, F, 3, 3)`, and what a face's normal is multiplied with `(P, F, 3)` to tell what is left."""
        light = weights.astype(np.float32)
        first, second, third = self.triangles.T
        joints = moves.transpose(1, 0, 2, 3).reshape(light.shape[1], -1)
        blended = (light @ joints).reshape(len(light), -1, 4)
        moved = np.einsum("vpj,vj->vp", blended[..., :3], self.vertices) + blended[..., 3]
        moved = np.ascontiguousarray(moved.reshape(len(light), -1, 3).transpose(1, 0, 2))
        turns = np.ascontiguousarray(moves[..., :3].transpose(1, 0, 2, 3)).reshape(light.shape[1], -1)
        turned = ((light[first] + light[second] + light[third]) @ turns).reshape(len(first), -1, 3)
        normals = face_normals(self.vertices, self.triangles)
        carried = np.einsum("tpj,tj->tp", turned, normals).reshape(len(first), -1, 3).transpose(1, 0, 2)
        size = np.linalg.norm(carried, axis=-1) * np.linalg.norm(normals, axis=-1)
        return moved[:, self.triangles], carried / np.maximum(size, 1e-20)[..., None]

    def volumes(self, weights: Floats) -> Floats:
        """What the skin encloses in each pose `(P,)`, against what it encloses at rest."""
        bound = enclosed(self.vertices, self.triangles)
        return np.array([enclosed(self._moved(weights, move), self.triangles) / bound for move in self.moves])

    def _moved(self, weights: Floats, move: Floats) -> Floats:
        """The vertices `(V, 3)` in a pose `(J, 3, 4)`."""
        blended = (weights.astype(np.float32) @ move.reshape(-1, 12)).reshape(-1, 3, 4)
        moved: Floats = np.einsum("vij,vj->vi", blended[..., :3], self.vertices) + blended[..., 3]
        return moved

    def swelling(self, weights: Floats, pose: int, lack: float) -> Floats:
        """The smallest change of weights `(V, J)` that gives the skin `lack` of its volume at rest in one pose."""
        moved, flat = self._moved(weights, self.moves[pose]), self.triangles.ravel()
        corners = moved[self.triangles]
        sides = np.cross(np.roll(corners, -1, axis=1), np.roll(corners, -2, axis=1)).reshape(-1, 3) / 6
        pull = np.stack([np.bincount(flat, sides[:, i], len(moved)) for i in range(3)], -1)
        pulled = np.einsum("vi,jix->vjx", pull, self.moves[pose])
        gain = np.einsum("vjx,vx->vj", pulled[..., :3], self.vertices) + pulled[..., 3]
        gain -= (weights * gain).sum(axis=1, keepdims=True)
        change = weights * gain
        wanted = lack * enclosed(self.vertices, self.triangles)
        result: Floats = change * (wanted / max(float((change * gain).sum()), 1e-12))
        return result

    def wishes(self, weights: Floats) -> tuple[Floats, Floats]:
        """The changes of weights `(V, J)` that pressed triangles ask for, summed by urgency, and the urgency `(V,)`."""
        corners, along = self._posed(weights, self.moves)
        left = _left(corners, along)
        pose, face = np.nonzero(left < ENOUGH)
        vertices, lack = self.triangles[face], ENOUGH - left[pose, face].astype(float)
        own = weights[vertices]
        gain = self._gains(corners[pose, face], along[pose, face], pose, vertices)
        gain -= (own * gain).sum(axis=2, keepdims=True)
        change = own * gain
        slope = (change * gain).sum(axis=(1, 2))
        change *= (lack * lack / np.maximum(slope, 1e-9))[:, None, None]
        return self._gathered(vertices, change), self._gathered(vertices, np.repeat(lack, 3).reshape(-1, 3, 1))[:, 0]

    def _gains(self, corners: Floats, along: Floats, pose: Ints, vertices: Ints) -> Floats:
        """How much more would be left with more weight on a joint `(K, 3, J)`, for each corner of K triangles."""
        a, b, c = (corners[:, i] for i in range(3))
        second, third = np.cross(c - a, along), np.cross(along, b - a)
        pulls = np.stack([-second - third, second, third], axis=1)
        joints = self.moves.shape[1]
        pulled = pulls @ self.moves[pose].transpose(0, 2, 1, 3).reshape(len(pose), 3, 4 * joints)
        pulled = pulled.reshape(len(pose), 3, joints, 4)
        rest = self.vertices[vertices]
        gains: Floats = np.einsum("kijx,kix->kij", pulled[..., :3], rest).astype(float) + pulled[..., 3]
        return gains

    def _gathered(self, vertices: Ints, values: Floats) -> Floats:
        """`values (K, 3, N)` summed over the corners of triangles at each vertex `(V, N)`."""
        from scipy.sparse import csr_matrix

        rows = vertices.ravel()
        ones = csr_matrix((np.ones(len(rows)), (rows, np.arange(len(rows)))), shape=(len(self.vertices), len(rows)))
        total: Floats = ones @ values.reshape(len(rows), values.shape[2])
        return total


def _left(corners: Floats, along: Floats) -> Floats:
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (np.moveaxis(corners[:, :, i], -1, 0) for i in range(3))
    x, y, z = np.moveaxis(along, -1, 0)
    ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
    left: Floats = (uy * vz - uz * vy) * x + (uz * vx - ux * vz) * y + (ux * vy - uy * vx) * z
    return left


@dataclass(frozen=True, eq=False)
class Mirror:
    """Each vertex's `partner (V,)` on the other side and each joint's `(J,)`."""

    vertices: Ints
    joints: Ints

    @staticmethod
    def of(weights: Floats, vertices: Ints) -> Mirror:
        """Joints are partners whose weights are each other's mirror image."""
        size = np.maximum(np.linalg.norm(weights, axis=0), 1e-12)
        alike = (weights[vertices] / size).T @ (weights / size)
        own = np.arange(weights.shape[1])
        return Mirror(vertices, np.where(alike.max(axis=1) > 0.5, alike.argmax(axis=1), own))


def unfolded(weights: Floats, mesh: Mesh, moves: Floats, parents: Ints, partner: Ints | None = None) -> Floats:
    """Weights `(V, J)` near those given with which hardly a triangle folds over in the trial poses.

    `moves (P, J, 3, 4)` are what the joints do to the skin in P poses, `parents (J,)` those on which they hang;
    `partner (V,)` is each vertex's mirror image, so that both sides stay alike.
    """
    if not len(moves):
        return weights
    trials, spread = Trials.of(mesh, moves), _spreading(mesh)
    mirror = None if partner is None else Mirror.of(weights, partner)
    best, least = weights, (True, len(mesh.triangles) + 1, 0)
    for turn in range(ROUNDS):
        weights = only_strongest(weights)
        left, swell = trials.left(weights), trials.volumes(weights) - 1
        folded = (left <= 0).sum(axis=1)
        score = (bool(np.abs(swell).max() > MOST), int(folded.max()), int(folded.sum()))
        done = score == FINE and (least == FINE or left.min() >= ENOUGH)
        if score <= least:
            best, least = weights, score
        if done:
            break
        if turn % 2 == 1 and folded.max() > FOLDED * left.shape[1]:
            weights = _yielded(weights, trials, left <= 0, parents, mirror)
        weights = _swollen(weights, trials, swell, spread, mirror)
        weights = _pushed(weights, trials, left.min(axis=0) < WATCHED, spread, mirror)
    return best


def _spreading(mesh: Mesh) -> Any:
    """A sparse matrix `(V, V)` that shares what a vertex has with some rings of neighbours."""
    from scipy.sparse import identity

    once = 0.5 * (identity(len(mesh.vertices), format="csr") + mesh.averaging())
    spread = once
    for _ in range(RINGS - 1):
        spread = spread @ once
    spread.data[spread.data < 1e-3] = 0.0
    spread.eliminate_zeros()
    return spread


def _swollen(weights: Floats, trials: Trials, off: Floats, spread: Any, mirror: Mirror | None) -> Floats:
    """`weights` after a step that gives the skin more volume, or less, in poses in which it is too far `off (P,)`."""
    worst = [int(pose) for pose in np.argsort(-np.abs(off))[:WORST] if abs(off[pose]) > STEADY]
    if not worst:
        return weights
    lacks = [float(np.sign(-off[pose]) * (abs(off[pose]) - STEADY)) for pose in worst]
    changes = [trials.swelling(weights, pose, lack) for pose, lack in zip(worst, lacks, strict=True)]
    change: Floats = np.average(changes, axis=0, weights=np.abs(lacks))
    if mirror is not None:
        change = 0.5 * (change + change[mirror.vertices][:, mirror.joints])
    return _changed(weights, spread @ change)


def _yielded(weights: Floats, trials: Trials, folded: Bools, parents: Ints, mirror: Mirror | None) -> Floats:
    """`weights` after joints that turn farther than a skin can follow have given some of what they carry upward.

    `folded (P, F)` says where the skin folds over. Such turns are mostly mistakes of a capture.
    """
    turns = trials.moves[..., :3]
    apart = np.trace(turns.transpose(0, 1, 3, 2) @ turns[:, parents], axis1=-2, axis2=-1)
    far = (apart < 1 + 2 * np.cos(np.radians(FAR))) & (parents >= 0)
    own = weights[trials.triangles].sum(axis=1) > 0.3
    wild = {int(j) for j in np.flatnonzero(far.any(axis=0)) if folded[np.ix_(far[:, j], own[:, j])].any()}
    if mirror is not None:
        wild |= {int(mirror.joints[joint]) for joint in wild}
    result = weights.copy()
    for joint in sorted(wild):
        below = [joint]
        for child in range(joint + 1, len(parents)):
            below += [child] if parents[child] in below else []
        result[:, parents[joint]] += YIELD * result[:, below].sum(axis=1)
        result[:, below] *= 1 - YIELD
    return result


def _changed(weights: Floats, change: Floats) -> Floats:
    """The sum, with no weight below 0 and all of a vertex summing to 1."""
    result: Floats = np.maximum(weights + change, 0.0)
    result /= result.sum(axis=1, keepdims=True)
    return result


def _pushed(weights: Floats, trials: Trials, watched: Bools, spread: Any, mirror: Mirror | None) -> Floats:
    """`weights` after some steps in which the `watched` triangles get more room."""
    used, index = np.unique(trials.triangles[watched], return_inverse=True)
    joints = np.flatnonzero(weights[used].max(axis=0) > 0)
    part = Trials(trials.vertices[used], index.reshape(-1, 3), trials.moves[:, joints])
    result = weights.copy()
    for _ in range(STEPS):
        change, urgency = np.zeros_like(weights), np.zeros(len(weights))
        change[np.ix_(used, joints)], urgency[used] = part.wishes(result[np.ix_(used, joints)])
        if mirror is not None:
            change = change + change[mirror.vertices][:, mirror.joints]
            urgency = urgency + urgency[mirror.vertices]
        change /= np.maximum(urgency, 1e-12)[:, None]
        result = _changed(result, VIGOUR * (spread @ change))
    return result
