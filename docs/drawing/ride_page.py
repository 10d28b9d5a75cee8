"""A ride on one page: the animal along its path, some poses, and the commanded and the actual speed over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from canter.anatomy import Character, Clip
from canter.motion.arrays import Floats
from canter.pictures.chart_style import add_panel, chart_style, new_figure, rgb, to_image
from canter.pictures.charts import BAND_OPACITY, Axis, add_legend, set_axes
from canter.pictures.palette import MUTED, PAPER, gait_color
from canter.pictures.paths import gait_runs
from canter.pictures.sheet import pose_strip
from canter.pictures.strobe import strobe

WIDTH, RIDE_HEIGHT, CHART_HEIGHT = 1000, 600, 260
LEFT, RIGHT, CHART_TOP, CHART_BOTTOM = 52, 36, 54, 72
"""Pixels around the inside of the chart."""
POSES = 12
ELEVATION_DEG = 52.0
"""High enough to show the shape of the path, and low enough to show the animals."""


@dataclass(frozen=True, eq=False)
class Ride:
    """Of every frame `(T,)`: the gait by name, the commanded and the actual speed in m/s.

    `cues` are the frames in which something new was commanded.
    """

    gaits: Sequence[str]
    commanded: Floats
    actual: Floats
    frame_rate: float
    cues: Sequence[int] = ()


def ride_picture(character: Character, clip: Clip, ride: Ride, *, title: str = "") -> Image.Image:
    """The ride of `clip` from above, and its speeds over time, with poses over them at equal intervals.

    The cues are dots on the path, with the speed that was commanded there.
    """
    words = {frame: f"{ride.commanded[frame]:.1f} m/s" if ride.commanded[frame] else "stop" for frame in ride.cues}
    size = (WIDTH, RIDE_HEIGHT)
    above = strobe(character, clip, size=size, title=title, gaits=ride.gaits, marks=words, elevation=ELEVATION_DEG)
    borders = np.linspace(0, len(ride.gaits), POSES + 1)
    strip = pose_strip(character, clip, (borders[1:] + borders[:-1]) / 2, WIDTH - LEFT - RIGHT)
    page = Image.new("RGB", (WIDTH, RIDE_HEIGHT + strip.height + CHART_HEIGHT), PAPER)
    page.paste(above, (0, 0))
    page.paste(strip, (LEFT, RIDE_HEIGHT))
    page.paste(_speed_chart(ride), (0, RIDE_HEIGHT + strip.height))
    return page


def _speed_chart(ride: Ride) -> Image.Image:
    """The actual speed over time in the colours of the gaits, and the commanded one as a dashed line."""
    time = np.arange(len(ride.gaits)) / ride.frame_rate
    colors = {gait: rgb(gait_color(gait, i)) for i, gait in enumerate(dict.fromkeys(ride.gaits))}
    with chart_style():
        figure = new_figure((WIDTH, CHART_HEIGHT), layout=None)
        axes = add_panel(figure, (LEFT, CHART_TOP, WIDTH - RIGHT, CHART_HEIGHT - CHART_BOTTOM))
        for gait, first, last in gait_runs(ride.gaits):
            run = slice(first, last + 1)
            axes.fill_between(time[run], ride.actual[run], color=colors[gait], alpha=BAND_OPACITY, linewidth=0)
            axes.plot(time[run], ride.actual[run], color=colors[gait])
        axes.plot(time, ride.commanded, "--", color=rgb(MUTED), label="commanded")
        seconds, top = len(time) / ride.frame_rate, 1.1 * float(ride.actual.max())
        set_axes(axes, Axis("seconds", (0.0, seconds)), Axis("speed, m/s", (0.0, top)))
        add_legend(axes)
        return to_image(figure)
