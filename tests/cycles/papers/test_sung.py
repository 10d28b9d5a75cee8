"""Sung's parts: the gait graph, the search against brute force, precomputed transitions, and rides."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from canter.anatomy import Character
from canter.control import Single
from canter.control.command import Command
from canter.control.registry import load
from canter.cycles.engine.gait_graph import gait_graph
from canter.cycles.engine.library import Library
from canter.cycles.jumps.jumping import JumpState
from canter.cycles.papers.bridges import frames_of, make_bridge
from canter.cycles.papers.paper import steady_library
from canter.cycles.papers.search import BEST, Junction, between_cycles, brute_force, cloud, distances, search
from canter.cycles.papers.sung import COMMON, BatchSung, overlap, stride_law
from canter.motion import rotations as rot


def one(character: Character) -> Single[BatchSung]:
    return Single(BatchSung(character))


@cache
def library(animal: str) -> Library:
    made = steady_library(load(animal), COMMON, None)
    assert made.feet is not None  # made once, outside of what is timed
    return made


def junction(animal: str, source: int, target: int) -> Junction:
    cycles = library(animal).cycles
    return between_cycles(library(animal), source, target, frames_of(cycles[source]), frames_of(cycles[target]))


def test_the_gait_graph_has_the_papers_borders() -> None:
    ranges = gait_graph([7.43, 17.3, 28.7, 34.2])
    assert [round(high, 1) for _, high in ranges[:-1]] == [10.4, 21.6, 31.2]
    assert all(a[1] == b[0] for a, b in pairwise(ranges))


def test_the_distance_of_clouds_forgives_turns_and_shifts() -> None:
    points = np.random.default_rng(0).normal(size=(5, 3))
    moved = rot.rotate(rot.yaw(np.float64(0.7)), points) + np.array([3.0, 0.0, -2.0])
    assert distances(cloud(points), cloud(moved)[None])[0] == pytest.approx(0.0, abs=1e-9)
    assert distances(cloud(points), cloud(moved + np.array([0, 1, 0]))[None])[0] == pytest.approx(len(cloud(points)))


@pytest.mark.parametrize(("animal", "pair"), [("horse", (0, 1)), ("dog", (3, 1)), ("turtle", (0, 1))])
def test_the_search_finds_what_brute_force_finds(animal: str, pair: tuple[int, int]) -> None:
    found, best = search(junction(animal, *pair)), brute_force(junction(animal, *pair))
    assert found.frames.tolist() == best.frames.tolist()
    assert (found.spread, found.alternates) == (best.spread, best.alternates)
    assert found.dragged == pytest.approx(best.dragged)
    assert best.tried == BEST**4


def test_all_legs_of_a_transition_arrive_together() -> None:
    bridge = make_bridge(library("horse"), 1, 2)
    frames, m = bridge.found.frames, bridge.frames
    arrive = frames + m * bridge.junction.increments(frames)
    assert arrive == pytest.approx(np.full(4, frames.max() + m))
    assert bridge.clocks.shape == (m + 1, 4)
    assert (np.diff(bridge.clocks, axis=0) > -1).all()


def test_the_stride_law_is_fitted_on_the_clips() -> None:
    cycles = library("horse").cycles
    a, b = stride_law(cycles, 1.17)
    assert 2 < b < 5
    assert a > 0
    assert stride_law(cycles[:1], 1.17)[1] == pytest.approx(3.2)


def test_commands_are_heeded_when_the_cycle_ends() -> None:
    sung = one(load("horse"))
    for _ in range(180):
        sung.step(Command(speed=1.6))
    before = sung.batch.stages.stitching.length[0] - sung.batch.stages.stitching.done[0]
    waited = 0
    while not sung.batch.stages.stitching.crosses[0]:
        sung.step(Command(speed=3.0, heading=0.5))
        waited += 1
        assert abs(sung.batch.root.yaw[0]) < 1e-6
    assert waited == pytest.approx(before, abs=2)


def test_the_speed_is_met_over_whole_strides() -> None:
    sung = one(load("horse"))
    for _ in range(900):
        state = sung.step(Command(speed=3.1))
    start = state.place
    for _ in range(300):
        state = sung.step(Command(speed=3.1))
    assert np.linalg.norm(state.place - start) / 5 == pytest.approx(3.1, rel=0.02)


def test_long_and_short_jumps_come_from_one_clip_when_a_cycle_has_ended() -> None:
    sung = one(load("dog"))
    assert sung.capabilities.actions == ("jump",)
    flown = []
    for speed in (2.2, 4.4):
        sung.reset()
        for _ in range(700):
            sung.step(Command(speed=speed))
        before = sung.batch.stages.stitching.length[0] - sung.batch.stages.stitching.done[0]
        states = [sung.step(Command(speed=speed, action="jump")) for _ in range(200)]
        started = next(k for k, state in enumerate(states) if "started" in state.events)
        assert started <= before + 2
        assert sum("started" in state.events for state in states) == 1, "once for a press"
        landed = next(k for k, state in enumerate(states) if "landed" in state.events)
        aloft = [state for state in states[landed - 20 : landed] if not state.contacts.any()]
        assert len(aloft) > 15
        flown.append(float(np.linalg.norm(aloft[-1].place - aloft[0].place)) / len(aloft))
        assert "finished" in {event for state in states for event in state.events}
        assert states[-1].speed == pytest.approx(speed, rel=0.05)
        assert states[-1].gait == states[0].gait
    assert flown[1] > 1.8 * flown[0], "a faster jump is a longer one"


def test_jumps_overlap_by_ten_frames() -> None:
    at = np.array([0.0, 5 / 60, 10 / 60, 1.2, 1.2 + 5 / 60, 1.2 + 10 / 60])
    state = JumpState(len(at), 4, 1)
    state.at, state.takeoff, state.landing, state.settled = at, np.full(6, 0.6), np.full(6, 1.1), np.full(6, 1.2)
    assert overlap(60.0)(state, np.arange(6)) == pytest.approx([0.0, 0.5, 1.0, 1.0, 0.5, 0.0])
