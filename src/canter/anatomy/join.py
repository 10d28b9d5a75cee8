"""Several files of one animal joined on one skeleton: the order of joints, units and names of clips may differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from canter.motion import Asset, Motion, Skeleton, transform

OTHER_UNIT = 1.25
"""Skeletons of one animal whose bones differ by more than this factor are in different units."""
MAX_NAMES = 6
"""Joints that an error names."""


def join(assets: Sequence[Asset]) -> Asset:
    """All clips on the skeleton of the first; files with another skeleton are refused with the joints that differ."""
    first = assets[0]
    clips: list[Motion] = []
    for asset in assets:
        order = _order(first, asset)
        size = _size(first.skeleton) / max(_size(asset.skeleton), 1e-12)
        scale = size if not 1 / OTHER_UNIT < size < OTHER_UNIT else 1.0
        for clip in asset.clips:
            name = _own_name(clip, asset, {c.name for c in clips})
            moved = clip if scale == 1.0 else transform(clip, scale=scale)
            positions, rotations = moved.positions[:, order], moved.rotations[:, order]
            clips.append(Motion(first.skeleton, clip.frame_rate, positions, rotations, name))
    skins = next((a.skins for a in assets if a.skins and a.skeleton.names == first.skeleton.names), ())
    return replace(first, clips=tuple(clips), skins=skins)


def by_skeleton(assets: Iterable[Asset]) -> list[list[Asset]]:
    """Assets that `join` can put on one skeleton together, in the order in which they come."""
    groups: list[list[Asset]] = []
    for asset in assets:
        bones = _hangs_on(asset.skeleton)
        same = (group for group in groups if _hangs_on(group[0].skeleton) == bones)
        found = next((group for group in same if len(group[0].skeleton) == len(asset.skeleton)), None)
        if found is None:
            groups.append([asset])
        else:
            found.append(asset)
    return groups


def _order(first: Asset, other: Asset) -> list[int]:
    """The index in the other skeleton of each joint of the first."""
    ours, theirs = first.skeleton, other.skeleton
    if ours.names == theirs.names and np.array_equal(ours.parents, theirs.parents):
        return list(range(len(ours)))
    a, b = (_hangs_on(skeleton) for skeleton in (ours, theirs))
    here, there = (Path(asset.source).name for asset in (first, other))
    found = [f"only {here} has {_some(set(a) - set(b))}"] if set(a) - set(b) else []
    found += [f"only {there} has {_some(set(b) - set(a))}"] if set(b) - set(a) else []
    moved = {name for name in set(a) & set(b) if a[name] != b[name]}
    found += [f"{_some(moved)} hang on other joints"] if moved else []
    if found or len(a) != len(ours) or len(b) != len(theirs):
        reason = "; ".join(found) or "joints share a name"
        raise ValueError(f"{there} has another skeleton than {here}: {reason}. Build them apart")
    return [theirs.index(name) for name in ours.names]


def _hangs_on(skeleton: Skeleton) -> dict[str, str]:
    parents = skeleton.parents.tolist()
    return {name: skeleton.names[p] if p >= 0 else "" for name, p in zip(skeleton.names, parents, strict=True)}


def _some(names: set[str]) -> str:
    listed = sorted(names)
    more = f" and {len(listed) - MAX_NAMES} more" if len(listed) > MAX_NAMES else ""
    return ", ".join(listed[:MAX_NAMES]) + more


def _size(skeleton: Skeleton) -> float:
    return float(np.linalg.norm(skeleton.offsets[skeleton.parents >= 0], axis=-1).sum())


def _own_name(clip: Motion, asset: Asset, taken: set[str]) -> str:
    """The clip's name; its file's where others have it already."""
    stem = Path(asset.source).stem
    wishes = [clip.name or stem, *([stem] if len(asset.clips) == 1 else []), f"{stem} {clip.name}"]
    return next((name for name in wishes if name not in taken), f"{stem} {clip.name} {len(taken)}")
