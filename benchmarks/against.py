"""What a frame of the preset `gaits` costs against another version of canter, on hills against level ground, and with
animals that jump or sit against the same batch without them.

    python benchmarks/against.py /path/to/a/checkout
    python benchmarks/against.py v0.1.0

Both versions run in processes of their own, on one thread each, and take turns of a few frames, so that whatever else
the machine does meets both alike. Times are processor time of a frame. Leaves with 1 when a goal is missed.
"""

from __future__ import annotations

import argparse
import importlib
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

HERE = Path(__file__).resolve().parent.parent
KINDS = ("horse", "dog", "turtle")
COUNT, ACTING = 256, 26
"""Animals of a batch, and those of them that act."""
TURN, WARM_UP = 5, 60
"""Frames of a turn, and frames before anything is measured."""
FRAMES, BATCH_FRAMES, RIDES = 1200, 400, 5
"""Measured frames of one animal and of a batch; rides of a batch in which animals act, each with a new batch."""
ONE_GOAL, BATCH_GOAL, HILL_GOAL, ACTION_GOAL = 0.70, 0.75, 1.10, 1.50
FALLEN_OUT = 3600.0
"""Seconds in which a version that hangs is given up."""


class Ride(NamedTuple):
    """What is stepped: `count` animals of a kind, one by its own controller; the action that a tenth of a batch
    begins, all in the same frame; whether the ground is hilly."""

    kind: str
    count: int = 1
    action: str = ""
    hills: bool = False


# The side that is measured: a process of its own, which knows the names of both versions -----------------------------


def serve() -> None:
    """Answers requests on standard input, one a line: [name, ride] makes a ride, [name, frames] goes on with it and
    answers with the seconds of each frame."""
    rides: dict[str, Iterator[float]] = {}
    for line in sys.stdin:
        name, told = json.loads(line)
        if isinstance(told, int):
            answer = [next(rides[name]) for _ in range(told)]
        else:
            rides[name] = ride(Ride(*told))
            answer = []
        print(json.dumps(answer), flush=True)


def ride(told: Ride) -> Iterator[float]:
    """The processor time of each frame, in seconds, for ever."""
    step = one_animal(told) if told.count == 1 else batch(told)
    frame = 0
    while True:
        work = step(frame)
        start = time.process_time()
        work()
        yield time.process_time() - start
        frame += 1


def world_of(told: Ride) -> Any:
    from canter.control.world import World

    return World.rolling() if told.hills else None


def one_animal(told: Ride) -> Callable[[int], Callable[[], object]]:
    """One animal whose speed and heading change now and then."""
    from canter import Command, load

    controller = load(told.kind).controller("gaits", world=world_of(told))
    top = controller.capabilities.speed_range[1]

    def step(frame: int) -> Callable[[], object]:
        command = Command(speed=top * (frame // 100 % 4) / 4, heading=0.5 * (frame // 150 % 2))
        return lambda: controller.step(command)

    return step


def batch(told: Ride) -> Callable[[int], Callable[[], object]]:
    """A batch at all speeds and headings, which now and then are handed round."""
    from canter import load

    character, world = load(told.kind), world_of(told)
    try:
        BatchGaits = importlib.import_module("canter.cycles.gaits.batch").BatchGaits
    except ImportError:  # a version in which a batch was a pack
        return pack(character, told.count, world)
    from canter.control.batch import NO_ACTION, BatchCommand

    animals = BatchGaits(character, told.count, world=world)
    capabilities = animals.capabilities
    actors = np.arange(told.count) < ACTING
    number = capabilities.actions.index(told.action) if told.action else NO_ACTION

    def step(frame: int) -> Callable[[], object]:
        speeds, headings = wishes(told.count, frame, capabilities.speed_range[1])
        if told.action:
            speeds = np.where(actors, 0.0 if told.action == "sit" else capabilities.speed_range[1] / 3, speeds)
            headings = np.where(actors, 0.0, headings)
        acts = actors & (frame >= WARM_UP)
        command = BatchCommand.make(speeds, headings, action=np.where(acts, number, NO_ACTION))
        return lambda: animals.step(command)

    return step


def pack(character: Any, count: int, world: Any) -> Callable[[int], Callable[[], object]]:
    animals = importlib.import_module("canter.cycles.pack").Pack(character, count, world=world)

    def step(frame: int) -> Callable[[], object]:
        speeds, headings = wishes(count, frame, animals.choice.fastest)
        return lambda: animals.step(speeds, headings)

    return step


def wishes(count: int, frame: int, fastest: float) -> tuple[Any, Any]:
    """Speeds and headings `(count,)`: all there are, handed round every hundred frames."""
    along = (np.arange(count) + 37 * (frame // 100)) % count / (count - 1)
    return along * fastest, 2 * along - 1


# The side that asks ---------------------------------------------------------------------------------------------------


class Version:
    """A version of canter in a process of its own."""

    def __init__(self, checkout: Path) -> None:
        one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        environment = {**os.environ, **one_thread, "PYTHONPATH": str(checkout / "src")}
        command = [sys.executable, str(Path(__file__).resolve()), "--serve"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def ask(self, name: str, what: Ride | int) -> list[float]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([name, what]) + "\n")
        self._process.stdin.flush()
        if not (line := self._process.stdout.readline()):
            raise RuntimeError(f"the version ended while it was asked for {name!r}")
        answer: list[float] = json.loads(line)
        return answer

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(FALLEN_OUT)


class Row(NamedTuple):
    """Seconds of a frame, and of what it is compared with; the ratio of both, and the one that is allowed."""

    what: str
    seconds: float
    other: float
    ratio: float
    goal: float


def in_turns(sides: Sequence[tuple[Version, Ride]], frames: int) -> list[Any]:
    """Seconds of each frame `(frames,)` of each of some new rides, which go on in turns."""
    names = [f"{k}" for k in range(len(sides))]
    for name, (version, told) in zip(names, sides, strict=True):
        version.ask(name, told)
    seconds: list[list[float]] = [[] for _ in sides]
    order = list(range(len(sides)))
    for _ in range(0, frames, TURN):
        for k in order:
            seconds[k] += sides[k][0].ask(names[k], TURN)
        order.reverse()
    return [np.array(one[:frames]) for one in seconds]


def compare(what: str, goal: float, sides: Sequence[tuple[Version, Ride]], frames: int) -> Row:
    """The median frame of one ride against that of another: the median of the ratios of all turns, because what lies
    between two turns is too short for the machine to become faster or slower."""
    seconds = [x[WARM_UP:] for x in in_turns(sides, WARM_UP + frames)]
    ours, theirs = (np.median(x.reshape(-1, TURN), axis=1) for x in seconds)
    return Row(what, float(np.median(ours)), float(np.median(theirs)), float(np.median(ours / theirs)), goal)


def acting(version: Version, kind: str, action: str) -> list[Row]:
    """A batch a tenth of which begins an action in the same frame, against the same batch without.

    Every ride is made anew from the animal's file, so that what is made for a first action counts. A frame's cost is
    the median over rides: what the machine does besides differs from ride to ride, what canter does is the same.
    """
    rides = [Ride(kind, COUNT, action), Ride(kind, COUNT)]
    runs = [in_turns([(version, one) for one in rides], WARM_UP + 100) for _ in range(RIDES)]
    acts, walks = (np.median([run[k][WARM_UP:] for run in runs], axis=0) for k in (0, 1))
    what = f"batch of {COUNT}, {ACTING} {action}, {kind}"
    rows = []
    for name, at in (("median frame", 50), ("99th of 100", 99)):
        one, other = (float(np.percentile(x, at, method="higher")) for x in (acts, walks))
        rows.append(Row(f"{what}: {name}", one, other, one / other, ACTION_GOAL))
    return rows


def measure(ours: Version, theirs: Version) -> Iterator[Row]:
    for kind in KINDS:
        yield compare(f"one {kind}", ONE_GOAL, [(v, Ride(kind)) for v in (ours, theirs)], FRAMES)
    for kind in KINDS:
        sides = [(v, Ride(kind, COUNT)) for v in (ours, theirs)]
        yield compare(f"batch of {COUNT}, {kind}", BATCH_GOAL, sides, BATCH_FRAMES)
    for count, frames in ((1, FRAMES), (COUNT, BATCH_FRAMES)):
        sides = [(ours, Ride("dog", count, hills=hills)) for hills in (True, False)]
        yield compare(f"hills, {'one' if count == 1 else f'batch of {count}'}, dog", HILL_GOAL, sides, frames)
    for kind, action in (("dog", "sit"), ("dog", "jump"), ("horse", "leap")):
        yield from acting(ours, kind, action)


@contextmanager
def checkout_of(told: str) -> Iterator[Path]:
    """The folder that is named, or a temporary one with the source of a git revision."""
    if Path(told, "src", "canter").is_dir():
        yield Path(told).resolve()
        return
    archive = subprocess.run(["git", "-C", str(HERE), "archive", told, "src"], check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(folder, filter="data")
        yield Path(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", help="a checkout of canter, or a git revision of this one")
    with ExitStack() as stack:
        other = stack.enter_context(checkout_of(parser.parse_args().other))
        versions = [Version(HERE), Version(other)]
        for version in versions:
            stack.callback(version.close)
        print(f"{'a frame, processor time':44} {'µs':>9} {'against':>9} {'ratio':>6} {'goal':>8}")
        met = True
        for row in measure(*versions):
            mark = "" if row.ratio <= row.goal else "  missed"
            met = met and not mark
            cells = f"{row.seconds * 1e6:9.0f} {row.other * 1e6:9.0f} {row.ratio:6.2f}   ≤ {row.goal:.2f}{mark}"
            print(f"{row.what:44} {cells}", flush=True)
    return 0 if met else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve()
    else:
        sys.exit(main())
