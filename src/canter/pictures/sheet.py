"""The contact sheet: one stride of a clip on one page.

Eight poses from the side and from above stand over the footfall diagram (Hildebrand 1989) and share its time axis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from canter.anatomy import Character, Clip
from canter.motion.arrays import Bools, Floats
from canter.pictures.camera import QUARTER, SIDE, TOP, Camera
from canter.pictures.footfalls import Box, draw_footfalls, draw_spans
from canter.pictures.header import draw_header
from canter.pictures.mesh import skinned
from canter.pictures.palette import FAINT, GRID, MUTED, PAPER
from canter.pictures.shapes import Canvas, write
from canter.pictures.stride import Span, contacts_at, ground_height, poses_at, straightened, typical_stride
from canter.pictures.view import Model, clip_of, draw_animal, draw_footprints, draw_shadow, draw_ticks

MARGIN_PIXELS = 56
LABEL_PIXELS = 64
MOMENTS = 8
MAX_ROW_PIXELS = 320


@dataclass(frozen=True, eq=False)
class Scene:
    """The poses of a sheet without travel: `positions (N, J, 3)`, `rotations (N, J, 4)`, `contacts (N, L)`."""

    model: Model
    positions: Floats
    rotations: Floats
    contacts: Bools
    ground: float


@dataclass(frozen=True, eq=False)
class Viewpoint:
    """A direction to look from, with the bounding box `(2, 2)` of all poses as seen from there, at one pixel per metre.

    The box is (left, top), (right, bottom), relative to the point on the ground under the trunk.
    """

    title: str
    angles: tuple[float, float]
    skin: bool
    box: Floats

    @property
    def size(self) -> Floats:
        size: Floats = np.maximum(self.box[1] - self.box[0], 1e-6)
        return size


def contact_sheet(
    character: Character,
    clip: str | Clip | None = None,
    *,
    width: int = 1920,
    moments: int = MOMENTS,
    bones: bool = True,
) -> Image.Image:
    """The sheet of one clip (the first, if none is named), `width` pixels wide, with `moments` poses.

    Without `bones` an animal with a mesh is shown only by its mesh: from the side and at a slant.
    """
    clip = clip_of(character, clip)
    span = typical_stride(character.anatomy, clip)
    scene = _scene(character, clip, span, moments)
    left, right = MARGIN_PIXELS + LABEL_PIXELS, width - MARGIN_PIXELS
    column = (right - left) / moments
    rows = _rows(scene, column, bones)
    several = len(clip.footfalls.spans) > 1
    overview = several or (span.stride and len(clip.motion) - 1 > 1.6 * span.frames)
    page = Image.new("RGB", (width, 4000), PAPER)
    draw = ImageDraw.Draw(page)
    y = draw_header(draw, character, clip, span, MARGIN_PIXELS, width - MARGIN_PIXELS) + 28
    for title, row in rows:
        page.paste(row, (left, y))
        write(draw, (MARGIN_PIXELS, y + row.height - 14), title, 15, MUTED, "ls")
        y += row.height + 18
    legs = character.anatomy.legs
    y = draw_footfalls(draw, Box(left, right, y + 22), legs, clip, span, span, MARGIN_PIXELS, columns=moments)
    if overview:
        whole = Span(0.0, float(len(clip.motion) - 1), False, span.loop)
        if several:
            y = draw_spans(draw, Box(left, right, y + 34), clip) - 12
        y = draw_footfalls(draw, Box(left, right, y + 34), legs, clip, whole, span, MARGIN_PIXELS, bar=12)
    return page.crop((0, 0, width, y + MARGIN_PIXELS))


def pose_strip(character: Character, clip: Clip, moments: Floats, width: int) -> Image.Image:
    """The poses at `moments`, in frames, side by side in `width` pixels; each is seen from the animal's right."""
    each = [poses_at(clip.motion, np.array([moment]), False) for moment in moments]
    straight = [straightened(character.anatomy, pose, False) for pose in each]
    positions, rotations = (np.concatenate(parts) for parts in zip(*straight, strict=True))
    ground = ground_height(character, positions)
    scene = Scene(Model.of(character), positions, rotations, contacts_at(clip, moments, False), ground)
    viewpoint = _viewpoint(scene, "side", SIDE, bool(scene.model.surfaces))
    return _strips(scene, width / len(moments), [viewpoint])[0][1]


def _scene(character: Character, clip: Clip, span: Span, count: int) -> Scene:
    moments = span.moments(count)
    motion = poses_at(clip.motion, moments, span.loop)
    ground = ground_height(character, motion.position_world)
    positions, rotations = straightened(character.anatomy, motion, span.loop)
    return Scene(Model.of(character), positions, rotations, contacts_at(clip, moments, span.loop), ground)


def _rows(scene: Scene, column: float, bones: bool) -> list[tuple[str, Image.Image]]:
    """Rows of poses with their titles; the side and the top view share one scale."""
    plain = [_viewpoint(scene, "side", SIDE, False), _viewpoint(scene, "top", TOP, False)]
    if not scene.model.surfaces:
        return _strips(scene, column, plain)
    if not bones:
        return _strips(
            scene, column, [_viewpoint(scene, "side", SIDE, True), _viewpoint(scene, "slant", QUARTER, True)]
        )
    return _strips(scene, column, [_viewpoint(scene, "skin", QUARTER, True)]) + _strips(scene, column, plain)


def _strips(scene: Scene, column: float, viewpoints: list[Viewpoint]) -> list[tuple[str, Image.Image]]:
    scale = float(min(0.96 * column / viewpoint.size[0] for viewpoint in viewpoints))
    scale = min(scale, *(MAX_ROW_PIXELS / float(viewpoint.size[1]) for viewpoint in viewpoints))
    return [(viewpoint.title, _strip(scene, viewpoint, scale, column)) for viewpoint in viewpoints]


def _camera(scene: Scene, angles: tuple[float, float], skin: bool, scale: float, x: float, y: float) -> Camera:
    distance = 9 * scene.model.size if skin and angles != SIDE else None
    return Camera(np.array([0.0, scene.ground, 0.0]), *angles, scale, (x, y), distance)


def _viewpoint(scene: Scene, title: str, angles: tuple[float, float], skin: bool) -> Viewpoint:
    camera = _camera(scene, angles, skin, 1.0, 0.0, 0.0)
    seen = np.concatenate([scene.model.points(pose) for pose in scene.positions])
    if skin:
        poses = zip(scene.positions, scene.rotations, strict=True)
        seen = np.concatenate([skinned(surface.skin, *pose) for pose in poses for surface in scene.model.surfaces])
    pad = 0.02 * scene.model.size if skin else 0.1 * scene.model.size
    pixels = camera.project(seen[np.isfinite(seen).all(axis=-1)])[0]
    if not len(pixels):
        pixels = np.zeros((1, 2))
    box = np.stack([pixels.min(axis=0) - pad, pixels.max(axis=0) + pad])
    if angles != TOP:
        box[1, 1] = max(box[1, 1], 0.0)
    return Viewpoint(title, angles, skin, box)


def _strip(scene: Scene, viewpoint: Viewpoint, scale: float, column: float) -> Image.Image:
    """The poses side by side, from one viewpoint, on one ground line."""
    width, height = round(column * len(scene.positions)), round(viewpoint.size[1] * scale) + 28
    canvas = Canvas(width, height)
    base = 12 - viewpoint.box[0, 1] * scale
    if viewpoint.angles == SIDE:
        canvas.line([(0, base), (width, base)], FAINT, 1.5)
    if viewpoint.angles == TOP:
        canvas.line([(0, base), (width, base)], GRID, 1)
    for i, (pose, turns) in enumerate(zip(scene.positions, scene.rotations, strict=True)):
        x = (i + 0.5) * column - viewpoint.box.mean(axis=0)[0] * scale
        camera = _camera(scene, viewpoint.angles, viewpoint.skin, scale, x, base)
        if viewpoint.angles == TOP:
            draw_footprints(canvas, camera, scene.model, pose, scene.contacts[i], scene.ground)
        else:
            draw_shadow(canvas, camera, scene.model, (0.0, scene.ground, 0.0), 0.0)
        if viewpoint.angles == SIDE:
            draw_ticks(canvas, camera, scene.model, pose, scene.contacts[i], scene.ground)
        draw_animal(canvas, camera, scene.model, pose, turns, viewpoint.skin)
    return canvas.finish()
