"""Actions of the animals: postures and times as measured, feet that stand, a clear ground, free fall in flight."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

import canter
from canter.animals.animal import Animal
from canter.animals.dog.actions import JUMP
from canter.animals.generator.actions import Action, generate_action, smooth_track
from canter.animals.generator.reach import reach_of, solve
from canter.animals.horse.actions import LEAP
from canter.body.mass import centre_of_mass, masses
from canter.body.quality import posed_vertices
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

ACTIONS = [("dog", name) for name in ("idle", "sit", "lie", "upright", "jump")] + [("horse", "leap")]
HELD = [("dog", name) for name in ("idle", "sit", "lie", "upright")]
FLYING = [("dog", JUMP), ("horse", LEAP)]


@lru_cache
def animal(name: str) -> Animal:
    found = canter.load(name)
    assert isinstance(found, Animal)
    return found


def places(action: Action) -> Floats:
    return action.motion.position_world.astype(np.float64)


def height(name: str, action: str, part: str) -> Floats:
    """Heights over the action of the pelvis ("root") or of the tops of the scapulae ("withers")."""
    anatomy = animal(name).anatomy
    joints = [anatomy.spine[0]] if part == "root" else [leg.joints[0] for leg in anatomy.legs[:2]]
    result: Floats = places(animal(name).action(action))[:, joints, 1].mean(axis=1)
    return result


def trunk_pitch(name: str, world: Floats) -> Floats:
    """Degrees by which the withers are above the pelvis."""
    anatomy = animal(name).anatomy
    line = world[:, [leg.joints[0] for leg in anatomy.legs[:2]]].mean(axis=1) - world[:, anatomy.spine[0]]
    result: Floats = np.degrees(np.arctan2(line[:, 1], line[:, 2]))
    return result


def angle(action: str, frame: int, *joints: str) -> float:
    """The angle at the second of three joints, in degrees."""
    dog = animal("dog")
    a, b, c = (places(dog.action(action))[frame, dog.skeleton.index(joint)] for joint in joints)
    cosine = np.dot(a - b, c - b) / np.linalg.norm(a - b) / np.linalg.norm(c - b)
    return float(np.degrees(np.arccos(cosine)))


def transition(values: Floats) -> float:
    """Seconds from 10 to 90 % of the way from the first value to the last."""
    share = (values - values[0]) / (values[-1] - values[0])
    return float(np.argmax(share > 0.9) - np.argmax(share > 0.1)) / 60


# All actions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "action"), ACTIONS)
def test_an_action_begins_and_ends_standing_at_rest(name: str, action: str) -> None:
    who = animal(name)
    world, standing = places(who.action(action)), who.standing.places
    for frame, beside in ((0, 1), (-1, -2)):
        travel = (world[frame, 0] - standing[0]) * [1, 0, 1]
        assert np.abs(world[frame] - standing - travel).max() < 1e-3
        assert np.abs(world[frame] - world[beside]).max() < 1e-3


@pytest.mark.parametrize(("name", "action"), ACTIONS)
def test_standing_feet_stay_where_they_are(name: str, action: str) -> None:
    who = animal(name)
    made = who.action(action)
    feet = places(made)[:, who.anatomy.feet][..., [0, 2]]
    for leg in range(4):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], made.contacts[:, leg].astype(int), [0]])))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            slip = np.linalg.norm(feet[start:end, leg] - feet[start, leg], axis=-1).max()
            assert slip < 0.003, f"{who.anatomy.legs[leg].name} slides {100 * slip:.1f} cm after {start / 60:.2f} s"


@pytest.mark.parametrize(("name", "action"), ACTIONS)
def test_no_joint_is_in_the_ground_and_the_skin_hardly(name: str, action: str) -> None:
    who = animal(name)
    made = who.action(action)
    assert places(made)[..., 1].min() > -0.002
    (skin,) = who.skins
    lowest = [
        posed_vertices(skin, who.skeleton, made.motion.pose(f))[:, 1].min() for f in range(0, len(made.motion), 10)
    ]
    assert min(lowest) > -0.01


@pytest.mark.parametrize(("name", "action"), ACTIONS)
def test_joints_bend_the_right_way(name: str, action: str) -> None:
    """Elbows point back, stifles forward and hocks back, however the leg is folded."""
    who = animal(name)
    world = places(who.action(action))
    bends = {"elbow": 1, "stifle": -1, "hock": 1}
    for leg, roles in zip(who.anatomy.legs, who.standing.roles, strict=True):
        steps = np.diff(world[:, list(leg.joints)], axis=1)
        angles = np.unwrap(np.arctan2(steps[..., 2], -steps[..., 1]), axis=0)
        for k, role in enumerate(roles):
            if role in bends:
                bend = bends[role] * (angles[:, k] - angles[:, k - 1])
                assert bend.min() > 0, f"{leg.name} {role}"
                assert bend.max() < np.pi, f"{leg.name} {role}"


@pytest.mark.parametrize(("name", "action"), ACTIONS)
def test_nothing_pops(name: str, action: str) -> None:
    """No segment jerks: accelerations change from frame to frame by no more than a short quick motion needs."""
    who = animal(name)
    turns = who.action(action).motion.rotation_world.astype(np.float64)
    spin = rot.log(rot.multiply(rot.conjugate(turns[:-1]), turns[1:])) * 60
    change = np.linalg.norm(np.diff(spin, axis=0), axis=-1) * 60
    inner = np.flatnonzero(~who.skeleton.end_sites)
    speed = np.linalg.norm(spin, axis=-1)[:, inner].max(axis=0)
    # A minimum-jerk turn at peak speed v that takes 0.1 s accelerates with 3.1 v / 0.1 s.
    assert np.all(change[:, inner].max(axis=0) < 5 + 50 * speed)


@pytest.mark.parametrize(("name", "action"), HELD)
def test_a_hold_can_be_looped(name: str, action: str) -> None:
    made = animal(name).action(action)
    assert made.hold is not None
    first, last = made.hold
    world = places(made)
    assert made.enter == (0, first)
    assert made.leave == (last, len(made.motion) - 1)
    assert np.abs(world[first] - world[last]).max() < 1e-3
    assert np.abs((world[first + 1] - world[first]) - (world[last + 1] - world[last])).max() < 1e-3
    assert np.ptp(world[first : last + 1, animal(name).anatomy.head or 0], axis=0).max() > 0.01, "it is dead"


@pytest.mark.parametrize(("name", "action"), HELD)
def test_a_held_pose_breathes_and_looks_about(name: str, action: str) -> None:
    who = animal(name)
    made = who.action(action)
    assert made.hold is not None
    turns = made.motion.rotation_world[slice(*made.hold)].astype(np.float64)
    moved = np.degrees(rot.angle(rot.multiply(rot.conjugate(turns[:1]), turns))).max(axis=0)
    assert who.anatomy.head is not None
    assert moved[who.anatomy.spine[-1]] > 1
    assert moved[who.anatomy.head] > 15
    assert moved[who.anatomy.tail[-1]] > 8


@pytest.mark.parametrize(("name", "action"), HELD)
def test_two_feet_always_stand(name: str, action: str) -> None:
    assert animal(name).action(action).contacts.sum(axis=1).min() >= 2


def test_clips_have_the_actions() -> None:
    assert [action.name for action in animal("dog").actions] == ["idle", "sit", "lie", "upright", "jump"]
    assert animal("dog").clip("sit").footfalls.gait == "action"
    assert animal("dog").clip("idle").footfalls.gait == "stand"
    assert animal("horse").clip("leap").footfalls.gait == "action"
    with pytest.raises(KeyError, match="leap"):
        animal("horse").action("sit")


# Postures and times of the measured dog, 10th to 90th percentile ----------------------------------


@pytest.mark.parametrize(
    ("action", "root", "withers", "pitch"),
    [
        ("sit", (0.08 / 0.47, 0.122 / 0.47), (0.33 / 0.41, 0.355 / 0.41), (41, 52)),
        ("lie", (0.14 / 0.47, 0.18 / 0.47), (0.13 / 0.41, 0.15 / 0.41), (-1, 11)),
    ],
)
def test_postures_are_those_of_the_measured_dog(
    action: str, root: tuple[float, float], withers: tuple[float, float], pitch: tuple[float, float]
) -> None:
    """Heights over standing, and how much further the trunk is pitched up than standing."""
    made = animal("dog").action(action)
    assert made.hold is not None
    middle = slice(*made.hold)
    for part, (low, high) in (("root", root), ("withers", withers)):
        curve = height("dog", action, part)
        assert low < np.median(curve[middle]) / curve[0] < high, part
    world = places(made)
    assert pitch[0] < np.median(trunk_pitch("dog", world)[middle]) - trunk_pitch("dog", world[:1])[0] < pitch[1]


def test_a_sitting_dog_has_its_hind_legs_folded_on_their_hocks() -> None:
    dog = animal("dog")
    frame = 120
    assert angle("sit", frame, "LeftUpLeg", "LeftLeg", "LeftFoot") == pytest.approx(19, abs=8)
    assert angle("sit", frame, "LeftLeg", "LeftFoot", "LeftFootTip") == pytest.approx(70, abs=15)
    assert places(dog.action("sit"))[frame, dog.skeleton.index("LeftFoot"), 1] < 0.08


def test_a_begging_dog_stands_on_its_hind_feet_with_its_weight_over_them() -> None:
    dog = animal("dog")
    made = dog.action("upright")
    assert made.hold is not None
    held = slice(*made.hold)
    assert not made.contacts[held, :2].any()
    assert made.contacts[held, 2:].all()
    centre = centre_of_mass(dog.standing, places(made))[held, 2]
    toes = places(made)[held][:, dog.anatomy.feet[2:], 2]
    assert np.abs(centre - toes.mean(axis=1)).max() < 0.1


@pytest.mark.parametrize(
    ("action", "enter", "leave"),
    [("sit", (0.42, 0.72), (0.40, 0.68)), ("lie", (0.55, 0.85), (0.39, 0.85))],
)
def test_transitions_take_their_time(action: str, enter: tuple[float, float], leave: tuple[float, float]) -> None:
    made, curve = animal("dog").action(action), height("dog", action, "root")
    assert made.hold is not None
    assert enter[0] < transition(curve[: made.hold[0]]) < enter[1]
    assert leave[0] < transition(curve[made.hold[1] :]) < leave[1]


# Flight ------------------------------------------------------------------------------------------


@lru_cache
def flight(index: int) -> tuple[Floats, Floats]:
    """Centre of mass and places `(T, ...)` while no foot is down, at 240 frames a second."""
    name, row = FLYING[index]
    assert row.flight is not None
    world = generate_action(animal(name).standing, row, 240.0).motion.position_world.astype(np.float64)
    first, last = (round(at * 240) for at in row.flight)
    return centre_of_mass(animal(name).standing, world)[first : last + 1], world[first : last + 1]


@pytest.mark.parametrize("index", [0, 1])
def test_the_centre_of_mass_falls_freely(index: int) -> None:
    centre, _ = flight(index)
    push = np.diff(centre, 2, axis=0)[3:-3] * 240**2
    assert push[:, 1] == pytest.approx(-9.81, rel=0.1)
    assert np.abs(push[:, [0, 2]]).max() < 1.0


def test_the_dog_jumps_as_far_and_as_high_as_the_measured_one() -> None:
    """Measured at hips of 0.38 m: 0.36 s, a rise of 0.14 m and 0.84 m in the air, lengths scale with hip height."""
    centre, world = flight(0)
    bigger = animal("dog").anatomy.hip_height / 0.38
    assert len(centre) / 240 == pytest.approx(0.36 * np.sqrt(bigger), rel=0.1)
    assert centre[:, 1].max() - centre[0, 1] == pytest.approx(0.14 * bigger, rel=0.15)
    assert centre[-1, 2] - centre[0, 2] == pytest.approx(0.84 * bigger, rel=0.15)
    pitch = trunk_pitch("dog", world)
    assert pitch[0] == pytest.approx(25, abs=5)
    assert pitch[np.argmax(centre[:, 1])] == pytest.approx(-4, abs=5)
    assert pitch[-1] == pytest.approx(-40, abs=6)


def test_the_jumping_dog_drives_tucks_and_absorbs() -> None:
    """Hind legs are long as they leave, all feet are tucked at the top, and the chest sinks over bent elbows."""
    hind, fore = ("LeftUpLeg", "LeftLeg", "LeftFoot"), ("LeftArm", "LeftForeArm", "LeftHand")
    assert angle("jump", 57, *hind) > 120
    dog = animal("dog")
    world = places(dog.action("jump"))
    assert world[69, dog.anatomy.feet, 1].min() > 0.8 * dog.anatomy.hip_height
    withers = height("dog", "jump", "withers")
    low = 78 + int(np.argmin(withers[78:100]))
    assert withers[low] < 0.75 * withers[0]
    assert angle("jump", low, *fore) < 70
    head = world[:, dog.skeleton.index("HeadTip"), 1] - world[:, dog.skeleton.index("Head"), 1]
    assert head[81] < head[0] - 0.05, "it looks at where it lands"


@pytest.mark.parametrize(("name", "action"), [("dog", "jump"), ("horse", "leap")])
def test_left_and_right_are_not_twins(name: str, action: str) -> None:
    contacts = animal(name).action(action).contacts
    for left, right in ((0, 1), (2, 3)):
        for side in (np.diff(contacts[:, [left, right]].astype(int), axis=0) == change for change in (-1, 1)):
            apart = np.flatnonzero(side[:, 0]) - np.flatnonzero(side[:, 1])
            assert np.all(np.abs(apart) >= 2)


@pytest.mark.parametrize(("name", "action"), [("dog", "jump"), ("horse", "leap")])
def test_the_forehand_leaves_first_and_lands_first(name: str, action: str) -> None:
    contacts = animal(name).action(action).contacts
    air = np.flatnonzero(~contacts.any(axis=1))
    assert len(air) > 15
    leaves = [np.flatnonzero(contacts[: air[0], leg])[-1] for leg in range(4)]
    lands = [int(air[0]) + int(np.argmax(contacts[air[0] :, leg])) for leg in range(4)]
    assert max(leaves[:2]) < min(leaves[2:])
    assert max(lands[:2]) < min(lands[2:])


# The engine --------------------------------------------------------------------------------------


def test_a_track_goes_through_still_and_smoothly() -> None:
    time = np.linspace(0, 2, 481)
    curve = smooth_track("0:0 .5:0 1.5:10 2:10", time, 0.1)
    assert curve[time <= 0.4] == pytest.approx(0)
    assert curve[time >= 1.6] == pytest.approx(10)
    assert np.all(np.diff(curve) >= -1e-9)
    assert np.abs(np.diff(curve, 3)).max() * 240**3 < 3000


@pytest.mark.parametrize("name", ["dog", "horse"])
@pytest.mark.parametrize("leg", range(4))
def test_a_leg_reaches_whatever_is_within_reach(name: str, leg: int) -> None:
    reach = reach_of(animal(name).standing, leg)
    bends = np.tile(reach.rest_bends, (50, 1))
    size = reach.lengths[reach.first : reach.held].sum()
    dice = np.random.default_rng(leg)
    aims = rot.exp(dice.uniform(-1, 1, (50, 3)) * [0.8, 0.2, 0.2])
    wanted = rot.rotate(aims, np.array([0.0, -1.0, 0.0])) * size * dice.uniform(0.55, 0.88, (50, 1))
    turns = solve(reach, bends, wanted)
    reached = rot.rotate(turns, reach.bones[reach.first : reach.held]).sum(axis=1)
    assert np.abs(reached - wanted).max() < 1e-6


def test_the_masses_are_shares() -> None:
    for name in ("dog", "horse"):
        assert masses(animal(name).standing).sum() == pytest.approx(1)


def test_an_action_is_the_same_at_other_frame_rates() -> None:
    dog = animal("dog")
    slow = generate_action(dog.standing, replace(JUMP, hums=()), 30.0)
    assert slow.motion.frame_rate == 30
    assert np.abs(places(slow) - places(dog.action("jump"))[::2]).max() < 0.02


def test_a_joint_that_is_not_there_is_refused_with_those_that_are() -> None:
    legs = (replace(JUMP.legs[0], bends={"fetlock": "0:0"}), *JUMP.legs[1:])
    with pytest.raises(ValueError, match="LF has no fetlock to bend; there are elbow, carpus"):
        generate_action(animal("dog").standing, replace(JUMP, legs=legs))
