"""Many bodies that learn to follow a reference: what each sees, what it is rewarded for, and when it has fallen.

Each row follows the reference from some frame on, turned into its own direction. Where the reference is on the ground
does not matter, only how it moves and where it faces: it is drawn along to where the body is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from canter.body.articulation import Articulation
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints
from canter.physics.axes import from_mujoco
from canter.physics.disturbances import Disturbances
from canter.physics.mjcf import Scene
from canter.physics.observations import Senses, body_state, has_fallen, yaw_error
from canter.physics.perturbations import Perturbation, RandomThrows, Schedule, Victim
from canter.physics.reference import POLICY_RATE, Reference, ReferenceState, yaw_turn
from canter.physics.rewards import centre_reward, contact_reward, imitation_reward, joint_speed_reward, pose_reward
from canter.physics.servos import MAX_ACTION, Servos, middles
from canter.physics.simulation import Simulation

EPISODE_SECONDS = 10.0
MIN_HEIGHT = 0.45
"""The share of the reference's height of the trunk below which it has fallen."""
ANCHOR_SECONDS = 1.0
"""The time constant with which the reference is drawn along to where the body is."""
START_NOISE_RADIANS, START_NOISE_SPEED, START_NOISE_YAW = 0.03, 0.04, 0.1
"""Of hinge angles, of the velocity (in hip heights per own time), and of the yaw in radians."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a step of N bodies came to: rewards, who has fallen, whose time is over, and parts of the reward by name."""

    reward: Floats
    fallen: Bools
    over: Bools
    parts: dict[str, Floats]


class Environment:
    """N bodies that follow a reference, moved by residuals `(N, R)` to it, while things happen to them."""

    def __init__(
        self,
        body: Articulation,
        reference: Reference,
        count: int,
        seed: int = 0,
        perturbations: Sequence[Perturbation] = (),
    ) -> None:
        boxes = int(any(isinstance(part, RandomThrows) for part in perturbations))
        self.simulation, self.senses = Simulation(body, count, Scene(boxes=boxes)), Senses(body)
        self._disturbances = Disturbances(self.simulation)
        self.body, self.reference, self.count = body, reference, count
        self.random = np.random.default_rng(seed)
        self._schedule = Schedule(perturbations, count, self.random)
        self.substeps = round(1.0 / POLICY_RATE / self.simulation.timestep)
        self.servos, self._shares = Servos(body), middles(0, self.substeps, self.substeps)
        self.frame = np.zeros(count, np.int64)
        self.yaw_offset = np.zeros(count)
        self.anchor = np.zeros((count, 2))
        """Where the reference has the centre of mass, in the world `(N, 2)`."""
        self.age = np.zeros(count, np.int64)
        self.action: Floats = np.zeros((count, self.servos.residuals))
        self.reset(np.ones(count, bool))

    @property
    def actions(self) -> int:
        return self.servos.residuals

    # Starts --------------------------------------------------------------------------------------

    def reset(self, who: Bools) -> None:
        """Starts the rows of a mask anew, somewhere in the reference (reference state initialisation)."""
        count = int(who.sum())
        if not count:
            return
        ref = self.reference
        lengths = np.maximum(np.diff(ref.starts) - 4, 1)
        clip = self.random.choice(len(lengths), count, p=lengths / lengths.sum())
        self.start(who, ref.starts[clip] + self.random.integers(0, lengths[clip]), noise=True)
        self.age[who] = self.random.integers(0, 20, count)

    def start(self, who: Bools, frames: Ints, noise: bool = False) -> None:
        """Puts rows into frames of the reference; their direction is free."""
        ref, count, random = self.reference.at(frames), int(who.sum()), self.random
        angles, velocity = ref.angles, ref.velocity
        off, yaw = np.zeros(count), np.zeros(count)
        if noise:
            angles = angles + random.normal(0, START_NOISE_RADIANS, angles.shape)
            velocity = velocity + random.normal(0, START_NOISE_SPEED * self.senses.speed_unit, velocity.shape)
            off, yaw = random.normal(0, START_NOISE_YAW, count), random.uniform(-np.pi, np.pi, count)
        self.frame[who], self.age[who], self.action[who] = frames, 0, 0.0
        self.yaw_offset[who] = yaw - off - ref.yaw
        heading = yaw_turn(yaw)
        place = np.stack([np.zeros(count), np.zeros(count), ref.height], -1)
        root = np.concatenate([rot.rotate(heading, velocity), ref.turning], axis=1)
        limits = self.body.limits
        held = np.clip(angles, limits[:, 0], limits[:, 1])
        self.simulation.put(who, place, rot.multiply(heading, ref.tilt), held, root, ref.speeds)
        self.anchor[who] = self.simulation.sensed().centre[who, :2]
        self._disturbances.clear(who)
        self._schedule.begin(who)

    def perturb(self, parts: Sequence[Perturbation]) -> None:
        """Other things of the same kinds happen from now on."""
        self._schedule.parts = tuple(parts)

    # What a body sees ----------------------------------------------------------------------------

    def observe(self) -> dict[str, Floats]:
        """What policies are told `(N, ...)`, by name: `own` and the last `action`, and what lies `ahead`."""
        state = body_state(self.simulation)
        first, second = self._next(1), self._next(2)
        return {
            "own": self.senses.own(state),
            "action": self.action,
            "ahead": self.senses.ahead(state, first, second, self.yaw_offset),
        }

    def _next(self, frames: int) -> ReferenceState:
        return self.reference.at(np.minimum(self.frame + frames, self.reference.clip_end(self.frame) - 1))

    # Steps ---------------------------------------------------------------------------------------

    def targets(self, action: Floats) -> Floats:
        """Servo targets `(N, substeps, A)`, on the way to what the reference comes to and to the residual `action`."""
        start = self.servos.residual(self.reference.at(self.frame), self.action)
        return self.servos.between(start, self.servos.residual(self._next(1), action), self._shares)

    def step(self, action: Floats) -> Outcome:
        """One residual `(N, R)`; rows that have fallen or whose time is over are not started anew here."""
        action = np.clip(action, -MAX_ACTION, MAX_ACTION)
        change = action - self.action
        self._perturb()
        self.simulation.step(self.targets(action), self.substeps, self._disturbances.forces(1 / POLICY_RATE))
        self._disturbances.advance(1 / POLICY_RATE)
        self.frame += 1
        self.age += 1
        self.action = action
        sim, frame, hinges = self.simulation, self.frame, self.servos.hinges
        ref, state, sensed = self.reference.at(frame), body_state(sim), sim.sensed()
        yaw = yaw_error(state, ref, self.yaw_offset)
        off = rot.log(rot.multiply(ref.tilt, rot.conjugate(state.tilt)))
        turned = np.concatenate(
            [off[:, :2], (off[:, 2] + yaw)[:, None], (ref.angles - state.angles)[:, hinges]], axis=1
        )
        away = self._draw_anchor(ref, self.reference.centre_height[frame], sensed.centre)
        parts = {
            "pose": pose_reward(turned),
            "speed": joint_speed_reward((ref.speeds - state.speeds)[:, hinges], self.body.hip_height),
            "centre": centre_reward(away / self.body.hip_height * 0.5),
            "contact": contact_reward(state.contacts, ref.contacts),
        }
        reward = imitation_reward(**parts) - 0.01 * np.mean(change**2, axis=1) - 0.01 * np.mean(action**2, axis=1)
        low = state.height < MIN_HEIGHT * ref.height
        fallen = has_fallen(sim, state) | low
        over = (self.age >= EPISODE_SECONDS * POLICY_RATE) | (frame >= self.reference.clip_end(frame - 1) - 2)
        return Outcome(np.where(fallen, 0.0, reward), fallen, over & ~fallen, parts)

    def _perturb(self) -> None:
        """What happens by chance, happens."""
        due = self._schedule.due(1 / POLICY_RATE)
        if due:
            sensed, grounds = self.simulation.sensed(), self._disturbances.grounds
            for row, part in due:
                place, velocity = (
                    rot.rotate(grounds[row], from_mujoco(x[row])) for x in (sensed.centre, sensed.velocity)
                )
                self._disturbances.begin(row, [part.draw(self.random, Victim(self.body, place, velocity))])

    def _draw_anchor(self, ref: ReferenceState, height: Floats, centre: Floats) -> Floats:
        """How far the centre of mass is from that of the reference `(N, 3)`, which goes on and is drawn along."""
        heading = yaw_turn(ref.yaw + self.yaw_offset)
        self.anchor += rot.rotate(heading, ref.velocity)[:, :2] / POLICY_RATE
        away = np.column_stack([centre[:, :2] - self.anchor, centre[:, 2] - height])
        self.anchor += away[:, :2] / (ANCHOR_SECONDS * POLICY_RATE)
        return away
