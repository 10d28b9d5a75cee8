"""What lies ahead of a network while it is trained: what its steering plans, as at run time.

From where the network has got to, it is steered by what the data was told, with the limits of the run time. So it sees
nothing in training that it will not see when it runs: neither what will be told only later, nor the sway of the data's
own track.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from canter.control.steering import Root, Wish
from canter.motion.arrays import Complexes, Floats, Ints
from canter.neural.dataset import DataSet
from canter.neural.steering import followed, measure_limits, planned


class Plans:
    """The steering of the stretches that a training draws: commands, limits, and the state of the steering at every
    frame of the data `(T,)`."""

    def __init__(self, dataset: DataSet) -> None:
        arrays = dataset.arrays
        self._limits, self._frame_rate = measure_limits(dataset), dataset.frame_rate
        self._speed, self._heading, self._facing = (
            np.asarray(arrays[name]).astype(np.float64) for name in ("wanted_speed", "heading", "facing")
        )
        window = dataset.layout.window
        self._steps = np.diff(window.times[window.now :]).tolist()
        count = len(dataset)
        self._velocity, self._acceleration = np.zeros((2, count), np.complex64)
        self._yaw_rate = np.zeros(count, np.float32)
        self._steer_along(dataset)

    def _steer_along(self, dataset: DataSet) -> None:
        """Steers along all clips at once, and keeps the state before each frame."""
        place, yaw, velocity = (np.asarray(dataset.arrays[name]) for name in ("place", "yaw", "velocity"))
        firsts, lengths = dataset.starts[:-1], np.diff(dataset.starts)
        steered = Root(len(firsts))
        for k in range(int(lengths.max())):
            inside = k < lengths
            frames = firsts + np.minimum(k, lengths - 1)
            for kept, values in (
                (self._velocity, steered.velocity),
                (self._acceleration, steered.acceleration),
                (self._yaw_rate, steered.yaw_rate),
            ):
                kept[frames[inside]] = values[inside]
            root = Root.of(
                place[frames].astype(np.complex128),
                yaw[frames].astype(np.float64),
                steered.velocity,
                steered.acceleration,
                steered.yaw_rate,
            )
            steered.take(followed(root, self.wish(frames), self._limits, velocity[frames], self._frame_rate))

    def wish(self, frames: Ints) -> Wish:
        """What is told at frames `(N,)`."""
        return Wish(self._speed[frames], self._heading[frames], self._facing[frames])

    def steered(self, frames: Ints) -> Root:
        """The state of the steering at frames `(N,)`; its place and yaw are those of the animal."""
        root = Root(len(frames))
        root.velocity = self._velocity[frames].astype(np.complex128)
        root.acceleration = self._acceleration[frames].astype(np.complex128)
        root.yaw_rate = self._yaw_rate[frames].astype(np.float64)
        return root

    def plan(self, steered: Root, frames: Ints, yaw: Tensor, velocity: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Places, yaws and velocities `(N, F)` ahead of animals that were told what the data was at `frames (N,)`, seen
        from where they are; `steered` goes on by a frame. They face along `yaw (N,)`, at `velocity (N,)` in the world.
        No gradient passes through a plan.
        """
        wish, here = self.wish(frames), yaw.detach().numpy().astype(np.float64)
        own: Complexes = velocity.detach().numpy() * np.exp(-1j * here)
        root = Root.of(np.zeros(len(frames), complex), here, steered.velocity, steered.acceleration, steered.yaw_rate)
        ahead = planned(root, wish, self._limits, self._steps)
        steered.take(followed(root, wish, self._limits, own, self._frame_rate))
        turns: Floats = np.stack([later.yaw for later in ahead], axis=1) - here[:, None]
        places = np.stack([later.place for later in ahead], axis=1) * np.exp(-1j * here)[:, None]
        moving = np.stack([later.velocity for later in ahead], axis=1) * np.exp(1j * turns)
        return (
            torch.from_numpy(places.astype(np.complex64)),
            torch.from_numpy(turns.astype(np.float32)),
            torch.from_numpy(moving.astype(np.complex64)),
        )
