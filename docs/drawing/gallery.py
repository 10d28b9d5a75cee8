"""Draws every clip of the animals that canter ships, and the page that shows them.

`make gallery` runs `python docs/drawing/gallery.py docs`. It writes gallery.md into the folder and the pictures into
pictures/gallery under it, and deletes pictures there whose clip is gone. The same animals give the same files.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.progress import track

from canter.anatomy import Character, Clip
from canter.cli.shipped import described, pace, span
from canter.cli.tables import console
from canter.control.registry import Entry, entries, load
from canter.pictures.header import gait_line
from plates import draw_gif, draw_sheet

PICTURES = Path("pictures/gallery")
HEAD = """# Gallery

Every clip of every animal that canter ships, drawn by `make gallery`; nothing here is edited by hand. A sheet shows the
moments of one stride, or of the whole clip where there is none: from the side with dashes under the feet that are down,
at a slant, and over the footfall diagram.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where gallery.md and its pictures go, such as docs")
    folder: Path = parser.parse_args().folder
    shown = list(animals())
    plates = [(character, clip) for _, character in shown for clip in character.clips]
    for character, clip in track(plates, "drawing", console=console(error=True)):
        draw(character, clip, folder / PICTURES)
    clear(folder / PICTURES, {name for plate in plates for name in names(*plate)})
    (folder / "gallery.md").write_text(page(shown), "utf-8")
    print(f"{folder / 'gallery.md'}: {len(plates)} clips")


def animals() -> Iterator[tuple[Entry, Character]]:
    """The shipped animals that have a skin to show."""
    for entry in entries("animal"):
        character = None if entry.missing else load(entry.name)
        if character is not None and character.skins:
            yield entry, character


def names(character: Character, clip: Clip) -> tuple[str, str]:
    """The files of a clip: its GIF and its sheet."""
    stem = f"{character.name}_{clip.name}".replace(" ", "_")
    return f"{stem}.gif", f"{stem}.png"


def draw(character: Character, clip: Clip, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    gif, sheet = names(character, clip)
    draw_gif(character, clip, folder / gif)
    draw_sheet(character, clip, folder / sheet)


def clear(folder: Path, keep: set[str]) -> None:
    for path in [*folder.glob("*.gif"), *folder.glob("*.png")]:
        if path.name not in keep:
            path.unlink()


def page(shown: list[tuple[Entry, Character]]) -> str:
    """The page in Markdown."""
    return "\n".join([HEAD, *(block for entry, character in shown for block in _animal(entry, character))])


def _animal(entry: Entry, character: Character) -> Iterator[str]:
    found = described(entry, character)
    gaits = {gait["name"]: gait for gait in found["gaits"]}
    about = found["about"][:1].upper() + found["about"][1:]
    yield f"## The {found['name']}\n"
    yield f"{about}. Hips at {found['hip_height']:.2f} m, {found['joints']} joints, {found['triangles']:,} triangles.\n"
    for clip in character.clips:
        gif, sheet = names(character, clip)
        yield f"### {found['name'].capitalize()}: {clip.name}\n"
        yield f"{facts(clip, gaits.get(clip.name))}\n"
        yield f"![{clip.name}, moving]({PICTURES.as_posix()}/{gif})\n"
        yield f"![{clip.name}, moment by moment]({PICTURES.as_posix()}/{sheet})\n"


def facts(clip: Clip, gait: dict[str, Any] | None = None) -> str:
    """A sentence on the gait, its speed and range, its strides and how long the feet stay down."""
    falls = clip.footfalls
    parts = [gait_line(clip).capitalize()]
    if not falls.stride_seconds > 0:
        return f"{parts[0]}, {clip.motion.seconds:.1f} s."
    if gait is not None and gait["turn_deg"]:
        parts.append(pace(gait))
    else:
        speeds = span(gait) if gait is not None else ""
        parts.append(f"{falls.speed:.2f} m/s" + (f" (from {speeds})" if speeds else ""))
    parts.append(f"{1 / falls.stride_seconds:.2f} strides a second")
    duties = [f"{duty:.2f} {end}" for end, duty in _duties(falls.duty)]
    parts += [f"duty {' and '.join(duties)}"] if duties else []
    return ", ".join(parts) + "."


def _duties(duty: dict[str, float]) -> Iterator[tuple[str, float]]:
    for end, word in (("F", "fore"), ("H", "hind")):
        values = [share for leg, share in duty.items() if leg.endswith(end) and math.isfinite(share)]
        if values:
            yield word, sum(values) / len(values)


if __name__ == "__main__":
    main()
