"""Skin weights that do not fold the skin: triangles that are compressed in a trial pose change their corners' weights.

The area share of a triangle in a pose is its area projected onto the normal that its joints carry, relative to its area
at rest: 1 where nothing is compressed, 0 or less where it folds over. Every triangle below a minimum requests the
smallest change of its corners' weights that would restore it, as in position based dynamics (Mueller and others 2007);
the requests are averaged, spread over neighbours, and applied in steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from canter.body.mesh import Mesh, enclosed_volume, face_normals
from canter.body.weights import strongest_only
from canter.motion.arrays import Bools, Floats, Ints

MIN_AREA_SHARE = 0.25
"""The area share that a triangle should have in every trial pose."""
WATCHED_AREA_SHARE = 0.4
"""Triangles with a lower area share in some pose are updated in the steps of a round."""
ROUNDS, STEPS = 8, 12
"""Rounds in which all triangles are evaluated, and steps per round with the watched ones."""
SPREAD_RINGS = 5
"""Rings of neighbours over which a change of weights is spread."""
STEP_GAIN = 8.0
"""Factor on the averaged requests, which spreading makes smaller."""

VOLUME_TOLERANCE, MAX_VOLUME_CHANGE, POSES_AT_A_TIME = 0.11, 0.14, 6
"""Relative changes of volume that are left alone and that are acceptable; how many poses are corrected at a time."""
MAX_FOLDED_SHARE, MAX_TURN_DEG, YIELDED_SHARE = 0.0007, 110.0, 0.35
"""Where a larger share of triangles folds, joints turned farther than this against their parents give the parent so
much of their weight."""
POSES_IN_CACHE = 4
"""Poses that are evaluated together: few enough for a processor's cache."""
NO_FAULTS = (False, 0, 0)
"""The best score: (too large a change of volume, folded triangles in the worst pose, folded triangles in all)."""


@dataclass(frozen=True, eq=False)
class TrialPoses:
    """Vertices at rest `(V, 3)`, triangles `(F, 3)`, and the joints' matrices `moves (P, J, 3, 4)` in each pose."""

    vertices: Floats
    triangles: Ints
    moves: Floats

    @staticmethod
    def of(mesh: Mesh, moves: Floats) -> TrialPoses:
        """The trial poses of a mesh, moved to the origin, where float32 is exact enough."""
        near = moves - np.pad(moves[..., 3:].mean(axis=1, keepdims=True), ((0, 0), (0, 0), (0, 0), (3, 0)))
        return TrialPoses(mesh.vertices.astype(np.float32), mesh.triangles, near.astype(np.float32))

    @cached_property
    def normals(self) -> Floats:
        """Face normals `(F, 3)` at rest, their length twice the triangle's area."""
        return face_normals(self.vertices, self.triangles)

    def shares_and_volumes(self, weights: Floats) -> tuple[Floats, Floats]:
        """The area share of each triangle in each pose `(P, F)`, and the volume in m³ that all enclose `(P,)`."""
        carried, shares, volumes = self._carried(weights), [], []
        for first in range(0, len(self.moves), POSES_IN_CACHE):
            corners, along = self._posed(carried, self.moves[first : first + POSES_IN_CACHE])
            faces = _faces(corners)
            shares.append((faces * along).sum(axis=0))
            volumes.append((corners[0] * faces).sum(axis=(0, 2)) / 6)
        return np.concatenate(shares), np.concatenate(volumes)

    def _carried(self, weights: Floats) -> tuple[Floats, Floats]:
        """The vertices `(4 J, V)` and the face normals `(3 J, F)` as each joint carries them, by its weight."""
        light = np.ascontiguousarray(weights.T, np.float32)
        points = np.concatenate([self.vertices.T, np.ones((1, len(self.vertices)), np.float32)])
        first, second, third = self.triangles.T
        held = light[:, first] + light[:, second] + light[:, third]
        vertices, faces = light[:, None] * points, held[:, None] * self.normals.T
        return vertices.reshape(-1, vertices.shape[-1]), faces.reshape(-1, faces.shape[-1])

    def _posed(self, carried: tuple[Floats, Floats], moves: Floats) -> tuple[Floats, Floats]:
        """Corners `(3, 3, P, F)` of the triangles, by corner and axis, and vectors `(3, P, F)` whose dot product with a
        normal is the area share."""
        vertices, faces = carried
        by_axis = np.ascontiguousarray(moves.transpose(2, 0, 1, 3))  # axis, pose, joint, component
        moved = (by_axis.reshape(3 * len(moves), -1) @ vertices).reshape(3, len(moves), -1)
        turns = np.ascontiguousarray(by_axis[..., :3]).reshape(3 * len(moves), -1)
        along = (turns @ faces).reshape(3, len(moves), -1)
        size = np.sqrt((along * along).sum(axis=0)) * np.linalg.norm(self.normals, axis=-1)
        corners = np.stack([moved[..., corner] for corner in self.triangles.T])
        return corners, along / np.maximum(size, 1e-20)

    def _moved(self, weights: Floats, move: Floats) -> Floats:
        """The vertices `(V, 3)` in a pose `(J, 3, 4)`."""
        blended = (weights.astype(np.float32) @ move.reshape(-1, 12)).reshape(-1, 3, 4)
        moved: Floats = np.einsum("vij,vj->vi", blended[..., :3], self.vertices) + blended[..., 3]
        return moved

    def volume_step(self, weights: Floats, pose: int, lack: float) -> Floats:
        """The smallest change of weights `(V, J)` that adds `lack` of the rest volume in one pose."""
        moved, flat = self._moved(weights, self.moves[pose]), self.triangles.ravel()
        corners = moved[self.triangles]
        sides = np.cross(np.roll(corners, -1, axis=1), np.roll(corners, -2, axis=1)).reshape(-1, 3) / 6
        pull = np.stack([np.bincount(flat, sides[:, i], len(moved)) for i in range(3)], -1)
        pulled = np.einsum("vi,jix->vjx", pull, self.moves[pose])
        gain = np.einsum("vjx,vx->vj", pulled[..., :3], self.vertices) + pulled[..., 3]
        gain -= (weights * gain).sum(axis=1, keepdims=True)
        change = weights * gain
        wanted = lack * enclosed_volume(self.vertices, self.triangles)
        result: Floats = change * (wanted / max(float((change * gain).sum()), 1e-12))
        return result

    def requested_changes(self, weights: Floats) -> tuple[Floats, Floats]:
        """Changes of weights `(V, J)` that compressed triangles request, weighted by the urgencies `(V,)`."""
        corners, along = self._posed(self._carried(weights), self.moves)
        area_shares = (_faces(corners) * along).sum(axis=0)
        pose, face = np.nonzero(area_shares < MIN_AREA_SHARE)
        vertices, lack = self.triangles[face], MIN_AREA_SHARE - area_shares[pose, face].astype(float)
        own = weights[vertices]
        gain = self._gains(corners[:, :, pose, face].transpose(2, 0, 1), along[:, pose, face].T, pose, vertices)
        gain -= (own * gain).sum(axis=2, keepdims=True)
        change = own * gain
        slope = (change * gain).sum(axis=(1, 2))
        change *= (lack * lack / np.maximum(slope, 1e-9))[:, None, None]
        return self._sum_at_vertices(vertices, change), self._sum_at_vertices(
            vertices, np.repeat(lack, 3).reshape(-1, 3, 1)
        )[:, 0]

    def _gains(self, corners: Floats, along: Floats, pose: Ints, vertices: Ints) -> Floats:
        """The derivative `(K, 3, J)` of the area shares of K triangles by the weight of each joint at each corner."""
        a, b, c = (corners[:, i] for i in range(3))
        second, third = np.cross(c - a, along), np.cross(along, b - a)
        pulls = np.stack([-second - third, second, third], axis=1)
        joints = self.moves.shape[1]
        pulled = pulls @ self.moves[pose].transpose(0, 2, 1, 3).reshape(len(pose), 3, 4 * joints)
        pulled = pulled.reshape(len(pose), 3, joints, 4)
        rest = self.vertices[vertices]
        gains: Floats = np.einsum("kijx,kix->kij", pulled[..., :3], rest).astype(float) + pulled[..., 3]
        return gains

    def _sum_at_vertices(self, vertices: Ints, values: Floats) -> Floats:
        """`values (K, 3, N)` of the corners of K triangles, summed at each vertex `(V, N)`."""
        from scipy.sparse import csr_matrix

        rows = vertices.ravel()
        ones = csr_matrix((np.ones(len(rows)), (rows, np.arange(len(rows)))), shape=(len(self.vertices), len(rows)))
        total: Floats = ones @ values.reshape(len(rows), values.shape[2])
        return total


def _faces(corners: Floats) -> Floats:
    """The normals `(3, P, F)` of triangles with these corners `(3, 3, P, F)`, by corner and axis."""
    (ux, uy, uz), (vx, vy, vz) = corners[1] - corners[0], corners[2] - corners[0]
    return np.stack([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx])


@dataclass(frozen=True, eq=False)
class Mirror:
    """The mirror images of vertices `(V,)` and of joints `(J,)`, as indices."""

    vertices: Ints
    joints: Ints

    @staticmethod
    def of(weights: Floats, vertices: Ints) -> Mirror:
        """Joints mirror each other if their weights do; `vertices (V,)` are the mirror images of the vertices."""
        size = np.maximum(np.linalg.norm(weights, axis=0), 1e-12)
        alike = (weights[vertices] / size).T @ (weights / size)
        own = np.arange(weights.shape[1])
        return Mirror(vertices, np.where(alike.max(axis=1) > 0.5, alike.argmax(axis=1), own))


def unfolded(weights: Floats, mesh: Mesh, moves: Floats, parents: Ints, partner: Ints | None = None) -> Floats:
    """Weights `(V, J)` near those given with which hardly any triangle folds over in the trial poses.

    `moves (P, J, 3, 4)` are the joints' matrices in P poses, `parents (J,)` their parents; `partner (V,)` is each
    vertex's mirror image, if both sides are to stay symmetric.
    """
    if not len(moves):
        return weights
    trials, spread = TrialPoses.of(mesh, moves), _spreading_matrix(mesh)
    mirror = None if partner is None else Mirror.of(weights, partner)
    best, least = weights, (True, len(mesh.triangles) + 1, 0)
    for turn in range(ROUNDS):
        weights = strongest_only(weights)
        area_shares, volumes = trials.shares_and_volumes(weights)
        volume_change = volumes / mesh.volume - 1
        folded = (area_shares <= 0).sum(axis=1)
        score = (bool(np.abs(volume_change).max() > MAX_VOLUME_CHANGE), int(folded.max()), int(folded.sum()))
        done = score == NO_FAULTS and (least == NO_FAULTS or area_shares.min() >= MIN_AREA_SHARE)
        if score <= least:
            best, least = weights, score
        if done:
            break
        if turn % 2 == 1 and folded.max() > MAX_FOLDED_SHARE * area_shares.shape[1]:
            weights = _yield_to_parents(weights, trials, area_shares <= 0, parents, mirror)
        weights = _correct_volume(weights, trials, volume_change, spread, mirror)
        weights = _widen_triangles(weights, trials, area_shares.min(axis=0) < WATCHED_AREA_SHARE, spread, mirror)
    return best


def _spreading_matrix(mesh: Mesh) -> Any:
    """A sparse matrix `(V, V)` that spreads a vertex's value over `SPREAD_RINGS` rings of neighbours."""
    from scipy.sparse import identity

    once = 0.5 * (identity(len(mesh.vertices), format="csr") + mesh.averaging())
    spread = once
    for _ in range(SPREAD_RINGS - 1):
        spread = spread @ once
    spread.data[spread.data < 1e-3] = 0.0
    spread.eliminate_zeros()
    return spread


def _correct_volume(weights: Floats, trials: TrialPoses, off: Floats, spread: Any, mirror: Mirror | None) -> Floats:
    """`weights` after a step that corrects the volume in the poses with the largest relative errors `off (P,)`."""
    worst = [int(pose) for pose in np.argsort(-np.abs(off))[:POSES_AT_A_TIME] if abs(off[pose]) > VOLUME_TOLERANCE]
    if not worst:
        return weights
    lacks = [float(np.sign(-off[pose]) * (abs(off[pose]) - VOLUME_TOLERANCE)) for pose in worst]
    changes = [trials.volume_step(weights, pose, lack) for pose, lack in zip(worst, lacks, strict=True)]
    change: Floats = np.average(changes, axis=0, weights=np.abs(lacks))
    if mirror is not None:
        change = 0.5 * (change + change[mirror.vertices][:, mirror.joints])
    return _normalised(weights, spread @ change)


def _yield_to_parents(
    weights: Floats, trials: TrialPoses, folded: Bools, parents: Ints, mirror: Mirror | None
) -> Floats:
    """`weights` after joints that turn farther than a skin can follow have given some of their weight to their parents.

    `folded (P, F)` are the triangles that fold over. Such turns are mostly errors of a capture.
    """
    turns = trials.moves[..., :3]
    apart = np.trace(turns.transpose(0, 1, 3, 2) @ turns[:, parents], axis1=-2, axis2=-1)
    far = (apart < 1 + 2 * np.cos(np.radians(MAX_TURN_DEG))) & (parents >= 0)
    own = weights[trials.triangles].sum(axis=1) > 0.3
    wild = {int(j) for j in np.flatnonzero(far.any(axis=0)) if folded[np.ix_(far[:, j], own[:, j])].any()}
    if mirror is not None:
        wild |= {int(mirror.joints[joint]) for joint in wild}
    result = weights.copy()
    for joint in sorted(wild):
        below = [joint]
        for child in range(joint + 1, len(parents)):
            below += [child] if parents[child] in below else []
        result[:, parents[joint]] += YIELDED_SHARE * result[:, below].sum(axis=1)
        result[:, below] *= 1 - YIELDED_SHARE
    return result


def _normalised(weights: Floats, change: Floats) -> Floats:
    """`weights + change`, clipped at 0, with the weights of a vertex summing to 1."""
    result: Floats = np.maximum(weights + change, 0.0)
    result /= result.sum(axis=1, keepdims=True)
    return result


def _widen_triangles(weights: Floats, trials: TrialPoses, watched: Bools, spread: Any, mirror: Mirror | None) -> Floats:
    """`weights` after `STEPS` steps that raise the area shares of the `watched (F,)` triangles."""
    used, index = np.unique(trials.triangles[watched], return_inverse=True)
    joints = np.flatnonzero(weights[used].max(axis=0) > 0)
    part = TrialPoses(trials.vertices[used], index.reshape(-1, 3), trials.moves[:, joints])
    result = weights.copy()
    for _ in range(STEPS):
        change, urgency = np.zeros_like(weights), np.zeros(len(weights))
        change[np.ix_(used, joints)], urgency[used] = part.requested_changes(result[np.ix_(used, joints)])
        if mirror is not None:
            change = change + change[mirror.vertices][:, mirror.joints]
            urgency = urgency + urgency[mirror.vertices]
        change /= np.maximum(urgency, 1e-12)[:, None]
        result = _normalised(result, STEP_GAIN * (spread @ change))
    return result
