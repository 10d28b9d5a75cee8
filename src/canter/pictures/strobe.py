"""A whole ride in one picture: poses of the animal along its path, seen obliquely from above."""

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
from canter.pictures.paths import draw_gait_legend, draw_path
from canter.pictures.shapes import Canvas, fit, write
from canter.pictures.stride import body_track, contacts_at, ground_height, poses_at
from canter.pictures.view import Model, clip_of, draw_animal, draw_footprints, draw_grid, draw_shadow

MIN_POSES, MAX_POSES = 2, 40
ELEVATION_DEG = 28.0
"""How far above the horizon the camera stands; 90 is straight above."""


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
    elevation: float = ELEVATION_DEG,
) -> Image.Image:
    """The clip as one picture: `poses` of it (None: as many as do not overlap) and its path on the ground.

    The path has the colours of the `gaits`, one name per frame, if they are given; `marks` are labels by frame.
    `elevation` is that of the camera in degrees; 90 is straight above.
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
    path = camera.project(track + floor)[0]
    draw_path(canvas, path, gaits)
    for frame in marks or {}:
        canvas.dot(float(path[frame, 0]), float(path[frame, 1]), 6.5, PAPER)
        canvas.dot(float(path[frame, 0]), float(path[frame, 1]), 4.5, INK)
    for i in far_first:
        draw_footprints(canvas, camera, model, shown.position_world[i], contacts[i], ground)
        draw_animal(canvas, camera, model, shown.position_world[i], shown.rotation_world[i], skin)
    picture = canvas.finish()
    draw = ImageDraw.Draw(picture)
    write(draw, (28, 24), fit(draw, title or f"{character.name}  {clip.name}", 24, size[0] - 56), 24, INK)
    write(draw, (28, 58), f"{clip.motion.seconds:.1f} s, {_path_length(track):.1f} m", 15, MUTED)
    seen = camera.project(shown.position_world[:, model.joints].reshape(-1, 3))[0]
    labels = [(path[frame], words) for frame, words in (marks or {}).items()]
    write_beside(draw, labels, np.concatenate([path, seen]), (8, 72, size[0] - 8, size[1] - 8), halo=True)
    draw_gait_legend(draw, size[0] - 28, 40, list(dict.fromkeys(gaits)))
    return picture


def crowd_picture(
    character: Character,
    crowd: Motion,
    paths: Floats,
    gaits: Sequence[Sequence[str]],
    *,
    size: tuple[int, int] = (1000, 640),
    elevation: float = 40.0,
    title: str = "",
) -> Image.Image:
    """Many animals at one moment: `crowd` has one frame per animal, `paths (N, T, 3)` is where each has been.

    The paths have the colours of the `gaits`: `N` lists of `T` names.
    """
    model = Model.of(character)
    places, turns = body_track(character.anatomy, crowd)
    camera = _camera(paths.reshape(-1, 3), crowd.position_world[:, model.joints], 0.0, size, math.radians(elevation))
    canvas = Canvas(*size)
    reach = 0.75 * float(np.linalg.norm(np.ptp(paths.reshape(-1, 3), axis=0))) + 5 * model.size
    draw_grid(canvas, camera, np.zeros(3), 0.0, 0.0, _cell(reach), reach)
    for path, names in zip(paths, gaits, strict=True):
        draw_path(canvas, camera.project(path)[0], names, 2.5)
    far_first = np.argsort(camera.project(places)[1], kind="stable")
    for i in far_first:
        draw_shadow(canvas, camera, model, places[i], float(turns[i]))
    for i in far_first:
        draw_animal(canvas, camera, model, crowd.position_world[i], crowd.rotation_world[i], True)
    picture = canvas.finish()
    draw = ImageDraw.Draw(picture)
    write(draw, (28, 24), fit(draw, title, 24, 0.6 * size[0]), 24, INK)
    draw_gait_legend(draw, size[0] - 28, 40, list(dict.fromkeys(gait for names in gaits for gait in names)))
    return picture


def _path_length(track: Floats) -> float:
    return float(np.linalg.norm(np.diff(track, axis=0), axis=1).sum())


def _moments(track: Floats, model: Model, poses: int | None) -> Floats:
    """Frames at equal distances along the path, so that no animal overlaps the next one."""
    steps = np.linalg.norm(np.diff(track, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    room = 2.3 * max(2 * model.trunk, model.size)
    count = poses if poses is not None else int(along[-1] / room) + 1
    count = min(max(count, 1), MAX_POSES)
    if along[-1] < 0.5 * model.size or count < MIN_POSES:
        return np.linspace(0, len(track) - 1, count)
    return np.interp(np.linspace(0, along[-1], count), along + 1e-9 * np.arange(len(along)), np.arange(len(along)))


def _cell(reach: float) -> float:
    """The side of a ground square: 0.5, 1, 2, 5, ... metres, such that about twenty fit across."""
    rough = reach / 10
    power = 10.0 ** math.floor(math.log10(max(rough, 1e-3)))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= rough)


def _camera(track: Floats, seen: Floats, ground: float, size: tuple[int, int], elevation: float) -> Camera:
    """A camera that looks across the path's longest direction and has everything in view."""
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
