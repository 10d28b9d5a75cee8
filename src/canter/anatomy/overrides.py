"""Corrections of the detected anatomy in a TOML file beside a clip: axes, hip height, legs, head, tail.

`CLIP.anatomy.toml` next to `CLIP.bvh` holds any of `up`, `forward` (three numbers), `hip_height`, `head`, `tail`, and a
table `[legs]` with the joints of LF, RF, LH, RH from top to toe. What it leaves out stays as canter found it. These are
in the file's own units; `hip_height_metres` is how high the hips really are, and so says what a unit is.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from canter.anatomy.character import LEGS, Anatomy, Leg
from canter.anatomy.detect import ground_under
from canter.formats.errors import FormatError
from canter.motion import Asset, Skeleton
from canter.motion.arrays import Floats

MAX_BYTES = 1 << 20
METRES = "hip_height_metres"
SIZE_METRES = 0.001, 100.0
"""The lowest and the highest hips that can be given."""
HEAD = """\
# What canter found in this file, in its own axes and units. Correct what is wrong; delete what is right.
# Legs are named from top to toe.
"""


def overrides_path(path: str | Path) -> Path:
    """The path of the corrections of a file."""
    return Path(path).with_suffix(".anatomy.toml")


def folder_overrides_path(folder: str | Path) -> Path:
    """The path of the corrections of all files of a folder that share a skeleton."""
    return Path(folder) / "folder.anatomy.toml"


def overrides_beside(path: str | Path, skeleton: Skeleton | None = None) -> dict[str, Any]:
    """The corrections beside a file, else those of its folder if their joints are in its `skeleton`; empty where there
    are none."""
    if overrides_path(path).is_file():
        return _read_table(overrides_path(path))
    place = folder_overrides_path(Path(path).parent)
    if skeleton is None or not place.is_file():
        return {}
    table = _read_table(place)
    return table if _names_in(table) <= set(skeleton.names) else {}


def _names_in(table: Mapping[str, Any]) -> set[str]:
    """The joints that corrections name."""
    legs = table.get("legs", {})
    chains = [table.get("tail", []), [table.get("head")], *(legs.values() if isinstance(legs, dict) else ())]
    return {name for chain in chains if isinstance(chain, list) for name in chain if isinstance(name, str)}


def _read_table(place: Path) -> dict[str, Any]:
    if place.stat().st_size > MAX_BYTES:
        raise FormatError(
            place, "", "the file is larger than 1 MB", "Write it anew with canter inspect --write-anatomy."
        )
    try:
        return tomllib.loads(place.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(place, "", str(error), "Write it anew with canter inspect --write-anatomy.") from None


def apply_overrides(anatomy: Anatomy, asset: Asset, table: Mapping[str, Any]) -> Anatomy:
    """The anatomy with the corrections of `table`; an empty table leaves it alone."""
    if not table:
        return anatomy
    place = overrides_path(asset.source)
    known = {"up", "forward", "hip_height", "hip_height_metres", "ground", "legs", "head", "tail"}
    if strange := set(table) - known:
        raise FormatError(place, sorted(strange)[0], "no such entry", f"The entries are {', '.join(sorted(known))}.")
    skeleton = asset.skeleton
    changes: dict[str, Any] = {}
    for name in ("up", "forward"):
        if name in table:
            changes[name] = _direction(place, name, table[name])
    for name in ("hip_height", "ground"):
        if name in table:
            changes[name], changes["ground_given"] = _number(place, name, table[name]), True
    if METRES in table:
        changes[METRES] = _metres(place, table[METRES])
    if table.get("legs", {}) != {}:
        changes["legs"] = _legs(place, table["legs"], anatomy, skeleton)
        changes["kind"] = "quadruped"
    if "head" in table:
        changes["head"] = _joint(place, "head", table["head"], skeleton)
    if "tail" in table:
        changes["tail"] = tuple(_joint(place, "tail", name, skeleton) for name in _list(place, "tail", table["tail"]))
    result = replace(anatomy, **changes)
    if set(changes) <= {METRES}:
        return result
    result = replace(result, confidence=1.0, doubts=())
    return _completed(_turned(result, anatomy, set(changes)), asset, set(changes))


def _turned(result: Anatomy, found: Anatomy, changed: set[str]) -> Anatomy:
    """Legs renamed where the corrected axes exchange front and back, or left and right, and legs are not given."""
    if "legs" in changed or not changed & {"up", "forward"}:
        return result
    ends, sides = bool(result.forward @ found.forward < 0), bool(result.left @ found.left < 0)
    if ends and len(result.legs) == 4:
        result = replace(result, legs=result.legs[2:] + result.legs[:2], spine=result.spine[::-1], neck=())
        unknown: dict[str, Any] = {"head": None, "tail": ()}
        result = replace(result, **{name: nothing for name, nothing in unknown.items() if name not in changed})
    return replace(result, legs=_renamed(result.legs, found.legs, sides), arms=_renamed(result.arms, found.arms, sides))


def _renamed(limbs: tuple[Leg, ...], order: tuple[Leg, ...], exchange: bool) -> tuple[Leg, ...]:
    """`limbs` by the names of `order`, left and right exchanged or not."""
    return tuple(replace(limbs[k ^ 1 if exchange else k], name=leg.name) for k, leg in enumerate(order))


def _completed(anatomy: Anatomy, asset: Asset, changed: set[str]) -> Anatomy:
    """What follows from the corrections: forward square to up, the mirror map of the legs, a hip height."""
    forward = anatomy.forward - (anatomy.forward @ anatomy.up) * anatomy.up
    if np.linalg.norm(forward) < 1e-6:
        raise FormatError(overrides_path(asset.source), "forward", "it points along up", "Give a horizontal direction.")
    mirror = anatomy.mirror.copy()
    for left, right in zip(anatomy.legs[::2], anatomy.legs[1::2], strict=True):
        for a, b in zip(left.joints[::-1], right.joints[::-1], strict=False):
            mirror[a], mirror[b] = b, a
    alone = np.flatnonzero(mirror[mirror] != np.arange(len(mirror)))  # their partners were given to others
    mirror[alone] = alone
    anatomy = replace(anatomy, forward=forward / np.linalg.norm(forward), mirror=mirror)
    if "hip_height" in changed or not changed & {"up", "legs"} or not anatomy.legs:
        return anatomy
    frames = np.concatenate([m.position_world for m in asset.clips]) if asset.clips else None
    if frames is None:
        return anatomy
    heights = frames @ anatomy.up
    feet = float(np.percentile(heights[:, anatomy.feet], 4))
    hips = float(np.percentile(heights[:, [leg.hip for leg in anatomy.legs[-2:]]], 70))
    ground = ground_under(feet, hips)
    return replace(anatomy, ground=ground, hip_height=hips - ground)


def _legs(place: Path, table: Any, anatomy: Anatomy, skeleton: Skeleton) -> tuple[Leg, ...]:
    if not isinstance(table, dict) or set(table) - set(LEGS):
        raise FormatError(
            place, "[legs]", "it does not hold LF, RF, LH and RH", "Name the joints of each from top to toe."
        )
    found = {leg.name: leg for leg in anatomy.legs}
    for name, names in table.items():
        joints = tuple(_joint(place, f"legs.{name}", n, skeleton) for n in _list(place, f"legs.{name}", names))
        if not joints:
            raise FormatError(place, f"legs.{name}", "it is empty", "Name its joints from top to toe.")
        if name not in found or joints != found[name].joints:
            found[name] = Leg(name, joints, joints[0], joints[-1])
    if missing := [name for name in LEGS if name not in found]:
        raise FormatError(place, "[legs]", f"{', '.join(missing)} is missing", "Name all four legs.")
    return tuple(found[name] for name in LEGS)


def _list(place: Path, where: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise FormatError(place, where, "it is no list", 'Write joint names as ["hip", "knee", "foot"].')
    return value


def _joint(place: Path, where: str, name: Any, skeleton: Skeleton) -> int:
    if name not in skeleton.names:
        raise FormatError(place, where, f"no joint is called {name!r}", "canter inspect --json lists the joints.")
    return skeleton.names.index(name)


def _number(place: Path, where: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
        raise FormatError(place, where, f"{value!r} is no number", "Give it in the file's own units.")
    return float(value)


def _metres(place: Path, value: Any) -> float:
    low, high = SIZE_METRES
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise FormatError(place, METRES, f"{value!r} is no height", f"Give metres, from {low:g} to {high:g}.")
    return float(value)


def _direction(place: Path, where: str, value: Any) -> Floats:
    numbers = [_number(place, where, v) for v in _list(place, where, value)]
    length = float(np.linalg.norm(numbers))
    if len(numbers) != 3 or length < 1e-9:
        raise FormatError(place, where, "it is no direction", "Give three numbers such as [0, 1, 0].")
    return np.array(numbers) / length


def overrides_text(anatomy: Anatomy, skeleton: Skeleton, metres: float | None = None) -> str:
    """The anatomy that was found as the text of a file of corrections; legs that were not found are comments, and so is
    the height of the hips in `metres`, if it is a guess."""

    def names(joints: tuple[int, ...]) -> list[str]:
        return [skeleton.names[j] for j in joints]

    table: dict[str, Any] = {"up": _rounded(anatomy.up), "forward": _rounded(anatomy.forward)}
    if np.isfinite(anatomy.hip_height):
        table["hip_height"] = float(f"{anatomy.hip_height:.6g}")
    if anatomy.head is not None:
        table["head"] = skeleton.names[anatomy.head]
    table["tail"] = names(anatomy.tail)
    if anatomy.hip_height_metres is not None:
        table[METRES] = anatomy.hip_height_metres
    legs = {leg.name: leg for leg in anatomy.legs}
    table["legs"] = {name: names(legs[name].joints) for name in LEGS if name in legs}
    missing = "".join(f"# {name} = []\n" for name in LEGS if name not in legs)
    guess = metres is not None and METRES not in table
    height = f"# {METRES} = {metres:.3g}  # a guess: write the real height and remove the first #\n" if guess else ""
    return f"{HEAD}{height}{tomli_w.dumps(table)}{missing}"


def _rounded(direction: Floats) -> list[float]:
    """Six digits, and no negative zero."""
    return [float(f"{x:.6g}") + 0.0 for x in direction]
