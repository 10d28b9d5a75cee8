"""The shipped animals: every gait is what its row says, at every speed, without faults, and generated on first use."""

from __future__ import annotations

import numpy as np
import pytest

import canter
from canter.anatomy.footfalls import read_footfalls
from canter.animals.animal import Animal, make_animal
from canter.animals.dog.skeleton import DOG
from canter.animals.generator.gait_rows import footfall_name
from canter.evaluation.animals.figures import depth, joint_angles, pops, sample, slip, stride_differences
from canter.motion import rotations as rot
from canter.motion.metrics import loop_closure

from .loaded import animal

BENDS = {"elbow": (50, 176), "stifle": (40, 176), "hock": (70, 176), "shoulder": (40, 165)}
"""Degrees between which joints of a mammal's leg stay; 180 is straight."""


GAITS = [(name, row.name) for name in ("horse", "dog", "turtle") for row in animal(name).rows]


@pytest.mark.parametrize(("name", "gait"), GAITS)
def test_footfalls_alone_tell_every_gait(name: str, gait: str) -> None:
    assert animal(name).clip(gait).footfalls.gait == footfall_name(gait)


@pytest.mark.parametrize(("name", "gait"), GAITS)
def test_a_cycle_goes_at_its_speed(name: str, gait: str) -> None:
    row, footfalls = animal(name).row(gait), animal(name).clip(gait).footfalls
    if row.speed:
        assert footfalls.speed == pytest.approx(abs(row.speed), rel=0.01)
    assert footfalls.stride_seconds == pytest.approx(1 / row.frequency, rel=0.02)


@pytest.mark.parametrize(("name", "gait"), GAITS)
@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 1.0])
def test_every_speed_is_sound(name: str, gait: str, share: float) -> None:
    who, (low, high) = animal(name), animal(name).row(gait).speeds
    stride = sample(who, gait, low + share * (high - low))
    assert slip(stride).value < 0.3, "a foot slides"
    assert depth(stride).value < 0.2, "a foot is in the ground"
    for leg in range(0 if who.standing.sprawls else 4):
        for joint, angle in joint_angles(stride, leg).items():
            least, most = BENDS.get(joint, (-360, 720))
            assert angle.min() > least, f"the {joint} folds too far"
            assert angle.max() < most, f"the {joint} bends the wrong way"


@pytest.mark.parametrize(("name", "gait"), GAITS)
def test_nothing_pops(name: str, gait: str) -> None:
    assert pops(sample(animal(name), gait)).value < 3


@pytest.mark.parametrize(("name", "gait"), GAITS)
def test_strides_of_a_ride_differ_a_little_and_close_exactly(name: str, gait: str) -> None:
    who = animal(name)
    apart = stride_differences(who, gait, 6, seed=3) / who.anatomy.hip_height
    assert apart.min() > 0.01
    assert apart.max() < 0.04
    ride, again, other = (who.cycle(gait, strides=3, seed=seed) for seed in (5, 5, 6))
    assert np.array_equal(ride.rotations, again.rotations)
    assert not np.allclose(ride.rotations, other.rotations)
    assert rot.difference(ride.rotations[0], ride.rotations[-1])[1:].max() < 1e-6


@pytest.mark.parametrize(("name", "gait"), GAITS)
@pytest.mark.parametrize("frame_rate", [24.0, 60.0, 100.0])
def test_cycles_close_exactly_at_any_frame_rate(name: str, gait: str, frame_rate: float) -> None:
    motion = animal(name).cycle(gait, frame_rate=frame_rate)
    turn = np.radians(animal(name).row(gait).turn) * motion.seconds
    root = motion.position_world[:, 0]
    track = (root * [1, 0, 1], np.linspace(0, turn, len(motion)))
    assert max(loop_closure(motion, track=track)) < 1e-6
    assert motion.frame_rate == pytest.approx(frame_rate, rel=0.06)


def test_speed_is_a_parameter() -> None:
    horse = animal("horse")
    slow, fast = (read_footfalls(horse.cycle("trot", speed=v), horse.anatomy).footfalls for v in (2.4, 4.2))
    assert slow.speed == pytest.approx(2.4, rel=0.01)
    assert fast.speed == pytest.approx(4.2, rel=0.01)
    assert fast.gait == slow.gait == "trot"
    assert fast.stride_length > slow.stride_length
    assert np.mean(list(fast.duty.values())) < np.mean(list(slow.duty.values()))


def test_a_speed_outside_the_range_is_refused_with_the_range() -> None:
    with pytest.raises(ValueError, match=r"2\.1 to 5\.5 m/s"):
        animal("horse").cycle("trot", speed=9.0)


def test_an_unknown_gait_names_those_there_are() -> None:
    with pytest.raises(KeyError, match="walk"):
        animal("dog").cycle("tölt")


def test_detection_agrees_with_the_table() -> None:
    for name in ("horse", "dog"):
        who = animal(name)
        found = canter.understand(canter.Asset(who.skeleton, tuple(c.motion for c in who.clips), source=name)).anatomy
        assert found.feet == who.anatomy.feet
        assert found.head == who.anatomy.head


def test_a_row_for_other_legs_is_refused() -> None:
    with pytest.raises(ValueError, match="dog trot: no fetlock to bend; there are scapula, shoulder, elbow, carpus"):
        make_animal(DOG, (animal("horse").row("trot"),))


# Made when asked for -----------------------------------------------------------------------------


def test_an_animal_loads_without_making_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    from canter.animals import animal as room

    made: list[str] = []
    for name in ("generate", "generate_stand", "generate_action"):
        original = getattr(room, name)
        monkeypatch.setattr(
            room, name, lambda *a, __make=original, **k: made.append(__make.__name__) or __make(*a, **k)
        )
    dog = canter.load("dog")
    assert isinstance(dog, Animal)
    assert len(dog.clips) == len(dog.rows) + 1 + len(dog.actions)
    assert made == []
    assert dog.clip("trot").footfalls.gait == "trot"
    assert dog.clip("trot") is dog.clips[4]
    assert made == ["generate"]
    assert dog.clip("sit").motion is dog.action("sit").motion
    assert made == ["generate", "generate_action"]
    with pytest.raises(KeyError, match="no clip is called 'fly'; there are stand, walk"):
        dog.clip("fly")


@pytest.mark.parametrize("name", ["horse", "dog", "turtle"])
def test_cycles_are_called_what_their_footfalls_tell(name: str) -> None:
    from canter.cycles.gaits.batch import gait_cycles

    found = canter.load(name)
    cycles, names = gait_cycles(found)
    for cycle, called in zip(cycles, names, strict=True):
        if not cycle.is_mirror_image:
            assert cycle.gait == found.clip(called).footfalls.gait
    assert gait_cycles(found)[0] is cycles
