"""A crowd: 64 dogs stepped together, each to a place of its own at a speed of its own.

- a Pack, which steps all animals of a kind in one batch
- speeds and headings as arrays, one number for each animal
- what a step costs for each of them
- a picture of all their ways from above, coloured by gait
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from canter import load
from canter.cycles.pack import Pack
from canter.pictures import Series, line_chart

COUNT, SECONDS = 64, 4


def main(folder: Path) -> None:
    pack = Pack(load("dog"), COUNT)
    speeds = np.linspace(0.6, 5.0, COUNT)
    headings = np.linspace(-np.pi, np.pi, COUNT, endpoint=False)
    frames = round(SECONDS * pack.crowd.frame_rate)
    ways = np.zeros((frames, COUNT), complex)
    gaits = np.zeros((frames, COUNT), int)

    start = time.perf_counter()
    for frame in range(frames):
        pack.step(speeds, headings + frame / frames)
        ways[frame], gaits[frame] = pack.crowd.herd.place, pack.crowd.herd.target
    cost = (time.perf_counter() - start) / (frames * COUNT)
    print(f"{COUNT} dogs, {SECONDS} s: {cost * 1e6:.0f} microseconds for each dog and frame")

    series = []
    for gait in pack.choice.ahead:
        shown = np.where(gaits == gait, ways, np.nan)
        lines = np.concatenate([shown, np.full((1, COUNT), np.nan)]).T.ravel()
        series.append(Series(pack.names[gait], -lines.imag, lines.real))
    picture = line_chart(series, title="64 dogs from above", x="metres to the right", y="metres ahead", size=(900, 900))
    picture.save(folder / "crowd.png")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
