"""What is measured of a ride: the papers' figures and ours, one number each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from canter.anatomy import Anatomy, Leg, ground_track
from canter.anatomy.footfalls import GaitStride, strides_of
from canter.control.trajectory import wrap_angles
from canter.evaluation.mann.rides import Ride
from canter.motion.arrays import Bools, Floats
from canter.motion.metrics import foot_skating, jerk, leg_activity, stance_slip
from canter.motion.skeleton import Motion

UNITS = {
    "skating": "cm a frame",
    "skating_back": "cm a frame",
    "skating_own": "cm a frame",
    "skating_own_back": "cm a frame",
    "activity": "° a frame",
    "activity_back": "° a frame",
    "slip": "cm a stance",
    "jerk": "m/s³",
    "speed_error": "% of the speed",
    "heading_error": "°",
}
SPEED_SAMPLES = 4
"""Places a second between which a way is measured: often enough for turns, rarely enough for the sway of a stride."""


def feet_and_legs(motion: Motion, anatomy: Anatomy, ground: Floats) -> dict[str, float]:
    """Foot skating in cm a frame and leg activity in degrees a frame (MANN, Tables 2 and 3), of all and of hind legs.

    Skating is the mean over all frames. Heights are measured from `ground (L,)`, where feet stand in the ground truth,
    which is the same for all columns; as `own` from each foot's own 2nd percentile, which a foot that sinks in lowers.
    """
    hind, rate = hind_legs(anatomy), motion.frame_rate
    feet = motion.position_world[:, anatomy.feet].astype(np.float64)
    result: dict[str, float] = {}
    for name, reference in (("skating", ground), ("skating_own", None)):
        skating = foot_skating(feet, rate, ground=reference)
        result |= {name: float(skating.mean()), f"{name}_back": float(skating[hind].mean())}
    for name, legs in (("activity", anatomy.legs), ("activity_back", [leg for leg in anatomy.legs if is_hind(leg)])):
        joints = [joint for leg in legs for joint in leg.joints]
        result[name] = float(leg_activity(motion.rotations[:, joints], rate).mean())
    return result


def stance_heights(motions: Sequence[Motion], anatomy: Anatomy) -> Floats:
    """How high each foot `(L,)` is where it stands, in metres: the median over motions of its 2nd percentile."""
    lows = [np.percentile(motion.position_world[:, anatomy.feet, 1], 2, axis=0) for motion in motions]
    result: Floats = np.median(lows, axis=0)
    return result


def is_hind(leg: Leg) -> bool:
    return leg.name.endswith("H")


def hind_legs(anatomy: Anatomy) -> Bools:
    """Which legs are hind ones `(L,)`."""
    return np.array([is_hind(leg) for leg in anatomy.legs])


def strides_in(motion: Motion, anatomy: Anatomy) -> list[GaitStride]:
    """The strides of a motion; none where it is so odd that no footfalls can be read."""
    try:
        return list(strides_of(motion, anatomy))
    except (IndexError, ValueError):
        return []


def ride_figures(ride: Ride, anatomy: Anatomy, ground: Floats) -> dict[str, float]:
    """All figures of a steady ride, by the names of `UNITS`."""
    feet = ride.motion.position_world[:, anatomy.feet].astype(np.float64)
    told = float(ride.speed.mean())
    error = 100 * abs(travel_speed(ride) - told) / told if told > 0 else np.nan
    return feet_and_legs(ride.motion, anatomy, ground) | {
        "slip": stance_slip(feet, ride.contacts).mean,
        "jerk": float(jerk(ride.motion.position_world, ride.motion.frame_rate).mean()),
        "speed_error": float(error),
        "heading_error": float(np.degrees(np.abs(wrap_angles(ride.facing - ride.heading))).mean()),
    }


def travel_speed(ride: Ride) -> float:
    """Metres a second along the way over ground."""
    places = ride.place[:: max(round(ride.motion.frame_rate / SPEED_SAMPLES), 1)]
    return float(np.linalg.norm(np.diff(places, axis=0), axis=1).mean() * SPEED_SAMPLES) if len(places) > 1 else 0.0


def track_speed(motion: Motion, anatomy: Anatomy) -> Floats:
    """Metres a second `(T,)` of the ground track of a motion."""
    track = ground_track(motion, anatomy)
    speed: Floats = np.linalg.norm(np.gradient(track.positions, axis=0), axis=-1) * motion.frame_rate
    return speed


def by_name(figures: list[dict[str, float]]) -> Mapping[str, list[float]]:
    """Figures of several rides as one list a name."""
    return {name: [one[name] for one in figures] for name in figures[0]} if figures else {}
