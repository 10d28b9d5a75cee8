"""Figures of one generated stride: heights, harmonics, joint angles, slip, accelerations, as pure functions.

Angles are those of the sagittal plane: 180 degrees is straight, more is extended past straight (carpus, fetlock).
Phases are cycles after the touchdown of the left hind foot, in uneven gaits of the hind foot that lands first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from canter.anatomy import Anatomy
from canter.animals.animal import Animal
from canter.animals.generator.gait_rows import GaitRow, at_speed
from canter.animals.generator.gaits import travel
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.motion.constants import GRAVITY
from canter.motion.metrics import stance_slip

HARMONICS = 6
"""Harmonics of the centre of mass that its acceleration is computed from."""
JUDGE_RATE_HZ, VIEW_RATE_HZ = 240.0, 60.0
"""Frame rates at which strides are judged: skating and names at MANN's 60, peak accelerations at both, else 240."""
STRAIGHTENS = {"shoulder": 1, "elbow": -1, "carpus": 1, "fetlock": 1, "stifle": 1, "hock": -1}
"""+1 where a joint is straightened as the segment below it swings forward, -1 where it is bent."""


@dataclass(frozen=True, eq=False)
class Sample:
    """One stride of an animal at one speed: its row and its motion, the last frame repeating the first."""

    animal: Animal
    row: GaitRow
    motion: Motion

    @property
    def seconds(self) -> float:
        return 1 / self.row.frequency

    @cached_property
    def places(self) -> Floats:
        """World positions `(T, J, 3)` without the repeated frame."""
        return self.motion.position_world[:-1].astype(np.float64)

    @cached_property
    def heading(self) -> Floats:
        """The rotation `(4,)` of the whole stride about the vertical."""
        return rot.yaw(np.radians(self.row.turn) * self.seconds)

    def onward(self, places: Floats) -> Floats:
        """World positions `(..., 3)` one stride later."""
        first, last = self.motion.position_world[[0, -1], 0]
        result: Floats = last + rot.rotate(self.heading, places - first)
        return result

    @property
    def hips(self) -> float:
        """The mean height of the hip joints in metres."""
        legs = self.animal.anatomy.legs
        return float(self.places[:, [legs[2].hip, legs[3].hip], 1].mean())

    @property
    def froude(self) -> float:
        return self.row.speed**2 / (GRAVITY * self.hips)

    @cached_property
    def phase(self) -> Floats:
        return np.arange(len(self.places)) / len(self.places)

    @property
    def first_hind(self) -> float:
        """The touchdown that phases are counted from."""
        left, right = self.row.touchdowns[2:]
        return right if is_uneven(self.row) and (left - right) % 1.0 < 0.5 else left

    def stance(self, leg: int) -> Bools:
        """The frames `(T,)` in which the row has a foot on the ground."""
        return self.row.is_down(leg, self.phase)

    @property
    def flight(self) -> Bools:
        """The frames `(T,)` in which no foot is down."""
        return np.asarray(~np.any([self.stance(leg) for leg in range(4)], axis=0))


@lru_cache(maxsize=16)
def sample(animal: Animal, gait: str, speed: float | None = None, frame_rate: float = JUDGE_RATE_HZ) -> Sample:
    """One stride of a gait, at its usual speed or at `speed` in m/s, limited to the gait's range."""
    row = animal.row(gait)
    if speed is None or row.speeds[0] == row.speeds[1]:
        return Sample(animal, row, animal.cycle(gait, frame_rate=frame_rate))
    speed = float(np.clip(speed, *row.speeds))
    return Sample(animal, at_speed(row, speed), animal.cycle(gait, speed, frame_rate))


def is_uneven(row: GaitRow) -> bool:
    """Whether left and right do not alternate, as in canter and gallop."""
    lf, rf, lh, rh = row.touchdowns
    return any(abs((b - a) % 1.0 - 0.5) > 0.135 for a, b in ((lf, rf), (lh, rh)))


def touchdowns(row: GaitRow, by_lead: bool) -> dict[str, float]:
    """Touchdowns in cycles by foot after the left hind, or by lead after the trailing hind."""
    lf, rf, lh, rh = row.touchdowns
    if not by_lead:
        return {"LF": (lf - lh) % 1, "RF": (rf - lh) % 1, "RH": (rh - lh) % 1}
    trailing, leading = (lh, rh) if (rh - lh) % 1 < 0.5 else (rh, lh)
    early, late = (lf, rf) if (rf - lf) % 1 < 0.5 else (rf, lf)
    names = ("leading hind", "trailing fore", "leading fore")
    return {name: (at - trailing) % 1 for name, at in zip(names, (leading, early, late), strict=True)}


# Trunk and spine ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Harmonic:
    """Amplitude, and the phase of the maximum in cycles (of the first maximum, for the second harmonic)."""

    size: float
    at: float


def harmonics(height: Floats, start: float) -> tuple[Harmonic, Harmonic]:
    """The first two harmonics of a stride's height `(T,)`, phases counted from `start`."""
    terms = np.fft.rfft(height) / len(height) * 2
    found = [Harmonic(float(np.abs(terms[n])), float(-np.angle(terms[n]) / (2 * np.pi * n)) - start) for n in (1, 2)]
    return Harmonic(found[0].size, found[0].at % 1.0), Harmonic(found[1].size, found[1].at % 0.5)


def trunk_point(anatomy: Anatomy, places: Floats, part: str) -> Floats:
    """Positions `(T, 3)` of the pelvis ("hips": the first joint of the spine) or of the tops of the scapulae
    ("withers").

    `places (T, J, 3)` are world positions of all joints.
    """
    joints = [anatomy.spine[0]] if part == "hips" else [leg.joints[0] for leg in anatomy.legs[:2]]
    result: Floats = places[:, joints].mean(axis=1)
    return result


def spine_range(s: Sample, plane: str) -> float:
    """The range in degrees of the thorax relative to the pelvis, sideways ("lateral") or up and down ("sagittal")."""
    spine = s.animal.anatomy.spine
    turns = rot.multiply(s.motion.rotation_world, rot.conjugate(s.animal.standing.turns))
    between = rot.multiply(rot.conjugate(turns[:, spine[0]]), turns[:, spine[-1]])
    ahead = rot.rotate(between, np.array([0.0, 0.0, 1.0]))
    angle = np.arctan2(ahead[:, 0 if plane == "lateral" else 1], ahead[:, 2])
    return float(np.degrees(np.ptp(angle)))


# Legs --------------------------------------------------------------------------------------------


def clearance(s: Sample, leg: int) -> float:
    """The greatest height of the toe above its own 2nd percentile, in hip heights."""
    height = s.places[:, s.animal.anatomy.legs[leg].foot, 1]
    return float(height.max() - np.percentile(height, 2)) / s.hips


def joint_angles(s: Sample, leg: int) -> dict[str, Floats]:
    """Angles in degrees `(T,)` by the joint's role, and of the line from top to toe ("fore limb", "hind limb")."""
    joints = list(s.animal.anatomy.legs[leg].joints)
    chain = s.places[:, joints]
    segments = np.unwrap(_down_angle(np.diff(chain, axis=1)), axis=0)
    roles = s.animal.standing.roles[leg]
    found = {}
    for k in range(1, len(roles)):
        if roles[k] in STRAIGHTENS:
            found[roles[k]] = 180 + STRAIGHTENS[roles[k]] * _wrapped(segments[:, k] - segments[:, k - 1])
    found[roles[0]] = _wrapped(_trunk_angle(s) - segments[:, 0])
    found[f"{roles[0]} on {'chest' if leg < 2 else 'pelvis'}"] = _wrapped(
        np.pi / 2 - _girdle_pitch(s, leg) - segments[:, 0]
    )
    found["fore limb" if leg < 2 else "hind limb"] = np.degrees(_down_angle(chain[:, -1] - chain[:, 0]))
    return found


def _down_angle(v: Floats) -> Floats:
    """The angle of a direction from straight down, forward positive, in radians."""
    result: Floats = np.arctan2(v[..., 2], -v[..., 1])
    return result


def _trunk_angle(s: Sample) -> Floats:
    """The angle `(T,)` from straight down of the line from hips to shoulders, in radians."""
    legs = s.animal.anatomy.legs
    hips = s.places[:, [leg.hip for leg in legs[2:]]].mean(axis=1)
    return _down_angle(s.places[:, [leg.joints[0] for leg in legs[:2]]].mean(axis=1) - hips)


def _girdle_pitch(s: Sample, leg: int) -> Floats:
    """The nose-down pitch `(T,)` in radians, relative to standing, of the bone that carries a leg."""
    joint = s.animal.anatomy.spine[-1 if leg < 2 else 0]
    turns = rot.multiply(s.motion.rotation_world[:-1, joint], rot.conjugate(s.animal.standing.turns[joint]))
    ahead = rot.rotate(turns, np.array([0.0, 0.0, 1.0]))
    result: Floats = np.arctan2(-ahead[:, 1], ahead[:, 2])
    return result


def _wrapped(angle: Floats) -> Floats:
    """Radians to degrees from -180 to 180."""
    result: Floats = np.degrees((angle + np.pi) % (2 * np.pi) - np.pi)
    return result


@dataclass(frozen=True)
class Worst:
    """The largest value of a figure, and where it occurs."""

    value: float
    where: str


def slip(s: Sample) -> Worst:
    """The largest stance slip in cm, and the leg; stances run on into the next stride."""
    places, found = np.concatenate([s.places, s.onward(s.places)]), []
    for k, leg in enumerate(s.animal.anatomy.legs):
        down = np.tile(s.stance(k), 2)
        down[: np.argmin(down)] = False  # a stance that began in the stride before
        found.append(Worst(stance_slip(places[:, [leg.foot]], down[:, None]).max, leg.name))
    return max(found, key=lambda worst: worst.value)


def depth(s: Sample) -> Worst:
    """The depth of the deepest joint below the ground in cm."""
    frame, joint = np.unravel_index(np.argmin(s.places[..., 1]), s.places.shape[:2])
    deepest = max(-float(s.places[frame, joint, 1]) * 100, 0.0)
    return Worst(deepest, f"{s.animal.skeleton.names[joint]} at phase {s.phase[frame]:.2f}")


def loop_gap(s: Sample) -> float:
    """The largest difference of the last frame from the first one stride later, in metres or radians."""
    places, turns = s.motion.world
    apart = np.linalg.norm(s.onward(places[0]) - places[-1], axis=-1).max()
    turned = rot.difference(rot.multiply(s.heading, turns[0]), turns[-1]).max()
    return float(max(apart, turned))


def stride_differences(animal: Animal, gait: str, strides: int, seed: int) -> Floats:
    """Metres `(strides - 1,)` by which each stride of a seeded sequence differs from the next.

    The distance of the joint that differs most, relative to the travelling animal, averaged over the stride.
    """
    row, points = animal.row(gait), 60
    motion = animal.cycle(gait, strides=strides, seed=seed)
    places = motion.position_world.astype(np.float64)
    seconds = np.arange(strides * points) / points / row.frequency
    at = seconds * motion.frame_rate
    first = np.minimum(at.astype(int), len(places) - 2)
    share = (at - first)[:, None, None]
    places = places[first] * (1 - share) + places[first + 1] * share
    own = rot.rotate(rot.yaw(-np.radians(row.turn) * seconds)[:, None], places - travel(row, seconds)[:, None])
    steps = own.reshape(strides, points, -1, 3)
    result: Floats = np.linalg.norm(np.diff(steps, axis=0), axis=-1).max(axis=2).mean(axis=1)
    return result


# Physics -----------------------------------------------------------------------------------------


def fall(s: Sample) -> float:
    """The mean vertical acceleration in m/s² of the centre of mass in suspension, by `HARMONICS` harmonics."""
    terms = np.fft.rfft(s.animal.standing.centre_of_mass(s.places)[:, 1])
    n = np.arange(len(terms))
    factor = np.where(n <= HARMONICS, -((2 * np.pi * n / s.seconds) ** 2), 0.0)
    acceleration = np.fft.irfft(terms * factor, n=len(s.places))
    return float(acceleration[s.flight].mean())


def pops(s: Sample) -> Worst:
    """The largest ratio of a segment's peak angular acceleration to its 95th percentile, and its joint."""
    turns = s.motion.rotation_world
    spin = rot.log(
        rot.multiply(rot.conjugate(turns[:-1]), turns[1:])
    )  # in the segment's own axes, so that a turning stride closes
    size = np.linalg.norm(np.roll(spin, -1, axis=0) - spin, axis=-1)
    inner = np.flatnonzero(~s.animal.skeleton.end_sites)
    ratio = size[:, inner].max(axis=0) / np.maximum(np.percentile(size[:, inner], 95, axis=0), 1e-6)
    worst = int(np.argmax(ratio))
    at = ((int(np.argmax(size[:, inner[worst]])) + 1) / len(size)) % 1.0
    return Worst(float(ratio[worst]), f"{s.animal.skeleton.names[inner[worst]]} at phase {at:.2f}")
