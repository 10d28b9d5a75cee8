"""What an action is: tracks of numbers over time, from which the engine makes the motion.

A track is written "second:value second:value ...", and runs smoothly through its values. Lengths are in hip heights,
angles in degrees, both against standing, so that 0 at the first and last key begins and ends in the standing pose.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from canter.animals.generator.waves import points

Track = str
"""Values over time as "0:0 .4:12 .9:10"; empty is 0 throughout."""


@dataclass(frozen=True)
class Step:
    """One foot goes to another foothold, `out` (away from the middle) and `forward` of where it stood at first."""

    lift: float
    land: float
    forward: float = 0.0
    out: float = 0.0
    height: float = 0.12


@dataclass(frozen=True)
class LegMoves:
    """What one leg does: it stands on footholds that it steps between, or is carried where its bends put it.

    `carried` is 0 where the foot stands and 1 where the leg hangs from the body. `bends` are tracks by joint, in
    degrees more bent than standing: where the foot stands only their ratio counts, because the leg must reach it.
    Besides the joints there are "aim" (the upper arm or thigh of a carried leg forward against the trunk), "scapula"
    (its lower end forward against the chest), "splay" (elbow or stifle outward), "foot" (the heel raised over the
    standing toe, which rolls) and "hang" (the toe of a carried foot forward against the leg).
    """

    steps: tuple[Step, ...] = ()
    carried: Track = ""
    bends: dict[str, Track] = field(default_factory=dict)

    def later(self, seconds: float, *steps: Step) -> LegMoves:
        """The same moves that much later, for the other leg of a pair; where `steps` are given, they are its own."""
        return replace(
            self,
            steps=steps or tuple(replace(s, lift=s.lift + seconds, land=s.land + seconds) for s in self.steps),
            carried=_later(self.carried, seconds),
            bends={joint: _later(track, seconds) for joint, track in self.bends.items()},
        )


def _later(track: Track, seconds: float) -> Track:
    return " ".join(f"{at + seconds:.9g}:{value:.9g}" for at, value in points(track))


@dataclass(frozen=True)
class Hum:
    """What goes on by itself while an action is held: noise of a deviation, between two frequencies in Hz."""

    channel: str
    size: float
    low: float = 0.1
    high: float = 0.4


@dataclass(frozen=True)
class ActionRow:
    """One action of one animal, from standing to standing.

    `forward`, `height` and `sway` move the first joint of the spine, `pitch` (nose up) and `roll` turn the trunk there,
    `flexion` rounds the spine and `bend` bends it to the left. `neck`, `head` and `tail` are raised against the
    world and not against the trunk; `look` turns the head to the left, `tilt` tilts it. `curl` raises the tip of the
    tail more than its base, `wrap` lays it round to the right. `flight` is the time in
    which no foot is down and the animal falls freely.
    """

    name: str
    seconds: float
    legs: tuple[LegMoves, LegMoves, LegMoves, LegMoves]
    hold: tuple[float, float] | None = None
    flight: tuple[float, float] | None = None
    soft: float = 0.1
    """Seconds before and after a key within which corners are rounded."""
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
    hums: tuple[Hum, ...] = ()
