"""Characters in `.canter` files: anatomy and footfalls are stored with the clips and need not be detected again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields as fields_of
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np

from canter.anatomy.character import Action, Anatomy, Character, Clip, Footfalls, Kind, Leg, Transform
from canter.anatomy.lazy import ByName
from canter.formats.archive import Archive
from canter.formats.canter_file import unpack, write_file
from canter.formats.files import load_bytes
from canter.formats.json_fields import Fields
from canter.motion import Asset, Motion

SUFFIX = ".canter"
MAX_LIMBS, MAX_DOUBTS = 16, 100
STORED_FOOTFALLS = tuple(item.name for item in fields_of(Footfalls) if item.name not in ("contacts", "spans"))
"""Fields of Footfalls that are stored in the JSON document; the contacts are an array of their own, and spans
are those of the takes that the clips were cut out of."""


def save_character(
    character: Character,
    path: str | Path,
    about: Mapping[str, Any] | None = None,
    arrays: Mapping[str, np.ndarray] | None = None,
) -> None:
    """Write a character; `about` holds more entries of its document, such as laws or where its clips come from, and
    `arrays` more members of the archive, by their names."""
    clips = tuple(clip.motion for clip in character.clips)
    actions = ByName(character.actions)
    document = {
        **about_character(character),
        **(about or {}),
        "clips": [_clip_row(clip, actions.get(clip.name)) for clip in character.clips],
    }
    contacts = {_contacts(k): clip.footfalls.contacts for k, clip in enumerate(character.clips)}
    asset = Asset(character.skeleton, clips, character.skins, metres_per_unit=1.0)
    write_file(asset, document, {**contacts, **(arrays or {})}, Path(path))


def about_character(character: Character) -> dict[str, Any]:
    """What is understood of a character besides its clips, as JSON has it."""
    return {
        "name": character.name,
        "source": Path(character.source).name,
        "anatomy": _anatomy_row(character.anatomy),
        "transform": {name: _plain(value) for name, value in vars(character.transform).items()},
    }


def without_clips(asset: Asset, fields: Fields, path: Path) -> Character:
    """The character of a document that `about_character` gave, without its clips."""
    shift = fields.part("transform")
    transform = Transform(
        shift.numbers("rotation", (4,)),
        shift.number("scale"),
        shift.numbers("translation", (3,)),
        shift.flag("scale_known"),
        shift.text("scale_reason", ""),
    )
    anatomy = _anatomy(fields.part("anatomy"), len(asset.skeleton))
    return Character(fields.text("name"), asset.skeleton, anatomy, (), transform, asset.skins, str(path))


def read_character(path: str | Path) -> Character:
    """The character of a `.canter` file, without its cycles (`canter.cycles.build.file` reads them too)."""
    return read_parts(path)[0]


def read_parts(path: str | Path) -> tuple[Character, Fields, Archive]:
    """The character of a `.canter` file, its document, and the archive that may hold more arrays."""
    path = Path(path)
    asset, fields, archive = unpack(load_bytes(path, SUFFIX), path)
    character = without_clips(asset, fields, path)
    rows = fields.parts("clips", len(asset.clips))
    clips = tuple(
        Clip(motion, _footfalls(row.part("footfalls"), archive, k, motion, character.anatomy))
        for k, (motion, row) in enumerate(zip(asset.clips, rows, strict=True))
    )
    actions = tuple(
        _action(row.part("action"), clip) for clip, row in zip(clips, rows, strict=True) if "action" in row.table
    )
    return replace(character, clips=clips, actions=actions), fields, archive


def _contacts(number: int) -> str:
    return f"clips/{number:03d}.contacts.npy"


def _clip_row(clip: Clip, action: Action | None) -> dict[str, Any]:
    """What else is known of a clip: its footfalls, and where it is entered, held and left if it is an action."""
    row: dict[str, Any] = {"footfalls": {name: _plain(getattr(clip.footfalls, name)) for name in STORED_FOOTFALLS}}
    if action is not None and len(action.motion) == len(clip.motion):
        row["action"] = {name: _plain(getattr(action, name)) for name in ("enter", "hold", "leave")}
    return row


def _action(fields: Fields, clip: Clip) -> Action:
    count = len(clip.motion)
    enter, leave = fields.span("enter", count), fields.span("leave", count)
    hold = None if fields.table.get("hold") is None else fields.span("hold", count)
    if hold is not None and hold[0] == hold[1]:
        raise fields.wrong("hold", "a stretch of more than one frame")
    return Action(clip.name, clip.motion, enter, hold, leave, clip.footfalls.contacts)


def _plain(value: Any) -> Any:
    """As JSON has it: NaN is null, tuples and arrays are lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _anatomy_row(anatomy: Anatomy) -> dict[str, Any]:
    row = {name: _plain(value) for name, value in vars(anatomy).items() if name not in ("legs", "arms")}
    limbs = {"legs": anatomy.legs, "arms": anatomy.arms}
    return {**row, **{name: [{k: _plain(v) for k, v in vars(leg).items()} for leg in limbs[name]] for name in limbs}}


def _anatomy(fields: Fields, joints: int) -> Anatomy:
    kinds: dict[str, Kind] = {kind: kind for kind in get_args(Kind)}
    kind = kinds.get(fields.text("kind"))
    mirror = np.array(fields.indices("mirror", joints), np.int64)
    height = fields.or_nan("hip_height")
    if kind is None or mirror.shape != (joints,) or height <= 0:
        raise fields.wrong("kind, mirror, hip_height", "what an anatomy needs")
    return Anatomy(
        kind,
        fields.numbers("up", (3,)),
        fields.numbers("forward", (3,)),
        height,
        _limbs(fields, "legs", joints),
        mirror,
        _limbs(fields, "arms", joints),
        fields.indices("spine", joints),
        fields.indices("neck", joints),
        None if fields.table.get("head") is None else fields.count("head", 0, joints - 1),
        fields.indices("tail", joints),
        fields.indices("ignored", joints),
        fields.number("confidence"),
        fields.texts("doubts", MAX_DOUBTS),
        fields.number("ground"),
    )


def _limbs(fields: Fields, name: str, joints: int) -> tuple[Leg, ...]:
    found = []
    for limb in fields.parts(name, MAX_LIMBS):
        leg = Leg(
            limb.text("name"),
            limb.indices("joints", joints),
            limb.count("hip", 0, joints - 1),
            limb.count("foot", 0, joints - 1),
        )
        if leg.hip not in leg.joints or leg.foot not in leg.joints:
            raise limb.wrong("joints", "a list with the hip and the foot")
        found.append(leg)
    return tuple(found)


def _footfalls(fields: Fields, archive: Archive, number: int, motion: Motion, anatomy: Anatomy) -> Footfalls:
    return Footfalls(
        archive.array(_contacts(number), (len(motion), len(anatomy.legs)), "b"),
        fields.text("gait"),
        fields.number("speed"),
        fields.flag("in_place"),
        fields.text("runner_up", ""),
        fields.text("sequence", ""),
        fields.or_nan("stride_seconds"),
        fields.or_nan("stride_length"),
        fields.named_numbers("duty"),
        fields.named_numbers("phases"),
        fields.or_nan("froude"),
        fields.or_nan("skating_cm"),
        fields.flag("loop"),
        fields.named_numbers("shares"),
        fields.texts("doubts", MAX_DOUBTS),
    )
