"""One frame of a network in metres and radians: normalisation, prediction, axes made orthonormal, forward kinematics.

This is what is exported: an engine gives it a trajectory and the last joints, and gets the next joints.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from canter.motion.arrays import Floats
from canter.neural.layout import Layout

ROOT_SIZE = 3
"""Velocity of the ground track ahead and to the left in m/s, and yaw rate in rad/s."""

PHASE_UNIT = 0.03
"""By how much the phase goes on in a frame for an output of 1."""


@dataclass(frozen=True, eq=False)
class Normalisation:
    """Mean and deviation of every input `(input_size,)` and of the root velocity `(3,)`."""

    mean: Floats
    deviation: Floats
    root_mean: Floats
    root_deviation: Floats


class Step(nn.Module):
    """A network with its normalisation and its body.

    With a damping above zero the predicted joints are that share of the normalised joints before, plus what the network
    gives: the rest pulls towards the mean, so that errors die out instead of adding up. While training, the products of
    the network may be taken in bfloat16 (`reduced`), on processors that are quicker at it.
    """

    mean: Tensor
    deviation: Tensor
    root_mean: Tensor
    root_deviation: Tensor
    gating: Tensor
    columns: Tensor
    parents: Tensor
    offsets: Tensor
    free: Tensor
    free_joints: Tensor
    sums: Tensor

    def __init__(self, network: nn.Module, layout: Layout, normalisation: Normalisation, damping: float) -> None:
        super().__init__()
        self.network, self.damping, self.reduced = network, damping, False
        body = layout.body
        self.joints, self.trajectory_size, self.phased = len(body), layout.trajectory_size, layout.phase
        self.feet = len(body.feet)
        number = torch.as_tensor
        self.register_buffer("mean", number(normalisation.mean, dtype=torch.float32))
        self.register_buffer("deviation", number(normalisation.deviation, dtype=torch.float32))
        self.register_buffer("root_mean", number(normalisation.root_mean, dtype=torch.float32))
        self.register_buffer("root_deviation", number(normalisation.root_deviation, dtype=torch.float32))
        self.register_buffer("gating", number(layout.gating_columns))
        self.register_buffer("columns", number(layout.free_columns))
        self.register_buffer("parents", number(body.parents).clamp_min(0))
        self.register_buffer("offsets", number(body.offsets))
        self.register_buffer("free", number(body.free))
        self.register_buffer("sums", number(body.sums))
        free_places = int(body.free.sum())
        self.register_buffer("free_joints", torch.nonzero(number(body.free)).squeeze(1))
        self.free_size = 3 * free_places + 9 * self.joints

    @staticmethod
    def output_size(layout: Layout) -> int:
        """What a network has to give: the joints' free columns, the root velocity, the contacts and by how much the
        phase goes on, if there is one."""
        return len(layout.free_columns) + ROOT_SIZE + len(layout.body.feet) + layout.phase

    @staticmethod
    def network_inputs(layout: Layout) -> tuple[int, int]:
        """How many numbers a network sees, and how many of them its gate: the phase is for the gate alone."""
        return layout.input_size - layout.phase, 1 if layout.phase else len(layout.gating_columns)

    def normalised(self, x: Tensor) -> Tensor:
        """Inputs `(N, input_size)`, normalised."""
        return (x - self.mean) / self.deviation

    def forward(self, trajectory: Tensor, joints: Tensor, enabled: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The next joints `(N, 12 J)`, root velocity `(N, 3)`, contacts `(N, L)` from 0 to 1, and blend weights."""
        x = self.normalised(torch.cat([trajectory, joints], dim=1))
        phase = joints[:, -1:]
        seen = (x[:, :-1], phase) if self.phased else (x, x[:, self.gating])
        if self.reduced:
            with torch.autocast("cpu", torch.bfloat16):
                y, blend = (part.float() for part in self.network(*seen, enabled))
        else:
            y, blend = self.network(*seen, enabled)
        before = x[:, self.trajectory_size :][:, self.columns]
        free = self.damping * before + y[:, : self.free_size]
        at = self.trajectory_size + self.columns
        free = free * self.deviation[at] + self.mean[at]
        root = y[:, self.free_size : self.free_size + ROOT_SIZE] * self.root_deviation + self.root_mean
        first = self.free_size + ROOT_SIZE
        after = self.assemble(free)
        if self.phased:
            after = torch.cat([after, phase - torch.floor(phase) + PHASE_UNIT * y[:, first + self.feet :]], dim=1)
        return after, root, y[:, first : first + self.feet], blend

    def assemble(self, free: Tensor) -> Tensor:
        """Joints `(N, 12 J)` from the free columns: axes orthonormal, places by forward kinematics."""
        count, joints = free.shape[0], self.joints
        size = self.free_size - 9 * joints
        forward, up = free[:, size : size + 6 * joints].reshape(count, joints, 2, 3).unbind(2)
        forward = nn.functional.normalize(forward, dim=-1)
        up = nn.functional.normalize(up - (up * forward).sum(-1, keepdim=True) * forward, dim=-1)
        left = torch.linalg.cross(up, forward, dim=-1)
        o = self.offsets
        parents = self.parents
        steps = left[:, parents] * o[:, :1] + up[:, parents] * o[:, 1:2] + forward[:, parents] * o[:, 2:]
        placed = torch.zeros_like(steps).index_copy(1, self.free_joints, free[:, :size].reshape(count, -1, 3))
        steps = torch.where(self.free[:, None], placed, steps)
        if torch.is_autocast_enabled("cpu"):
            with torch.autocast("cpu", enabled=False):
                places = torch.matmul(self.sums, steps)
        else:
            places = torch.matmul(self.sums, steps)
        axes = torch.stack([forward, up], dim=2)
        return torch.cat([places.flatten(1), axes.flatten(1), free[:, size + 6 * joints :]], dim=1)
