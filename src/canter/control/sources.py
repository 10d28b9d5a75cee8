"""What a name means that people type: a file or an animal that canter ships, and `NAME:clip` for one clip of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from canter.anatomy import Character, detect, load_character, understand
from canter.anatomy.character_file import SUFFIX
from canter.anatomy.overrides import apply_overrides, overrides_beside
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


def open_character(name: str) -> Character:
    """The Character of `NAME[:clip]`: understood, in metres, +Y up, +Z forward."""
    head, clip = split_clip(name)
    character = load(head)
    return character if clip is None else replace(character, clips=(character.clip(clip),))


def understand_source(asset: Asset, name: str) -> Character:
    """The Character of an asset that `name` gave, with the corrections beside its file, if there are any."""
    head, _ = split_clip(name)
    if head.lower().endswith(SUFFIX):
        character = load_character(head)
        return replace(character, clips=tuple(character.clip(motion.name) for motion in asset.clips))
    table = overrides_beside(head) if Path(head).is_file() and not is_animal(head) else {}
    return understand(asset, apply_overrides(detect(asset), asset, table))


def beside(name: str, script: Path) -> str:
    """The character that a script names: a file beside the script, or what `load` takes."""
    near = script.parent / name
    return str(near) if not is_animal(name) and near.is_file() else name


def _asset(character: Character) -> Asset:
    clips = tuple(clip.motion for clip in character.clips)
    return Asset(character.skeleton, clips, character.skins, character.source or character.name, 1.0)
