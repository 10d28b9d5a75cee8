"""Unstructured motion such as a capture session would give: random commands to any batch controller.

Every animal of the batch goes its own way in bouts: it speeds up through the gaits, turns, backs, steps aside, rests
and performs what its controller can. Which bout comes next is drawn from what is still missing from the shares of a
`Repertoire`: those of a capture session (Table 1 of MANN, Zhang et al. 2018), or those that teach a network best.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

from canter.anatomy import Character
from canter.control.batch import NO_ACTION, BatchCommand, BatchController, BatchState
from canter.control.contract import Capabilities
from canter.control.registry import find, make_batch
from canter.control.takes import Recorder, Takes
from canter.control.trajectory import wrap_angles
from canter.formats.labels import labels_of
from canter.motion.arrays import Floats, Ints
from canter.motion.constants import GRAVITY
from canter.motion.numbers import array_of, functions_of, number_or_array

IDLE, LOCOMOTION = "idle", "locomotion"
DISTURBED = "disturbed"
"""A label of frames in which an animal goes in a gait that its command does not ask for: what it does then is no
example, what it does afterwards is."""
SHARES = {IDLE: 1614.37, LOCOMOTION: 1828.70, "jump": 30.27, "sit": 497.93, "lie": 397.13, "upright": 64.83}
"""Seconds of each label in MANN's Table 1. Its `stand` is a dog upright on its hind legs."""
ALIKE = {"leap": "jump"}
"""Actions that have as large a share as another."""


@dataclass(frozen=True)
class Repertoire:
    """What is improvised: how long each label is shown, relative to the others (actions that `shares` does not name are
    never asked for, unless `other_share` gives them one), and for how many seconds, from and to.

    With `from_all_gaits`, actions are asked for out of every gait and left into every gait, and locomotion begins and
    ends in any gait; without, an animal walks before it performs, rests afterwards, and climbs through its gaits.
    `styles` says how often it goes in gaits that it does not take by itself, `around` how often back, aside or around
    on the spot, `around_speeds` from and to which share of its greatest speeds back and aside, `around_spans` at how
    many speeds in turn. `circling` says how often it goes on turning while it goes ahead, `disturbed` how often it is
    made to go ahead in the gait next to the one that suits its speed, beyond its range by `OVERDONE` at most, and let
    go. `options` are those of the controller, where it has them.
    """

    shares: Mapping[str, float]
    other_share: float = 0.0
    idle_seconds: tuple[float, float] = (3.0, 10.0)
    hold_seconds: tuple[float, float] = (3.0, 20.0)
    gait_seconds: tuple[float, float] = (1.2, 4.0)
    from_all_gaits: bool = False
    styles: float = 0.1
    around: float = 0.24
    around_speeds: tuple[float, float] = (0.3, 0.6)
    around_spans: int = 1
    circling: float = 0.0
    disturbed: float = 0.0
    options: Mapping[str, Any] = field(default_factory=dict)

    def share(self, action: str) -> float:
        """How long an action should be shown; one that is called like idling is not asked for."""
        name = action.lower()
        return (
            0.0 if name == IDLE else self.shares.get(action, self.shares.get(ALIKE.get(name, name), self.other_share))
        )


OVERDONE = 0.4
"""By what share of its slowest or fastest speed a gait is overdone when an animal is disturbed."""
CIRCLE_G, CIRCLE_SHARE = 0.3, 0.5
"""The sideways acceleration in g, and the share of its greatest yaw rate, that an animal circles with at most."""
DISTURBANCES = 3
"""How often an animal is disturbed in a bout."""
SESSION = Repertoire(SHARES)
"""As a capture session: much idling, few jumps."""
TEACHING = Repertoire(
    {IDLE: 10.0, LOCOMOTION: 120.0, "jump": 14.0},
    other_share=22.0,
    idle_seconds=(1.0, 6.0),
    hold_seconds=(1.0, 10.0),
    from_all_gaits=True,
    styles=0.0,
    around=0.35,
    around_speeds=(0.1, 0.6),
    around_spans=3,
    circling=0.4,
    disturbed=0.6,
    options={"one_lead": True, "overdone": OVERDONE},
)
"""What a network learns most from: every action often and out of every gait, as much gallop as walk, no gaits that
share their speeds with others, and one lead only: of two a network learns the mean, which is a bound. It is shown how
a gait that does not suit the speed is left, since it will come to go in one."""
MAX_BATCH = 32
"""Animals that are stepped together."""
TAKE_SECONDS = 60.0
"""Seconds of a take, where that leaves more than one."""
ACTION_SECONDS = 10.0
"""How long an action is taken to last before it was seen."""
PATIENCE_SECONDS = 20.0
"""Seconds in which an animal that is told to perform has come to rest and begun."""
MAX_MINUTES = 24 * 60.0
STILL_SPEED, STILL_YAW_RATE = 0.02, 0.05
"""Shares of its greatest speed, and radians a second, below which an animal idles."""
MIN_TURN = 0.1
"""Radians off its facing beyond which an animal that is told to face elsewhere is told to turn."""

Progress = Callable[[int, int], None]


class Span(NamedTuple):
    """What an animal is told for some seconds; the facing is NaN where it is free. An `action` is told until it was
    shown for so many seconds, or has ended. The heading goes on by `turn` radians a second."""

    seconds: float
    speed: float
    heading: float
    facing: float = math.nan
    action: int = NO_ACTION
    style: str = ""
    disturbed: bool = False
    turn: float = 0.0


def improvise(
    character: Character,
    minutes: float = 30.0,
    seed: int = 0,
    *,
    controller: str = "gaits",
    frame_rate: float = 60.0,
    repertoire: Repertoire = SESSION,
    take_seconds: float = TAKE_SECONDS,
    telemetry: Iterable[str] = (),
    progress: Progress = lambda *_: None,
) -> Takes:
    """So many minutes of a character that does as it likes; the same seed gives the same frames.

    Labels are what the animal is told: `idle`, `locomotion` or an action, from the frame of the command on. What it
    shows is the gait of each frame.
    """
    if not (math.isfinite(minutes) and 0 < minutes <= MAX_MINUTES):
        raise ValueError(f"minutes must be above 0 and at most {MAX_MINUTES:g}, not {minutes}")
    if seed < 0:
        raise ValueError(f"seed must be a whole number from 0, not {seed}")
    count = int(np.clip(minutes * 60 / take_seconds, 1, MAX_BATCH))
    known = signature(find("controller", controller).resolve()).parameters
    options = {name: value for name, value in repertoire.options.items() if name in known}
    batch = make_batch(controller, character, count, frame_rate=frame_rate, **options)
    frames = math.ceil(minutes * 60 * batch.frame_rate / count)
    takes = improvised(batch, frames, seed, repertoire, tuple(telemetry), progress)
    provenance = {"made_by": "improvise", "controller": controller, "seed": seed, "minutes": minutes}
    return Takes(takes.character, takes.takes, takes.gaits, takes.actions, provenance)


def improvised(
    batch: BatchController,
    frames: int,
    seed: int = 0,
    repertoire: Repertoire = SESSION,
    telemetry: tuple[str, ...] = (),
    progress: Progress = lambda *_: None,
) -> Takes:
    """The same with any batch controller, for so many frames of each animal."""
    can = batch.capabilities
    names = (IDLE, LOCOMOTION, *can.actions)
    shares = repertoire.shares
    rests = [shares.get(IDLE, 0.0), shares.get(LOCOMOTION, 0.0)]
    wanted = np.array([*rests, *(repertoire.share(name) for name in can.actions)])
    if not wanted[:2].sum() > 0:
        raise ValueError(f"shares need {IDLE} or {LOCOMOTION}; they name {', '.join(shares)}")
    wanted = wanted / wanted.sum()
    recorder = Recorder(batch.character, can.actions, telemetry)
    animals = [
        Improviser(can, repertoire, np.random.default_rng([seed, k]), batch.frame_rate) for k in range(batch.count)
    ]
    told = np.zeros((frames, batch.count), np.int64)
    disturbed = np.zeros((frames, batch.count), np.int64)
    done = np.zeros(len(names))
    state = batch.reset(seed)
    numbers = _numbers(state.gait_names, can)
    facing = state.facing
    for frame in range(frames):
        rest = wanted * max(frame, 1) * batch.count - done
        spans = [animal.next(rest) for animal in animals]
        command = _command(spans, can)
        state = batch.step(command)
        turn = np.abs(np.angle(np.exp(1j * (state.facing - facing)))) * batch.frame_rate
        facing = state.facing
        shown = _shown(state, numbers, turn, can)
        done += np.bincount(shown, minlength=len(names))
        finished = state.events.get("finished", np.zeros(batch.count, bool))
        for k, animal in enumerate(animals):
            animal.see(int(shown[k]) - 2, bool(finished[k]), float(facing[k]))
        told[frame] = told_labels(command, facing)
        disturbed[frame] = [span.disturbed for span in spans]
        recorder.record(command, state)
        progress(frame + 1, frames)
    labels = []
    for k in range(batch.count):
        strange = labels_of(("", DISTURBED), disturbed[:, k], batch.frame_rate)
        labels.append(labels_of(names, told[:, k], batch.frame_rate) + tuple(one for one in strange if one.name))
    return recorder.takes(batch.frame_rate, labels, "improvised")


def told_labels(command: BatchCommand, facing: Floats) -> Ints:
    """What animals `(N,)` with such facings are told: 0 to idle, 1 to go or to turn, 2 and more are actions."""
    speed, wanted, action, yaw = map(number_or_array, (command.speed, command.facing, command.action, facing))
    fn, faces = functions_of(speed), abs(wanted - yaw) < math.inf  # neither is NaN
    turns = faces & (abs(wrap_angles(fn.where(faces, wanted - yaw, 0.0))) > MIN_TURN)
    told: Ints = array_of(fn.where(action != NO_ACTION, action + 2, 1 * ((speed > 0) | turns)))
    return told


def _numbers(gait_names: tuple[str, ...], can: Capabilities) -> Ints:
    """The label of each gait: -1 for a cycle that may be a stand, 1 for a gait, 2 and more for actions."""
    actions = {name: 2 + k if name.lower() != IDLE else 0 for k, name in enumerate(can.actions)}
    return np.array([actions.get(name, 1 if name in can.gaits else -1) for name in gait_names])


def _shown(state: BatchState, numbers: Ints, turn: Floats, can: Capabilities) -> Ints:
    """What each animal shows: a number of the labels."""
    label = numbers[state.gait]
    speed = np.linalg.norm(state.velocity_world, axis=-1)
    still = (speed < STILL_SPEED * can.speed_range[1]) & (turn < STILL_YAW_RATE)
    return np.where(label >= 0, label, np.where(still, 0, 1))


def _command(spans: list[Span], can: Capabilities) -> BatchCommand:
    speed, heading, facing = (np.array([span[k] for span in spans]) for k in (1, 2, 3))
    action = np.array([span.action for span in spans])
    names = {span.style for span in spans} - {""}
    style = {name: np.array([float(span.style == name) for span in spans]) for name in names}
    return BatchCommand(speed, heading, facing, action, style)


class Improviser:
    """One animal: a queue of spans, filled with another bout whenever it is empty."""

    def __init__(
        self, can: Capabilities, repertoire: Repertoire, random: np.random.Generator, frame_rate: float
    ) -> None:
        self._can, self._repertoire, self._random, self._frame_rate = can, repertoire, random, frame_rate
        styles = {style.name for style in can.styles}
        own = sorted((span, name) for name, span in can.gaits.items() if name not in styles)
        self._ladder = [span for span, _ in own] or [can.speed_range]
        self._names = [name for _, name in own]
        self._rare = sorted((span, name) for name, span in can.gaits.items() if name in styles)
        self._queue: deque[Span] = deque()
        self._left, self._patience, self._heading, self._turned = 0.0, 0.0, 0.0, 0.0
        self._bout_seconds = np.array([6.5, 12.0, *[ACTION_SECONDS] * len(can.actions)])
        self._span, self._shown_for = Span(0.0, 0.0, 0.0), 0.0

    def next(self, rest: Floats) -> Span:
        """What it is told in this frame; `rest` is how many frames of each label are still missing."""
        if self._left <= 0:
            if not self._queue:
                self._queue.extend(self._bout(rest))
                self._turned = 0.0
            told = self._queue.popleft()
            self._span = told._replace(heading=told.heading + self._turned, facing=told.facing + self._turned)
            self._left, self._patience = self._span.seconds, PATIENCE_SECONDS
        return self._span

    def see(self, action: int, finished: bool, facing: float) -> None:
        """What it did in this frame: the action that it shows (negative for none), and whether that has ended."""
        told, turn = self._span.action, self._span.turn / self._frame_rate
        self._turned += turn
        self._span = self._span._replace(heading=self._span.heading + turn)
        if action >= 0:
            seen = self._bout_seconds[2 + action] = self._shown_for = self._shown_for + 1 / self._frame_rate
            self._bout_seconds[2 + action] = max(seen, 0.5)
        else:
            self._shown_for = 0.0
        if told == NO_ACTION or action == told:
            self._left -= 1 / self._frame_rate
        else:
            self._patience -= 1 / self._frame_rate
        if told != NO_ACTION and (finished or self._patience <= 0):
            self._left = 0.0
        if self._left <= 0 and not self._queue:
            self._heading = facing

    def _bout(self, rest: Floats) -> list[Span]:
        """Some spans of what is missing most, with a little chance."""
        bouts = np.maximum(rest, 0.0) / (self._frame_rate * self._bout_seconds)
        kind = int(self._random.choice(len(rest), p=bouts / bouts.sum())) if bouts.sum() > 0 else 1
        if kind == 0:
            return [Span(self._random.uniform(*self._repertoire.idle_seconds), 0.0, self._heading)]
        if kind == 1:
            return self._going()
        return self._performing(kind - 2, 1.0 + rest[kind] / self._frame_rate)

    def _performing(self, action: int, most: float) -> list[Span]:
        """On the way, an action for so many seconds at `most`, and what comes after it."""
        random, anywhere = self._random, self._repertoire.from_all_gaits
        self._heading += random.normal(0, 0.8)
        speed = self._any_speed() if anywhere else random.uniform(*self._ladder[0])
        way = Span(random.uniform(1.5, 4.0), speed, self._heading, turn=self._circle(speed))
        low, high = self._repertoire.hold_seconds
        held = low * (high / low) ** random.random()  # short holds more often than long ones
        if not anywhere:
            act = Span(min(held, most), 0.0, self._heading, action=action)
            return [way, act, Span(random.uniform(0.5, 2.0), 0.0, self._heading)]
        act = Span(held, speed, self._heading, action=action)  # a jump keeps its speed, other actions halt anyway
        after = self._heading + random.normal(0, 1.1)
        if random.random() < 0.4:
            return [way, act, Span(random.uniform(0.5, 2.0), 0.0, self._heading)]
        length, speed = random.uniform(1.2, 4.0), self._any_speed()
        return [way, act, Span(length, speed, after, turn=self._circle(speed))]

    def _any_speed(self) -> float:
        """A speed of any gait, each as often, or none."""
        rung = int(self._random.integers(-1, len(self._ladder)))
        return 0.0 if rung < 0 else self._random.uniform(*self._ladder[rung])

    def _going(self) -> list[Span]:
        """Mostly ahead, at times in a rarer gait, back, aside or around on the spot."""
        can, random, heading = self._can, self._random, self._heading
        rare, around = self._repertoire.styles, self._repertoire.around / 3
        kinds = ["ahead", "rare", "back", "aside", "around"]
        kind = random.choice(kinds, p=[1 - rare - 3 * around, rare, around, around, around])
        if kind == "rare" and self._rare:
            (low, high), style = self._rare[int(random.integers(len(self._rare)))]
            speed, turned = random.uniform(low, high), heading + random.normal(0, 0.6)
            return [
                Span(random.uniform(2, 5), speed, heading, style=style),
                Span(3.0, speed, turned, style=style),
            ]
        if "facing" in can.honours and kind == "back" and can.back_speed > 0:
            return self._around(can.back_speed, heading + math.pi, heading)
        if "facing" in can.honours and kind == "aside" and can.side_speed > 0:
            return self._around(can.side_speed, heading + random.choice([-1, 1]) * math.pi / 2, heading)
        if "facing" in can.honours and kind == "around":
            turned = heading + random.choice([-1, 1]) * random.uniform(0.5, 2.5)
            return [Span(random.uniform(2, 4), 0.0, turned, turned)]
        if len(self._names) > 1 and self._repertoire.disturbed > 0 and random.random() < self._repertoire.disturbed:
            return self._disturbed(heading)
        return self._ahead(heading)

    def _around(self, most: float, heading: float, facing: float) -> list[Span]:
        """Back or aside, at some speeds up to a share of the `most` that can be done."""
        low, high = self._repertoire.around_speeds
        random, count = self._random, self._repertoire.around_spans
        return [Span(random.uniform(1.5, 4), most * random.uniform(low, high), heading, facing) for _ in range(count)]

    def _disturbed(self, heading: float) -> list[Span]:
        """Into gaits that do not suit the speed, and out of them again at the same speed."""
        random, spans, top = self._random, [], len(self._ladder) - 1
        for _ in range(DISTURBANCES):
            rung = int(random.integers(top + 1))
            other = rung + (1 if rung == 0 else -1 if rung == top else int(random.choice([-1, 1])))
            (low, high), (slowest, fastest) = self._ladder[rung], self._ladder[other]
            speed = random.uniform(max(low, slowest * (1 - OVERDONE)), min(high, fastest * (1 + OVERDONE)))
            style = self._names[other]
            spans.append(Span(random.uniform(0.6, 1.5), random.uniform(slowest, fastest), heading))
            spans.append(Span(random.uniform(0.6, 1.6), speed, heading, style=style, disturbed=True))
            heading += random.normal(0, 0.6) if random.random() < 0.5 else 0.0
            spans.append(Span(random.uniform(1.0, 3.0), speed, heading, turn=self._circle(speed)))
        return spans

    def _circle(self, speed: float) -> float:
        """Radians a second by which a heading goes on at a speed: none, or at times as many as are easily done."""
        if self._repertoire.circling == 0 or self._random.random() >= self._repertoire.circling:
            return 0.0
        if speed == 0:
            return 0.0
        most = min(CIRCLE_SHARE * self._can.turn_rate, CIRCLE_G * GRAVITY / speed)
        return float(self._random.choice([-1, 1]) * self._random.uniform(0.1, 1.0) * most)

    def _ahead(self, heading: float) -> list[Span]:
        """From the slowest gait, or from any, up and down through the others, with turns both ways."""
        random, spans, top = self._random, [], len(self._ladder) - 1
        anywhere, seconds = self._repertoire.from_all_gaits, self._repertoire.gait_seconds
        rung = int(random.integers(top + 1)) if anywhere else 0
        for _ in range(int(random.integers(2, 7))):
            length, speed = random.uniform(*seconds), random.uniform(*self._ladder[rung])
            spans.append(Span(length, speed, heading, turn=self._circle(speed)))
            rung = int(np.clip(rung + random.choice([-1, 0, 1, 1]), 0, top))
            if anywhere and random.random() < 0.2:
                rung = int(random.integers(top + 1))
            heading += random.normal(0, 1.1) if random.random() < 0.75 else 0.0
        if not anywhere and rung > 0 and random.random() < 0.7:
            spans.append(Span(random.uniform(1.0, 2.5), random.uniform(*self._ladder[0]), heading))
        return spans
