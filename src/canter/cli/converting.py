"""`canter convert` and `canter clean`: from one motion file to another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from canter.cleaning.clean import Cleaned
    from canter.motion import Asset


def convert_file(
    source: str, target: Path, clip: str | None = None, frame_rate: float | None = None, canonical: bool = False
) -> str:
    """Read `source`, keep what is asked for, write `target`; returns a summary in one line."""
    from canter.control.sources import open_asset
    from canter.formats import write
    from canter.motion import resample

    asset = _only(open_asset(source), clip)
    if canonical:
        asset = canonical_asset(asset, source)
    if frame_rate is not None:
        asset = replace(asset, clips=tuple(resample(m, frame_rate) for m in asset.clips))
    _check_target(asset, target)
    write(asset, target)
    frames = sum(len(m) for m in asset.clips)
    lost = ", without the mesh" if asset.skins and target.suffix.lower() not in (".glb", ".gltf") else ""
    return f"{target}: {len(asset.clips)} clips, {frames} frames, {len(asset.skeleton)} joints{lost}"


def canonical_asset(asset: Asset, source: str) -> Asset:
    """The asset in metres, +Y up, +Z forward, standing on the ground; its clips travel or not, as they did."""
    from canter.anatomy.canonical import to_canonical
    from canter.control.sources import understand_source

    character = understand_source(asset, source)
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
