"""The loss of a network that runs on its own predictions for some frames, as it will at run time.

Each stretch starts from a frame of the data, disturbed. The root is integrated; what lies ahead is what the steering
plans from where the network has got to, by what the data was told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from canter.motion.arrays import Ints
from canter.neural.dataset import DataSet
from canter.neural.labels import ahead_weights, gait_labels, smoothed
from canter.neural.layout import Layout
from canter.neural.phase import stride_phases
from canter.neural.step import PHASE_UNIT, Normalisation, Step
from canter.neural.training.plans import Plans
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


HEADING_FADE = 3.0
"""How fast a network shall turn back from an error of heading, per second."""
DRIFT_HIP_HEIGHTS = 0.06
"""The unit of the drift of the track: 3 cm for a dog."""
STEEPEST = 3.0
"""From about so many units on, a drift counts in proportion, and no longer as its square."""


def turned(vector: Tensor, angle: Tensor) -> Tensor:
    """Complex vectors `(...)` of the ground turned by angles `(...)`."""
    return vector * unit(angle)


def unit(angle: Tensor) -> Tensor:
    """Complex numbers of size 1 at angles `(...)`."""
    return torch.polar(torch.ones_like(angle), angle)


def bounded_slope(x: Tensor) -> Tensor:
    """The squares of small numbers, but of large ones a multiple: what is far off still pulls, but no harder."""
    return 2 * STEEPEST**2 * ((1 + (x / STEEPEST) ** 2).sqrt() - 1)


def wrapped(angle: Tensor) -> Tensor:
    """The same angles within -pi to pi."""
    return angle - 2 * np.pi * torch.round(angle / (2 * np.pi))


class Track(NamedTuple):
    """Ground tracks: `place`, `yaw` and `velocity` in the world, all of one shape; complex, real is ahead (+Z)."""

    place: Tensor
    yaw: Tensor
    velocity: Tensor

    def at(self, index: Any) -> Track:
        """Some of them."""
        return Track(self.place[index], self.yaw[index], self.velocity[index])


class Frames:
    """The data of stretches that start at given frames, as tensors."""

    def __init__(self, dataset: DataSet) -> None:
        self.dataset, self.past = dataset, reach(dataset)
        arrays, layout = dataset.arrays, dataset.layout
        self.labels = layout.label_count
        self._place, self._yaw = np.asarray(arrays["place"]), np.asarray(arrays["yaw"])
        self._velocity = (np.asarray(arrays["velocity"]) * np.exp(1j * self._yaw)).astype(np.complex64)
        self.plans = Plans(dataset)
        self._told: Ints = np.asarray(arrays["label"]).astype(np.int64)
        if layout.gaits:
            gait = np.array([1 + layout.gaits.index(name) if name in layout.gaits else 0 for name in dataset.gaits])
            self._told = gait_labels(self._told, gait[arrays["gait"]], len(layout.labels))
        self._weights = smoothed(self._told, self.labels, dataset.starts, dataset.frame_rate)
        self._wanted = np.asarray(arrays["wanted_speed"])
        self._contacts = np.asarray(arrays["contacts"])
        self._phase = None
        if layout.phase:
            self._phase = stride_phases(self._contacts, dataset.starts, dataset.frame_rate).astype(np.float32)
        times = layout.window.times
        self.now = layout.window.now
        self.sample_frames: Ints = np.rint(times * dataset.frame_rate).astype(np.int64)
        self.left = torch.as_tensor(ahead_weights(times[self.now + 1 :]), dtype=torch.float32)

    def joints(self, frames: Ints) -> Tensor:
        """Joints `(..., 12 J)` of frames, with the phase after them if there is one."""
        joints = torch.from_numpy(self.dataset.arrays["joints"][frames.ravel()]).reshape(*frames.shape, -1)
        return joints if self._phase is None else torch.cat([joints, self.phase(frames).unsqueeze(-1)], dim=-1)

    def phase(self, frames: Ints) -> Tensor:
        """Phases `(...)` of frames, whole strides counted."""
        assert self._phase is not None
        return torch.from_numpy(self._phase[frames])

    def track(self, frames: Ints) -> Track:
        """The track of frames `(...)`."""
        return Track(*(torch.from_numpy(x[frames]) for x in (self._place, self._yaw, self._velocity)))

    def contacts(self, frames: Ints) -> Tensor:
        return torch.from_numpy(self._contacts[frames].astype(np.float32))

    def told(self, frames: Ints) -> Tensor:
        """Wanted speeds and labels of the samples around frames `(...)`: `(..., K + K A)`."""
        samples = frames[..., None] + np.minimum(self.sample_frames, 0)
        speeds = torch.from_numpy(self._wanted[samples])
        weights = torch.from_numpy(self._weights[samples])
        told = torch.nn.functional.one_hot(torch.from_numpy(self._told[frames]), self.labels).unsqueeze(-2)
        now = self.now
        ahead = told + self.left[:, None] * (weights[..., now : now + 1, :] - told)
        labels = torch.cat([weights[..., : now + 1, :], ahead], dim=-2)
        return torch.cat([speeds, labels.flatten(-2)], dim=-1)


def trajectory(past: Track, now: Track, ahead: Track, told: Tensor) -> Tensor:
    """Trajectory features `(N, K (7 + A))` of animals at `now (N,)` that were at `past (N, P)`; `ahead (N, F)` is seen
    from where they are. `told` are the features of wanted speeds and labels."""
    back = unit(-now.yaw)[:, None]
    still = torch.zeros_like(now.place)[:, None]
    places = torch.cat([(past.place - now.place[:, None]) * back, still, ahead.place], dim=1)
    directions = unit(torch.cat([past.yaw - now.yaw[:, None], still.real, ahead.yaw], dim=1))
    moving = torch.cat([torch.cat([past.velocity, now.velocity[:, None]], dim=1) * back, ahead.velocity], dim=1)
    planes = torch.view_as_real(torch.cat([places, directions, moving], dim=1)).flatten(1)
    return torch.cat([planes, told], dim=1)


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
        self._feet_left = 3 * torch.as_tensor(body.feet)
        self._feet_ahead = self._feet_left + 2
        size = frames.dataset.layout.trajectory_size
        self._scale, self._shift = step.deviation[size:], step.mean[size:]
        self._joints = joints

    def _normal(self, *shape: int) -> Tensor:
        return torch.randn(*shape, generator=self.generator)

    def _uniform(self, *shape: int) -> Tensor:
        return torch.rand(*shape, generator=self.generator)

    def starts(self, frames: Ints) -> tuple[Tensor, Track]:
        """Disturbed joints `(N, 12 J)` and tracks `(N,)` at frames `(N,)`."""
        d, count = self.disturbance, len(frames)
        joints, track = self.frames.joints(frames), self.frames.track(frames)
        rests = track.velocity.abs()[:, None] < self.frames.dataset.rest_speed
        most = torch.where(rests, d.rest_offset, d.offset)
        share = most * self._uniform(count, 1)
        other = joints[torch.randperm(count, generator=self.generator)]
        noise = self._scale * self._normal(count, joints.shape[1]) * d.noise * self._uniform(count, 1)
        phase = joints[:, 12 * self._joints :]
        joints = joints + share * (other - joints) + noise
        joints = torch.cat([self.step.assemble(joints[:, self.step.columns]), phase], dim=1)
        yaw = track.yaw + d.yaw * self._normal(count)
        faster = d.speed * torch.complex(self._normal(count), self._normal(count)) * self._uniform(count)
        velocity = turned(track.velocity, yaw - track.yaw) + faster
        return joints, Track(track.place, yaw, velocity)

    def loss(self, frames: Ints, length: int) -> dict[str, Tensor]:
        """The parts of the loss over `length` frames from starts `(N,)`, each a mean, unweighted."""
        # One context for all frames, so that weights are converted to the precision of products only once.
        with torch.autocast("cpu", torch.bfloat16, enabled=self.step.reduced):
            return self._loss(frames, length)

    def _loss(self, frames: Ints, length: int) -> dict[str, Tensor]:
        f, dt = self.frames, 1 / self.rate
        joints, now = self.starts(frames)
        stretch = frames[:, None] + np.arange(length + 1)
        targets, stands, tracks = f.joints(stretch[:, 1:]), f.contacts(stretch), f.track(stretch)
        steered = f.plans.steered(frames)
        told = f.told(stretch[:, :-1])
        before = f.track(frames[:, None] + np.arange(-f.past, 0))
        history = [before.at((slice(None), k)) for k in range(f.past)]
        step = (tracks.place[:, 1:] - tracks.place[:, :-1]) * unit(-tracks.yaw[:, :-1]) / dt
        turn = (tracks.yaw[:, 1:] - tracks.yaw[:, :-1]) / dt
        parts: dict[str, list[Tensor]] = {name: [] for name in LossWeights.__dataclass_fields__}
        for k in range(length):
            history.append(now)
            past = [history[k + f.past + offset] for offset in f.sample_frames[: f.now]]
            seen = trajectory(
                Track(*(torch.stack(part, dim=1) for part in zip(*past, strict=True))),
                now,
                Track(*f.plans.plan(steered, stretch[:, k], now.yaw, now.velocity)),
                told[:, k],
            )
            last = joints
            joints, root, contacts, _ = self.step(seen, joints, self.enabled)
            off = wrapped(now.yaw - tracks.yaw[:, k])
            target = torch.stack([step[:, k].real, step[:, k].imag, turn[:, k] - HEADING_FADE * off], dim=1)
            off_joints = ((joints - targets[:, k]) / self._scale)[:, : 12 * self._joints]
            parts["joints"].append((off_joints**2).mean())
            if self.step.phased:
                late = (joints - targets[:, k])[:, -1]
                late = (late - torch.round(late)) / PHASE_UNIT
                parts["phase"].append((late**2).clamp_max(9.0).mean())
            parts["root"].append((((root - target) / self.step.root_deviation) ** 2).mean())
            parts["contacts"].append(((contacts - stands[:, k + 1]) ** 2).mean())
            own, rate = torch.complex(root[:, 0], root[:, 1]), root[:, 2]
            if self.weights.slip > 0:
                parts["slip"].append(self._slip(last, joints, own, rate, stands[:, k : k + 2]))
            yaw = now.yaw + rate * dt
            now = Track(now.place + turned(own, now.yaw + rate * dt / 2) * dt, yaw, turned(own, yaw))
            drift = torch.view_as_real(now.place - tracks.place[:, k + 1]) / self.unit
            parts["drift"].append(bounded_slope(drift).mean())
        return {name: torch.stack(values).mean() for name, values in parts.items() if values}

    def _slip(self, before: Tensor, after: Tensor, own: Tensor, rate: Tensor, stands: Tensor) -> Tensor:
        """Metres a second of feet that stand in two frames, over the ground."""
        dt = 1 / self.rate
        old, new = (torch.complex(x[:, self._feet_ahead], x[:, self._feet_left]) for x in (before, after))
        moved = turned(new, (rate * dt)[:, None]) + (turned(own, rate * dt / 2) * dt)[:, None] - old
        both = stands[:, 0] * stands[:, 1]
        speed = torch.view_as_real(moved / dt).norm(dim=-1)
        result: Tensor = (both * speed).sum() / both.sum().clamp_min(1.0)
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
    layout, rate = frames.dataset.layout, frames.dataset.frame_rate
    track = frames.track(starts)
    past = frames.track(starts[:, None] + frames.sample_frames[: frames.now])
    ahead = Track(*frames.plans.plan(frames.plans.steered(starts), starts, track.yaw, track.velocity))
    seen = trajectory(past, track, ahead, frames.told(starts))
    x = torch.cat([seen, frames.joints(starts)], dim=1).numpy().astype(np.float64)
    mean, deviation = x.mean(axis=0), x.std(axis=0)
    if layout.phase:
        mean[-1], deviation[-1] = 0.0, 1.0
    for block in blocks(layout):
        deviation[block] = np.maximum(deviation[block], max(min_share * deviation[block].mean(), 1e-4))
    after = frames.track(starts + 1)
    moved = (after.place - track.place) * unit(-track.yaw) * rate
    root = torch.stack([moved.real, moved.imag, (after.yaw - track.yaw) * rate], dim=1).numpy()
    return Normalisation(mean, deviation, root.mean(axis=0), np.maximum(root.std(axis=0), 1e-3))


def blocks(layout: Layout) -> list[slice]:
    """The blocks of the input: places, directions, velocities, speeds, labels; places, axes, velocities of joints."""
    samples, joints = len(layout.window.times), len(layout.body)
    sizes = [2 * samples] * 3 + [samples, samples * layout.label_count, 3 * joints, 6 * joints, 3 * joints]
    ends = np.cumsum(sizes)
    return [slice(int(end - size), int(end)) for end, size in zip(ends, sizes, strict=True)]
