"""How soon an animal heeds a command: of the preset `gaits` against its goals, of the papers' presets beside it.

Every answer is compared with a ride that goes on under the old command, so that what a stride does anyway is no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass

import numpy as np

from canter.anatomy import Character
from canter.control.batch import Single
from canter.control.command import Command
from canter.control.state import State
from canter.cycles.gaits.batch import BatchGaits
from canter.cycles.gaits.root import MAX_ACCELERATION_G
from canter.cycles.papers.huang import BatchHuang
from canter.cycles.papers.paper import Paper
from canter.cycles.papers.sung import BatchSung
from canter.evaluation.cycles.figures import RATE, Ride, ride
from canter.evaluation.report import Row, at_most
from canter.motion.arrays import Bools, Floats, Ints

PHASES = 4
"""Phases of a stride at which the command changes."""
SHARES = (0.25, 0.75)
"""Where in its gait's range of speeds an animal goes before and after."""
NEAR = (0.375, 0.625)
"""The same for a change that legs can make in a stride; a gallop's range is wider than that."""
TURN = np.pi / 3
CASES = {
    "stays slow": ("slow", "slow", 0.0),
    "stays fast": ("fast", "fast", 0.0),
    "faster": ("slow", "fast", 0.0),
    "slower": ("fast", "slow", 0.0),
    "turns": ("slow", "slow", TURN),
}
"""Speeds before and after, and the heading after."""
SEEN = 1e-4
"""The share of a commanded change from which it counts as answered: small, so that the first frame that moves at all
is found; rounding is far below."""
ARRIVED = 0.05
"""The share of a change of speed that may be left."""
SETTLE, WATCH = 4.0, 3.0
"""Strides before and after the change."""
PRESETS: dict[str, tuple[Callable[[Character], Paper], str]] = {
    "sung": (BatchSung, "up to one cycle"),
    "huang": (BatchHuang, "2.5 cycles for a gait"),
}


# Ours --------------------------------------------------------------------------------------------


def response_rows(character: Character, quick: bool = False) -> Iterator[Row]:
    """Frames until speed and heading change, and strides until a new speed in the same gait is reached."""
    batch = BatchGaits(character, PHASES * len(CASES))
    gaits = sorted((*batch.choice.ahead, *batch.choice.others), key=lambda k: batch.choice.ranges[k][0])
    gaits = gaits[::2] if quick else gaits
    speeds, headings = [], []
    near: list[tuple[float, str]] = []
    far: list[tuple[float, str]] = []
    for gait in gaits:
        made = _answers(batch, gait, SHARES)
        speeds.append(max(made["faster"].speed, made["slower"].speed))
        headings.append(made["turns"].heading)
        for answers, found in ((_answers(batch, gait, NEAR), near), (made, far)):
            found.append((max(answers["faster"].arrived, answers["slower"].arrived), batch.names[gait]))
    title = f"{character.name}: {len(gaits)} gaits from {PHASES} phases"
    yield at_most(f"{title}: frames until the speed begins to change", max(speeds), 1.0)
    yield at_most(f"{title}: frames until the heading begins to change", max(headings), 1.0)
    latest, where = max(near)
    yield at_most(f"{title}: strides until a speed a quarter of the gait's range away ({where})", latest, 1.0)
    latest, where = max(far)
    goal = f"none; at {MAX_ACCELERATION_G:g} g at the most"
    yield Row(f"{title}: strides until a speed half of the gait's range away ({where})", latest, "", goal)


@dataclass(frozen=True)
class Answer:
    """Frames until speed and heading are others than without the command, and strides until the speed is the new one;
    the worst of all phases."""

    speed: float
    heading: float
    arrived: float


def _answers(batch: BatchGaits, gait: int, shares: tuple[float, float]) -> dict[str, Answer]:
    """What becomes of each case in a gait: all cases and phases go in one batch."""
    low, high = batch.choice.ranges[gait]
    at = {"slow": low + shares[0] * (high - low), "fast": low + shares[1] * (high - low)}
    before, after, turn = (np.repeat(np.array(column), PHASES) for column in zip(*CASES.values(), strict=True))
    speeds = np.array([[at[name] for name in names] for names in (before, after)])
    seconds = 1 / batch.strides.laws.frequencies(speeds.ravel())[:, gait].reshape(speeds.shape)
    settle = int(RATE * (SETTLE * seconds[0].max() + 1))
    told = settle + np.round(np.tile(np.arange(PHASES) / PHASES, len(CASES)) * seconds[0] * RATE).astype(int)
    free, asked = np.full(batch.count, np.nan), np.full(batch.count, gait)

    def orders(frame: int) -> tuple[Floats, Floats, Floats, Ints]:
        new = frame >= told
        return np.where(new, speeds[1], speeds[0]), np.where(new, turn, 0.0), free, asked

    batch.reset()
    made = ride(batch, int(told.max() + RATE * WATCH * seconds.max()), orders)
    result, rows = {}, {name: slice(k * PHASES, (k + 1) * PHASES) for k, name in enumerate(CASES)}
    for name, mine in rows.items():
        kept = rows[f"stays {CASES[name][0]}"]
        speed, change = _speeds(made), float(np.abs(speeds[1] - speeds[0])[mine].max())
        left = np.abs(speed[:, mine] - speeds[1, mine]) > ARRIVED * change
        result[name] = Answer(
            _first(np.abs(speed[:, mine] - speed[:, kept]) > SEEN * change, told[mine]),
            _first(np.abs(made.yaw[:, mine] - made.yaw[:, kept]) > SEEN * TURN, told[mine]),
            _last(left, told[mine]) / RATE / float(seconds[:, mine].mean()),
        )
    return result


def _speeds(made: Ride) -> Floats:
    """Metres a second over ground in each frame `(T, N)`."""
    steps = np.abs(np.diff(made.place, axis=0)) * RATE
    result: Floats = np.concatenate([steps[:1], steps])
    return result


def _first(seen: Bools, told: Ints) -> float:
    """Frames from that of the command to the first in which something is seen: 1 for the very next; the worst."""
    late = [np.flatnonzero(seen[first:, n]) for n, first in enumerate(told)]
    return max(float(x[0]) + 1 if len(x) else np.inf for x in late)


def _last(left: Bools, told: Ints) -> float:
    """Frames from that of the command until nothing is left any more; the worst."""
    late = [np.flatnonzero(left[first:, n]) for n, first in enumerate(told)]
    return max(float(x[-1]) + 1 if len(x) else 0.0 for x in late)


# The papers' -------------------------------------------------------------------------------------


def delay_rows(preset: str, character: Character, quick: bool = False) -> Iterator[Row]:
    """Strides until a preset answers to a new speed, heading and gait, the worst of some gaits and phases."""
    make, paper = PRESETS[preset]
    controller = Single(make(character))
    names = list(controller.capabilities.gaits)
    phases = 2 if quick else PHASES
    worst = {"speed": 0.0, "heading": 0.0, "gait": 0.0}
    for k in range(0, 1 if quick else len(names), max(len(names) // 3, 1)):
        name, other = names[k], names[k + 1] if k + 1 < len(names) else names[k - 1]
        ranges = [controller.capabilities.gaits[one] for one in (name, other)]
        slow, fast = (ranges[0][0] + share * (ranges[0][1] - ranges[0][0]) for share in SHARES)
        cycles = controller.batch.library.cycles
        middle = next(cycle.speed for cycle in cycles if cycle.name == other)
        stride = 1 / float(controller.batch.laws.frequencies(np.array([slow]))[0, k])
        commands = {"speed": Command(speed=fast), "heading": Command(speed=slow, heading=TURN)}
        commands["gait"] = Command(speed=middle)
        found = _delays(controller, Command(speed=slow), commands, stride, phases)
        worst = {kind: max(worst[kind], found[kind]) for kind in worst}
    for kind, strides in worst.items():
        title = f"{preset}, {character.name}: strides until a new {kind} shows, worst of {phases} phases"
        yield Row(title, strides, "", f"none; paper: {paper}; gaits: the next frame")


def _delays(
    controller: Single[Paper], old: Command, new: dict[str, Command], stride: float, phases: int
) -> dict[str, float]:
    """Strides until each of the new commands shows, the worst of some phases of the old one's stride."""
    controller.reset()
    for _ in range(round(RATE * SETTLE * max(stride, 1.0))):
        controller.step(old)
    worst = dict.fromkeys(new, 0.0)
    for _ in range(phases):
        for _ in range(max(round(RATE * stride / phases), 1)):
            controller.step(old)
        kept, told = _copy(controller), {kind: _copy(controller) for kind in new}
        found: dict[str, float] = {}
        for frame in range(round(RATE * WATCH * stride)):
            state = kept.step(old)
            for kind in set(new) - set(found):
                if _differs(state, told[kind].step(new[kind]), old, new[kind]) or _mixes(kept, told[kind]):
                    found[kind] = (frame + 1) / RATE / stride
            if len(found) == len(new):
                break
        worst = {kind: max(worst[kind], found.get(kind, np.inf)) for kind in new}
    return worst


def _copy(controller: Single[Paper]) -> Single[Paper]:
    """The controller as it is now; what never changes is shared."""
    paper = controller.batch
    return deepcopy(controller, {id(x): x for x in (paper.library, paper.laws, paper.capabilities)})


def _differs(a: State, b: State, old: Command, new: Command) -> bool:
    """Whether states differ by more than a little of what was asked for."""
    speed, turn = abs(new.speed - old.speed), abs(new.heading - old.heading)
    faster = speed > 0 and abs(a.speed - b.speed) > SEEN * speed
    return faster or (turn > 0 and abs(np.angle(np.exp(1j * (a.facing - b.facing)))) > SEEN * turn)


def _mixes(a: Single[Paper], b: Single[Paper]) -> bool:
    return bool((a.batch.timing.weights != b.batch.timing.weights).any())
