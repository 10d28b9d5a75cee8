"""Options that several verbs have, and how verbs speak: to standard output what was asked for, notes beside it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import tyro

Json = Annotated[bool, tyro.conf.arg(name="json")]
Output = Annotated[Path, tyro.conf.arg(aliases=["-o"])]
MaybeOutput = Annotated[Path | None, tyro.conf.arg(aliases=["-o"])]
Size = Annotated[
    float, tyro.conf.arg(help="Scale of the animal: 1.7 makes a draught horse. Speeds scale with its square root.")
]

HipHeight = Annotated[
    float | None,
    tyro.conf.arg(help="How high the hips really are, in metres, if the file does not say it or says it wrongly."),
]


def note(words: str) -> None:
    """Says on stderr what is being done."""
    print(f"canter: {words}", file=sys.stderr)


def warn(reason: str) -> None:
    """Says on stderr why something else was done than is usual."""
    if reason:
        print(f"canter: {reason}", file=sys.stderr)


def said(words: str) -> int:
    """Says on standard output what came out, and leaves with 0."""
    print(words)
    return 0


@contextmanager
def progress(words: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """A progress bar on stderr, if that is a terminal. Call what it yields with (done, all), or without arguments."""
    from canter.cli.tables import console

    where = console(error=True)
    if not where.is_terminal or (total is not None and total < 2):
        yield lambda *_: None
        return
    from rich.progress import Progress

    with Progress(console=where, transient=True) as bars:
        task = bars.add_task(words, total=total)

        def step(done: int | None = None, everything: int | None = None) -> None:
            if done is None:
                bars.advance(task)
            else:
                bars.update(task, completed=done, total=everything)

        yield step
