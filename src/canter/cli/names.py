"""What a name on the command line means: a file, or an animal that canter ships; `:clip` chooses a clip."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from canter.anatomy import Character
    from canter.motion import Asset, Motion


def split_name(name: str) -> tuple[str, str | None]:
    """`NAME[:clip]` in two; a file whose name has a colon wins."""
    if ":" not in name or Path(name).exists():
        return name, None
    head, _, clip = name.rpartition(":")
    return (head, clip) if head and clip and not clip.startswith(("/", "\\")) else (name, None)


def open_asset(name: str) -> Asset:
    """What `NAME[:clip]` holds, as in the file."""
    from canter.formats import read

    head, clip = split_name(name)
    shipped = _shipped(head)
    asset = read(head) if shipped is None else _asset(shipped, tuple(c.motion for c in shipped.clips))
    return asset if clip is None else replace(asset, clips=(asset.clip(clip),))


def open_character(name: str) -> Character:
    """The Character of `NAME[:clip]`: understood, in metres, +Y up, +Z forward."""
    from canter.anatomy import load_character

    head, clip = split_name(name)
    character = _shipped(head) or load_character(head)
    return character if clip is None else replace(character, clips=(character.clip(clip),))


def understand_file(asset: Asset, name: str) -> Character:
    """The Character of an asset that `name` gave, with the corrections beside its file, if there is one."""
    from canter.anatomy import detect, load_character, understand
    from canter.anatomy.character_file import SUFFIX
    from canter.anatomy.overrides import apply_overrides, overrides_beside

    head, _ = split_name(name)
    if head.lower().endswith(SUFFIX):
        character = load_character(head)
        return replace(character, clips=tuple(character.clip(motion.name) for motion in asset.clips))
    table = overrides_beside(head) if Path(head).is_file() else {}
    return understand(asset, apply_overrides(detect(asset), asset, table))


def _shipped(name: str) -> Character | None:
    """The animal of that name, unless a file is called so."""
    from canter.control.registry import entries, load

    return load(name) if name in {entry.name for entry in entries("animal")} and not Path(name).exists() else None


def _asset(character: Character, clips: tuple[Motion, ...]) -> Asset:
    from canter.motion import Asset

    return Asset(character.skeleton, clips, character.skins, character.source or character.name, 1.0)
