"""Animals of one kind under the preset `gaits`, commanded together; one animal is a pack of one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np

from canter.anatomy import Character, Clip, Footfalls
from canter.anatomy.lazy import names_of
from canter.animals.animal import Animal
from canter.animals.fitting.fit import READ_AS
from canter.animals.generator.gait_rows import GaitRow
from canter.control.world import World
from canter.cycles.build.cut import cut
from canter.cycles.build.cycle import GRID, Cycle, make_cycle
from canter.cycles.engine.engine import Crowd, ground_of
from canter.cycles.engine.gait_graph import Choice, make_choice
from canter.cycles.engine.laws import make_laws
from canter.cycles.engine.library import make_library
from canter.cycles.engine.state import since_touchdown, wrap
from canter.cycles.gaits.posture import Turning
from canter.cycles.gaits.root import MOST, Springs
from canter.cycles.gaits.transition import Mixing
from canter.motion.arrays import Complexes, Floats, Ints
from canter.motion.constants import GRAVITY
from canter.motion.mirroring import mirror

TURN_GAIN = 3.5
"""Radians a second of turn per radian that the facing is off."""
SPIN = 0.45
"""The fastest that feet go in a turn on the spot, as a share of the speed of the slowest gait that is no crawl."""
SIDE_PULL = 0.45
"""The greatest sideways acceleration in a turn, in g."""
ASIDE = 2.0
"""How much faster than in its clips an animal may step aside and back; without such clips, as fast as it walks."""
SPARE = 0.12
"""By how much of its range of speeds a gait that is asked for may be overdone."""
SLOW, SLOW_TURN = 0.13, 0.25
"""Froude's number of speed v / sqrt(g h), and radians a second, below which an animal may begin to sit or lie down."""
ASTRAY = 0.4
"""Hip heights by which its feet may then be off where they belong."""
FORESIGHT = 0.5
"""Strides ahead whose speed a gait is chosen for."""


@lru_cache(maxsize=4)
def gait_cycles(character: Character) -> tuple[tuple[Cycle, ...], tuple[str, ...]]:
    """The cycles of a character's gaits and their names; steps aside and turns get their mirror images.

    Those of the last characters are kept: controllers and packs of one animal share them.
    """
    cycles: list[Cycle] = []
    names: list[str] = []
    stood = False
    for clip in _own(character) if isinstance(character, Animal) else [taken.clip for taken in cut(character).taken]:
        stands = clip.footfalls.gait == "stand"
        if not (clip.footfalls.loop or stands) or (stands and stood):
            continue
        stood = stood or stands
        cycles.append(make_cycle(character, clip))
        names.append(clip.name)
        if clip.footfalls.gait in ("side", "turn"):
            cycles.append(make_cycle(character, _mirrored(character, clip)))
            names.append(f"{clip.name} right")
    return tuple(cycles), tuple(names)


def _own(animal: Animal) -> Iterator[Clip]:
    """The clips of an animal of ours: its gaits on the grid of a cycle, without a need to read what its feet do."""
    rows = {row.name: row for row in animal.rows}
    acted = set(names_of(animal.actions))
    for name in names_of(animal.clips):
        if name in rows:
            yield _finer(animal, rows[name])
        elif name not in acted:
            yield animal.clip(name)


def _finer(animal: Animal, row: GaitRow) -> Clip:
    """A gait of ours on the grid of a cycle, with the contacts of its row."""
    motion = animal.cycle(row.name, frame_rate=GRID * row.frequency)
    phase = np.arange(len(motion)) / (len(motion) - 1)
    duty = (row.fore.duty, row.fore.duty, row.hind.duty, row.hind.duty)
    since = (phase[:, None] - np.array(row.touchdowns) + 1e-9) % 1.0
    gait = READ_AS.get(row.name, row.name.split()[-1])
    return Clip(motion, Footfalls(since < np.array(duty), gait, abs(row.speed), in_place=False, loop=True))


def _mirrored(character: Character, clip: Clip) -> Clip:
    """The mirror image of a clip, with left and right feet exchanged."""
    anatomy = character.anatomy
    motion = mirror(clip.motion, anatomy.mirror)
    order = [[leg.foot for leg in anatomy.legs].index(int(anatomy.mirror[leg.foot])) for leg in anatomy.legs]
    return Clip(motion, replace(clip.footfalls, contacts=clip.footfalls.contacts[:, order]))


class Pack:
    """N animals of one kind, at the origin at first."""

    def __init__(
        self, character: Character, count: int = 1, *, frame_rate: float = 60.0, world: World | None = None
    ) -> None:
        cycles, names = gait_cycles(character)
        library = make_library(character, cycles)
        told = {row.name: row.speeds for row in character.rows} if isinstance(character, Animal) else {}
        self.choice: Choice = make_choice(cycles, names, told)
        self.character, self.names, self.count = character, names, count
        spare = np.array([1 - SPARE, 1 + SPARE])
        self._limits = np.array([spare * self.choice.ranges.get(k, (np.inf, -np.inf)) for k in range(len(names))])
        walks = cycles[self.choice.ahead[0]].speed
        self._aside, self._back = (
            max([ASIDE * cycles[k].speed for k in gaits if k is not None], default=walks)
            for gaits in (self.choice.aside or (), (self.choice.back,))
        )
        self.crowd = Crowd(
            library,
            make_laws(library),
            count,
            frame_rate,
            transition=Mixing(),
            drive=Springs(),
            carriage=Turning(library, count),
            ground=ground_of(world),
        )

    @cached_property
    def turn_rate(self) -> float:
        """The fastest turn in radians a second."""
        slowest = self.choice.ahead[min(1, len(self.choice.ahead) - 1)]
        return SPIN * self.choice.ranges[slowest][0] / self.crowd.girth

    def reset(self) -> None:
        self.crowd.carriage = Turning(self.crowd.library, self.count)
        self.crowd.reset()

    def stand(self) -> tuple[Floats, Floats]:
        """The poses as they are, without a step."""
        return self.crowd.pose()

    def standing_root(self) -> Floats:
        """Where the root of a standing animal is, level, seen from the middle of it."""
        root: Floats = self.crowd.library.positions[self.choice.stand, :, 0].mean(axis=0)
        level: Floats = root * np.array([1.0, 0.0, 1.0])
        return level

    def rests(self) -> bool:
        """Whether the first animal has all feet down, not too far from where they belong, and has all but stopped."""
        herd, height = self.crowd.herd, self.character.anatomy.hip_height
        still = abs(herd.velocity[0]) < SLOW * np.sqrt(GRAVITY * height) and abs(herd.turn[0]) < SLOW_TURN
        return bool(still and herd.contacts[0].all() and self.crowd.strayed[0].max() < ASTRAY)

    def leg_phases(self) -> Floats:
        """How far each leg `(N, L)` is in its stride, 0 at its touchdown; NaN where it only stands."""
        herd = self.crowd.herd
        phases = since_touchdown(herd.clocks, self.crowd.duty)
        return np.where((herd.target == self.choice.stand)[:, None] & herd.contacts, np.nan, phases)

    def footholds(self) -> Floats:
        """Where feet are held in the world `(N, L, 3)`; NaN for those that are not."""
        herd = self.crowd.herd
        places = np.zeros((*herd.held.shape, 3))
        places[..., 0], places[..., 2] = herd.held.imag, herd.held.real
        if self.crowd.ground is not None:
            places[..., 1] = self.crowd.ground.height(places[..., [0, 2]])
        return np.where(herd.contacts[..., None], places, np.nan)

    def step(
        self, speed: Floats, heading: Floats, facing: Floats | None = None, gait: Ints | None = None
    ) -> tuple[Floats, Floats]:
        """One frame of all: speeds, headings and facings `(N,)`, a facing of NaN being along the heading.

        `gait (N,)` asks for certain cycles, -1 for none; it is heeded as soon as the speed allows. Returns local
        positions `(N, J, 3)` and rotations `(N, J, 4)`, the roots in the world.
        """
        herd = self.crowd.herd
        wanted = np.where(speed > 0, heading, herd.yaw)
        free = np.ones(self.count, bool) if facing is None else np.isnan(facing)
        if facing is not None and not free.all():
            wanted = np.where(free, wanted, facing)
        off = 2 * np.pi * wrap((wanted - herd.yaw) / (2 * np.pi))
        most = np.minimum(self.turn_rate, SIDE_PULL * GRAVITY / np.maximum(np.abs(herd.velocity), 0.1))
        turn = np.minimum(np.maximum(TURN_GAIN * off, -most), most)
        wish: Complexes = (speed * np.maximum(np.cos(off / 2), 0.25)).astype(complex)
        if not free.all():
            way = heading - herd.yaw
            wish = np.where(free, wish, np.minimum(speed, self.fastest_towards(way)) * np.exp(1j * way))
        soon = self._soon(wish)
        chosen = self.choice.choose(herd.target, wish, soon, turn, np.abs(herd.velocity))
        if gait is not None:
            low, high = self._limits[np.maximum(gait, 0)].T
            chosen = np.where((gait >= 0) & (soon >= low) & (soon <= high), gait, chosen)
        return self.crowd.step(wish, turn, chosen)

    def fastest_towards(self, way: Floats) -> Floats:
        """The greatest speeds `(N,)` of animals that go `way` radians to the left of where they face."""
        ahead, aside = np.cos(way), np.sin(way)
        fastest = np.where(ahead > 0, self.choice.fastest, self._back)
        result: Floats = 1 / np.hypot(ahead / fastest, aside / self._aside)
        return result

    def _soon(self, wish: Complexes) -> Floats:
        """The speed that an animal can have soon, on its way to the wished one."""
        now = np.abs(self.crowd.herd.velocity)
        most = FORESIGHT * MOST * GRAVITY * self.crowd.stride
        result: Floats = now + np.minimum(np.maximum(np.abs(wish) - now, -most), most)
        return result
