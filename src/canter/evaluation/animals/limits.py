"""Limits that every generated motion must keep, whatever the animal: the goals shared by the rows of this topic."""

from __future__ import annotations

MAX_STANCE_SLIP_CM = 0.3
"""How far a standing foot may move."""
MAX_PENETRATION_CM = 0.2
"""How deep a joint may be below the ground."""
MAX_LOOP_GAP = 1e-9
"""Metres or radians by which a loop may fail to close."""
MAX_ACCELERATION_RATIO = 3.0
"""A segment's peak angular acceleration over its 95th percentile: more is a pop."""
MAX_SKATING_CM = 0.3
"""Skating in cm per frame (MANN's measure) where no real animal was measured."""
MAX_STANDING_SKATING_CM = 0.03
"""The same for standing, as of a real dog that stands."""
GRAVITY_TOLERANCE = 0.2
"""The relative error that the vertical acceleration in flight may have."""
MIN_BEND_DEG = -3.0
"""Flexion of elbows, stifles and hocks of a fitted rig; a negative one bends the wrong way."""
