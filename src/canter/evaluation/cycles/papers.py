"""The figures of Sung's and Huang's papers beside ours: their tables, and how their presets ride.

Sung's Tables 1 and 2 with our cycles stretched to the lengths of his clips, his Figure 5 (the first combination against
the best), Huang's Table 1 and foot phases, and for both presets what `gaits` is measured by as well. Rows whose goal is
"none" are printed for comparison only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations
from time import process_time

import numpy as np

from canter.anatomy import Character
from canter.anatomy.actions import actions_of
from canter.anatomy.footfalls import read_footfalls
from canter.animals.animal import Animal
from canter.control.batch import Single
from canter.control.command import Command
from canter.control.registry import load
from canter.cycles.build.cycle import make_cycle
from canter.cycles.engine.cycle import GRID
from canter.cycles.engine.library import Library, fastest_joints
from canter.cycles.engine.strides import clocks_at
from canter.cycles.papers.bridges import frames_of
from canter.cycles.papers.fetlocks import stances
from canter.cycles.papers.huang import BatchHuang
from canter.cycles.papers.paper import Paper, steady_library
from canter.cycles.papers.search import Junction, between_cycles, brute_force, first_combination, search
from canter.cycles.papers.strips import FRAME_RATE, clip_strip, cycle_strip
from canter.cycles.papers.sung import BatchSung, stride_law
from canter.cycles.papers.warping import CONTACT_LAWS, fitted_contact_law
from canter.evaluation import Options
from canter.evaluation.cycles.figures import CALM, RATE, Ride
from canter.evaluation.cycles.response import delay_rows
from canter.evaluation.report import Row, at_least, at_most, within

CLIPS = {
    "horse": {"walk": 1.20, "trot": 0.93, "canter": 0.84, "gallop": 0.83},
    "turtle": {"slow walk": 3.10, "fast walk": 6.30},
}
"""Seconds of Sung's clips (Table 1)."""
TRANSITIONS = {
    ("horse", "walk", "trot"): (1.12, 56.0),
    ("horse", "trot", "walk"): (1.10, 50.0),
    ("horse", "trot", "canter"): (0.88, 34.0),
    ("horse", "canter", "trot"): (0.89, 32.0),
    ("horse", "canter", "gallop"): (0.84, 30.0),
    ("horse", "gallop", "canter"): (0.84, 31.0),
    ("turtle", "slow walk", "fast walk"): (4.50, 80.0),
    ("turtle", "fast walk", "slow walk"): (4.60, 75.0),
}
"""Seconds of Sung's transitions (Table 1) and of his search for them (Table 2)."""
RUN, JUMP, RUN_TO_JUMP = 0.83, 0.59, (0.60, 22.0)
"""The same of his dog: its two clips, and the transition between them."""
SEARCH, FASTER, DEPTH, SNAP = 0.1, 100.0, 1.0, 1.5
REPEATS = 9
"""Searches whose median time is told."""
PRESETS = {"sung": (BatchSung, "waits for the end of the cycle"), "huang": (BatchHuang, "2.5 strides")}


def paper_rows(options: Options) -> Iterator[Row]:
    options.progress("Sung's tables")
    yield from sung_tables(options.quick)
    yield from figure_5()
    options.progress("Huang's tables")
    yield from huang_tables()
    for name in ("horse", "dog", "turtle"):
        for preset in PRESETS:
            options.progress(f"{name}: {preset}")
            yield from preset_rows(preset, load(name), options.quick)
            yield from delay_rows(preset, load(name), options.quick)


# Tables ------------------------------------------------------------------------------------------


def sung_tables(quick: bool) -> Iterator[Row]:
    """Tables 1 and 2: the same transitions between our cycles, stretched to his lengths."""
    libraries = {animal: steady_library(load(animal), (), tuple(clips)) for animal, clips in CLIPS.items()}
    for (animal, source, target), (length, seconds) in TRANSITIONS.items():
        title = f"Sung, {animal} {source} to {target}"
        make = partial(_junction, libraries[animal], source, target, CLIPS[animal])
        name = f"{title}: length (Table 1: {length:g} s)"
        yield within(name, make().frames / FRAME_RATE, 0.9 * length, 1.1 * length, "s")
        brief = quick and (source, target) not in (("walk", "trot"), ("slow walk", "fast walk"))
        yield from _search_rows(title, make, seconds, brief)
    yield from run_to_jump(quick)
    for animal, library in libraries.items():
        a, b = stride_law(library.cycles, library.character.anatomy.hip_height)
        law = f"a {a:.3g}, b {b:.2f}"
        yield Row(f"Sung, {animal}: stride law Fr = a L^b of our clips", law, goal="none; dogs: b 3.2")


def run_to_jump(quick: bool) -> Iterator[Row]:
    """The dog's row of Table 2: from its run into the frames of our jump before the take-off.

    Run is taken for gallop: it is the gait that dogs run in, and his clip lasts as long as that of his galloping horse.
    His jump is a clip of its own, ours begins in a stand and is not stretched to its length. So the formula of the
    length does not tell much, and k, the user's to choose, is set to what gives the length of his transition.
    """
    dog, (length, seconds) = load("dog"), RUN_TO_JUMP
    library, jump = steady_library(dog, (), ("gallop",)), actions_of(dog)["jump"]
    assert library.feet is not None
    before = jump.motion[: jump.enter[1] + 1]
    k = 2 * length / (RUN + before.seconds)

    def make() -> Junction:
        run = cycle_strip(library, 0, round(RUN * FRAME_RATE))
        return Junction(dog.anatomy, run, clip_strip(dog, jump.name, before), k)

    title, his = "Sung, dog run to jump", 2 * length / (RUN + JUMP)
    yield Row(f"{title}: k for a length of {length:g} s (Table 1)", k, goal=f"none; with his clips: {his:.2f}")
    yield from _search_rows(title, make, seconds, quick)


def _search_rows(title: str, make: Callable[[], Junction], seconds: float, brief: bool) -> Iterator[Row]:
    """How long the search takes beside the paper's `seconds`; unless it is to be `brief`, against brute force too."""
    usual = float(np.median([_timed_search(make) for _ in range(REPEATS)]))
    yield at_most(f"{title}: search (Table 2: {seconds:g} s)", usual, SEARCH, "s")
    if brief:
        return
    start, best = process_time(), brute_force(make())
    yield at_least(f"{title}: brute force / search", (process_time() - start) / usual, FASTER)
    same = search(make()).frames.tolist() == best.frames.tolist()
    yield Row(f"{title}: same optimum", str(same), goal="True", status="met" if same else "missed")


def _junction(library: Library, source: str, target: str, lengths: dict[str, float]) -> Junction:
    names = [cycle.name for cycle in library.cycles]
    assert library.feet is not None
    frames = [round(lengths[name] * FRAME_RATE) for name in (source, target)]
    return between_cycles(library, names.index(source), names.index(target), *frames)


def _timed_search(make: Callable[[], Junction]) -> float:
    """Seconds of this process alone, so that what else a machine does hardly counts."""
    start = process_time()
    search(make())
    return process_time() - start


def figure_5() -> Iterator[Row]:
    """Of all ordered pairs of the horse's gaits: how often feet drag or do not alternate, and how far legs spread."""
    library = steady_library(load("horse"), (), tuple(CONTACT_LAWS))
    bad, spreads = np.zeros(2), np.zeros(2)
    pairs = list(permutations(range(len(library.cycles)), 2))
    for source, target in pairs:
        junction = between_cycles(library, source, target, *(frames_of(library.cycles[k]) for k in (source, target)))
        both = first_combination(junction), search(junction)
        bad += [not found.good for found in both]
        spreads += [found.spread for found in both]
    title = f"Sung, Figure 5, {len(pairs)} transitions of the horse"
    yield Row(f"{title}: drag or stumble with the first combination", float(bad[0]), goal="none")
    yield at_most(f"{title}: drag or stumble with the best", float(bad[1]), float(bad[0]))
    first, best = (float(spread / len(pairs)) for spread in spreads)
    yield Row(f"{title}: spread of legs, first", first, "frames")
    yield at_most(f"{title}: spread of legs, best", best, first, "frames")


def huang_tables() -> Iterator[Row]:
    """Table 1 beside fits of our own over the speeds of each gait, and the foot phases of section 6.1."""
    horse = load("horse")
    assert isinstance(horse, Animal)
    for gait, (a, b) in CONTACT_LAWS.items():
        own = ", ".join(f"{value:.3g}" for value in _own_law(horse, gait))
        yield Row(f"Huang, {gait}: a and b of contact times T = a v^b", own, goal=f"none; Table 1: {a:.3g}, {b:.3g}")
    library = steady_library(horse, (), tuple(CONTACT_LAWS))
    for which, cycle in enumerate(library.cycles):
        told = stances(library, which)
        stands = clocks_at(np.arange(GRID)[:, None] / GRID, cycle.touchdowns, cycle.duty) < 1
        agrees = 0.0 if told is None else 100 * float((told == stands).mean())
        yield at_least(f"Huang, {cycle.name}: foot phases by fetlocks agree with the contacts", agrees, 85.0, "%")


def _own_law(horse: Animal, gait: str) -> tuple[float, float]:
    """a and b over cycles of a gait at speeds of its range."""
    low, high = horse.row(gait).speeds
    motions = [horse.cycle(gait, float(speed), 120.0) for speed in np.linspace(low, high, 5)]
    cycles = [make_cycle(horse, read_footfalls(motion, horse.anatomy)) for motion in motions]
    return fitted_contact_law(cycles)


# Rides -------------------------------------------------------------------------------------------


def preset_rows(preset: str, character: Character, quick: bool) -> Iterator[Row]:
    """A preset between all ordered pairs of the gaits that it takes, and in turns by 90 degrees."""
    kind, delay = PRESETS[preset]
    paper: Single[Paper] = Single(kind(character))
    cycles, height = paper.batch.library.cycles[:-1], character.anatomy.hip_height
    pairs = list(permutations(range(len(cycles)), 2))
    pairs = pairs[:: max(len(pairs) // 3, 1)] if quick else pairs
    fastest = [fastest_joints(cycle) for cycle in cycles]
    snaps, depths, slips, drags, waits, sane = [], [], [], [], [], True
    for source, target in pairs:
        ride, wait = _change(paper, source, target)
        limit = np.maximum(SNAP * np.maximum(fastest[source], fastest[target]), CALM)
        snaps.append(float((ride.joint_speeds / limit).max()))
        depths.append(100 * ride.depth() / height)
        slips.append(100 * ride.slip())
        drags.append(100 * ride.drag() / height)
        waits.append(wait / (cycles[source].seconds + cycles[target].seconds) * 2)
        sane = sane and bool(np.isfinite(ride.rotations).all() and np.isfinite(ride.positions).all())
    title = f"{preset}, {character.name}, {len(pairs)} transitions"
    yield Row(f"{title}: no NaN", str(sane), goal="True", status="met" if sane else "missed")
    yield at_most(f"{title}: greatest joint speed / what is allowed", max(snaps), 1.0)
    yield at_most(f"{title}: penetration", max(depths), DEPTH, "% of hip height")
    slip = f"{np.median(slips):.1f}, {max(slips):.1f}"
    yield Row(f"{title}: stance slip, median and worst", slip, "cm", "none; gaits: ≤ 0.5")
    yield Row(f"{title}: low feet drag, worst", max(drags), "% of hip height", "none; gaits: ≤ 5")
    yield Row(
        f"{title}: until only the new gait is left, worst", max(waits), "strides", f"none; paper: {delay}; gaits: ≤ 2"
    )
    yield from _course_rows(paper, f"{preset}, {character.name}")


def _course_rows(paper: Single[Paper], title: str) -> Iterator[Row]:
    """Speed and heading after a turn by 60 degrees, in the middle gait."""
    cycles = paper.batch.library.cycles[:-1]
    cycle = cycles[len(cycles) // 2]
    heading, span = np.pi / 3, round(RATE * cycle.seconds * 4)
    paper.reset()
    ride = _ride(paper, cycle.speed, heading, round(RATE * (12 + 12 * cycle.seconds)))
    speed = abs(ride.place[-1, 0] - ride.place[-1 - span, 0]) * RATE / span
    slow, off = 100 * abs(speed / cycle.speed - 1), float(np.degrees(abs(ride.yaw[-1, 0] - heading)))
    yield Row(f"{title}, {cycle.name}: mean speed off the command", slow, "%", "none; gaits: ≤ 2")
    yield Row(f"{title}, {cycle.name}: heading off the command", off, "°", "none; gaits: ≤ 2")


def _change(paper: Single[Paper], source: int, target: int) -> tuple[Ride, float]:
    """A ride from one gait into another, and the seconds until only the new one was left."""
    cycles, timing = paper.batch.library.cycles, paper.batch.timing
    paper.reset()
    for frame in range(round(RATE * 20)):
        paper.step(Command(speed=cycles[source].speed))
        if timing.weights[0, source] == 1 and frame > RATE * 2 * cycles[source].seconds:
            break
    longest = round(RATE * 6 * max(cycles[source].seconds, cycles[target].seconds))
    ride = _ride(paper, cycles[target].speed, 0.0, longest)
    arrived = np.flatnonzero(ride.gait[:, 0] == target)
    return ride, (float(arrived[0]) if len(arrived) else float(longest)) / RATE


def _ride(paper: Single[Paper], speed: float, heading: float, frames: int) -> Ride:
    """What an animal does under one command; its `gait` is the one that is alone, or -1."""
    kept = []
    for _ in range(frames):
        state = paper.step(Command(speed=speed, heading=heading))
        weights, root, pose = paper.batch.timing.weights, paper.batch.root, state.pose
        alone = np.where(weights.max(axis=1) > 1 - 1e-9, weights.argmax(axis=1), -1)
        kept.append((pose.positions[None], pose.rotations[None], state.contacts[None], root.place, root.yaw, alone))
    positions, rotations, contacts, place, yaw, gait = (np.stack(column) for column in zip(*kept, strict=True))
    wide = positions.astype(np.float64), rotations.astype(np.float64)
    return Ride(paper.character, *wide, contacts, place, yaw, gait)
