"""How much of everything the studio grants, in one place: nobody at a page can use up the machine."""

from __future__ import annotations

from dataclasses import dataclass

RATE = 60.0
"""Frames a second of a stage."""


class Refused(ValueError):
    """What a viewer asked for cannot be; the words are for the person at the page."""


@dataclass(frozen=True)
class Limits:
    """Counts, seconds and bytes."""

    stages: int = 32
    viewers: int = 64
    actors: int = 8
    message_bytes: int = 64 * 1024
    messages_a_second: float = 240.0
    dropped_messages: int = 2000
    """So many dropped messages in a row close the connection."""
    path_points: int = 1000
    texts_waiting: int = 512
    """Messages that wait for one viewer; more, and nobody is there any more."""
    quiet_seconds: float = 2.0
    """After so long without any news a viewer is told that the connection stands."""
    idle_seconds: float = 5.0
    """A stage that nobody watches stops after this,"""
    forgotten_seconds: float = 600.0
    """and is forgotten after this."""
    recording_seconds: float = 600.0
    recording_bytes: int = 1 << 30
    """Of all recordings together."""
    gif_seconds: float = 20.0
    upload_bytes: int = 64 * 1000 * 1000
    upload_files: int = 40
    uploads_kept: int = 24
    builds_waiting: int = 4
    build_seconds: float = 120.0
    build_bytes: int = 3 << 30
    unasked_seconds: float = 30.0
    """A build that nobody has asked about for so long is given up."""
