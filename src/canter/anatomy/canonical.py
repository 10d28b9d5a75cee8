"""From an asset to a Character: turned and scaled once into metres, +Y up, +Z forward, ground at zero."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from canter.anatomy.character import Anatomy, Character, Clip, Transform
from canter.anatomy.character_file import SUFFIX, read_character
from canter.anatomy.detect import detect
from canter.anatomy.footfalls import read_footfalls
from canter.anatomy.overrides import apply_overrides, overrides_beside
from canter.anatomy.rig_motion import bind_pose_dropped
from canter.anatomy.scale import Scale, find_scale
from canter.formats import read
from canter.motion import Asset, Motion, Skeleton, Skin
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.edits import transform, transform_skeleton


def load_character(path: str | Path) -> Character:
    """Read a file and understand it; a `NAME.anatomy.toml` beside it corrects what canter would get wrong.

    A `.canter` file is understood already.
    """
    if Path(path).suffix.lower() == SUFFIX:
        return read_character(path)
    asset = read(path)
    return understand(asset, apply_overrides(detect(asset), asset, overrides_beside(path)))


def understand(asset: Asset, anatomy: Anatomy | None = None) -> Character:
    """The Character of an asset, with the footfalls of every clip."""
    anatomy = detect(asset) if anatomy is None else anatomy
    scale, clips = _measure(asset, anatomy)
    transform = canonical(anatomy, scale)
    skeleton = transform_skeleton(asset.skeleton, transform.rotation, transform.translation, transform.scale)
    return Character(
        Path(asset.source).stem if asset.source else "animal",
        skeleton,
        _canonical_anatomy(anatomy, transform),
        tuple(replace(c, motion=_shared(c.motion, skeleton)) for c in clips),
        transform,
        tuple(_canonical_skin(skin, transform) for skin in asset.skins),
        asset.source,
    )


def canonical(anatomy: Anatomy, scale: Scale) -> Transform:
    """The transform that stands the animal on the ground at y = 0, facing +Z, in metres."""
    axes = np.stack([anatomy.left, anatomy.up, anatomy.forward])
    ground = 0.0 if not np.isfinite(anatomy.ground) else anatomy.ground
    return Transform(
        rot.from_matrix(axes),
        scale.metres_per_unit,
        np.array([0.0, -ground * scale.metres_per_unit, 0.0]),
        scale.known,
        scale.reason,
    )


def to_canonical(motion: Motion, transform_: Transform, skeleton: Skeleton) -> Motion:
    """A clip of the file in canonical coordinates, on the character's skeleton."""
    return transform(motion, transform_.rotation, transform_.translation, transform_.scale, skeleton)


def _measure(asset: Asset, anatomy: Anatomy) -> tuple[Scale, list[Clip]]:
    """The scale, and the clips at that scale; strides are read once at a first scale, which they do not depend on."""
    first = find_scale(asset.metres_per_unit, anatomy.hip_height, [])
    clips = _clips(asset, anatomy, first)
    strides = [(c.footfalls.gait, c.footfalls.stride_seconds) for c in clips]
    scale = find_scale(asset.metres_per_unit, anatomy.hip_height, [s for s in strides if np.isfinite(s[1])])
    if scale.metres_per_unit != first.metres_per_unit:
        clips = _clips(asset, anatomy, scale)
    return scale, clips


def _clips(asset: Asset, anatomy: Anatomy, scale: Scale) -> list[Clip]:
    transform_ = canonical(anatomy, scale)
    skeleton = transform_skeleton(asset.skeleton, transform_.rotation, transform_.translation, transform_.scale)
    ours = _canonical_anatomy(anatomy, transform_)
    motions = [bind_pose_dropped(m) for m in asset.clips]
    return [read_footfalls(to_canonical(m, transform_, skeleton), ours) for m in motions]


def _shared(motion: Motion, skeleton: Skeleton) -> Motion:
    return replace(motion, skeleton=skeleton)


def _canonical_anatomy(anatomy: Anatomy, transform_: Transform) -> Anatomy:
    return replace(
        anatomy,
        up=np.array([0.0, 1.0, 0.0]),
        forward=np.array([0.0, 0.0, 1.0]),
        hip_height=anatomy.hip_height * transform_.scale,
        ground=0.0,
    )


def _canonical_skin(skin: Skin, transform_: Transform) -> Skin:
    """Vertices stay as they are in the file; the inverse bind matrices take them to the scaled joints."""
    grow: Floats = np.diag([transform_.scale] * 3 + [1.0])
    return replace(skin, inverse_bind=grow @ skin.inverse_bind)
