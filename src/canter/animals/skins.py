"""The skins of the shipped animals, kept as small files because making one takes seconds.

`python -m canter.animals.skins` makes them anew from the tables of parts. Places and weights are kept as float32,
colours as bytes; the inverse bind matrices follow from the skeleton.
"""

from __future__ import annotations

import io
import os
from importlib import resources
from pathlib import Path

import numpy as np

from canter.motion import Skeleton, Skin
from canter.motion.arrays import Floats
from canter.motion.kinematics import forward

FOLDER = "skins"


def load_skin(name: str, skeleton: Skeleton) -> tuple[Skin, ...]:
    """The shipped skin of an animal on its skeleton; empty where none is shipped."""
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
                inverse_bind=_inverse_bind(skeleton),
                normals=file["normals"].astype(np.float64),
                colors=file["colors"].astype(np.float64) / 255,
                base_color=(1.0, 1.0, 1.0, 1.0),
                name=name,
            ),
        )


def _inverse_bind(skeleton: Skeleton) -> Floats:
    """The inverse of the rest pose's matrices; every joint of ours rests in the world's axes."""
    places, _ = forward(skeleton, skeleton.offsets, skeleton.rotations)
    result = np.tile(np.eye(4), (len(skeleton), 1, 1))
    result[:, :3, 3] = -places
    return result


def save_skin(skin: Skin, path: Path) -> None:
    """Writes a skin as `load_skin` reads it, first beside its place and then into it."""
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


def main() -> None:
    """Makes the skins of all animals anew, where this file lies."""
    from canter.animals import dog_body, horse_body
    from canter.animals.animal import dog, horse
    from canter.body.skin import make_skin

    folder = Path(__file__).parent / FOLDER
    folder.mkdir(exist_ok=True)
    for animal, body in ((horse(), horse_body.BODY), (dog(), dog_body.BODY)):
        poses = [clip.motion.pose(frame) for clip in animal.clips for frame in range(0, len(clip.motion), 9)]
        save_skin(make_skin(animal.skeleton, body, trials=poses), folder / f"{animal.name}.npz")
        print(f"{animal.name}: {folder / animal.name}.npz")


if __name__ == "__main__":
    main()
