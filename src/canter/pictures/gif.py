"""A clip as a GIF: the camera follows the animal, the ground moves beneath it, and a loop has no seam.

The poses are expressed in a frame that travels steadily with the animal. The camera stands still in it, so a loop ends
as it began; the cells of the ground grid are sized so that a whole number of them passes in one cycle.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from canter.anatomy import Character, Clip
from canter.anatomy.contacts import runs
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.pictures.camera import QUARTER, SIDE, TOP, Camera
from canter.pictures.header import gait_line
from canter.pictures.indexed import indexed
from canter.pictures.mesh import skinned
from canter.pictures.palette import INK, MUTED, PANEL, PAPER, SHADOW, leg_color, mix
from canter.pictures.shapes import Canvas, fit, write
from canter.pictures.stride import body_track, contacts_at, ground_height, poses_at
from canter.pictures.view import Model, clip_of, draw_animal, draw_footprints, draw_grid, draw_shadow

VIEWS = {"side": (SIDE[0], 0.12), "quarter": QUARTER, "top": TOP}
MAX_FRAMES = 500
SHADOW_GREYS = (mix(SHADOW, PAPER, 0.6), mix(SHADOW, PAPER, 0.8))
"""Greys that stay in a small palette for the shadow."""
STRIP_PIXELS = 190
"""Width of the footfall strip in the corner."""


@dataclass(frozen=True, eq=False)
class Shot:
    """All frames of a GIF in the travelling frame, and how the world lies in it.

    `positions (N, J, 3)`, `rotations (N, J, 4)`; `places (N, 3)` and `yaws (N,)` are the travelling frame in the world,
    `track (N, 3)` and `facings (N,)` the trunk in the travelling frame; `cell` is the side of the ground's squares.
    """

    model: Model
    moments: Floats
    positions: Floats
    rotations: Floats
    contacts: Bools
    places: Floats
    yaws: Floats
    track: Floats
    facings: Floats
    ground: float
    cell: float


def animate(
    character: Character,
    clip: str | Clip | None,
    path: str | os.PathLike[str],
    *,
    view: str = "quarter",
    size: tuple[int, int] = (640, 420),
    fps: float = 25.0,
    skin: bool = True,
    words: bool = True,
    colors: int = 128,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Writes the clip (the first, if none is named) to `path` and gives that back.

    `view` is "side", "quarter" or "top"; `skin` draws the mesh where there is one; without `words` neither names nor
    footfalls are written below it, so that it fills a small picture; `progress(done, all)` is called after each
    frame. At most 500 frames are drawn.
    """
    if view not in VIEWS:
        raise ValueError(f"view must be one of {', '.join(VIEWS)}, not {view!r}")
    clip = clip_of(character, clip)
    shot = _shot(character, clip, fps, skin)
    camera = _camera(shot, VIEWS[view], size, skin, words)
    pictures = []
    for i in range(len(shot.moments)):
        picture = _picture(shot, camera, size, i, skin)
        if words:
            _words(ImageDraw.Draw(picture), character, clip, size)
            _strip(ImageDraw.Draw(picture), character, clip, float(shot.moments[i]), size)
        pictures.append(picture)
        if progress is not None:
            progress(i + 1, len(shot.moments))
    seconds = clip.motion.seconds / max(len(pictures) - (not clip.footfalls.loop), 1)
    kept = (PAPER, INK, MUTED, PANEL, *shot.model.colors) if words else (PAPER, *SHADOW_GREYS)
    return _save(indexed(pictures, colors, kept), Path(path), seconds)


def _shot(character: Character, clip: Clip, fps: float, skin: bool) -> Shot:
    motion, loop = clip.motion, clip.footfalls.loop and len(clip.motion) > 2
    last = len(motion) - 1
    count = min(max(round(motion.seconds * fps), 2 if last > 0 else 1), MAX_FRAMES)
    moments = np.arange(count) * last / count if loop else np.linspace(0, last, count)
    model = Model.of(character, skin)
    places, yaws, cell = _steady(character, motion, moments, loop, model.size)
    shown = poses_at(motion, moments, loop)
    back = rot.yaw(-yaws)[:, None]
    track, facings = body_track(character.anatomy, shown)
    return Shot(
        model,
        moments,
        rot.rotate(back, shown.position_world - places[:, None]),
        rot.multiply(back, shown.rotation_world),
        contacts_at(clip, moments, loop),
        places,
        yaws,
        rot.rotate(back[:, 0], track - places),
        facings - yaws,
        ground_height(character, motion.position_world),
        cell,
    )


def _steady(
    character: Character, motion: Motion, moments: Floats, loop: bool, size: float
) -> tuple[Floats, Floats, float]:
    """The travelling frame at each moment, and the side of a ground square.

    A loop travels evenly from its first frame to its last. A take is followed at its smoothed position, with one
    mean yaw, so that the camera swings neither with the strides nor with the turns.
    """
    places, facings = body_track(character.anatomy, motion)
    cell = 0.8 * size
    last = max(len(motion) - 1, 1)
    if loop:
        start, travel = places[0], places[-1] - places[0]
        length = float(np.linalg.norm(travel))
        if length > 0.5 * cell:
            yaw = float(np.arctan2(travel[0], travel[2]))
            towards = yaw if np.cos(yaw - facings[0]) > 0.3 else float(facings[0])
            cells = max(1, round(length / cell))
            return start + moments[:, None] / last * travel, np.full(len(moments), towards), length / cells
        return np.tile(places.mean(axis=0), (len(moments), 1)), np.full(len(moments), facings.mean()), cell
    smooth = np.stack([_smooth(places[:, i], 0.35 * motion.frame_rate) for i in range(3)], -1)
    at = [np.interp(moments, np.arange(len(motion)), smooth[:, i]) for i in range(3)]
    return np.stack(at, -1), np.full(len(moments), float(np.angle(np.exp(1j * facings).mean()))), cell


def _smooth(x: Floats, sigma: float) -> Floats:
    """Gaussian smoothing with `sigma` in frames; the signal is reflected about its end points."""
    reach = min(max(1, round(3 * sigma)), max(len(x) - 1, 0))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / max(sigma, 1e-6)) ** 2)
    smooth: Floats = np.convolve(
        np.pad(x, reach, mode="reflect", reflect_type="odd"), kernel / kernel.sum(), mode="valid"
    )
    return smooth


def _camera(shot: Shot, angles: tuple[float, float], size: tuple[int, int], skin: bool, words: bool) -> Camera:
    """One camera that sees every frame whole, with room for words below where there are some."""
    few = list(range(0, len(shot.moments), max(1, len(shot.moments) // 24)))
    if skin and shot.model.surfaces:
        surfaces = shot.model.surfaces
        seen = [skinned(s.skin, shot.positions[i], shot.rotations[i]) for i in few for s in surfaces]
    else:
        seen = [shot.model.points(shot.positions[i]) for i in few]
    points = np.concatenate([*seen, shot.track[few] + np.array([0.0, shot.ground, 0.0])])
    points = points[np.isfinite(points).all(axis=-1)]
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    far = 5 * max(float(np.ptp(points, axis=0).max()), shot.model.size)
    pixels = Camera(middle, *angles, 1.0, (0.0, 0.0), far).project(points)[0]
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    room = np.array(size) * ([0.84, 0.64] if words else [0.92, 0.88])
    scale = float(np.min(room / np.maximum(high - low, 1e-6)))
    x, y = np.array([0.5 * size[0], (0.45 if words else 0.5) * size[1]]) - scale * (low + high) / 2
    return Camera(middle, *angles, scale, (float(x), float(y)), far)


def _picture(shot: Shot, camera: Camera, size: tuple[int, int], i: int, skin: bool) -> Image.Image:
    canvas = Canvas(*size)
    draw_grid(canvas, camera, shot.places[i], float(shot.yaws[i]), shot.ground, shot.cell, 7 * shot.model.size)
    draw_shadow(
        canvas, camera, shot.model, shot.track[i] + np.array([0.0, shot.ground, 0.0]), float(shot.facings[i]), 0.4
    )
    draw_footprints(canvas, camera, shot.model, shot.positions[i], shot.contacts[i], shot.ground)
    draw_animal(canvas, camera, shot.model, shot.positions[i], shot.rotations[i], skin)
    return canvas.finish()


def _words(draw: ImageDraw.ImageDraw, character: Character, clip: Clip, size: tuple[int, int]) -> None:
    """Name and gait in the lower left corner."""
    room = size[0] - STRIP_PIXELS - 90
    name = character.name if clip.name in ("", character.name) else f"{character.name}  {clip.name}"
    speed = clip.footfalls.speed
    gait = gait_line(clip) + (f", {speed:.1f} m/s" if np.isfinite(speed) and speed > 0.05 else "")
    write(draw, (22, size[1] - 58), fit(draw, name, 20, room), 20, INK)
    write(draw, (22, size[1] - 32), fit(draw, gait, 14, room), 14, MUTED)


def _strip(draw: ImageDraw.ImageDraw, character: Character, clip: Clip, moment: float, size: tuple[int, int]) -> None:
    """The footfalls around now in the lower right corner, running to the left under a mark."""
    legs, motion, loop = character.anatomy.legs, clip.motion, clip.footfalls.loop
    if not legs:
        return
    window = motion.seconds if loop else min(2.0, motion.seconds)
    frames = moment + (np.arange(STRIP_PIXELS) + 0.5 - STRIP_PIXELS / 2) / STRIP_PIXELS * window * motion.frame_rate
    down = contacts_at(clip, frames, loop)
    down[(frames < -0.5) | (frames > len(motion) - 0.5)] &= loop
    left, top, bar = size[0] - STRIP_PIXELS - 22, size[1] - 16 - 12 * len(legs), 8
    for k, leg in enumerate(legs):
        y = top + 12 * k
        draw.rectangle([left, y, left + STRIP_PIXELS - 1, y + bar - 1], fill=PANEL)
        for start, end in runs(down[:, k] if k < down.shape[1] else np.zeros(STRIP_PIXELS, bool)):
            draw.rectangle([left + start, y, left + end - 1, y + bar - 1], fill=leg_color(leg.name, k))
        write(draw, (left - 8, y + bar / 2), leg.name, 11, leg_color(leg.name, k), "rm")
    middle = left + STRIP_PIXELS // 2
    draw.line([(middle, top - 5), (middle, top + 12 * len(legs))], fill=INK)


def _save(frames: list[Image.Image], path: Path, seconds: float) -> Path:
    """Writes the GIF to a temporary name, then renames it; `seconds` per frame, at least 0.02."""
    part = path.with_name(path.name + ".part")
    milliseconds = max(20, 10 * round(100 * seconds))
    frames[0].save(part, "GIF", save_all=True, append_images=frames[1:], duration=milliseconds, loop=0, optimize=False)
    os.replace(part, path)
    return path
