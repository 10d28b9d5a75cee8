"""From somebody's clips to one `.canter` file: files joined on one skeleton, strides cut, gaps filled, laws fitted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from canter.anatomy import Character, Clip
from canter.anatomy.character_file import save_character
from canter.animals.animal import Animal
from canter.animals.fitting.fit import Fitted, fit
from canter.animals.generator.gait_rows import READ_AS, GaitRow
from canter.cycles.build.cut import Taken, cut, is_short_action
from canter.cycles.build.cycle import make_cycle
from canter.cycles.build.stand import stand_clips
from canter.cycles.engine.cycle import Cycle
from canter.cycles.engine.laws import fit_stride_law, gait_graph
from canter.motion import Asset, Motion, Skeleton, transform

OTHER_UNIT = 1.25
"""Skeletons of one animal whose bones differ by more than this factor are in different units."""
MOST_NAMES = 6
"""Joints that an error names."""

Progress = Callable[[], None]


@dataclass(frozen=True, eq=False)
class Row:
    """What was understood of one cycle: speed in m/s, strides a second, and the speeds at which its gait is taken."""

    taken: Taken
    cycle: Cycle
    speeds: tuple[float, float] | None


@dataclass(frozen=True, eq=False)
class Built:
    """A character whose clips are closed strides and short actions, how it came to them, and which clips were left."""

    character: Character
    rows: tuple[Row, ...]
    actions: tuple[str, ...]
    left: tuple[tuple[str, str], ...]
    law: tuple[float, float]
    """a and b of Fr = a (L / h)^b."""


# Several files -----------------------------------------------------------------------------------


def join(assets: Sequence[Asset]) -> Asset:
    """All clips on the skeleton of the first; files that show another skeleton are refused, and it is said how."""
    first = assets[0]
    clips: list[Motion] = []
    for asset in assets:
        order = _order(first, asset)
        size = _size(first.skeleton) / max(_size(asset.skeleton), 1e-12)
        scale = size if not 1 / OTHER_UNIT < size < OTHER_UNIT else 1.0
        for clip in asset.clips:
            name = _own_name(clip, asset, {c.name for c in clips})
            moved = clip if scale == 1.0 else transform(clip, scale=scale)
            positions, rotations = moved.positions[:, order], moved.rotations[:, order]
            clips.append(Motion(first.skeleton, clip.frame_rate, positions, rotations, name))
    skins = next((a.skins for a in assets if a.skins and a.skeleton.names == first.skeleton.names), ())
    return replace(first, clips=tuple(clips), skins=skins)


def by_skeleton(assets: Iterable[Asset]) -> list[list[Asset]]:
    """Assets that `join` can put on one skeleton together, in the order in which they come."""
    groups: list[list[Asset]] = []
    for asset in assets:
        bones = _hangs_on(asset.skeleton)
        same = (group for group in groups if _hangs_on(group[0].skeleton) == bones)
        found = next((group for group in same if len(group[0].skeleton) == len(asset.skeleton)), None)
        if found is None:
            groups.append([asset])
        else:
            found.append(asset)
    return groups


def _order(first: Asset, other: Asset) -> list[int]:
    """Where each joint of the first skeleton stands in the other."""
    ours, theirs = first.skeleton, other.skeleton
    if ours.names == theirs.names and np.array_equal(ours.parents, theirs.parents):
        return list(range(len(ours)))
    a, b = (_hangs_on(skeleton) for skeleton in (ours, theirs))
    here, there = (Path(asset.source).name for asset in (first, other))
    found = [f"only {here} has {_some(set(a) - set(b))}"] if set(a) - set(b) else []
    found += [f"only {there} has {_some(set(b) - set(a))}"] if set(b) - set(a) else []
    moved = {name for name in set(a) & set(b) if a[name] != b[name]}
    found += [f"{_some(moved)} hang on other joints"] if moved else []
    if found or len(a) != len(ours) or len(b) != len(theirs):
        reason = "; ".join(found) or "joints share a name"
        raise ValueError(f"{there} has another skeleton than {here}: {reason}. Build them apart")
    return [theirs.index(name) for name in ours.names]


def _hangs_on(skeleton: Skeleton) -> dict[str, str]:
    parents = skeleton.parents.tolist()
    return {name: skeleton.names[p] if p >= 0 else "" for name, p in zip(skeleton.names, parents, strict=True)}


def _some(names: set[str]) -> str:
    listed = sorted(names)
    more = f" and {len(listed) - MOST_NAMES} more" if len(listed) > MOST_NAMES else ""
    return ", ".join(listed[:MOST_NAMES]) + more


def _size(skeleton: Skeleton) -> float:
    return float(np.linalg.norm(skeleton.offsets[skeleton.parents >= 0], axis=-1).sum())


def _own_name(clip: Motion, asset: Asset, taken: set[str]) -> str:
    """The clip's name; its file's where others have it already."""
    stem = Path(asset.source).stem
    wishes = [clip.name or stem, *([stem] if len(asset.clips) == 1 else []), f"{stem} {clip.name}"]
    return next((name for name in wishes if name not in taken), f"{stem} {clip.name} {len(taken)}")


# Building ----------------------------------------------------------------------------------------


def build(character: Character, model: Animal | None = None, progress: Progress = lambda: None) -> Built:
    """The strides of a character's clips; gaits that they do not show are made as the `model` goes, if one is given."""
    found = cut(character)
    progress()
    taken = list(found.taken)
    if model is not None:
        taken = _filled(character, taken, model, progress)
    cycles = [make_cycle(character, t.clip) for t in taken]
    order = sorted(range(len(taken)), key=lambda k: cycles[k].speed)
    rows = _rows([taken[k] for k in order], [cycles[k] for k in order])
    ahead = [row.cycle for row in rows if row.speeds]
    if not ahead:
        reasons = "; ".join(f"{name}: {why}" for name, why in found.left[:MOST_NAMES]) or "there are no clips"
        remedy = "--gaits dog makes gaits for it, canter inspect tells what its feet do"
        raise ValueError(f"{character.name}: no stride of a gait was found ({reasons}); {remedy}")
    names = {t.clip.name for t in taken}
    actions = [clip for clip in character.clips if is_short_action(clip) and clip.name not in names]
    law = fit_stride_law([c.speed for c in ahead], [c.speed * c.seconds for c in ahead], character.anatomy.hip_height)
    clips = (*(row.taken.clip for row in rows), *actions)
    kept = tuple(clip.name for clip in actions)
    left = tuple((name, why) for name, why in found.left if name not in kept)
    return Built(replace(character, clips=clips), rows, kept, left, law)


def _filled(character: Character, taken: list[Taken], model: Animal, progress: Progress) -> list[Taken]:
    own = {t.clip.footfalls.gait for t in taken}
    made = []
    for row in model.rows:
        if READ_AS.get(row.name, row.name) not in own:
            made.append(_taken(fit(character, [row], model.standing)[0], row, model))
        progress()
    if "stand" not in own:
        strides = [t.clip for t in (*taken, *made)]
        made += [
            Taken(clip, s, (0, len(clip.motion) - 1), gap, 0.0, how)
            for clip, s, gap, how in stand_clips(character, strides)
        ]
    names = {t.clip.name for t in taken}
    return [*taken, *(t for t in made if t.clip.name not in names)]


def _taken(fitted: Fitted, row: GaitRow, model: Animal) -> Taken:
    clip = fitted.clip
    footfalls = replace(clip.footfalls, gait=READ_AS.get(row.name, row.name))
    motion = replace(clip.motion, name=row.name)
    return Taken(Clip(motion, footfalls), f"the {model.name}'s table", (0, len(motion) - 1), 0.0, 0.0, "made for it")


def _rows(taken: Sequence[Taken], cycles: Sequence[Cycle]) -> tuple[Row, ...]:
    """With the range of speeds of every gait that goes ahead."""
    ahead = [k for k, c in enumerate(cycles) if c.velocity[1] > 0.5 * c.speed > 0 and c.gait != "turn"]
    spans = dict(zip(ahead, gait_graph([cycles[k].speed for k in ahead]) if ahead else [], strict=True))
    return tuple(Row(t, c, spans.get(k)) for k, (t, c) in enumerate(zip(taken, cycles, strict=True)))


def save(built: Built, path: Path, provenance: Mapping[str, Any]) -> None:
    """One file with all of it."""
    a, b = built.law
    about = {
        "provenance": dict(provenance),
        "laws": {"froude": {"a": a, "b": b}},
        "cycles": [
            {
                "name": row.cycle.name,
                "gait": row.cycle.gait,
                "from": row.taken.source,
                "frames": list(row.taken.frames),
                "speed": row.cycle.speed,
                "strides_per_second": 1 / row.cycle.seconds,
                "speeds": row.speeds and list(row.speeds),
                "gap_cm": row.taken.gap,
            }
            for row in built.rows
        ],
        "transitions": [],
    }
    save_character(built.character, path, about)
