"""Draws the pictures of the page on networks: from result records ways along paths and weights of experts, and rides of
the shipped networks that move.

`python docs/drawing/neural.py docs` reads results/mann under the folder and writes into pictures/neural there; another
folder of records may be named. Without names it draws those of the shipped networks, and with --rides their rides.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from canter.control.play import ride_script
from canter.control.script import Cue, Script
from canter.evaluation.mann.experts import PROFILE_SECONDS
from canter.evaluation.mann.paths import FREE, PATHS
from canter.evaluation.mann.records import Record, read_records
from canter.pictures.chart_style import add_title, chart_style, new_figure, rgb, to_image
from canter.pictures.gif import animate
from canter.pictures.palette import FAINT, SERIES

PICTURES = Path("pictures/neural")
PANEL = 300
"""Pixels of a panel."""
FEW_COLUMNS = 4
RIDE_SIZE, RIDE_FPS, RIDE_COLORS = (232, 144), 8.0, 24
RIDES: dict[str, Script] = {
    "dog": Script(
        "dog",
        cues=(
            Cue(0.0, {"speed": 0.9, "heading": math.radians(75)}),
            Cue(1.5, {"speed": 1.9}),
            Cue(3.0, {"speed": 4.5}),
            Cue(4.5, {"action": "jump"}),
            Cue(4.6, {"action": None}),
            Cue(6.0, {"speed": 0.0}),
            Cue(7.5, {"action": "lie"}),
            Cue(10.5, {"action": None, "speed": 1.9}),
        ),
        controller="mann",
        seconds=12.5,
    ),
    "horse": Script(
        "horse",
        cues=(
            Cue(0.0, {"speed": 1.5, "heading": math.radians(75)}),
            Cue(2.5, {"speed": 3.0}),
            Cue(4.5, {"speed": 6.0}),
            Cue(6.0, {"action": "leap"}),
            Cue(6.1, {"action": None}),
            Cue(8.0, {"speed": 11.0}),
            Cue(10.0, {"speed": 0.0}),
        ),
        controller="mann",
        seconds=12.5,
    ),
}
"""What networks are shown doing, by animal."""


def path_picture(title: str, paths: Mapping[str, Mapping[str, Any]]) -> Image.Image:
    """Figure 8: the wanted paths, faint, and the ways that were gone, a row for each pace."""
    paces = list(paths)
    with chart_style():
        figure = new_figure((PANEL * len(PATHS), PANEL * len(paces) + 40))
        panels = figure.subplots(len(paces), len(PATHS), squeeze=False)
        add_title(figure, title)
        for row, pace in zip(panels, paces, strict=True):
            for panel, name in zip(row, PATHS, strict=True):
                wanted = PATHS[name]()
                wanted = np.concatenate([wanted, wanted[:1]])
                panel.plot(-wanted[:, 0], wanted[:, 1], color=rgb(FAINT), linewidth=4)  # +X is left
                found = paths[pace].get(name)
                if found:
                    way = np.array(found["way"])
                    panel.plot(-way[:, 0], way[:, 1], color=rgb(SERIES[0]), linewidth=1.2)
                    panel.set_title(f"{name}, {pace}: {found['position']:.1f} cm, {found['angle']:.1f}°", fontsize=9)
                panel.set_aspect("equal")
                panel.set_axis_off()
        return to_image(figure)


def expert_picture(title: str, activations: Mapping[str, Mapping[str, Any]]) -> Image.Image:
    """Figure 9: the weights of all experts over two seconds, a panel for each task."""
    tasks = list(activations)
    columns = min(FEW_COLUMNS, len(tasks))
    rows = -(-len(tasks) // columns)
    with chart_style():
        figure = new_figure((PANEL * columns, round(0.6 * PANEL) * rows + 40))
        panels = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
        add_title(figure, title)
        for panel in panels.ravel()[len(tasks) :]:
            panel.set_axis_off()
        for panel, task in zip(panels.ravel(), tasks, strict=False):
            profile = np.array(activations[task]["profile"])
            times = np.linspace(0.0, PROFILE_SECONDS, len(profile))
            for k in range(profile.shape[1]):
                panel.plot(times, profile[:, k], color=rgb(SERIES[k % len(SERIES)]), linewidth=1.2)
            panel.set_title(task, fontsize=9)
            panel.set_ylim(0.0, 1.0)
        return to_image(figure)


def pictures_of(record: Record) -> dict[str, Image.Image]:
    """The pictures of a record by name."""
    animal, column = record.config["animal"], record.config["column"]
    found = {}
    paths = record.figures.get("paths")
    if paths and any(name != FREE for pace in paths.values() for name in pace):
        found[f"paths_{record.name}"] = path_picture(f"{animal}, {column}", paths)
    activations = record.figures.get("experts", {}).get("activations")
    if activations:
        found[f"experts_{record.name}"] = expert_picture(f"{animal}, {column}: weights of experts in 2 s", activations)
    return found


def draw_ride(animal: str, folder: Path) -> Path:
    """Writes a ride of a shipped network as a GIF."""
    ride = ride_script(RIDES[animal])
    return animate(
        ride.character,
        ride.clip(),
        folder / f"{animal}_mann.gif",
        size=RIDE_SIZE,
        fps=RIDE_FPS,
        words=False,
        colors=RIDE_COLORS,
    )


def _is_shipped(record: Record) -> bool:
    return "experts" in record.figures and "training" not in record.config


def draw(records: Sequence[Record], folder: Path) -> list[Path]:
    """Writes all pictures of records into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for record in records:
        for name, picture in pictures_of(record).items():
            path = folder / f"{name}.png"
            picture.quantize(64).save(path, optimize=True)
            written.append(path)
    return written


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--records", type=Path, help="another folder of records")
    parser.add_argument("--only", nargs="*", help="names of records")
    parser.add_argument("--rides", action="store_true", help="draw rides too, which takes a minute")
    told = parser.parse_args()
    records = read_records(told.records or told.docs / "results" / "mann")
    chosen = [record for name, record in records.items() if (name in told.only if told.only else _is_shipped(record))]
    for path in draw(chosen, told.docs / PICTURES):
        print(path)
    for animal in RIDES if told.rides else ():
        print(draw_ride(animal, told.docs / PICTURES))


if __name__ == "__main__":
    main()
