"""A made-up folder of capture: one rig, several takes, and the truth about every frame of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from canter.motion import Asset
from canter.motion.arrays import Bools
from canter.synthetic.capture import Capture, Part, SpanTruth
from canter.synthetic.dice import Dice
from canter.synthetic.draft import build, retimed
from canter.synthetic.gaits import draw_stride
from canter.synthetic.mutations import MUTATIONS, mutate
from canter.synthetic.proportions import BODIES, Animal, draw_animal, draw_tail
from canter.synthetic.rig_file import Truth, finish
from canter.synthetic.traps import TRAPS

FRAME_RATES = {"30": 0.2, "60": 0.4, "120": 0.4}
TAKES = 4, 8
"""The fewest and the most takes of a folder."""
MAX_UNEVEN_TAKES = 2
"""The most takes of uneven steps beside them."""
ROUND_SHARE = 0.3
"""The share of folders with a take that goes round in circles beside all others."""
UNEVENNESS = 0.0, 0.03
"""How much steps differ, drawn for every folder: in strides and in hip heights."""
TURN_RATE = 0.9
"""Radians a second in which an animal of one metre at the hips turns on the spot."""


@dataclass(frozen=True, eq=False)
class TakeTruth:
    """What happens in one take: spans one after the other, and which feet are down in each frame `(T, 4)`."""

    name: str
    spans: tuple[SpanTruth, ...]
    contacts: Bools


@dataclass(frozen=True, eq=False)
class SyntheticFolder:
    """The files of a folder, all of one rig, and the truth about rig and takes."""

    assets: tuple[Asset, ...]
    truth: Truth
    takes: tuple[TakeTruth, ...]


def synthetic_folder(seed: int, **overrides: Any) -> SyntheticFolder:
    """The folder of that seed; `overrides` decide what would be drawn, as in `synthetic_rig`."""
    dice = Dice(seed, overrides)
    animal = draw_animal(dice.stream("animal"), dice.pick("body", {kind: row.share for kind, row in BODIES.items()}))
    animal = draw_tail(dice, animal)
    rate = float(dice.pick("frame_rate", FRAME_RATES))
    rng = dice.stream("takes")
    unevenness = float(dice.stream("unevenness").uniform(*UNEVENNESS))
    programmes = [name for name in PROGRAMMES if not (animal.sprawl and name in UPRIGHT_ONLY)]
    chosen = ["stroll", *rng.choice(programmes, int(rng.integers(TAKES[0], TAKES[1])) - 1)]
    programme = {k: (name, PROGRAMMES[name](animal, rng)) for k, name in enumerate(chosen)}
    rng = dice.stream("uneven takes")
    for name in rng.choice(list(UNEVEN_PROGRAMMES), int(rng.integers(MAX_UNEVEN_TAKES + 1))):
        programme[len(programme)] = (str(name), UNEVEN_PROGRAMMES[name](animal, rng))
    rng = dice.stream("rounds")
    if rng.random() < ROUND_SHARE:
        programme[len(programme)] = ("rounds", rounds(animal, rng))
    captures = [
        Capture(f"take_{k + 1:02d}_{name}", rate, animal, tuple(parts), unevenness)
        for k, (name, parts) in programme.items()
    ]
    draft = build(animal, captures)
    mutate(draft, dice, MUTATIONS | TRAPS)
    rig = finish(draft, dice)
    dice.check()
    assets = [replace(rig.asset, clips=(clip,), source=f"{clip.name}.bvh") for clip in rig.asset.clips]
    takes = [TakeTruth(c.name, tuple(c.spans()), c.down) for c in captures]
    return SyntheticFolder(tuple(assets), rig.truth, tuple(takes))


# What happens in a take --------------------------------------------------------------------------


def _seconds(animal: Animal, low: float, high: float, rng: np.random.Generator) -> float:
    """A time between two, for hips at one metre; others take their time by the square root of their height."""
    return float(rng.uniform(low, high) * np.sqrt(animal.hip))


def _stand(animal: Animal, rng: np.random.Generator) -> Part:
    return Part("stand", _seconds(animal, 1.5, 4.0, rng))


def _go(animal: Animal, gait: str, rng: np.random.Generator, yaw_rate: float = 0.0) -> Part:
    """Four to nine strides of a gait."""
    stride = draw_stride(rng, gait, animal.hip, animal.step, animal.bend)
    return Part(stride.gait, float(rng.uniform(4, 9)) * stride.seconds, stride, stride.speed, yaw_rate)


def _gaits_by_speed(animal: Animal, rng: np.random.Generator) -> list[str]:
    """Walk and one or two faster gaits that the animal has."""
    able = BODIES[animal.kind].gaits
    middle = [g for g in ("trot", "pace") if g in able]
    fast = [g for g in ("canter", "rotary canter", "gallop", "rotary gallop") if g in able]
    chosen = ["walk"]
    if middle:
        chosen.append(str(rng.choice(middle)))
    if fast and rng.random() < 0.6:
        chosen.append(str(rng.choice(fast)))
    return chosen


def stroll(animal: Animal, rng: np.random.Generator) -> list[Part]:
    return [_stand(animal, rng), _go(animal, "walk", rng), _stand(animal, rng)]


def speed_up(animal: Animal, rng: np.random.Generator) -> list[Part]:
    up = _gaits_by_speed(animal, rng)
    parts = [_go(animal, gait, rng) for gait in [*up, *up[-2::-1]]]
    return [_stand(animal, rng), *parts, _stand(animal, rng)]


def turns(animal: Animal, rng: np.random.Generator) -> list[Part]:
    gait = str(rng.choice(["walk", *(g for g in ("trot",) if g in BODIES[animal.kind].gaits)]))
    side = float(rng.choice([-1, 1]))
    rate = side * float(rng.uniform(0.2, 0.5)) / float(np.sqrt(animal.hip))
    bends = [_go(animal, gait, rng, r) for r in (0.0, rate, -rate, 0.0)]
    stride = bends[0].stride
    assert stride is not None
    return [replace(bend, stride=stride, speed=stride.speed) for bend in bends]


def turn_about(animal: Animal, rng: np.random.Generator) -> list[Part]:
    stride = draw_stride(rng, "walk", animal.hip, animal.step, animal.bend)
    rate = float(rng.choice([-1, 1])) * TURN_RATE / float(np.sqrt(animal.hip))
    parts = [Part("turn", float(rng.uniform(2, 5)) * stride.seconds, stride, 0.0, rate)]
    return [_stand(animal, rng), *parts, _stand(animal, rng), _go(animal, "walk", rng), _stand(animal, rng)]


def jumps(animal: Animal, rng: np.random.Generator) -> list[Part]:
    return [
        Part(
            "jump",
            _seconds(animal, 2.4, 3.5, rng),
            flight=_seconds(animal, 0.38, 0.55, rng),
            leap=float(rng.uniform(0.5, 1.6)) * animal.hip,
        )
        for _ in range(int(rng.integers(1, 3)))
    ]


def jump_and_walk(animal: Animal, rng: np.random.Generator) -> list[Part]:
    return [_stand(animal, rng), *jumps(animal, rng), _go(animal, "walk", rng), _stand(animal, rng)]


def back(animal: Animal, rng: np.random.Generator) -> list[Part]:
    stride = draw_stride(rng, "walk", animal.hip, 0.6 * animal.step, animal.bend)
    lf, rf, lh, rh = (-phase % 1.0 for phase in stride.phases)
    reverse = replace(stride, phases=(lf, rf, lh, rh))
    parts = [Part("backward", float(rng.uniform(4, 7)) * stride.seconds, reverse, -stride.speed)]
    return [_stand(animal, rng), *parts, _stand(animal, rng)]


def rest(animal: Animal, rng: np.random.Generator) -> list[Part]:
    postures = [Part(str(label), _seconds(animal, 2.5, 5.0, rng)) for label in rng.permutation(["sit", "lie"])]
    return [_stand(animal, rng), postures[0], _stand(animal, rng), postures[1], _stand(animal, rng)]


def idle(animal: Animal, rng: np.random.Generator) -> list[Part]:
    return [Part("stand", _seconds(animal, 6.0, 12.0, rng))]


def shuffle(animal: Animal, rng: np.random.Generator) -> list[Part]:
    """Stands for long, leans here and there, and now and then puts a foot elsewhere: three steps are no walk."""
    stands = [
        replace(_stand(animal, rng), shuffles=int(rng.integers(1, 4)), sway=float(rng.uniform(0.02, 0.08)) * animal.hip)
        for _ in range(int(rng.integers(2, 5)))
    ]
    return [_stand(animal, rng), *stands, _stand(animal, rng)]


def _dawdling(animal: Animal, rng: np.random.Generator, speed: float, yaw_rate: float) -> Part:
    """Two to five slow strides of uneven steps."""
    stride = draw_stride(rng, "walk", animal.hip, animal.step, animal.bend)
    slow = retimed(replace(stride, duty=float(rng.uniform(0.72, 0.82))), float(rng.uniform(1.2, 1.8)) * stride.seconds)
    label = "walk" if speed else "turn"
    seconds, unevenness = float(rng.uniform(2, 5)) * slow.seconds, float(rng.uniform(0.06, 0.15))
    return Part(label, seconds, slow, speed * slow.speed, yaw_rate, unevenness=unevenness * slow.seconds)


def dawdle(animal: Animal, rng: np.random.Generator) -> list[Part]:
    """Walks slowly and unevenly, here and there, with halts."""
    walks = [_dawdling(animal, rng, float(rng.uniform(0.5, 0.9)), 0.0) for _ in range(2)]
    rate = float(rng.choice([-1, 1])) * 0.7 * TURN_RATE / float(np.sqrt(animal.hip))
    return [_stand(animal, rng), walks[0], _stand(animal, rng), _dawdling(animal, rng, 0.0, rate), _stand(animal, rng),
            walks[1], _stand(animal, rng)]  # fmt: skip


def rounds(animal: Animal, rng: np.random.Generator) -> list[Part]:
    """Goes round a circle or a figure of eight in one gait, ahead or backward: it comes back to where it began."""
    go = back(animal, rng)[1] if rng.random() < 0.25 else _go(animal, _gaits_by_speed(animal, rng)[-1], rng)
    rate = float(rng.choice([-1, 1])) * float(rng.uniform(0.4, 0.7)) / float(np.sqrt(animal.hip))
    once = replace(go, seconds=2 * np.pi / abs(rate), yaw_rate=rate)
    return [once, replace(once, yaw_rate=-rate)] if rng.random() < 0.5 else [once]


PROGRAMMES: dict[str, Callable[[Animal, np.random.Generator], list[Part]]] = {
    "stroll": stroll,
    "speed_up": speed_up,
    "turns": turns,
    "turn_about": turn_about,
    "jumps": jumps,
    "jump_and_walk": jump_and_walk,
    "back": back,
    "rest": rest,
    "idle": idle,
}
UNEVEN_PROGRAMMES = {"shuffle": shuffle, "dawdle": dawdle}
UPRIGHT_ONLY = ("jumps", "jump_and_walk", "rest")
"""What an animal with sprawling legs does not do."""
