"""The child process that reads untrusted files: `python -m canter.studio.worker` in the folder of one job.

It reads `job.json`, reports progress as JSON lines on stdout, and writes a `.canter` file. Limits of memory, CPU time
and file size are set before anything is read, so that a malicious file can only end this process.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

MAX_RESULT_BYTES = 1 << 30
MAX_LIST_LENGTH = 40
GIF_SIZE = 400, 270
"""Pixels of a GIF: with 20 frames a second and 48 colours five seconds are less than a megabyte."""


STAGES = {"reading": 1.0, "understanding": 4.0, "building": 5.0, "skinning": 14.0, "keeping": 1.0}
"""The stages of a build, and how long each usually takes, relative to each other."""


def progress(stage: str, doing: str, share: float = 0.0, skips: tuple[str, ...] = ()) -> None:
    """Reports that a `share` of a stage is done; stages that the animal does not need are in `skips`."""
    lengths = {name: 0.0 if name in skips else seconds for name, seconds in STAGES.items()}
    names = list(lengths)
    before = sum(lengths[name] for name in names[: names.index(stage)])
    done = (before + share * lengths[stage]) / sum(lengths.values())
    say(share=round(done, 3), doing=doing, stage=stage, processor_seconds=round(time.process_time(), 3))


def say(**words: Any) -> None:
    """Sends one JSON line to the server."""
    print(json.dumps(words, allow_nan=False), flush=True)


def limit(seconds: float | None, memory: int) -> None:
    """Limits this process and its children as far as the system allows; elsewhere only the server's timeout does."""
    if hasattr(os, "nice"):
        os.nice(5)
    try:
        import resource
    except ImportError:
        return
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, resource.RLIM_INFINITY if seconds is None else math.ceil(seconds)),
        (resource.RLIMIT_FSIZE, MAX_RESULT_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else hard if most == resource.RLIM_INFINITY else min(most, hard)
        with suppress(ValueError, OSError):  # macOS refuses to limit memory; the server's timeout remains
            resource.setrlimit(what, (most, most))


def draw() -> int:
    """The clip of `ride.canter` as `ride.gif`."""
    from canter.anatomy.character_file import read_character
    from canter.pictures import animate

    if hasattr(os, "nice"):
        os.nice(5)
    animate(read_character("ride.canter"), None, "ride.gif", size=GIF_SIZE, fps=20.0, colors=48)
    return 0


def main() -> int:
    job = json.loads(Path("job.json").read_text("utf-8"))
    limit(job["seconds"], job["bytes"])
    try:
        say(report=build(job))
    except MemoryError:
        say(error="the files need more memory than a build may have", too_large=True)
    except Exception as error:
        words = " ".join((str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)).split())
        say(error=_in_own_names(words, job["files"]) or type(error).__name__)
    return 0


def _in_own_names(words: str, files: list[dict[str, str]]) -> str:
    """An error message with files, and the labels beside them, as their owner knows them."""
    from canter.formats.labels import labels_path

    for file in files:
        stored, own = Path(file["path"]), Path(file["name"])
        for path, name in ((labels_path(stored), labels_path(own)), (stored, own)):
            words = words.replace(str(path), name.name).replace(path.name, name.name)
    return words


def build(job: dict[str, Any]) -> dict[str, Any]:
    """Builds the files of a job into its result file; returns the report on the animal."""
    from canter.anatomy.character_file import SUFFIX
    from canter.anatomy.report import not_understood
    from canter.anatomy.report import report as anatomy_report
    from canter.cycles.build.edit import edited
    from canter.cycles.build.file import read_drivable, save
    from canter.studio.corrections import Corrections, read_corrections
    from canter.studio.report import animal_report, scaled_takes, takes_report

    files = _models(job)
    name = Path(files[0]["name"]).stem or "animal"
    corrections = read_corrections(json.dumps(job["corrections"]))
    read_anew = replace(corrections, edits=()) != Corrections()
    takes = []
    progress("reading", "reading")
    if len(files) == 1 and files[0]["path"].lower().endswith(SUFFIX) and not read_anew:
        character = replace(read_drivable(files[0]["path"]), name=name)
    else:
        character, labels = _understood(job, files)
        character, takes = replace(character, name=name), takes_report(character, labels)
        reasons = not_understood(anatomy_report(character))
        if character.anatomy.kind == "biped":
            reasons = ["it seems to walk on two legs, and canter moves animals with four"]
        if reasons:
            say(report={**animal_report(character), "clips": len(character.clips)})
            raise ValueError(f"{name}: {'; '.join(reasons)}. If it has four, say which joints they are")
    skips = ("skinning",) if character.skins else ()
    progress("building", "cutting strides", skips=skips)
    built = _drivable(character, skips)
    warnings = list(built.warnings)
    if not character.skins:
        from canter.body import skin_character

        def grow(share: float) -> None:
            progress("skinning", "making a body for it", share)

        grow(0.0)
        built = replace(built, character=replace(built.character, skins=(skin_character(built.character, grow),)))
        warnings.append("the files have no mesh; the body is an estimate")
    for edit in corrections.edits:
        try:
            built = replace(built, character=edited(built.character, edit))
        except (KeyError, ValueError) as error:
            warnings.append(f"a change of {edit.gait or 'its size'} could not be made again: {error.args[0]}")
    progress("keeping", "keeping it", skips=skips)
    save(built, Path(job["result"]), {"files": [file["name"] for file in files]})
    takes = scaled_takes(takes, built.character.anatomy.hip_height / character.anatomy.hip_height)
    report = animal_report(built.character, built, warnings)
    return {**report, "clips": len(character.clips), "skipped": built.skipped[:MAX_LIST_LENGTH], "takes": takes}


def _models(job: dict[str, Any]) -> list[dict[str, str]]:
    """The files with a skeleton, without the buffers and images of a glTF."""
    from canter.studio.multipart import PART_SUFFIXES

    models = [file for file in job["files"] if Path(file["path"]).suffix.lower() not in PART_SUFFIXES]
    if not models:
        raise ValueError(f"{job['files'][0]['name']} is only a part of a model; send the .gltf that needs it too")
    if not job["local"]:
        for file in models:
            if file["path"].lower().endswith(".gltf"):
                _with_its_parts(file, job["files"])
    return models


def _with_its_parts(model: dict[str, str], files: list[dict[str, str]]) -> None:
    """Rewrites the URIs of a glTF to the stored names of the files that were uploaded with it."""
    from urllib.parse import unquote

    from canter.studio.multipart import display_name

    path, here = Path(model["path"]), [Path(file["path"]).name for file in files]
    came = {name: name for name in here} | {f["name"].lower(): name for f, name in zip(files, here, strict=True)}
    try:
        document = json.loads(path.read_bytes())
        parts = [*document.get("buffers", ()), *document.get("images", ())]
        apart = [part for part in parts if part.get("uri") and not part["uri"].lower().startswith("data:")]
        wanted = [display_name(unquote(part["uri"])) for part in apart]
    except (ValueError, TypeError, AttributeError, RecursionError):
        return  # its reader gives a better error message
    if missing := [name for name in wanted if name.lower() not in came]:
        needed = ", ".join(missing[:MAX_LIST_LENGTH])
        raise ValueError(f"{model['name']} needs {needed}: send them together, or export it as one .glb")
    for part, name in zip(apart, wanted, strict=True):
        part["uri"] = came[name.lower()]
    path.write_text(json.dumps(document), "utf-8")


def _understood(job: dict[str, Any], files: list[dict[str, str]]) -> tuple[Any, dict[str, Any]]:
    """The character of all files, which must share a skeleton, with the corrections of the job; and the labels of its
    takes by name."""
    from canter.anatomy import detect, understand
    from canter.anatomy.join import join
    from canter.anatomy.overrides import apply_overrides, overrides_beside
    from canter.formats import read
    from canter.studio.corrections import read_corrections

    assets = []
    for number, file in enumerate(files):
        progress("reading", f"reading {file['name']}", number / len(files))
        assets.append(_called(read(file["path"]), file))
    asset = join(assets) if len(assets) > 1 else assets[0]
    corrections = read_corrections(json.dumps(job["corrections"]))
    labels = _labels(files, assets, asset, corrections, not job["local"])
    asset = corrections.shortened(asset)
    progress("understanding", "looking for legs")
    found = detect(asset)
    if job["local"]:
        found = apply_overrides(found, asset, overrides_beside(files[0]["path"]))
    table = corrections.overrides(found, asset.skeleton)
    anatomy = apply_overrides(found, asset, table)
    progress("understanding", "reading its footfalls", 0.3)
    return understand(asset, anatomy, labels), labels


def _labels(
    files: list[dict[str, str]], assets: list[Any], joined: Any, corrections: Any, keep: bool
) -> dict[str, Any]:
    """The labels of takes by their names: those beside the files and those of the corrections, which count first.

    With `keep`, corrected ones are written beside the files that hold one take, where the command line reads them."""
    from canter.formats.labels import Label, labels_path, read_labels, write_labels

    names, found = iter([clip.name for clip in joined.clips]), {}
    begin = corrections.part[0] if corrections.part else 0.0
    for file, asset in zip(files, assets, strict=True):
        own = [next(names) for _ in asset.clips]
        if len(own) != 1:
            continue
        name = own[0]
        if name not in corrections.labels:
            read = [x for x in read_labels(file["path"]) if x.start >= begin]
            found[name] = tuple(Label(x.start - begin, x.end - begin, x.name) for x in read)
        elif keep:
            lines = [Label(x.start + begin, x.end + begin, x.name) for x in corrections.labels[name]]
            write_labels(lines, file["path"]) if lines else labels_path(file["path"]).unlink(missing_ok=True)
    if missing := set(corrections.labels) - {clip.name for clip in joined.clips}:
        raise ValueError(f"no take is called {sorted(missing)[0]!r}")
    return {**found, **corrections.labels}


def _called(asset: Any, file: dict[str, str]) -> Any:
    """An asset with the names that its owner knows: the file's own instead of the stored one, and clips without the
    armature that exporters put before their names."""
    stored, own = Path(file["path"]).stem, Path(file["name"]).stem
    names = [own if clip.name == stored else clip.name for clip in asset.clips]
    short = [name.rpartition("|")[2] or name for name in names]
    names = short if len(set(short)) == len(names) else names
    clips = tuple(replace(clip, name=name) for clip, name in zip(asset.clips, names, strict=True))
    return replace(asset, clips=clips, source=file["name"])


def _drivable(character: Any, skips: tuple[str, ...]) -> Any:
    """The character made drivable; one that shows no gait gets those of a shipped animal of its size."""
    from canter.cycles.build.drivable import drivable, model_for

    def report_progress(done: int, steps: int) -> None:
        if steps > 1:
            doing = f"making gaits like those of the {model_for(character).name}"
            progress("building", doing, (done - 1) / steps, skips)

    return drivable(character, model="auto", progress=report_progress)


if __name__ == "__main__":
    sys.exit(draw() if sys.argv[1:] == ["draw"] else main())
