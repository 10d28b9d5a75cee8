"""Many bodies simulated at once by MuJoCo, on all cores: states in, servo targets and pushes in, states out.

Rows are independent. Each has a model of its own, so that ground, friction and boxes can differ; a row that diverges is
told and left to whoever steps it. Everything is in MuJoCo's axes.
"""

from __future__ import annotations

import copy
import os
from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np
from mujoco import rollout

from canter.body.articulation import Articulation, Placed
from canter.motion.arrays import Bools, Floats
from canter.physics.axes import from_mujoco, to_mujoco, turn_from_mujoco, turn_to_mujoco
from canter.physics.mjcf import GROUND, Scene, write_mjcf

STATE = mujoco.mjtState.mjSTATE_FULLPHYSICS
MAX_SPEED = 200.0
"""The greatest speed of any coordinate, in m/s or rad/s, beyond which a row has diverged."""
ROOT_POSITIONS, ROOT_SPEEDS = 7, 6
"""Numbers of a body's place and turn, and of their speeds."""


@dataclass(frozen=True, eq=False)
class Sensed:
    """What the sensors of N bodies say: forces of the ground on the feet `(N, L, 3)` in newtons, who touches it with
    trunk, neck or head `(N,)`, the centre of mass and its velocity `(N, 3)`, and who is hit by a box `(N,)`."""

    forces: Floats
    down: Bools
    centre: Floats
    velocity: Floats
    hit: Bools


class Simulation:
    """N bodies of one kind. `qpos (N, nq)` and `qvel (N, nv)` are the state; `targets` of servos are hinge angles."""

    def __init__(
        self, body: Articulation, count: int = 1, scene: Scene | None = None, threads: int | None = None
    ) -> None:
        _quieten()
        self.body, self.count, self.scene = body, count, scene or Scene()
        self.model = mujoco.MjModel.from_xml_string(write_mjcf(body, self.scene))
        self.models = [copy.copy(self.model) for _ in range(count)]
        threads = min(count, threads or os.cpu_count() or 1)
        self._datas = [mujoco.MjData(self.model) for _ in range(threads)]
        self._pool = rollout.Rollout(nthread=threads if threads > 1 else 0)
        self._size = mujoco.mj_stateSize(self.model, STATE)
        self.state = np.zeros((count, self._size))
        self.sensors = np.zeros((count, self.model.nsensordata))
        self.diverged = np.zeros(count, bool)
        """Who diverged in the last step; these rows stand in the bind pose since."""
        self.gravity = np.tile(self.model.opt.gravity, (count, 1))
        """In the axes of the ground `(N, 3)`, which tilts: `set_gravity` sets it."""
        self.hinges = len(body.hinges)
        self.qpos[:] = self.model.qpos0
        self.place_rest(np.ones(count, bool))

    @property
    def timestep(self) -> float:
        return float(self.model.opt.timestep)

    @property
    def qpos(self) -> Floats:
        """Coordinates `(N, nq)`: place and turn of the body, hinges, then boxes; a view."""
        return self.state[:, 1 : 1 + self.model.nq]

    @property
    def qvel(self) -> Floats:
        """Speeds `(N, nv)`: the root's velocity in the world and its turning in its own axes, hinges, boxes; a view."""
        return self.state[:, 1 + self.model.nq : 1 + self.model.nq + self.model.nv]

    @property
    def angles(self) -> Floats:
        """Angles of the hinges `(N, H)`; a view."""
        return self.qpos[:, ROOT_POSITIONS : ROOT_POSITIONS + self.hinges]

    @property
    def angle_speeds(self) -> Floats:
        """Speeds of the hinges `(N, H)` in rad/s; a view."""
        return self.qvel[:, ROOT_SPEEDS : ROOT_SPEEDS + self.hinges]

    @cached_property
    def servo_hinges(self) -> list[int]:
        """The hinges that have servos, in their order."""
        return [k for k, hinge in enumerate(self.body.hinges) if not hinge.passive]

    @cached_property
    def _leg_order(self) -> list[int]:
        """Where the sensors of each leg's foot are, legs in the order of the anatomy."""
        feet = [segment.leg for segment in self.body.segments if segment.role == "lower"]
        return [feet.index(leg) for leg in range(len(feet))]

    @cached_property
    def trunk_shares(self) -> Floats:
        """The share of each segment `(S,)` in a push on the trunk: by mass, none of what is no trunk."""
        masses = np.array([segment.mass * (segment.role == "trunk") for segment in self.body.segments])
        result: Floats = masses / masses.sum()
        return result

    @cached_property
    def placed_rest(self) -> Placed:
        """The bind pose."""
        segment = self.body.segments[0]
        return Placed(segment.place, np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(self.hinges))

    @property
    def placed(self) -> Placed:
        """The poses of all bodies, in canter's axes."""
        place, turn = self.qpos[:, :3], self.qpos[:, 3:7]
        return Placed(from_mujoco(place), turn_from_mujoco(turn), self.angles.copy())

    def segments(self) -> tuple[Floats, Floats]:
        """Places `(N, S, 3)` and turns from the bind pose `(N, S, 4)` of the segments' joints, in canter's axes."""
        count, data = len(self.body.segments), self._datas[0]
        places, turns = np.empty((self.count, count, 3)), np.empty((self.count, count, 4))
        for row in range(self.count):
            data.qpos[:] = self.qpos[row]
            mujoco.mj_kinematics(self.models[row], data)
            places[row], turns[row] = data.xpos[1 : 1 + count], data.xquat[1 : 1 + count]
        return from_mujoco(places), turn_from_mujoco(turns)

    def place_rest(self, who: Bools) -> None:
        """Puts bodies in the bind pose, at rest."""
        rest = self.placed_rest
        self.put(who, to_mujoco(rest.place), turn_to_mujoco(rest.turn), rest.angles, np.zeros(ROOT_SPEEDS), rest.angles)

    def put(
        self, who: Bools, place: Floats, turn: Floats, angles: Floats, root_speeds: Floats, angle_speeds: Floats
    ) -> None:
        """Puts the bodies of a mask `(N,)` into a state; what lies about stays."""
        for part, values in ((slice(0, 3), place), (slice(3, 7), turn), (slice(7, 7 + self.hinges), angles)):
            self.qpos[who, part] = values
        self.qvel[who, :ROOT_SPEEDS] = root_speeds
        self.qvel[who, ROOT_SPEEDS : ROOT_SPEEDS + self.hinges] = angle_speeds
        data = self._datas[0]
        for row in np.flatnonzero(who):
            mujoco.mj_setState(self.models[row], data, self.state[row], STATE)
            mujoco.mj_forward(self.models[row], data)
            self.sensors[row] = data.sensordata

    def park_boxes(self, row: int) -> None:
        """Takes away what lies about in a row."""
        body = ROOT_POSITIONS + self.hinges, ROOT_SPEEDS + self.hinges
        self.qpos[row, body[0] :] = self.model.qpos0[body[0] :]
        self.qvel[row, body[1] :] = 0.0
        self.models[row].body_gravcomp[:] = self.model.body_gravcomp

    def set_gravity(self, row: int, gravity: Floats) -> None:
        """Sets the gravity `(3,)` of a row, in the axes of its ground."""
        self.gravity[row] = self.models[row].opt.gravity[:] = gravity

    def set_friction(self, row: int, friction: float) -> None:
        """Sets the friction of a row's ground, which counts for whatever touches it."""
        self.models[row].geom_friction[self._ground, 0] = friction

    @cached_property
    def _ground(self) -> int:
        return int(self.model.geom(GROUND).id)

    def step(self, targets: Floats, substeps: int, forces: Floats | None = None) -> None:
        """Simulates `substeps` steps with servo targets `(N, nu)`, or `(N, substeps, nu)`, and forces on the centres of
        the segments `(N, S, 3)` in newtons."""
        spec = int(mujoco.mjtState.mjSTATE_CTRL)
        control = np.repeat(targets[:, None], substeps, axis=1) if targets.ndim == 2 else targets
        if forces is not None and forces.any():
            spec |= int(mujoco.mjtState.mjSTATE_XFRC_APPLIED)
            applied = np.zeros((self.count, self.model.nbody, 6))
            applied[:, 1 : 1 + len(self.body.segments), :3] = forces
            whole = np.repeat(applied.reshape(self.count, 1, -1), substeps, axis=1)
            control = np.concatenate([control, whole], axis=2)
        states, sensors = self._pool.rollout(
            self.models,
            self._datas,
            self.state,
            control,
            control_spec=spec,
            nstep=substeps,
        )
        before = self.state[:, 0].copy()
        self.state, self.sensors = states[:, -1].copy(), sensors[:, -1].copy()
        self._check(before + substeps * self.timestep)

    def _check(self, time: Floats) -> None:
        """Finds rows that have diverged and puts them at rest."""
        finite = np.isfinite(self.state).all(axis=1) & np.isfinite(self.sensors).all(axis=1)
        late = np.abs(self.state[:, 0] - time) > 0.5 * self.timestep  # MuJoCo stopped there
        self.diverged = ~finite | late | (np.abs(np.nan_to_num(self.qvel)).max(axis=1) > MAX_SPEED)
        if self.diverged.any():
            self.state[self.diverged] = 0.0
            for row in np.flatnonzero(self.diverged):
                self.park_boxes(int(row))
            self.place_rest(self.diverged)

    def sensed(self) -> Sensed:
        """What the sensors say of the moment before the last small step, in the order in which `canter.physics.mjcf`
        lists them."""
        legs = len(self._leg_order)
        downs = sum(segment.role in ("trunk", "neck", "head") for segment in self.body.segments)
        ends = np.cumsum([3 * legs, downs, 3, 3, self.scene.boxes])
        forces, down, centre, velocity, hit = np.split(self.sensors, ends[:-1], axis=1)
        fallen, touched = np.any(down > 0, axis=1), np.any(hit > 0, axis=1)
        ground = -forces.reshape(-1, legs, 3)[:, self._leg_order]
        return Sensed(ground, np.asarray(fallen), centre, velocity, np.asarray(touched))


def _quieten() -> None:
    """MuJoCo writes of rows that diverge into a file of the folder that it is started in; we tell of them ourselves."""
    config = mujoco.MjLogConfig.get()
    config.logto_file = config.logto_console = False
    mujoco.MjLogConfig.set(config)
