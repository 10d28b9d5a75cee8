"""What to answer when a name is unknown: the known name that looks most like it, and all known names."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` is probably a misspelling of; None if nothing is similar."""
    found = get_close_matches(name.lower(), list(known), n=1)
    return found[0] if found else None


def known_names(name: str, known: Iterable[str]) -> str:
    """The end of an error message about an unknown name: a suggestion, if there is one, and all known names."""
    known = list(known)
    suggestion = closest(name, known)
    listed = ", ".join(known) or "none"
    return f"did you mean {suggestion!r}? There are: {listed}" if suggestion else f"there are: {listed}"
