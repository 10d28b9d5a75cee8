"""Drawing one posed animal and the ground under it: the parts that sheets, GIFs and ride pictures share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from canter.anatomy import Character, Clip
from canter.motion import kinematics
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.pictures.bones import Bone, bone_ends, bones_of, draw_bones, size_of
from canter.pictures.camera import Camera
from canter.pictures.mesh import Surface, draw_surfaces, surfaces_of
from canter.pictures.palette import FAINT, PAPER, SHADOW, Color, leg_color, mix
from canter.pictures.shapes import SUPERSAMPLING, Canvas, capsule

GRID_SHADES = 12
"""Shades of grey in which the ground grid fades out with distance."""


@dataclass(frozen=True, eq=False)
class Model:
    """A character prepared for drawing, once for many pictures; `size` in metres scales the radii of its bones."""

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

    def points(self, world: Floats) -> Floats:
        """The points `(N, 3)` that must be in view when the joints are at `world (J, 3)`."""
        return bone_ends(self.bones, world).reshape(-1, 3) if self.bones else world

    @property
    def trunk(self) -> float:
        """Half the length of the shadow in metres: 0.75 of the distance between the girdles, within limits."""
        hips = self.character.anatomy.hips
        rest, _ = kinematics.forward(self.character.skeleton, *self._rest)
        length = float(np.ptp(rest[hips], axis=0).max()) if len(hips) > 2 else 0.0
        return float(np.clip(0.75 * length, 0.3 * self.size, 1.5 * self.size))

    @property
    def _rest(self) -> tuple[Floats, Floats]:
        return self.character.skeleton.offsets, self.character.skeleton.rotations

    @property
    def joints(self) -> list[int]:
        """The joints that are drawn: the ends of bones, or all joints where there are no bones."""
        seen = sorted({joint for bone in self.bones for joint in (*bone.start, *bone.end)})
        return seen or list(range(len(self.character.skeleton)))


def clip_of(character: Character, clip: str | Clip | None) -> Clip:
    """The clip of that name, the first for None, or the given Clip; it must have frames and finite values."""
    if clip is None and not character.clips:
        raise ValueError(f"{character.name!r} has no clip to draw")
    if not isinstance(clip, Clip):
        clip = character.clips[0] if clip is None else character.clip(clip)
    if not len(clip.motion):
        raise ValueError(f"clip {clip.name!r} has no frames to draw")
    if not (np.isfinite(clip.motion.positions).all() and np.isfinite(clip.motion.rotations).all()):
        raise ValueError(f"clip {clip.name!r} has positions or rotations that are not finite")
    return clip


def draw_shadow(
    canvas: Canvas, camera: Camera, model: Model, place: Sequence[float] | Floats, facing: float, strength: float = 0.3
) -> None:
    """A soft blob on the ground under the trunk, which is over `place (3,)` and points to the yaw `facing`."""
    around = np.linspace(0, 2 * np.pi, 40)[:-1]
    ring = np.stack([0.25 * model.size * np.sin(around), 0 * around, model.trunk * np.cos(around)], -1)
    blob = np.asarray(place) + rot.rotate(rot.yaw(facing), ring)
    pixels, _, scale = camera.project(blob)
    low = float(scale.mean()) * model.size
    flat = float(np.ptp(pixels[:, 1]))
    if flat < 0.06 * low:
        pixels[:, 1] += 0.03 * low * np.sin(around)
    if np.isfinite(pixels).all():
        canvas.shadow(pixels, SHADOW, strength, 0.04 * low)


def draw_grid(
    canvas: Canvas, camera: Camera, place: Floats, yaw: float, ground: float, cell: float, reach: float
) -> None:
    """The ground grid around the target, fading to `reach` metres; the camera's frame is at `place` and `yaw`."""
    center = place + rot.rotate(rot.yaw(yaw), camera.target * [1, 0, 1])
    along = np.linspace(-reach, reach, 21)
    lines = []
    for axis in (0, 2):
        first, last = (int(np.floor((center[axis] + side * reach) / cell)) for side in (-1, 1))
        line = np.zeros((last - first, len(along), 3))
        line[:, :, axis] = cell * np.arange(first + 1, last + 1)[:, None]
        line[:, :, 2 - axis] = center[2 - axis] + along
        lines.append(line)
    world = np.concatenate(lines)
    near = np.clip(1.05 - np.linalg.norm((world - center)[..., [0, 2]], axis=-1) / reach, 0, 1)
    shade = np.rint((near[:, 1:] + near[:, :-1]) / 2 * GRID_SHADES).astype(int)
    pixels = camera.project(rot.rotate(rot.yaw(-yaw), world - place) + np.array([0.0, ground, 0.0]))[0] * SUPERSAMPLING
    ends = np.concatenate([pixels[:, :-1], pixels[:, 1:]], axis=-1)
    inks = [mix(PAPER, FAINT, k / GRID_SHADES) for k in range(GRID_SHADES + 2)]
    for k, end in zip(shade[shade > 0].tolist(), ends[shade > 0].tolist(), strict=True):
        canvas.draw.line(end, fill=inks[k], width=SUPERSAMPLING)


def draw_footprints(
    canvas: Canvas, camera: Camera, model: Model, world: Floats, contacts: Bools, ground: float
) -> None:
    """A ring on the ground under each foot that is down."""
    around = np.linspace(0, 2 * np.pi, 25)[:-1]
    for leg, down, color in zip(model.character.anatomy.legs, contacts, model.colors, strict=False):
        if not down:
            continue
        for radius, fill in ((0.085, mix(color, PAPER, 0.35)), (0.06, mix(color, PAPER, 0.7))):
            ring = world[leg.foot] * [1, 0, 1] + [0, ground, 0]
            ring = ring + radius * model.size * np.stack([np.cos(around), 0 * around, np.sin(around)], -1)
            pixels, _, _ = camera.project(ring)
            canvas.polygon(pixels, fill)


def draw_ticks(canvas: Canvas, camera: Camera, model: Model, world: Floats, contacts: Bools, ground: float) -> None:
    """A coloured dash under the ground line for each foot that is down: footprints as the side view sees them."""
    for leg, down, color in zip(model.character.anatomy.legs, contacts, model.colors, strict=False):
        if down:
            place = world[leg.foot] * [1, 0, 1] + [0, ground, 0]
            pixel, _, scale = camera.project(place)
            half = max(5.0, 0.07 * model.size * float(scale))
            ends = pixel + np.array([[-half, 5.0], [half, 5.0]])
            canvas.polygon(capsule(ends[0], ends[1], 2.0, 2.0), color)


def draw_animal(canvas: Canvas, camera: Camera, model: Model, positions: Floats, rotations: Floats, skin: bool) -> None:
    """The animal: its skin, if `skin` is set and it has one, else its bones."""
    if skin and model.surfaces:
        draw_surfaces(canvas, camera, model.surfaces, positions, rotations)
    else:
        draw_bones(canvas, camera, model.bones, positions)
