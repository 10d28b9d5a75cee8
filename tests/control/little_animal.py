"""A small animal made by hand: joints placed in the world by formula, so that tests know its speed and footfalls."""

from __future__ import annotations

import numpy as np

from canter.anatomy import Anatomy, Character, Clip, Footfalls, Leg, Transform
from canter.motion import Motion, Skeleton, kinematics
from canter.motion import rotations as rot

HIP = 0.6
PHASES = {"LF": 0.25, "RF": 0.75, "LH": 0.0, "RH": 0.5}
NAMES = ["hips", "chest", "neck", "head", "nose", "tail", "tail_tip"]
PARENTS = [-1, 0, 1, 2, 3, 0, 5]
TRUNK = np.array(
    [[0, 0, 0], [0, 0.02, 0.6], [0, 0.2, 0.8], [0, 0.32, 0.95], [0, 0.25, 1.12], [0, 0, -0.2], [0, -0.2, -0.4]]
)


def little_animal(seconds: float = 0.8, speed: float = 1.5, frames: int = 25, strides: int = 1) -> Character:
    """A walking loop, a stand, and the same walk backward and on a circle; legs LF, RF, LH, RH."""
    skeleton, legs = _skeleton()
    walk = _walk(skeleton, legs, "walk", seconds, speed, frames, strides)
    stand = Clip(
        Motion(
            skeleton,
            30.0,
            *(np.repeat(x[:1], 20, axis=0) for x in (walk.motion.positions, walk.motion.rotations)),
            "stand",
        ),
        Footfalls(np.ones((20, 4), bool), "stand", 0.0, False, loop=True),
    )
    back = _walk(skeleton, legs, "back", seconds, -0.8, frames, strides)
    circle = Clip(_bent(walk.motion, 0.4), walk.footfalls)
    mirror = np.array([skeleton.names.index(_other(name)) for name in skeleton.names])
    anatomy = Anatomy("quadruped", np.array([0, 1.0, 0]), np.array([0, 0, 1.0]), HIP, legs, mirror,
                      spine=(0, 1), neck=(2,), head=3, tail=(5, 6))  # fmt: skip
    transform = Transform(rot.IDENTITY, 1.0, np.zeros(3))
    return Character("little", skeleton, anatomy, (stand, walk, back, circle), transform)


def _other(name: str) -> str:
    return {"L": "R", "R": "L"}[name[0]] + name[1:] if name[0] in "LR" else name


def _skeleton() -> tuple[Skeleton, tuple[Leg, ...]]:
    names, parents, places = list(NAMES), list(PARENTS), [*TRUNK]
    legs = []
    for leg in PHASES:
        top = np.array([0.12 if leg[0] == "L" else -0.12, -0.02, 0.55 if leg[1] == "F" else 0.0])
        first = len(names)
        for part, down in (("hip", 0.0), ("knee", 0.3), ("foot", 0.56)):
            parents.append((1 if leg[1] == "F" else 0) if part == "hip" else len(names) - 1)
            names.append(f"{leg}_{part}")
            places.append(top - [0, down, 0])
        legs.append(Leg(leg, (first, first + 1, first + 2), first, first + 2))
    world = np.array(places)
    offsets = world - np.where(np.array(parents)[:, None] >= 0, world[parents], 0)
    return Skeleton.make(names, parents, offsets), tuple(legs)


def _walk(skeleton, legs, name, seconds, speed, frames, strides) -> Clip:
    time = np.arange((frames - 1) * strides + 1) / (frames - 1)
    duty = 0.6
    world = np.tile(np.zeros((1, len(skeleton), 3)), (len(time), 1, 1))
    rest, _ = kinematics.forward(skeleton, skeleton.offsets, skeleton.rotations)
    world += rest + np.array([0, HIP, 0])
    world[:, :, 1] += 0.01 * np.sin(4 * np.pi * time)[:, None]
    world[:, :, 2] += (time * seconds * speed)[:, None]
    contacts = np.zeros((len(time), 4), bool)
    for i, leg in enumerate(legs):
        phase = (time - PHASES[leg.name]) % 1.0
        contacts[:, i] = phase < duty
        sweep = speed * seconds * duty
        swing = np.clip((phase - duty) / (1 - duty), 0, 1)
        along = np.where(phase < duty, sweep * (0.5 - phase / duty), sweep * (0.5 * -np.cos(np.pi * swing)))
        hip = world[:, leg.hip]
        foot = np.stack([hip[:, 0], 0.08 * np.sin(np.pi * swing), hip[:, 2] + along], -1)
        world[:, leg.joints[1]] = (hip + foot) / 2 + [0, 0, 0.05 if leg.name[1] == "H" else -0.05]
        world[:, leg.foot] = foot
    turns = np.tile(rot.IDENTITY, (len(time), len(skeleton), 1))
    motion = Motion(skeleton, (frames - 1) / seconds, *kinematics.local(skeleton, world, turns), name)
    duties = dict.fromkeys(PHASES, duty)
    gait = "walk" if speed > 0 else "backward"
    falls = Footfalls(
        contacts,
        gait,
        abs(speed),
        False,
        runner_up="amble",
        stride_seconds=seconds,
        stride_length=abs(speed) * seconds,
        duty=duties,
        phases=PHASES,
        froude=speed**2 / 9.81 / HIP,
        skating_cm=0.1,
        loop=True,
    )
    return Clip(motion, falls)


def _bent(motion: Motion, turn: float) -> Motion:
    """The walk on an arc that turns left by `turn` radians in all."""
    yaw = turn * np.arange(len(motion)) / (len(motion) - 1)
    span = motion.position_world[-1, 0, 2] - motion.position_world[0, 0, 2]
    radius = span / turn
    positions = motion.positions.copy()
    along = np.arange(len(motion))[:, None] / (len(motion) - 1) * np.array([0, 0, span])
    arc = np.stack([radius * (1 - np.cos(yaw)), np.zeros_like(yaw), radius * np.sin(yaw)], -1)
    positions[:, 0] = arc + rot.rotate(rot.yaw(yaw), positions[:, 0] - along)
    rotations = motion.rotations.copy()
    rotations[:, 0] = rot.multiply(rot.yaw(yaw), rotations[:, 0])
    return Motion(motion.skeleton, motion.frame_rate, positions, rotations, "circle")
