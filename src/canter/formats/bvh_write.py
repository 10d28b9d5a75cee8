"""Writing BVH: one clip, turns in the order Z X Y, position channels for roots and for joints that shift.

Leaves get an empty End Site, which the reader drops again, so that a file survives any number of round trips.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from canter.formats.errors import FormatError
from canter.formats.files import write_atomic
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.motion.skeleton import Asset, Motion, Skeleton

ORDER = "zxy"
POSITION = "Xposition Yposition Zposition"
ROTATION = "Zrotation Xrotation Yrotation"


def write(asset: Asset, path: Path) -> None:
    """The asset's one clip, or its rest pose if it has none."""
    if len(asset.clips) > 1:
        names = ", ".join(clip.name for clip in asset.clips)
        raise FormatError(
            path, "", f"a BVH keeps one clip and the asset has several: {names}", "Choose one, or write a GLB"
        )
    clip = asset.clips[0] if asset.clips else _rest(asset.skeleton)
    skeleton = clip.skeleton
    shifts = _shifts(clip)
    sites = np.array([not shifts[j] and _is_site(skeleton, j) for j in range(len(skeleton))], bool)
    order, lines = _hierarchy(skeleton, shifts, sites)
    rows = _rows(clip, [j for j in order if not sites[j]], shifts)
    lines += ["MOTION", f"Frames: {len(clip)}", f"Frame Time: {1 / clip.frame_rate:.12g}", *rows]
    write_atomic(path, ("\n".join(lines) + "\n").encode())


def _rest(skeleton: Skeleton) -> Motion:
    return Motion(skeleton, 30.0, skeleton.offsets[None], skeleton.rotations[None], "rest")


def _shifts(clip: Motion) -> Bools:
    """Which joints need position channels: roots, and those that leave their offset."""
    size = max(float(np.ptp(clip.skeleton.offsets, axis=0).max(initial=0)), 1e-9)
    away = np.abs(clip.positions - clip.skeleton.offsets).max(axis=(0, 2), initial=0)
    result: Bools = (away > 1e-6 * size) | (clip.skeleton.parents < 0)
    return result


def _is_site(skeleton: Skeleton, joint: int) -> bool:
    """A tip that the reader would name the same; any other keeps its name only as a joint."""
    parent = skeleton.parents[joint]
    if parent < 0 or skeleton.children[joint] or not skeleton.end_sites[joint]:
        return False
    return bool(skeleton.offsets[joint].any()) and skeleton.names[joint] == f"{skeleton.names[parent]}_end"


def _hierarchy(skeleton: Skeleton, shifts: Bools, sites: Bools) -> tuple[list[int], list[str]]:
    """Joints in the file's order, which keeps each branch together, and the lines that describe them."""
    lines, order = ["HIERARCHY"], []
    stack: list[tuple[int, int]] = [(int(j), 0) for j in np.flatnonzero(skeleton.parents < 0)[::-1]]
    while stack:
        joint, depth = stack.pop()
        tab = "\t" * depth
        if joint < 0:  # the joint's branch is done
            lines.append(f"{tab}}}")
            continue
        order.append(joint)
        children = skeleton.children[joint]
        lines += _joint(skeleton, joint, tab, bool(shifts[joint]), bool(sites[joint]))
        stack.append((-1, depth))
        stack.extend((child, depth + 1) for child in reversed(children))
        if not children and not sites[joint]:
            lines += [f"{tab}\tEnd Site", f"{tab}\t{{", f"{tab}\t\tOFFSET 0 0 0", f"{tab}\t}}"]
    return order, lines


def _joint(skeleton: Skeleton, joint: int, tab: str, shifts: bool, site: bool) -> list[str]:
    x, y, z = skeleton.offsets[joint]
    name = " ".join(skeleton.names[joint].replace("{", "(").replace("}", ")").split()) or f"joint_{joint}"
    kind = "ROOT" if skeleton.parents[joint] < 0 else "JOINT"
    head = [f"{tab}{'End Site' if site else f'{kind} {name}'}", f"{tab}{{", f"{tab}\tOFFSET {x:.9g} {y:.9g} {z:.9g}"]
    channels = f"{tab}\tCHANNELS {6 if shifts else 3} {f'{POSITION} ' if shifts else ''}{ROTATION}"
    return head if site else [*head, channels]


def _rows(clip: Motion, joints: list[int], shifts: Bools) -> list[str]:
    angles = np.degrees(rot.to_euler(clip.rotations, ORDER))
    columns: list[Floats] = []
    for joint in joints:
        if shifts[joint]:
            columns.append(clip.positions[:, joint])
        columns.append(angles[:, joint])
    template = " ".join(["%.9g"] * sum(c.shape[1] for c in columns))
    return [template % tuple(row) for row in np.concatenate(columns, axis=1).tolist()] if columns else []
