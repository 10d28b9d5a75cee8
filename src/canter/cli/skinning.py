"""`canter skin`: a rig without a mesh in, the same rig with an estimated body out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from canter.anatomy import Character
    from canter.motion import Skin

MAX_CHECKED_FRAMES = 120
"""How many frames of all clips together are checked for folds."""


@dataclass(frozen=True)
class Folds:
    """Shares of triangles that fold over: the mean of the checked frames, the worst, and where that is."""

    mean: float
    worst: float
    place: str


def skin_file(source: str, target: Path, force: bool = False, hip_height: float | None = None) -> Iterator[str]:
    """Give `source` a body and write it with its clips; what was made, line by line."""
    from canter.body import skin_character
    from canter.control.sources import open_character
    from canter.formats import write
    from canter.motion import Asset

    _check_target(target)
    character = open_character(source, hip_height)
    if not force:
        _check_bare(character, source)
    yield _understood(character)
    start = time.perf_counter()
    skin = skin_character(character)
    yield f"  {len(skin.triangles):,} triangles in {time.perf_counter() - start:.1f} s"
    folds = count_folds(character, skin)
    if folds is not None:
        worst = f", {folds.worst:.2%} at worst ({folds.place})" if folds.worst else ""
        yield f"  {folds.mean:.2%} of them fold over in the clips{worst}"
    clips = tuple(replace(clip.motion, skeleton=character.skeleton) for clip in character.clips)
    write(Asset(character.skeleton, clips, (skin,), metres_per_unit=1.0), target)
    yield f"{target}: {len(clips)} clips, {len(character.skeleton)} joints"


def count_folds(character: Character, skin: Skin) -> Folds | None:
    """How the skin folds in the clips of its character; None if there are none."""
    from canter.body import folded_share

    moments = [(clip, frame) for clip in character.clips for frame in range(len(clip.motion))]
    moments = moments[:: max(1, -(-len(moments) // MAX_CHECKED_FRAMES))]
    if not moments:
        return None
    shares = [folded_share(skin, character.skeleton, clip.motion.pose(frame)) for clip, frame in moments]
    worst = max(range(len(shares)), key=lambda i: shares[i])
    clip, frame = moments[worst]
    return Folds(sum(shares) / len(shares), shares[worst], f"{clip.name}, frame {frame}")


def _understood(character: Character) -> str:
    anatomy = character.anatomy
    size = f", hips at {anatomy.hip_height:.2f} m" if anatomy.hip_height > 0 else ""
    note = "" if anatomy.kind == "quadruped" else ", so every bone gets a rounded body"
    return f"{character.name}: {anatomy.kind}{size}, {len(character.skeleton)} joints{note}"


def _check_target(target: Path) -> None:
    """Refuses a target that cannot be written, before the work starts."""
    if target.suffix.lower() not in (".glb", ".gltf"):
        raise ValueError(f"{target}: only a .glb or .gltf keeps a skin; name one with -o")
    if not target.parent.is_dir():
        raise ValueError(f"{target}: there is no folder {target.parent}; make it, or name another with -o")


def _check_bare(character: Character, source: str) -> None:
    from canter.anatomy.report import not_understood, report

    if character.skins:
        count = sum(len(skin.triangles) for skin in character.skins)
        raise ValueError(
            f"{source} has a mesh already ({count:,} triangles); --force puts an estimated body in its place"
        )
    reasons = not_understood(report(character, source))
    if reasons:
        raise ValueError(
            f"{source} is no animal that canter understands ({character.anatomy.kind}): {'; '.join(reasons)}. "
            f"Correct it with: canter inspect --write-anatomy, or give every bone a rounded body with --force"
        )
