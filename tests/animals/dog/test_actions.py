"""The dog's actions against the measured dog: postures and times (10th to 90th percentile), and its jump."""

from __future__ import annotations

import numpy as np
import pytest

from canter.animals.dog.actions import JUMP
from canter.animals.generator.actions import generate_action
from canter.motion.arrays import Floats

from ..loaded import animal, places, trunk_pitch


def height(action: str, part: str) -> Floats:
    """Heights `(T,)` over the action of the pelvis ("root") or of the tops of the scapulae ("withers")."""
    anatomy = animal("dog").anatomy
    joints = [anatomy.spine[0]] if part == "root" else [leg.joints[0] for leg in anatomy.legs[:2]]
    result: Floats = places(animal("dog").action(action))[:, joints, 1].mean(axis=1)
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


def flight() -> tuple[Floats, Floats]:
    """Centre of mass and positions `(T, ...)` of the jump while no foot is down, at 240 frames per second."""
    assert JUMP.flight is not None
    standing = animal("dog").standing
    world = places(generate_action(standing, JUMP, 240.0))
    first, last = (round(at * 240) for at in JUMP.flight)
    return standing.centre_of_mass(world)[first : last + 1], world[first : last + 1]


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
        curve = height(action, part)
        assert low < np.median(curve[middle]) / curve[0] < high, part
    world = places(made)
    assert (
        pitch[0]
        < np.median(trunk_pitch(animal("dog"), world)[middle]) - trunk_pitch(animal("dog"), world[:1])[0]
        < pitch[1]
    )


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
    centre = dog.standing.centre_of_mass(places(made))[held, 2]
    toes = places(made)[held][:, dog.anatomy.feet[2:], 2]
    assert np.abs(centre - toes.mean(axis=1)).max() < 0.1


@pytest.mark.parametrize(
    ("action", "enter", "leave"),
    [("sit", (0.42, 0.72), (0.40, 0.68)), ("lie", (0.55, 0.85), (0.39, 0.85))],
)
def test_transitions_take_their_time(action: str, enter: tuple[float, float], leave: tuple[float, float]) -> None:
    made, curve = animal("dog").action(action), height(action, "root")
    assert made.hold is not None
    assert enter[0] < transition(curve[: made.hold[0]]) < enter[1]
    assert leave[0] < transition(curve[made.hold[1] :]) < leave[1]


def test_the_dog_jumps_as_far_and_as_high_as_the_measured_one() -> None:
    """Measured at hips of 0.38 m: 0.36 s, a rise of 0.14 m and 0.84 m in the air, lengths scale with hip height."""
    centre, world = flight()
    bigger = animal("dog").anatomy.hip_height / 0.38
    assert len(centre) / 240 == pytest.approx(0.36 * np.sqrt(bigger), rel=0.1)
    assert centre[:, 1].max() - centre[0, 1] == pytest.approx(0.14 * bigger, rel=0.15)
    assert centre[-1, 2] - centre[0, 2] == pytest.approx(0.84 * bigger, rel=0.15)
    pitch = trunk_pitch(animal("dog"), world)
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
    withers = height("jump", "withers")
    low = 78 + int(np.argmin(withers[78:100]))
    assert withers[low] < 0.75 * withers[0]
    assert angle("jump", low, *fore) < 70
    head = world[:, dog.skeleton.index("HeadTip"), 1] - world[:, dog.skeleton.index("Head"), 1]
    assert head[81] < head[0] - 0.05, "it looks at where it lands"
