"""One posed animal on its ground, from some side: what the sheet and the GIF put together."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from canter.anatomy import Character
from canter.motion.arrays import Bools, Floats
from canter.pictures.camera import Camera
from canter.pictures.figure import Bone, bones_of, draw_figure, size_of
from canter.pictures.mesh import Surface, draw_surfaces, surfaces_of
from canter.pictures.palette import PAPER, SHADOW, Color, leg_color, mix
from canter.pictures.shapes import Canvas


@dataclass(frozen=True, eq=False)
class Model:
    """A character made ready for drawing, once for many pictures."""

    character: Character
    bones: tuple[Bone, ...]
    surfaces: tuple[Surface, ...]
    size: float
    colors: tuple[Color, ...] = field(default=())

    @staticmethod
    def of(character: Character, skin: bool = True) -> Model:
        colors = tuple(leg_color(leg.name, i) for i, leg in enumerate(character.anatomy.legs))
        surfaces = surfaces_of(character) if skin else ()
        return Model(character, bones_of(character), surfaces, size_of(character), colors)

    @property
    def joints(self) -> list[int]:
        """The joints that can be seen: the ends of bones, or all where there are none."""
        seen = sorted({joint for bone in self.bones for joint in (bone.start, bone.end)})
        return seen or list(range(len(self.character.skeleton)))


def draw_shadow(
    canvas: Canvas, camera: Camera, model: Model, world: Floats, ground: float, strength: float = 0.3
) -> None:
    """A soft blob on the ground under the trunk."""
    around = np.linspace(0, 2 * np.pi, 40)[:-1]
    hips = world[model.character.anatomy.hips or model.joints]
    center, spread = hips.mean(axis=0), hips - hips.mean(axis=0)
    along = spread[np.argmax(np.linalg.norm(spread[:, [0, 2]], axis=1))][[0, 2]]
    length = max(float(np.linalg.norm(along)), 0.25 * model.size)
    unit = along / max(float(np.linalg.norm(along)), 1e-9)
    ring = 1.35 * length * np.cos(around)[:, None] * unit + 0.3 * model.size * np.sin(around)[:, None] * unit[::-1] * [
        1,
        -1,
    ]
    blob = np.stack([center[0] + ring[:, 0], np.full(len(ring), ground), center[2] + ring[:, 1]], -1)
    pixels, _, scale = camera.project(blob)
    low = float(scale.mean()) * model.size
    flat = float(np.ptp(pixels[:, 1]))
    if flat < 0.06 * low:
        pixels[:, 1] += 0.03 * low * np.sin(around)
    if np.isfinite(pixels).all():
        canvas.shadow(pixels, SHADOW, strength, 0.04 * low)


def draw_footprints(
    canvas: Canvas, camera: Camera, model: Model, world: Floats, contacts: Bools, ground: float, paper: Color = PAPER
) -> None:
    """A ring on the ground under each foot that is down."""
    around = np.linspace(0, 2 * np.pi, 25)[:-1]
    for leg, down, color in zip(model.character.anatomy.legs, contacts, model.colors, strict=False):
        if not down:
            continue
        for radius, fill in ((0.085, mix(color, paper, 0.35)), (0.06, mix(color, paper, 0.7))):
            ring = world[leg.foot] * [1, 0, 1] + [0, ground, 0]
            ring = ring + radius * model.size * np.stack([np.cos(around), 0 * around, np.sin(around)], -1)
            pixels, _, _ = camera.project(ring)
            canvas.polygon(pixels, fill)


def draw_animal(canvas: Canvas, camera: Camera, model: Model, positions: Floats, rotations: Floats, skin: bool) -> None:
    """The animal itself: its skin if it is asked for and there is one, else its bones."""
    if skin and model.surfaces:
        draw_surfaces(canvas, camera, model.surfaces, positions, rotations)
    else:
        draw_figure(canvas, camera, model.bones, positions)
