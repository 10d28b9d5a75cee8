"""What a name means that people type: a file or an animal that canter ships, and `NAME:clip` for one clip of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from canter.anatomy import Character, detect, load_character, understand
from canter.anatomy.canonical import Labels, labels_beside, size_evidence
from canter.anatomy.character_file import SUFFIX
from canter.anatomy.folder import find_rigs
from canter.anatomy.overrides import METRES, apply_overrides, overrides_beside
from canter.anatomy.report import file_anatomy
from canter.anatomy.scale import Scale, find_scale
from canter.control.registry import check_source, is_animal, load
from canter.formats import read
from canter.motion import Asset


def split_clip(name: str) -> tuple[str, str | None]:
    """`NAME[:clip]` in two; a colon that is part of the name of a file stays there."""
    if ":" not in name or Path(name).exists():
        return name, None
    head, _, clip = name.rpartition(":")
    return (head, clip) if head and clip and not clip.startswith(("/", "\\")) else (name, None)


def open_asset(name: str) -> Asset:
    """What `NAME[:clip]` holds, as in the file; a shipped animal in metres, +Y up, +Z forward."""
    head, clip = split_clip(name)
    check_source(head)
    asset = _asset(load(head)) if is_animal(head) else read(head)
    return asset if clip is None else replace(asset, clips=(asset.clip(clip),))


def open_character(name: str, hip_height: float | None = None) -> Character:
    """The Character of `NAME[:clip]`: understood, in metres, +Y up, +Z forward; `hip_height` is the real height of the
    hips in metres, where it is known better than the file says."""
    head, clip = split_clip(name)
    character = load(head) if hip_height is None else understand_source(open_asset(head), head, hip_height)
    return character if clip is None else replace(character, clips=(character.clip(clip),))


def open_together(
    names: Sequence[str],
    hip_height: float | None = None,
    failed: Callable[[str, Exception], None] | None = None,
    step: Callable[[], None] = lambda: None,
) -> dict[str, Character]:
    """The Characters of several `NAME[:clip]` by name: files of one skeleton are understood from all of them together,
    and those of one pack have one unit. `failed` is told of names that cannot be opened; without it they raise."""
    opened: dict[str, Character] = {}
    assets: dict[str, Asset] = {}
    for name in names:
        try:
            if hip_height is None and _is_motion_file(name):
                assets[name] = read(name)
            else:
                opened[name] = open_character(name, hip_height)
        except Exception as error:
            if failed is None:
                raise
            failed(name, error)
        step()
    for rig in find_rigs(assets.values()):
        own = [name for name, asset in assets.items() if any(asset is one for one in rig.assets)]
        opened |= dict(zip(own, rig.characters(), strict=True))
    found = [name for name in dict.fromkeys(names) if name in opened]
    return dict(zip(found, in_one_unit([opened[name] for name in found]), strict=True))


def _is_motion_file(name: str) -> bool:
    return Path(name).is_file() and not is_animal(name) and not name.lower().endswith(SUFFIX)


def in_one_unit(characters: Sequence[Character]) -> list[Character]:
    """Characters that were read from files of one pack, measured together: those of one folder and format share a unit.

    Those whose unit proves to be another are read again with it.
    """
    packs: dict[tuple[Path, str], list[Character]] = {}
    for character in characters:
        if is_measured(character):
            path = Path(character.source)
            packs.setdefault((path.parent, path.suffix.lower()), []).append(character)
    scales: dict[int, Scale] = {}
    for pack in packs.values():
        if len(pack) > 1:
            promised = read(pack[0].source).metres_per_unit
            scale = find_scale(promised, [size_evidence(character) for character in pack])
            scales |= {id(character): scale for character in pack}
    return [_at_scale(character, scales.get(id(character))) for character in characters]


def is_measured(character: Character) -> bool:
    """Whether the size of a character was found out by canter, from a file that can be read again."""
    path = Path(character.source)
    given = character.anatomy.hip_height_metres is not None or path.suffix.lower() == SUFFIX
    return path.is_file() and not given and character.anatomy.hip_height > 0


def _at_scale(character: Character, scale: Scale | None) -> Character:
    """The character with another scale, read again if it makes a difference."""
    if scale is None:
        return character
    if np.isclose(scale.metres_per_unit, character.transform.scale):
        known = replace(character.transform, scale_known=scale.known, scale_reason=scale.reason)
        return replace(character, transform=known)
    asset = read(character.source)
    return understand(asset, file_anatomy(character), labels_beside(asset), scale)


def understand_source(
    asset: Asset, name: str, hip_height: float | None = None, labels: Labels | None = None
) -> Character:
    """The Character of an asset that `name` gave, with the corrections beside its file, if there are any, the real
    height of its hips in metres, if that is given, and `labels` of its clips, those beside its file if none are given.
    """
    head, _ = split_clip(name)
    if hip_height is not None and (is_animal(head) or head.lower().endswith(SUFFIX)):
        raise ValueError(f"{head} is in metres already; --size makes it larger or smaller")
    if head.lower().endswith(SUFFIX):
        character = load_character(head)
        return replace(character, clips=tuple(character.clip(motion.name) for motion in asset.clips))
    table = overrides_beside(head, asset.skeleton) if Path(head).is_file() and not is_animal(head) else {}
    table = table if hip_height is None else {**table, METRES: hip_height}
    return understand(asset, apply_overrides(detect(asset), asset, table), labels or labels_beside(asset))


def beside(name: str, script: Path) -> str:
    """The character that a script names: a file beside the script, or what `load` takes."""
    near = script.parent / name
    return str(near) if not is_animal(name) and near.is_file() else name


def _asset(character: Character) -> Asset:
    clips = tuple(clip.motion for clip in character.clips)
    return Asset(character.skeleton, clips, character.skins, character.source or character.name, 1.0)
