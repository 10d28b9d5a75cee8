"""Where an animal goes over from one action into another: between frames in which it is all but the same pose.

An animal that is told to lie while it sits need not stand in between: somewhere on its way up it is as on the way down
into the other pose. There it goes over, and what the poses still differ by fades out.
"""

from __future__ import annotations

import numpy as np

from canter.cycles.gaits.action_table import ActionTable
from canter.cycles.gaits.inertialise import FADE_SECONDS
from canter.motion.arrays import Bools, Floats, Ints

QUINTIC_PEAK = 1.875
"""The greatest slope of the quintic by which a difference fades out, over its mean."""
MIN_JOINT_SPEED = np.radians(60)
"""Radians a second that any joint may turn by while a difference fades out; others as fast as in the two actions."""
MAX_ROOT_RISE = 0.12
"""Hip heights by which the trunks may differ."""
MAX_STEPPING_STRAY, MAX_STANDING_STRAY = 0.4, 0.03
"""Hip heights by which feet may be off where the next action has them: if it still lifts them, and if not."""
MIN_STANCE_SECONDS = 0.2
"""Seconds that a foot stands at least between the last step of one action and the first of the next, at 1 m of hip
height."""
NEVER = -1


def crossing_frames(table: ActionTable, now: int, following: int, hip_height: float, frame_rate: float) -> Ints:
    """For each frame of the action `now (F,)` the frame of the `following` one with which an animal that leaves goes
    on, so that it is in the following pose soonest; `NEVER` where it goes over later, at the latest when it stands."""
    here, there = _frames(table, now), _entering(table, following)
    shortest = MIN_STANCE_SECONDS * np.sqrt(hip_height) * frame_rate
    fits = (
        _alike(table, here, there, frame_rate)
        & _placed(table, here, there, following, hip_height)
        & _stand_for(table.clocks[here], table.clocks[there], shortest)
    )
    last = np.where(fits, np.arange(len(there)), NEVER).max(axis=1)
    last[-1] = max(last[-1], 0)
    result, soonest = np.full(len(here), NEVER), len(there)
    for frame in range(len(here) - 1, -1, -1):
        if table.hold_first[now] <= frame < table.hold_last[now]:
            continue  # who leaves a hold goes to its end at once
        soonest += 1
        if last[frame] >= 0 and len(there) - last[frame] <= soonest:
            soonest, result[frame] = len(there) - last[frame], last[frame]
    return result


def _frames(table: ActionTable, action: int) -> Ints:
    """All frames of an action, by their rows in the table."""
    return np.arange(table.first[action], table.first[action] + table.length[action])


def _entering(table: ActionTable, action: int) -> Ints:
    """The frames until an action is held, or until it lifts a foot for the first time if it has no hold."""
    frames = _frames(table, action)
    if table.hold_last[action] >= 0:
        return frames[: table.hold_first[action] + 1]
    lifts = np.flatnonzero((table.clocks[frames] >= 1).any(axis=1))
    return frames[: max(int(lifts[0]), 1)] if len(lifts) else frames[:1]


def _alike(table: ActionTable, here: Ints, there: Ints, frame_rate: float) -> Bools:
    """Which pairs of frames `(F, G)` differ by so little that joints get from one to the other as fast as they turn in
    the actions themselves."""
    speeds = np.maximum(*(_joint_speeds(table.rotations[frames], frame_rate) for frames in (here, there)))
    most = np.maximum(speeds, MIN_JOINT_SPEED) * FADE_SECONDS / QUINTIC_PEAK
    a, b = (table.rotations[frames].transpose(1, 0, 2) for frames in (here, there))
    result: Bools = (np.abs(a @ b.transpose(0, 2, 1)) >= np.cos(most / 2)[:, None, None]).all(axis=0)
    return result


def _joint_speeds(rotations: Floats, frame_rate: float) -> Floats:
    """The greatest speed of each joint `(J,)` in radians a second."""
    same = np.abs((rotations[1:] * rotations[:-1]).sum(axis=-1)).min(axis=0, initial=1.0)
    result: Floats = 2 * np.arccos(np.minimum(same, 1.0)) * frame_rate
    return result


def _placed(table: ActionTable, here: Ints, there: Ints, following: int, hip_height: float) -> Bools:
    """Which pairs of frames `(F, G)` have the feet about where the following action has them under the trunk."""
    a, b = (table.feet[frames] for frames in (here, there))
    stray = np.linalg.norm(a[:, None, :, ::2] - b[None, :, :, ::2], axis=-1) / hip_height
    lifted = table.clocks[there] >= 1
    steps = np.flip(np.logical_or.accumulate(np.flip(lifted, axis=0), axis=0), axis=0)
    if table.hold_last[following] < 0:
        steps = np.ones_like(steps)  # it has not lifted a foot yet
    near = (stray < np.where(steps, MAX_STEPPING_STRAY, MAX_STANDING_STRAY)).all(axis=-1)
    heights = [table.positions[frames, 0, 1] for frames in (here, there)]
    level = np.abs(heights[0][:, None] - heights[1]) < MAX_ROOT_RISE * hip_height
    result: Bools = near & level
    return result


def _stand_for(here: Floats, there: Floats, shortest: float) -> Bools:
    """Which pairs of frames `(F, G)` with the legs' clocks `(F, L)` and `(G, L)` have all feet down, each for at least
    `shortest` frames from its last step in the one action to its next in the other."""
    since, until = _frames_down(here), np.flip(_frames_down(np.flip(there, axis=0)), axis=0)
    result: Bools = np.all((since > 0)[:, None] & (until > 0) & (since[:, None] + until >= shortest), axis=-1)
    return result


def _frames_down(clocks: Floats) -> Floats:
    """For how many frames each foot has stood `(F, L)`, infinite where it has not been lifted yet."""
    frames = np.arange(float(len(clocks)))[:, None]
    lifted = np.where(clocks >= 1, frames, -np.inf)
    result: Floats = frames - np.maximum.accumulate(lifted, axis=0)
    return result
