"""What happens to simulated bodies: pushes, thrown boxes, slippery, tilting and turning ground.

They are the very `Push`, `Throw` and `Ground` of a command, so that a ride replays and training and driving share them.
A simulation stays in the axes of its ground: where that tilts, gravity turns instead, and where it turns, the forces of
a turning frame act (Coriolis and centrifugal, on the body as a whole). `Ground.tilt` counts from a level ground.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from canter.control.command import Disturbance, Ground, Push, Throw
from canter.control.state import Prop
from canter.control.trajectory import wrap_angles
from canter.control.world import Flat, Slope, World
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.constants import GRAVITY
from canter.physics.axes import from_mujoco, to_mujoco, turn_from_mujoco, turn_to_mujoco
from canter.physics.simulation import Simulation

UP = np.array([0.0, 1.0, 0.0])
MAX_TILT = math.radians(60)
MIN_SIZE, MAX_SIZE = 0.01, 10.0
"""Metres of a thrown thing along each side."""
MAX_MASS, MAX_THROW_SPEED = 1e4, 100.0
MIN_FRICTION, MAX_FRICTION = 1e-3, 5.0
SHAPES = {"box": 6, "sphere": 2}
"""MuJoCo's numbers of the shapes that can be thrown; others fly as boxes."""


@dataclass(eq=False)
class _Shove:
    """A push that goes on: `shares (S,)` of the segments in its `force (3,)`, for `left` seconds."""

    row: int
    shares: Floats
    force: Floats
    left: float


@dataclass(eq=False)
class _Thrown:
    """What flies in a slot of a row."""

    name: str
    shape: str
    size: tuple[float, ...]


class Disturbances:
    """What happens to the N bodies of a simulation, whose ground is as in `world`."""

    def __init__(self, simulation: Simulation, world: World | None = None) -> None:
        world = world or World()
        if not isinstance(world.terrain, Flat | Slope):
            kind = type(world.terrain).__name__.lower()
            raise ValueError(f"simulated animals walk on flat or sloping ground, not on {kind} ground")
        self.simulation, self.world = simulation, world
        count, self._slots = simulation.count, simulation.scene.boxes
        self._normal: Floats = world.normal(np.zeros(2))
        self._slope = np.array([-self._normal[0], -self._normal[2]]) / self._normal[1]
        self.grounds = np.tile(rot.IDENTITY, (count, 1))
        """How each ground is turned in the world `(N, 4)`."""
        self._turned, self._turn_rate = np.zeros(count), np.zeros(count)
        self._shoves: list[_Shove] = []
        self._thrown: list[list[_Thrown | None]] = [[None] * self._slots for _ in range(count)]
        self._next = np.zeros(count, np.int64)
        self._tilts = np.tile(self._slope, (count, 1))
        self.clear(np.ones(count, bool))

    def clear(self, who: Bools) -> None:
        """Whatever happened to the rows of a mask is over; their ground is that of the world."""
        self._shoves = [shove for shove in self._shoves if not who[shove.row]]
        self._turned[who] = self._turn_rate[who] = 0.0
        self._tilts[who] = self._slope
        rows = np.flatnonzero(who)
        self._tilt(rows)
        for row in rows:
            self._thrown[row] = [None] * self._slots
            self.simulation.park_boxes(int(row))
            self.simulation.set_friction(int(row), float(np.clip(self.world.friction, MIN_FRICTION, MAX_FRICTION)))

    def begin(self, row: int, disturbances: Iterable[Disturbance]) -> None:
        """What a command says happens to a row from now on."""
        for one in disturbances:
            if isinstance(one, Push):
                self._push(row, one)
            elif isinstance(one, Throw):
                self._throw(row, one)
            else:
                self._change_ground(row, one)

    # Pushes --------------------------------------------------------------------------------------

    def _push(self, row: int, push: Push) -> None:
        simulation = self.simulation
        shares = simulation.trunk_shares
        if push.joint is not None:
            shares = np.zeros(len(shares))
            shares[self._segment(push.joint)] = 1.0
        seconds = max(push.seconds, simulation.timestep)
        force = self._to_ground(row, np.asarray(push.impulse)) / seconds
        self._shoves.append(_Shove(row, shares, force, seconds))

    def _segment(self, joint: str) -> int:
        """The segment that a joint moves with."""
        body = self.simulation.body
        skeleton = body.character.skeleton
        if joint not in skeleton.names:
            raise ValueError(f"push.joint names {joint!r}, which is no joint of {body.character.name!r}")
        number = {segment.joint: k for k, segment in enumerate(body.segments)}
        chain = reversed(skeleton.chain(skeleton.names.index(joint)))
        return next((number[above] for above in chain if above in number), 0)

    def forces(self, seconds: float) -> Floats | None:
        """Forces on the segments `(N, S, 3)` over the next seconds, in MuJoCo's axes; None if there are none."""
        turning = self._turn_rate != 0.0
        if not self._shoves and not turning.any():
            return None
        simulation = self.simulation
        result = np.zeros((simulation.count, len(simulation.body.segments), 3))
        for shove in self._shoves:
            result[shove.row] += shove.shares[:, None] * shove.force * min(1.0, shove.left / seconds)
            shove.left -= seconds
        self._shoves = [shove for shove in self._shoves if shove.left > 1e-9]
        if turning.any():
            sensed = simulation.sensed()
            spin = np.zeros((simulation.count, 3))
            spin[:, 2] = self._turn_rate
            away = sensed.centre * [1.0, 1.0, 0.0]
            pull = -2 * np.cross(spin, sensed.velocity) - np.cross(spin, np.cross(spin, away))
            masses = np.array([segment.mass for segment in simulation.body.segments])
            result += masses[:, None] * pull[:, None]
        return result

    # Things that fly -----------------------------------------------------------------------------

    def _throw(self, row: int, throw: Throw) -> None:
        """The thing takes the place of the one that was thrown longest ago."""
        if not self._slots:
            return
        simulation, slot = self.simulation, int(self._next[row] % self._slots)
        self._next[row] += 1
        model, body = simulation.models[row], simulation.model.body(f"box{slot}").id
        geom, joint = model.body_geomadr[body], simulation.model.joint(f"box{slot}")
        sides = np.clip(throw.size if len(throw.size) == 3 else (throw.size[0],) * 3, MIN_SIZE, MAX_SIZE)
        ball = throw.shape == "sphere"
        half = np.full(3, sides[0]) if ball else to_mujoco(sides) / 2
        mass = min(throw.mass, MAX_MASS)
        model.geom_type[geom] = SHAPES["sphere" if ball else "box"]
        model.geom_size[geom] = [half[0], 0.0, 0.0] if ball else half
        model.geom_rbound[geom] = half[0] if ball else np.linalg.norm(half)
        model.geom_aabb[geom] = [0.0, 0.0, 0.0, *half]
        model.body_mass[body] = mass
        square = half**2
        solid = np.full(3, 0.4 * square[0]) if ball else (square.sum() - square) / 3
        model.body_inertia[body] = mass * solid
        model.body_subtreemass[body] = mass
        model.body_invweight0[body] = [1 / mass, 1 / (mass * solid.mean())]
        free = slice(joint.dofadr[0], joint.dofadr[0] + 6)
        model.dof_invweight0[free] = [1 / mass] * 3 + [1 / (mass * solid.mean())] * 3
        model.dof_M0[free] = [mass] * 3 + list(mass * solid)
        model.body_gravcomp[body] = 0.0
        speed = np.asarray(throw.velocity)
        speed = speed * min(1.0, MAX_THROW_SPEED / max(float(np.linalg.norm(speed)), 1e-9))
        place = joint.qposadr[0]
        turn = turn_to_mujoco(rot.conjugate(self.grounds[row]))
        simulation.qpos[row, place : place + 7] = [*self._to_ground(row, np.asarray(throw.position)), *turn]
        simulation.qvel[row, free] = [*self._to_ground(row, speed), 0.0, 0.0, 0.0]
        self._thrown[row][slot] = _Thrown(throw.name, "sphere" if ball else "box", (half[0],) if ball else tuple(sides))

    def props(self, row: int) -> tuple[Prop, ...]:
        """What flies or lies about, in the world."""
        simulation, found = self.simulation, []
        for slot, thing in enumerate(self._thrown[row]):
            if thing is not None:
                at = simulation.model.joint(f"box{slot}").qposadr[0]
                place, turn = simulation.qpos[row, at : at + 3], simulation.qpos[row, at + 3 : at + 7]
                ground = self.grounds[row]
                position = rot.rotate(ground, from_mujoco(place))
                rotation = rot.multiply(ground, turn_from_mujoco(turn))
                found.append(Prop(thing.name, thing.shape, tuple(map(float, thing.size)), position, rotation))
        return tuple(found)

    # The ground ----------------------------------------------------------------------------------

    def _change_ground(self, row: int, ground: Ground) -> None:
        if ground.friction is not None:
            self.simulation.set_friction(row, float(np.clip(ground.friction, MIN_FRICTION, MAX_FRICTION)))
        if ground.turn_rate is not None:
            self._turn_rate[row] = ground.turn_rate
        if ground.tilt is not None:
            pitch, roll = (math.tan(max(-MAX_TILT, min(angle, MAX_TILT))) for angle in ground.tilt)
            self._tilts[row] = roll, pitch
            self._tilt(np.array([row]))

    def advance(self, seconds: float) -> None:
        """Turns the grounds that turn."""
        rows = np.flatnonzero(self._turn_rate)
        if len(rows):
            self._turned[rows] = wrap_angles(self._turned[rows] + self._turn_rate[rows] * seconds)
            self._tilt(rows)

    def _tilt(self, rows: Ints) -> None:
        """Turns the gravity of rows by their tilts and turns."""
        roll, pitch = self._tilts[rows].T
        normals = np.stack([-roll, np.ones(len(rows)), -pitch], axis=-1)
        self.grounds[rows] = rot.multiply(rot.between(UP, normals), rot.about(UP, self._turned[rows]))
        down = np.broadcast_to([0.0, -GRAVITY, 0.0], (len(rows), 3))
        gravity = to_mujoco(rot.rotate(rot.conjugate(self.grounds[rows]), down))
        for row, one in zip(rows, gravity, strict=True):
            self.simulation.set_gravity(int(row), one)

    def _to_ground(self, row: int, vector: Floats) -> Floats:
        """A vector of the world `(3,)` in MuJoCo's axes, as the ground of a row sees it."""
        return to_mujoco(rot.rotate(rot.conjugate(self.grounds[row]), np.asarray(vector, np.float64)))
