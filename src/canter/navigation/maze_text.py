"""Mazes as text: a map of characters, checked line by line, because maps come from strangers too.

```
+--+--+--+
|     |G |
+  +--+  +
|S       |
+--+--+--+
```

Corners are `+`, walls `--` and `|`, open sides blanks. Inside a cell `S` is the start and `G` a goal. The top of the
map is ahead of the animal, which faces there.
"""

from __future__ import annotations

from textwrap import dedent

from canter.navigation.maze import MAX_SIDE, Cell, Maze, Pieces

WIDTH = 3
"""Characters from corner to corner."""
MAX_CHARACTERS = (2 * MAX_SIDE + 1) * (WIDTH * MAX_SIDE + 2) * 2
"""The longest text that is read, some blanks around the largest map included."""


class MazeError(ValueError):
    """A map that cannot be read: the message names the line and what to write there."""


def read_maze(text: str, cell: float) -> Maze:
    """The maze of a map whose cells are `cell` metres wide; a MazeError names the line and the remedy."""
    if len(text) > MAX_CHARACTERS:
        raise MazeError(f"the map has {len(text)} characters; at most {MAX_CHARACTERS} are read")
    lines = [line.rstrip() for line in dedent(text.expandtabs()).splitlines()]
    first = next((i for i, line in enumerate(lines) if line), len(lines))
    lines = lines[first:]
    while lines and not lines[-1]:
        lines.pop()
    if len(lines) < 3 or len(lines) % 2 == 0:
        raise MazeError(
            f"a map of n rows has 2 n + 1 lines, not {len(lines)}: a line of walls above and below each row"
        )
    width = max(map(len, lines))
    rows, columns = len(lines) // 2, (width - 1) // WIDTH
    if rows > MAX_SIDE or columns > MAX_SIDE:
        raise MazeError(f"the map has {rows} rows and {columns} columns; at most {MAX_SIDE} each are read")
    if width % WIDTH != 1:
        raise MazeError(
            f"the longest line has {width} characters; a row of n cells has {WIDTH} n + 1, such as +--+--+ for two"
        )
    numbered = [(first + i + 1, line.ljust(width)) for i, line in enumerate(lines)]
    across = tuple(_across(number, line) for number, line in numbered[::2])
    along = tuple(_along(number, line) for number, line in numbered[1::2])
    _check_border(numbered, across, along)
    starts, goals = _marked(numbered, "S"), _marked(numbered, "G")
    if len(starts) != 1:
        raise MazeError(f"a map has one start, not {len(starts)}: write S into the cell where the animal stands")
    try:
        return Maze(float(cell), across, along, starts[0], tuple(goals))
    except ValueError as error:
        raise MazeError(str(error)) from None


def _across(number: int, line: str) -> tuple[bool, ...]:
    """The pieces of a line of corners and walls."""
    for at in range(0, len(line), WIDTH):
        if line[at] != "+":
            raise MazeError(f"line {number}, character {at + 1}: write the corner + here, not {line[at]!r}")
        if line[at + 1 : at + WIDTH] not in ("--", "  ", ""):
            piece = line[at + 1 : at + WIDTH]
            raise MazeError(f"line {number}, character {at + 2}: write a wall -- or two blanks here, not {piece!r}")
    return tuple(line[at + 1] == "-" for at in range(0, len(line) - 1, WIDTH))


def _along(number: int, line: str) -> tuple[bool, ...]:
    """The pieces of a line of cells."""
    for at in range(0, len(line), WIDTH):
        if line[at] not in "| ":
            raise MazeError(f"line {number}, character {at + 1}: write a wall | or a blank here, not {line[at]!r}")
        inside = line[at + 1 : at + WIDTH]
        if inside.strip() not in ("", "S", "G"):
            raise MazeError(f"line {number}, character {at + 2}: a cell holds S, G or nothing, not {inside!r}")
    return tuple(line[at] == "|" for at in range(0, len(line), WIDTH))


def _check_border(numbered: list[tuple[int, str]], across: Pieces, along: Pieces) -> None:
    for row, (number, _) in ((across[0], numbered[0]), (across[-1], numbered[-1])):
        if not all(row):
            raise MazeError(f"line {number}: close the border with -- above or below every cell")
    for row, (number, _) in zip(along, numbered[1::2], strict=True):
        if not (row[0] and row[-1]):
            raise MazeError(f"line {number}: close the border with | at both ends")


def _marked(numbered: list[tuple[int, str]], letter: str) -> list[Cell]:
    """The cells that hold a letter, row by row."""
    found = []
    for row, (_, line) in enumerate(numbered[1::2]):
        found += [(row, at // WIDTH) for at, character in enumerate(line) if character == letter]
    return found
