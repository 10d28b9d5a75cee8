"""Draws the picture of the page on navigation: a dog in a maze from above, once with a map and once with rays only.

`make figures` runs `python docs/drawing/mazes.py docs`, which writes pictures/navigation/maze.png. Both rides are
ridden anew, and the same code gives the same file.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from canter.anatomy import Character
from canter.control import Controller, State, states
from canter.control.registry import load
from canter.motion import forward
from canter.motion.arrays import Floats
from canter.navigation import Maze, PathNavigator, RayNavigator, RaySensor, random_maze
from canter.navigation.trunk import trunk
from canter.pictures.chart_style import POINTS_PER_PIXEL, chart_style, new_figure, rgb, to_image
from canter.pictures.indexed import indexed
from canter.pictures.palette import INK, MUTED, PANEL, PAPER, SERIES, mix
from canter.pictures.shapes import capsule

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

PICTURE = Path("pictures/navigation/maze.png")
ANIMAL, SIDE, CELL, SEED, GOALS = "dog", 6, 2.0, 7, 5
"""Whose ride it is, and the maze: cells on a side, metres of a cell, the seed of walls and goals, and their number."""
MAX_SECONDS, POSE_METRES = 300, 2.2
"""Where a ride ends at the latest, and metres between the poses that are shown."""
SIZE, MARGIN = (1000, 572), 0.2
"""Pixels of the picture, and metres around the maze."""
WAY, PLAN, GOAL, SEEN = SERIES[1], SERIES[0], SERIES[2], mix(SERIES[5], PAPER, 0.72)
"""Colours of the way, of what was planned, of goals, and of what was seen."""
TITLES = {PathNavigator: "PathNavigator: has a map", RayNavigator: "RayNavigator: sees by rays"}


@dataclass
class Ride:
    """What is drawn: the `way (T, 2)`, planned paths `(N, 2)`, the line of trunk and head in some poses, and `seconds`.

    The `navigator` tells which goals it collected and, without a map, what it has seen.
    """

    navigator: PathNavigator | RayNavigator
    way: list[Floats] = field(default_factory=list)
    plans: list[Floats] = field(default_factory=list)
    poses: list[Floats] = field(default_factory=list)
    seconds: float = 0.0


def ride(controller: Controller, navigator: PathNavigator | RayNavigator) -> Ride:
    """Lets a navigator drive until it is done."""
    result, target, last = Ride(navigator), None, np.full(2, np.inf)
    frames = round(MAX_SECONDS * controller.frame_rate)
    for state in states(controller, navigator, frames=frames):
        place = state.place[[0, 2]]
        result.way.append(place)
        if navigator.target is not None and navigator.target is not target:
            result.plans.append(navigator.path)
        target = navigator.target
        if np.linalg.norm(place - last) > POSE_METRES:
            result.poses.append(_body(controller.character, state))
            last = place
        result.seconds += 1 / controller.frame_rate
        if navigator.done:
            break
    return result


def _body(character: Character, state: State) -> Floats:
    """Hips, shoulders and head from above `(3, 2)`."""
    world = forward(character.skeleton, state.pose.positions, state.pose.rotations)[0]
    head = character.anatomy.head
    line = trunk(character.anatomy, world)[0]
    return np.concatenate([line, world[[head if head is not None else character.anatomy.legs[0].hip]][:, [0, 2]]])


def maze_picture() -> Image.Image:
    """Two rides through one maze beside each other."""
    maze = random_maze(SIDE, SIDE, CELL, SEED).scattered(GOALS, SEED)
    world = maze.world()
    controller = load(ANIMAL).controller("gaits", world=world)
    with_map = PathNavigator(controller, world, maze.goal_places)
    with_rays = RayNavigator(controller, RaySensor(world, maze.goal_places), GOALS)
    return rides_picture(maze, [ride(controller, with_map), ride(controller, with_rays)])


def rides_picture(maze: Maze, rides: Sequence[Ride]) -> Image.Image:
    """A panel for each ride, from above."""
    with chart_style():
        figure = new_figure(SIZE)
        panels = figure.subplots(1, len(rides), squeeze=False)[0]
        for panel, found in zip(panels, rides, strict=True):
            if isinstance(found.navigator, RayNavigator):
                _draw_seen(panel, found.navigator)
            else:
                _draw_plans(panel, found.plans)
            _draw_ride(panel, maze, found)
            metres = float(np.linalg.norm(np.diff(found.way, axis=0), axis=1).sum())
            panel.set_title(f"{TITLES[type(found.navigator)]}; {metres:.0f} m in {found.seconds:.0f} s")
        entries = _entries(panels)
        figure.legend(entries.values(), entries.keys(), loc="outside lower center", ncols=len(entries))
        return to_image(figure)


def _draw_ride(panel: Axes, maze: Maze, found: Ride) -> None:
    """Walls, the way, poses on it, and goals numbered in the order in which they were collected. +X is left."""
    from matplotlib.patches import Polygon

    for wall in maze.walls():
        outline = capsule(_flip(wall.start), _flip(wall.end), wall.thickness / 2, wall.thickness / 2)
        panel.add_patch(Polygon(outline, color=rgb(INK), linewidth=0, zorder=4))
    way = _flip(found.way)
    panel.plot(way[:, 0], way[:, 1], color=rgb(WAY), linewidth=1.6, zorder=3, label="way")
    for body in found.poses:
        hips, shoulders, head = _flip(body)
        for a, b, ra, rb in ((hips, shoulders, 0.075, 0.085), (shoulders, head, 0.05, 0.06)):
            panel.add_patch(Polygon(capsule(a, b, ra, rb), color=rgb(mix(WAY, INK, 0.35)), linewidth=0, zorder=5))
    for number, place in enumerate(found.navigator.collected, start=1):
        x, z = _flip(place)
        panel.plot(x, z, "o", color=rgb(GOAL), markersize=13, zorder=6, label="goal" if number == 1 else None)
        size = 13 * POINTS_PER_PIXEL
        panel.text(x, z, str(number), color=rgb(PAPER), fontsize=size, ha="center", va="center_baseline", zorder=7)
    panel.plot(0, 0, "^", color=rgb(MUTED), markersize=11, zorder=6, label="start")
    ends = np.array([_flip(end) for wall in maze.walls() for end in (wall.start, wall.end)])
    low, high = ends.min(axis=0) - MARGIN, ends.max(axis=0) + MARGIN
    panel.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    panel.set_axis_off()


def _draw_plans(panel: Axes, plans: Sequence[Floats]) -> None:
    """The paths that were planned from goal to goal."""
    for number, plan in enumerate(plans):
        path = _flip(plan)
        label = "planned path" if number == 0 else None
        panel.plot(path[:, 0], path[:, 1], color=rgb(mix(PLAN, PAPER, 0.45)), linewidth=4.5, zorder=2, label=label)


def _draw_seen(panel: Axes, navigator: RayNavigator) -> None:
    """The cells that were seen to be free."""
    seen, low = navigator.seen, navigator.seen.origin
    high = low + seen.spacing * (np.array(seen.free.shape) - 1)
    shades = np.where(seen.free.T[..., None], np.array(rgb(SEEN)), np.array(rgb(PAPER)))
    half = seen.spacing / 2
    extent = (-low[0] + half, -high[0] - half, low[1] - half, high[1] + half)
    panel.imshow(shades, origin="lower", extent=extent, interpolation="nearest", zorder=0)
    panel.plot([], [], "s", color=rgb(SEEN), markersize=12, label="seen")


def _entries(panels: Sequence[Axes]) -> dict[str, Artist]:
    """What the legend shows by name, each once and in a sensible order."""
    found: dict[str, Artist] = {}
    for panel in panels:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    return {name: found[name] for name in ("start", "goal", "planned path", "way", "seen") if name in found}


def _flip(places: object) -> Floats:
    """Places `(..., 2)` as they are drawn from above: +Z is up, and +X, which is the animal's left, is to the left."""
    return np.asarray(places, float) * (-1.0, 1.0)


def save(folder: Path) -> Path:
    """Writes the picture under a folder, with few colours, which is small."""
    path = folder / PICTURE
    path.parent.mkdir(parents=True, exist_ok=True)
    indexed([maze_picture()], 128, (PAPER, INK, MUTED, PANEL, WAY, GOAL, SEEN))[0].save(path, optimize=True)
    return path


if __name__ == "__main__":
    print(save(Path(sys.argv[1])))
