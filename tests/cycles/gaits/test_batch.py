"""The controller `gaits`: goes where and how it is told, keeps its feet, changes gaits from any phase, performs."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import pytest

import canter
from canter import Command, State
from canter.anatomy import Character, understand
from canter.control import BatchCommand, Controller
from canter.control.world import Rolling, Slope, World
from canter.cycles.engine.gait_graph import gait_graph
from canter.cycles.engine.library import fastest_joints
from canter.cycles.gaits.batch import BatchGaits
from canter.evaluation.cycles.figures import CALM, ride
from canter.evaluation.cycles.topic import _change
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.kinematics import forward
from canter.motion.metrics import stance_slip
from canter.synthetic import synthetic_rig

ANIMALS = ("horse", "dog", "turtle")


@lru_cache
def animal(name: str) -> Character:
    return canter.load(name)


def drive(gaits: Controller, seconds: float, command: Command) -> list[State]:
    return [gaits.step(command) for _ in range(round(seconds * gaits.frame_rate))]


def feet(character: Character, states: list[State]) -> Floats:
    positions, rotations = (np.stack([getattr(s.pose, part) for s in states]) for part in ("positions", "rotations"))
    return forward(character.skeleton, positions.astype(float), rotations.astype(float))[0][:, character.anatomy.feet]


def slip(character: Character, states: list[State]) -> float:
    return stance_slip(feet(character, states), np.stack([s.contacts for s in states])).max / 100


def test_the_gait_graph_of_sungs_horse() -> None:
    ranges = gait_graph([7.43, 17.3, 28.7, 34.2])
    assert [high for _, high in ranges[:-1]] == pytest.approx([10.4, 21.6, 31.2], abs=0.05)


@pytest.mark.parametrize("name", ANIMALS)
def test_it_goes_as_fast_and_where_it_is_told(name: str) -> None:
    gaits = animal(name).controller("gaits")
    low = next(iter(gaits.capabilities.gaits.values()))[0]
    speed = low + 0.4 * (gaits.capabilities.speed_range[1] - low)
    states = drive(gaits, 8, Command(speed=speed, heading=0.6))
    assert states[-1].speed == pytest.approx(speed, rel=0.02)
    assert states[-1].facing == pytest.approx(0.6, abs=math.radians(2))
    assert slip(animal(name), states) < 0.005
    assert feet(animal(name), states)[..., 1].min() > -0.01 * animal(name).anatomy.hip_height


@pytest.mark.parametrize("name", ANIMALS)
def test_it_stops_and_stands_on_all_feet(name: str) -> None:
    gaits = animal(name).controller("gaits")
    drive(gaits, 3, Command(speed=0.3 * gaits.capabilities.speed_range[1]))
    states = drive(gaits, 8, Command())
    assert states[-1].gait == "stand"
    assert states[-1].speed < 0.02
    assert states[-1].contacts.all()


@pytest.mark.parametrize("name", ANIMALS)
def test_feet_that_are_put_right_after_a_stop_step_once_and_do_not_drag(name: str) -> None:
    character = animal(name)
    gaits, height = character.controller("gaits"), character.anatomy.hip_height
    drive(gaits, 5.0, Command(speed=1.2 * next(iter(gaits.capabilities.gaits.values()))[0]))
    states = drive(gaits, 7.0, Command())
    stood = next(k for k, state in enumerate(states) if state.gait == "stand")
    places, contacts = feet(character, states[stood:]), np.stack([state.contacts for state in states[stood:]])
    low, steps = places[-1, :, 1], 0
    for leg in range(4):
        edges = np.flatnonzero(np.diff(contacts[:, leg].astype(int))) + 1
        for up, down in zip(edges[::2], edges[1::2], strict=False):
            if contacts[up, leg]:
                continue  # it was in the air before
            steps += 1
            assert places[up:down, leg, 1].max() - low[leg] > 0.02 * height
            assert np.linalg.norm((places[down, leg] - places[up - 1, leg])[[0, 2]]) > 0.015 * height
    assert 1 <= steps <= 4


def test_a_horse_goes_through_its_gaits_as_it_speeds_up() -> None:
    gaits = animal("horse").controller("gaits")
    seen = [state.gait for speed in (1.6, 3.0, 5.5, 10.0) for state in drive(gaits, 3, Command(speed=speed))]
    assert [gait for k, gait in enumerate(seen) if k == 0 or seen[k - 1] != gait] == [
        "stand",
        "walk",
        "trot",
        "canter",
        "gallop",
    ]


def test_a_style_is_a_gait_that_is_asked_for() -> None:
    gaits = animal("dog").controller("gaits")
    assert drive(gaits, 4, Command(speed=1.2, style={"pace": 1.0}))[-1].gait == "pace"


def test_facing_elsewhere_steps_aside_and_back() -> None:
    gaits = animal("dog").controller("gaits")
    aside = drive(gaits, 5, Command(speed=0.3, heading=math.pi / 2, facing=0.0))
    assert aside[-1].gait == "side"
    assert aside[-1].place[0] > 0.8
    back = drive(gaits, 5, Command(speed=0.6, heading=math.pi, facing=0.0))
    assert back[-1].gait == "back"
    assert abs(back[-1].facing) < math.radians(2)


def test_it_turns_on_the_spot() -> None:
    gaits = animal("horse").controller("gaits")
    states = drive(gaits, 6, Command(facing=1.5))
    assert states[-1].facing == pytest.approx(1.5, abs=math.radians(2))
    assert np.hypot(*states[-1].place[[0, 2]]) < 0.05
    assert slip(animal("horse"), states) < 0.01


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [("horse", "walk", "trot"), ("horse", "gallop", "walk"), ("dog", "trot", "pace"), ("dog", "canter", "gallop")],
)
def test_transitions_from_twelve_phases(name: str, before: str, after: str) -> None:
    batch = BatchGaits(animal(name), 12)
    a, b = batch.names.index(before), batch.names.index(after)
    made = _change(batch, a, b)
    limit = np.maximum(
        1.5 * np.maximum(fastest_joints(batch.library.cycles[a]), fastest_joints(batch.library.cycles[b])),
        CALM,
    )
    height = animal(name).anatomy.hip_height
    assert (made.joint_speeds / limit).max() < 1.3, "a joint snaps"
    assert made.drag() < 0.05 * height
    assert made.slip() < 0.012
    assert made.depth() < 0.01 * height


@pytest.mark.parametrize("action", ["sit", "lie", "jump"])
def test_actions_are_entered_from_and_left_to_standing(action: str) -> None:
    gaits = animal("dog").controller("gaits")
    drive(gaits, 2, Command(speed=0.8))
    told = drive(gaits, 9, Command(action=action))
    assert next(event for state in told for event in state.events if event != "clamped") == "started"
    assert action in {state.gait for state in told}
    after = drive(gaits, 8, Command(speed=0.8))
    assert after[-1].gait == "walk"
    places = feet(animal("dog"), told + after)
    assert np.abs(np.diff(places, axis=0)).max() < 0.35, "a foot jumps"
    assert places[..., 1].min() > -0.01


@pytest.mark.parametrize("name", ["dog", "horse"])
def test_a_row_of_a_batch_is_the_animal_alone(name: str) -> None:
    """Also while others sit, jump and climb; every action is asked for in some row."""
    character, world = animal(name), World(Rolling(0.1, 3.0, 1))
    count, chance = 5, np.random.default_rng(4)
    together = BatchGaits(character, count, world=world)
    alone = [BatchGaits(character, 1, world=world) for _ in range(count)]
    actions, top = together.capabilities.actions, together.capabilities.speed_range[1]
    speed, heading, facing = (np.zeros(count) for _ in range(3))
    action, seen = np.full(count, -1), set[str]()
    for frame in range(300):
        anew = chance.random(count) < (1.0 if frame == 0 else 1 / 50)
        speed = np.where(anew, chance.uniform(0, 0.5, count) * top, speed)
        heading = np.where(anew, chance.uniform(-2, 2, count), heading)
        facing = np.where(anew, np.where(chance.random(count) < 0.2, heading + 0.4, np.nan), facing)
        action = np.where(anew, chance.integers(-1, len(actions), count), action)
        state = together.step(BatchCommand.make(speed, heading, facing, action))
        seen |= {state.gait_names[k] for k in state.gait}
        for k, one in enumerate(alone):
            mine = one.step(BatchCommand.make(speed[k], heading[k], facing[k], action[k]))
            assert np.abs(mine.positions[0] - state.positions[k]).max() < 1e-9
            assert np.abs(mine.rotations[0] - state.rotations[k]).max() < 1e-9
            assert {e for e, m in mine.events.items() if m[0]} == {e for e, m in state.events.items() if m[k]}
            assert np.array_equal(mine.contacts[0], state.contacts[k])
    assert len(seen & set(actions)) >= min(2, len(actions)), "something was performed"


def test_some_animals_of_a_batch_can_be_reset() -> None:
    batch, fresh = BatchGaits(animal("dog"), 3), BatchGaits(animal("dog"), 1)
    command = BatchCommand.make(np.array([2.0, 1.0, 0.0]), 0.4, action=np.array([-1, -1, 1]))
    for _ in range(90):
        before = batch.step(command)
    state = batch.reset(who=np.array([False, True, False]))
    assert np.abs(state.positions[1] - fresh.reset().positions[0]).max() < 1e-12
    assert np.array_equal(state.positions[[0, 2]], before.positions[[0, 2]])
    assert np.abs(state.place[1]).max() == 0
    assert np.abs(state.trajectory.positions[1]).max() == 0, "it has always been there"
    for _ in range(60):
        state = batch.step(command)
        mine = fresh.step(BatchCommand.make(1.0, 0.4))
    assert np.abs(state.positions[1] - mine.positions[0]).max() < 1e-9
    assert state.gait_names[state.gait[2]] == "sit"


def test_a_reset_of_some_leaves_what_is_reported_of_the_others() -> None:
    batch = BatchGaits(animal("dog"), 2, world=World.rolling())
    for _ in range(60):
        before = batch.step(BatchCommand.make(np.array([2.0, 1.0]), 1.2))
    state = batch.reset(who=np.array([False, True]))
    for name in ("place", "velocity_world", "facing"):
        np.testing.assert_allclose(getattr(state, name)[0], getattr(before, name)[0], atol=1e-12)


def test_a_batch_refuses_another_number_of_commands() -> None:
    with pytest.raises(ValueError, match="2 commands for 3 animals"):
        BatchGaits(animal("turtle"), 3).step(BatchCommand.still(2))


def test_the_same_commands_give_the_same_frames() -> None:
    gaits = animal("horse").controller("gaits")
    first = drive(gaits, 3, Command(speed=4.0, heading=0.5))[-1].pose.rotations
    gaits.reset()
    again = drive(gaits, 3, Command(speed=4.0, heading=0.5))[-1].pose.rotations
    assert np.array_equal(first, again)


def test_too_much_speed_is_clamped_and_told() -> None:
    gaits = animal("turtle").controller("gaits")
    assert "clamped" in gaits.step(Command(speed=5.0)).events


@pytest.mark.parametrize("terrain", [Slope(), Rolling()], ids=["slope", "rolling"])
def test_feet_follow_the_ground(terrain: Slope | Rolling) -> None:
    world = World(terrain)
    gaits = animal("dog").controller("gaits", world=world)
    states = drive(gaits, 5, Command(speed=0.9, heading=0.4))
    places, contacts = feet(animal("dog"), states), np.stack([s.contacts for s in states])
    above = places[..., 1] - world.height(places[..., [0, 2]])
    assert np.abs(above[contacts]).max() < 0.01
    assert slip(animal("dog"), states) < 0.005


@pytest.mark.parametrize("shape", ["detached_feet", "extra_root", "digits"])
def test_odd_rigs_are_driven(shape: str) -> None:
    character = understand(synthetic_rig(2, body="dog", plain=True, **{shape: True}).asset)
    gaits = character.controller("gaits")
    states = drive(gaits, 4, Command(speed=0.4 * gaits.capabilities.speed_range[1]))
    assert states[-1].speed == pytest.approx(0.4 * gaits.capabilities.speed_range[1], rel=0.05)
    assert slip(character, states) < 0.03 * character.anatomy.hip_height


def test_a_batch_under_random_commands_stays_sane() -> None:
    dice, batch = np.random.default_rng(0), BatchGaits(animal("dog"), 16)
    orders = np.zeros(16), np.zeros(16)

    def order(frame: int) -> tuple[Floats, Floats, Floats, Floats]:
        nonlocal orders
        if frame % 45 == 0:
            orders = dice.uniform(0, batch.choice.fastest, 16) * (dice.random(16) > 0.2), dice.uniform(-3, 3, 16)
        return *orders, np.full(16, np.nan), np.full(16, -1)

    made = ride(batch, 600, order)
    assert np.isfinite(made.positions).all()
    assert made.depth() < 0.01 * animal("dog").anatomy.hip_height


@pytest.mark.parametrize(("name", "gait"), [("horse", "trot"), ("horse", "gallop"), ("dog", "walk"), ("dog", "canter")])
def test_a_steady_gait_is_that_of_its_cycle(name: str, gait: str) -> None:
    """What helps legs in transitions leaves those alone that need no help."""
    batch = BatchGaits(animal(name))
    which = batch.names.index(gait)
    asked, worst = np.array([which]), 0.0
    command = batch.asking(batch.strides.laws.speeds[[which]], np.zeros(1), np.full(1, np.nan), asked)
    for frame in range(420):
        state = batch.step(command)
        if frame > 360:
            timing = batch.timing
            phases = np.concatenate([timing.phases[:, which], timing.body_phases[:, [which]]], axis=1)
            own = rot.unit(batch.library.sample(asked, phases)[1])
            worst = max(worst, float(rot.angle(rot.multiply(rot.conjugate(own), state.rotations)).max()))
    assert np.degrees(worst) < 4


def test_nobody_gallops_sideways() -> None:
    gaits = animal("horse").controller("gaits")
    states = drive(gaits, 4, Command(speed=9.0, heading=math.pi / 2, facing=0.0))
    assert "clamped" in states[0].events
    assert 0.5 < states[-1].speed < 1.5
    assert states[-1].velocity_world[0] > 0.5
    straight = drive(gaits, 1, Command(speed=5.0, heading=0.0, facing=0.0))
    assert not any("clamped" in state.events for state in straight)
