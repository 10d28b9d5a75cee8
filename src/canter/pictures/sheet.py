"""The contact sheet: one stride of a clip on one page, made to be looked at.

Eight moments from the side and from above stand over the footfall diagram (Hildebrand 1989) and share its time axis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from canter.anatomy import Character, Clip
from canter.motion.arrays import Bools, Floats
from canter.pictures.camera import QUARTER, SIDE, TOP, Camera
from canter.pictures.footfalls import Frame, draw_footfalls
from canter.pictures.header import draw_header
from canter.pictures.palette import FAINT, GRID, MUTED, PAPER
from canter.pictures.shapes import Canvas, write
from canter.pictures.stride import Span, contacts_at, ground_height, poses_at, straightened, typical_stride
from canter.pictures.view import Model, draw_animal, draw_footprints, draw_shadow

MARGIN = 56
LABELS = 64
MOMENTS = 8


@dataclass(frozen=True, eq=False)
class Scene:
    """The eight poses of a sheet, travel taken out, and what the pictures of them have in common."""

    model: Model
    positions: Floats
    rotations: Floats
    contacts: Bools
    ground: float

    @property
    def extent(self) -> tuple[Floats, Floats]:
        """Least and greatest corner of everything that is seen."""
        seen = self.positions[:, self.model.joints]
        seen = seen[np.isfinite(seen).all(axis=-1)]
        if not len(seen):
            return np.zeros(3), np.ones(3)
        pad = 0.1 * self.model.size
        low, high = seen.min(axis=0) - pad, seen.max(axis=0) + pad
        low[1] = self.ground
        return low, high


def contact_sheet(character: Character, clip_name: str | None = None, *, width: int = 1920) -> Image.Image:
    """The sheet of one clip (the first, if none is named)."""
    if not character.clips:
        raise ValueError(f"{character.name!r} has no clip to draw")
    clip = character.clips[0] if clip_name is None else character.clip(clip_name)
    span = typical_stride(character.anatomy, clip)
    scene = _scene(character, clip, span)
    left, right = MARGIN + LABELS, width - MARGIN
    column = (right - left) / MOMENTS
    scale = _scale(scene, column)
    rows = _rows(scene, scale, right - left, column)
    overview = span.stride and len(clip.motion) - 1 > 1.6 * span.frames
    page = Image.new("RGB", (width, 4000), PAPER)
    draw = ImageDraw.Draw(page)
    y = draw_header(draw, character, clip, span, MARGIN, width - MARGIN) + 28
    for title, row in rows:
        page.paste(row, (left, y))
        write(draw, (MARGIN, y + row.height - 14), title, 15, MUTED, "ls")
        y += row.height + 18
    legs = character.anatomy.legs
    y = draw_footfalls(draw, Frame(left, right, y + 22), legs, clip, span, span, MARGIN, columns=MOMENTS)
    if overview:
        whole = Span(0.0, float(len(clip.motion) - 1), False, span.loop)
        y = draw_footfalls(draw, Frame(left, right, y + 34), legs, clip, whole, span, MARGIN, bar=12)
    return page.crop((0, 0, width, y + MARGIN))


def _scene(character: Character, clip: Clip, span: Span) -> Scene:
    moments = span.moments(MOMENTS)
    positions, rotations = poses_at(clip.motion, moments, span.loop)
    ground = ground_height(character, positions)
    positions, rotations = straightened(character, positions.astype(float), rotations.astype(float), span.loop)
    return Scene(Model.of(character), positions, rotations, contacts_at(clip, moments, span.loop), ground)


def _scale(scene: Scene, column: float) -> float:
    """Pixels a metre, so that the longest pose fills its column and the tallest its row."""
    low, high = scene.extent
    size = np.maximum(high - low, 1e-6)
    return float(min(0.96 * column / size[2], 300 / size[1]))


def _rows(scene: Scene, scale: float, width: float, column: float) -> list[tuple[str, Image.Image]]:
    low, high = scene.extent
    size, middle = high - low, (low + high) / 2
    tall, wide = round(size[1] * scale) + 46, round(max(size[0] * scale, 40)) + 28
    rows = []
    if scene.model.surfaces:
        rows.append(("skin", _strip(scene, (round(width), tall + 24), column, middle, scale * 0.92, QUARTER, True)))
    rows.append(("side", _strip(scene, (round(width), tall), column, middle, scale, SIDE, False)))
    rows.append(("top", _strip(scene, (round(width), wide), column, middle, scale, TOP, False)))
    return rows


def _strip(
    scene: Scene,
    size: tuple[int, int],
    column: float,
    middle: Floats,
    scale: float,
    angles: tuple[float, float],
    skin: bool,
) -> Image.Image:
    """The eight moments side by side, from one direction, on one ground."""
    width, height = size
    canvas = Canvas(width, height)
    base = height - 26
    if angles == SIDE:
        canvas.line([(0, base), (width, base)], FAINT, 1.5)
    if angles == TOP:
        canvas.line([(0, height / 2), (width, height / 2)], GRID, 1)
    for i in range(len(scene.positions)):
        center = ((i + 0.5) * column, height / 2 if angles == TOP else base)
        target = np.array([middle[0] if angles == TOP else 0.0, scene.ground, middle[2]])
        camera = Camera(target, *angles, scale, center, 9 * scene.model.size if skin else None)
        pose = scene.positions[i]
        draw_shadow(canvas, camera, scene.model, pose, scene.ground)
        if not skin:
            draw_footprints(canvas, camera, scene.model, pose, scene.contacts[i], scene.ground)
        draw_animal(canvas, camera, scene.model, pose, scene.rotations[i], skin)
    return canvas.finish()
