"""Unstructured motion such as a capture session would give: random commands through the preset `gaits`.

Most of it is a pack whose animals each follow a plan of their own: they walk off, speed up through the gaits, turn,
back, step aside and rest. Animals with actions also have sessions alone, in which they sit, lie or jump. How much of
each there is follows Table 1 of MANN (Zhang et al. 2018).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from canter.anatomy import Character
from canter.control.command import Command
from canter.control.state import State
from canter.cycles.engine.gait_graph import Choice
from canter.cycles.gaits.batch import Pack
from canter.cycles.gaits.controller import Gaits
from canter.motion import Motion
from canter.motion.arrays import Floats, Ints

IDLE, MOVING = "idle", "locomotion"
SECONDS = {IDLE: 1614.37, MOVING: 1828.70, "jump": 30.27, "sit": 497.93, "lie": 397.13, "upright": 64.83}
"""MANN's Table 1. Its `stand` is a dog upright on its hind legs."""
ALIKE = {"leap": "jump"}
"""Actions that have as large a share as another."""
FRAME_RATE = 60.0
MOST_AT_ONCE = 32
"""Animals that are stepped together."""
SHORTEST = 45.0
"""Seconds of a sequence of the pack, where that leaves more than one."""
STOPPING = 1.5
"""Strides of its slowest gait in which an animal comes to stand."""
SESSION = 90.0
"""Seconds after which an animal that performs starts anew."""
ENOUGH = 0.25
"""Seconds of an action whose lack does not matter."""
PATIENCE = 20.0
"""Seconds in which an animal that is told to perform has come to rest and begun."""
LONGEST = 24 * 60.0
"""Minutes."""


@dataclass(frozen=True, eq=False)
class Improvised:
    """Motions at 60 frames a second, and for each the label of every frame `(T,)`, as a number of `names`.

    The names are `idle`, `locomotion` and the actions that the animal has.
    """

    motions: tuple[Motion, ...]
    labels: tuple[Ints, ...]
    names: tuple[str, ...]

    @property
    def seconds(self) -> dict[str, float]:
        """How long each label lasts in all."""
        counts = np.bincount(np.concatenate(self.labels), minlength=len(self.names))
        return {name: float(count) / FRAME_RATE for name, count in zip(self.names, counts, strict=True)}


def improvise(character: Character, minutes: float = 30.0, seed: int = 0) -> Improvised:
    """So many minutes of a character that does as it likes; the same seed gives the same frames."""
    if not (math.isfinite(minutes) and 0 < minutes <= LONGEST):
        raise ValueError(f"minutes must be above 0 and at most {LONGEST:g}, not {minutes}")
    if seed < 0:
        raise ValueError(f"seed must be a whole number from 0, not {seed}")
    alone = Gaits(character, frame_rate=FRAME_RATE)
    actions = [name for name in alone.capabilities.actions if _kind(name) in SECONDS and _kind(name) != IDLE]
    names = (IDLE, MOVING, *actions)
    wanted = np.array([SECONDS[_kind(name)] for name in names])
    wanted *= minutes * 60 * FRAME_RATE / wanted.sum()
    sessions = _sessions(alone, names, wanted, np.random.default_rng([seed, 0]))
    done = np.zeros(len(names))
    for _, labels in sessions:
        done += np.bincount(labels, minlength=len(names))
    idle, moving = np.maximum(wanted[:2] - done[:2], FRAME_RATE)
    takes = [*_roam(character, idle, moving, seed), *sessions]
    return Improvised(tuple(motion for motion, _ in takes), tuple(labels for _, labels in takes), names)


def _kind(name: str) -> str:
    """What MANN's table calls an action or a label; clips of strangers may be written otherwise."""
    return ALIKE.get(name.lower(), name.lower())


# A pack that roams -------------------------------------------------------------------------------


class Span(NamedTuple):
    """What an animal is told for some seconds; the facing is NaN where it is free, the gait -1."""

    seconds: float
    speed: float
    heading: float
    facing: float = math.nan
    gait: int = -1


def _roam(character: Character, idle: float, moving: float, seed: int) -> list[tuple[Motion, Ints]]:
    """Sequences of a pack with so many frames of idling and locomotion in all."""
    count = int(np.clip((idle + moving) / (SHORTEST * FRAME_RATE), 1, MOST_AT_ONCE))
    frames = math.ceil((idle + moving) / count)
    pack = Pack(character, count, frame_rate=FRAME_RATE)
    randoms = [np.random.default_rng([seed, 1 + k]) for k in range(count)]
    orders = np.stack([_orders(pack, idle / moving, frames, random) for random in randoms], axis=-1)
    positions = np.empty((count, frames, len(character.skeleton), 3), np.float32)
    rotations = np.empty((count, frames, len(character.skeleton), 4), np.float32)
    labels = np.empty((count, frames), np.int64)
    for frame, (speed, heading, facing, gait) in enumerate(orders):
        positions[:, frame], rotations[:, frame] = pack.step(speed, heading, facing, gait.astype(np.int64))
        labels[:, frame] = np.argmax(pack.crowd.herd.weights, axis=1) != pack.choice.stand
    return [
        (Motion(character.skeleton, FRAME_RATE, positions[k], rotations[k], f"roaming {k + 1}"), labels[k])
        for k in range(count)
    ]


def _orders(pack: Pack, rest: float, frames: int, random: np.random.Generator) -> Floats:
    """Speed, heading, facing and gait for every frame of one animal `(T, 4)`."""
    rows: list[Floats] = []
    length = 0
    for span in _plan(pack, rest, random):
        row = np.tile(np.array(span[1:], np.float64), (max(round(span.seconds * FRAME_RATE), 1), 1))
        rows.append(row)
        length += len(row)
        if length >= frames:
            break
    return np.concatenate(rows)[:frames]


def _plan(pack: Pack, rest: float, random: np.random.Generator) -> Iterator[Span]:
    """Bouts of going and of idling without end; `rest` is how long it idles for each second that it goes."""
    heading = 0.0
    stopping = STOPPING * pack.crowd.library.cycles[pack.choice.ahead[0]].seconds
    yield Span(rest * random.uniform(0.0, 10.0), 0.0, heading)
    while True:
        bout = _bout(pack, heading, random)
        yield from bout
        last = bout[-1]
        heading = last.heading if math.isnan(last.facing) else last.facing
        going = sum(span.seconds for span in bout) + stopping
        yield Span(stopping + rest * going * random.uniform(0.7, 1.3), 0.0, heading)


def _bout(pack: Pack, heading: float, random: np.random.Generator) -> list[Span]:
    """Some seconds of going: mostly ahead, at times in a rarer gait, back, aside or around on the spot."""
    choice, cycles = pack.choice, pack.crowd.library.cycles
    kind = random.choice(["ahead", "rare", "back", "aside", "around"], p=[0.66, 0.1, 0.09, 0.07, 0.08])
    if kind == "rare" and choice.others:
        gait = int(random.choice(choice.others))
        speed = random.uniform(*choice.ranges[gait])
        turned = heading + random.normal(0, 0.6)
        return [Span(random.uniform(2, 5), speed, heading, gait=gait), Span(3.0, speed, turned, gait=gait)]
    if kind == "back" and choice.back is not None:
        speed = cycles[choice.back].speed * random.uniform(0.6, 1.1)
        return [Span(random.uniform(1.5, 4), speed, heading + math.pi, heading)]
    if kind == "aside" and choice.aside is not None:
        side = int(random.integers(2))
        speed = cycles[choice.aside[side]].speed * random.uniform(0.6, 1.1)
        return [Span(random.uniform(1.5, 4), speed, heading + (0.5 - side) * math.pi, heading)]
    if kind == "around":
        turned = heading + random.choice([-1, 1]) * random.uniform(0.5, 2.5)
        return [Span(random.uniform(2, 4), 0.0, turned, turned)]
    return _ahead(choice, heading, random)


def _ahead(choice: Choice, heading: float, random: np.random.Generator) -> list[Span]:
    """From the slowest gait up and down through the others, with turns both ways."""
    spans: list[Span] = []
    rung = 0
    for _ in range(int(random.integers(2, 7))):
        speed = random.uniform(*choice.ranges[choice.ahead[rung]])
        spans.append(Span(random.uniform(1.2, 4.0), speed, heading))
        rung = int(np.clip(rung + random.choice([-1, 0, 1, 1]), 0, len(choice.ahead) - 1))
        heading += random.normal(0, 1.1) if random.random() < 0.75 else 0.0
    if rung > 0 and random.random() < 0.7:
        slow = choice.ranges[choice.ahead[0]]
        spans.append(Span(random.uniform(1.0, 2.5), random.uniform(*slow), heading))
    return spans


# One animal that performs ------------------------------------------------------------------------


def _sessions(
    controller: Gaits, names: tuple[str, ...], wanted: Floats, random: np.random.Generator
) -> list[tuple[Motion, Ints]]:
    """Sequences of one animal until it has performed its actions for as many frames as are wanted."""
    numbers = {name: k for k, name in enumerate(names)}
    pack = Pack(controller.character)
    stand = pack.names[pack.choice.stand]
    lack = {name: float(wanted[k]) for name, k in numbers.items() if k > 1}
    takes: list[tuple[Motion, Ints]] = []
    while lack and max(lack.values()) > ENOUGH * FRAME_RATE:
        poses = []
        labels = []
        for state in _session(controller, lack, random):
            poses.append(state.pose)
            labels.append(0 if state.gait == stand else numbers.get(state.gait, 1))
        positions, rotations = np.stack([p.positions for p in poses]), np.stack([p.rotations for p in poses])
        name = f"performing {len(takes) + 1}"
        motion = Motion(controller.character.skeleton, FRAME_RATE, positions, rotations, name)
        takes.append((motion, np.array(labels)))
    return takes


def _session(controller: Gaits, lack: dict[str, float], random: np.random.Generator) -> Iterator[State]:
    """Walks, stops and performs what lacks most, again and again; `lack` in frames is counted down."""
    controller.reset()
    slow = min(controller.capabilities.gaits.values())
    heading, length = 0.0, 0
    while length < SESSION * FRAME_RATE and max(lack.values()) > ENOUGH * FRAME_RATE:
        action = max(lack, key=lambda name: lack[name])
        heading += random.normal(0, 0.8)
        walk = Command(speed=random.uniform(*slow), heading=heading)
        held = min(random.uniform(6, 30), lack[action] / FRAME_RATE + 1)
        walked = _kept(controller, walk, random.uniform(1.5, 4.0))
        rested = _kept(controller, Command(heading=heading), random.uniform(0.5, 2.0))
        for state in chain(walked, _act(controller, action, heading, held), rested):
            length += 1
            lack[action] -= state.gait == action
            yield state


def _kept(controller: Gaits, command: Command, seconds: float) -> Iterator[State]:
    for _ in range(round(seconds * FRAME_RATE)):
        yield controller.step(command)


def _act(controller: Gaits, action: str, heading: float, seconds: float) -> Iterator[State]:
    """Comes to rest, performs the action, holds it for some seconds if it can be held, and leaves it."""
    began = None
    for frame in range(round((PATIENCE + seconds) * FRAME_RATE)):
        state = controller.step(Command(heading=heading, action=action))
        yield state
        began = frame if began is None and state.gait == action else began
        if "finished" in state.events or (began is not None and frame - began >= seconds * FRAME_RATE):
            break
    while state.gait == action and "finished" not in state.events:
        state = controller.step(Command(heading=heading))
        yield state
