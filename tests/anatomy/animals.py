"""Animals for the tests of anatomy: the example turned about, and feet that go by formula."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from canter.anatomy import Character, understand
from canter.motion import Asset, Motion, Skeleton, transform, transform_skeleton
from canter.motion.arrays import Bools, Floats
from canter.synthetic import example_animal

WALK = (0.25, 0.75, 0.0, 0.5)
TROT = (0.5, 0.0, 0.0, 0.5)


@lru_cache
def example(strides: int = 4) -> Asset:
    return example_animal(strides=strides)


@lru_cache
def dog() -> Character:
    return understand(example())


def moved(asset: Asset, rotation: Floats | None = None, shift: Floats | None = None, scale: float = 1.0) -> Asset:
    """The same file in other coordinates."""
    skeleton = transform_skeleton(asset.skeleton, rotation, shift, scale)
    clips = tuple(transform(m, rotation, shift, scale, skeleton) for m in asset.clips)
    return replace(asset, skeleton=skeleton, clips=clips, metres_per_unit=None)


def reordered(asset: Asset, seed: int) -> Asset:
    """The same rig with its joints listed in another order, parents still first."""
    rng, order, skeleton = np.random.default_rng(seed), [], asset.skeleton
    waiting = list(np.flatnonzero(skeleton.parents < 0))
    while waiting:
        order.append(int(waiting.pop(rng.integers(len(waiting)))))
        waiting += skeleton.children[order[-1]]
    place = np.argsort(order)
    shuffled = Skeleton(
        tuple(skeleton.names[j] for j in order),
        np.array([place[p] if (p := skeleton.parents[j]) >= 0 else -1 for j in order], np.int32),
        skeleton.offsets[order],
        skeleton.rotations[order],
        skeleton.end_sites[order],
    )
    clips = [
        replace(m, skeleton=shuffled, positions=m.positions[:, order], rotations=m.rotations[:, order])
        for m in asset.clips
    ]
    return replace(asset, skeleton=shuffled, clips=tuple(clips))


def with_clips(asset: Asset, *clips: Motion) -> Asset:
    return replace(asset, clips=clips)


def on_the_spot(motion: Motion, speed: float) -> Motion:
    """A clip that travels along +Z at `speed`, with the travel taken out."""
    positions = motion.positions.copy()
    back = np.arange(len(motion)) / motion.frame_rate * speed
    positions[:, motion.skeleton.parents < 0, 2] -= back[:, None]
    return replace(motion, positions=positions)


def stepping(
    phases: tuple[float, ...] = WALK,
    duty: float = 0.6,
    speed: float = 1.0,
    seconds: float = 1.0,
    rate: float = 60.0,
    strides: int = 4,
) -> tuple[Floats, Floats, Bools]:
    """Feet `(T, L, 3)` of an animal that travels along +Z, its trunk `(T, 2)`, and when they are down `(T, L)`."""
    time = np.arange(round(strides * seconds * rate)) / rate
    phase = time[:, None] / seconds - np.array(phases) + 1e-9  # a touchdown falls on its frame
    share = phase % 1.0
    swing = np.clip((share - duty) / (1 - duty), 0, 1)
    eased = swing - np.sin(2 * np.pi * swing) / (2 * np.pi)
    ahead = (np.floor(phase) + eased + np.array(phases)) * seconds * speed
    up = 0.15 * np.sin(np.pi * swing) ** 2
    side = np.broadcast_to(np.resize([0.1, -0.1], len(phases)), ahead.shape)
    trunk = np.stack([np.zeros_like(time), time * speed], axis=-1)
    return np.stack([side, up, ahead], axis=-1), trunk, share < duty
