"""One stride of a gait as the engine needs it: on a grid of phases, seen from the travelling animal.

Everything is relative to the ground track, which goes along +Z at the cycle's speed. Phases are cycles; a leg's own
phase is zero at its touchdown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from canter.anatomy import Anatomy, Character, Clip, Footfalls
from canter.anatomy.contacts import runs
from canter.anatomy.ground import ground_track
from canter.cycles.build.level import above_ground, unslid
from canter.cycles.engine.cycle import GRID, Cycle
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.motion.feet import stances
from canter.motion.kinematics import forward

COARSE = 50.0
"""Frames a second below which a touchdown is timed between frames."""
LIFTED, SHORTEST = 0.135, 0.3
"""Hip heights above its lowest in a stance at which a foot stands no more, as in clips that travel; and the least
share of a stance that is left."""
LET_DOWN = 0.1
"""Hip heights by which a trunk may be let down for a leg to reach."""
MAX_OBLIQUE = np.radians(20)
"""Radians by which the direction of travel may be off ahead, back or aside, as the animal faces, and still be that."""


def make_cycle(character: Character, clip: Clip) -> Cycle:
    """The cycle of a clip that is one stride and loops, or that stands."""
    anatomy, motion, footfalls = character.anatomy, clip.motion, clip.footfalls
    if len(motion) < 4:
        raise ValueError(f"clip {clip.name!r} has {len(motion)} frames; a cycle needs at least 4")
    seconds = motion.seconds
    positions, rotations, turn, velocity = _seen_from_track(motion, anatomy)
    positions, rotations = _on_grid(positions), rot.unit(_on_grid(rot.continuous(rotations)))
    on_grid = above_ground(Motion(motion.skeleton, GRID / seconds, positions, rotations), anatomy)
    positions, rotations = on_grid.positions, on_grid.rotations
    stands = footfalls.gait == "stand"
    touchdowns, duty = _stances(footfalls.contacts[:-1], stands)
    if motion.frame_rate < COARSE and footfalls.phases and not stands:
        touchdowns, duty = _between_frames(footfalls, touchdowns, len(motion) - 1)
    places = forward(motion.skeleton, positions, rotations)[0]
    feet = places[:, anatomy.feet]
    longest = _longest(places, anatomy, seconds * float(np.hypot(*velocity)))
    touchdowns, duty = _firm(feet[..., 1] / anatomy.hip_height, touchdowns, duty, longest)
    if not stands and turn == 0.0:
        on_grid = unslid(on_grid, anatomy, velocity, touchdowns, duty)
        positions, rotations = on_grid.positions, on_grid.rotations
        feet = forward(motion.skeleton, positions, rotations)[0][:, anatomy.feet]
    return Cycle(
        clip.name,
        footfalls.gait,
        seconds,
        np.zeros(2) if stands else velocity,
        0.0 if stands else turn,
        positions,
        rotations,
        touchdowns,
        duty,
        _sweeps(feet, touchdowns, duty),
    )


def along_track(motion: Motion, anatomy: Anatomy) -> Motion:
    """The motion along a straight line: from the origin, facing +Z, at its mean velocity; its turn is taken out."""
    positions, rotations, _, velocity = _seen_from_track(motion, anatomy)
    roots = np.flatnonzero(motion.skeleton.parents < 0)
    time = np.arange(len(motion))[:, None] / motion.frame_rate
    positions[:, roots] += (time * np.array([velocity[0], 0.0, velocity[1]]))[:, None]
    return replace(motion, positions=positions, rotations=rotations)


def _seen_from_track(motion: Motion, anatomy: Anatomy) -> tuple[Floats, Floats, float, Floats]:
    """Local positions and rotations with the roots seen from the steady track, its turn and its velocity."""
    places, yaws, turn, velocity = _travel(motion, anatomy)
    back = rot.yaw(-yaws)
    roots = np.flatnonzero(motion.skeleton.parents < 0)
    positions: Floats = motion.positions.astype(np.float64)
    rotations: Floats = motion.rotations.astype(np.float64)
    positions[:, roots] = rot.rotate(back[:, None], positions[:, roots] - places[:, None])
    rotations[:, roots] = rot.multiply(back[:, None], rotations[:, roots])
    return positions, rotations, turn, velocity


def _travel(motion: Motion, anatomy: Anatomy) -> tuple[Floats, Floats, float, Floats]:
    """Where the track is in each frame `(T, 3)` and its yaw `(T,)`, its turn in radians a second and its velocity
    (left, ahead) in m/s.

    The track moves steadily: it starts under the animal's mean place and turns and travels as the whole clip does. It
    faces as the animal does on average; but one that goes about straight ahead, back or aside goes exactly there, and
    the animal is a little oblique on it, as in a canter.
    """
    track = ground_track(motion, anatomy, smooth=False)
    count, seconds = len(motion) - 1, motion.seconds
    turn = float(np.angle(np.exp(1j * (track.facings[-1] - track.facings[0])))) / seconds
    turn = 0.0 if abs(turn) * seconds < np.radians(3) else turn
    time = np.arange(count + 1) / motion.frame_rate
    ground = track.positions[:, 1] + 1j * track.positions[:, 0]  # real ahead (+Z), imaginary left (+X)
    swept = (np.exp(1j * turn * seconds) - 1) / (1j * turn) if turn else seconds
    turned = np.exp(1j * turn * time)
    own = (ground[-1] - turned[-1] * ground[0]) / swept
    path = own * ((turned - 1) / (1j * turn) if turn else time)
    middle = ((ground - path) / turned).mean()
    path, own = path + middle * turned, own + 1j * turn * middle
    heading = float(np.angle(np.exp(1j * (track.facings - turn * time)).mean()))
    oblique = (float(np.angle(own)) - heading + np.pi / 4) % (np.pi / 2) - np.pi / 4
    if not turn and abs(own) > 0 and abs(oblique) < MAX_OBLIQUE:
        heading += oblique
    own = own * np.exp(-1j * heading)
    places = np.stack([path.imag, np.zeros(count + 1), path.real], axis=-1)
    return places, heading + turn * time, turn, np.array([own.imag, own.real])


def _on_grid(x: Floats) -> Floats:
    """A curve whose last frame repeats its first `(T, ...)`, on the grid: cubics through the frames, around the cycle.

    The repeated frame may differ from the first by the travel that was taken out; it is read as the first.
    """
    count = len(x) - 1
    at = np.arange(GRID) / GRID * count
    first = at.astype(int)
    t = (at - first).reshape(-1, *[1] * (x.ndim - 1))
    before, start, end, after = (x[(first + k) % count] for k in (-1, 0, 1, 2))
    result: Floats = start + t / 2 * (
        end - before + t * (2 * before - 5 * start + 4 * end - after + t * (3 * (start - end) + after - before))
    )
    return result


def _stances(contacts: Bools, stands: bool) -> tuple[Floats, Floats]:
    """Phase of the touchdown and duty factor of each foot: of its longest stance."""
    count, legs = contacts.shape
    if stands:
        return np.zeros(legs), np.ones(legs)
    touchdowns, duty = np.zeros(legs), np.full(legs, 0.5)
    for leg in range(legs):
        if contacts[:, leg].any() and not contacts[:, leg].all():
            length, first = max((last - first, first) for first, last in runs(contacts[:, leg], periodic=True))
            touchdowns[leg], duty[leg] = (first / count) % 1.0, length / count
    return touchdowns, duty


def _between_frames(footfalls: Footfalls, touchdowns: Floats, count: int) -> tuple[Floats, Floats]:
    """Touchdowns and duty finer than frames: the phases of all legs are known well, and shifted to fit the frames.

    A foot that comes down is seen down half a frame later, on average.
    """
    phases, duty = (np.array(list(x.values())) for x in (footfalls.phases, footfalls.duty))
    start = np.angle(np.exp(2j * np.pi * (touchdowns - phases)).mean()) / (2 * np.pi) - 0.5 / count
    return (phases + start) % 1.0, duty


def _firm(heights: Floats, touchdowns: Floats, duty: Floats, longest: Floats) -> tuple[Floats, Floats]:
    """Touchdowns and duty without what is no stance: a foot high in the air, or more ground than its leg can pass over.

    Contacts of loops that go in place are told by shares of a foot's own lift, and a foot that is thrown up high in a
    gallop would be held in place far above the ground. `heights (GRID, L)` are in hip heights, `longest (L,)` is the
    greatest duty; where a stance is longer, its lowest part is kept.
    """
    firm = touchdowns.copy(), duty.copy()
    for leg in np.flatnonzero(duty < 1.0):
        since = np.linspace(0.0, duty[leg], GRID)
        height = _at(heights[:, leg, None], touchdowns[leg] + since)[:, 0]
        runs_down = stances(height < height.min() + LIFTED)
        first, last = max(runs_down, key=lambda run: run[1] - run[0])
        most = max(int(GRID * longest[leg] / duty[leg]), 2)
        if last - first > most:
            means = np.convolve(height[first:last], np.ones(most) / most, mode="valid")
            first += int(np.argmin(means))
            last = first + most
        firm[0][leg] = (touchdowns[leg] + since[first]) % 1.0
        firm[1][leg] = max(since[last - 1] - since[first], SHORTEST * duty[leg])
    return firm


def _longest(places: Floats, anatomy: Anatomy, stride: float) -> Floats:
    """The greatest duty factor of each leg `(L,)` in a `stride` of so many metres: over more ground than a straight leg
    sweeps no foot can stand, even if the trunk is let down for it. `places (GRID, J, 3)` are those of the joints."""
    result = np.ones(len(anatomy.legs))
    for k, leg in enumerate(anatomy.legs):
        points = places[:, leg.chain]
        straight = float(np.median(np.linalg.norm(np.diff(points, axis=1), axis=-1).sum(axis=1)))
        above = points[:, 0, 1].mean() - np.percentile(points[:, -1, 1], 10) - LET_DOWN * anatomy.hip_height
        sweep = 2 * np.sqrt(max(straight**2 - above**2, 0.0))
        result[k] = sweep / max(stride, 1e-9)
    return result


def _sweeps(feet: Floats, touchdowns: Floats, duty: Floats) -> Floats:
    """How far each foot goes against the track in stance `(L, 2)`, by the straight line through its middle half."""
    sweeps = np.zeros((len(duty), 2))
    for leg, (touchdown, share) in enumerate(zip(touchdowns, duty, strict=True)):
        if share >= 1.0:
            continue
        at = (touchdown + share * np.linspace(0.2, 0.8, 13)) % 1.0
        place = _at(feet[:, leg][:, [0, 2]], at)
        sweeps[leg] = np.polyfit(np.linspace(0.2, 0.8, 13), place, 1)[0]
    return sweeps


def _at(x: Floats, phase: Floats) -> Floats:
    """A curve on the grid at phases, around the cycle."""
    at = (phase % 1.0) * len(x)
    first = at.astype(int) % len(x)
    share = (at - np.floor(at))[:, None]
    result: Floats = x[first] * (1 - share) + x[(first + 1) % len(x)] * share
    return result


def cycles_of(character: Character, clips: Sequence[Clip] | None = None) -> tuple[Cycle, ...]:
    """A cycle for every loop of a character, the slowest first."""
    loops = [clip for clip in clips or character.clips if clip.footfalls.loop or clip.footfalls.gait == "stand"]
    return tuple(sorted((make_cycle(character, clip) for clip in loops), key=lambda cycle: cycle.speed))
