"""A data set: takes of one character as arrays that a training reads at random, kept on disk.

Every frame of every take, and of its mirror image if it was captured: joints seen from the ground track, the track
itself, what was told (label, speed, heading, facing), contacts, gait. Windows of trajectories are put together while
training. Arrays are filled and read as maps of files, so that hours of motion need no hours' worth of memory.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from canter.anatomy import Anatomy, ground_track
from canter.control.improvise import DISTURBED, IDLE, LOCOMOTION
from canter.control.takes import Take, Takes
from canter.motion import Motion
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.constants import GRAVITY
from canter.motion.kinematics import forward
from canter.motion.mirroring import mirror, most_symmetrical
from canter.motion.numbers import functions_of
from canter.neural.commands import Told, told_in
from canter.neural.features import joint_features
from canter.neural.layout import Body, Layout, make_body

FORMAT = 3
MIN_SECONDS = 20.0
"""Less motion than this teaches nothing."""
TRANSLATED_HIP_HEIGHTS = 0.002
"""Joints whose local place changes by more than this are placed by the network and not by kinematics."""
REST_FROUDE = 0.22
"""Speed v / sqrt(g h) above which an animal is not yet told to rest, but to slow down: 0.5 m/s for a dog."""
AIRBORNE_SHARE = 0.1
"""An action is a jump, which goes on ahead, if no foot is down in so large a share of the frames that show it."""

ARRAYS: dict[str, tuple[type, int]] = {
    "joints": (np.float32, 2),
    "place": (np.complex64, 1),
    "yaw": (np.float32, 1),
    "velocity": (np.complex64, 1),
    "contacts": (np.bool_, 2),
    "label": (np.int8, 1),
    "wanted_speed": (np.float32, 1),
    "heading": (np.float32, 1),
    "facing": (np.float32, 1),
    "gait": (np.int8, 1),
    "teaches": (np.bool_, 1),
}
"""What is kept of every frame, and its number of axes. Places and yaws are those of the ground track, from the first
frame of each clip; velocities are in the animal's own axes. Wanted speeds, headings and facings are what was told, in
the world; a facing is NaN where it is along the heading. Frames that do not teach are never what a network shall
do, only what it may come from."""

ABOUT = "about.json"
Progress = Callable[[int, int], None]
Allocate = Callable[[str, type, tuple[int, ...]], np.ndarray]
"""An empty array of that name, kind and shape."""


@dataclass(frozen=True, eq=False)
class DataSet:
    """Frames of all clips, one after another; clip k has the frames `starts[k]` to `starts[k + 1]`.

    `held` are clips kept back for validation. `jumps` are the labels that go on ahead; `speeds` the range of each gait
    in metres a second. `about` says what it was made of.
    """

    layout: Layout
    frame_rate: float
    starts: Ints
    held: Bools
    arrays: dict[str, np.ndarray]
    gaits: tuple[str, ...]
    jumps: tuple[str, ...]
    hip_height: float
    about: dict[str, Any]

    def __len__(self) -> int:
        return int(self.starts[-1])

    @property
    def rest_speed(self) -> float:
        """Metres a second above which nobody is told to rest."""
        return rest_speed(self.hip_height)

    @cached_property
    def clip_of(self) -> Ints:
        """The clip of each frame `(T,)`."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts)).astype(np.int32)


def rest_speed(hip_height: float) -> float:
    """Metres a second above which an animal is not told to rest, but to slow down."""
    return REST_FROUDE * float(np.sqrt(GRAVITY * hip_height))


def label_names(takes: Takes) -> tuple[str, ...]:
    """The labels of takes: idling and locomotion first, then actions in their order."""
    seen = set(takes.seconds)
    actions = [name for name in takes.actions if name in seen and name != IDLE]
    others = sorted(seen - {IDLE, LOCOMOTION, DISTURBED, *actions})
    return (IDLE, LOCOMOTION, *actions, *others)


def told_per_frame(take: Take, labels: Sequence[str]) -> Ints:
    """The number of the label of each frame `(T,)`; locomotion where there is none."""
    result = np.ones(len(take.motion), np.int64)
    for number, name in enumerate(labels):
        result[take.shows(name)] = number
    return result


def without_haste(told: Ints, speed: Floats, jumps: Bools, limit: float) -> Ints:
    """Labels `(...)` in which nobody who goes faster than `limit` is told to rest: that one shall slow down first.

    `jumps (A,)` are the labels that go on ahead.
    """
    result: Ints = functions_of(speed).where((speed > limit) & ~jumps[told], 1, told)
    return result


def make_dataset(
    takes: Takes,
    *,
    validation: float = 0.1,
    seed: int = 0,
    mirrored: bool | None = None,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> DataSet:
    """Takes as frames, and their mirror images with `mirrored`; `validation` is the share of takes held back.

    Unless it is said, takes are mirrored if they were not improvised: an animal that improvises turns both ways anyway,
    and it starts from a stand with one leg, of which the mirror image would make two, and their mean a bound.
    With a `folder`, arrays are kept there under a hash of what they are made of, and read again next time.
    """
    total = sum(take.motion.seconds for take in takes.takes)
    if total < MIN_SECONDS:
        raise ValueError(
            f"{total:.1f} s of motion are too little to learn from, {MIN_SECONDS:g} s are needed; add clips, or let an "
            "animal improvise for longer"
        )
    for take in takes.takes:
        if len(take.motion) < 2:
            raise ValueError(f"take {take.name!r} has one frame and shows no motion; leave it out")
        if not (np.isfinite(take.motion.positions).all() and np.isfinite(take.motion.rotations).all()):
            raise ValueError(f"take {take.name!r} has numbers that are not finite; clean or leave it out")
    rates = {take.motion.frame_rate for take in takes.takes}
    if len(rates) > 1:
        raise ValueError(f"takes have frame rates of {', '.join(f'{r:g}' for r in sorted(rates))}; resample them alike")
    if mirrored is None:
        mirrored = takes.provenance.get("made_by") != "improvise"
    key = _hash(takes, f"{FORMAT} {validation} {seed} {mirrored} {takes.character.name}")
    if folder is not None and (folder / key / ABOUT).is_file():
        return read_dataset(folder / key)
    about = {
        "hash": key,
        "character": takes.character.name,
        "minutes": total / 60,
        "mirrored": mirrored,
        "provenance": dict(takes.provenance),
    }
    held = _held_back(len(takes.takes), validation, seed)
    if folder is None:
        return _fill(takes, held, mirrored, about, lambda name, kind, shape: np.empty(shape, kind), progress)
    with _new_folder(folder / key) as part:

        def mapped(name: str, kind: type, shape: tuple[int, ...]) -> np.ndarray:
            return np.lib.format.open_memmap(part / f"{name}.npy", "w+", kind, shape)

        dataset = _fill(takes, held, mirrored, about, mapped, progress)
        (part / ABOUT).write_text(json.dumps(_about(dataset)), "utf-8")
    return read_dataset(folder / key)


def _held_back(count: int, validation: float, seed: int) -> Bools:
    """Which of so many takes are held back `(count,)`: none of very few, else at least one."""
    held = np.zeros(count, bool)
    if validation > 0 and count > 2:
        held[np.random.default_rng(seed).permutation(count)[: max(round(validation * count), 1)]] = True
    return held


def _fill(
    takes: Takes, held: Bools, mirrored: bool, about: dict[str, Any], allocate: Allocate, progress: Progress | None
) -> DataSet:
    """Frames of takes, take by take, in arrays that `allocate` makes, on disk or not."""
    anatomy, names = takes.character.anatomy, takes.character.skeleton.names
    labels = label_names(takes)
    layout = Layout(make_body(takes.character.skeleton, anatomy, *_offsets(takes, anatomy)), labels)
    columns, jumps = [names.index(name) for name in layout.body.names], _jumps(takes, labels)
    goes_on, limit = np.isin(labels, jumps), rest_speed(anatomy.hip_height)
    lengths = np.repeat([len(take.motion) for take in takes.takes], 1 + mirrored)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    widths = {"joints": (12 * len(layout.body),), "contacts": (len(anatomy.legs),)}
    arrays = {
        name: allocate(name, kind, (int(starts[-1]), *widths.get(name, ()))) for name, (kind, _) in ARRAYS.items()
    }
    symmetrical = most_symmetrical(takes.takes[0].motion, anatomy.mirror)
    for k, take in enumerate(takes.takes):
        told = told_per_frame(take, labels)
        # A command stands beside the frame that it made: the one before it is shown it a frame late, which is accepted.
        commands = told_in(take, anatomy, goes_on[told], limit)
        images = [(take.motion, list(range(len(anatomy.legs))))]
        if mirrored:
            images.append((mirror(take.motion, anatomy.mirror, reference=symmetrical), anatomy.partners))
        for image, (motion, legs) in enumerate(images):
            frames = clip_features(motion, anatomy, columns)
            frames["label"] = without_haste(told, np.abs(frames["velocity"]), goes_on, limit)
            frames["gait"], frames["contacts"] = take.gait, take.contacts[:, legs]
            side = -1 if image else 1
            frames["wanted_speed"] = commands.speed
            frames["heading"], frames["facing"] = side * commands.heading, side * commands.facing
            frames["teaches"] = ~take.shows(DISTURBED)
            start = starts[k * len(images) + image]
            for name, values in arrays.items():
                values[start : start + len(motion)] = frames[name]
        if progress is not None:
            progress(k + 1, len(takes.takes))
    return DataSet(
        layout,
        takes.takes[0].motion.frame_rate,
        starts,
        np.repeat(held, 1 + mirrored),
        arrays,
        takes.gaits,
        jumps,
        anatomy.hip_height,
        about,
    )


def clip_features(motion: Motion, anatomy: Anatomy, joints: Sequence[int]) -> dict[str, np.ndarray]:
    """Joints seen from the ground track, and the track: `joints (T, 12 J)`, `place`, `yaw` and `velocity (T,)`."""
    track = ground_track(motion, anatomy)
    place = track.positions[:, 1] + 1j * track.positions[:, 0]
    yaw, rate = track.facings, motion.frame_rate
    positions, rotations = forward(
        motion.skeleton, motion.positions.astype(np.float64), motion.rotations.astype(np.float64)
    )
    seen = joint_features(positions[:, joints], rotations[:, joints], place, yaw, rate)
    velocity = np.gradient(place) * rate * np.exp(-1j * yaw)
    return {"joints": seen, "place": place - place[0], "yaw": yaw, "velocity": velocity}


def _offsets(takes: Takes, anatomy: Anatomy) -> tuple[Floats, Bools]:
    """The mean local place of every joint `(J, 3)`, and which of them change `(J,)`."""
    every = [take.motion.positions[::10] for take in takes.takes]
    low, high = (np.min([f(x, axis=0) for x in every], axis=0) for f in (np.min, lambda x, axis: -np.max(x, axis=axis)))
    mean = np.mean([x.mean(axis=0) for x in every], axis=0)
    return mean, (-high - low).max(axis=-1) > TRANSLATED_HIP_HEIGHTS * anatomy.hip_height


def _jumps(takes: Takes, labels: Sequence[str]) -> tuple[str, ...]:
    """Locomotion, and labels that are in the air for a good part of the time: they keep their speed."""
    found = [LOCOMOTION]
    for name in labels[2:]:
        if name not in takes.gaits:
            continue
        shown = [~take.contacts[take.gait == takes.gaits.index(name)].any(axis=1) for take in takes.takes]
        if np.concatenate([*shown, np.zeros(1, bool)]).mean() > AIRBORNE_SHARE:
            found.append(name)
    return tuple(found)


# On disk -----------------------------------------------------------------------------------------


def _hash(takes: Takes, options: str) -> str:
    digest = hashlib.sha256(options.encode())
    for take in takes.takes:
        told = (take.commands[name] for name in Told._fields)
        for array in (take.motion.positions, take.motion.rotations, take.contacts, take.gait, *told):
            digest.update(np.ascontiguousarray(array).tobytes())
        digest.update(repr(take.labels).encode())
    return digest.hexdigest()[:16]


def write_dataset(dataset: DataSet, folder: Path) -> None:
    """Writes a data set into a new folder."""
    with _new_folder(folder) as part:
        for key, values in dataset.arrays.items():
            np.save(part / f"{key}.npy", values)
        (part / ABOUT).write_text(json.dumps(_about(dataset)), "utf-8")


@contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """A folder to write into that gets its name when all is written."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as name:
        part = Path(name) / "part"
        part.mkdir()
        yield part
        if folder.exists():
            shutil.rmtree(folder)
        part.rename(folder)


def _about(dataset: DataSet) -> dict[str, Any]:
    body = dataset.layout.body
    return {
        "format": FORMAT,
        "frame_rate": dataset.frame_rate,
        "starts": dataset.starts.tolist(),
        "held": dataset.held.tolist(),
        "gaits": dataset.gaits,
        "jumps": dataset.jumps,
        "hip_height": dataset.hip_height,
        "about": dataset.about,
        "labels": dataset.layout.labels,
        "body": body_fields(body),
    }


def body_fields(body: Body) -> dict[str, Any]:
    """A body as plain values."""
    return {
        "names": list(body.names),
        "parents": body.parents.tolist(),
        "offsets": body.offsets.astype(float).tolist(),
        "free": body.free.tolist(),
        "feet": list(body.feet),
    }


def body_of(fields: dict[str, Any]) -> Body:
    """A body from `body_fields`."""
    return Body(
        tuple(fields["names"]),
        np.array(fields["parents"], np.int64),
        np.array(fields["offsets"], np.float32).reshape(-1, 3),
        np.array(fields["free"], bool),
        tuple(fields["feet"]),
    )


def read_dataset(folder: Path) -> DataSet:
    """A data set from its folder; its arrays are mapped, not loaded."""
    fields = json.loads((folder / ABOUT).read_text("utf-8"))
    arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in ARRAYS}
    return DataSet(
        Layout(body_of(fields["body"]), tuple(fields["labels"])),
        fields["frame_rate"],
        np.array(fields["starts"]),
        np.array(fields["held"], bool),
        arrays,
        tuple(fields["gaits"]),
        tuple(fields["jumps"]),
        fields["hip_height"],
        fields["about"],
    )


# What is in it -----------------------------------------------------------------------------------


def breakdown(dataset: DataSet) -> Iterator[tuple[str, float, int, float]]:
    """Label, seconds, frames and share of all, for every label (MANN, Table 1)."""
    counts = np.bincount(dataset.arrays["label"], minlength=len(dataset.layout.labels))
    for name, frames in zip(dataset.layout.labels, counts.tolist(), strict=True):
        yield name, frames / dataset.frame_rate, frames, frames / max(len(dataset), 1)
