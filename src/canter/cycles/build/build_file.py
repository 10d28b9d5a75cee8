"""From files, folders or names to one `.canter` file that can be driven, or to a rig with every gait of an animal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from canter.anatomy import Character
from canter.anatomy.folder import labels_together, motion_files
from canter.anatomy.join import join
from canter.animals.fitting.fit import Fitted, fit
from canter.control.sources import open_asset, open_character, split_clip, understand_source
from canter.cycles.build.built import Built
from canter.cycles.build.drivable import Model, Progress, drivable, model_called
from canter.cycles.build.file import save
from canter.formats import write
from canter.motion import Asset

RIG_SUFFIXES = (".glb", ".gltf", ".npz")


def build_file(
    sources: Sequence[str],
    gaits: str | None = None,
    target: Path | None = None,
    *,
    size: float = 1.0,
    hip_height: float | None = None,
    progress: Progress = lambda *_: None,
) -> tuple[Path, Built]:
    """Make the character of all sources drivable and write it to `target` (NAME.canter, after the first, if none is
    given). `hip_height` is the real height of its hips in metres, if that is known. `gaits` names the animal whose
    gaits the missing ones are made like; "auto" makes them only for a character without a stride, like those of an
    animal of its size."""
    from canter import __version__

    model: Model = "auto" if gaits == "auto" else None if gaits is None else model_called(gaits)
    names = motion_files(sources)
    character = join_sources(names, hip_height, lambda done, _: progress(done, len(names) + 2))
    built = drivable(
        character, model=model, progress=lambda done, steps: progress(len(names) + done, len(names) + steps + 1)
    )
    target = target or Path(f"{Path(split_clip(sources[0])[0]).stem}.canter")
    built = built.scaled(size)
    built = replace(built, character=replace(built.character, name=target.stem))
    files = [Path(split_clip(name)[0]).name for name in names]
    save(built, target, {"canter": __version__, "files": files, "gaits": gaits})
    return target, built


def join_sources(
    names: Sequence[str], hip_height: float | None = None, progress: Progress = lambda *_: None
) -> Character:
    """The character of one or several `NAME[:clip]`, which must share a skeleton; its hips are so many metres high, if
    that is known."""
    if len(names) == 1:
        return open_character(names[0], hip_height)
    assets = []
    for name in names:
        assets.append(open_asset(name))
        progress(len(assets), len(names))
    joined = join(assets)
    return understand_source(joined, names[0], hip_height, labels_together(assets, joined))


def build_rig(
    source: str, gaits: str, target: Path, *, size: float = 1.0, hip_height: float | None = None
) -> tuple[Character, tuple[Fitted, ...]]:
    """Fit every gait of an animal's table to the rig `source` and write it to `target`; its own clips are not used."""
    if target.suffix.lower() not in RIG_SUFFIXES:
        raise ValueError(f"{target}: several clips need a .glb, .gltf or .npz")
    model = model_called(gaits)
    character = open_character(source, hip_height).scaled(size)
    fitted = fit(character, model.rows, model.standing)
    clips = tuple(replace(one.clip.motion, skeleton=character.skeleton) for one in fitted)
    write(Asset(character.skeleton, clips, character.skins, metres_per_unit=1.0), target)
    return character, fitted
