"""Joint speed limits: how fast joints may rotate, from how fast they do in the clips."""

from __future__ import annotations

import numpy as np

from canter.motion import rotations as rot
from canter.motion.arrays import Floats

MAX_SPEED_RATIO, ALWAYS_ALLOWED = 1.45, np.radians(87)
"""Times the speed of a joint in its clips that it may have, and radians a second that it may always have."""


def max_joint_steps(fastest: Floats, frame_rate: float) -> Floats:
    """Radians that joints may rotate by in a frame, from their greatest speeds in the clips `(..., J)` in rad/s."""
    result: Floats = np.maximum(MAX_SPEED_RATIO * fastest, ALWAYS_ALLOWED) / frame_rate
    return result


def filtered(before: Floats, wanted: Floats, max_steps: Floats) -> Floats:
    """Rotations `(..., J, 4)` on the way from those before to those wanted, by `max_steps (J,)` radians at most."""
    way = rot.log(rot.multiply(rot.conjugate(before), wanted))
    angle = np.linalg.norm(way, axis=-1, keepdims=True)
    share = np.minimum(max_steps[..., None] / np.maximum(angle, 1e-9), 1.0)
    if share.min() >= 1:
        return wanted
    return np.where(share < 1, rot.multiply(before, rot.exp(way * share)), wanted)
