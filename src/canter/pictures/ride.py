"""A ride on one page: the animal along its way, the way from above, and the speed that was told and gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from canter.anatomy import Character, Clip
from canter.motion.arrays import ArrayLike, Floats
from canter.pictures.palette import MUTED, PAPER, gait_color
from canter.pictures.plot import Axis, Series, inside, joined, line_chart
from canter.pictures.sheet import pose_strip
from canter.pictures.strobe import strobe
from canter.pictures.ways import gait_runs

SIZE, CHART = (1000, 600), 260
POSES = 12
ABOVE = 52.0
"""Degrees of elevation: high enough for the shape of the way, and the animals can still be told."""


@dataclass(frozen=True, eq=False)
class Ride:
    """Of every frame `(T,)`: the gait by name, the speed that was told and the one gone in m/s, and the `places (T, 2)`
    in metres to the right and ahead. `cues` are the frames in which something new was told."""

    gaits: Sequence[str]
    told: Floats
    gone: Floats
    places: Floats
    frame_rate: float
    cues: Sequence[int] = ()


def by_gait(
    gaits: Sequence[str], x: ArrayLike, y: ArrayLike, *, named: bool = True, filled: bool = False
) -> list[Series]:
    """A line `x (T,)`, `y (T,)` as one series for each gait, in its colour; `filled` down to zero."""
    across, up = np.asarray(x, np.float64), np.asarray(y, np.float64)
    order = list(dict.fromkeys(gaits))
    lines = {gait: np.full(len(up), np.nan) for gait in order}
    for gait, first, last in gait_runs(gaits):
        lines[gait][first : last + 1] = up[first : last + 1]
    floor = np.zeros_like(up) if filled else None
    return [
        Series(gait if named else "", across, line, "line", gait_color(gait, i), floor, line if filled else None)
        for i, (gait, line) in enumerate(lines.items())
    ]


def ride_picture(character: Character, clip: Clip, ride: Ride, *, title: str = "") -> Image.Image:
    """The ride of `clip` from above, and its speeds over time with a pose between any two cues over them.

    The cues are dots on the way, with the speed that was told there.
    """
    words = {frame: f"{ride.told[frame]:.1f} m/s" if ride.told[frame] else "stop" for frame in ride.cues}
    above = strobe(character, clip, size=SIZE, title=title, gaits=ride.gaits, marks=words, elevation=ABOVE)
    chart, (left, right) = _over_time(ride)
    borders = np.linspace(0, len(ride.gaits), POSES + 1)
    strip = pose_strip(character, clip, (borders[1:] + borders[:-1]) / 2, round(right - left))
    page = joined([above, Image.new("RGB", (SIZE[0], strip.height), PAPER), chart], down=True)
    page.paste(strip, (round(left), SIZE[1]))
    return page


def _over_time(ride: Ride) -> tuple[Image.Image, tuple[float, float]]:
    """The speeds, and from where to where the time goes, in pixels."""
    time = np.arange(len(ride.gaits)) / ride.frame_rate
    told = Series("told", time, ride.told, "dashed", MUTED)
    gone = by_gait(ride.gaits, time, ride.gone, named=False, filled=True)
    x, y = Axis("seconds", (0.0, len(time) / ride.frame_rate)), Axis("speed, m/s", (0.0, 1.1 * float(ride.gone.max())))
    size = (SIZE[0], CHART)
    return line_chart([*gone, told], x=x, y=y, size=size), inside(size, x, y)
