"""Rows on made-up folders of capture: whether their rig is found from all takes together, and what happens when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from canter.anatomy import Anatomy, Character
from canter.anatomy.folder import find_rigs
from canter.evaluation import Options
from canter.evaluation.report import Row, at_least
from canter.motion.arrays import Bools
from canter.synthetic.folder import SyntheticFolder, TakeTruth, synthetic_folder

FOLDER_SEEDS = range(2000, 2100)
"""Seeds on which nothing was tuned."""
BORDER_SECONDS = 0.15
"""Frames nearer to the border of a true span than this are not counted."""
STEADY_SECONDS = 1.0
"""Spans of a gait that last at least so long are steady ones."""
MAX_SPEED_ERROR = 0.05
SPECIAL = ("stand", "sit", "lie", "jump", "turn", "backward", "")
"""Labels without a gait."""


@dataclass
class Count:
    """How much of some folders was read right, one number for each file, take, span or frame."""

    files: list[bool] = field(default_factory=list)
    labels: list[Bools] = field(default_factory=list)
    contacts: list[Bools] = field(default_factory=list)
    gaits: list[bool] = field(default_factory=list)
    speeds: list[bool] = field(default_factory=list)


def folder_rows(options: Options) -> Iterator[Row]:
    """The rows of all made-up folders."""
    count = Count()
    for seed in FOLDER_SEEDS[:2] if options.quick else FOLDER_SEEDS:
        options.progress(f"synthetic folder {seed}")
        count_folder(synthetic_folder(seed), count)
    named = "synthetic folders: "
    yield at_least(f"{named}files with the right legs, read together", _percent(count.files), 98, "%")
    yield at_least(f"{named}frames with the right label", _percent(np.concatenate(count.labels)), 92, "%")
    yield at_least(f"{named}contacts", _percent(np.concatenate(count.contacts)), 94, "%")
    yield at_least(f"{named}steady spans with the right gait, or runner-up", _percent(count.gaits), 95, "%")
    yield at_least(f"{named}steady spans with a speed within 5 %", _percent(count.speeds), 95, "%")


def _percent(values: list[bool] | Bools) -> float:
    return 100 * float(np.mean(values))


def count_folder(folder: SyntheticFolder, count: Count) -> None:
    """Adds one folder to a count; what is in a file whose legs are wrong counts as wrong."""
    rig = find_rigs(folder.assets)[0]
    right = legs_right(rig.anatomy, folder)
    count.files += [right] * len(folder.assets)
    for character, truth in zip(rig.characters(), folder.takes, strict=True):
        _count_take(character, truth, folder.truth.hip_height, count)


def legs_right(found: Anatomy, folder: SyntheticFolder) -> bool:
    """Whether the feet of all legs are those of the truth, which says left from right and front from back too."""
    names, truth = folder.assets[0].skeleton.names, folder.truth
    return found.kind == "quadruped" and all(names[leg.foot] in truth.feet[leg.name] for leg in found.legs)


def _count_take(character: Character, truth: TakeTruth, hip_height: float, count: Count) -> None:
    """Adds one take; `hip_height` is the true one in the units of the file."""
    clip = character.clips[0]
    times = np.arange(len(truth.contacts)) / clip.motion.frame_rate
    wanted, found = np.full(len(times), "", object), np.full(len(times), "", object)
    certain = np.ones(len(times), bool)
    for span in truth.spans:
        wanted[(times >= span.start) & (times < span.end)] = span.label
        certain &= (np.abs(times - span.start) > BORDER_SECONDS) & (np.abs(times - span.end) > BORDER_SECONDS)
    for seen in clip.footfalls.spans:
        found[(times >= seen.start - 1e-9) & (times < seen.end)] = seen.label
    certain &= wanted != ""
    count.labels.append((wanted == found)[certain])
    contacts = np.zeros_like(truth.contacts)
    own = clip.footfalls.contacts
    if own.shape[1:] == contacts.shape[1:]:
        contacts[: len(own)] = own[: len(contacts)]
    count.contacts.append((contacts == truth.contacts)[certain].ravel())
    for span in truth.spans:
        if span.label in SPECIAL or not span.steady or span.end - span.start < STEADY_SECONDS:
            continue
        middle = (span.start + span.end) / 2
        seen_there = next((s for s in clip.footfalls.spans if s.start <= middle < s.end), None)
        count.gaits.append(seen_there is not None and span.label in (seen_there.label, seen_there.runner_up))
        speed = seen_there.speed / character.transform.scale if seen_there is not None else 0.0
        count.speeds.append(abs(speed / (span.speed * hip_height) - 1) < MAX_SPEED_ERROR)
