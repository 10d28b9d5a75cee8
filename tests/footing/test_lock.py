"""The foot lock on constructed legs: held exactly, released without a jump, dropped within bounds."""

from __future__ import annotations

import numpy as np
import pytest

from canter.control.world import Slope, World
from canter.footing import FootLock
from canter.footing.ground import to_complex
from canter.footing.lock import MAX_DROP, MAX_SUDDEN_DROP, limits_of
from canter.footing.reach import MAX_EXTENSION
from canter.motion.arrays import Floats
from canter.motion.kinematics import forward

from .rigs import HIGH, PANTOGRAPH, TWO_BONES, Rig, rig

STANCE = np.full((1, 4), 0.5)
BENT = rig(TWO_BONES, PANTOGRAPH)


def hold(built: Rig, lock: FootLock, clocks: Floats, ahead: float = 0.0, up: float = 0.0) -> tuple[Floats, Floats]:
    """The rest pose moved ahead and up, held: world places of the feet `(4, 3)`, and of the trunk `(3,)`."""
    positions, rotations = built.pose
    loose = built.skeleton.parents < 0
    positions[:, loose] += (0.0, up, ahead)
    targets = forward(built.skeleton, positions, rotations)[0][:, built.anatomy.feet]
    level, heights = to_complex(targets), targets[..., 1]
    lock.hold(positions, rotations, clocks, level, heights, np.zeros(1, complex), np.ones(1, complex), 1 / 60)
    places = forward(built.skeleton, positions, rotations)[0][0]
    return places[built.anatomy.feet], places[0]


def started(built: Rig, **options: float) -> FootLock:
    """A lock whose feet stand where they are in the rest pose."""
    lock, (positions, rotations) = built.lock(**options), built.pose
    lock.reset(to_complex(forward(built.skeleton, positions, rotations)[0][:, built.anatomy.feet]))
    return lock


def test_a_held_foot_stays_where_it_is() -> None:
    lock = started(BENT)
    first, _ = hold(BENT, lock, STANCE)
    for k in range(30):
        feet, _ = hold(BENT, lock, STANCE, ahead=0.005 * k)
        assert np.abs(feet - first).max() < 1e-9
    assert lock.strain.stray == pytest.approx(np.full((1, 4), 0.145))


@pytest.mark.parametrize("built", [BENT, rig(PANTOGRAPH, PANTOGRAPH, detached=True)], ids=["attached", "detached"])
def test_what_a_foot_was_held_by_vanishes_in_its_swing(built: Rig) -> None:
    lock = started(built)
    hold(built, lock, STANCE)
    held, _ = hold(built, lock, STANCE, ahead=0.1)
    away, ways = 0.1, []
    for clock in np.linspace(1.0, 2.0, 41):
        clocks = np.array([[clock, 0.5, 0.5, 0.5]])
        feet, _ = hold(built, lock, clocks, ahead=0.1)
        ways.append(feet[0, 2] - held[0, 2])
        assert np.abs(feet[1:] - held[1:]).max() < 1e-9
    assert ways[0] == pytest.approx(0.0, abs=1e-9)
    assert ways[-1] == pytest.approx(away, abs=1e-9)
    steps = np.diff(ways)
    assert steps.min() > -1e-9
    assert steps.max() < 1.875 * 1.4 * away / 40 * 1.05


def test_a_foot_is_held_where_it_comes_down() -> None:
    lock = started(BENT)
    hold(BENT, lock, STANCE)
    hold(BENT, lock, np.array([[2.0, 0.5, 0.5, 0.5]]), ahead=0.05)
    landed, _ = hold(BENT, lock, STANCE, ahead=0.07)
    assert lock.state.contacts.all()
    for k in range(5):
        feet, _ = hold(BENT, lock, STANCE, ahead=0.07 + 0.01 * k)
        assert np.abs(feet[0] - landed[0]).max() < 1e-9


def test_the_trunk_drops_smoothly_and_not_below_its_bound() -> None:
    """The hind legs would need 0.21 m to be at 0.75 of their length."""
    lock = started(BENT, stance=0.75)
    drops = []
    for _ in range(40):
        _, trunk = hold(BENT, lock, STANCE)
        drops.append(HIGH - trunk[1])
    assert 0 < drops[0] < drops[1] < drops[2]
    assert max(drops) <= MAX_DROP + 1e-9
    assert drops[-1] == pytest.approx(MAX_DROP, abs=1e-3)
    lock.limits.stance[:] = 0.99
    _, trunk = hold(BENT, lock, STANCE)
    assert MAX_DROP > HIGH - trunk[1] > 0.8 * MAX_DROP, "it rises slowly"


def test_a_leg_that_would_end_drops_the_trunk_at_once_but_not_for_ever() -> None:
    lock = started(BENT)
    first, _ = hold(BENT, lock, STANCE)
    feet, trunk = hold(BENT, lock, STANCE, ahead=0.75)
    assert MAX_DROP < HIGH - trunk[1] <= MAX_SUDDEN_DROP + 1e-9
    assert np.abs(feet - first)[:2].max() < 1e-9
    feet, trunk = hold(BENT, lock, STANCE, ahead=2.0)
    assert HIGH - trunk[1] == pytest.approx(MAX_SUDDEN_DROP)
    assert lock.strain.extension.min() > MAX_EXTENSION
    assert np.abs(feet - first)[:, 2].min() > 0.3


def test_the_drop_can_be_taken_over() -> None:
    lock = started(BENT, stance=0.8)
    hold(BENT, lock, STANCE)
    assert lock.take_drop(np.array([0])) > 0
    assert lock.state.body_drop == pytest.approx(0.0)


@pytest.mark.parametrize("ahead", [0.05, 2.0], ids=["within reach", "out of reach"])
def test_feet_on_the_root_stay_at_the_ends_of_their_legs(ahead: float) -> None:
    built = rig(PANTOGRAPH, PANTOGRAPH, detached=True)
    lock = started(built)
    positions, rotations = built.pose
    targets = forward(built.skeleton, positions, rotations)[0][:, built.anatomy.feet]
    positions[:, 0, 2] += ahead
    frame = to_complex(targets), targets[..., 1], np.zeros(1, complex), np.ones(1, complex)
    lock.hold(positions, rotations, STANCE, *frame, 1 / 60)
    places, turns = forward(built.skeleton, positions, rotations)
    loose = lock.tree.loose
    assert np.abs(places[:, loose.joints] - loose.places(places, turns)).max() < 1e-9
    assert (np.abs(places[:, loose.joints] - targets).max() < 1e-9) == (ahead < 1)


def test_feet_stand_on_the_ground() -> None:
    world = World(Slope(0.2, 0.0))
    lock = started(BENT, ground=world)
    lock.limits.stance[:] = 0.95
    for k in range(20):
        feet, _ = hold(BENT, lock, STANCE, ahead=0.004 * k)
    flat, _ = hold(BENT, started(BENT), STANCE)
    assert feet[2:, 1] - flat[2:, 1] == pytest.approx(world.height(feet[2:, [0, 2]]), abs=1e-9)


def test_footholds_can_be_moved() -> None:
    lock = started(BENT)
    first, _ = hold(BENT, lock, STANCE)
    lock.shift_footholds(np.full((1, 4), 0.02 + 0.01j))
    feet, _ = hold(BENT, lock, STANCE)
    assert np.abs(feet - first - (0.01, 0.0, 0.02)).max() < 1e-9


def test_a_frame_that_travels_sees_the_same() -> None:
    """A pose at the origin seen from a frame at (x 3, z 1) that faces left is held where the frame has it."""
    lock, (positions, rotations) = BENT.lock(), BENT.pose
    targets = forward(BENT.skeleton, positions, rotations)[0][:, BENT.anatomy.feet]
    feet, heights = to_complex(targets), targets[..., 1]
    place, left = np.array([1.0 + 3.0j]), np.array([1.0j])
    lock.reset(place[:, None] + feet * 1j)
    before = rotations.copy()
    lock.hold(positions, rotations, STANCE, feet, heights, place, left, 1 / 60)
    assert np.abs(rotations - before).max() < 1e-9
    lock.hold(positions, rotations, STANCE, feet, heights, place + 0.05j, left, 1 / 60)
    held = to_complex(forward(BENT.skeleton, positions, rotations)[0][:, BENT.anatomy.feet])
    assert np.abs(held - (feet - 0.05)).max() < 1e-9


def test_limits_are_those_of_the_samples() -> None:
    extensions = np.array([[0.93, 0.80, 0.97, 0.95], [0.95, 0.85, 0.999, 0.90]])
    stands = np.array([[True, True, True, True], [False, True, False, True]])
    limits = limits_of(BENT.tree, extensions, stands)
    assert limits.stance == pytest.approx([0.933, 0.9, 0.98, 0.96])
    assert limits.swing == pytest.approx([0.952, 0.95, 0.998, 0.952])
    assert limits_of(BENT.tree, extensions).stance == pytest.approx([0.953, 0.9, 0.99, 0.96])


@pytest.mark.parametrize("built", [BENT, rig(PANTOGRAPH, PANTOGRAPH, detached=True)], ids=["attached", "detached"])
@pytest.mark.parametrize("ahead", [0.0, 0.1, 1.5])
def test_where_feet_were_put_is_known_as_far_as_legs_reach(built: Rig, ahead: float) -> None:
    lock = started(built)
    hold(built, lock, STANCE)
    feet, _ = hold(built, lock, np.array([[0.5, 0.5, 1.4, 0.5]]), ahead=ahead, up=0.01)
    off = np.abs(to_complex(feet) - lock.state.placed[0])
    assert lock.state.reached.all() == (ahead < 0.5)
    assert off[lock.state.reached[0]].max(initial=0.0) < 1e-12
