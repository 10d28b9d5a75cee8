"""The ground under a controller: terrain height and normal, friction, tilt, and the walls that stand on it. One object
for every method and the page.

A terrain is a small frozen dataclass of numbers, so that a World can be compared, printed and written to a script.
Places are `(..., 2)` arrays of x and z; heights come back `(...)`, normals `(..., 3)`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from canter.control.command import number, vector
from canter.motion.arrays import ArrayLike, Floats


class Terrain(Protocol):
    """Any frozen object with a height and its slope."""

    def height(self, place: Floats) -> Floats:
        """Metres above zero at `place (..., 2)`."""

    def gradient(self, place: Floats) -> Floats:
        """Change of height along x and z `(..., 2)`."""


@dataclass(frozen=True)
class Flat:
    """Level ground at height zero."""

    def height(self, place: Floats) -> Floats:
        return np.zeros(place.shape[:-1], place.dtype)

    def gradient(self, place: Floats) -> Floats:
        return np.zeros_like(place)


@dataclass(frozen=True)
class Slope:
    """A plane that rises by `angle` radians towards the yaw `direction`."""

    angle: float = math.radians(8)
    direction: float = 0.0

    def __post_init__(self) -> None:
        if not abs(self.angle) < math.radians(80):
            raise ValueError(f"slope.angle must be within 80°, not {math.degrees(self.angle):g}°")

    def _rise(self) -> Floats:
        return math.tan(self.angle) * np.array([math.sin(self.direction), math.cos(self.direction)])

    def height(self, place: Floats) -> Floats:
        height: Floats = place @ self._rise().astype(place.dtype)
        return height

    def gradient(self, place: Floats) -> Floats:
        return np.broadcast_to(self._rise().astype(place.dtype), place.shape).copy()


FEW_NUMBERS = 16
"""Coordinates below which heights are reckoned one by one: as many as the feet and the trunk of one animal have."""


SINE = (
    3.141592653589793,
    -5.1677127800496345,
    2.550164039853225,
    -0.5992645286302521,
    0.08214587667173676,
    -0.007370352053931831,
    0.00046595187098067515,
    -2.1093813555580094e-05,
)
"""Coefficients of sin(π u) / u as a polynomial of u², for u from -1/2 to 1/2: a Chebyshev fit, off by 4e-14 at most."""


def sine_of_cycles(cycles: Floats) -> Floats:
    """sin(2π t) of cycles t `(...)`, to 4e-14: three times as fast as NumPy's, which is most of the cost of hills."""
    u = cycles - 0.25
    u -= np.rint(u)
    np.abs(u, out=u)
    u *= -2
    u += 0.5
    square = u * u
    result = square * SINE[-1]
    for coefficient in SINE[-2:0:-1]:
        result += coefficient
        result *= square
    result += SINE[0]
    result *= u
    return result


class Waves(NamedTuple):
    """A sum of plane waves: height(p) = amplitude · Σₖ [sin(vectorsₖ · p + phasesₖ) - sin(phasesₖ)]."""

    vectors: Floats
    """Wave vectors `(4, 2)` along x and z, in rad/m."""
    phases: Floats
    """Phases `(4,)` at the origin, in radians."""
    amplitude: float
    """Metres, the same for every wave."""


@dataclass(frozen=True)
class Rolling:
    """Smooth hills: four crossed waves, `amplitude` metres at most, height zero at the origin."""

    amplitude: float = 0.15
    wavelength: float = 4.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.wavelength > 0:
            raise ValueError(f"rolling.wavelength must be above zero, not {self.wavelength}")

    @cached_property
    def waves(self) -> Waves:
        """The coefficients in float64, drawn once from `seed`: directions 45° apart ± 13.5°, lengths of 1 to 1.6
        times `wavelength`."""
        random = np.random.default_rng(self.seed)
        angles = (np.arange(4) + random.uniform(0.2, 0.8, 4)) * math.pi / 4
        numbers = 2 * math.pi / (self.wavelength * random.uniform(1.0, 1.6, 4))
        vectors = numbers[:, None] * np.stack([np.sin(angles), np.cos(angles)], -1)
        return Waves(vectors, random.uniform(0, 2 * math.pi, 4), self.amplitude / 8)

    @cached_property
    def _at_origin(self) -> float:
        """The sum of all waves at the origin."""
        return float(np.sin(self.waves.phases).sum())

    @cached_property
    def _wave_numbers(self) -> list[tuple[float, float, float]]:
        """Vectors and phases of the waves as plain numbers."""
        vectors, phases, _ = self.waves
        return [(u, v, phase) for (u, v), phase in zip(vectors.tolist(), phases.tolist(), strict=True)]

    @cached_property
    def _in_cycles(self) -> tuple[Floats, Floats]:
        """Vectors `(4, 2)` in cycles a metre and phases `(4, 1)` in cycles."""
        return self.waves.vectors / (2 * math.pi), self.waves.phases[:, None] / (2 * math.pi)

    def heights_of(self, places: Sequence[complex]) -> list[float]:
        """Heights at complex places, real along z and imaginary along x, in plain numbers."""
        (a, b, c), (d, e, f), (g, h, i), (j, k, m) = self._wave_numbers
        sin, off, amplitude, found = math.sin, self._at_origin, self.waves.amplitude, []
        for place in places:
            x, z = place.imag, place.real
            waves = sin(a * x + b * z + c) + sin(d * x + e * z + f) + sin(g * x + h * z + i) + sin(j * x + k * z + m)
            found.append(amplitude * (waves - off))
        return found

    def height(self, place: Floats) -> Floats:
        if place.size <= FEW_NUMBERS:  # plain numbers are faster than NumPy's calls
            few = self.heights_of([complex(z, x) for x, z in place.reshape(-1, 2).tolist()])
            return np.array(few, place.dtype).reshape(place.shape[:-1])
        vectors, phases = self._in_cycles
        if place.dtype != np.float64:
            vectors, phases = vectors.astype(place.dtype), phases.astype(place.dtype)
        waves = vectors @ place.reshape(-1, 2).T
        waves += phases
        height: Floats = self.waves.amplitude * (np.add.reduce(sine_of_cycles(waves)) - self._at_origin)
        return height.reshape(place.shape[:-1])

    def gradient(self, place: Floats) -> Floats:
        vectors, phases, amplitude = self.waves
        vectors, phases = vectors.astype(place.dtype), phases.astype(place.dtype)
        gradient: Floats = amplitude * np.cos(place @ vectors.T + phases) @ vectors
        return gradient


@dataclass(frozen=True)
class Steps:
    """Stairs of `rise` metres every `run` metres along the yaw `direction`, `count` up and as many down again."""

    rise: float = 0.1
    run: float = 0.6
    count: int = 8
    direction: float = 0.0
    start: float = 1.5

    def __post_init__(self) -> None:
        if not self.run > 0 or self.count < 1:
            raise ValueError(f"steps need a run above zero and at least one step, not {self.run} and {self.count}")

    def height(self, place: Floats) -> Floats:
        along = place @ np.array([math.sin(self.direction), math.cos(self.direction)], place.dtype)
        step = np.floor((along - self.start) / self.run) + 1
        height: Floats = (self.rise * np.clip(np.minimum(step, 2 * self.count - step), 0, None)).astype(place.dtype)
        return height

    def gradient(self, place: Floats) -> Floats:
        """Treads are level; the edges between them have no slope to speak of."""
        return np.zeros_like(place)


TERRAINS: dict[str, type[Any]] = {"flat": Flat, "slope": Slope, "rolling": Rolling, "steps": Steps}

MAX_WALLS = 2000
"""Walls that a world has at most: worlds come from strangers' files too."""
MAX_WALL_COORDINATE, MAX_WALL_HEIGHT, MAX_WALL_THICKNESS = 10_000.0, 100.0, 10.0
"""Metres from the origin along x and z at which a wall may end, and how high and how thick it may be."""


@dataclass(frozen=True)
class Wall:
    """An upright wall along the line from `start` to `end`, places `(x, z)` in metres.

    It rises `height` metres from the ground, and everything within half of its `thickness` in metres from the line
    belongs to it: its ends are round, and a wall that starts and ends in one place is a post.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    height: float = 1.0
    thickness: float = 0.1

    def __post_init__(self) -> None:
        for name in ("start", "end"):
            place = vector(getattr(self, name), f"wall.{name}", (2,))
            if max(map(abs, place)) > MAX_WALL_COORDINATE:
                raise ValueError(f"wall.{name} must be within {MAX_WALL_COORDINATE:g} m of the origin, not {place}")
            object.__setattr__(self, name, place)
        for name, most in (("height", MAX_WALL_HEIGHT), ("thickness", MAX_WALL_THICKNESS)):
            value = number(getattr(self, name), f"wall.{name}")
            if not 0 < value <= most:
                raise ValueError(f"wall.{name} must be above zero and at most {most:g} m, not {value:g}")
            object.__setattr__(self, name, value)

    def to_row(self) -> list[float]:
        """x and z of both ends; then height and thickness, unless they are the usual ones."""
        usual = self == Wall(self.start, self.end)
        return [*self.start, *self.end, *(() if usual else (self.height, self.thickness))]

    @staticmethod
    def from_row(row: object, name: str = "wall") -> Wall:
        """A Wall from the 4 or 6 numbers of `to_row`; errors call it `name`."""
        values = vector(row, name, (4, 6))
        try:
            return Wall((values[0], values[1]), (values[2], values[3]), *values[4:])
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None


@dataclass(frozen=True)
class World:
    """Terrain, friction of the feet on it, and a tilt of everything: (pitch, roll) radians about x and z.

    Controllers without physics walk through `walls`: it is `canter.navigation` that keeps animals away from them.
    """

    terrain: Terrain = field(default_factory=Flat)
    friction: float = 0.9
    tilt: tuple[float, float] = (0.0, 0.0)
    walls: tuple[Wall, ...] = ()

    def __post_init__(self) -> None:
        if number(self.friction, "world.friction") < 0:
            raise ValueError(f"world.friction must not be negative, but is {self.friction}")
        if max(map(abs, vector(self.tilt, "world.tilt", (2,)))) >= math.radians(80):
            raise ValueError(f"world.tilt must be within 80°, not {self.tilt}")
        object.__setattr__(self, "walls", tuple(self.walls))
        if len(self.walls) > MAX_WALLS:
            raise ValueError(f"world.walls must be at most {MAX_WALLS}, not {len(self.walls)}")
        if strange := [wall for wall in self.walls if not isinstance(wall, Wall)]:
            raise ValueError(f"world.walls must be of Wall, not {strange[0]!r}")

    @staticmethod
    def flat(**more: Any) -> World:
        return World(Flat(), **more)

    @staticmethod
    def slope(angle: float = math.radians(8), direction: float = 0.0, **more: Any) -> World:
        return World(Slope(angle, direction), **more)

    @staticmethod
    def rolling(amplitude: float = 0.15, wavelength: float = 4.0, seed: int = 0, **more: Any) -> World:
        return World(Rolling(amplitude, wavelength, seed), **more)

    @staticmethod
    def steps(rise: float = 0.1, run: float = 0.6, count: int = 8, **more: Any) -> World:
        return World(Steps(rise, run, count), **more)

    def _tilt(self) -> Floats:
        """Pitch lifts what lies ahead (+Z), roll lifts the left (+X)."""
        return np.array([math.tan(self.tilt[1]), math.tan(self.tilt[0])])

    def height(self, place: ArrayLike) -> Floats:
        """Metres above zero at `place (..., 2)` of x and z."""
        place = _places(place)
        height = self.terrain.height(place)
        if self.tilt != (0.0, 0.0):
            height = height + place @ self._tilt().astype(place.dtype)
        return height

    def normal(self, place: ArrayLike) -> Floats:
        """The unit normal `(..., 3)` of the ground at `place (..., 2)`."""
        place = _places(place)
        slope = self.terrain.gradient(place) + self._tilt().astype(place.dtype)
        normal = np.stack([-slope[..., 0], np.ones_like(slope[..., 0]), -slope[..., 1]], -1)
        result: Floats = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
        return result

    def to_table(self) -> dict[str, Any]:
        """Plain values for a script; `from_table` reads them back."""
        name = next((k for k, v in TERRAINS.items() if type(self.terrain) is v), None)
        if name is None:
            raise ValueError(f"a terrain of kind {type(self.terrain).__name__} cannot be written to a script")
        table = {"terrain": name, **asdict(self.terrain), "friction": self.friction, "tilt": list(self.tilt)}  # type: ignore[call-overload]
        return table | ({"walls": [wall.to_row() for wall in self.walls]} if self.walls else {})

    @staticmethod
    def from_table(table: Mapping[str, Any]) -> World:
        """A World from plain values: `terrain` names one of TERRAINS, the rest are its numbers, friction and tilt, and
        `walls`, each of them a row `[x, z, x, z]` from end to end, or with its height and thickness after these."""
        values = dict(table)
        name = values.pop("terrain", "flat")
        if not isinstance(name, str) or name not in TERRAINS:
            raise ValueError(f"world.terrain must be one of {', '.join(TERRAINS)}, not {name!r}")
        more: dict[str, Any] = {key: values.pop(key) for key in ("friction", "tilt") if key in values}
        if "tilt" in more:
            more["tilt"] = vector(more["tilt"], "world.tilt", (2,))
        if "walls" in values:
            more["walls"] = _walls(values.pop("walls"))
        known = TERRAINS[name].__dataclass_fields__
        for key, value in values.items():
            if key not in known:
                raise ValueError(f"world.{key} is unknown for terrain {name!r}; it has {', '.join(known) or 'nothing'}")
            number(value, f"world.{key}")
            if known[key].type == "int" and not (isinstance(value, int) and value >= 0):
                raise ValueError(f"world.{key} must be a whole number from 0, not {value!r}")
        return World(TERRAINS[name](**values), **more)


def _walls(rows: object) -> tuple[Wall, ...]:
    """The walls of a table, counted before any is read."""
    if not isinstance(rows, list | tuple):
        raise ValueError(f"world.walls must be a list of rows [x, z, x, z], not {rows!r}")
    if len(rows) > MAX_WALLS:
        raise ValueError(f"world.walls must be at most {MAX_WALLS}, not {len(rows)}")
    return tuple(Wall.from_row(row, f"world.walls[{i}]") for i, row in enumerate(rows))


def _places(place: ArrayLike) -> Floats:
    array = np.asarray(place)
    return array if array.dtype.kind == "f" else array.astype(np.float64)
