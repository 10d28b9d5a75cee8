"""Many takes of one skeleton: the files of a folder grouped by their rig, each rig understood once from all its takes.

A take that only idles, jumps or backs says little about legs and facing; together with the others it is read right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from canter.anatomy.canonical import corrected, labels_beside, size_evidence, understand
from canter.anatomy.character import Anatomy, Character
from canter.anatomy.detect import detect
from canter.anatomy.join import by_skeleton, join
from canter.anatomy.scale import Scale, find_scale
from canter.formats.labels import Label
from canter.motion import Asset

FOLDER_SUFFIXES = (".bvh", ".fbx", ".glb", ".gltf", ".npz")
"""What is looked for in a folder."""


@dataclass(frozen=True, eq=False)
class Rig:
    """The assets of one skeleton, and the anatomy that all of them together show."""

    assets: tuple[Asset, ...]
    anatomy: Anatomy

    def characters(self) -> list[Character]:
        """A Character for every asset, in their order; one unit for all that do not promise different ones."""
        alone = [self.character(asset) for asset in self.assets]
        promised = {asset.metres_per_unit for asset in self.assets}
        if len(promised) > 1 or any(one.anatomy.hip_height_metres is not None for one in alone):
            return alone
        scale = find_scale(promised.pop(), [size_evidence(one) for one in alone])
        return [
            one if one.transform.scale == scale.metres_per_unit else self.character(asset, scale)
            for one, asset in zip(alone, self.assets, strict=True)
        ]

    def character(self, asset: Asset, scale: Scale | None = None) -> Character:
        """One asset, read with the anatomy of all and at the `scale`, if one is known already."""
        return understand(asset, corrected(self.anatomy, asset), labels_beside(asset), scale)


def labels_together(assets: Sequence[Asset], joined: Asset) -> dict[str, tuple[Label, ...]]:
    """The labels beside the files of assets, by the names that their clips have when they are `joined`."""
    names = iter(clip.name for clip in joined.clips)
    found: dict[str, tuple[Label, ...]] = {}
    for asset in assets:
        own = [next(names) for _ in asset.clips]
        found |= dict(zip(own, labels_beside(asset).values(), strict=False))
    return found


def find_rigs(assets: Iterable[Asset]) -> list[Rig]:
    """Assets grouped by skeleton, each group with the anatomy that its takes show together."""
    groups = by_skeleton(assets)
    return [Rig(tuple(group), detect(join(group) if len(group) > 1 else group[0])) for group in groups]


def motion_files(paths: Sequence[str | Path]) -> list[str]:
    """The paths, with folders replaced by the motion files in them, or in their folders if there are none."""
    names: list[str] = []
    for path in paths:
        folder = Path(path)
        if not folder.is_dir():
            names.append(str(path))
            continue
        found = _clips_in(folder.iterdir()) or _clips_in(folder.rglob("*"))
        if not found:
            raise ValueError(f"{path}: there is no clip in this folder; looked for {', '.join(FOLDER_SUFFIXES)}")
        names += found
    return names


def _clips_in(paths: Iterable[Path]) -> list[str]:
    return sorted(str(path) for path in paths if path.suffix.lower() in FOLDER_SUFFIXES and path.is_file())
