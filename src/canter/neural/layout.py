"""What a network is given and what it gives, for any quadruped: joints by name, features by block (MANN, section 5).

All features are relative to the ground track: a frame on the ground under the trunk that faces as the animal does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from canter.anatomy import Anatomy
from canter.control.trajectory import WINDOW, Window
from canter.motion import Skeleton
from canter.motion.arrays import Bools, Floats, Ints

KEPT_TAIL_JOINTS = 2
"""How many joints of the tail a network moves; what hangs below them follows by itself."""
MAX_NAMED = 5
"""Names that an error lists."""
Gating = Literal["velocities", "positions", "both", "rotations", "input"]
"""What a gating network sees of the joints, besides labels and wanted speed: velocities of the feet, their places,
both, the axes of all joints; or the whole input."""


@dataclass(frozen=True, eq=False)
class Body:
    """The joints of a skeleton that a network moves, parents before children.

    `names (J)`; `parents (J,)`, -1 where the parent is none of them; `offsets (J, 3)` from parent to joint in the
    parent's axes; `free (J,)` are joints whose place is predicted: roots, and those that the rig translates. All others
    are placed by forward kinematics. `feet` are the numbers of the feet, in the order of the anatomy's legs.
    """

    names: tuple[str, ...]
    parents: Ints
    offsets: Floats
    free: Bools
    feet: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def sums(self) -> Floats:
        """`(J, J)`: the place of joint j is the sum of sums[j, k] * step[k]. The step of a free joint is its place,
        that of any other its turned offset."""
        result = np.zeros((len(self), len(self)), np.float32)
        for joint in range(len(self)):
            if not self.free[joint]:
                result[joint] = result[self.parents[joint]]
            result[joint, joint] = 1.0
        return result


def moved_joints(skeleton: Skeleton, anatomy: Anatomy) -> list[int]:
    """The joints that a network moves: all but helpers and what hangs, and helpers only where moved joints hang on them
    that hang on others.

    What hangs is the tail beyond its second joint, with everything below, and what hangs on the head in pairs (ears).
    """
    left_out = set(anatomy.ignored)
    for joint in anatomy.tail[KEPT_TAIL_JOINTS:]:
        left_out.update(skeleton.subtree(joint))
    if anatomy.head is not None:
        for joint in skeleton.subtree(anatomy.head)[1:]:
            if anatomy.mirror[joint] != joint:
                left_out.update(skeleton.subtree(joint))
    moved = {joint for joint in range(len(skeleton)) if joint not in left_out}
    for joint in sorted(moved):
        chain = skeleton.chain(joint)
        moved.update(chain[next(k for k, above in enumerate(chain) if above in moved) :])
    return sorted(moved)


def make_body(skeleton: Skeleton, anatomy: Anatomy, offsets: Floats, translated: Bools) -> Body:
    """The body that a network moves, with local places `offsets (J, 3)` of all joints of the skeleton, of which
    `translated (J,)` change."""
    joints = moved_joints(skeleton, anatomy)
    number = {joint: k for k, joint in enumerate(joints)}
    if lost := [leg.name for leg in anatomy.legs if leg.foot not in number]:
        raise ValueError(f"the feet of {', '.join(lost)} are helper joints; a network needs to move them")
    parents = np.array([number.get(int(skeleton.parents[joint]), -1) for joint in joints])
    return Body(
        tuple(skeleton.names[joint] for joint in joints),
        parents,
        offsets[joints].astype(np.float32),
        (parents < 0) | translated[joints],
        tuple(number[foot] for foot in anatomy.feet),
    )


@dataclass(frozen=True, eq=False)
class Layout:
    """Sizes and places of the features of one kind of animal.

    The input is a trajectory `(K, 7 + A)`: place (2), direction (2), velocity (2) and wanted speed of K samples, and
    the weights of A labels; and joints `(J, 12)`: place (3), forward and up axes (6), velocity (3). The output is the
    joints of the next frame, the velocity of the ground track (ahead, left, yaw rate) and the contacts of the feet.
    With a `phase` one number more follows the joints, in and out: that of the stride, from 0 to 1. `gaits`, from slow
    to fast, have labels of their own after the others, which stand for locomotion in that gait.
    """

    body: Body
    labels: tuple[str, ...]
    window: Window = WINDOW
    phase: bool = False
    gating: Gating = "velocities"
    gaits: tuple[str, ...] = ()

    @property
    def label_count(self) -> int:
        """All labels, with those of gaits."""
        return len(self.labels) + len(self.gaits)

    @property
    def trajectory_size(self) -> int:
        return len(self.window.times) * (7 + self.label_count)

    @property
    def joints_size(self) -> int:
        return 12 * len(self.body) + self.phase

    @property
    def input_size(self) -> int:
        return self.trajectory_size + self.joints_size

    @cached_property
    def free_columns(self) -> Ints:
        """Columns of the joints that are predicted and not reckoned: free places, all axes and velocities."""
        joints = len(self.body)
        places = np.arange(3 * joints).reshape(joints, 3)[self.body.free].ravel()
        return np.concatenate([places, np.arange(3 * joints, 12 * joints)])

    @cached_property
    def gating_columns(self) -> Ints:
        """Columns of the input that the gating network sees: of the feet or joints, and labels and wanted speed of
        now."""
        now, samples, joints = self.window.now, len(self.window.times), len(self.body)
        if self.gating == "input":
            return np.arange(self.input_size - self.phase)
        places = self.trajectory_size + (3 * np.array(self.body.feet)[:, None] + np.arange(3)).ravel()
        velocities = places + 9 * joints
        seen = {
            "velocities": velocities,
            "positions": places,
            "both": np.concatenate([places, velocities]),
            "rotations": self.trajectory_size + np.arange(3 * joints, 9 * joints),
        }[self.gating]
        labels = 7 * samples + now * self.label_count + np.arange(self.label_count)
        return np.concatenate([seen, labels, [6 * samples + now]])


def find(names: Sequence[str], wanted: Sequence[str], what: str, remedy: str) -> Ints:
    """The numbers of the wanted names, or an error that names what is missing and what to do."""
    if missing := [name for name in wanted if name not in names]:
        first = ", ".join(map(repr, missing[:MAX_NAMED])) + (", ..." if len(missing) > MAX_NAMED else "")
        raise ValueError(f"{what} has no joint {first}, which the network moves; {remedy}")
    return np.array([names.index(name) for name in wanted])
