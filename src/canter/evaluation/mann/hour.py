"""The hour: random commands to any batch controller for an hour, and what came of each of them.

Commands are those of `improvise`; what is measured needs only takes, so the teacher is measured alike.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from canter.anatomy import Character, ground_track
from canter.control.batch import NO_ACTION, BatchCommand, BatchController
from canter.control.improvise import IDLE, LOCOMOTION, Repertoire
from canter.control.takes import Recorder, Take, Takes
from canter.motion import Motion
from canter.motion.arrays import Floats, Ints
from canter.neural.dataset import DataSet, clip_features, told_per_frame

COMMANDS = Repertoire(
    {IDLE: 14.0, LOCOMOTION: 52.0, "jump": 8.0},
    other_share=10.0,
    idle_seconds=(1.0, 6.0),
    hold_seconds=(1.0, 10.0),
    from_all_gaits=True,
    styles=0.0,
    around=0.5,
    around_speeds=(0.1, 0.6),
)
"""What is commanded: all speeds, headings, facings, actions and stops. It stays as it is when the teacher changes."""
GO_SECONDS, GO_SHARE = 2.0, 0.7
"""A command to go is obeyed if the animal has this share of the speed after so many seconds."""
LATE_SECONDS = 0.5
"""Out of an action it may take so much longer than the teacher does with the same commands."""
MIN_HOLD_SECONDS = 3.0
"""Holds that are told for less are not judged: the pose may not be reached yet."""
HOLD_RMS = 0.08
"""Hip heights of root mean square distance to the nearest held pose of the data within which a pose is held: 4 cm for a
dog."""
REFERENCE_FRAMES = 6000
"""Frames of the data that poses are compared with."""
AIRBORNE_SECONDS = 0.1
"""A jump leaves the ground if no foot is down for so long."""
FIFTHS = 5
EASED, SETTLING_SECONDS = "eased", 300.0
"""Telemetry of frames that were pulled back to the data; after so many seconds there should be none."""


@dataclass(frozen=True)
class Hour:
    """What came of an hour of commands: shares from 0 to 1, with how many there were; lengths in hip heights.

    `distance` is the median distance to the nearest pose of the data in each fifth of the time, `worst` the largest of
    all; `depth` is how far the lowest foot was below the ground. `eased` counts frames that were pulled back to the
    data after the first minutes, if the takes tell.
    """

    finite: bool
    go: tuple[float, int]
    out_of_action: tuple[float, int]
    held: tuple[float, int]
    jumps: tuple[float, int]
    distance: tuple[float, ...]
    worst: float
    depth: float
    eased: int


@dataclass(frozen=True)
class Told:
    """A stretch in which one label is told: frames from `start` to `end`, after which label."""

    label: int
    start: int
    end: int
    before: int


def stretches(label: Ints) -> Iterator[Told]:
    """The stretches of equal labels `(T,)`."""
    edges = np.concatenate([[0], np.flatnonzero(np.diff(label)) + 1, [len(label)]])
    for k, (a, b) in enumerate(itertools.pairwise(edges)):
        yield Told(int(label[a]), int(a), int(b), int(label[edges[k - 1]]) if k else 0)


class Poses:
    """Poses of a data set, to measure distances to: all, and those in which an action is held (the last third of those
    that are told for MIN_HOLD_SECONDS: in shorter ones an animal may still be on its way)."""

    def __init__(self, dataset: DataSet, seed: int = 0) -> None:
        random, joints = np.random.default_rng(seed), len(dataset.layout.body)
        self.joints, self.names, self.labels = joints, dataset.layout.body.names, dataset.layout.labels
        self._columns = slice(0, 3 * joints)
        label = np.asarray(dataset.arrays["label"])
        gait = np.asarray(dataset.arrays["gait"])
        self.all = self._some(dataset, random.permutation(len(dataset)))
        self.held: dict[str, Floats] = {}
        for number, name in enumerate(self.labels):
            if number < 2 or name not in dataset.gaits:
                continue
            shown = gait == dataset.gaits.index(name)
            least = MIN_HOLD_SECONDS * dataset.frame_rate
            settled = [s for s in stretches(np.where(label == number, 1, 0)) if s.label and s.end - s.start >= least]
            frames = np.concatenate(
                [np.arange((s.start + 2 * s.end) // 3, s.end) for s in settled] or [np.zeros(0, int)]
            )
            frames = frames[shown[frames]]
            if len(frames):
                self.held[name] = self._some(dataset, random.permutation(frames))

    def _some(self, dataset: DataSet, frames: Ints) -> Floats:
        some = np.sort(frames[:REFERENCE_FRAMES])
        return np.asarray(dataset.arrays["joints"][some])[:, self._columns].astype(np.float32)

    def of(self, motion: Motion, character: Character) -> Floats:
        """The places of the joints of a motion `(T, 3 J)`, seen from its ground track."""
        columns = [character.skeleton.names.index(name) for name in self.names]
        return clip_features(motion, character.anatomy, columns)["joints"][:, self._columns]

    def distance(self, places: Floats, to: Floats) -> Floats:
        """Root mean square distance `(T,)` in metres of poses `(T, 3 J)` to the nearest of `to (M, 3 J)`."""
        result = np.empty(len(places))
        square = (to**2).sum(axis=1)
        for a in range(0, len(places), 1024):
            part = places[a : a + 1024]
            gap = (part**2).sum(axis=1)[:, None] + square - 2 * part @ to.T
            result[a : a + 1024] = np.sqrt(np.maximum(gap.min(axis=1), 0.0) / self.joints)
        return result


def same_commands(batch: BatchController, takes: Takes) -> Takes:
    """What another controller, with as many animals as there are takes, makes of the commands of takes."""
    can, recorder = batch.capabilities.actions, Recorder(batch.character, takes.actions)
    number = np.array([*(can.index(name) if name in can else NO_ACTION for name in takes.actions), NO_ACTION])
    told = {
        name: np.stack([take.commands[name] for take in takes.takes], axis=1) for name in ("speed", "heading", "facing")
    }
    actions = number[np.stack([take.action for take in takes.takes], axis=1)]
    batch.reset()
    for k in range(len(actions)):
        command = BatchCommand(told["speed"][k], told["heading"][k], told["facing"][k], actions[k], {})
        recorder.record(command, batch.step(command))
    return recorder.takes(batch.frame_rate, [take.labels for take in takes.takes])


def judge(takes: Takes, poses: Poses, jumps: Sequence[str], teacher: Takes | None = None) -> Hour:
    """What came of the commands of takes; of those to go out of an action beside what the `teacher` made of the same
    commands. Without one, they are judged like all others."""
    character, labels = takes.character, poses.labels
    height = character.anatomy.hip_height
    goes: list[bool] = []
    out: list[bool] = []
    held: list[bool] = []
    flown: list[bool] = []
    distances: list[list[Floats]] = [[] for _ in range(FIFTHS)]
    worst = depth = 0.0
    eased, finite = 0, True
    for take, taught in zip(takes.takes, teacher.takes if teacher else takes.takes, strict=True):
        if not (np.isfinite(take.motion.positions).all() and np.isfinite(take.motion.rotations).all()):
            finite = False
            continue
        rate = take.motion.frame_rate
        places = poses.of(take.motion, character)
        speed, teaching = _speed(take, character), _speed(taught, character)
        label = told_per_frame(take, labels)
        for told in stretches(label):
            name, seconds = labels[told.label], (told.end - told.start) / rate
            if name == LOCOMOTION:
                commands = list(_commands(take, told))
                if told.before >= 2 and teacher is not None and commands:
                    out.extend(_in_time(speed, teaching, *commands.pop(0), rate))
                (goes if told.before < 2 or teacher is not None else out).extend(_obeyed(speed, commands, rate))
            elif name in jumps:
                flown.append(_flies(take, told))
            elif name in poses.held and seconds >= MIN_HOLD_SECONDS:
                last = places[told.end - 1 : told.end]
                held.append(bool(poses.distance(last, poses.held[name])[0] < HOLD_RMS * height))
        some = places[:: max(round(rate / 2), 1)]
        near = poses.distance(some, poses.all) / height
        worst = max(worst, float(near.max()))
        for k, part in enumerate(np.array_split(near, FIFTHS)):
            distances[k].append(part)
        feet = take.motion.position_world[:, character.anatomy.feet, 1]
        depth = max(depth, float(-feet.min() / height))
        if EASED in take.telemetry:
            eased += int(np.count_nonzero(take.telemetry[EASED][round(SETTLING_SECONDS * rate) :]))
    fifths = tuple(float(np.median(np.concatenate(part))) for part in distances if part)
    return Hour(finite, _share(goes), _share(out), _share(held), _share(flown), fifths, worst, depth, eased)


def _share(found: Sequence[bool]) -> tuple[float, int]:
    return (float(np.mean(found)) if found else 1.0), len(found)


def _speed(take: Take, character: Character) -> Floats:
    track = ground_track(take.motion, character.anatomy)
    speed: Floats = np.linalg.norm(np.gradient(track.positions, axis=0), axis=-1) * take.motion.frame_rate
    return speed


def _commands(take: Take, told: Told) -> Iterator[tuple[int, int, float]]:
    """The commands to go in a stretch of locomotion: first frame, frame after the last, and the speed in m/s."""
    wanted = take.commands["speed"]
    edges = [told.start, *(told.start + 1 + np.flatnonzero(np.diff(wanted[told.start : told.end]))), told.end]
    for start, end in itertools.pairwise(edges):
        if wanted[start] > 0:
            yield int(start), int(end), float(wanted[start])


def _obeyed(speed: Floats, commands: Sequence[tuple[int, int, float]], rate: float) -> Iterator[bool]:
    """For every command that lasts long enough, whether its speed is reached in time."""
    wait = round(GO_SECONDS * rate)
    for start, end, wanted in commands:
        if end - start > wait:
            yield bool(speed[start + wait] > GO_SHARE * wanted)


def _in_time(speed: Floats, teaching: Floats, start: int, end: int, wanted: float, rate: float) -> Iterator[bool]:
    """Whether a speed is reached not much later than by the teacher, if that one reaches it and there is time."""
    reached = np.flatnonzero(teaching[start:end] > GO_SHARE * wanted)
    if len(reached) and reached[0] + round(LATE_SECONDS * rate) < end - start:
        latest = start + int(reached[0]) + round(LATE_SECONDS * rate)
        yield bool((speed[start : latest + 1] > GO_SHARE * wanted).any())


def _flies(take: Take, told: Told) -> bool:
    """Whether all feet are off the ground long enough while, or shortly after, a jump is told."""
    rate = take.motion.frame_rate
    off = ~take.contacts[told.start : told.end + round(rate)].any(axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], off, [False]])))
    longest = max((b - a for a, b in zip(edges[::2], edges[1::2], strict=True)), default=0)
    return longest >= AIRBORNE_SECONDS * rate
