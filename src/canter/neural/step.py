"""One frame of a network in metres and radians: normalisation, prediction, axes made orthonormal, forward kinematics.

This is what is exported: an engine gives it a trajectory and the last joints, and gets the next joints.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from canter.motion.arrays import Floats
from canter.neural.features import CROSSING
from canter.neural.layout import Body, Layout

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
    root_deviation: Tensor
    scale: Tensor
    shift: Tensor
    gating: Tensor
    columns: Tensor
    placing: Tensor
    crossing: Tensor

    def __init__(self, network: nn.Module, layout: Layout, normalisation: Normalisation, damping: float) -> None:
        super().__init__()
        self.network, self.damping, self.reduced = network, damping, False
        body = layout.body
        self.joints, self.trajectory_size, self.phased = len(body), layout.trajectory_size, layout.phase
        free_places = 3 * int(body.free.sum())
        self.free_sizes = [free_places, 6 * self.joints, 3 * self.joints]
        self.output_sizes = [sum(self.free_sizes), ROOT_SIZE, len(body.feet), *[1] * layout.phase]
        at, rest = layout.trajectory_size + layout.free_columns, np.zeros(len(body.feet) + layout.phase)
        one = normalisation
        scale = np.concatenate([one.deviation[at], one.root_deviation, rest + 1])
        shift = np.concatenate([(1 - damping) * one.mean[at], one.root_mean, rest])
        numbers = {"mean": one.mean, "deviation": one.deviation, "root_deviation": one.root_deviation}
        numbers |= {"scale": scale, "shift": shift, "placing": placing(body), "crossing": CROSSING}
        for name, values in numbers.items():
            self.register_buffer(name, torch.as_tensor(values, dtype=torch.float32))
        self.register_buffer("gating", torch.as_tensor(layout.gating_columns))
        self.register_buffer("columns", torch.as_tensor(layout.free_columns))

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
        seen = (x[:, :-1], phase) if self.phased else (x, x.index_select(1, self.gating))
        if self.reduced:
            with torch.autocast("cpu", torch.bfloat16):
                y, blend = (part.float() for part in self.network(*seen, enabled))
        else:
            y, blend = self.network(*seen, enabled)
        free, root, contacts, *gone = torch.split(y * self.scale + self.shift, self.output_sizes, dim=1)
        after = self.assemble(free + self.damping * joints.index_select(1, self.columns))
        if self.phased:
            after = torch.cat([after, phase - torch.floor(phase) + PHASE_UNIT * gone[0]], dim=1)
        return after, root, contacts, blend

    def assemble(self, free: Tensor) -> Tensor:
        """Joints `(N, 12 J)` from the free columns: axes orthonormal, places by forward kinematics, in whole
        precision."""
        if torch.is_autocast_enabled("cpu"):
            with torch.autocast("cpu", enabled=False):
                return self.assemble(free)
        joints = self.joints
        places, axes, velocities = torch.split(free, self.free_sizes, dim=1)
        forward, up = torch.split(axes.reshape(-1, joints, 2, 3), 1, dim=2)
        forward = unit(forward)
        up = unit(up - (up * forward).sum(-1, keepdim=True) * forward)
        left = (up.transpose(2, 3) * forward).reshape(-1, joints, 9) @ self.crossing
        axes = torch.cat([forward, up], dim=2).reshape(-1, 6 * joints)
        placed = torch.cat([axes, left.reshape(-1, 3 * joints), places], dim=1) @ self.placing
        return torch.cat([placed, axes, velocities], dim=1)


def unit(vectors: Tensor) -> Tensor:
    """Vectors `(..., 3)` at unit length."""
    length: Tensor = torch.linalg.vector_norm(vectors, dim=-1, keepdim=True)
    return vectors / length.clamp_min(1e-12)


def placing(body: Body) -> Floats:
    """`(9 J + 3 F, 3 J)`: the product of forward and up axes of all joints, their left axes, and the places of the F
    free ones with it are the places of all joints. A joint is where its parent is, and its offset along the parent's
    axes from there; one product does this for all."""
    joints, free = len(body), np.flatnonzero(body.free)
    left, up, forward = (np.zeros((joints, joints)) for _ in range(3))
    for joint in np.flatnonzero(~body.free):
        for axis, offset in zip((left, up, forward), body.offsets[joint], strict=True):
            axis[body.parents[joint]] += offset * body.sums[:, joint]
    axes = np.stack([forward, up], axis=1).reshape(2 * joints, joints)
    rows = np.concatenate([axes, left, body.sums[:, free].T])
    result: Floats = np.kron(rows, np.eye(3))
    return result
