"""Animals that somebody else made: whatever lies in the folder of recordings is built and driven as the shipped are.

Files of a folder that share a skeleton are one animal, as for `canter build`. Hand-keyed clips slide and sink
themselves; the ride may do so no more than the cleanest stride that it was made from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from canter.anatomy import Character, detect, understand
from canter.anatomy.canonical import corrected
from canter.anatomy.join import by_skeleton, join
from canter.cleaning.loop_cuts import STEADY_GAITS
from canter.cycles.build.built import Built
from canter.cycles.build.drivable import drivable
from canter.cycles.gaits.batch import BatchGaits
from canter.cycles.gaits.root import MAX_ACCELERATION_G
from canter.evaluation import Options
from canter.evaluation.cycles.figures import RATE, Ride, ride, stride_seconds
from canter.evaluation.cycles.limbs import limb_rows
from canter.evaluation.report import Row, skipped
from canter.evaluation.rigs.topic import files_in
from canter.formats import read
from canter.motion import Asset, metrics
from canter.motion.arrays import Floats, Ints
from canter.motion.constants import GRAVITY

COUNT = 12
"""Speeds over the range of an animal."""
SPEED, HEADING = 2.0, 2.0
"""Per cent of the command, degrees."""
SLIP, OWN_SLIP, DEPTH = 0.5, 1.2, 1.0
"""Per cent of hip height, times the slip of the clips themselves, per cent of hip height."""
STARTING, WATCHED, TURNING = 3.0, 3, 5.0
"""Strides until the speed must be right, strides over which it is measured, seconds to turn by up to 90 degrees."""
QUICK = 3
"""Files of a folder that are looked at in a hurry."""
AHEAD = frozenset(STEADY_GAITS) - {"backward", "side", "turn"}


def stranger_rows(options: Options) -> Iterator[Row]:
    if options.data is None:
        yield skipped("animals of strangers", "CANTER_DATA is not set")
        return
    for title, character in strangers(options.data, options.quick):
        options.progress(f"{title}: built and driven")
        yield from rows_of(title, character)


def strangers(data: Path, quick: bool = False) -> Iterator[tuple[str, Character]]:
    """Every animal with four legs and a gait in a folder and the folders in it, and what to call it; if it should be
    `quick`, one of a few files of each folder."""
    for folder in sorted({path.parent for path in files_in(data)}):
        paths = [path for path in files_in(folder) if path.parent == folder]
        paths = paths[:: -(-len(paths) // QUICK)] if quick else paths
        understood = ((group, _understood(group)) for group in by_skeleton(read(path) for path in paths))
        found = ((_title(group, data), character) for group, character in understood if character is not None)
        yield from islice(found, 1 if quick else None)


def _understood(group: Sequence[Asset]) -> Character | None:
    """One animal of files that share a skeleton; None for people and others, and for those that never go ahead."""
    if detect(group[0]).kind != "quadruped":
        return None
    asset = join(group)
    character = understand(asset, corrected(detect(asset), asset))
    return character if any(clip.footfalls.gait in AHEAD for clip in character.clips) else None


def _title(group: Sequence[Asset], data: Path) -> str:
    first = Path(group[0].source).relative_to(data)
    return str(first) if len(group) == 1 else f"{first} and {len(group) - 1} more"


# One animal --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Own:
    """What the cleanest of an animal's source strides does itself, in per cent of hip height."""

    slip: float
    depth: float


def rows_of(title: str, character: Character) -> Iterator[Row]:
    """It builds and drives; and of a ride at twelve speeds: speed, heading, slip and penetration."""
    goal = "a ride without NaN"
    try:
        built = drivable(character)
        batch = BatchGaits(built.character, COUNT)
        speeds = np.linspace(1.05 * batch.choice.slowest, 0.98 * batch.choice.fastest, COUNT)
        made, off = _driven(batch, speeds)
    except ValueError as error:
        yield Row(f"{title}: builds and drives", None, "", goal, "missed", str(error))
        return
    gaits = ", ".join(f"{row.cycle.gait} {row.cycle.speed:.2f}" for row in built.rows if row.speeds)
    sane = bool(np.isfinite(made.rotations).all() and np.isfinite(made.positions).all())
    yield Row(f"{title}: builds and drives", gaits, "m/s", goal, "met" if sane else "missed")
    yield _at_most(f"{title}: mean speed off the command, worst of {COUNT}", off, SPEED, "%")
    yield _at_most(f"{title}: heading off the command, worst of {COUNT}", _astray(made), HEADING, "°")
    height, own = 100 / built.character.anatomy.hip_height, own_faults(character, built)
    slip = max(OWN_SLIP * own.slip, SLIP)
    why = f"{OWN_SLIP:g} of its cleanest clip's" if slip > SLIP else ""
    yield _at_most(f"{title}: stance slip", height * made.slip(), slip, "% of hip height", why)
    deepest = max(own.depth, DEPTH)
    why = "as its clip that sinks least" if deepest > DEPTH else ""
    yield _at_most(f"{title}: penetration", height * made.depth(), deepest, "% of hip height", why)
    yield from limb_rows(title, character, built.character)


def _at_most(name: str, value: float, most: float, unit: str, why: str = "") -> Row:
    goal = f"≤ {most:.3g}" + (f", {why}" if why else "")
    return Row(name, value, unit, goal, "met" if value <= most else "missed")


def _driven(batch: BatchGaits, speeds: Floats) -> tuple[Ride, float]:
    """A ride from standing, straight on until the speed was measured, then in directions to both sides; and by how many
    per cent the mean speed over whole strides is off, three strides after it can be reached.

    To get to full speed takes a fast animal with short strides more than three of them at the acceleration that legs
    are allowed; that time is given besides.
    """
    strides = np.array([stride_seconds(batch, float(speed)) for speed in speeds])
    starts = np.ceil(RATE * (STARTING * strides + speeds / (MAX_ACCELERATION_G * GRAVITY))).astype(int)
    spans = np.round(RATE * WATCHED * strides).astype(int)
    straight = int((starts + spans).max()) + 1
    headings = np.linspace(-np.pi / 2, np.pi / 2, COUNT)
    free, any_gait = np.full(COUNT, np.nan), np.full(COUNT, -1)

    def orders(frame: int) -> tuple[Floats, Floats, Floats, Ints]:
        return speeds, headings * (frame >= straight), free, any_gait

    made = ride(batch, straight + int(RATE * (TURNING + STARTING * strides.max())), orders)
    who = np.arange(COUNT)
    gone = np.abs(made.place[starts + spans, who] - made.place[starts, who]) * RATE / spans
    return made, float(100 * np.abs(gone / speeds - 1).max())


def _astray(made: Ride) -> float:
    headings = np.linspace(-np.pi / 2, np.pi / 2, COUNT)
    return float(np.degrees(np.abs(np.angle(np.exp(1j * (made.yaw[-1] - headings))))).max())


def own_faults(character: Character, built: Built) -> Own:
    """Slip and depth of the feet in the strides that an animal was built from, as they came, of the least each."""
    feet, percent = character.anatomy.feet, 1 / character.anatomy.hip_height
    slips, depths = [], []
    for row in built.rows:
        if row.cycle.stands:
            continue
        clip, (first, last) = character.clip(row.taken.source), row.taken.frames
        part = slice(first, last + 1)
        places = clip.motion.position_world[:, feet][part].astype(np.float64)
        slips.append(percent * metrics.stance_slip(places, clip.footfalls.contacts[part]).max)
        depths.append(percent * metrics.ground_penetration(places).max)
    return Own(min(slips), min(depths)) if slips else Own(0.0, 0.0)
