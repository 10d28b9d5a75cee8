"""Maps of mazes: what is read, what is refused and where, and that nothing is lost on the way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canter.navigation import MazeError, random_maze, read_maze

MAP = """\
+--+--+--+
|     |G |
+  +--+  +
|S       |
+--+--+--+
"""


def test_a_map_is_read() -> None:
    maze = read_maze(MAP, 1.5)
    assert (maze.rows, maze.columns, maze.cell) == (2, 3, 1.5)
    assert (maze.start, maze.goals) == ((1, 0), ((0, 2),))
    assert maze.neighbours((1, 0)) == [(0, 0), (1, 1)]
    assert maze.neighbours((0, 1)) == [(0, 0)]
    assert maze.text() == MAP


def test_a_map_may_be_indented_and_end_its_lines_early() -> None:
    indented = "\n\n" + "".join(f"    {line}\n" for line in MAP.splitlines()) + "\n"
    assert read_maze(indented, 1.5) == read_maze(MAP, 1.5)
    assert read_maze(MAP.replace("|S       |", "| S      |"), 1.5) == read_maze(MAP, 1.5)


@given(st.integers(1, 7), st.integers(1, 7), st.integers(0, 1000))
def test_nothing_is_lost_between_maze_and_text(rows: int, columns: int, seed: int) -> None:
    maze = random_maze(rows, columns, 2.0, seed)
    maze = maze.scattered(min(5, rows * columns - 1), seed)
    assert read_maze(maze.text(), 2.0) == maze


@pytest.mark.parametrize(
    ("found", "instead", "words"),
    [
        ("+  +--+  +", "+  *--+  +", "line 3, character 4: write the corner"),
        ("+  +--+  +", "+  +-x+  +", "line 3, character 5: write a wall -- or two blanks here, not '-x'"),
        ("|     |G |", "|     #G |", "line 2, character 7: write a wall | or a blank"),
        ("|     |G |", "|   X |G |", "line 2, character 5: a cell holds S, G or nothing, not 'X '"),
        ("|S       |", "|S   S   |", "one start, not 2: write S"),
        ("|S       |", "|        |", "one start, not 0: write S"),
        ("|S       |", "|S", "line 4: close the border with | at both ends"),
        ("|S       |\n+--+--+--+", "|S       |\n+--+  +--+", "line 5: close the border with --"),
        ("+--+--+--+\n|     |G |", "+--+--+\n|     |G |", "line 1, character 10: write the corner"),
        ("|S       |\n", "", "2 n \\+ 1 lines, not 4"),
        ("|S       |", "|S       | G", "longest line has 12 characters"),
    ],
)
def test_a_map_that_cannot_be_read_says_where_and_what_to_do(found: str, instead: str, words: str) -> None:
    assert MAP.count(found) == 1
    with pytest.raises(MazeError, match=words.replace("|", r"\|")):
        read_maze(MAP.replace(found, instead), 1.5)


def test_the_lines_of_a_map_are_counted_from_the_top_of_the_text() -> None:
    with pytest.raises(MazeError, match="line 5, character 4"):
        read_maze("\n\n" + MAP.replace("+  +--+  +", "+  *--+  +"), 1.5)


@pytest.mark.parametrize("text", ["", "\n\n", "S", "+--+", "+--+\n|S |", "\x00", "+" * 10**6, "\t" * 10**5])
def test_what_is_no_map_is_refused(text: str) -> None:
    with pytest.raises(MazeError):
        read_maze(text, 1.5)


def test_maps_are_not_read_without_limit() -> None:
    with pytest.raises(MazeError, match="at most 50 each"):
        read_maze("\n".join(["+" + "--+" * 60, "|S" + "   " * 59 + " |", "+" + "--+" * 60]), 1.5)
    with pytest.raises(MazeError, match="characters; at most"):
        read_maze(" " * 10**6, 1.5)


@given(st.text(alphabet="+-| SG\n", max_size=200))
def test_any_text_is_a_maze_or_an_error(text: str) -> None:
    try:
        maze = read_maze(text, 2.0)
    except MazeError:
        return
    assert read_maze(maze.text(), 2.0) == maze
