"""Takes: motions with what was commanded and what happened in every frame, and where they come from.

Improvising, recording a ride and reading a folder of capture all give takes; networks and physics learn from them. A
`.takes` file is a zip of `character.json`, arrays and one `labels.csv` per take; nothing in it is pickled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from canter.anatomy import Character
from canter.anatomy.character_file import about_character, without_clips
from canter.control.batch import NO_ACTION, BatchCommand, BatchState
from canter.formats.archive import Archive
from canter.formats.canter_file import unpack, write_file
from canter.formats.files import load_bytes
from canter.formats.json_fields import Fields
from canter.formats.labels import MAX_LABEL_BYTES, Label, format_labels, parse_labels
from canter.motion import Asset, Motion
from canter.motion.arrays import Bools, Floats, Ints

SUFFIX = ".takes"
MAX_NAMES = 1000
COMMANDS = {"speed": (), "heading": (), "facing": (), "goal_position": (3,), "goal_facing": (), "goal_seconds": ()}
"""Numbers of a command in every frame, and their shapes; NaN where it has none."""


@dataclass(frozen=True, eq=False)
class Take:
    """One motion of T frames with `contacts (T, L)`, the number of the `gait (T,)` in the takes' `gaits`, what was
    commanded (`commands` by the names of `COMMANDS`, each `(T, ...)`; `action` and `goal_action (T,)` by number in the
    takes' `actions`, -1 for none), labels, and telemetry `(T, ...)` by name."""

    motion: Motion
    contacts: Bools
    gait: Ints
    commands: Mapping[str, Floats]
    action: Ints
    goal_action: Ints
    labels: tuple[Label, ...] = ()
    telemetry: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.motion.name

    def shows(self, label: str) -> Bools:
        """The frames `(T,)` with a label."""
        time = (np.arange(len(self.motion)) + 0.5) / self.motion.frame_rate
        result = np.zeros(len(time), bool)
        for one in self.labels:
            if one.name == label:
                result |= (time >= one.start) & (time < one.end)
        return result


@dataclass(frozen=True, eq=False)
class Takes:
    """Takes of one character (which has no clips here); `provenance` says where they come from, in plain values."""

    character: Character
    takes: tuple[Take, ...]
    gaits: tuple[str, ...]
    actions: tuple[str, ...]
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> dict[str, float]:
        """How long each label is shown in all takes."""
        result: dict[str, float] = {}
        for take in self.takes:
            for label in take.labels:
                result[label.name] = result.get(label.name, 0.0) + label.end - label.start
        return result

    @property
    def motions(self) -> tuple[Motion, ...]:
        return tuple(take.motion for take in self.takes)


# From a ride of a batch --------------------------------------------------------------------------


class Recorder:
    """Keeps what a batch controller is commanded and does, frame by frame, and makes takes of it."""

    def __init__(self, character: Character, actions: Sequence[str], telemetry: Sequence[str] = ()) -> None:
        self._character, self._actions, self._telemetry = character, tuple(actions), tuple(telemetry)
        self._kept: dict[str, list[np.ndarray]] = {}
        self._gaits: tuple[str, ...] = ()

    def record(self, command: BatchCommand, state: BatchState) -> None:
        """Adds a frame."""
        numbers = {name: k for k, name in enumerate(self._actions)}
        goals = {name: np.full((len(state), *shape), np.nan) for name, shape in COMMANDS.items() if "goal" in name}
        goal_action = np.full(len(state), NO_ACTION, np.int16)
        for row, goal in command.goals.items():
            if goal.position is not None:
                place = goal.position if len(goal.position) == 3 else (goal.position[0], 0.0, goal.position[1])
                goals["goal_position"][row] = place
            goals["goal_facing"][row] = np.nan if goal.facing is None else goal.facing
            goals["goal_seconds"][row] = np.nan if goal.seconds is None else goal.seconds
            goal_action[row] = numbers.get(goal.action or "", NO_ACTION)
        frame = {
            "positions": state.positions,
            "rotations": state.rotations,
            "contacts": state.contacts,
            "gait": state.gait.astype(np.int16),
            "speed": command.speed,
            "heading": command.heading,
            "facing": command.facing,
            "action": command.action.astype(np.int16),
            "goal_action": goal_action,
            **goals,
            **{f"telemetry.{name}": state.telemetry[name] for name in self._telemetry if name in state.telemetry},
        }
        for name, values in frame.items():
            values = values.astype(np.float32) if values.dtype.kind == "f" else values
            self._kept.setdefault(name, []).append(values)
        self._gaits = state.gait_names

    def takes(
        self,
        frame_rate: float,
        labels: Sequence[Sequence[Label]] | None = None,
        name: str = "take",
        provenance: Mapping[str, Any] | None = None,
    ) -> Takes:
        """A take for every animal of the batch, with its labels."""
        stacked = {key: np.stack(values, axis=1) for key, values in self._kept.items()}
        if not stacked:
            raise ValueError("nothing was recorded yet")
        skeleton, count = self._character.skeleton, len(stacked["gait"])
        takes = []
        for row in range(count):
            mine = {key: values[row] for key, values in stacked.items()}
            motion = Motion(skeleton, frame_rate, mine["positions"], mine["rotations"], f"{name} {row + 1}")
            takes.append(
                Take(
                    motion,
                    mine["contacts"],
                    mine["gait"],
                    {key: mine[key] for key in COMMANDS},
                    mine["action"],
                    mine["goal_action"],
                    tuple(labels[row]) if labels is not None else (),
                    {key.removeprefix("telemetry."): mine[key] for key in mine if key.startswith("telemetry.")},
                )
            )
        bare = replace(self._character, clips=(), actions=())
        return Takes(bare, tuple(takes), self._gaits, self._actions, dict(provenance or {}))


# Takes as one file -------------------------------------------------------------------------------


def write_takes(takes: Takes, path: str | Path) -> None:
    """Writes a `.takes` file, under a temporary name first."""
    path = Path(path)
    arrays: dict[str, bytes | np.ndarray] = {}
    notes = []
    for k, take in enumerate(takes.takes):
        values = {"contacts": take.contacts, "gait": take.gait, "action": take.action, **take.commands}
        values["goal_action"] = take.goal_action
        values |= {f"telemetry.{name}": values for name, values in take.telemetry.items()}
        arrays |= {_member(k, name): array for name, array in values.items()}
        arrays[_labels_member(k)] = format_labels(take.labels).encode("utf-8")
        notes.append({"telemetry": {name: list(x.shape[1:]) for name, x in take.telemetry.items()}})
    document = {
        **about_character(takes.character),
        "gaits": list(takes.gaits),
        "actions": list(takes.actions),
        "provenance": dict(takes.provenance),
        "clips": notes,
    }
    asset = Asset(takes.character.skeleton, takes.motions, takes.character.skins, metres_per_unit=1.0)
    write_file(asset, document, arrays, path)


def read_takes(path: str | Path) -> Takes:
    """The takes of a `.takes` file."""
    path = Path(path)
    asset, fields, archive = unpack(load_bytes(path, SUFFIX), path)
    character = without_clips(asset, fields, path)
    gaits, actions = fields.texts("gaits", MAX_NAMES), fields.texts("actions", MAX_NAMES)
    legs = len(character.anatomy.legs)
    rows = fields.parts("clips", len(asset.clips))
    takes = tuple(
        _read_take(k, motion, row, archive, (legs, len(gaits), len(actions)))
        for k, (motion, row) in enumerate(zip(asset.clips, rows, strict=True))
    )
    provenance = fields.table.get("provenance")
    return Takes(character, takes, gaits, actions, provenance if isinstance(provenance, dict) else {})


def _read_take(number: int, motion: Motion, fields: Fields, archive: Archive, sizes: tuple[int, int, int]) -> Take:
    frames, (legs, gaits, actions) = len(motion), sizes
    commands = {name: archive.array(_member(number, name), (frames, *shape), "f") for name, shape in COMMANDS.items()}
    whole = {name: archive.array(_member(number, name), (frames,), "i") for name in ("gait", "action", "goal_action")}
    for name, low, high in (("gait", 0, gaits), ("action", NO_ACTION, actions), ("goal_action", NO_ACTION, actions)):
        if frames and not (low <= int(whole[name].min()) and int(whole[name].max()) < high):
            raise archive.error(_member(number, name), "a number has no name")
    telemetry = {}
    shapes = fields.table.get("telemetry", {})
    for name, shape in shapes.items() if isinstance(shapes, dict) else ():
        sized = isinstance(shape, list) and all(isinstance(n, int) and 0 <= n <= MAX_NAMES for n in shape)
        if not sized:
            raise archive.error("telemetry", f"{name!r} has no shape")
        telemetry[str(name)] = archive.array(_member(number, f"telemetry.{name}"), (frames, *shape), "f")
    text = archive.bytes(_labels_member(number), MAX_LABEL_BYTES).decode("utf-8", "replace")
    contacts = archive.array(_member(number, "contacts"), (frames, legs), "b")
    labels = parse_labels(text, archive.path)
    return Take(motion, contacts, whole["gait"], commands, whole["action"], whole["goal_action"], labels, telemetry)


def _member(number: int, name: str) -> str:
    return f"takes/{number:03d}.{name}.npy"


def _labels_member(number: int) -> str:
    return f"takes/{number:03d}.labels.csv"
