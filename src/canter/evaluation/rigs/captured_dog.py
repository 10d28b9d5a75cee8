"""Detected contacts and strides of the captured dog of MANN, compared with its contact labels and measured gaits.

The bands are the 10th and 90th percentiles over strides of one dog (38 takes of the University of Edinburgh capture,
Zhang et al. 2018), computed with other code than ours: frequency, stride length over hip height, duty factors, and
Hildebrand's phase of fore after hind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from canter.anatomy import Anatomy, Character, understand
from canter.anatomy.contacts import runs
from canter.anatomy.footfalls import GaitStride, read_footfalls, strides_of
from canter.anatomy.gaits import circular_mean
from canter.anatomy.ground import GroundTrack, ground_track
from canter.evaluation import Options
from canter.evaluation.report import Row, at_least, at_most, skipped, within
from canter.formats import read
from canter.motion import Motion
from canter.motion.arrays import Bools, Floats

HZ, LENGTH, FORE, HIND, LAG = (
    "stride frequency in Hz",
    "stride length / hip height",
    "fore duty factor",
    "hind duty factor",
    "fore touchdown after hind",
)
BANDS: dict[str, dict[str, tuple[float, float]]] = {
    "amble": {HZ: (1.00, 1.40), LENGTH: (1.18, 2.11), FORE: (0.50, 0.71), HIND: (0.56, 0.71), LAG: (0.11, 0.18)},
    "pace": {HZ: (1.28, 1.72), LENGTH: (1.62, 2.05), FORE: (0.56, 0.65), HIND: (0.53, 0.62), LAG: (-0.01, 0.08)},
    "trot": {HZ: (1.82, 2.22), LENGTH: (2.31, 2.73), FORE: (0.43, 0.53), HIND: (0.38, 0.43), LAG: (0.37, 0.48)},
    "canter": {HZ: (2.06, 2.31), LENGTH: (2.64, 3.64), FORE: (0.33, 0.42), HIND: (0.29, 0.39)},
    "gallop": {HZ: (2.06, 2.33), LENGTH: (3.24, 4.83), FORE: (0.25, 0.36), HIND: (0.25, 0.34)},
}
MIN_STRIDES = 5
"""Fewer strides of a gait have no reliable median."""
LEAP_SECONDS = 0.2
"""Longer flights are leaps: no gait of this dog has them."""
MIN_SPEED = 0.3
"""Speed of the root in m/s above which contacts are compared with labels."""


def dog_rows(options: Options, data: Path) -> Iterator[Row]:
    folder = data / "dog"
    if not folder.is_dir():
        yield skipped("captured dog", "no such folder")
        return
    yield _contact_row(options, folder / "labelled")
    takes = list(_takes(options, folder))
    strides = [(s, c.anatomy.hip_height) for c in takes for s in _steady(c)]
    yield from _band_rows(strides)
    yield from _in_place_rows(takes)


def _takes(options: Options, folder: Path) -> Iterator[Character]:
    """Every take once, in quick runs too, for a third of them has too few strides; some exist in two formats."""
    paths = {p.stem: p for p in (*sorted(folder.glob("labelled/*.npz")), *sorted(folder.glob("*.bvh")))}
    for path in paths.values():
        options.progress(f"strides of {path.name}")
        yield understand(read(path))


# Contacts ----------------------------------------------------------------------------------------


def _contact_row(options: Options, folder: Path) -> Row:
    name = "captured dog: contacts that agree with the labels, moving frames"
    takes: list[tuple[Path, Character]] = []
    for path in sorted(folder.glob("*.npz"))[:: 4 if options.quick else 1]:
        options.progress(f"contacts of {path.name}")
        takes.append((path, understand(read(path))))
    if not takes:
        return skipped(name, "no labelled takes")
    scale = float(np.median([c.transform.scale for _, c in takes]))
    agreement = np.concatenate([_agreement(path, character, scale) for path, character in takes])
    return at_least(name, 100 * float(agreement.mean()), 92, "%")


def _agreement(path: Path, character: Character, scale: float) -> Floats:
    """1 where the detected contact agrees with the label, else 0, for every paw in every frame with movement `(N,)`."""
    with np.load(path, allow_pickle=False) as file:
        names = [str(n) for n in file["bone_names"]]
        labelled = [names[int(b)] for b in file["contact_bones_2022"]]
        labels: Bools = file["contacts_2022"] > 0.5
        root = file["positions"][:, 0][:, [0, 2]] * scale
        rate = float(file["framerate"])
    ours = character.clips[0].footfalls.contacts
    late = len(labels) - len(ours)  # a bind pose at the head is dropped
    speed = np.linalg.norm(np.gradient(root, axis=0), axis=-1) * rate
    moving = np.convolve(speed, np.ones(15) / 15, mode="same")[late:] > MIN_SPEED
    same = [
        ours[moving, k] == labels[late:][moving, labelled.index(character.skeleton.names[foot])]
        for k, foot in enumerate(character.anatomy.feet)
        if character.skeleton.names[foot] in labelled
    ]
    return np.concatenate(same).astype(float) if same else np.zeros(4 * int(moving.sum()))


# Strides -----------------------------------------------------------------------------------------


def _steady(character: Character) -> Iterator[GaitStride]:
    """Strides that turn less than 40 degrees, change speed by less than 30 % or 0.2 m/s, and are not near a leap."""
    clip = character.clips[0]
    if clip.footfalls.in_place:
        return
    track = ground_track(clip.motion, character.anatomy)
    rate = clip.motion.frame_rate
    leaps = _near_leaps(clip.footfalls.contacts, rate)
    for seen in strides_of(clip.motion, character.anatomy):
        first, last = int(seen.stride.start * rate), int((seen.stride.start + seen.stride.seconds) * rate)
        if last >= len(track.positions) or leaps[first : last + 1].any():
            continue
        middle = (first + last) // 2
        change = abs(_speed(track, middle, last, rate) - _speed(track, first, middle, rate))
        turn = abs(track.facings[last] - track.facings[first])
        if turn < np.radians(40) and change < max(0.3 * seen.speed, 0.2):
            yield seen


def _speed(track: GroundTrack, first: int, last: int, rate: float) -> float:
    return float(np.linalg.norm(track.positions[last] - track.positions[first]) * rate / max(last - first, 1))


def _near_leaps(contacts: Bools, rate: float) -> Bools:
    """The frames `(T,)` within a second of a leap."""
    near = np.zeros(len(contacts), bool)
    for start, end in runs(np.asarray(~contacts.any(axis=1))):
        if (end - start) / rate > LEAP_SECONDS:
            near[max(0, start - int(rate)) : end + int(rate)] = True
    return near


def _figures(seen: GaitStride, height: float) -> dict[str, float]:
    """The figures of one stride, by the names of `BANDS`."""
    lf, rf, lh, rh = seen.stride.phases
    duty = seen.stride.duty
    lag = circular_mean([lf - lh, rf - rh])
    return {
        HZ: 1 / seen.stride.seconds,
        LENGTH: seen.speed * seen.stride.seconds / height,
        FORE: (duty[0] + duty[1]) / 2,
        HIND: (duty[2] + duty[3]) / 2,
        LAG: lag if lag < 0.9 else lag - 1,
    }


def _band_rows(strides: list[tuple[GaitStride, float]]) -> Iterator[Row]:
    for gait, bands in BANDS.items():
        chosen = [_figures(seen, height) for seen, height in strides if seen.gait == gait]
        for figure, (low, high) in bands.items():
            name = f"captured dog: {gait} {figure}, median of {len(chosen)} strides"
            if len(chosen) < MIN_STRIDES:
                yield skipped(name, f"fewer than {MIN_STRIDES} steady strides")
            else:
                yield within(name, float(np.median([c[figure] for c in chosen])), low, high)


# In place ----------------------------------------------------------------------------------------


def _in_place_rows(takes: list[Character]) -> Iterator[Row]:
    """Recorded strides with their travel removed, as in-place clips are delivered: is the speed recovered?"""
    errors, same = [], []
    for character in takes:
        for seen in _steady(character):
            if seen.gait in ("irregular", "backward", "side", "turn"):
                continue
            motion = _on_the_spot(character.clips[0].motion, character.anatomy, seen)
            found = read_footfalls(motion, character.anatomy).footfalls
            errors.append(found.speed / seen.speed - 1)
            same.append(found.gait == seen.gait or found.runner_up == seen.gait)
    if len(errors) < MIN_STRIDES:
        yield skipped("captured dog: speed of strides with travel removed", "too few steady strides")
        return
    count = len(errors)
    yield at_most(f"captured dog: {count} strides with travel removed, median error of speed",
                  100 * float(np.median(np.abs(errors))), 5, "%")  # fmt: skip
    yield at_least("captured dog: gait of those strides, or its runner-up", 100 * float(np.mean(same)), 80, "%")


def _on_the_spot(motion: Motion, anatomy: Anatomy, seen: GaitStride) -> Motion:
    """One stride with its mean travel removed, facing +Z."""
    rate = motion.frame_rate
    first = int(seen.stride.start * rate)
    count = round(seen.stride.seconds * rate)
    part = motion[first : first + count]
    track = ground_track(motion, anatomy)
    step = (track.positions[min(first + count, len(motion) - 1)] - track.positions[first]) / count
    turned = _facing_forward(part, step)
    along = float(np.linalg.norm(step))
    positions = turned.positions.copy()
    roots = np.flatnonzero(motion.skeleton.parents < 0)
    positions[:, roots, 2] -= (np.arange(len(part)) * along)[:, None]
    return replace(turned, positions=positions)


def _facing_forward(motion: Motion, ahead: Floats) -> Motion:
    """The motion turned about the vertical so that `ahead` (x, z) becomes +Z."""
    from canter.motion import rotations as rot
    from canter.motion.edits import transform

    return transform(motion, rot.yaw(-np.arctan2(ahead[0], ahead[1])))
