"""From an asset to a Character: turned and scaled once into metres, +Y up, +Z forward, ground at zero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from canter.anatomy.character import Anatomy, Character, Clip, Transform
from canter.anatomy.character_file import SUFFIX, read_character
from canter.anatomy.detect import detect
from canter.anatomy.ground import ground_track
from canter.anatomy.ground_level import on_its_soles
from canter.anatomy.overrides import apply_overrides, overrides_beside
from canter.anatomy.rig_motion import bind_pose_dropped
from canter.anatomy.scale import Evidence, Scale, find_scale, given_scale
from canter.anatomy.spans import read_clip
from canter.formats import read
from canter.formats.labels import Label, read_labels
from canter.motion import Asset, Motion, Skeleton, Skin
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.edits import transform, transform_skeleton

MAX_ASKEW = np.radians(30)
"""Takes that face further aside than this on average are turned."""
MIN_MEAN_DIRECTION = 0.3
"""The length of the mean of all facings below which a take looks everywhere."""

Labels = Mapping[str, Sequence[Label]]
"""Labels by the name of the clip that they are of."""


def load_character(path: str | Path) -> Character:
    """Read a file and understand it; a `NAME.anatomy.toml` beside it corrects what canter would get wrong.

    A `.canter` file is understood already.
    """
    if Path(path).suffix.lower() == SUFFIX:
        return read_character(path)
    asset = read(path)
    return understand(asset, corrected(detect(asset), asset), labels_beside(asset))


def corrected(anatomy: Anatomy, asset: Asset) -> Anatomy:
    """The anatomy with the corrections beside the asset's file, if there are any."""
    return apply_overrides(anatomy, asset, overrides_beside(asset.source, asset.skeleton))


def labels_beside(asset: Asset) -> dict[str, tuple[Label, ...]]:
    """The labels beside the file of an asset that holds one clip, by the name of the clip."""
    return {asset.clips[0].name: read_labels(asset.source)} if len(asset.clips) == 1 and asset.source else {}


def understand(
    asset: Asset, anatomy: Anatomy | None = None, labels: Labels | None = None, scale: Scale | None = None
) -> Character:
    """The Character of an asset on the ground with its soles, with footfalls and spans of every clip; `labels` correct
    the spans, and the `scale` is used if one is known already."""
    anatomy = detect(asset) if anatomy is None else anatomy
    scale, clips = _measure(asset, anatomy, labels or {}, scale)
    transform = canonical(anatomy, scale)
    skeleton = transform_skeleton(asset.skeleton, transform.rotation, transform.translation, transform.scale)
    character = Character(
        Path(asset.source).stem if asset.source else "animal",
        skeleton,
        _canonical_anatomy(anatomy, transform),
        tuple(replace(c, motion=_shared(c.motion, skeleton)) for c in clips),
        transform,
        tuple(_canonical_skin(skin, transform) for skin in asset.skins),
        asset.source,
    )
    return character if anatomy.ground_given else on_its_soles(character)


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


def size_evidence(character: Character) -> Evidence:
    """What tells the size of a character, in the units of its file."""
    anatomy = character.anatomy
    return _evidence(anatomy.hip_height / character.transform.scale, anatomy, character.clips)


def _evidence(hip_height: float, anatomy: Anatomy, clips: Sequence[Clip]) -> Evidence:
    """From hips of that height in file units, and canonical clips at any scale."""
    strides = [(clip.footfalls.gait, clip.footfalls.stride_seconds) for clip in clips]
    return Evidence(hip_height, [stride for stride in strides if np.isfinite(stride[1])], _trunk(anatomy, clips))


def _trunk(anatomy: Anatomy, clips: Sequence[Clip]) -> float:
    """The distance from hips to shoulders in hip heights, NaN where there are none."""
    if len(anatomy.legs) != 4 or not clips or not len(clips[0].motion) or not anatomy.hip_height > 0:
        return float("nan")
    hips = clips[0].motion.position_world[:, anatomy.hips]
    long = np.linalg.norm(hips[:, :2].mean(axis=1) - hips[:, 2:].mean(axis=1), axis=-1)
    return float(np.median(long) / anatomy.hip_height)


def _measure(asset: Asset, anatomy: Anatomy, labels: Labels, scale: Scale | None) -> tuple[Scale, list[Clip]]:
    """The scale, and the clips at that scale; strides are read at a first scale, which they hardly depend on."""
    if anatomy.hip_height_metres is not None and anatomy.hip_height > 0:
        scale = given_scale(anatomy.hip_height, anatomy.hip_height_metres)
    if scale is not None:
        return scale, _clips(asset, anatomy, scale, labels)
    first = find_scale(asset.metres_per_unit, [Evidence(anatomy.hip_height)])
    clips = _clips(asset, anatomy, first, labels)
    scaled = _canonical_anatomy(anatomy, canonical(anatomy, first))
    scale = find_scale(asset.metres_per_unit, [_evidence(anatomy.hip_height, scaled, clips)])
    if scale.metres_per_unit != first.metres_per_unit:
        clips = _clips(asset, anatomy, scale, labels)
    return scale, clips


def _clips(asset: Asset, anatomy: Anatomy, scale: Scale, labels: Labels) -> list[Clip]:
    transform_ = canonical(anatomy, scale)
    skeleton = transform_skeleton(asset.skeleton, transform_.rotation, transform_.translation, transform_.scale)
    ours = _canonical_anatomy(anatomy, transform_)
    motions = [to_canonical(bind_pose_dropped(m), transform_, skeleton) for m in asset.clips]
    return [read_clip(_facing_ahead(m, ours), ours, labels.get(m.name, ())) for m in motions]


def _facing_ahead(motion: Motion, anatomy: Anatomy) -> Motion:
    """The motion turned about the vertical to face +Z on average; one of several takes may look anywhere."""
    if anatomy.kind != "quadruped" or not len(motion):
        return motion
    mean = ground_track(motion, anatomy, smooth=False).directions.mean(axis=0)
    yaw = float(np.arctan2(mean[0], mean[1]))
    if abs(yaw) < MAX_ASKEW or np.linalg.norm(mean) < MIN_MEAN_DIRECTION:
        return motion
    return transform(motion, rot.about(np.array([0.0, 1.0, 0.0]), -yaw))


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
