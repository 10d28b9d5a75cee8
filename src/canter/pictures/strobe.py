"""A whole ride in one picture: the animal again and again along its way, seen from above at a slant."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from PIL import Image, ImageDraw

from canter.anatomy import Character, Clip
from canter.motion import Motion
from canter.motion.arrays import Floats
from canter.pictures.camera import Camera
from canter.pictures.labels import write_beside
from canter.pictures.palette import INK, MUTED, PAPER
from canter.pictures.shapes import Canvas, fit, write
from canter.pictures.stride import body_track, contacts_at, ground_height, poses_at
from canter.pictures.view import Model, clip_of, draw_animal, draw_footprints, draw_grid, draw_shadow
from canter.pictures.ways import draw_way, gait_key

FEWEST, MOST = 2, 40
SLANT = 28.0
"""Degrees from above the ground from which a ride is seen."""


def strobe(
    character: Character,
    clip: str | Clip | None = None,
    *,
    size: tuple[int, int] = (1280, 720),
    poses: int | None = None,
    skin: bool = True,
    title: str | None = None,
    gaits: Sequence[str] = (),
    marks: Mapping[int, str] | None = None,
    elevation: float = SLANT,
) -> Image.Image:
    """The clip as one picture: `poses` of it (None: as many as stand free of each other), its track on the ground.

    The track has the colours of the `gaits`, one a frame, if they are given; `marks` are words at frames of it. It is
    seen from so many degrees of `elevation`, 90 being from above.
    """
    clip = clip_of(character, clip)
    model = Model.of(character, skin)
    track, _ = body_track(character.anatomy, clip.motion)
    moments = _moments(track, model, poses)
    shown = poses_at(clip.motion, moments, False)
    ground = ground_height(character, clip.motion.position_world)
    camera = _camera(track, shown.position_world[:, model.joints], ground, size, math.radians(elevation))
    canvas = Canvas(*size)
    reach = 0.75 * float(np.linalg.norm(np.ptp(track, axis=0))) + 5 * model.size
    draw_grid(canvas, camera, np.zeros(3), 0.0, ground, _cell(reach), reach)
    floor = np.array([0.0, ground, 0.0])
    places, turns = body_track(character.anatomy, shown)
    contacts = contacts_at(clip, moments, False)
    far_first = np.argsort(camera.project(places)[1], kind="stable")
    for i in far_first:
        draw_shadow(canvas, camera, model, places[i] + floor, float(turns[i]))
    way = camera.project(track + floor)[0]
    draw_way(canvas, way, gaits)
    for frame in marks or {}:
        canvas.dot(float(way[frame, 0]), float(way[frame, 1]), 6.5, PAPER)
        canvas.dot(float(way[frame, 0]), float(way[frame, 1]), 4.5, INK)
    for i in far_first:
        draw_footprints(canvas, camera, model, shown.position_world[i], contacts[i], ground)
        draw_animal(canvas, camera, model, shown.position_world[i], shown.rotation_world[i], skin)
    picture = canvas.finish()
    draw = ImageDraw.Draw(picture)
    write(draw, (28, 24), fit(draw, title or f"{character.name}  {clip.name}", 24, size[0] - 56), 24, INK)
    write(draw, (28, 58), f"{clip.motion.seconds:.1f} s, {_way(track):.1f} m", 15, MUTED)
    seen = camera.project(shown.position_world[:, model.joints].reshape(-1, 3))[0]
    labels = [(way[frame], words) for frame, words in (marks or {}).items()]
    write_beside(draw, labels, np.concatenate([way, seen]), (8, 72, size[0] - 8, size[1] - 8), halo=True)
    gait_key(draw, size[0] - 28, 40, list(dict.fromkeys(gaits)))
    return picture


def crowd_picture(
    character: Character,
    crowd: Motion,
    ways: Floats,
    gaits: Sequence[Sequence[str]],
    *,
    size: tuple[int, int] = (1000, 640),
    elevation: float = 40.0,
    title: str = "",
) -> Image.Image:
    """Many animals at one moment: `crowd` has a frame for each of them, `ways (N, T, 3)` is where each has been.

    The ways have the colours of the `gaits`, `N` times `T` of them.
    """
    model = Model.of(character)
    places, turns = body_track(character.anatomy, crowd)
    camera = _camera(ways.reshape(-1, 3), crowd.position_world[:, model.joints], 0.0, size, math.radians(elevation))
    canvas = Canvas(*size)
    reach = 0.75 * float(np.linalg.norm(np.ptp(ways.reshape(-1, 3), axis=0))) + 5 * model.size
    draw_grid(canvas, camera, np.zeros(3), 0.0, 0.0, _cell(reach), reach)
    for way, names in zip(ways, gaits, strict=True):
        draw_way(canvas, camera.project(way)[0], names, 2.5)
    far_first = np.argsort(camera.project(places)[1], kind="stable")
    for i in far_first:
        draw_shadow(canvas, camera, model, places[i], float(turns[i]))
    for i in far_first:
        draw_animal(canvas, camera, model, crowd.position_world[i], crowd.rotation_world[i], True)
    picture = canvas.finish()
    draw = ImageDraw.Draw(picture)
    write(draw, (28, 24), fit(draw, title, 24, 0.6 * size[0]), 24, INK)
    gait_key(draw, size[0] - 28, 40, list(dict.fromkeys(gait for names in gaits for gait in names)))
    return picture


def _way(track: Floats) -> float:
    return float(np.linalg.norm(np.diff(track, axis=0), axis=1).sum())


def _moments(track: Floats, model: Model, poses: int | None) -> Floats:
    """Frames that lie evenly along the way, so that no animal stands in the next one."""
    steps = np.linalg.norm(np.diff(track, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    room = 2.3 * max(2 * model.trunk, model.size)
    count = poses if poses is not None else int(along[-1] / room) + 1
    count = min(max(count, 1), MOST)
    if along[-1] < 0.5 * model.size or count < FEWEST:
        return np.linspace(0, len(track) - 1, count)
    return np.interp(np.linspace(0, along[-1], count), along + 1e-9 * np.arange(len(along)), np.arange(len(along)))


def _cell(reach: float) -> float:
    """Squares of 0.5, 1, 2, 5, ... metres: some twenty across."""
    rough = reach / 10
    power = 10.0 ** math.floor(math.log10(max(rough, 1e-3)))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= rough)


def _camera(track: Floats, seen: Floats, ground: float, size: tuple[int, int], elevation: float) -> Camera:
    """Looks across the way's longer direction, from such a height, and sees everything."""
    points = np.concatenate([seen.reshape(-1, 3), track + np.array([0.0, ground, 0.0])])
    points = points[np.isfinite(points).all(axis=-1)]
    flat = track[:, [0, 2]] - track[:, [0, 2]].mean(axis=0)
    long = np.linalg.svd(flat, full_matrices=False)[2][0] if len(track) > 1 else np.array([0.0, 1.0])
    long = long if long @ (track[-1] - track[0])[[0, 2]] >= 0 else -long
    azimuth = math.atan2(long[0], long[1]) - math.pi / 2
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    far = max(2.2 * float(np.linalg.norm(np.ptp(points, axis=0))), 1e-6)
    angles = (azimuth, elevation)
    pixels = Camera(middle, *angles, 1.0, (0.0, 0.0), far).project(points)[0]
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    scale = float(np.min(np.array([0.88 * size[0], 0.72 * size[1]]) / np.maximum(high - low, 1e-6)))
    x, y = np.array([0.5 * size[0], 0.54 * size[1]]) - scale * (low + high) / 2
    return Camera(middle, *angles, scale, (float(x), float(y)), far)
