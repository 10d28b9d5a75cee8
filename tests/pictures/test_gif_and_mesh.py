"""GIFs and meshes: the right number of frames, no seam, and triangles where the joints take them."""

from __future__ import annotations

import dataclasses
import io
import itertools
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from canter.anatomy import Character
from canter.motion import Skin
from canter.motion import rotations as rot
from canter.pictures import animate, contact_sheet
from canter.pictures.camera import QUARTER, SIDE, TOP, Camera
from canter.pictures.indexed import indexed
from canter.pictures.mesh import draw_surfaces, outwardness, skinned, surfaces_of, triangle_colors
from canter.pictures.palette import LEGS, PAPER
from canter.pictures.shapes import Canvas, capsule


def frames_of(path: Path) -> list[np.ndarray]:
    with Image.open(path) as gif:
        return [np.asarray((gif.seek(i), gif.convert("RGB"))[1]).astype(int) for i in range(gif.n_frames)]


def test_a_loop_has_its_frames_and_no_seam(animal: Character, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    path = animate(
        animal, "walk", tmp_path / "walk.gif", size=(240, 160), progress=lambda done, count: told.append((done, count))
    )
    frames = frames_of(path)
    assert len(frames) == 20
    assert told == [(i + 1, 20) for i in range(20)]
    assert frames[0].shape == (160, 240, 3)
    steps = [np.abs(a - b).mean() for a, b in itertools.pairwise(frames)]
    assert np.abs(frames[-1] - frames[0]).mean() < 1.5 * max(steps)
    assert [p.name for p in tmp_path.iterdir()] == ["walk.gif"]
    with Image.open(path) as gif:
        assert gif.info["duration"] == 40
        assert gif.info["loop"] == 0


@pytest.mark.parametrize("view", ["side", "top"])
@pytest.mark.parametrize("clip", ["stand", "circle"])
def test_every_view_and_clip(animal: Character, tmp_path: Path, view: str, clip: str) -> None:
    path = animate(animal, clip, tmp_path / "x.gif", size=(200, 140), view=view, fps=6)
    assert len(frames_of(path)) >= 1
    assert path.stat().st_size < 200_000


def test_takes_and_mistakes(animal: Character, tmp_path: Path) -> None:
    walk = animal.clip("walk")
    take = dataclasses.replace(walk, footfalls=dataclasses.replace(walk.footfalls, loop=False))
    assert len(frames_of(animate(animal, take, tmp_path / "t.gif", size=(160, 120), fps=10))) == 8
    with pytest.raises(ValueError, match="view must be one of"):
        animate(animal, "walk", tmp_path / "x.gif", view="below")


def test_without_words_the_animal_fills_the_picture(animal: Character, tmp_path: Path) -> None:
    def ink(words: bool) -> float:
        path = animate(animal, "walk", tmp_path / "x.gif", size=(200, 140), fps=4, words=words, skin=False)
        with Image.open(path) as gif:
            picture = np.asarray(gif.convert("RGB")).astype(int)
        return float((picture[:90].max(axis=-1) < 200).mean())

    assert ink(False) > ink(True)


def test_colours_that_are_kept_are_exact() -> None:
    ramp = np.tile(np.arange(240, 256, dtype=np.uint8)[:, None, None], (1, 32, 3))
    ramp[:, :4] = PAPER
    ramp[:, 4:6] = LEGS["RH"]
    picture = np.asarray(indexed([Image.fromarray(ramp)], 8, (PAPER, LEGS["RH"]))[0].convert("RGB"))
    assert (picture[:, :4] == PAPER).all()
    assert (picture[:, 4:6] == LEGS["RH"]).all()


def box_skin(joints: int, joint: int, copies: int = 1) -> Skin:
    """Boxes of 0.2 m bound to one joint, wound counterclockwise seen from outside."""
    corners = 0.1 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = np.array([t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))])
    vertices = np.concatenate([corners] * copies)
    triangles = np.concatenate([triangles + 8 * i for i in range(copies)])
    weights = np.zeros((len(vertices), 4))
    weights[:, 0] = 1
    bound = np.full((len(vertices), 4), joint)
    return Skin(vertices, triangles, bound, weights, np.tile(np.eye(4), (joints, 1, 1)), base_color=(0.9, 0.1, 0.1, 1))


def test_skin_follows_its_joint() -> None:
    skin = box_skin(2, 1)
    turn = rot.about([0.0, 1.0, 0.0], np.pi / 2)
    moved = skinned(skin, np.array([[0, 0, 0], [1.0, 2.0, 3.0]]), np.stack([rot.IDENTITY, turn]))
    assert np.allclose(moved.mean(axis=0), [1, 2, 3])
    assert np.allclose(moved, rot.rotate(turn, skin.vertices) + np.array([1, 2, 3]))
    assert outwardness(skin) == 1
    assert outwardness(dataclasses.replace(skin, triangles=skin.triangles[:, ::-1])) == -1


def test_a_skinned_character_is_drawn_with_its_skin(animal: Character) -> None:
    dressed = dataclasses.replace(animal, skins=(box_skin(len(animal.skeleton), 0),))
    page, bare = contact_sheet(dressed, "walk"), contact_sheet(animal, "walk")
    assert page.height > bare.height
    pixels = np.asarray(page).astype(int)
    assert ((pixels[..., 0] > 120) & (pixels[..., 1] < 100) & (pixels[..., 2] < 100)).sum() > 500


def test_textures_colour_triangles_and_bad_ones_are_left_out() -> None:
    skin = dataclasses.replace(box_skin(1, 0), base_color=(1.0, 1.0, 1.0, 1.0), uv=np.full((8, 2), 0.25))
    picture = io.BytesIO()
    Image.new("RGB", (4, 4), (10, 200, 30)).save(picture, "PNG")
    colors = triangle_colors(dataclasses.replace(skin, texture=picture.getvalue()))
    assert np.allclose(colors, [10, 200, 30], atol=1)
    assert np.isfinite(triangle_colors(dataclasses.replace(skin, texture=b"no picture"))).all()


def test_fifteen_thousand_triangles_look_like_the_twelve_that_they_repeat(animal: Character) -> None:
    motion = animal.clip("walk").motion
    camera = Camera(np.array([0, 0.6, 0]), *QUARTER, 300.0, (160, 100), 5.0)
    pictures = []
    for copies in (1, 1250):
        dressed = dataclasses.replace(animal, skins=(box_skin(len(animal.skeleton), 0, copies),))
        surfaces, canvas = surfaces_of(dressed), Canvas(320, 200)
        assert sum(len(s.skin.triangles) for s in surfaces) == 12 * copies
        draw_surfaces(canvas, camera, surfaces, motion.position_world[0], motion.rotation_world[0])
        pictures.append(np.asarray(canvas.finish()))
    assert (pictures[0] != PAPER).any(axis=-1).mean() > 0.01
    assert np.array_equal(*pictures)


def test_cameras_look_where_they_say() -> None:
    ahead, left, up = np.eye(3)[[2, 0, 1]]
    side, top = (Camera(np.zeros(3), *angles, 10.0, (50.0, 50.0)) for angles in (SIDE, TOP))
    assert np.allclose(side.project(ahead)[0], [60, 50])
    assert np.allclose(side.project(up)[0], [50, 40])
    assert side.project(left)[1] < 0
    assert np.allclose(top.project(ahead)[0], [60, 50])
    assert np.allclose(top.project(left)[0], [50, 40])
    near = Camera(np.zeros(3), 0.0, 0.0, 10.0, (0.0, 0.0), 4.0)
    assert near.project(ahead)[2] > near.project(-ahead)[2]


@pytest.mark.parametrize(("ra", "rb"), [(3.0, 1.0), (1.0, 3.0), (2.0, 2.0)])
def test_a_capsule_goes_round_both_circles(ra: float, rb: float) -> None:
    a, b = np.array([0.0, 0.0]), np.array([10.0, 4.0])
    outline = capsule(a, b, ra, rb)
    inside = np.minimum(np.linalg.norm(outline - a, axis=1) - ra, np.linalg.norm(outline - b, axis=1) - rb)
    assert np.abs(inside).max() < 1e-9
    assert len(capsule(a, a + 0.1, 3.0, 1.0)) == 16
