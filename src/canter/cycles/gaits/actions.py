"""Actions that an animal performs where it has come to rest, led into and out of without a jerk.

The poses are the clip's; feet are held and legs reach for them as in any gait, so that an action may begin as soon as
the animal has all feet down, wherever these are: a foot stays where it is until the action lifts it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from canter.anatomy import actions_of
from canter.cycles.engine.engine import Crowd
from canter.cycles.gaits.batch import Pack
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.motion.easing import quintic_step
from canter.motion.edits import resample
from canter.motion.kinematics import forward

SOFT = 0.4
"""Seconds over which what is left of the pose before, and of its speed, is let go."""
SOON = 0.6
"""Seconds before its end at which an action may be left for a gait, at 1 m of hip height, if all feet stand."""
UPRIGHT = 0.04
"""Hip heights by which the trunk may then be off where it ends."""
STRAIGHT = 0.995
"""The share of its length to which a standing leg may be stretched in an action; gaits allow less."""


class Performance:
    """What the animal of a pack performs now, if anything, and what is left over from its pose before.

    It is the carriage of the crowd while it has something to do; then it hands over to the one that was there.
    """

    def __init__(self, pack: Pack) -> None:
        self._pack, self.actions = pack, actions_of(pack.character)
        self._played: dict[str, Played] = {}
        self._roots = np.flatnonzero(pack.character.skeleton.parents < 0)
        self._root = pack.standing_root()
        self._most_standing = pack.crowd.most_standing
        self._slow = float(np.sqrt(pack.character.anatomy.hip_height))
        self.reset()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.actions)

    def reset(self) -> None:
        self.name: str | None = None
        self._frame, self._age, self._leaves = 0, np.inf, False
        self.velocity: complex | None = None
        """What the action moves the animal with now, ahead + 1j * left, if it performs one."""
        self._poses: list[tuple[Floats, Floats, complex, float]] = []
        self._seen: list[tuple[Floats, Floats]] = []
        """The last two poses seen from the animal, where the next one has to go on from them."""
        joints, roots = len(self._pack.character.skeleton), len(self._roots)
        self._turns: Floats = np.zeros((joints, 3))
        self._spins: Floats = np.zeros((joints, 3))
        self._shift: Floats = np.zeros((roots, 3))
        self._drift: Floats = np.zeros((roots, 3))

    def watch(self, positions: Floats, rotations: Floats) -> None:
        """Remembers a pose `(1, J, ...)` with its roots in the world."""
        herd = self._pack.crowd.herd
        self._poses = [*self._poses[-1:], (positions, rotations, complex(herd.place[0]), float(herd.yaw[0]))]

    def begin(self, name: str) -> None:
        """Starts an action where the animal of the pack stands."""
        herd, stand = self._pack.crowd.herd, self._pack.choice.stand
        self.name, self._frame, self._leaves = name, 0, False
        if name not in self._played:
            self._played[name] = Played(self.actions[name].motion, self.actions[name].contacts, self._pack)
        herd.weights[0] = herd.eased[0] = herd.drift[0] = 0.0
        herd.weights[0, stand] = herd.eased[0, stand] = 1.0
        herd.target[0], herd.turn[0], herd.push[0], herd.raised[0] = stand, 0.0, 0.0, 0.0
        self._start, self._glide = complex(herd.place[0]), complex(herd.velocity[0]) * np.exp(1j * herd.yaw[0])
        self._pack.crowd.most_standing = np.maximum(self._most_standing, STRAIGHT)
        self._lead_over()

    def step(self, wanted: str | None, goes: bool) -> tuple[Floats, Floats, bool]:
        """One frame: local positions and rotations `(1, J, ...)`, roots in the world, and whether it has ended.

        A hold goes on as long as the action is wanted, and is left at once and for good when it is not; whoever `goes`
        then need not have come to rest.
        """
        assert self.name is not None
        crowd, played, action = self._pack.crowd, self._played[self.name], self.actions[self.name]
        herd, dt = crowd.herd, 1 / crowd.frame_rate
        if action.hold is not None:
            first, last = (played.frame(at) for at in action.hold)
            self._leaves = self._leaves or wanted != self.name
            if not self._leaves and self._frame >= last:
                self._frame = first
            elif self._leaves and first <= self._frame < last:
                gone = played.travelled[self._frame - 1] - played.travelled[last]
                self._start += complex(gone * np.exp(1j * herd.yaw[0]))
                self._frame = last
                self._lead_over()
        slows = max(1 - self._frame / (SOFT * crowd.frame_rate), 0.0) ** 2
        self._start += dt * slows * self._glide
        ahead = np.exp(1j * herd.yaw[0])
        herd.place[0] = self._start + played.travelled[self._frame] * ahead
        herd.velocity[0] = slows * self._glide / ahead
        step = played.travelled[self._frame] - played.travelled[max(self._frame - 1, 0)]
        self.velocity = complex(herd.velocity[0] + step / dt)
        herd.time = herd.time + dt
        herd.clocks = played.clocks[self._frame][None].copy()
        positions, rotations = self.lead(crowd.pose)
        self._frame += 1
        finished = self._frame >= len(played) or (goes and self._nearly(played))
        if finished:
            self.name = self.velocity = None
            crowd.most_standing = self._most_standing
            herd.clocks[0], herd.velocity[0] = 0.5, 0.0
            self._lead_over()
        return positions, rotations, finished

    def _nearly(self, played: Played) -> bool:
        """Whether what is left of the action is only coming to rest."""
        late = len(played) - self._frame < SOON * self._slow * self._pack.crowd.frame_rate
        off = abs(played.positions[self._frame, self._roots[0], 1] - played.positions[-1, self._roots[0], 1])
        upright = off < UPRIGHT * self._pack.character.anatomy.hip_height
        return bool(late and upright and (played.clocks[self._frame :] < 1).all())

    def lead(self, make: Callable[[], tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
        """What `make` makes of the pack, with what this has to do with its poses."""
        crowd = self._pack.crowd
        self._inner, crowd.carriage = crowd.carriage, self
        try:
            return make()
        finally:
            crowd.carriage = self._inner

    @property
    def leads(self) -> bool:
        """Whether something of a pose before is left."""
        return self._age < SOFT or bool(self._seen)

    def hold(self, crowd: Crowd, positions: Floats, rotations: Floats) -> None:
        """Puts the action's pose in place of the gait's, and adds what is left of the one before."""
        if self.name is not None:
            played = self._played[self.name]
            frame = min(self._frame, len(played) - 1)
            positions[0], rotations[0], crowd.feet[0] = (
                x[frame] for x in (played.positions, played.rotations, played.feet)
            )
            positions[0, self._roots] += self._root
            crowd.feet[0] += self._root
        self._inner.hold(crowd, positions, rotations)
        if self._seen:
            self._take_over(positions[0], rotations[0])
        if self._age < SOFT:
            share = self._age / SOFT
            left = float(1 - quintic_step(np.array(share)))
            on = SOFT * share * (1 - share) ** 3
            rotations[0] = rot.multiply(rotations[0], rot.exp(left * self._turns + on * self._spins))
            positions[0, self._roots] += left * self._shift + on * self._drift
            self._age += 1 / crowd.frame_rate

    def _lead_over(self) -> None:
        """From the next pose on, what it differs by from those before is let go little by little."""
        self._seen = []
        for positions, rotations, place, yaw in self._poses:
            back = rot.yaw(-np.float64(yaw))
            positions, rotations = positions[0].copy(), rotations[0].copy()
            positions[self._roots] -= np.array([place.imag, 0.0, place.real])
            positions[self._roots] = rot.rotate(back, positions[self._roots])
            rotations[self._roots] = rot.multiply(back, rotations[self._roots])
            self._seen.append((positions, rotations))

    def _take_over(self, positions: Floats, rotations: Floats) -> None:
        """By how much the poses before were off this one, and how fast that changed."""
        rate = self._pack.crowd.frame_rate
        off = [rot.log(rot.multiply(rot.conjugate(rotations), turns)) for _, turns in self._seen]
        away = [places[self._roots] - positions[self._roots] for places, _ in self._seen]
        self._turns, self._shift = off[-1], away[-1]
        self._spins, self._drift = (off[-1] - off[0]) * rate, (away[-1] - away[0]) * rate
        self._drift = self._drift * np.array([0.0, 1.0, 0.0])
        self._seen, self._age = [], 0.0


class Played:
    """An action at the frame rate of the pack, seen from the animal that does it: poses, feet `(T, L, 3)`, how far the
    root has `travelled (T,)`, ahead + 1j * left, and the legs' `clocks (T, L)`."""

    def __init__(self, motion: Motion, contacts: Bools, pack: Pack) -> None:
        rate = pack.crowd.frame_rate
        self._scale = rate / motion.frame_rate
        same = abs(self._scale - 1) < 1e-6
        motion = motion if same else resample(motion, rate)
        at = np.minimum((np.arange(len(motion)) / self._scale).astype(int), len(contacts) - 1)
        self.clocks = np.stack([_clock(leg) for leg in contacts[at].T], axis=1)
        self.positions, self.rotations = (x.astype(np.float64) for x in (motion.positions, motion.rotations))
        gone = self.positions[:, 0] - self.positions[0, 0]
        self.travelled = gone[:, 2] + 1j * gone[:, 0]
        roots = np.flatnonzero(motion.skeleton.parents < 0)
        self.positions[:, roots] -= (self.positions[:, 0] * np.array([1.0, 0.0, 1.0]))[:, None]
        self.feet = forward(motion.skeleton, self.positions, self.rotations)[0][:, pack.character.anatomy.feet]

    def __len__(self) -> int:
        return len(self.positions)

    def frame(self, at: int) -> int:
        """The frame of the clip's frame."""
        return min(int(at * self._scale), len(self) - 1)


def _clock(stands: Bools) -> Floats:
    """A leg's clock from when it stands: in the middle of a stance, or as far through a swing as it is."""
    clock = np.full(len(stands), 0.5)
    edges = np.flatnonzero(np.diff(np.concatenate([[True], stands, [True]]).astype(int)))
    for first, last in zip(edges[::2], edges[1::2], strict=True):
        clock[first:last] = 1 + (np.arange(first, last) - first + 1) / (last - first + 1)
    return clock
