"""The table format of actions: tracks of keys over time, from which `generator.actions` makes the motion.

A track is written "second:value second:value ..." and interpolated smoothly. Lengths are in hip heights and angles in
degrees, both relative to standing, so that 0 at the first and last key begins and ends in the standing pose.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from canter.animals.generator.waves import points

Track = str
"""Keys as "second:value", such as "0:0 .4:12 .9:10"; an empty track is 0 throughout."""


@dataclass(frozen=True)
class Step:
    """One foot steps to another foothold between the seconds `lift` and `land`.

    The new foothold is `forward` and `out` (away from the midline) of where the foot stood at the start of the action;
    `height` is how high the toe is lifted in between. All three are in hip heights.
    """

    lift: float
    land: float
    forward: float = 0.0
    out: float = 0.0
    height: float = 0.12


@dataclass(frozen=True)
class LegMoves:
    """What one leg does: it stands on footholds and steps between them, or is carried in the air.

    `carried` is 0 where the foot stands and 1 where the leg hangs from the body. `bends` are tracks by the joint's
    role, in degrees more bent than standing; where the foot stands only their ratio counts, because the leg must reach
    it. Besides the joints there are "aim" (upper arm or thigh of a carried leg forward, relative to the trunk),
    "scapula" (its lower end forward, relative to the chest), "splay" (elbow or stifle outward), "foot" (heel raised
    while the toe stands) and "hang" (toe of a carried foot forward, relative to the leg).
    """

    steps: tuple[Step, ...] = ()
    carried: Track = ""
    bends: dict[str, Track] = field(default_factory=dict)

    def later(self, seconds: float, *steps: Step) -> LegMoves:
        """The same moves `seconds` later, for the other leg of a pair; `steps`, if given, replace the delayed ones."""
        return replace(
            self,
            steps=steps or tuple(replace(s, lift=s.lift + seconds, land=s.land + seconds) for s in self.steps),
            carried=_delayed(self.carried, seconds),
            bends={joint: _delayed(track, seconds) for joint, track in self.bends.items()},
        )


def _delayed(track: Track, seconds: float) -> Track:
    return " ".join(f"{at + seconds:.9g}:{value:.9g}" for at, value in points(track))


@dataclass(frozen=True)
class HoldNoise:
    """Noise on one channel while an action is held, so that the animal does not freeze.

    `channel` is a track of `ActionRow`, `size` the standard deviation in the track's unit, `low` and `high` the band in
    Hz.
    """

    channel: str
    size: float
    low: float = 0.1
    high: float = 0.4


@dataclass(frozen=True)
class ActionRow:
    """One action of one animal; it takes `seconds` and begins and ends standing.

    The time from `hold[0]` to `hold[1]` is a loop that may be repeated; `flight` is the time in which no foot is down
    and the centre of mass falls freely. Tracks: `forward`, `height` and `sway` (left) move the first joint of the
    spine; `pitch` (nose up) and `roll` turn the trunk there; `flexion` rounds the spine, `bend` bends it to the left.
    `neck`, `head` and `tail` are raised relative to the world, not to the trunk; `look` turns the head to the left,
    `tilt` rolls it. `curl` raises the tip of the tail more than its base, `wag` and `wrap` swing the tail to the right,
    `wrap` mostly its tip. `ears` turns the ears back.
    """

    name: str
    seconds: float
    legs: tuple[LegMoves, LegMoves, LegMoves, LegMoves]
    hold: tuple[float, float] | None = None
    flight: tuple[float, float] | None = None
    soft: float = 0.1
    """Seconds before and after a key within which the curve is smoothed."""
    forward: Track = ""
    height: Track = ""
    sway: Track = ""
    pitch: Track = ""
    roll: Track = ""
    flexion: Track = ""
    bend: Track = ""
    neck: Track = ""
    head: Track = ""
    look: Track = ""
    tilt: Track = ""
    tail: Track = ""
    curl: Track = ""
    wag: Track = ""
    wrap: Track = ""
    ears: Track = ""
    hold_noise: tuple[HoldNoise, ...] = ()
