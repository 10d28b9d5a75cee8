"""The error that readers raise for a file that they cannot read."""

from __future__ import annotations

from pathlib import Path


class FormatError(ValueError):
    """A file that cannot be read: which file, where in it, what is wrong, and the remedy."""

    def __init__(self, path: str | Path, where: str, problem: str, remedy: str) -> None:
        self.path, self.where, self.problem, self.remedy = str(path), where, problem, remedy
        place = f"{path}, {where}" if where else str(path)
        super().__init__(f"{place}: {problem}. {remedy}")
