"""How fast canter reads BVH and computes forward kinematics, against bvhio in the same run; and how fast it makes
cycles of gaits and skins, loads and drives animals, and builds uploads, against a fixed piece of work in the same run;
and how steadily the studio's server runs; and networks, against NumPy, `gaits` and another formulation.

`make bench` runs this. Ratios count more than milliseconds: both sides share the machine, the file and the run. The
file is a recording of 4,686 frames and 27 joints if CANTER_DATA has it, a file that you name, or one of the same size
that canter makes up. Leaves with 1 when a goal is missed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from rich.console import Console
from rich.table import Table

from canter.animals.animal import Animal
from canter.body import skin_character
from canter.control.batch import BatchCommand
from canter.control.command import Command
from canter.control.registry import entries, load
from canter.cycles.build.drivable import drivable
from canter.cycles.build.file import save
from canter.cycles.gaits.batch import BatchGaits
from canter.formats import read, write
from canter.motion import Asset, Motion, Skeleton, forward, loop
from canter.synthetic import example_animal, example_character

RECORDING = Path("dog/D1_047z_KAN01_003.bvh")
FRAMES, JOINTS = 4686, 27
KINEMATIC_FRAMES = 10_000
PEER_FRAMES = 300
"""Frames that the peer poses; its cost is the same for each, so it is scaled up."""
READ_GOAL, KINEMATICS_GOAL = 40.0, 20.0
CYCLE_GOAL, SKIN_GOAL, STEP_GOAL, CROWD_GOAL = 0.050, 10.0, 0.001, 30e-6
"""Seconds."""
WARM_GOAL, COLD_GOAL = 8.0, 25.0
"""Sorts of a million numbers."""
CROWD = 256
SHIPPED = ("horse", "dog", "turtle")
TIMES = 7
"""Runs of which the median is taken."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, help="a BVH to read")
    with tempfile.TemporaryDirectory() as folder:
        path = choose_file(parser.parse_args().file, Path(folder))
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")
        rows = [reading(path), kinematics(path)]
    show(rows)
    yard = yardstick()
    made = [cycles(), skins(), steps(), crowds(), *loads(yard)]
    show_made(made, yard)
    from inspecting import main as inspect_takes
    from networks import main as measure_networks
    from serving import studio  # these are beside this file; only there when it runs as a script
    from uploading import show_uploads, uploads

    quick = show_uploads(uploads(), yard) and inspect_takes() == 0
    served = studio()
    show_served(served)
    quick = measure_networks() == 0 and quick
    met = all(ours * goal <= theirs for _, _, ours, theirs, goal in rows)
    return 0 if met and quick and all(one.seconds <= one.goal for one in made) and all(one.met for one in served) else 1


Row = tuple[str, int, float, float, float]
"""What, frames, canter's seconds, the peer's seconds, the least ratio."""


def reading(path: Path) -> Row:
    """From the file to a motion: canter's best of nine, the peer once."""
    import bvhio

    frames = len(read(path).clips[0])
    ours = best(lambda: read(path), 9)
    theirs = best(lambda: bvhio.readAsHierarchy(str(path)), 1)
    return "read a BVH", frames, ours, theirs, READ_GOAL


def kinematics(path: Path) -> Row:
    """World positions of all joints in 10,000 frames; the peer poses 300 of them, and its time is scaled."""
    import bvhio

    motion = read(path).clips[0]
    frames = np.arange(KINEMATIC_FRAMES) % len(motion)
    positions, rotations = motion.positions[frames], motion.rotations[frames]
    ours = best(lambda: forward(motion.skeleton, positions, rotations), 9)
    root = bvhio.readAsHierarchy(str(path))
    joints = [joint for joint, _, _ in root.layout()]

    def pose_all() -> None:
        for frame in range(PEER_FRAMES):
            root.loadPose(frame)
            for joint in joints:
                joint.PositionWorld  # noqa: B018 a property that computes

    theirs = best(pose_all, 1) * KINEMATIC_FRAMES / PEER_FRAMES
    return "forward kinematics", KINEMATIC_FRAMES, ours, theirs, KINEMATICS_GOAL


class Made(NamedTuple):
    """What was made, which of it took longest, for how many seconds, and how many are allowed."""

    what: str
    worst: str
    seconds: float
    goal: float


def cycles(times: int = TIMES) -> Made:
    """One stride of every gait of every animal that canter ships; the slowest."""
    animals = [load(entry.name) for entry in entries("animal") if not entry.missing]
    gaits = [(animal, row.name) for animal in animals if isinstance(animal, Animal) for row in animal.rows]
    seconds = {f"{a.name}, {gait}": median(lambda a=a, gait=gait: a.cycle(gait), times) for a, gait in gaits}
    worst = max(seconds, key=lambda name: seconds[name])
    return Made(f"a cycle, {len(seconds)} gaits", worst, seconds[worst], CYCLE_GOAL)


def skins() -> Made:
    """A body for an animal that has none, tried out on its clips."""
    dog = example_character()
    return Made("a skin", dog.name, median(lambda: skin_character(dog), 1), SKIN_GOAL)


def steps(times: int = 600) -> Made:
    """One frame of the controller `gaits`, legs and all, while it changes speed and heading; the slowest animal."""
    seconds = {}
    for name in SHIPPED:
        controller = load(name).controller("gaits")
        top = controller.capabilities.speed_range[1]
        told = iter([Command(speed=top * (k // 100 % 4) / 4, heading=0.5 * (k // 150 % 2)) for k in range(times)])
        seconds[name] = median(lambda told=told, controller=controller: controller.step(next(told)), times)
    worst = max(seconds, key=lambda name: seconds[name])
    return Made("a frame of one animal", worst, seconds[worst], STEP_GOAL)


def crowds(times: int = 60) -> Made:
    """One frame of a crowd at all its speeds, for each animal of it; the slowest kind."""
    seconds = {}
    for name in SHIPPED:
        batch = BatchGaits(load(name), CROWD)
        speeds = np.linspace(0, batch.capabilities.speed_range[1], CROWD)
        command = BatchCommand.make(speeds, np.linspace(-1, 1, CROWD))
        seconds[name] = median(lambda: batch.step(command), times) / CROWD  # noqa: B023
    worst = max(seconds, key=lambda name: seconds[name])
    return Made(f"a frame of a crowd of {CROWD}, each", worst, seconds[worst], CROWD_GOAL)


def loads(yard: float, times: int = TIMES) -> tuple[Made, Made]:
    """From a `.canter` file to the first frame of `gaits`, the slower of two animals: again in the same process, and
    for the first time in a fresh one after its imports. Goals are in sorts, of `yard` seconds each."""
    warm, cold = {}, {}
    dog = load("dog")
    assert isinstance(dog, Animal)
    animals = {"dog": drivable(dog), "example with the gaits of the dog": drivable(load("example"), model=dog)}
    with tempfile.TemporaryDirectory() as folder:
        for name, built in animals.items():
            path = Path(folder) / "animal.canter"
            save(built, path, {})
            first_frame(path)
            warm[name] = median(lambda path=path: first_frame(path), times)
            cold[name] = statistics.median(first_frame_in_a_process(path) for _ in range(min(times, 3)))
    slow, slower = (max(seconds, key=lambda name: seconds[name]) for seconds in (warm, cold))
    what = "from a .canter file to a frame"
    return (
        Made(f"{what}, ≤ {WARM_GOAL:g} sorts", slow, warm[slow], WARM_GOAL * yard),
        Made(f"{what}, fresh process, ≤ {COLD_GOAL:g} sorts", slower, cold[slower], COLD_GOAL * yard),
    )


def first_frame(path: Path) -> None:
    load(path).controller("gaits").step(Command(speed=1.0))


def first_frame_in_a_process(path: Path) -> float:
    """Seconds of processor time in a fresh process, whose imports do not count."""
    code = f"""
import time
import canter.cycles.build.file, canter.cycles.gaits.batch
from canter import Command, load
start = time.process_time()
load({str(path)!r}).controller("gaits").step(Command(speed=1.0))
print(time.process_time() - start)
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return float(done.stdout)


def yardstick() -> float:
    """Seconds that this machine needs to sort a million numbers, always the same."""
    numbers = np.random.default_rng(0).random(1_000_000)
    return median(lambda: np.sort(numbers), TIMES)


def median(work: Callable[[], object], times: int) -> float:
    """The middle of several runs in seconds of processor time, in which other work on the machine does not count."""
    seconds = []
    for _ in range(times):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return statistics.median(seconds)


def best(work: Callable[[], object], times: int) -> float:
    """The shortest of several runs in seconds, which other work on the machine disturbs least."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def show(rows: list[Row]) -> None:
    table = Table(title="canter against bvhio", title_justify="left")
    table.add_column("what")
    for title in ("frames", "canter", "a frame", "bvhio", "a frame", "ratio", "goal"):
        table.add_column(title, justify="right")
    for what, frames, ours, theirs, goal in rows:
        cells = (
            f"{ours * 1e3:.1f} ms",
            f"{ours / frames * 1e6:.2f} µs",
            f"{theirs:.2f} s",
            f"{theirs / frames * 1e6:.0f} µs",
        )
        table.add_row(what, f"{frames:,}", *cells, f"{theirs / ours:.0f}×", f"≥ {goal:.0f}×")
    Console(width=110 if not sys.stdout.isatty() else None).print(table)
    print(f"bvhio poses {PEER_FRAMES} frames of the kinematics; its time is scaled to {KINEMATIC_FRAMES:,}.")


def show_made(rows: list[Made], yard: float) -> None:
    table = Table(title="what canter makes", title_justify="left")
    table.add_column("what")
    table.add_column("slowest")
    for title in ("time", "goal", "sorts"):
        table.add_column(title, justify="right")
    for row in rows:
        cells = (f"{row.seconds * 1e3:,.3g} ms", f"≤ {row.goal * 1e3:,.4g} ms", f"{row.seconds / yard:.3g}×")
        table.add_row(row.what, row.worst, *cells)
    Console(width=110 if not sys.stdout.isatty() else None).print(table)
    print(f"A sort is NumPy's of a million numbers: {yard * 1e3:.1f} ms in this run.")


class Served(Protocol):
    """A row of `serving`."""

    what: str
    value: float
    unit: str
    goal: float
    best: float


def show_served(rows: Sequence[Served]) -> None:
    table = Table(title="the studio's server, one horse", title_justify="left")
    table.add_column("what")
    for title in ("measured", "goal", "a loop that only sleeps"):
        table.add_column(title, justify="right")
    for row in rows:
        best = f"{row.best:.3g} {row.unit}" if row.best else ""
        table.add_row(row.what, f"{row.value:.3g} {row.unit}", f"≤ {row.goal:g} {row.unit}", best)
    Console(width=110 if not sys.stdout.isatty() else None).print(table)


def choose_file(named: Path | None, folder: Path) -> Path:
    if named is not None:
        return named
    recording = Path(os.environ.get("CANTER_DATA", "")) / RECORDING
    return recording if os.environ.get("CANTER_DATA") and recording.is_file() else made_up(folder / "made_up.bvh")


def made_up(path: Path) -> Path:
    """The example dog on a skeleton of 27 joints trotting for 4,686 frames, in numbers as short as a recording's."""
    dog = example_animal(strides=4)
    trot = pruned(dog.clip("trot"), JOINTS)
    rounds = -(-FRAMES // (len(trot) - 1))
    write(Asset(trot.skeleton, (loop(trot, rounds)[:FRAMES],)), path)
    head, rows = path.read_text("utf-8").split("MOTION\n")
    lines = rows.splitlines()
    short = [" ".join(f"{float(x):.4f}" for x in line.split()) for line in lines[2:]]
    path.write_text("\n".join([head + "MOTION", *lines[:2], *short]) + "\n", "utf-8")
    return path


def pruned(motion: Motion, joints: int) -> Motion:
    """Without so many of its last leaves that `joints` are left."""
    skeleton = motion.skeleton
    keep = list(range(len(skeleton)))
    while len(keep) > joints:
        parents = {int(skeleton.parents[j]) for j in keep}
        keep.remove(max(j for j in keep if j not in parents))
    new = {old: i for i, old in enumerate(keep)}
    smaller = Skeleton.make(
        [skeleton.names[j] for j in keep],
        [new.get(int(skeleton.parents[j]), -1) for j in keep],
        skeleton.offsets[keep],
        skeleton.rotations[keep],
    )
    return Motion(smaller, motion.frame_rate, motion.positions[:, keep], motion.rotations[:, keep], motion.name)


if __name__ == "__main__":
    sys.exit(main())
