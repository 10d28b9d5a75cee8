"""A controller without legs: the dog in its rest pose, moved over the ground as commanded, so that rides are quick."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

import canter
from canter.anatomy import Character
from canter.control import Capabilities, Command, State
from canter.control.state import Trajectory
from canter.control.trajectory import wrap
from canter.motion import Pose, Skeleton, forward
from canter.motion import rotations as rot
from canter.navigation.trunk import trunk

FOLLOWING_SECONDS = 0.15
"""How late the speed of a cart follows what is commanded."""


@cache
def dog() -> Character:
    return canter.load("dog")


def state_at(x: float, z: float, facing: float, speed: float = 0.0, pose: Pose | None = None) -> State:
    """Something that is at a place, faces a yaw and goes along it; of one joint, if no pose is given."""
    if pose is None:
        pose = Pose(Skeleton.make(["root"], [-1], np.zeros((1, 3))), np.zeros((1, 3)), np.array([[1.0, 0, 0, 0]]))
    velocity = speed * np.array([math.sin(facing), 0.0, math.cos(facing)])
    trajectory = Trajectory(np.zeros(1), np.array([[x, 0.0, z]]), np.array([facing]), velocity[None])
    return State(pose, np.ones(4, bool), "stand", velocity, facing, trajectory)


@dataclass
class Cart:
    """Turns by `turn_rate` rad/s at most toward the heading while it goes, or the facing if it `faces`.

    It never goes slower than `slowest` m/s, unless it stands.
    """

    turn_rate: float = 2.0
    faces: bool = True
    slowest: float = 0.0
    frame_rate: float = 20.0

    @property
    def character(self) -> Character:
        return dog()

    @property
    def capabilities(self) -> Capabilities:
        honours = frozenset({"speed", "heading", "facing"} if self.faces else {"speed", "heading"})
        return Capabilities((0.0, 3.0), gaits={"walk": (0.5, 1.2)}, honours=honours, turn_rate=self.turn_rate)

    def reset(self, seed: int = 0) -> State:
        self.place, self.yaw, self.speed = np.zeros(2), 0.0, 0.0
        return self._state()

    def step(self, command: Command) -> State:
        dt = 1 / self.frame_rate
        wanted = max(command.speed, self.slowest) if command.speed > 0 else 0.0
        facing = command.facing if self.faces and command.facing is not None else None
        if facing is not None or wanted > 0:
            off = wrap((command.heading if facing is None else facing) - self.yaw)
            most = self.turn_rate * dt
            self.yaw += min(max(off, -most), most)
            wanted *= max(math.cos(off / 2), 0.25)
        self.speed += (wanted - self.speed) * min(dt / FOLLOWING_SECONDS, 1.0)
        self.place = self.place + dt * self.speed * np.array([math.sin(self.yaw), math.cos(self.yaw)])
        return self._state()

    def _state(self) -> State:
        return state_at(*map(float, self.place), self.yaw, self.speed, _pose(self.place, self.yaw))


@cache
def rest_middle() -> np.ndarray:
    """Where the middle of the trunk is in the rest pose."""
    skeleton = dog().skeleton
    line, _ = trunk(dog().anatomy, forward(skeleton, skeleton.offsets, skeleton.rotations)[0])
    return np.array([line[:, 0].mean(), 0.0, line[:, 1].mean()])


def _pose(place: np.ndarray, yaw: float) -> Pose:
    """The rest pose of the dog with the middle of its trunk at a place."""
    skeleton = dog().skeleton
    turn = np.array([math.cos(yaw / 2), 0.0, math.sin(yaw / 2), 0.0])
    positions, rotations = skeleton.offsets.astype(float), skeleton.rotations.astype(float)
    roots = np.flatnonzero(skeleton.parents < 0)
    positions[roots] = rot.rotate(turn, positions[roots] - rest_middle()) + np.array([place[0], 0.0, place[1]])
    rotations[roots] = rot.multiply(turn, rotations[roots])
    return Pose(skeleton, positions, rotations)
