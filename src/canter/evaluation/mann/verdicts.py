"""Whether the paper's claims hold here, from records: the order of networks, ratios to the ground truth, skating on
paths. A tie within the intervals is a tie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from canter.evaluation.mann import paper
from canter.evaluation.mann.grids import mean_of, part_of
from canter.evaluation.mann.measuring import LOCKED
from canter.evaluation.mann.paths import PATHS
from canter.evaluation.mann.records import Record
from canter.evaluation.mann.statistics import Estimate, ratio
from canter.evaluation.mann.tables import LEGS, LOCKS, Columns, figure_of, truth_of
from canter.evaluation.report import Row, judged, skipped

DECIDES = {"captured dog": ("walk", "trot", "turn"), "dog": ("canter",)}
"""Which animal decides which kind of ride: the capture has but seconds of canter."""
ORDER = (("mann8", "mann4"), ("mann4", "pfnn"), ("mann4", "vanilla"))
"""Of each pair the first should skate no more than the second."""
MAX_PATH_RATIO = 1.2
"""Skating on a path over that of free running."""


def verdict_rows(animal: str, columns: Columns) -> Iterator[Row]:
    """All rows of an animal; one only where no network of the tables has a record."""
    if not any(name in columns for pair in ORDER for name in pair):
        yield skipped(f"{animal}: the paper's order of networks", "no network was trained; --retrain does it")
        yield from path_ratio_rows(animal, columns)
        return
    for lock, words in LOCKS.items():
        for kind in DECIDES.get(animal, ()):
            yield from _order_rows(f"{animal}, {kind}, {words}", columns, lock, kind)
            yield from _ratio_rows(f"{animal}, {kind}, {words}", columns, lock, kind)
    yield from path_ratio_rows(animal, columns)


def _order_rows(title: str, columns: Columns, lock: str, kind: str) -> Iterator[Row]:
    for better, worse in ORDER:
        name = f"{title}: skating of {better} at most that of {worse}"
        own, other = (figure_of(columns.get(key, ()), lock, kind, "skating") for key in (better, worse))
        if not own or not other:
            yield skipped(name, "no record of both")
            continue
        share = ratio(own, other)
        reason = "a tie within the interval" if share.low <= 1 <= share.high else ""
        yield judged(name, shown(share), share.low <= 1, "ratio ≤ 1 or a tie", reason=reason)
    yield _nearest_row(title, columns, lock, kind)


def _nearest_row(title: str, columns: Columns, lock: str, kind: str) -> Row:
    """Whose leg activity is nearest to that of the ground truth."""
    name = f"{title}: leg activity of mann8 nearest to the ground truth"
    truth = truth_of(columns)
    shares = {
        key: ratio(own, true)
        for key in ("mann8", "mann4", "pfnn", "vanilla")
        for own, true in [
            [figure_of(r, w, kind, "activity") for r, w in ((columns.get(key, ()), lock), (truth, LOCKED))]
        ]
        if own and true
    }
    if len(shares) < 4:
        return skipped(name, "no record of all four")
    off = {key: abs(share.value - 1) for key, share in shares.items()}
    best = min(off, key=lambda key: off[key])
    ties = shares["mann8"].ties(shares[best])
    values = ", ".join(f"{key} {share.value:.2f}" for key, share in shares.items())
    return judged(name, values, ties, "mann8, or a tie", reason="" if best == "mann8" else f"{best} is nearest")


def _ratio_rows(title: str, columns: Columns, lock: str, kind: str) -> Iterator[Row]:
    """MANN with eight experts against the paper's own ratios to its ground truth."""
    truth = truth_of(columns)
    if kind not in paper.SKATING:
        return
    for what, table, more in (("skating", paper.SKATING, False), ("activity", paper.ACTIVITY, True)):
        for legs, suffix in LEGS.items():
            name = f"{title}: {what} of mann8 / the ground truth's, {legs} legs"
            own = figure_of(columns.get("mann8", ()), lock, kind, what + suffix)
            true = figure_of(truth, LOCKED, kind, what + suffix)
            if not own or not true:
                yield skipped(name, "no record")
                continue
            goal, share = paper.ratio(table, kind, legs, "mann8"), ratio(own, true)
            met = abs(np.log(share.value)) <= abs(np.log(goal)) or (share.high >= goal if more else share.low <= goal)
            yield judged(name, shown(share), bool(met), f"{'≥' if more else '≤'} {goal:.2f}, the paper's")


def path_ratio_rows(animal: str, columns: Columns) -> Iterator[Row]:
    """Skating on paths of networks with eight and four experts, and of the shipped ones."""
    for name, records in columns.items():
        if "mann" not in name:
            continue
        for pace in dict.fromkeys(p for part in part_of(records, "paths") for p in part):
            yield from _path_row(f"{animal}, {name}, {pace}", records, pace)


def _path_row(title: str, records: Sequence[Record], pace: str) -> Iterator[Row]:
    for path in PATHS:
        values = [part.get("skating_ratio") for part in part_of(records, "paths", pace, path)]
        value = mean_of(values)
        if value == value:
            name = f"{title}, {path}: skating / running free"
            yield judged(name, value, value <= MAX_PATH_RATIO, f"≤ {MAX_PATH_RATIO:g}")


def shown(share: Estimate) -> str:
    """A ratio with its interval."""
    return str(share)
