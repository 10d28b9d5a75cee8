"""`canter convert` and `canter clean`: from one motion file to another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from canter.anatomy import Clip
    from canter.cleaning.clean import Cleaned
    from canter.motion import Asset, Motion


def convert_file(
    source: str,
    target: Path,
    clip: str | None = None,
    frame_rate: float | None = None,
    canonical: bool = False,
    hip_height: float | None = None,
) -> str:
    """Read `source`, keep what is asked for, write `target`; returns a summary in one line."""
    from canter.control.sources import open_asset
    from canter.formats import write

    asset = _only(open_asset(source), clip)
    if frame_rate is not None:
        asset = resampled_asset(asset, source, frame_rate)
    if canonical:
        asset = canonical_asset(asset, source, hip_height)
    _check_target(asset, target)
    write(asset, target)
    frames = sum(len(m) for m in asset.clips)
    lost = ", without the mesh" if asset.skins and target.suffix.lower() not in (".glb", ".gltf") else ""
    return f"{target}: {len(asset.clips)} clips, {frames} frames, {len(asset.skeleton)} joints{lost}"


def resampled_asset(asset: Asset, source: str, frame_rate: float) -> Asset:
    """The asset with clips of so many frames a second; what was a loop, with or without a closing frame, still is."""
    from canter.anatomy.rig_motion import bind_pose_dropped
    from canter.control.sources import understand_source
    from canter.motion import resample
    from canter.motion.loops import resample_open_loop

    def resampled(motion: Motion, understood: Clip) -> Motion:
        moving, period = bind_pose_dropped(motion), len(understood.motion) - 1
        if understood.footfalls.loop and understood.footfalls.in_place and period >= len(moving):
            return resample_open_loop(moving, frame_rate, period)
        return resample(motion, frame_rate, periodic=True)

    understood = understand_source(asset, source).clips
    return replace(asset, clips=tuple(map(resampled, asset.clips, understood)))


def canonical_asset(asset: Asset, source: str, hip_height: float | None = None) -> Asset:
    """The asset in metres, +Y up, +Z forward, standing on the ground; its clips travel or not, as they did."""
    from canter.anatomy.canonical import to_canonical
    from canter.control.sources import understand_source

    character = understand_source(asset, source, hip_height)
    clips = tuple(to_canonical(m, character.transform, character.skeleton) for m in asset.clips)
    return replace(asset, skeleton=character.skeleton, clips=clips, skins=character.skins, metres_per_unit=1.0)


def clean_file(source: str, target: Path, clip: str | None = None, cut_loops: bool = False) -> Cleaned:
    """Read `source`, clean it, write `target`; returns the figures of each clip before and after."""
    from canter.cleaning.clean import clean
    from canter.control.sources import open_asset, understand_source
    from canter.formats import write

    asset = open_asset(source)
    character = understand_source(asset, source)
    if clip is not None:
        asset, character = _only(asset, clip), replace(character, clips=(character.clip(clip),))
    _check_target(asset, target)
    cleaned = clean(asset, character, cut_loops=cut_loops)
    write(cleaned.asset, target)
    return cleaned


def _only(asset: Asset, clip: str | None) -> Asset:
    return asset if clip is None else replace(asset, clips=(asset.clip(clip),))


def _check_target(asset: Asset, target: Path) -> None:
    if target.suffix.lower() == ".bvh" and len(asset.clips) > 1:
        names = ", ".join(motion.name for motion in asset.clips)
        raise ValueError(f"{target}: a BVH keeps one clip; choose one with --clip (there are {names}), or write a .glb")
