"""Mazes: a grid of square cells with walls between some of them, a start, and goals to collect.

Seen from above, row 0 is the farthest ahead (+Z) and column 0 the farthest to the left (+X), as on a map whose top is
ahead. The start is the origin of the world and the animal faces the top of the map, because that is where every
controller starts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from canter.control.command import number
from canter.control.world import Wall, World
from canter.motion.arrays import ArrayLike, Floats

Cell = tuple[int, int]
"""Row and column of a cell."""
Pieces = tuple[tuple[bool, ...], ...]
"""Where pieces of wall stand, by row and column."""
MAX_SIDE = 50
"""Rows or columns that a maze has at most: mazes are read from strangers' files too."""
CELL_RANGE = 0.05, 100.0
"""The smallest and the largest side of a cell in metres."""
LOOPS = 0.1
"""The share of the walls of a perfect maze that a random maze has taken away."""


@dataclass(frozen=True)
class Maze:
    """A grid of cells that are `cell` metres wide, measured between the middles of walls.

    `across (rows + 1, columns)` are the pieces of wall between a row and the one above it, `along (rows, columns + 1)`
    those between a column and the one to its left; the border is closed. The animal starts in the cell `start`, facing
    the top, and collects what is in the cells `goals`.
    """

    cell: float
    across: Pieces
    along: Pieces
    start: Cell
    goals: tuple[Cell, ...] = ()

    def __post_init__(self) -> None:
        size = number(self.cell, "maze.cell")
        if not CELL_RANGE[0] <= size <= CELL_RANGE[1]:
            raise ValueError(f"maze.cell must be from {CELL_RANGE[0]:g} to {CELL_RANGE[1]:g} m, not {size:g}")
        rows, columns = self.rows, self.columns
        if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE):
            raise ValueError(f"a maze has 1 to {MAX_SIDE} rows and columns, not {rows} and {columns}")
        shapes = [len(self.across), *map(len, self.across)], [len(self.along), *map(len, self.along)]
        if shapes != ([rows + 1] + [columns] * (rows + 1), [rows] + [columns + 1] * rows):
            raise ValueError(
                f"a maze of {rows} by {columns} cells needs {rows + 1} rows of {columns} pieces across and {rows} rows "
                f"of {columns + 1} pieces along"
            )
        if not (all(self.across[0]) and all(self.across[-1]) and all(row[0] and row[-1] for row in self.along)):
            raise ValueError("the border of a maze must be closed")
        for name, cells in (("start", (self.start,)), ("goals", self.goals)):
            if strange := [cell for cell in cells if not (0 <= cell[0] < rows and 0 <= cell[1] < columns)]:
                raise ValueError(f"maze.{name}: there is no cell {strange[0]} in {rows} rows and {columns} columns")
        if len(set(self.goals)) < len(self.goals):
            raise ValueError("maze.goals must be in cells of their own")

    # The grid ------------------------------------------------------------------------------------

    @property
    def rows(self) -> int:
        return len(self.along)

    @property
    def columns(self) -> int:
        return len(self.across[0]) if self.across else 0

    def cells(self) -> Iterator[Cell]:
        """All cells, row by row."""
        return ((row, column) for row in range(self.rows) for column in range(self.columns))

    def neighbours(self, cell: Cell) -> list[Cell]:
        """The cells that can be entered from `cell`: above, to the left, to the right and below."""
        row, column = cell
        sides = (
            (self.across[row][column], (row - 1, column)),
            (self.along[row][column], (row, column - 1)),
            (self.along[row][column + 1], (row, column + 1)),
            (self.across[row + 1][column], (row + 1, column)),
        )
        return [other for closed, other in sides if not closed]

    def connected(self) -> set[Cell]:
        """The cells that can be reached from the start."""
        found, pending = {self.start}, [self.start]
        while pending:
            fresh = [cell for cell in self.neighbours(pending.pop()) if cell not in found]
            found.update(fresh)
            pending += fresh
        return found

    def scattered(self, count: int, seed: int = 0) -> Maze:
        """The same maze with `count` goals in cells of their own, drawn from those that can be reached, without the
        start."""
        free = sorted(self.connected() - {self.start})
        if not 0 <= count <= len(free):
            raise ValueError(f"{count} goals do not fit: {len(free)} cells can be reached from the start")
        chosen = np.random.default_rng(seed).choice(len(free), count, replace=False)
        return replace(self, goals=tuple(free[i] for i in sorted(chosen)))

    # In the world --------------------------------------------------------------------------------

    @property
    def facing(self) -> float:
        """The yaw at the start, which every controller begins with."""
        return 0.0

    @property
    def start_place(self) -> tuple[float, float]:
        """The middle of the start, which is the origin."""
        return self.place(self.start)

    @property
    def goal_places(self) -> Floats:
        """The middles of the cells with goals `(G, 2)`."""
        return np.array([self.place(cell) for cell in self.goals], np.float64).reshape(-1, 2)

    def place(self, cell: Cell) -> tuple[float, float]:
        """The middle `(x, z)` of a cell in metres."""
        return (self.start[1] - cell[1]) * self.cell, (self.start[0] - cell[0]) * self.cell

    def cell_at(self, place: ArrayLike) -> Cell:
        """The cell that a place `(x, z)` lies in, which may be outside of the maze."""
        x, z = np.asarray(place, np.float64)
        return self.start[0] - round(z / self.cell), self.start[1] - round(x / self.cell)

    def walls(self, height: float = 1.0, thickness: float = 0.1) -> tuple[Wall, ...]:
        """The walls, pieces in one line merged: those along x from the top down, then those along z."""
        across = [((i, j), (i, k)) for i, row in enumerate(self.across) for j, k in _runs(row)]
        along = [((i, j), (k, j)) for j, column in enumerate(zip(*self.along, strict=True)) for i, k in _runs(column)]
        return tuple(Wall(self._corner(*a), self._corner(*b), height, thickness) for a, b in across + along)

    def world(self, *, height: float = 1.0, thickness: float = 0.1, **more: Any) -> World:
        """A World with the walls, `height` and `thickness` in metres; the rest goes to `World`, such as a terrain."""
        if not thickness < self.cell:
            raise ValueError(f"walls of {thickness:g} m leave no room in cells of {self.cell:g} m")
        return World(walls=self.walls(height, thickness), **more)

    def _corner(self, row: int, column: int) -> tuple[float, float]:
        """The left upper corner `(x, z)` of a cell."""
        x, z = self.place((row, column))
        return x + self.cell / 2, z + self.cell / 2

    def text(self) -> str:
        """The maze as a map that `read_maze` reads back, without the size of its cells."""
        lines = []
        for row in range(self.rows):
            lines.append("+".join(["", *("--" if piece else "  " for piece in self.across[row]), ""]))
            marks = [self._mark((row, column)) + " " for column in range(self.columns)]
            fences = ["|" if piece else " " for piece in self.along[row]]
            lines.append("".join(f + m for f, m in zip(fences, [*marks, ""], strict=True)))
        return "\n".join([*lines, "+".join(["", *("--" for _ in self.across[-1]), ""])]) + "\n"

    def _mark(self, cell: Cell) -> str:
        return "S" if cell == self.start else "G" if cell in self.goals else " "


def _runs(pieces: Sequence[bool]) -> list[tuple[int, int]]:
    """Where runs of true values begin and end (exclusive)."""
    edges = np.flatnonzero(np.diff([False, *pieces, False]))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def random_maze(rows: int, columns: int, cell: float, seed: int = 0, *, loops: float = LOOPS) -> Maze:
    """A maze in which every cell can be reached, without goals yet (see `Maze.scattered`).

    A depth-first search with random turns opens one way between any two cells; then a share of `loops` (0 to 1) of the
    walls that are left inside is taken away, so that there are other ways too. The start is the first cell of the
    lowest row that is open to the top.
    """
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE):
        raise ValueError(f"a maze has 1 to {MAX_SIDE} rows and columns, not {rows} and {columns}")
    if not 0 <= number(loops, "loops") <= 1:
        raise ValueError(f"loops must be a share from 0 to 1, not {loops}")
    random = np.random.default_rng(seed)
    across, along = np.ones((rows + 1, columns), bool), np.ones((rows, columns + 1), bool)
    reached = np.zeros((rows, columns), bool)
    trail = [(rows - 1, 0)]
    reached[trail[0]] = True
    while trail:
        row, column = trail[-1]
        around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
        fresh = [c for c in around if 0 <= c[0] < rows and 0 <= c[1] < columns and not reached[c]]
        if not fresh:
            trail.pop()
            continue
        chosen = fresh[random.integers(len(fresh))]
        _open(across, along, (row, column), chosen)
        reached[chosen] = True
        trail.append(chosen)
    inner = [(across, (i, j)) for i, j in np.argwhere(across) if 0 < i < rows]
    inner += [(along, (i, j)) for i, j in np.argwhere(along) if 0 < j < columns]
    for k in random.choice(len(inner), round(loops * len(inner)), replace=False) if inner else ():
        pieces, where = inner[k]
        pieces[where] = False
    start = rows - 1, int(np.argmin(across[rows - 1])) if rows > 1 else 0
    return Maze(float(cell), _pieces(across), _pieces(along), start)


def _open(across: Any, along: Any, one: Cell, other: Cell) -> None:
    """Takes away the piece of wall between two neighbours."""
    if one[1] == other[1]:
        across[max(one[0], other[0]), one[1]] = False
    else:
        along[one[0], max(one[1], other[1])] = False


def _pieces(array: Any) -> Pieces:
    return tuple(tuple(bool(piece) for piece in row) for row in array)
