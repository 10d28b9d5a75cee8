"""`canter build`: a rig in, the same rig with every gait of a table out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from canter.cli.names import open_character, split_name

if TYPE_CHECKING:
    from canter.anatomy import Character
    from canter.animals.fitting import Fitted


def build_file(source: str, gaits: str, target: Path | None = None) -> Iterator[str]:
    """Give the rig `source` the gaits of an animal and write it; what was understood and made, line by line."""
    from canter.animals.animal import Animal
    from canter.animals.fitting import fit
    from canter.control.registry import load

    animal = load(gaits)
    if not isinstance(animal, Animal):
        raise ValueError(f"{gaits} has no table of gaits")
    character = open_character(source)
    fitted = fit(character, animal.rows, animal.standing)
    yield from _understood(character, fitted[0], gaits)
    yield from (_made(one) for one in fitted)
    target = target or Path(f"{Path(split_name(source)[0]).stem}-{gaits}.glb")
    _write(character, fitted, target)
    yield f"{target}: {len(fitted)} clips, {len(character.skeleton)} joints"


def _write(character: Character, fitted: tuple[Fitted, ...], target: Path) -> None:
    from canter.formats import write
    from canter.motion import Asset

    if target.suffix.lower() not in (".glb", ".gltf", ".npz"):
        raise ValueError(f"{target}: several clips need a .glb, .gltf or .npz")
    clips = tuple(replace(one.clip.motion, skeleton=character.skeleton) for one in fitted)
    write(Asset(character.skeleton, clips, character.skins, metres_per_unit=1.0), target)


def _understood(character: Character, first: Fitted, gaits: str) -> Iterator[str]:
    standing, stood = first.puppet.standing, first.puppet.stood
    yield f"{character.name}: stands by its {stood.reason}, hips at {standing.height:.2f} m, moved as a {gaits}"
    for k, words in ((0, "forelegs"), (2, "hind legs")):
        yield f"  {words}: {', '.join(standing.roles[k])}"


def _made(one: Fitted) -> str:
    seen, row = one.clip.footfalls, one.row
    doubt = "" if one.is_told_right else f" (its feet say {seen.gait})"
    missed = f", feet miss their place by up to {100 * one.miss:.1f} cm" if one.miss > 0.003 else ""
    way = f"{row.turn:.0f} degrees a second" if row.turn else f"{abs(row.speed) or abs(row.sideways):.2f} m/s"
    return f"  {row.name}: {way}, {row.frequency:.2f} strides a second{doubt}{missed}"
