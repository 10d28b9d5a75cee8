"""Made-up motions whose feet slide, as those of a network do: loops that travel too slowly or too fast, and drift."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

import canter
from canter.anatomy import Character, Clip, understand
from canter.control.clip import make_loop
from canter.control.world import World
from canter.footing import Footing
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.motion.kinematics import forward
from canter.motion.metrics import stance_slip
from canter.synthetic import synthetic_rig

SPEED_SCALES = (1.0, 0.8, 1.25)
"""How fast the animals of a batch travel, in speeds of their clip."""


@lru_cache
def animal(name: str) -> Character:
    """A shipped animal by name, or the rig of a seed as "rig 3"."""
    return understand(synthetic_rig(int(name[4:])).asset) if name.startswith("rig ") else canter.load(name)


@dataclass(frozen=True, eq=False)
class Poses:
    """T frames of N animals: local `positions (T, N, J, 3)`, `rotations (T, N, J, 4)` and `contacts (T, N, L)`."""

    character: Character
    positions: Floats
    rotations: Floats
    contacts: Bools
    frame_rate: float

    @property
    def feet(self) -> Floats:
        """World places of the feet `(T, N, L, 3)`."""
        places = forward(self.character.skeleton, self.positions, self.rotations)[0]
        return places[..., self.character.anatomy.feet, :]

    @property
    def slip(self) -> float:
        """The largest slip of a stance, in percent of the hip height."""
        return stance_slip(self.feet, self.contacts).max / self.character.anatomy.hip_height

    @property
    def speed(self) -> float:
        """The greatest speed of a foot in m/s."""
        return float(np.linalg.norm(np.diff(self.feet, axis=0), axis=-1).max()) * self.frame_rate

    def on(self, world: World) -> Poses:
        """The same with every root as much higher as the ground is below it."""
        roots, positions = np.flatnonzero(self.character.skeleton.parents < 0), self.positions.copy()
        positions[..., roots, 1] += world.height(positions[..., roots, :][..., [0, 2]])
        return Poses(self.character, positions, self.rotations, self.contacts, self.frame_rate)


def sliding(character: Character, clip: Clip, *, drift: float, seconds: float = 2.2, frame_rate: float = 60.0) -> Poses:
    """A clip played at each of `SPEED_SCALES`, with slow random drift of so many hip heights, by an animal of a batch.

    Contacts are those of the clip. Loops are repeated, other clips end when they end.
    """
    motion, contacts = clip.motion, clip.footfalls.contacts
    end = seconds if clip.footfalls.loop else min(seconds, (len(motion) - 1) / motion.frame_rate)
    time = np.arange(int(end * frame_rate) + 1) / frame_rate
    frame = np.minimum(time * motion.frame_rate, np.inf if clip.footfalls.loop else len(motion) - 1.001)
    if clip.footfalls.loop:
        loop = make_loop(character, clip)
        positions, rotations = loop.sample(frame)
        travel = np.array([0.0, 0.0, loop.speed])
        nearest = np.rint(frame).astype(int) % min(loop.period, len(contacts))
    else:
        first = frame.astype(int)
        share = (frame - first)[:, None]
        p, q = motion.positions.astype(float), motion.rotations.astype(float)
        positions = p[first] + share[..., None] * (p[first + 1] - p[first])
        rotations = rot.slerp(q[first], q[first + 1], share)
        travel = (positions[-1, 0] - positions[0, 0]) / time[-1] * np.array([1.0, 0.0, 1.0])
        positions = positions - (travel * time[:, None])[:, None] * (motion.skeleton.parents < 0)[:, None]
        nearest = np.rint(frame).astype(int)
    roots, random = np.flatnonzero(motion.skeleton.parents < 0), np.random.default_rng(0)
    batch = []
    for scale in SPEED_SCALES:
        moved = positions.copy()
        moved[:, roots] += (scale * travel * time[:, None])[:, None]
        hertz, phase = random.uniform(0.1, 0.5, (3, 2)), random.uniform(0, 2 * np.pi, (3, 2))
        waves = np.sin(2 * np.pi * hertz * time[:, None, None] + phase) - np.sin(phase)
        moved[:, roots, ::2] += drift * character.anatomy.hip_height * waves.sum(axis=1)[:, None]
        batch.append(moved)
    count = len(SPEED_SCALES)
    many = [np.stack([x] * count, axis=1) for x in (rotations, contacts[nearest])]
    return Poses(character, np.stack(batch, axis=1), many[0], many[1], frame_rate)


def footed(poses: Poses, world: World | None = None, *, estimated: bool = False) -> Poses:
    """The poses with their feet held; contacts are those of the footing."""
    footing = Footing(poses.character, poses.positions.shape[1], frame_rate=poses.frame_rate, world=world)
    frames = [
        footing.step(positions, rotations, None if estimated else contacts)
        for positions, rotations, contacts in zip(poses.positions, poses.rotations, poses.contacts, strict=True)
    ]
    parts = (np.stack([getattr(frame, x) for frame in frames]) for x in ("positions", "rotations", "contacts"))
    return Poses(poses.character, *parts, poses.frame_rate)
