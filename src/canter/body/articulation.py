"""A quadruped as rigid segments that turn about hinges, and its poses as angles of these.

A pose is where the trunk's first segment is, how it is turned from the bind pose, and the angle of every hinge. Turns
are measured from the bind pose in world axes, so a rig's own local axes do not matter, nor on which joint it hangs its
feet. Lengths in metres, angles in radians, +Y up and +Z ahead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from canter.anatomy import Character, Clip
from canter.body.estimate import estimate_body
from canter.body.hinges import Hinge, hinge_angles, make_hinges
from canter.body.measures import BoundCharacter, bind_pose, bound_character
from canter.body.parts import Body
from canter.body.segments import Segment, make_segments, total_mass
from canter.motion import Pose, forward, local
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints

NO_GAITS = ("action", "unknown")
"""What clips are called that show no gait."""


@dataclass(frozen=True, eq=False)
class Placed:
    """Poses as a simulation has them: `place (..., 3)` of the first segment's joint, its `turn (..., 4)` from the bind
    pose, and `angles (..., H)`."""

    place: Floats
    turn: Floats
    angles: Floats


@dataclass(frozen=True, eq=False)
class Articulation:
    """A quadruped as segments and hinges. `bind` is the pose in which all turns are none."""

    character: Character
    bind: Pose
    segments: tuple[Segment, ...]
    hinges: tuple[Hinge, ...]
    frames: Floats
    """Axes of each segment's hinges as columns `(S, 3, 3)`: the first is that of its first hinge."""

    @property
    def mass(self) -> float:
        """Kilograms."""
        return total_mass(self.segments)

    @property
    def hip_height(self) -> float:
        return float(self.character.anatomy.hip_height)

    @cached_property
    def passive(self) -> Bools:
        """Which hinges have no servo `(H,)`."""
        return np.array([hinge.passive for hinge in self.hinges])

    @cached_property
    def partners(self) -> list[int]:
        """The number of the segment on the other side of each, or its own."""
        joints = [segment.joint for segment in self.segments]
        mirrored = [int(self.character.anatomy.mirror[joint]) for joint in joints]
        return [joints.index(joint) if joint in joints else k for k, joint in enumerate(mirrored)]

    @cached_property
    def limits(self) -> Floats:
        """The least and greatest angle of each hinge `(H, 2)`."""
        return np.array([[hinge.low, hinge.high] for hinge in self.hinges])

    @cached_property
    def slots(self) -> list[list[int]]:
        """The numbers of each segment's hinges."""
        return [[k for k, hinge in enumerate(self.hinges) if hinge.segment == s] for s in range(len(self.segments))]

    @cached_property
    def bind_world(self) -> tuple[Floats, Floats]:
        """Joints in the world in the bind pose, `(J, 3)` and `(J, 4)`."""
        places, turns = forward(self.character.skeleton, self.bind.positions, self.bind.rotations)
        return np.asarray(places, np.float64), np.asarray(turns, np.float64)

    # Poses as angles -----------------------------------------------------------------------------

    def place(self, position_world: Floats, rotation_world: Floats) -> Placed:
        """Poses from joints in the world `(..., J, 3)` and `(..., J, 4)`; what the hinges cannot show is left out."""
        turns = self.segment_turns(position_world, rotation_world)
        relative = rot.multiply(rot.conjugate(turns[..., self._parents, :]), turns)
        angles = np.zeros((*turns.shape[:-2], len(self.hinges)))
        for which, slots in self._alike:
            angles[..., slots] = hinge_angles(relative[..., which, :], self.frames[which], slots.shape[1])
        return Placed(np.asarray(position_world[..., self.segments[0].joint, :], np.float64), turns[..., 0, :], angles)

    @cached_property
    def _parents(self) -> Ints:
        return np.array([max(segment.parent, 0) for segment in self.segments])

    @cached_property
    def _alike(self) -> list[tuple[Ints, Ints]]:
        """Segments with one, two and three hinges `(K,)`, and the numbers of these `(K, count)`."""
        counts = [len(slots) for slots in self.slots]
        which = [[k for k, n in enumerate(counts) if n == count] for count in (1, 2, 3)]
        return [(np.array(some), np.array([self.slots[k] for k in some])) for some in which if some]

    def segment_turns(self, position_world: Floats, rotation_world: Floats) -> Floats:
        """Turns of the segments from the bind pose `(..., S, 4)`. Leg bones point to where their ends are, also where a
        rig hangs these elsewhere."""
        places, turns = self.bind_world
        joints = [segment.joint for segment in self.segments]
        result = rot.multiply(np.asarray(rotation_world, np.float64)[..., joints, :], rot.conjugate(turns[joints]))
        legs, starts, ends = self._leg_bones
        bones = np.asarray(position_world[..., ends, :] - position_world[..., starts, :], np.float64)
        turned = rot.rotate(result[..., legs, :], places[ends] - places[starts])
        result[..., legs, :] = rot.multiply(rot.between(turned, bones), result[..., legs, :])
        return result

    @cached_property
    def _leg_bones(self) -> tuple[list[int], list[int], list[int]]:
        """The segments of legs, and the joints where they start and end."""
        legs = [k for k, segment in enumerate(self.segments) if segment.leg >= 0]
        mine = [self.segments[k] for k in legs]
        return legs, [segment.joint for segment in mine], [segment.end_joint for segment in mine]

    # Angles as poses -----------------------------------------------------------------------------

    def turns(self, placed: Placed) -> Floats:
        """Turns of the segments from the bind pose `(..., S, 4)`, in world axes."""
        result = np.empty((*placed.turn.shape[:-1], len(self.segments), 4))
        result[..., 0, :] = placed.turn
        for number, (segment, slots) in enumerate(zip(self.segments, self.slots, strict=True)):
            if number:
                turn = result[..., segment.parent, :]
                for slot in slots:
                    turn = rot.multiply(turn, rot.about(self.hinges[slot].axis, placed.angles[..., slot]))
                result[..., number, :] = turn
        return result

    def places(self, placed: Placed, turns: Floats) -> Floats:
        """The joints of the segments in the world `(..., S, 3)`, by their turns."""
        result = np.empty((*turns.shape[:-1], 3))
        result[..., 0, :] = placed.place
        for number, segment in enumerate(self.segments[1:], 1):
            bone = segment.place - self.segments[segment.parent].place
            result[..., number, :] = result[..., segment.parent, :] + rot.rotate(turns[..., segment.parent, :], bone)
        return result

    def joints(self, places: Floats, turns: Floats, rest: tuple[Floats, Floats] | None = None) -> tuple[Floats, Floats]:
        """All joints in the world, `(..., J, 3)` and `(..., J, 4)`, from places `(..., S, 3)` and turns `(..., S, 4)`
        of the segments.

        Joints that no segment is are below their parents as in `rest`, local positions and rotations (by default those
        of the bind pose); feet are at the ends of their legs, wherever the rig hangs them.
        """
        rest_positions, rest_rotations = rest or (self.bind.positions, self.bind.rotations)
        lead, count = turns.shape[:-2], len(self.character.skeleton)
        position_world, rotation_world = np.empty((*lead, count, 3)), np.empty((*lead, count, 4))
        moved, segments, bones, bind_turns = self._moved
        position_world[..., moved, :] = places[..., segments, :] + rot.rotate(turns[..., segments, :], bones)
        rotation_world[..., moved, :] = rot.multiply(turns[..., segments, :], bind_turns)
        for joints, parents in self._levels:
            above = rotation_world[..., parents, :]
            away = rot.rotate(above, rest_positions[..., joints, :].astype(np.float64))
            position_world[..., joints, :] = position_world[..., parents, :] + away
            rotation_world[..., joints, :] = rot.multiply(above, rest_rotations[..., joints, :].astype(np.float64))
        return position_world, rotation_world

    def pose(self, placed: Placed) -> tuple[Floats, Floats]:
        """Local positions `(..., J, 3)` and rotations `(..., J, 4)` of the skeleton."""
        turns = self.turns(placed)
        return local(self.character.skeleton, *self.joints(self.places(placed, turns), turns))

    @cached_property
    def _moved(self) -> tuple[list[int], list[int], Floats, Floats]:
        """Joints that move rigidly with a segment: their segments, where they are from its joint `(K, 3)` and how they
        are turned `(K, 4)`, both in the bind pose. They are the segments' own, feet, and what is above the trunk."""
        skeleton = self.character.skeleton
        owner = {segment.end_joint: k for k, segment in enumerate(self.segments) if segment.leg >= 0}
        owner |= dict.fromkeys(skeleton.chain(self.segments[0].joint), 0)
        owner |= {segment.joint: k for k, segment in enumerate(self.segments)}
        owner |= {joint: 0 for joint, parent in enumerate(skeleton.parents) if parent < 0 and joint not in owner}
        joints, segments = list(owner), list(owner.values())
        places, turns = self.bind_world
        return joints, segments, places[joints] - np.array([self.segments[k].place for k in segments]), turns[joints]

    @cached_property
    def _levels(self) -> list[tuple[list[int], list[int]]]:
        """The other joints and their parents, in groups of which each hangs on joints before it."""
        skeleton, done, levels = self.character.skeleton, set(self._moved[0]), list[tuple[list[int], list[int]]]()
        while left := [joint for joint in range(len(skeleton)) if joint not in done]:
            now = [joint for joint in left if int(skeleton.parents[joint]) in done]
            levels.append((now, [int(skeleton.parents[joint]) for joint in now]))
            done.update(now)
        return levels


def articulate(character: Character, body: Body | None = None) -> Articulation:
    """A quadruped as segments and hinges, from its body table (an estimated one, if none is given) and its clips.

    ValueError for a character that is no quadruped, and for one whose body makes no sense.
    """
    _check(character)
    table = body or _own_body(character)
    if table is None:
        table, pose, bound = estimate_body(character), bind_pose(character), bound_character(character)
    else:  # tables of ours are made for the rest pose
        pose = character.skeleton.rest
        places = np.asarray(forward(character.skeleton, pose.positions, pose.rotations)[0], np.float64)
        bound = BoundCharacter(character, places, float(character.anatomy.hip_height))
    segments = make_segments(bound, table, pose)
    if (mass := total_mass(segments)) <= 0 or not math.isfinite(mass):
        raise ValueError(f"the body of {character.name!r} fills nothing: its mass is {mass:g} kg")
    unhinged = Articulation(character, pose, segments, (), np.zeros((len(segments), 3, 3)))
    clips = [clip for clip in character.clips if len(clip.motion)]
    gaits = [clip for clip in clips if clip.footfalls.gait not in NO_GAITS]
    going, anything = _relative_turns(unhinged, gaits or clips), _relative_turns(unhinged, clips)
    hinges, frames = make_hinges(segments, unhinged.hip_height, going, anything)
    return replace(unhinged, hinges=hinges, frames=frames)


def _own_body(character: Character) -> Body | None:
    """The body table of an animal that canter ships."""
    table = getattr(character, "body", None)
    return table if isinstance(table, Body) else None


def _check(character: Character) -> None:
    anatomy = character.anatomy
    if anatomy.kind != "quadruped" or len(anatomy.legs) != 4:
        raise ValueError(
            f"{character.name!r} has no four legs ({len(anatomy.legs)} were found): only quadrupeds can be simulated; "
            "canter inspect says what was found, and a corrections file can name the legs"
        )
    if not (math.isfinite(anatomy.hip_height) and anatomy.hip_height > 0):
        raise ValueError(f"the hip height of {character.name!r} is not known; give it with --hip-height")
    short = [leg.name for leg in anatomy.legs if len(leg.chain) < 3]
    if short:
        names = ", ".join(short)
        raise ValueError(f"legs of {character.name!r} with fewer than two bones cannot be simulated: {names}")


def _relative_turns(body: Articulation, clips: Sequence[Clip]) -> Floats:
    """Turns of every segment from the one above it `(T, S, 4)`, in clips and in their mirror images, so that both sides
    get the same hinges."""
    parents = [max(segment.parent, 0) for segment in body.segments]
    found = [np.tile(rot.IDENTITY, (1, len(body.segments), 1))]
    for clip in clips:
        turns = body.segment_turns(*clip.motion.world)
        found.append(rot.multiply(rot.conjugate(turns[:, parents]), turns))
    turns = np.concatenate(found)
    return np.concatenate([turns, turns[:, body.partners] * np.array([1.0, 1.0, -1.0, -1.0])])
