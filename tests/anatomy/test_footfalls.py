"""What the feet of a clip do: speed, gait, phases and duty, travelling and on the spot, whole strides and scraps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from canter.anatomy import Anatomy, Footfalls, understand
from canter.anatomy.footfalls import read_footfalls, strides_of
from canter.anatomy.spans import read_clip
from canter.animals import animal
from canter.motion import Motion, concatenate, resample, transform
from canter.motion import rotations as rot
from canter.motion.arrays import ArrayLike, Floats
from canter.synthetic import EXAMPLE, EXAMPLE_STRIDES, PLAIN, synthetic_rig
from canter.synthetic.dice import Dice
from canter.synthetic.draft import Performance, Take, build
from canter.synthetic.gaits import GAITS, Stride, Track
from canter.synthetic.rig_file import finish

from .animals import dog, on_the_spot

SPEEDS = {"walk": 0.72, "trot": 1.60, "canter": 2.90}
DUTY = {"walk": 0.64, "trot": 0.46, "canter": 0.33}
PHASES = {"walk": (0.25, 0.75, 0.0, 0.5), "trot": (0.48, 0.98, 0.0, 0.5), "canter": (0.22, 0.48, 0.0, 0.20)}


def read(motion: Motion) -> Footfalls:
    return read_footfalls(motion, dog().anatomy).footfalls


def treadmill(gait: str) -> Motion:
    """Four strides in place."""
    return on_the_spot(dog().clip(gait).motion, SPEEDS[gait])


def stride(gait: str, missing: int = 0) -> Motion:
    """One stride in place, without its last frames."""
    four = treadmill(gait)
    return four[: (len(four) - 1) // 4 + 1 - missing]


def held(frames: int) -> Motion:
    return concatenate([dog().clip("walk").motion[:1]] * frames)


@pytest.mark.parametrize("gait", SPEEDS)
def test_travelling(gait: str) -> None:
    found = read(dog().clip(gait).motion)
    assert (found.gait, found.in_place, found.loop) == (gait, False, True)
    assert found.speed == pytest.approx(SPEEDS[gait], rel=0.01)
    np.testing.assert_allclose(list(found.duty.values()), DUTY[gait], atol=0.04)
    off = np.array(list(found.phases.values())) - PHASES[gait]
    np.testing.assert_allclose(off - np.round(off), 0, atol=0.03)
    assert found.stride_length == pytest.approx(found.speed * found.stride_seconds)
    assert found.froude == pytest.approx(found.speed**2 / (9.81 * dog().anatomy.hip_height))
    assert found.skating_cm < 0.5
    assert found.shares == {gait: pytest.approx(1)}


@pytest.mark.parametrize("make", [animal.horse, animal.dog])
@pytest.mark.parametrize("frame_rate", [24.0, 54.0, 120.0, 240.0])
def test_a_gait_keeps_its_name_at_any_frame_rate(make: Callable[[], animal.Animal], frame_rate: float) -> None:
    ours = make()
    names = {"back": "backward"}
    for row in ours.rows:
        fast = row.speeds[1] if row.name == "gallop" else None
        found = read_footfalls(ours.cycle(row.name, fast, frame_rate), ours.anatomy).footfalls
        assert (found.gait, found.loop) == (names.get(row.name, row.name), True)


@pytest.mark.parametrize("gait", SPEEDS)
@pytest.mark.parametrize("missing", [0, 1, 2])
def test_in_place_the_speed_is_recovered(gait: str, missing: int) -> None:
    clip = read_footfalls(stride(gait, missing), dog().anatomy)
    found = clip.footfalls
    assert (found.gait, found.in_place, found.loop) == (gait, True, True)
    assert found.speed == pytest.approx(SPEEDS[gait], rel=0.03)
    assert len(found.contacts) == len(clip.motion) >= len(stride(gait)) - (missing > 1)
    travel = clip.motion.position_world[-1] - clip.motion.position_world[0]
    np.testing.assert_allclose(travel[:, 2], found.speed * clip.motion.seconds, atol=0.05)
    assert found.skating_cm < 0.5


@pytest.mark.parametrize("gait", SPEEDS)
@pytest.mark.parametrize("frames", [9, 12])
@pytest.mark.parametrize("closed", [True, False])
def test_loops_of_a_few_frames(gait: str, frames: int, closed: bool) -> None:
    whole = stride(gait)
    loop = resample(whole, frames / whole.seconds, periodic=True)
    found = read(loop if closed else loop[:-1])
    assert found.gait == gait
    assert found.speed == pytest.approx(SPEEDS[gait], rel=0.05)


def test_a_clip_of_a_stride_and_a_half_is_cut_to_one() -> None:
    clip = read_footfalls(treadmill("walk")[:80], dog().anatomy)
    assert clip.footfalls.gait == "walk"
    assert clip.footfalls.loop
    assert len(clip.motion) == pytest.approx(55, abs=2)


def test_backward_on_the_spot_and_over_ground() -> None:
    for motion in (stride("walk")[::-1], dog().clip("walk").motion[::-1]):
        found = read(motion)
        assert found.gait == "backward"
        assert found.speed == pytest.approx(0.72, rel=0.03)


def test_idle_stands_on_all_fours() -> None:
    sway = 0.01 * np.sin(np.arange(90) / 10)
    found = read(transform(held(90), translation=np.stack([sway, 0 * sway, 0 * sway], axis=-1)))
    assert (found.gait, found.speed) == ("stand", 0.0)
    assert found.contacts.all()
    assert np.isnan(found.stride_seconds)


@pytest.mark.parametrize("far", [0.0, 1.5])
def test_a_jump_is_an_action(far: float) -> None:
    time = np.arange(90) / 60
    flight = np.clip((time - 0.4) / 0.7, 0, 1)
    up, ahead = 1.6 * flight * (1 - flight), far * flight
    found = read(transform(held(90), translation=np.stack([0 * up, up, ahead], axis=-1)))
    assert found.gait == "action"
    assert found.contacts[:20].all()
    assert not found.contacts[40:50].any()


def test_a_turning_walk_is_a_walk() -> None:
    walk = dog().clip("walk").motion
    yaw = np.linspace(0, 1.2, len(walk))
    centre = walk.position_world[:, 0] * [1, 0, 1]
    radius = np.array([2.5, 0, 0])
    path = rot.rotate(rot.yaw(yaw), -radius) + radius
    found = read(transform(transform(walk, translation=-centre), rot.yaw(yaw), path))
    assert found.gait == "walk"
    assert found.loop


def test_mixed_takes_give_their_shares() -> None:
    walk, trot = dog().clip("walk").motion, dog().clip("trot").motion
    end = walk.position_world[-1, 0] - trot.position_world[0, 0]
    take = concatenate([walk[:-1], transform(trot, translation=end * [1, 0, 1])])
    found = read(take)
    assert found.gait == "walk"
    assert set(found.shares) >= {"walk", "trot"}
    assert sum(found.shares.values()) == pytest.approx(1)
    assert {s.gait for s in strides_of(take, dog().anatomy)} == set(found.shares)


@pytest.mark.parametrize("frames", [0, 1, 2])
def test_fewer_than_three_frames_say_nothing(frames: int) -> None:
    found = read(held(3)[:frames])
    assert found.gait == "unknown"
    assert found.contacts.shape == (frames, 4)


def test_a_bind_pose_first_does_not_matter() -> None:
    for clip in ("straight", "closed loop"):
        plain, bound = (
            understand(synthetic_rig(3, plain=True, clip=clip, bind_first=b).asset).clips[0] for b in (False, True)
        )
        assert bound.footfalls.gait == plain.footfalls.gait
        assert bound.footfalls.speed == pytest.approx(plain.footfalls.speed, rel=0.01)
        assert len(bound.motion) == len(plain.motion)


@pytest.mark.parametrize("gait", [g for g in GAITS if "rotary" not in g])
def test_made_up_gaits(gait: str) -> None:
    """Each gait of the generator, in place and over ground: its name (or as runner-up) and its speed."""
    for seed, clip in ((1, "straight"), (2, "strides")):
        rig = synthetic_rig(seed, plain=True, gait=gait, clip=clip, frame_rate="60")
        character = understand(rig.asset)
        found, truth = character.clips[0].footfalls, rig.truth.clips[0]
        assert truth.gait in (found.gait, found.runner_up)
        speed = found.speed / character.anatomy.hip_height
        assert speed == pytest.approx(truth.speed, rel=0.1)
        if truth.style and found.gait in ("canter", "gallop"):
            assert found.sequence == truth.style


def test_a_long_take_is_read_in_linear_time() -> None:
    """Ten minutes at 60 frames a second."""
    walk = dog().clip("trot").motion
    step = walk.position_world[-1, 0] - walk.position_world[0, 0]
    rounds = 36_000 // (len(walk) - 1)
    shift = np.repeat(np.arange(rounds), len(walk) - 1)[:, None] * step
    found = read(transform(concatenate([walk[:-1]] * rounds), translation=shift))
    assert found.gait == "trot"
    assert found.speed == pytest.approx(1.6, rel=0.01)
    assert found.stride_seconds == pytest.approx(0.6, abs=0.02)


WALK = EXAMPLE_STRIDES[0]
BACK = replace(WALK, phases=(0.75, 0.25, 0.0, 0.5), speed=-0.5)
GALLOP = Stride("gallop", "transverse", 0.40, 4.5, 0.26, (0.39, 0.52, 0.0, 0.13), 0.15, 0.03, 0.1, 1, 0.02, 0.09, 0.2)


@dataclass(frozen=True)
class Eight(Track):
    """A circle, and from then on another one to the other side."""

    def at(self, seconds: ArrayLike) -> tuple[Floats, Floats]:
        time = np.asarray(seconds, float)
        once = 2 * np.pi / abs(self.turn * self.speed)
        (points, headings), (others, back) = super().at(time), Track(self.speed, -self.turn).at(time - once)
        return np.where((time > once)[..., None], others, points), np.where(time > once, back, headings)


def motion_of(take: Performance) -> tuple[Motion, Anatomy]:
    """What the example does in a take, beside a walk by which its rig is known; and its anatomy."""
    straight = Take("straight", WALK, Track(WALK.speed), 60.0, np.arange(217) / 60)
    rig = finish(build(EXAMPLE, [straight, take]), Dice(0, {**PLAIN, "end_sites": False}))
    character = understand(replace(rig.asset, metres_per_unit=1.0))
    return character.clips[1].motion, character.anatomy


@pytest.mark.parametrize("track", [Track, Eight])
@pytest.mark.parametrize(("name", "stride", "turn_rate"), [("gallop", GALLOP, 0.6), ("backward", BACK, 0.3)])
def test_circles_are_as_fast_as_they_are_long(name: str, stride: Stride, turn_rate: float, track: type[Track]) -> None:
    """Whole strides, which end in the pose that they began with, round most of a circle or both of an eight."""
    count = 20 if track is Track else round(4 * np.pi / turn_rate / stride.seconds)
    clock = np.arange(round(count * stride.seconds * 60) + 1) / 60
    motion, anatomy = motion_of(Take("round", stride, track(stride.speed, turn_rate / stride.speed), 60.0, clock))
    for found in (read_footfalls(motion, anatomy).footfalls, read_clip(motion, anatomy).footfalls):
        assert found.gait == name
        assert found.speed == pytest.approx(abs(stride.speed), rel=0.01)
        assert found.loop or track is Eight


def test_a_take_that_halts_is_no_loop_though_it_ends_as_it_began() -> None:
    going = np.arange(217) / 60
    clock = np.concatenate([going, np.full(120, going[-1]), going[-1] + going])
    motion, anatomy = motion_of(Take("halt", WALK, Track(WALK.speed), 60.0, clock))
    assert read_footfalls(motion, anatomy).footfalls.loop
    found = read_clip(motion, anatomy).footfalls
    assert [span.label for span in found.spans] == ["walk", "stand", "walk"]
    assert not found.loop
