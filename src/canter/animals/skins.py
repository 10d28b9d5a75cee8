"""The skins of the shipped animals, stored as small files because making one takes seconds.

`python -m canter.animals.skins [NAME ...]` makes them from the tables of parts. Positions and weights are stored as
float32, colours as bytes; the inverse bind matrices follow from the skeleton.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path

import numpy as np

from canter.body.skinning import inverse_bind
from canter.motion import Skeleton, Skin

FOLDER = "skins"


def load_skin(name: str, skeleton: Skeleton) -> tuple[Skin, ...]:
    """The shipped skin of an animal on its skeleton; empty if there is none of that name."""
    place = resources.files("canter.animals").joinpath(FOLDER, f"{name}.npz")
    if not place.is_file():
        return ()
    with np.load(io.BytesIO(place.read_bytes()), allow_pickle=False) as file:
        return (
            Skin(
                vertices=file["vertices"].astype(np.float64),
                triangles=file["triangles"].astype(np.int32),
                joints=file["joints"].astype(np.int32),
                weights=file["weights"].astype(np.float64),
                inverse_bind=inverse_bind(skeleton, skeleton.rest),
                normals=file["normals"].astype(np.float64),
                colors=file["colors"].astype(np.float64) / 255,
                base_color=(1.0, 1.0, 1.0, 1.0),
                name=name,
            ),
        )


def save_skin(skin: Skin, path: Path) -> None:
    """Writes a skin as `load_skin` reads it, to a temporary name first."""
    if skin.normals is None or skin.colors is None:
        raise ValueError("a shipped skin needs normals and colours")
    beside = path.with_suffix(".part.npz")
    np.savez_compressed(
        beside,
        vertices=skin.vertices.astype(np.float32),
        triangles=skin.triangles.astype(np.uint16 if len(skin.vertices) < 65536 else np.uint32),
        joints=skin.joints.astype(np.uint8),
        weights=skin.weights.astype(np.float32),
        normals=skin.normals.astype(np.float16),
        colors=np.round(skin.colors * 255).astype(np.uint8),
    )
    os.replace(beside, path)


def joined(skins: Sequence[Skin]) -> Skin:
    """Several skins of one skeleton as one, with the name of the first."""
    starts = np.cumsum([0, *(len(skin.vertices) for skin in skins[:-1])])
    triangles = [skin.triangles + start for skin, start in zip(skins, starts, strict=True)]
    return replace(
        skins[0],
        vertices=np.concatenate([skin.vertices for skin in skins]),
        triangles=np.concatenate(triangles).astype(np.int32),
        joints=np.concatenate([skin.joints for skin in skins]),
        weights=np.concatenate([skin.weights for skin in skins]),
        normals=np.concatenate([skin.normals for skin in skins if skin.normals is not None]),
        colors=np.concatenate([skin.colors for skin in skins if skin.colors is not None]),
    )


def main() -> None:
    """Makes the skins of all animals, or of those named on the command line, in the folder beside this file."""
    from canter.animals.animal import dog, horse, turtle
    from canter.animals.dog import body as dog_body
    from canter.animals.horse import body as horse_body
    from canter.animals.turtle import body as turtle_body
    from canter.body.skin import make_skin

    folder = Path(__file__).parent / FOLDER
    folder.mkdir(exist_ok=True)
    tables = ((horse, (horse_body.BODY,)), (dog, (dog_body.BODY,)), (turtle, turtle_body.BODIES))
    for make, bodies in tables:
        if sys.argv[1:] and make.__name__ not in sys.argv[1:]:
            continue
        animal = make()
        poses = [clip.motion.pose(frame) for clip in animal.clips for frame in range(0, len(clip.motion), 9)]
        skins = [make_skin(animal.skeleton, body, trials=poses) for body in bodies]
        save_skin(joined(skins), folder / f"{animal.name}.npz")
        print(f"{animal.name}: {folder / animal.name}.npz")


if __name__ == "__main__":
    main()
