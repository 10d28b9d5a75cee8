"""Transitions of made-up cycles: weights settle, legs come to the new pattern, starts and corrective steps."""

from __future__ import annotations

import numpy as np
import pytest

from canter.control.steering import Root
from canter.cycles.engine.strides import mean_phase, since_touchdown, wrap
from canter.cycles.gaits.transition import CORRECTIVE_LIFT, MAX_STRAY, Transition
from canter.motion.arrays import Floats

from ..engine.made_up import STAND, TROT, TROT_PHASES, WALK, WALK_PHASES, library, strain, strides, timing

DT = 1 / 60


def transition(gait: int, clocks: Floats | None = None, speed: float = 0.8) -> tuple[Transition, Root]:
    """One animal in a gait, its legs at some clocks."""
    made, root = Transition(strides(), timing(1, gait), library().limits, 1.0), Root(1)
    root.velocity = np.array([speed + 0j])
    if clocks is not None:
        made.set_clocks(np.arange(1), clocks)
    made.measure(root)
    return made, root


def off_pattern(made: Transition, gait: int) -> Floats:
    """By how much of a stride each leg is off the pattern of a gait `(N, L)`."""
    phases = since_touchdown(made.timing.clocks, strides().duties[gait]) + strides().touchdowns[gait]
    return wrap(phases - mean_phase(phases)[:, None])


@pytest.mark.parametrize("gait", [WALK, TROT])
def test_weights_settle_and_legs_come_to_the_pattern_from_any_phase(gait: int) -> None:
    """64 animals of the other gait with their legs anywhere."""
    count, made = 64, Transition(strides(), timing(64, WALK + TROT - gait), library().limits, 1.0)
    made.set_clocks(np.arange(count), np.random.default_rng(gait).uniform(0, 2, (count, 4)))
    root = Root(count)
    root.velocity = np.full(count, library().cycles[gait].speed + 0j)
    made.measure(root)
    before, fastest = made.timing.weights, 0.0
    for _ in range(600):
        made.advance(np.full(count, gait), root, strain(count), DT)
        weights = made.timing.weights
        assert weights.sum(axis=1) == pytest.approx(1.0)
        assert weights.min() >= 0
        assert np.all((made.timing.clocks >= 0) & (made.timing.clocks < 2))
        before, fastest = weights, max(fastest, float(np.abs(weights - before).max()))
    assert np.all(weights[:, gait] == 1.0)
    assert made.timing.posture_weights[:, gait] == pytest.approx(1.0, abs=0.01)
    assert np.abs(off_pattern(made, gait)).max() < 0.03
    assert fastest < 0.08, "no frame changes the blend by much"


@pytest.mark.parametrize(("gait", "touchdowns"), [(WALK, WALK_PHASES), (TROT, TROT_PHASES)])
def test_a_steady_gait_keeps_its_own_time(gait: int, touchdowns: tuple[float, ...]) -> None:
    own = library().cycles[gait]
    since = (-np.array([touchdowns])) % 1.0
    clocks = np.where(since < own.duty, since / own.duty, 1 + (since - own.duty) / (1 - own.duty))
    made, root = transition(gait, clocks, own.speed)
    frames = round(own.seconds / DT)
    for _ in range(frames):
        made.advance(np.array([gait]), root, strain(), own.seconds / frames)
    assert np.abs(np.exp(1j * np.pi * made.timing.clocks) - np.exp(1j * np.pi * clocks)).max() < 0.02
    assert made.timing.stride == pytest.approx(own.seconds)


def test_a_start_lifts_a_hind_leg_first() -> None:
    made, root = transition(STAND, speed=0.0)
    lifted: list[int] = []
    for k in range(90):
        root.velocity = np.array([0.8 * min(k / 30, 1.0) + 0j])
        made.advance(np.array([WALK]), root, strain(), DT)
        lifted += [leg for leg in np.flatnonzero(made.timing.clocks[0] >= 1) if leg not in lifted]
    assert lifted[0] == 2
    assert sorted(lifted) == [0, 1, 2, 3]
    assert lifted == [2, 0, 3, 1]


def test_who_stands_with_a_foot_astray_puts_it_right_alone() -> None:
    made, root = transition(STAND, speed=0.0)
    stray = np.array([[0.0, 3 * MAX_STRAY, 2 * MAX_STRAY, 0.0]])
    made.advance(np.array([STAND]), root, strain(1, stray), DT)
    assert (made.timing.clocks[0] >= 1).tolist() == [False, True, False, False]
    least, more, most = CORRECTIVE_LIFT
    assert made.timing.lift[0, 1] == pytest.approx(min(least + more * 3 * MAX_STRAY, most))
    stray[0, 1] = 0.0
    lifted = set()
    for _ in range(120):
        made.advance(np.array([STAND]), root, strain(1, stray), DT)
        swings = np.flatnonzero(made.timing.clocks[0] >= 1)
        assert len(swings) <= 1
        lifted |= set(swings.tolist())
    assert lifted == {1, 2}


def test_who_stands_well_stands_still() -> None:
    made, root = transition(STAND, speed=0.0)
    for _ in range(60):
        made.advance(np.array([STAND]), root, strain(1, 0.9 * MAX_STRAY), DT)
    assert np.all(made.timing.clocks == 0.5)
    assert made.timing.body_phases[0, STAND] == pytest.approx(1.0 / 4.0)


def test_settling_is_at_once_and_for_some_only() -> None:
    made = Transition(strides(), timing(2, WALK), library().limits, 1.0)
    before = made.timing.weights
    made.settle(np.array([1]), np.array([TROT]))
    assert made.timing.weights[:, [WALK, TROT]].tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert before[1, WALK] == 1.0, "earlier arrays are not written to"
