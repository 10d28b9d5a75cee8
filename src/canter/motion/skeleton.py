"""The data types: Skeleton, Pose, Motion, Skin and Asset, frozen and without axes or units of their own.

A motion keeps *local* positions as well as rotations for every joint, because real rigs translate inner
joints and hang feet on the root; joint 0 is the root and nothing more.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from canter.motion import rotations
from canter.motion.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Skeleton:
    """A forest of joints, parents before children.

    `parents (J,)` is -1 for a root; `offsets (J, 3)` and `rotations (J, 4)` are the local rest pose;
    `end_sites (J,)` marks tips that have a place but no motion of their own (BVH's End Site).
    """

    names: tuple[str, ...]
    parents: Ints
    offsets: Floats
    rotations: Floats
    end_sites: Bools

    def __post_init__(self) -> None:
        joints = len(self.names)
        if self.parents.shape != (joints,) or self.offsets.shape != (joints, 3):
            raise ValueError(f"a skeleton of {joints} joints needs parents ({joints},) and offsets ({joints}, 3)")
        if self.rotations.shape != (joints, 4) or self.end_sites.shape != (joints,):
            raise ValueError(f"a skeleton of {joints} joints needs rotations ({joints}, 4), end_sites ({joints},)")
        if np.any(self.parents >= np.arange(joints)) or np.any(self.parents < -1):
            raise ValueError("joints must be listed with parents before children")

    @staticmethod
    def make(
        names: list[str] | tuple[str, ...],
        parents: list[int] | Ints,
        offsets: Floats,
        rest: Floats | None = None,
        end_sites: Bools | None = None,
    ) -> Skeleton:
        """A skeleton from plain lists; no rest rotations means identity."""
        joints = len(names)
        return Skeleton(
            tuple(names),
            np.asarray(parents, np.int32),
            np.asarray(offsets),
            np.tile(rotations.IDENTITY, (joints, 1)) if rest is None else np.asarray(rest),
            np.zeros(joints, bool) if end_sites is None else np.asarray(end_sites, bool),
        )

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each joint, the joints that hang on it."""
        lists: list[list[int]] = [[] for _ in self.names]
        for joint, parent in enumerate(self.parents):
            if parent >= 0:
                lists[parent].append(joint)
        return tuple(tuple(x) for x in lists)

    @cached_property
    def levels(self) -> tuple[tuple[Ints, Ints], ...]:
        """Joints by depth below the roots with their parents, so that kinematics works level by level."""
        depth = np.zeros(len(self), int)
        for joint, parent in enumerate(self.parents):
            if parent >= 0:
                depth[joint] = depth[parent] + 1
        groups = [np.flatnonzero(depth == d) for d in range(1, depth.max(initial=0) + 1)]
        return tuple((group, self.parents[group]) for group in groups)

    def index(self, name: str) -> int:
        """The first joint of that name."""
        try:
            return self.names.index(name)
        except ValueError:
            raise KeyError(f"no joint is called {name!r}; there are {', '.join(self.names)}") from None

    def chain(self, joint: int) -> list[int]:
        """The joints from the root down to `joint`."""
        result = [joint]
        while self.parents[result[-1]] >= 0:
            result.append(int(self.parents[result[-1]]))
        return result[::-1]

    def subtree(self, joint: int) -> list[int]:
        """`joint` and everything below it, parents first."""
        inside = {joint}
        for other in range(joint + 1, len(self)):
            if int(self.parents[other]) in inside:
                inside.add(other)
        return sorted(inside)

    @cached_property
    def rest(self) -> Pose:
        """The rest pose."""
        return Pose(self, self.offsets, self.rotations)


@dataclass(frozen=True, eq=False)
class Pose:
    """One moment: local `positions (J, 3)` and `rotations (J, 4)`."""

    skeleton: Skeleton
    positions: Floats
    rotations: Floats


@dataclass(frozen=True, eq=False)
class Motion:
    """A clip: local `positions (T, J, 3)` and `rotations (T, J, 4)` at `frame_rate` frames a second."""

    skeleton: Skeleton
    frame_rate: float
    positions: Floats
    rotations: Floats
    name: str = ""

    def __post_init__(self) -> None:
        frames, joints = len(self.positions), len(self.skeleton)
        if self.positions.shape != (frames, joints, 3) or self.rotations.shape != (frames, joints, 4):
            raise ValueError(
                f"a motion of {frames} frames and {joints} joints needs positions ({frames}, {joints}, 3) and "
                f"rotations ({frames}, {joints}, 4), not {self.positions.shape} and {self.rotations.shape}"
            )
        if not self.frame_rate > 0:
            raise ValueError(f"the frame rate must be above zero, not {self.frame_rate}")

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, frames: slice) -> Motion:
        """A slice of frames, such as `motion[10:40]`."""
        return replace(self, positions=self.positions[frames], rotations=self.rotations[frames])

    @property
    def seconds(self) -> float:
        """From the first frame to the last."""
        return max(len(self) - 1, 0) / self.frame_rate

    def pose(self, frame: int) -> Pose:
        return Pose(self.skeleton, self.positions[frame], self.rotations[frame])

    @cached_property
    def world(self) -> tuple[Floats, Floats]:
        """World positions `(T, J, 3)` and rotations `(T, J, 4)`, computed once."""
        from canter.motion.kinematics import forward

        return forward(self.skeleton, self.positions, self.rotations)

    @property
    def position_world(self) -> Floats:
        return self.world[0]

    @property
    def rotation_world(self) -> Floats:
        return self.world[1]


@dataclass(frozen=True, eq=False)
class Skin:
    """One skinned surface in its bind pose, with one material.

    `vertices (V, 3)`, `triangles (F, 3)`; `joints (V, 4)` index the skeleton and `weights (V, 4)` sum to 1;
    `inverse_bind (J, 4, 4)` takes a vertex into each joint's frame. Optional `normals (V, 3)`, `uv (V, 2)`,
    `colors (V, 4)` in 0 to 1; `texture` holds the bytes of a PNG or JPEG.
    """

    vertices: Floats
    triangles: Ints
    joints: Ints
    weights: Floats
    inverse_bind: Floats
    normals: Floats | None = None
    uv: Floats | None = None
    colors: Floats | None = None
    base_color: tuple[float, float, float, float] = (0.8, 0.8, 0.8, 1.0)
    texture: bytes | None = None
    name: str = ""


@dataclass(frozen=True, eq=False)
class Asset:
    """What a file holds, in the file's own axes and units.

    `metres_per_unit` is what the format specifies (glTF: 1) or None where it specifies nothing (BVH).
    """

    skeleton: Skeleton
    clips: tuple[Motion, ...] = ()
    skins: tuple[Skin, ...] = ()
    source: str = ""
    metres_per_unit: float | None = None
    notes: tuple[str, ...] = field(default=())

    def clip(self, name: str) -> Motion:
        for motion in self.clips:
            if motion.name == name:
                return motion
        raise KeyError(f"no clip is called {name!r}; there are {', '.join(m.name for m in self.clips) or 'none'}")
