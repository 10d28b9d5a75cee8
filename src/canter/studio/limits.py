"""All limits of the studio in one place, so that nobody at a page can use up the machine."""

from __future__ import annotations

from dataclasses import dataclass

FRAME_RATE = 60.0
"""Frames a second of a stage."""


class Refused(ValueError):
    """A request that cannot be fulfilled; the text is shown to the person at the page."""


class Missing(Refused):
    """Something that is not there; answered with status 404."""


class Full(Refused):
    """There is no room for more; answered with status 507."""


@dataclass(frozen=True)
class Limits:
    """Counts, seconds and bytes."""

    stages: int = 32
    viewers: int = 64
    actors: int = 8
    """On one stage."""
    message_bytes: int = 64 * 1024
    messages_per_second: float = 240.0
    """Of one viewer; more are dropped."""
    dropped_messages: int = 2000
    """A viewer with more dropped messages than this, less those accepted since, is disconnected."""
    path_points: int = 1000
    queued_texts: int = 512
    """Unsent messages of one viewer; one with more is disconnected."""
    keepalive_seconds: float = 2.0
    """A viewer to whom nothing was sent for this long gets an `alive` message."""
    idle_seconds: float = 5.0
    """A stage without viewers stops its clock after this."""
    stage_lifetime_seconds: float = 600.0
    """A stage without viewers is deleted after this."""
    recording_seconds: float = 600.0
    recording_bytes: int = 1 << 30
    """Of all recordings together."""
    gif_seconds: float = 20.0
    upload_bytes: int = 64 * 1000 * 1000
    """Of one upload; docs/studio.md and docs/studio_wire.md mention it."""
    upload_files: int = 40
    stored_uploads: int = 200
    """Animals that are kept; one more is refused, and none is ever deleted to make room."""
    stored_bytes: int = 8 * 1000**3
    """Of all that are kept; an upload that would begin beyond it is refused."""
    finished_jobs: int = 24
    """Builds whose state can still be asked for, with the files of those that failed."""
    queued_builds: int = 4
    build_seconds: float = 120.0
    build_bytes: int = 3 << 30
    """Memory of the child process that builds."""
    poll_seconds: float = 30.0
    """A build whose state nobody has asked for in this time is cancelled."""
