"""The loss of a network that runs on its own predictions for some frames, as it will at run time.

Each stretch starts from a frame of the data, disturbed. The root is integrated; what lies ahead is the data's own way,
joined to where the network has got to: an error of heading or velocity fades along it, as a steering would plan it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from canter.motion.arrays import Ints
from canter.neural.dataset import DataSet
from canter.neural.labels import ahead_weights, smoothed
from canter.neural.layout import Layout
from canter.neural.phase import stride_phases
from canter.neural.step import PHASE_UNIT, Normalisation, Step
from canter.neural.training.sampling import reach


@dataclass(frozen=True)
class Disturbance:
    """How starts are disturbed: joints by noise of a deviation up to `noise` (in deviations of the data) and by up to
    `offset` of the way to another pose (`rest_offset` at rest); the track by `yaw` radians and `speed` m/s."""

    noise: float = 0.2
    offset: float = 0.1
    rest_offset: float = 0.25
    yaw: float = 0.08
    speed: float = 0.25


@dataclass(frozen=True)
class LossWeights:
    """What each part counts: joints and root in deviations of the data, `drift` of the track in hundredths of the hip
    height times six, contacts as shares, `slip` of standing feet in metres a second, the `phase` in frames of a quick
    stride."""

    joints: float = 1.0
    root: float = 0.1
    drift: float = 0.02
    contacts: float = 0.02
    slip: float = 0.1
    phase: float = 0.02


HEADING_FADE, VELOCITY_FADE = 3.0, 5.0
"""How fast errors of heading and velocity fade along what lies ahead, per second."""
VELOCITY_SHARE = 0.3
"""The largest share of an error of velocity that is seen ahead."""
DRIFT_HIP_HEIGHTS = 0.06
"""The unit of the drift of the track: 3 cm for a dog."""


def turned(vector: Tensor, angle: Tensor) -> Tensor:
    """Vectors `(..., 2)` (ahead, left) of the ground turned by angles `(...)`."""
    c, s = torch.cos(angle), torch.sin(angle)
    a, b = vector.unbind(-1)
    return torch.stack([a * c - b * s, a * s + b * c], dim=-1)


class Frames:
    """The data of stretches that start at given frames, as tensors."""

    def __init__(self, dataset: DataSet) -> None:
        self.dataset, self.past, self.future = dataset, *reach(dataset)
        arrays, labels = dataset.arrays, dataset.layout.labels
        self.labels = len(labels)
        place, velocity = np.asarray(arrays["place"]), np.asarray(arrays["velocity"])
        yaw = np.asarray(arrays["yaw"])
        moving = velocity * np.exp(1j * yaw)
        self._track = np.stack([place.real, place.imag, yaw, moving.real, moving.imag], axis=1).astype(np.float32)
        self._told = np.asarray(arrays["label"]).astype(np.int64)
        self._weights = smoothed(self._told, self.labels, dataset.starts, dataset.frame_rate)
        self._wanted = np.asarray(arrays["wanted_speed"])
        self._contacts = np.asarray(arrays["contacts"])
        self._phase = None
        if dataset.layout.phase:
            self._phase = stride_phases(self._contacts, dataset.starts, dataset.frame_rate).astype(np.float32)
        times = dataset.layout.window.times
        self.now = dataset.layout.window.now
        self.sample_frames: Ints = np.rint(times * dataset.frame_rate).astype(np.int64)
        self.future_times = torch.as_tensor(times[self.now + 1 :], dtype=torch.float32)
        self.left = torch.as_tensor(ahead_weights(times[self.now + 1 :]), dtype=torch.float32)

    def joints(self, frames: Ints) -> Tensor:
        """Joints `(..., 12 J)` of frames, with the phase after them if there is one."""
        joints = torch.from_numpy(self.dataset.arrays["joints"][frames.ravel()]).reshape(*frames.shape, -1)
        return joints if self._phase is None else torch.cat([joints, self.phase(frames).unsqueeze(-1)], dim=-1)

    def phase(self, frames: Ints) -> Tensor:
        """Phases `(...)` of frames, whole strides counted."""
        assert self._phase is not None
        return torch.from_numpy(self._phase[frames])

    def track(self, frames: Ints) -> Tensor:
        """Place (2), yaw and velocity in the world (2) of frames: `(..., 5)`."""
        return torch.from_numpy(self._track[frames])

    def contacts(self, frames: Ints) -> Tensor:
        return torch.from_numpy(self._contacts[frames].astype(np.float32))

    def told(self, frames: Ints) -> tuple[Tensor, Tensor]:
        """Wanted speeds `(N, K)` and labels `(N, K A)` of the samples around frames `(N,)`."""
        samples = frames[:, None] + np.minimum(self.sample_frames, 0)
        speeds = torch.from_numpy(self._wanted[samples])
        weights = torch.from_numpy(self._weights[samples])
        told = torch.nn.functional.one_hot(torch.from_numpy(self._told[frames]), self.labels)[:, None]
        ahead = told + self.left[:, None] * (weights[:, self.now : self.now + 1] - told)
        return speeds, torch.cat([weights[:, : self.now + 1], ahead], dim=1).flatten(1)


class Unrolled:
    """Runs a step for some frames from disturbed starts, and compares with the data."""

    def __init__(
        self, frames: Frames, step: Step, disturbance: Disturbance, weights: LossWeights, generator: torch.Generator
    ) -> None:
        self.frames, self.step, self.disturbance, self.weights = frames, step, disturbance, weights
        self.generator = generator
        self.rate = frames.dataset.frame_rate
        self.enabled = torch.ones(getattr(step.network, "experts", 1))
        self.unit = DRIFT_HIP_HEIGHTS * frames.dataset.hip_height
        body = frames.dataset.layout.body
        joints = len(body)
        self._feet = torch.as_tensor([[3 * f, 3 * f + 2] for f in body.feet])
        size = frames.dataset.layout.trajectory_size
        self._scale, self._shift = step.deviation[size:], step.mean[size:]
        self._joints = joints

    def _normal(self, *shape: int) -> Tensor:
        return torch.randn(*shape, generator=self.generator)

    def _uniform(self, *shape: int) -> Tensor:
        return torch.rand(*shape, generator=self.generator)

    def starts(self, frames: Ints) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Disturbed joints `(N, 12 J)`, place `(N, 2)`, yaw `(N,)` and own velocity `(N, 2)` at frames `(N,)`."""
        d, count = self.disturbance, len(frames)
        joints, track = self.frames.joints(frames), self.frames.track(frames)
        place, yaw, moving = track[:, :2], track[:, 2], track[:, 3:]
        own = turned(moving, -yaw)
        rests = own.norm(dim=1, keepdim=True) < self.frames.dataset.rest_speed
        most = torch.where(rests, d.rest_offset, d.offset)
        share = most * self._uniform(count, 1)
        other = joints[torch.randperm(count, generator=self.generator)]
        noise = self._scale * self._normal(count, joints.shape[1]) * d.noise * self._uniform(count, 1)
        phase = joints[:, 12 * self._joints :]
        joints = joints + share * (other - joints) + noise
        joints = torch.cat([self.step.assemble(joints[:, self.step.columns]), phase], dim=1)
        yaw = yaw + d.yaw * self._normal(count)
        return joints, place, yaw, own + d.speed * self._normal(count, 2) * self._uniform(count, 1)

    def trajectory(
        self, history: list[Tensor], place: Tensor, yaw: Tensor, own: Tensor, frames: Ints, share: Tensor
    ) -> Tensor:
        """Trajectory features `(N, K (7 + A))` of animals at `place (N, 2)`, `yaw (N,)` whose data are at `frames`.

        `history` holds a track `(N, 5)` per frame up to now; `own (N, 2)` is the velocity of now.
        """
        f = self.frames
        now = len(history) - 1
        past = torch.stack([history[now + k] for k in f.sample_frames[: f.now]], dim=1)
        ahead = f.track(frames[:, None] + f.sample_frames[f.now + 1 :])
        here = f.track(frames)
        t = f.future_times
        off = (yaw - here[:, 2])[:, None]
        off = off - 2 * np.pi * torch.round(off / (2 * np.pi))
        fades = torch.exp(-HEADING_FADE * t)
        mean_fade = (1 - fades) / (HEADING_FADE * t)
        wrong = turned(own, yaw) - here[:, 3:]
        wrong = (share * wrong)[:, None]
        moves = turned(ahead[..., :2] - here[:, None, :2], off * mean_fade)
        moves = moves + wrong * ((1 - torch.exp(-VELOCITY_FADE * t)) / VELOCITY_FADE)[:, None]
        velocities = turned(ahead[..., 3:], off * fades) + wrong * torch.exp(-VELOCITY_FADE * t)[:, None]
        back = -yaw[:, None]
        zero = torch.zeros(len(place), 1, 2)
        places = torch.cat([turned(past[..., :2] - place[:, None], back), zero, turned(moves, back)], dim=1)
        angles = torch.cat(
            [past[..., 2] - yaw[:, None], zero[..., 0], ahead[..., 2] - here[:, 2:3] + off * (fades - 1)], 1
        )
        directions = torch.stack([torch.cos(angles), torch.sin(angles)], dim=-1)
        moving = torch.cat([turned(past[..., 3:], back), own[:, None], turned(velocities, back)], dim=1)
        speeds, labels = f.told(frames)
        return torch.cat([places.flatten(1), directions.flatten(1), moving.flatten(1), speeds, labels], dim=1)

    def loss(self, frames: Ints, length: int) -> dict[str, Tensor]:
        """The parts of the loss over `length` frames from starts `(N,)`, each a mean, unweighted."""
        f, dt = self.frames, 1 / self.rate
        joints, place, yaw, own = self.starts(frames)
        history = list(f.track(frames[:, None] + np.arange(-f.past, 1)).unbind(1))
        share = VELOCITY_SHARE * self._uniform(len(frames), 1)
        parts: dict[str, list[Tensor]] = {
            "joints": [],
            "root": [],
            "drift": [],
            "contacts": [],
            "slip": [],
            "phase": [],
        }
        targets = f.joints(frames[:, None] + np.arange(1, length + 1))
        tracks = f.track(frames[:, None] + np.arange(length + 1))
        stands = f.contacts(frames[:, None] + np.arange(length + 1))
        start = place - tracks[:, 0, :2]
        for k in range(length):
            history[-1] = torch.cat([place, yaw[:, None], turned(own, yaw)], dim=1)
            seen = self.trajectory(history, place, yaw, own, frames + k, share)
            before = joints
            joints, root, contacts, _ = self.step(seen, joints, self.enabled)
            here, there = tracks[:, k], tracks[:, k + 1]
            off = yaw - here[:, 2]
            off = off - 2 * np.pi * torch.round(off / (2 * np.pi))
            moved = turned(there[:, :2] - here[:, :2], -here[:, 2]) / dt
            turn = (there[:, 2] - here[:, 2]) / dt - HEADING_FADE * off
            target = torch.cat([moved, turn[:, None]], dim=1)
            off_joints = ((joints - targets[:, k]) / self._scale)[:, : 12 * self._joints]
            parts["joints"].append((off_joints**2).mean())
            if self.step.phased:
                late = (joints - targets[:, k])[:, -1]
                late = (late - torch.round(late)) / PHASE_UNIT
                parts["phase"].append((late**2).clamp_max(9.0).mean())
            parts["root"].append((((root - target) / self.step.root_deviation) ** 2).mean())
            parts["contacts"].append(((contacts - stands[:, k + 1]) ** 2).mean())
            own, rate = root[:, :2], root[:, 2]
            middle = yaw + rate * dt / 2
            place = place + turned(own, middle) * dt
            yaw = yaw + rate * dt
            if self.weights.slip > 0:
                parts["slip"].append(self._slip(before, joints, own, rate, stands[:, k : k + 2]))
            parts["drift"].append((((place - there[:, :2] - start) / self.unit) ** 2).clamp_max(9.0).mean())
            history.append(history[-1])
        return {name: torch.stack(values).mean() for name, values in parts.items() if values}

    def _slip(self, before: Tensor, after: Tensor, own: Tensor, rate: Tensor, stands: Tensor) -> Tensor:
        """Metres a second of feet that stand in two frames, over the ground."""
        dt = 1 / self.rate
        old, new = before[:, self._feet], after[:, self._feet]  # (N, L, 2) of (x left, z ahead)
        swap = [1, 0]
        old, new = old[..., swap], new[..., swap]
        moved = turned(new, (rate * dt)[:, None]) + turned(own, rate * dt / 2)[:, None] * dt - old
        both = stands[:, 0] * stands[:, 1]
        result: Tensor = (both * (moved / dt).norm(dim=-1)).sum() / both.sum().clamp_min(1.0)
        return result

    def total(self, parts: dict[str, Tensor]) -> Tensor:
        """The weighted sum of the parts."""
        result = torch.zeros(())
        for name, value in parts.items():
            result = result + getattr(self.weights, name) * value
        return result


def measure(frames: Frames, starts: Ints, min_share: float = 0.1) -> Normalisation:
    """Mean and deviation of inputs and root velocities at starts, undisturbed.

    No deviation is below `min_share` of the mean of its block, so that what hardly changes is not blown up.
    """
    layout = frames.dataset.layout
    quiet = Unrolled.__new__(Unrolled)
    quiet.frames, quiet.rate = frames, frames.dataset.frame_rate
    track = frames.track(starts)
    history = list(frames.track(starts[:, None] + np.arange(-frames.past, 1)).unbind(1))
    own = turned(track[:, 3:], -track[:, 2])
    seen = quiet.trajectory(history, track[:, :2], track[:, 2], own, starts, torch.zeros(len(starts), 1))
    x = torch.cat([seen, frames.joints(starts)], dim=1).numpy().astype(np.float64)
    mean, deviation = x.mean(axis=0), x.std(axis=0)
    if layout.phase:
        mean[-1], deviation[-1] = 0.0, 1.0
    for block in blocks(layout):
        deviation[block] = np.maximum(deviation[block], max(min_share * deviation[block].mean(), 1e-4))
    after = frames.track(starts + 1)
    moved = turned(after[:, :2] - track[:, :2], -track[:, 2]) * quiet.rate
    turn = (after[:, 2] - track[:, 2]) * quiet.rate
    root = torch.cat([moved, turn[:, None]], dim=1).numpy()
    return Normalisation(mean, deviation, root.mean(axis=0), np.maximum(root.std(axis=0), 1e-3))


def blocks(layout: Layout) -> list[slice]:
    """The blocks of the input: places, directions, velocities, speeds, labels; places, axes, velocities of joints."""
    samples, joints = len(layout.window.times), len(layout.body)
    sizes = [2 * samples] * 3 + [samples, samples * len(layout.labels), 3 * joints, 6 * joints, 3 * joints]
    ends = np.cumsum(sizes)
    return [slice(int(end - size), int(end)) for end, size in zip(ends, sizes, strict=True)]
