"""`canter build`: clips in, one `.canter` file out that can be driven; or a rig in, and out with every gait."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from canter.cli.names import open_asset, open_character, split_name, understand_file

if TYPE_CHECKING:
    from rich.console import RenderableType

    from canter.anatomy import Character
    from canter.animals.animal import Animal
    from canter.animals.fitting.fit import Fitted
    from canter.cycles.build.drivable import Built, Row

FOLDER_SUFFIXES = (".bvh", ".fbx", ".glb", ".gltf", ".npz")
"""What is looked for in a folder."""


def model_of(gaits: str) -> Animal:
    """The animal whose table of gaits a rig is given."""
    from canter.animals.animal import Animal
    from canter.control.registry import load

    animal = load(gaits)
    if not isinstance(animal, Animal):
        raise ValueError(f"{gaits} has no table of gaits")
    return animal


# One file that can be driven ---------------------------------------------------------------------


def build_canter(
    sources: Sequence[str],
    gaits: str | None,
    target: Path | None,
    size: float = 1.0,
    progress: Callable[..., None] = lambda *_: None,
) -> tuple[Path, Built]:
    """Cut the strides out of all sources and write them; the file, and what was understood."""
    from canter import __version__
    from canter.cycles.build.drivable import build, save

    model = None if gaits is None else model_of(gaits)
    names = _expanded(sources)
    total = len(names) + 2 + (len(model.rows) if model else 0)
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        progress(done, total)

    character = _character(names, step)
    target = target or Path(f"{Path(split_name(sources[0])[0]).stem}.canter")
    built = _sized(build(character, model, step), size)
    built = replace(built, character=replace(built.character, name=target.stem))
    files = [Path(split_name(name)[0]).name for name in names]
    save(built, target, {"canter": __version__, "files": files, "gaits": gaits})
    step()
    return target, built


def _sized(built: Built, size: float) -> Built:
    """What was built, so many times as large; gaits are read at the size of the clips."""
    from canter.cycles.build.cycle import make_cycle

    if size == 1:
        return built
    character, root = built.character.scaled(size), math.sqrt(size)
    rows = []
    for row in built.rows:
        clip = character.clip(row.taken.clip.name)
        speeds = None if row.speeds is None else (root * row.speeds[0], root * row.speeds[1])
        taken = replace(row.taken, clip=clip, gap=size * row.taken.gap)
        rows.append(replace(row, taken=taken, cycle=make_cycle(character, clip), speeds=speeds))
    return replace(built, character=character, rows=tuple(rows))


def _expanded(sources: Sequence[str]) -> list[str]:
    """Folders replaced by the files in them."""
    names: list[str] = []
    for source in sources:
        folder = Path(source)
        if not folder.is_dir():
            names.append(source)
            continue
        found = _clips_in(folder.iterdir()) or _clips_in(folder.rglob("*"))
        if not found:
            raise ValueError(f"{source}: there is no clip in this folder; looked for {', '.join(FOLDER_SUFFIXES)}")
        names += found
    return names


def _clips_in(paths: Iterable[Path]) -> list[str]:
    return sorted(str(path) for path in paths if path.suffix.lower() in FOLDER_SUFFIXES and path.is_file())


def _character(names: Sequence[str], step: Callable[[], None]) -> Character:
    from canter.cycles.build.drivable import join

    if len(names) == 1:
        character = open_character(names[0])
        step()
        return character
    assets = []
    for name in names:
        assets.append(open_asset(name))
        step()
    return understand_file(join(assets), names[0])


def understood(target: Path, built: Built) -> RenderableType:
    """What came out, as a table, and what was left aside."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from canter.anatomy import actions_of

    character, (a, b) = built.character, built.law
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("gait", "clip", "from"):
        table.add_column(name, overflow="fold")
    for name in ("m/s", "strides/s", "range m/s", "closing cm"):
        table.add_column(name, justify="right")
    for row in built.rows:
        table.add_row(*_cells(row))
    height, joints = character.anatomy.hip_height, len(character.skeleton)
    headline = Text(f"{target}: {character.name}, hips {height:.2f} m high, {joints} joints", "bold")
    law = Text(f"stride law: Fr = {a:.2f} (L / h)^{b:.2f}", "dim")
    acts = actions_of(character)
    kept = [Text(f"actions: {', '.join(acts)}", "dim")] if acts else []
    kept += (
        [Text(f"also kept: {', '.join(rest)}", "dim")] if (rest := [a for a in built.actions if a not in acts]) else []
    )
    left = [Text(f"not taken: {name}, {why}", "yellow") for name, why in built.left]
    return Group(headline, table, law, *kept, *left)


def _cells(row: Row) -> tuple[str, ...]:
    taken, cycle = row.taken, row.cycle
    first, last = taken.frames
    where = f"{taken.source} {first}-{last}" if "stride" in taken.how else taken.source
    return (
        cycle.gait,
        cycle.name,
        f"{where} ({taken.how})",
        "" if cycle.stands else f"{cycle.speed:.2f}",
        "" if cycle.stands else f"{1 / cycle.seconds:.2f}",
        f"{row.speeds[0]:.2f}-{row.speeds[1]:.2f}" if row.speeds else "",
        f"{taken.gap:.1f}",
    )


# A rig with every gait ---------------------------------------------------------------------------


def build_rig(source: str, gaits: str, target: Path, size: float = 1.0) -> Iterator[str]:
    """Give the rig `source` the gaits of an animal and write it; what was understood and made, line by line."""
    from canter.animals.fitting.fit import fit

    animal = model_of(gaits)
    character = open_character(source).scaled(size)
    fitted = fit(character, animal.rows, animal.standing)
    yield from _understood(character, fitted[0], gaits)
    yield from (_made(one) for one in fitted)
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
    standing, stood = first.puppet.standing, first.puppet.rig
    yield f"{character.name}: stands by its {stood.reason}, hips at {standing.height:.2f} m, moved as a {gaits}"
    for k, words in ((0, "forelegs"), (2, "hind legs")):
        yield f"  {words}: {', '.join(standing.roles[k])}"


def _made(one: Fitted) -> str:
    seen, row = one.clip.footfalls, one.row
    doubt = "" if one.is_recognised else f" (its feet say {seen.gait})"
    missed = f", feet foot_error their place by up to {100 * one.foot_error:.1f} cm" if one.foot_error > 0.003 else ""
    way = f"{row.turn:.0f} degrees a second" if row.turn else f"{abs(row.speed) or abs(row.sideways):.2f} m/s"
    return f"  {row.name}: {way}, {row.frequency:.2f} strides a second{doubt}{missed}"
