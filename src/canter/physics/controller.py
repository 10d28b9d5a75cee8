"""Simulated animals behind the contract of all controllers: a policy moves the servos of a body with weight.

The body follows a guide, the preset `gaits`, as well as its weight allows: who is pushed staggers and goes on, who has
fallen lies for a while and is put back on its feet. The simulation lives in the axes of its ground; what is reported is
in the world.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from canter.anatomy import Character
from canter.anatomy.ground import girdle_track
from canter.body.articulation import articulate
from canter.control.batch import BatchCommand, BatchState
from canter.control.contract import Capabilities
from canter.control.state import LazyValues, Prop
from canter.control.trajectory import History, Prediction, direction, wrap_angles
from canter.control.world import World
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.kinematics import local
from canter.motion.planar import complex_from, unit_complex
from canter.physics.axes import from_mujoco
from canter.physics.disturbances import Disturbances
from canter.physics.guide import Guide
from canter.physics.mjcf import Scene
from canter.physics.observations import Senses, body_state, has_fallen
from canter.physics.policy import Policy
from canter.physics.reference import ReferenceState, yaw_turn
from canter.physics.servos import MAX_ACTION, Servos, middles
from canter.physics.simulation import Simulation

FRAME_RATE = 60.0
BOXES = 6
"""Things that can lie about at once; the next one thrown takes the place of the oldest."""
DOWN_SECONDS = 2.0
"""How long an animal that has fallen lies before it is put back on its feet."""
HONOURED = frozenset({"speed", "heading", "facing", "push", "throw", "ground"})


class BatchResidual:
    """N simulated animals whose servos follow the preset `gaits`, corrected by the policy in the file `model`: a
    `BatchController`. Without one they stand where they are put, for as long as nothing knocks them over."""

    def __init__(
        self, character: Character, count: int = 1, *, world: World | None = None, model: str | Path | None = None
    ) -> None:
        body = articulate(character)
        self._character, self._count, self.body = character, count, body
        self.simulation = Simulation(body, count, Scene(boxes=BOXES), threads=1 if count == 1 else None)
        self._guide = Guide(body, character, count, FRAME_RATE, "gaits")
        self._disturbances = Disturbances(self.simulation, world)
        self._senses, self._servos = Senses(body), Servos(body)
        self._policy = Policy(model, "residual") if model is not None else None
        self._substeps = round(1 / FRAME_RATE / self.simulation.timestep)
        self._history = History(count, FRAME_RATE)
        can = self._guide.controller.capabilities
        self._capabilities = replace(can, actions=(), styles=(), honours=HONOURED)
        if self._policy is None:  # its servos alone cannot walk
            self._capabilities = replace(
                self._capabilities, speed_range=(0.0, 0.0), gaits={}, back_speed=0.0, side_speed=0.0
            )
        self._roots = [k for k, parent in enumerate(character.skeleton.parents) if parent < 0]
        self._tick = np.zeros(count, np.int64)
        self._action = np.zeros((count, self._servos.residuals))
        self._before, self._after = np.zeros((2, count, len(self._servos.hinges)))
        self._down = np.zeros(count)
        """Seconds since each fell; 0 for those that have not."""
        self.reset()

    @property
    def frame_rate(self) -> float:
        return FRAME_RATE

    @property
    def character(self) -> Character:
        return self._character

    @property
    def capabilities(self) -> Capabilities:
        return self._capabilities

    @property
    def count(self) -> int:
        return self._count

    def reset(self, seed: int = 0, who: Bools | None = None) -> BatchState:
        """At the origin, facing +Z, standing. There is no chance in it: seeds do not differ."""
        mask = np.ones(self._count, bool) if who is None else who
        self._guide.reset(seed, who)
        self._disturbances.clear(mask)
        self._put(mask, self._guide.places[mask])
        self._down[mask] = 0.0
        place, facing = self._track(self._joints()[0])
        self._history.reset(who, place, facing)
        return self._report({})

    def step(self, command: BatchCommand) -> BatchState:
        if len(command) != self._count:
            raise ValueError(f"{len(command)} commands for {self._count} animals")
        for row, disturbances in command.disturbances.items():
            self._disturbances.begin(row, disturbances)
        self._guide.step(self._on_ground(command))
        self._act(np.flatnonzero(self._tick % self._guide.frames_per_step == 0))
        self._simulate()
        events = self._fall()
        return self._report(events)

    # Stages --------------------------------------------------------------------------------------

    def _on_ground(self, command: BatchCommand) -> BatchCommand:
        """The command as it is seen in the axes of each ground; without actions, which bodies cannot do."""
        low, high = self._capabilities.speed_range
        heading, facing = (self._yaw_on_ground(yaw) for yaw in (command.heading, command.facing))
        return replace(
            BatchCommand.still(self._count), speed=np.clip(command.speed, low, high), heading=heading, facing=facing
        )

    def _yaw_on_ground(self, yaw: Floats) -> Floats:
        if self._level:
            return yaw
        turned = rot.rotate(rot.conjugate(self._disturbances.grounds), direction(yaw))
        result: Floats = np.arctan2(turned[:, 0], turned[:, 2])
        return result

    @property
    def _level(self) -> bool:
        """Whether all grounds are as they are in the world."""
        return bool((self._disturbances.grounds[:, 0] == 1.0).all())

    def _act(self, rows: Ints) -> None:
        """Targets that the servos of rows come to within a step of the policy."""
        if not len(rows):
            return
        now, first, second = (self._guide.ahead(steps).rows(rows) for steps in (0, 1, 2))
        self._before[rows] = self._servos.residual(now, self._action[rows])
        if self._policy is not None:
            self._action[rows] = np.clip(self._policy.act(self._observe(rows, first, second)), -MAX_ACTION, MAX_ACTION)
        self._after[rows] = self._servos.residual(first, self._action[rows])

    def _observe(self, rows: Ints, first: ReferenceState, second: ReferenceState) -> Floats:
        state = body_state(self.simulation).rows(rows)
        ahead = self._senses.ahead(state, first, second)
        return np.concatenate([self._senses.own(state), self._action[rows], ahead], axis=1)

    def _simulate(self) -> None:
        """A frame of physics. Who lies on the ground goes limp: its servos let it lie as it is."""
        parts, small = self._guide.frames_per_step, self._substeps
        done = self._tick % parts
        targets = np.empty((self._count, small, len(self._servos.hinges)))
        for part in range(parts):
            mine = done == part
            if mine.any():
                shares = middles(part * small, (part + 1) * small, parts * small)
                targets[mine] = self._servos.between(self._before[mine], self._after[mine], shares)
        limp = self._down > 0
        targets[limp] = self.simulation.angles[limp][:, None, self._servos.hinges]
        self.simulation.step(targets, small, self._disturbances.forces(1 / FRAME_RATE))
        self._disturbances.advance(1 / FRAME_RATE)
        self._tick += 1

    def _fall(self) -> dict[str, Bools]:
        """Who has just fallen, and who is put back on its feet."""
        fallen = has_fallen(self.simulation, body_state(self.simulation))
        events = {"fallen": fallen & (self._down == 0), "hit": self.simulation.sensed().hit}
        self._down = np.where(fallen | (self._down > 0), self._down + 1 / FRAME_RATE, 0.0)
        again = (self._down > DOWN_SECONDS) | self.simulation.diverged
        if again.any():
            self._put(again, self.simulation.qpos[again, :2])
            self._down[again] = 0.0
            events["reset"] = again
        return {name: mask for name, mask in events.items() if mask.any()}

    def _put(self, who: Bools, places: Floats) -> None:
        """Puts the bodies of a mask where they should be in their stride, at `places (n, 2)` on the ground."""
        now = self._guide.ahead(0).rows(np.flatnonzero(who))
        heading = yaw_turn(now.yaw)
        place = np.column_stack([places, now.height])
        root = np.concatenate([rot.rotate(heading, now.velocity), now.turning], axis=1)
        limits = self.body.limits
        angles = np.clip(now.angles, limits[:, 0], limits[:, 1])
        self.simulation.put(who, place, rot.multiply(heading, now.tilt), angles, root, now.speeds)
        self._tick[who], self._action[who] = 0, 0.0

    # Report --------------------------------------------------------------------------------------

    def _joints(self) -> tuple[Floats, Floats]:
        """Joints in the axes of the ground, `(N, J, 3)` and `(N, J, 4)`. Those that are not simulated, such as ears,
        hang as those of the guide do."""
        shown = self._guide.now
        return self.body.joints(*self.simulation.segments(), (shown.positions, shown.rotations))

    def _track(self, position_ground: Floats) -> tuple[Floats, Floats]:
        """The ground track of joints `(N, J, 3)`: places `(N, 3)` and facings `(N,)` in the world."""
        flat, facing = girdle_track(position_ground, self._character.anatomy)
        place = np.stack([flat[:, 0], np.zeros(self._count), flat[:, 1]], axis=1)
        if self._level:
            return place, facing
        grounds = self._disturbances.grounds
        ahead = rot.rotate(grounds, direction(facing))
        return rot.rotate(grounds, place), np.arctan2(ahead[:, 0], ahead[:, 2])

    def _report(self, events: dict[str, Bools]) -> BatchState:
        guided, grounds = self._guide.now, self._disturbances.grounds
        joints = self._joints()
        place, facing = self._track(joints[0])
        positions, rotations = local(self._character.skeleton, *joints)
        sensed = self.simulation.sensed()
        velocity, forces = from_mujoco(sensed.velocity), from_mujoco(sensed.forces)
        if not self._level:
            for root in self._roots:
                positions[:, root] = rot.rotate(grounds, positions[:, root])
                rotations[:, root] = rot.multiply(grounds, rotations[:, root])
            velocity, forces = rot.rotate(grounds, velocity), rot.rotate(grounds[:, None], forces)
        velocity = velocity * [1.0, 0.0, 1.0]
        self._history.record(place, facing)
        props = {row: found for row in range(self._count) if (found := self._props(row))}
        return BatchState(
            positions,
            rotations,
            body_state(self.simulation).contacts,
            guided.gait,
            guided.gait_names,
            velocity,
            facing,
            place,
            self._history.samples(velocity, self._predict(place, facing), None),
            events,
            LazyValues({"contact_force": lambda: forces}),
            props,
        )

    def _props(self, row: int) -> tuple[Prop, ...]:
        """What flies or lies about, and the ground, unless it is level as the world is."""
        found, ground = self._disturbances.props(row), self._disturbances.grounds[row]
        if self._world_is_level and ground[0] == 1.0:
            return found
        return (*found, Prop("ground", "plane", (), np.zeros(3), ground.copy()))

    @cached_property
    def _world_is_level(self) -> bool:
        return bool(self._disturbances.world.normal(np.zeros(2))[1] == 1.0)

    def _predict(self, place: Floats, facing: Floats) -> Callable[[Floats], Prediction]:
        """Where animals will be: as their guide would go, from where they are."""
        guide = self._guide.latest

        def predict(times: Floats) -> Prediction:
            places, facings, velocities = guide.samples.predict(times)
            turn = wrap_angles(facing - guide.facing)
            start, origin = complex_from(place[:, 2], place[:, 0]), complex_from(guide.place[:, 2], guide.place[:, 0])
            spin = unit_complex(turn)[:, None]
            return (places - origin[:, None]) * spin + start[:, None], facings + turn[:, None], velocities * spin

        return predict
