"""Takes from clips: what a folder of capture shows, with contacts, gaits and labels as they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from canter.anatomy import Character, Clip
from canter.control.batch import NO_ACTION
from canter.control.improvise import DISTURBED, IDLE, LOCOMOTION
from canter.control.takes import COMMANDS, Take, Takes
from canter.formats.labels import Label
from canter.motion.edits import resample

STILL = {"stand": IDLE, IDLE: IDLE}
"""Spans of a take in which the animal is at rest, and what that is called."""
NAMES = STILL | {"other": DISTURBED}
"""What else than locomotion is called otherwise: what an animal does on something that was not captured, like a table,
teaches nothing about the ground."""
ACTIONS = ("sit", "lie", "jump")
"""Spans that are actions by themselves; labels beside a take may name others."""


def captured_takes(character: Character, frame_rate: float = 60.0, actions: Sequence[str] = ACTIONS) -> Takes:
    """The clips of a character as takes at one frame rate. Spans become labels: rest, actions, and locomotion for all
    gaits; the gait of a frame is that of its span. Nobody was told anything: commands are empty."""
    gaits: list[str] = []
    found: list[str] = []
    made = [_take(clip, frame_rate, actions, gaits, found) for clip in character.clips]
    about = {"made_by": "capture", "clips": [clip.name for clip in character.clips]}
    return Takes(replace(character, clips=(), actions=()), tuple(made), tuple(gaits), tuple(found), about)


def _take(clip: Clip, frame_rate: float, actions: Sequence[str], gaits: list[str], found: list[str]) -> Take:
    motion = resample(clip.motion, frame_rate)
    count = len(motion)
    source = np.minimum(
        np.rint(np.arange(count) * clip.motion.frame_rate / frame_rate).astype(int), len(clip.motion) - 1
    )
    gait, labels = np.zeros(count, np.int64), []
    for span in clip.footfalls.spans:
        if span.label not in gaits:
            gaits.append(span.label)
        gait[int(span.start * frame_rate) : int(np.ceil(span.end * frame_rate))] = gaits.index(span.label)
        name = NAMES.get(span.label, span.label if span.label in actions else LOCOMOTION)
        if name in actions and name not in found:
            found.append(name)
        labels.append(Label(span.start, span.end, name))
    nothing = np.full(count, NO_ACTION, np.int64)
    commands = {name: np.full((count, *shape), np.nan, np.float32) for name, shape in COMMANDS.items()}
    return Take(motion, clip.footfalls.contacts[source], gait, commands, nothing, nothing, tuple(labels))
