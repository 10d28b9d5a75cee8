"""Reference rides: what every preset makes of fixed commands, kept as numbers, so that a rebuilt engine can be held to
them.

`python -m tests.reference.rides` compares the engine as it is now with `rides.npz` and prints the largest difference of
each ride; `--record` writes the file anew (an intended change of behaviour does so in the commit that makes it).

Poses are recorded in double precision, before a State casts them to float32, with the roots relative to the animal's
place on the ground. Of each ride eight moments are kept, and the mean over all of its frames.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import canter
from canter import Character, Command, World
from canter.anatomy import understand
from canter.control.batch import BatchCommand
from canter.control.world import Rolling, Slope, Steps
from canter.cycles.gaits.batch import BatchGaits
from canter.synthetic import synthetic_rig

FILE = Path(__file__).parent / "rides.npz"
MOMENTS = 8
"""Frames of a ride that are kept."""
CASTING = ("canter.control.batch", "canter.control.clip")
"""Modules that cast poses to float32 when they build a State."""

Cues = tuple[tuple[float, dict[str, Any]], ...]
"""From which second on which fields of a Command hold."""


@dataclass(frozen=True)
class Ride:
    """One animal under one preset: cues until `seconds`."""

    animal: str
    preset: str
    seconds: float
    cues: Cues
    world: World | None = None
    frame_rate: float = 60.0
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class BatchRide:
    """Animals of one kind under the preset `gaits`, each with random speeds, headings, facings and gaits."""

    animal: str
    count: int
    seconds: float
    world: World | None = None


def _ladder(*speeds: float, every: float = 2.0, turn: float = 0.7) -> Cues:
    """A speed after the other, turning left and right."""
    return tuple((k * every, {"speed": v, "heading": turn * (k % 3 - 1)}) for k, v in enumerate(speeds))


HORSE = (1.4, 3.0, 5.0, 10.0, 4.5, 2.5, 0.9, 0.0)
DOG = (0.8, 1.9, 3.2, 5.5, 1.5, 0.0)
TURTLE = (0.08, 0.25, 0.1, 0.0)
EXAMPLE = (0.7, 1.5, 3.0, 0.6, 0.0)
SIDEWAYS: Cues = (
    (0.0, {"speed": 0.4, "heading": 1.6, "facing": 0.0}),
    (2.5, {"speed": 0.5, "heading": 3.1, "facing": 0.0}),
    (5.0, {"speed": 0.0, "facing": 1.4}),
    (8.0, {"speed": 1.2, "heading": 1.4, "facing": 0.9}),
)
RIDES: dict[str, Ride | BatchRide] = {
    "horse gaits": Ride("horse", "gaits", 17.0, _ladder(*HORSE)),
    "dog gaits": Ride("dog", "gaits", 13.0, _ladder(*DOG)),
    "turtle gaits": Ride("turtle", "gaits", 26.0, _ladder(*TURTLE, every=6.0)),
    "example gaits": Ride("example", "gaits", 11.0, _ladder(*EXAMPLE)),
    "stranger 3 gaits": Ride("stranger 3", "gaits", 10.0, _ladder(0.6, 1.2, 2.5, 0.0)),
    "stranger 8 gaits": Ride("stranger 8", "gaits", 10.0, _ladder(0.6, 1.2, 2.5, 0.0)),
    "horse gaits at 30 Hz": Ride("horse", "gaits", 17.0, _ladder(*HORSE), frame_rate=30.0),
    "horse sideways": Ride("horse", "gaits", 11.0, SIDEWAYS),
    "dog sideways": Ride("dog", "gaits", 11.0, SIDEWAYS),
    "horse styles": Ride(
        "horse",
        "gaits",
        9.0,
        ((0.0, {"speed": 2.5, "style": {"amble": 1.0}}), (5.0, {"speed": 5.0, "style": {"rack": 1.0}})),
    ),
    "dog styles": Ride("dog", "gaits", 6.0, ((0.0, {"speed": 1.2, "style": {"pace": 1.0}}), (3.0, {"speed": 1.2}))),
    "horse on hills": Ride("horse", "gaits", 17.0, _ladder(*HORSE), World(Rolling(0.4, 6.0, 2))),
    "dog on a slope": Ride("dog", "gaits", 13.0, _ladder(*DOG), World(Slope(0.2, 0.5))),
    "dog on steps": Ride("dog", "gaits", 8.0, _ladder(0.8, 1.2, 0.7, 0.0), World(Steps(0.06, 0.5, 4))),
    "horse leaps": Ride(
        "horse",
        "gaits",
        16.0,
        (
            (0.0, {"speed": 3.0}),
            (3.0, {"speed": 3.0, "action": "leap"}),
            (4.0, {"speed": 6.0, "heading": 0.8}),
            (8.0, {"speed": 6.0, "heading": 0.8, "action": "leap"}),
            (9.0, {"speed": 0.0}),
            (12.0, {"action": "leap"}),
        ),
    ),
    "dog acts": Ride(
        "dog",
        "gaits",
        30.0,
        (
            (0.0, {"speed": 1.9}),
            (2.0, {"action": "sit"}),
            (7.0, {"speed": 1.0, "heading": 1.0}),
            (10.0, {"action": "lie", "heading": 1.0}),
            (14.0, {"heading": 1.0}),
            (18.0, {"action": "upright"}),
            (22.0, {"speed": 2.0}),
            (24.0, {"speed": 2.0, "action": "jump"}),
            (25.5, {"speed": 3.0}),
            (28.0, {"action": "idle"}),
        ),
    ),
    "dog acts on hills": Ride(
        "dog",
        "gaits",
        14.0,
        (
            (0.0, {"speed": 1.9}),
            (2.0, {"action": "sit"}),
            (7.0, {"speed": 1.6}),
            (8.5, {"speed": 1.6, "action": "jump"}),
            (10.0, {"speed": 1.0}),
            (11.0, {"action": "jump"}),
        ),
        World(Rolling(0.2, 3.0, 1)),
    ),
    "horse sung": Ride("horse", "sung", 20.0, _ladder(1.4, 3.0, 5.0, 10.0, 3.0, 1.0, 0.0, 0.0, every=2.5, turn=0.3)),
    "dog sung": Ride("dog", "sung", 16.0, _ladder(0.8, 1.9, 3.2, 0.7, 0.0, 1.0, every=2.5, turn=0.3)),
    "dog sung jumps": Ride(
        "dog", "sung", 8.0, ((0.0, {"speed": 2.0}), (3.0, {"speed": 2.0, "action": "jump"}), (5.0, {"speed": 2.0}))
    ),
    "horse huang": Ride("horse", "huang", 20.0, _ladder(1.4, 2.5, 3.5, 6.0, 10.0, 1.4, 0.0, 0.0, every=2.5, turn=0.3)),
    "dog huang": Ride("dog", "huang", 16.0, _ladder(0.8, 1.9, 3.2, 0.7, 0.0, 1.0, every=2.5, turn=0.3)),
    "horse huang leaps": Ride(
        "horse", "huang", 10.0, ((0.0, {"speed": 5.0}), (4.0, {"speed": 5.0, "action": "leap"}), (7.0, {"speed": 5.0}))
    ),
    "horse sung on hills": Ride("horse", "sung", 10.0, _ladder(1.4, 3.0, 5.0, turn=0.3), World(Rolling(0.4, 6.0, 2))),
    "horse clip": Ride("horse", "clip", 5.0, _ladder(1.4, 2.0, 0.0, turn=0.8), options={"clip": "walk"}),
    "dog clip on hills": Ride("dog", "clip", 5.0, _ladder(0.8, 1.2, 0.0, turn=0.8), World(Rolling(0.2, 3.0, 1))),
    "batch of horses": BatchRide("horse", 12, 10.0),
    "batch of dogs on hills": BatchRide("dog", 12, 10.0, World(Rolling(0.2, 3.0, 1))),
    "batch of turtles": BatchRide("turtle", 6, 10.0),
}


class _Double:
    """NumPy, with `float32` meaning double precision."""

    float32 = np.float64

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


@lru_cache
def animal(name: str) -> Character:
    """An animal that canter ships, or `stranger SEED`: a made-up rig as a file would show it."""
    if name.startswith("stranger "):
        return understand(synthetic_rig(int(name.split()[1])).asset)
    return canter.load(name)


def _command(cues: Cues, time: float) -> Command:
    return Command(**[fields for start, fields in cues if start <= time + 1e-9][-1])


Frame = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Positions, rotations, contacts, place `(N, 3)` and facing `(N,)` of all animals of a ride."""


def frames_of(ride: Ride | BatchRide) -> Iterator[Frame]:
    """Every frame of a ride, as the engine makes it now."""
    yield from (_batch_frames(ride) if isinstance(ride, BatchRide) else _frames(ride))


def _frames(ride: Ride) -> Iterator[Frame]:
    for name in CASTING:
        importlib.import_module(name).np = _Double()  # type: ignore[attr-defined]
    try:
        controller = animal(ride.animal).controller(
            ride.preset, world=ride.world, frame_rate=ride.frame_rate, **ride.options
        )
        for k in range(round(ride.seconds * ride.frame_rate)):
            state = controller.step(_command(ride.cues, k / ride.frame_rate))
            assert state.pose.positions.dtype == np.float64
            yield (
                state.pose.positions[None],
                state.pose.rotations[None],
                state.contacts[None],
                state.place[None],
                np.array([state.facing]),
            )
    finally:
        for name in CASTING:
            importlib.import_module(name).np = np  # type: ignore[attr-defined]


def _batch_frames(ride: BatchRide) -> Iterator[Frame]:
    n, chance = ride.count, np.random.default_rng(7)
    batch = BatchGaits(animal(ride.animal), n, world=ride.world)
    fastest = batch.capabilities.speed_range[1]
    speed, heading, facing = np.zeros(n), np.zeros(n), np.full(n, np.nan)
    for k in range(round(ride.seconds * 60)):
        anew = chance.random(n) < (1.0 if k == 0 else 1 / 90)
        speed = np.where(anew, np.maximum(chance.uniform(-0.2, 1.0, n), 0) * fastest, speed)
        heading = np.where(anew, chance.uniform(-np.pi, np.pi, n), heading)
        facing = np.where(anew, np.where(chance.random(n) < 0.2, heading + chance.normal(size=n), np.nan), facing)
        state = batch.step(BatchCommand.make(speed, heading, facing))
        place = state.place * [1, 0, 1]
        yield state.positions.copy(), state.rotations.copy(), state.contacts.copy(), place, batch.root.yaw.copy()


def digest(name: str) -> dict[str, np.ndarray]:
    """What is kept of a ride."""
    ride = RIDES[name]
    roots = np.flatnonzero(animal(ride.animal).skeleton.parents < 0)
    kept: list[Frame] = []
    for frame in frames_of(ride):
        positions = frame[0].copy()
        positions[:, roots, 0] -= frame[3][:, None, 0]
        positions[:, roots, 2] -= frame[3][:, None, 2]
        kept.append((positions, *frame[1:]))
    moments = np.linspace(0, len(kept) - 1, MOMENTS if isinstance(ride, Ride) else 2).round().astype(int)
    positions, rotations, contacts, places, facings = (np.stack(column) for column in zip(*kept, strict=True))
    which = slice(None) if isinstance(ride, Ride) else slice(0, 3)
    return {
        "positions": positions[moments][:, which][:, :, _moving(positions)],
        "moving": _moving(positions),
        "rotations": rotations[moments][:, which],
        "contacts": contacts[moments],
        "places": places[moments],
        "facings": facings[moments],
        "mean_positions": positions.mean(axis=(0, 1)),
        "mean_rotations": (rotations**2).mean(axis=(0, 1)),
        "mean_contacts": contacts.mean(axis=0),
    }


def _moving(positions: np.ndarray) -> np.ndarray:
    """Joints whose local positions change."""
    return np.flatnonzero(np.ptp(positions, axis=(0, 1)).max(axis=-1) > 1e-12)


def difference(name: str, kept: dict[str, np.ndarray], now: dict[str, np.ndarray]) -> float:
    """The largest difference between what was recorded and what is, in metres, radians or shares."""
    worst = 0.0
    for key, was in kept.items():
        new = now[key].astype(np.float64)
        if was.shape != new.shape:
            return float("inf")
        off = np.abs(new - was)
        if key == "rotations":
            off = np.minimum(off.max(axis=-1), np.abs(new + was).max(axis=-1))
        worst = max(worst, float(off.max(initial=0.0)))
    return worst


def recorded() -> dict[str, dict[str, np.ndarray]]:
    """All rides of the file by name."""
    found: dict[str, dict[str, np.ndarray]] = {}
    with np.load(FILE, allow_pickle=False) as file:
        for key in file.files:
            name, _, part = key.partition("/")
            found.setdefault(name, {})[part] = file[key].astype(np.float64)
    return found


def main(say: Callable[[str], None] = print) -> int:
    """Compares, or records anew."""
    names = [name for name in sys.argv[1:] if not name.startswith("--")] or list(RIDES)
    if "--record" in sys.argv:
        kept = recorded() if FILE.exists() and names != list(RIDES) else {}
        for name in names:
            say(name)
            kept[name] = digest(name)
        flat = {f"{name}/{part}": value for name, parts in kept.items() for part, value in parts.items()}
        np.savez_compressed(FILE, **flat)
        say(f"{FILE.name}: {FILE.stat().st_size / 1e6:.2f} MB, {len(kept)} rides")
        return 0
    kept = recorded()
    worst = 0.0
    for name in names:
        off = difference(name, kept[name], digest(name))
        worst = max(worst, off)
        say(f"{off:9.2e}  {name}")
    say(f"{worst:9.2e}  the largest difference")
    return 0 if worst < 1e-9 else 1


if __name__ == "__main__":
    sys.exit(main())
