"""Every action of every shipped animal: feet that stand, a clear ground, joints bent the right way, free fall."""

from __future__ import annotations

import numpy as np
import pytest

from canter.animals.dog.actions import JUMP
from canter.animals.generator.actions import generate_action
from canter.animals.horse.actions import LEAP
from canter.body.skinning import posed_vertices
from canter.motion import rotations as rot

from .loaded import animal, places

ACTIONS = [("dog", name) for name in ("idle", "sit", "lie", "upright", "jump")] + [("horse", "leap")]
HELD = [("dog", name) for name in ("idle", "sit", "lie", "upright")]
FLYING = [("dog", JUMP), ("horse", LEAP)]


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


@pytest.mark.parametrize("index", [0, 1])
def test_the_centre_of_mass_falls_freely(index: int) -> None:
    name, row = FLYING[index]
    assert row.flight is not None
    standing = animal(name).standing
    world = places(generate_action(standing, row, 240.0))
    first, last = (round(at * 240) for at in row.flight)
    push = np.diff(standing.centre_of_mass(world)[first : last + 1], 2, axis=0)[3:-3] * 240**2
    assert push[:, 1] == pytest.approx(-9.81, rel=0.1)
    assert np.abs(push[:, [0, 2]]).max() < 1.0


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
