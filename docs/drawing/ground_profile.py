"""A ride straight ahead over uneven ground, from the side: poses of the animal on the profile of the ground."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PIL import Image, ImageDraw

from canter.anatomy import Character, Clip
from canter.motion.arrays import Floats
from canter.pictures.camera import SIDE, Camera
from canter.pictures.palette import FAINT, GRID, INK, MUTED
from canter.pictures.scales import nice_ticks
from canter.pictures.shapes import Canvas, write
from canter.pictures.stride import body_track, contacts_at, poses_at
from canter.pictures.view import Model, draw_animal, draw_ticks

MARGIN = 28
HEADROOM, DEPTH = 1.75, 0.35
"""Hip heights that are shown above the ground's highest point and below its lowest."""


def profile_picture(
    character: Character,
    clip: Clip,
    height: Callable[[Floats], Floats],
    *,
    width: int = 1000,
    poses: int = 6,
    title: str = "",
) -> Image.Image:
    """The ride of `clip` along +Z; `height` gives that of the ground at places `(..., 2)` of x and z."""
    model = Model.of(character)
    track, _ = body_track(character.anatomy, clip.motion)
    ahead = np.linspace(track[0, 2] - 1.3 * model.size, track[-1, 2] + 1.6 * model.size, 800)
    ground = height(np.stack([np.zeros_like(ahead), ahead], axis=-1))
    scale = (width - 2 * MARGIN) / float(ahead[-1] - ahead[0])
    top = 76 + scale * (HEADROOM * model.size + float(ground.max()))
    bottom = top - scale * (float(ground.min()) - DEPTH * model.size)
    camera = Camera(np.array([0.0, 0.0, ahead[0]]), *SIDE, scale, (MARGIN, top))
    canvas = Canvas(width, round(bottom) + 76)
    line = camera.project(np.stack([np.zeros_like(ahead), ground, ahead], axis=-1))[0]
    canvas.polygon(np.concatenate([line, [[width - MARGIN, bottom], [MARGIN, bottom]]]), GRID)
    canvas.line(line, FAINT, 2)
    moments = np.interp(np.linspace(track[0, 2], track[-1, 2], poses), track[:, 2], np.arange(len(track)))
    shown, contacts = poses_at(clip.motion, moments, False), contacts_at(clip, moments, False)
    for i in range(poses):
        draw_animal(canvas, camera, model, shown.position_world[i], shown.rotation_world[i], True)
        for leg, down in enumerate(contacts[i]):
            foot = shown.position_world[i, character.anatomy.legs[leg].foot]
            only = np.arange(len(contacts[i])) == leg
            draw_ticks(canvas, camera, model, shown.position_world[i], only & down, float(height(foot[[0, 2]])))
    picture = canvas.finish()
    draw = ImageDraw.Draw(picture)
    write(draw, (MARGIN, 26), title, 24)
    ticks = nice_ticks(float(ahead[0]), float(ahead[-1]), 9)
    for value in ticks:
        x = MARGIN + scale * (value - float(ahead[0]))
        draw.line([(x, bottom), (x, bottom + 5)], fill=MUTED)
        write(draw, (x, bottom + 10), f"{value:g}", 15, INK, "ma")
    write(draw, (width / 2, bottom + 38), "metres ahead; heights have the same scale", 15, MUTED, "ma")
    return picture
