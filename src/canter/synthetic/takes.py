"""Which clips a synthetic file holds: travelling or in place, closed or not, short loops, idles, stills, bind poses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from canter.motion.arrays import Floats
from canter.synthetic import body_motion as body
from canter.synthetic.dice import Dice
from canter.synthetic.draft import Take, retimed
from canter.synthetic.gaits import Stride, Track, draw_stride
from canter.synthetic.proportions import BODIES, Animal

FRAME_RATES = {"24": 0.2, "25": 0.1, "30": 0.35, "60": 0.25, "120": 0.1}
SLOW_RATES = {"24": 0.4, "25": 0.2, "30": 0.4}
CLIP_NAMES = {"gait": 0.5, "takes": 0.3, "armature": 0.1, "wrong": 0.1}
GAIT_SHARES = {"walk": 0.42, "trot": 0.28, "other": 0.30}
CLIP_KINDS = {
    "straight": 0.30,
    "curve": 0.12,
    "closed loop": 0.20,
    "open loop": 0.13,
    "short loop": 0.10,
    "strides": 0.15,
}
"""`open` loops lack their closing frame; `short` ones have 9 to 16 frames; `strides` are several in place."""

KEYED_CLIPS = {"short loop": 0.2, "keyed loop": 0.5, "keyed steps": 0.3}
"""Clips as they are keyed by hand: a stride of few frames in place, or one or two that travel."""
KEYED_FRAMES, KEYED_RUN_FRAMES = (18, 33), (10, 17)
"""Frames of a walk that is keyed by hand, from and below, and of the faster gaits."""

BIND_FIRST, STILL_ENDS, MORE_CLIPS, BACKWARD, UNCLOSED, IDLE_FIRST = 0.10, 0.12, 0.25, 0.015, 0.20, 0.5
"""Probabilities of a bind pose as first frame, stills before and after, more clips, backing up, loops that do not
close, and of an idle, if there is one, as the first clip."""
DIAGONAL_WALK = 0.1
"""Probability that walks of a file step almost with diagonal feet together, as a trot does, yet with a walk's duty."""


def draw_takes(dice: Dice, animal: Animal) -> list[Take]:
    """All clips of one file, in the order of the file."""
    kind = dice.pick("clip", CLIP_KINDS)
    rate = float(dice.pick("frame_rate", SLOW_RATES if kind in KEYED_CLIPS else FRAME_RATES))
    gait = draw_gait(dice, animal)
    backward = dice.chance("backward", BACKWARD)
    if backward:
        gait, animal = "trot" if gait == "trot" else "walk", replace(animal, step=0.7 * animal.step)
    takes = [draw_take(dice, "first", animal, gait, kind, rate)]
    if dice.chance("more_clips", MORE_CLIPS) and not backward:
        takes += more_takes(dice, animal, gait, kind, rate)
    if backward:
        takes[0] = backed(takes[0])
    if dice.chance("still", STILL_ENDS):
        takes[0] = rested(takes[0], dice.stream("still ends"))
    takes[0].bind_first = dice.chance("bind_first", BIND_FIRST)
    if dice.chance("idle_first", IDLE_FIRST) and takes[-1].stride is body.STILL:
        takes.insert(0, takes.pop())
    name_takes(takes, dice.pick("clip_names", CLIP_NAMES))
    return takes


def name_takes(takes: list[Take], scheme: str) -> None:
    """Call the clips by their gait, by number, as an exporter would, or by the wrong gait."""
    for i, take in enumerate(takes):
        wrong = "run" if take.stride.gait == "walk" else "walk"
        names = {"gait": take.name, "takes": f"Take {i + 1:03d}", "armature": f"Armature|{take.name}", "wrong": wrong}
        name = names[scheme]
        while name in [other.name for other in takes[:i]]:
            name += ".001"
        take.name = name


def draw_gait(dice: Dice, animal: Animal) -> str:
    """A gait that this kind of animal can do, mostly walk and trot."""
    able = BODIES[animal.kind].gaits
    gait = dice.pick("gait", GAIT_SHARES)
    others = [name for name in able if name not in ("walk", "trot")]
    if gait == "other":
        gait = str(dice.stream("other gait").choice(others)) if others else "trot"
    elif "gait" not in dice.overrides and gait not in able:
        gait = "walk"
    return gait


def draw_take(dice: Dice, name: str, animal: Animal, gait: str, kind: str, rate: float) -> Take:
    """One moving clip of that kind."""
    rng = dice.stream(f"take {name}")
    diagonal = dice.chance("diagonal_walk", DIAGONAL_WALK) and gait == "walk"
    stride = draw_stride(rng, "diagonal walk" if diagonal else gait, animal.hip, animal.step, animal.bend)
    frames = max(round(stride.seconds * rate), 9)
    if kind == "short loop":
        frames = int(rng.integers(9, 17))
    elif kind in KEYED_CLIPS:
        frames = int(rng.integers(*KEYED_FRAMES if stride.gait in ("walk", "amble") else KEYED_RUN_FRAMES))
    if kind != "straight" or rng.random() < 0.5:
        stride = retimed(stride, frames / rate)
    take = CLIP_MAKERS[kind](stride, rate, frames, rng)
    if dice.chance("unclosed", UNCLOSED) and take.in_place:
        take.clock = take.clock * float(rng.uniform(0.96, 0.99))
    return take


def _straight(stride: Stride, rate: float, frames: int, rng: np.random.Generator) -> Take:
    length = stride.seconds * rng.uniform(2, 5)
    start = rng.uniform(0, stride.seconds)
    return Take(stride.gait, stride, Track(stride.speed), rate, start + np.arange(round(length * rate)) / rate)


def _curve(stride: Stride, rate: float, frames: int, rng: np.random.Generator) -> Take:
    strides = float(rng.uniform(3, 6))
    turn = np.radians(rng.uniform(20, 70)) * rng.choice([-1, 1])
    length = strides * stride.seconds
    track = Track(stride.speed, turn / (stride.speed * length), -turn / 2)
    return Take(stride.gait, stride, track, rate, np.arange(round(length * rate)) / rate)


def _loop(stride: Stride, rate: float, frames: int, rng: np.random.Generator) -> Take:
    clock = rng.integers(frames) / rate + np.arange(frames + 1) / rate
    return Take(stride.gait, stride, Track(stride.speed), rate, clock, in_place=True)


def _open_loop(stride: Stride, rate: float, frames: int, rng: np.random.Generator) -> Take:
    take = _loop(stride, rate, frames, rng)
    take.clock = take.clock[:-1]
    return take


def _short_loop(stride: Stride, rate: float, frames: int, rng: np.random.Generator) -> Take:
    return (_loop if rng.random() < 0.5 else _open_loop)(stride, rate, frames, rng)


def _keyed_loop(stride: Stride, rate: float, frames: int, rng: np.random.Generator) -> Take:
    return (_loop if rng.random() < 0.6 else _open_loop)(stride, rate, frames, rng)


def _keyed_steps(stride: Stride, rate: float, frames: int, rng: np.random.Generator) -> Take:
    take = _loop(stride, rate, frames, rng)
    clock = take.clock[0] + np.arange(frames * int(rng.integers(1, 3)) + 1) / rate
    return replace(take, clock=clock, in_place=False)


def _strides(stride: Stride, rate: float, frames: int, rng: np.random.Generator) -> Take:
    take = _loop(stride, rate, frames, rng)
    take.clock = take.clock[0] + np.arange(frames * int(rng.integers(2, 5)) + 1) / rate
    return take


Maker = Callable[[Stride, float, int, np.random.Generator], Take]
CLIP_MAKERS: dict[str, Maker] = {
    "straight": _straight,
    "curve": _curve,
    "closed loop": _loop,
    "open loop": _open_loop,
    "short loop": _short_loop,
    "strides": _strides,
    "keyed loop": _keyed_loop,
    "keyed steps": _keyed_steps,
}


def more_takes(dice: Dice, animal: Animal, gait: str, kind: str, rate: float) -> list[Take]:
    """One to three further clips: other gaits, and often an idle."""
    rng = dice.stream("more clips")
    able = [name for name in BODIES[animal.kind].gaits if name != gait]
    chosen = rng.choice(able, size=min(int(rng.integers(1, 3)), len(able)), replace=False)
    takes = [draw_take(dice, f"more {name}", animal, str(name), kind, rate) for name in chosen]
    if rng.random() < 0.6:
        seconds = np.arange(round(3 * rate) + 1) / rate
        takes.append(Take("idle", body.STILL, Track(0.0), rate, seconds, in_place=True))
    return takes


def backed(take: Take) -> Take:
    """The same clip backing up: the motion's time runs down."""
    return replace(take, clock=take.clock[::-1].copy(), backward=True)


def rested(take: Take, rng: np.random.Generator) -> Take:
    """The same clip with a still stretch before it, after it, or both; the clock starts and stops softly."""
    before, after = ((0.8, 0.0), (0.0, 0.8), (0.5, 0.5))[int(rng.integers(3))]
    step = np.diff(take.clock, append=2 * take.clock[-1] - take.clock[-2])
    pieces = [np.zeros(round(before * len(step))), step, np.zeros(round(after * len(step)))]
    pace = _softened(np.concatenate(pieces), max(round(0.05 * take.frame_rate), 1))
    return replace(take, clock=take.clock[0] + np.cumsum(pace))


def _softened(pace: Floats, width: int) -> Floats:
    kernel = np.hanning(2 * width + 3)
    padded = np.pad(pace, width + 1, mode="edge")
    result: Floats = np.convolve(padded, kernel / kernel.sum(), mode="valid")
    return result
