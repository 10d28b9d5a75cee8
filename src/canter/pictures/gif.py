"""A clip as a GIF: the camera goes along, the ground moves beneath, and a loop has no seam.

The poses are put into a frame that travels steadily with the animal, so that the camera stands still in it and a loop
ends as it began; the ground grid is cut so that whole cells pass in one round.
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
MOST_FRAMES = 500
SHADES = (mix(SHADOW, PAPER, 0.6), mix(SHADOW, PAPER, 0.8))
"""Greys that the shadow keeps where colours are few."""
STRIP = 190
"""Pixels of the footfall strip in the corner."""


@dataclass(frozen=True, eq=False)
class Reel:
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
    footfalls are written below it, so that it fills a small picture; `progress(done, all)` is told on the way. At most
    500 frames are drawn.
    """
    if view not in VIEWS:
        raise ValueError(f"view must be one of {', '.join(VIEWS)}, not {view!r}")
    clip = clip_of(character, clip)
    reel = _reel(character, clip, fps, skin)
    camera = _camera(reel, VIEWS[view], size, skin, words)
    pictures = []
    for i in range(len(reel.moments)):
        picture = _picture(reel, camera, size, i, skin)
        if words:
            _words(ImageDraw.Draw(picture), character, clip, size)
            _strip(ImageDraw.Draw(picture), character, clip, float(reel.moments[i]), size)
        pictures.append(picture)
        if progress is not None:
            progress(i + 1, len(reel.moments))
    seconds = clip.motion.seconds / max(len(pictures) - (not clip.footfalls.loop), 1)
    kept = (PAPER, INK, MUTED, PANEL, *reel.model.colors) if words else (PAPER, *SHADES)
    return _save(indexed(pictures, colors, kept), Path(path), seconds)


def _reel(character: Character, clip: Clip, fps: float, skin: bool) -> Reel:
    motion, loop = clip.motion, clip.footfalls.loop and len(clip.motion) > 2
    last = len(motion) - 1
    count = min(max(round(motion.seconds * fps), 2 if last > 0 else 1), MOST_FRAMES)
    moments = np.arange(count) * last / count if loop else np.linspace(0, last, count)
    model = Model.of(character, skin)
    places, yaws, cell = _steady(character, motion, moments, loop, model.size)
    shown = poses_at(motion, moments, loop)
    back = rot.yaw(-yaws)[:, None]
    track, facings = body_track(character.anatomy, shown)
    return Reel(
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

    A loop travels evenly from its first frame to its last. A take is followed as by a camera operator, who swings
    neither with each stride nor with each turn.
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
    """A Gaussian mean; beyond the ends it goes on as it came."""
    reach = min(max(1, round(3 * sigma)), max(len(x) - 1, 0))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / max(sigma, 1e-6)) ** 2)
    smooth: Floats = np.convolve(
        np.pad(x, reach, mode="reflect", reflect_type="odd"), kernel / kernel.sum(), mode="valid"
    )
    return smooth


def _camera(reel: Reel, angles: tuple[float, float], size: tuple[int, int], skin: bool, words: bool) -> Camera:
    """One camera that sees every frame whole, with room for words below where there are some."""
    few = list(range(0, len(reel.moments), max(1, len(reel.moments) // 24)))
    if skin and reel.model.surfaces:
        surfaces = reel.model.surfaces
        seen = [skinned(s.skin, reel.positions[i], reel.rotations[i]) for i in few for s in surfaces]
    else:
        seen = [reel.model.points(reel.positions[i]) for i in few]
    points = np.concatenate([*seen, reel.track[few] + np.array([0.0, reel.ground, 0.0])])
    points = points[np.isfinite(points).all(axis=-1)]
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    far = 5 * max(float(np.ptp(points, axis=0).max()), reel.model.size)
    pixels = Camera(middle, *angles, 1.0, (0.0, 0.0), far).project(points)[0]
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    room = np.array(size) * ([0.84, 0.64] if words else [0.92, 0.88])
    scale = float(np.min(room / np.maximum(high - low, 1e-6)))
    x, y = np.array([0.5 * size[0], (0.45 if words else 0.5) * size[1]]) - scale * (low + high) / 2
    return Camera(middle, *angles, scale, (float(x), float(y)), far)


def _picture(reel: Reel, camera: Camera, size: tuple[int, int], i: int, skin: bool) -> Image.Image:
    canvas = Canvas(*size)
    draw_grid(canvas, camera, reel.places[i], float(reel.yaws[i]), reel.ground, reel.cell, 7 * reel.model.size)
    draw_shadow(
        canvas, camera, reel.model, reel.track[i] + np.array([0.0, reel.ground, 0.0]), float(reel.facings[i]), 0.4
    )
    draw_footprints(canvas, camera, reel.model, reel.positions[i], reel.contacts[i], reel.ground)
    draw_animal(canvas, camera, reel.model, reel.positions[i], reel.rotations[i], skin)
    return canvas.finish()


def _words(draw: ImageDraw.ImageDraw, character: Character, clip: Clip, size: tuple[int, int]) -> None:
    """Name and gait in the lower left corner."""
    room = size[0] - STRIP - 90
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
    frames = moment + (np.arange(STRIP) + 0.5 - STRIP / 2) / STRIP * window * motion.frame_rate
    down = contacts_at(clip, frames, loop)
    down[(frames < -0.5) | (frames > len(motion) - 0.5)] &= loop
    left, top, bar = size[0] - STRIP - 22, size[1] - 16 - 12 * len(legs), 8
    for k, leg in enumerate(legs):
        y = top + 12 * k
        draw.rectangle([left, y, left + STRIP - 1, y + bar - 1], fill=PANEL)
        for start, end in runs(down[:, k] if k < down.shape[1] else np.zeros(STRIP, bool)):
            draw.rectangle([left + start, y, left + end - 1, y + bar - 1], fill=leg_color(leg.name, k))
        write(draw, (left - 8, y + bar / 2), leg.name, 11, leg_color(leg.name, k), "rm")
    middle = left + STRIP // 2
    draw.line([(middle, top - 5), (middle, top + 12 * len(legs))], fill=INK)


def _save(frames: list[Image.Image], path: Path, seconds: float) -> Path:
    """Under a temporary name first."""
    part = path.with_name(path.name + ".part")
    milliseconds = max(20, 10 * round(100 * seconds))
    frames[0].save(part, "GIF", save_all=True, append_images=frames[1:], duration=milliseconds, loop=0, optimize=False)
    os.replace(part, path)
    return path
