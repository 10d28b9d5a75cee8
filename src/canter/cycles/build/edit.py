"""What a person changes of an animal that is built: a gait is renamed, dropped, or made an action and back, and the
real height of its hips is given. Each change gives a new animal, in less time than building it again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from canter.anatomy import Action, Clip
from canter.anatomy.gaits import FootfallPattern, name_gait
from canter.anatomy.loose_joints import companions
from canter.cleaning.loop_cuts import STEADY_GAITS
from canter.cycles.build.built import Drivable, law_of, make_drivable
from canter.cycles.build.cycle import along_track
from canter.cycles.build.drivable import with_speeds
from canter.cycles.build.rows import MADE, Row, Taken, goes_ahead, make_row
from canter.cycles.engine.cycle import GRID, Cycle
from canter.motion import Motion, Skeleton, close_loop, forward
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats

MAX_NAME_LENGTH = 60
LEAD_STRIDES = 0.5
"""How long a gait that is made an action is led into, and out of, in strides."""
LIFT_SHARE = 0.35
"""In that share of a lead-in or lead-out, next to standing, all feet are down."""
HIP_HEIGHT_RANGE = 0.01, 20.0
"""Metres: the lowest and the highest hips that can be given."""

Kind = Literal["rename", "drop", "action", "gait", "hip_height"]


@dataclass(frozen=True)
class Edit:
    """One change. `gait` is the name of the gait or action that it is about, `name` its new one, `metres` the height of
    the hips."""

    kind: Kind
    gait: str = ""
    name: str = ""
    metres: float = math.nan

    def to_table(self) -> dict[str, Any]:
        """The fields that count, as JSON has them."""
        table: dict[str, Any] = {"do": self.kind}
        if self.kind == "hip_height":
            return {**table, "metres": self.metres}
        return {**table, "gait": self.gait, **({"name": self.name} if self.kind == "rename" else {})}


def read_edit(table: Mapping[str, Any]) -> Edit:
    """An edit from the table that `to_table` gave; raises ValueError with the reason if it is none."""
    kinds: dict[str, Kind] = {kind: kind for kind in get_args(Kind)}
    kind = kinds.get(str(table.get("do")))
    if kind is None:
        raise ValueError(f"`do` must be one of {', '.join(kinds)}")
    if kind == "hip_height":
        metres = table.get("metres")
        if isinstance(metres, bool) or not isinstance(metres, int | float):
            raise ValueError("`metres` must be a number")
        return Edit(kind, metres=float(metres))
    gait, name = table.get("gait"), table.get("name", "")
    if not isinstance(gait, str) or not isinstance(name, str):
        raise ValueError("`gait` and `name` must be names")
    return Edit(kind, gait, name.strip())


def edited(character: Drivable, edit: Edit) -> Drivable:
    """The character after a change; raises ValueError with the reason if it cannot be made."""
    if edit.kind == "rename":
        return rename(character, edit.gait, edit.name)
    if edit.kind == "drop":
        return drop(character, edit.gait)
    if edit.kind == "action":
        return as_action(character, edit.gait)
    if edit.kind == "gait":
        return as_gait(character, edit.gait)
    return with_hip_height(character, edit.metres)


def rename(character: Drivable, old: str, new: str) -> Drivable:
    """The gait or action `old` is called `new`."""
    clip = character.clip(old)
    if not 0 < len(new) <= MAX_NAME_LENGTH or not new.isprintable():
        raise ValueError(f"a name has 1 to {MAX_NAME_LENGTH} letters")
    if new == old:
        return character
    if any(other.name == new for other in character.clips):
        raise ValueError(f"there is another {new!r} already")
    named = replace(clip, motion=replace(clip.motion, name=new))
    rows = [_called(row, named) if row.taken.clip.name == old else row for row in character.rows]
    clips = [named if other.name == old else other for other in character.clips]
    actions = [replace(a, name=new, motion=named.motion) if a.name == old else a for a in character.actions]
    return _made(character, rows, clips, actions)


def drop(character: Drivable, name: str) -> Drivable:
    """Without the gait or action of that name."""
    character.clip(name)
    rows = [row for row in character.rows if row.taken.clip.name != name]
    clips = [clip for clip in character.clips if clip.name != name]
    return _made(character, rows, clips, [action for action in character.actions if action.name != name])


def as_action(character: Drivable, name: str) -> Drivable:
    """The gait of that name as an action: one stride, led into and out of from how the animal stands."""
    row = _row(character, name)
    stand = next(one for one in character.rows if one.cycle.stands)
    motion, contacts, lead = _led(row, stand)
    feet = row.taken.clip.footfalls
    clip = Clip(motion, replace(feet, gait="action", runner_up=feet.gait, contacts=contacts, loop=True))
    last = len(motion) - 1
    action = Action(name, motion, (0, lead), None, (last - lead, last), contacts)
    clips = [clip if other.name == name else other for other in character.clips]
    rows = [one for one in character.rows if one is not row]
    return _made(character, rows, clips, [*character.actions, action])


def as_gait(character: Drivable, name: str) -> Drivable:
    """The action of that name as a gait: one stride, laid straight and closed."""
    if any(row.taken.clip.name == name for row in character.rows):
        raise ValueError(f"{name!r} is a gait already")
    clip = character.clip(name)
    motion, feet, anatomy = clip.motion, clip.footfalls, character.anatomy
    made = next((action for action in character.actions if action.name == name and feet.loop), None)
    if made is not None:  # of a stride, which is between its lead-in and its lead-out
        stretch = slice(made.enter[1], made.leave[0] + 1)
        motion, feet = motion[stretch], replace(feet, contacts=feet.contacts[stretch])
    motion = replace(close_loop(along_track(motion, anatomy)), name=name)
    stride = Clip(motion, replace(feet, gait=feet.runner_up or "irregular", loop=True))
    taken = Taken(stride, name, (0, len(motion) - 1), 0.0, 0.0, "an action, taken as a stride")
    row = make_row(character, taken, companions(character))
    if not goes_ahead(row.cycle) or row.cycle.stands:
        raise ValueError(f"{name!r} does not go ahead: it can only be an action")
    if feet.runner_up not in STEADY_GAITS:
        row = _with_gait(row, name_gait(_pattern(row, anatomy.hip_height)))
    rows = sorted([*character.rows, row], key=lambda one: one.cycle.speed)
    clips = [row.taken.clip if other.name == name else other for other in character.clips]
    return _made(character, rows, clips, [action for action in character.actions if action.name != name])


def with_hip_height(character: Drivable, metres: float) -> Drivable:
    """The animal with hips so high; its size is then known.

    Recorded clips keep their times, and lengths and speeds scale alike, as when the files are read with that hip
    height: the same clip was filmed at another scale. A gait that is told by its Froude number may be another one then.
    Strides that were made for it suit its size, so their times scale with it (dynamic similarity), as they do when an
    animal is made larger on purpose (`Character.scaled`).
    """
    low, high = HIP_HEIGHT_RANGE
    if not low <= metres <= high:
        raise ValueError(f"hips are from {low:g} to {high:g} m high, not {metres:g}")
    size = metres / character.anatomy.hip_height
    larger, pace = character.scaled(size), math.sqrt(size)
    made = {row.taken.clip.name for row in character.rows if row.taken.how == MADE}
    clips = {clip.name: clip if clip.name in made else _hastened(clip, pace) for clip in larger.clips}
    rows: list[Row] = []
    others: dict[str, str] = {}
    for before, row in zip(character.rows, larger.rows, strict=True):
        if row.taken.how != MADE:
            row = _hastened_row(row, pace, clips[row.taken.clip.name])
            if gait := _other_gait(before, character.anatomy.hip_height, row, metres):
                row = _with_gait(row, gait)
                clips[row.taken.clip.name] = row.taken.clip
                others |= {before.cycle.gait: gait} if row.cycle.name == before.cycle.gait else {}
        rows.append(row)
    rows.sort(key=lambda row: row.cycle.speed)
    actions = [replace(action, motion=_faster(action.motion, pace)) for action in larger.actions]
    known = replace(larger.transform, scale_known=True, scale_reason=f"given: its hips are {metres:g} m high")
    result = _made(replace(larger, transform=known), rows, list(clips.values()), actions)
    for old, new in others.items():  # gaits that have no name of their own
        result = result if new in clips else rename(result, old, new)
    return result


def _other_gait(before: Row, old_height: float, row: Row, height: float) -> str:
    """The gait that a stride is at another hip height, "" if it stays what it was."""
    gait, was = name_gait(_pattern(row, height)), before.cycle.gait
    told = name_gait(_pattern(before, old_height)) == was
    return gait if told and gait != was and gait in STEADY_GAITS else ""


def _faster(motion: Motion, pace: float) -> Motion:
    return replace(motion, frame_rate=motion.frame_rate * pace)


def _hastened(clip: Clip, pace: float) -> Clip:
    """A clip that is played `pace` times as fast."""
    feet = clip.footfalls
    footfalls = replace(
        feet,
        speed=feet.speed * pace,
        stride_seconds=feet.stride_seconds / pace,
        froude=feet.froude * pace**2,
        skating_cm=feet.skating_cm * pace,
    )
    return Clip(_faster(clip.motion, pace), footfalls)


def _hastened_row(row: Row, pace: float, clip: Clip) -> Row:
    cycle = row.cycle
    faster = replace(cycle, seconds=cycle.seconds / pace, velocity=cycle.velocity * pace, turn=cycle.turn * pace)
    return replace(row, taken=replace(row.taken, clip=clip), cycle=faster)


def _row(character: Drivable, name: str) -> Row:
    found = next((row for row in character.rows if row.taken.clip.name == name), None)
    if found is None:
        raise ValueError(f"no gait is called {name!r}; there are {', '.join(row.cycle.name for row in character.rows)}")
    return found


def _called(row: Row, clip: Clip) -> Row:
    return replace(row, taken=replace(row.taken, clip=clip), cycle=replace(row.cycle, name=clip.name))


def _with_gait(row: Row, gait: str) -> Row:
    clip = replace(row.taken.clip, footfalls=replace(row.taken.clip.footfalls, gait=gait))
    return replace(row, taken=replace(row.taken, clip=clip), cycle=replace(row.cycle, gait=gait))


def _pattern(row: Row, hip_height: float) -> FootfallPattern:
    cycle = row.cycle
    phases = (cycle.touchdowns - cycle.touchdowns[2]) % 1.0
    return FootfallPattern.of(phases.tolist(), cycle.duty.tolist(), cycle.speed, hip_height)


def _led(row: Row, stand: Row) -> tuple[Motion, Bools, int]:
    """A stride that begins where the animal is most as it stands, with a lead-in and a lead-out of so many frames, in
    which pose and speed blend with standing; and which feet are down `(T, L)`."""
    cycle, motion = row.cycle, row.taken.clip.motion
    count, skeleton = len(motion) - 1, motion.skeleton
    lead = max(2, round(LEAD_STRIDES * count))
    frames = np.arange(-lead, count + lead + 1)
    share = np.clip(np.minimum(frames + lead, count + lead - frames) / lead, 0.0, 1.0)
    weight = share * share * (3 - 2 * share)
    phases = _nearest(skeleton, cycle, stand.cycle) + frames / count
    positions, rotations = _blended(cycle, stand.cycle, phases, weight)
    pace = np.array([cycle.velocity[0], 0.0, cycle.velocity[1]]) / motion.frame_rate
    way = np.concatenate([[0.0], np.cumsum((weight[1:] + weight[:-1]) / 2)])
    roots = np.flatnonzero(skeleton.parents < 0)
    positions[:, roots] += (way[:, None] * pace)[:, None]
    down = ((phases[:, None] - cycle.touchdowns) % 1.0 < cycle.duty) | (share < LIFT_SHARE)[:, None]
    return Motion(skeleton, motion.frame_rate, positions, rotations, motion.name), down, lead


def _nearest(skeleton: Skeleton, cycle: Cycle, stand: Cycle) -> float:
    """The phase of a stride in which the animal is most as it stands."""
    poses, stood = (forward(skeleton, one.positions, one.rotations)[0] for one in (cycle, stand))
    away = np.linalg.norm(poses - stood[:1], axis=-1).mean(axis=-1)
    return int(np.argmin(away)) / len(away)


def _blended(cycle: Cycle, stand: Cycle, phases: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Local positions and rotations of a stride at `phases (T,)`, by its `weight (T,)`, and of standing by the rest."""
    at = (phases % 1.0) * GRID
    first, w = at.astype(int) % GRID, weight[:, None, None]
    between = (at - np.floor(at))[:, None, None]
    positions, rotations = cycle.positions, rot.continuous(cycle.rotations)
    place, turn = (x[first] * (1 - between) + x[(first + 1) % GRID] * between for x in (positions, rotations))
    stood = stand.rotations[0] * np.sign((turn * stand.rotations[0]).sum(axis=-1, keepdims=True) + 1e-12)
    return stand.positions[0] * (1 - w) + place * w, rot.unit(stood * (1 - w) + turn * w)


def _made(character: Drivable, rows: Sequence[Row], clips: Sequence[Clip], actions: Sequence[Action]) -> Drivable:
    """The character with these instead, ranges of speeds and stride law made anew."""
    if not any(goes_ahead(row.cycle) for row in rows):
        raise ValueError("this is its only gait: an animal needs one to go by")
    if not any(row.cycle.stands for row in rows):
        raise ValueError("this is how it stands: an animal needs that")
    law = law_of([row.cycle for row in rows], character.anatomy.hip_height)
    return make_drivable(replace(character, actions=tuple(actions)), with_speeds(rows), law, tuple(clips))
