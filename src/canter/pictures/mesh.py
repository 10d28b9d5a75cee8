"""Skinned triangle meshes: linear blending, far triangles first, lit from above. 15,000 triangles take 0.1 s."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
from PIL import Image

from canter.anatomy import Character
from canter.motion import Skin
from canter.motion import rotations as rot
from canter.motion.arrays import Floats, Ints
from canter.pictures.camera import Camera
from canter.pictures.palette import SKIN
from canter.pictures.shapes import SUPERSAMPLING, Canvas

LIGHT: Floats = np.array([-0.35, 0.85, 0.4]) / np.linalg.norm([-0.35, 0.85, 0.4])
"""Direction towards the light in camera coordinates: a little from the left, mostly from above."""

MAX_TEXTURE_PIXELS = 64_000_000
"""Larger textures are ignored: a small file can decode to gigabytes."""


@dataclass(frozen=True, eq=False)
class Surface:
    """A skin ready to be drawn: a colour `(F, 3)` for each triangle, 0 to 255.

    `outward` is 1 where corners run counterclockwise seen from outside, as they should, and -1 where not.
    """

    skin: Skin
    colors: Floats
    outward: float = 1.0


def surfaces_of(character: Character) -> tuple[Surface, ...]:
    """All skins of a character with their colours looked up once."""
    return tuple(
        Surface(skin, triangle_colors(skin), outwardness(skin)) for skin in character.skins if len(skin.triangles)
    )


def triangle_colors(skin: Skin) -> Floats:
    """Base colour, vertex colours and texture of each triangle, as sRGB 0 to 255."""
    linear = np.tile(np.clip(np.asarray(skin.base_color[:3], float), 0, 1), (len(skin.triangles), 1))
    if skin.colors is not None:
        linear = linear * np.clip(skin.colors[skin.triangles, :3].mean(axis=1), 0, 1)
    texture = _texture(skin)
    if texture is not None and skin.uv is not None:
        uv = skin.uv[skin.triangles].mean(axis=1)
        uv = np.where(np.isfinite(uv), uv, 0) % 1.0
        height, width = texture.shape[:2]
        texels = texture[
            np.minimum((uv[:, 1] * height).astype(int), height - 1), (uv[:, 0] * width).astype(int) % width
        ]
        linear = linear * (texels / 255.0) ** 2.2
    plain = skin.colors is None and texture is None and skin.base_color[:3] in ((0.8, 0.8, 0.8), (1.0, 1.0, 1.0))
    if plain:
        return np.tile(np.array(SKIN, float), (len(skin.triangles), 1))
    colors: Floats = 255 * linear ** (1 / 2.2)
    return colors


def outwardness(skin: Skin) -> float:
    """Which way the triangles wind, by the sign of the volume that they enclose."""
    a, b, c = (skin.vertices[skin.triangles[:, i]] - skin.vertices.mean(axis=0) for i in range(3))
    return -1.0 if float(np.sum(a * np.cross(b, c))) < 0 else 1.0


def _texture(skin: Skin) -> Floats | None:
    """The texture as an array `(H, W, 3)`; None if there is none, or if it is too large or damaged."""
    if skin.texture is None or skin.uv is None:
        return None
    try:
        with Image.open(io.BytesIO(skin.texture), formats=("PNG", "JPEG")) as image:
            if image.width * image.height > MAX_TEXTURE_PIXELS:
                return None
            return np.asarray(image.convert("RGB"), np.float64)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


def skinned(skin: Skin, positions: Floats, rotations: Floats) -> Floats:
    """Vertices `(V, 3)` moved by joints at world `positions (J, 3)` and `rotations (J, 4)`."""
    joint = np.zeros((len(positions), 3, 4))
    joint[:, :, :3], joint[:, :, 3] = rot.to_matrix(rotations), positions
    moved = joint @ skin.inverse_bind
    blended = np.einsum("vk,vkij->vij", skin.weights, moved[skin.joints])
    vertices: Floats = np.einsum("vij,vj->vi", blended[:, :, :3], skin.vertices) + blended[:, :, 3]
    return vertices


def draw_surfaces(
    canvas: Canvas, camera: Camera, surfaces: tuple[Surface, ...], positions: Floats, rotations: Floats
) -> None:
    """Draws all skins of a posed character together, back to front."""
    parts = [_faces(camera, surface, skinned(surface.skin, positions, rotations)) for surface in surfaces]
    if not parts:
        return
    corners, near, colors = (np.concatenate([part[i] for part in parts]) for i in range(3))
    order = np.argsort(near, kind="stable")
    flat = (corners[order] * SUPERSAMPLING).reshape(-1, 6).tolist()
    fills = [tuple(color) for color in colors[order].astype(int).tolist()]
    draw = canvas.draw.polygon
    for points, fill in zip(flat, fills, strict=True):
        draw(points, fill)


def _faces(camera: Camera, surface: Surface, vertices: Floats) -> tuple[Floats, Floats, Floats]:
    """Corners in pixels `(F, 3, 2)`, nearness `(F,)` and shaded colours `(F, 3)` of the faces that can be seen."""
    pixels, near, _ = camera.project(vertices)
    triangles = surface.skin.triangles
    corners = pixels[triangles]
    (ax, ay), (bx, by) = (corners[:, 1] - corners[:, 0]).T, (corners[:, 2] - corners[:, 0]).T
    seen = np.isfinite(corners).all(axis=(1, 2)) & ((ay * bx - ax * by) * surface.outward > 0)
    normals = (vertex_normals(vertices, triangles)[triangles].mean(axis=1)) @ camera.axes.T
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    bright = 0.5 + 0.5 * np.clip(np.abs(normals[:, 2]) * 0.25 + normals @ LIGHT * 0.85, -0.25, 1.0)
    colors = np.clip(surface.colors * bright[:, None] * 1.12, 0, 255)
    return corners[seen], near[triangles].mean(axis=1)[seen], colors[seen]


def vertex_normals(vertices: Floats, triangles: Ints) -> Floats:
    """Area-weighted normals `(V, 3)`, not of unit length."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    faces = np.cross(b - a, c - a)
    count, flat = len(vertices), triangles.ravel()
    return np.stack([np.bincount(flat, np.repeat(faces[:, i], 3), count) for i in range(3)], -1)
