"""Whether the paper's claims hold here, from records: the order of networks, ratios to the ground truth, skating on
paths. A tie within the intervals is a tie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from canter.evaluation.mann import paper
from canter.evaluation.mann.grids import mean_of, part_of
from canter.evaluation.mann.measuring import LOCKED
from canter.evaluation.mann.paths import PATHS
from canter.evaluation.mann.records import Record
from canter.evaluation.mann.statistics import ratio
from canter.evaluation.mann.tables import LEGS, LOCKS, Columns, figure_of, truth_of
from canter.evaluation.report import Row, judged, skipped

DECIDES = {"captured dog": ("walk", "trot", "turn"), "dog": ("canter",)}
"""Which animal decides which kind of ride: the capture has but seconds of canter."""
ORDER = (("mann8", "mann4", False), ("mann4", "pfnn", True), ("mann4", "vanilla", True))
"""Of each pair the first should skate no more than the second, or less (True)."""
MAX_PATH_RATIO = 1.2
"""Skating on a path over that of free running."""


def verdict_rows(animal: str, columns: Columns) -> Iterator[Row]:
    """All rows of an animal; one only where no network of the tables has a record."""
    if not any(name in columns for better, worse, _ in ORDER for name in (better, worse)):
        yield skipped(f"{animal}: the paper's order of networks", "no network was trained; --retrain does it")
        yield from path_ratio_rows(animal, columns)
        return
    for lock, words in LOCKS.items():
        for kind in DECIDES.get(animal, ()):
            yield from _order_rows(f"{animal}, {kind}, {words}", columns, lock, kind)
            yield from _ratio_rows(f"{animal}, {kind}, {words}", columns, lock, kind)
    yield from path_ratio_rows(animal, columns)


def _order_rows(title: str, columns: Columns, lock: str, kind: str) -> Iterator[Row]:
    for better, worse, less in ORDER:
        name = f"{title}: skating of {better} {'below' if less else 'at most'} that of {worse}"
        own, other = (figure_of(columns.get(key, ()), lock, kind, "skating") for key in (better, worse))
        if not own or not other:
            yield skipped(name, "no record of both")
            continue
        share = ratio(own, other)
        reason = "a tie within the interval" if share.low <= 1 <= share.high else ""
        met = share.high < 1 if less else share.low <= 1
        yield judged(name, str(share), met, "ratio < 1" if less else "ratio ≤ 1 or a tie", reason=reason)
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
    off = {key: share.distance(1.0) for key, share in shares.items()}
    best = min(off, key=lambda key: off[key].value)
    ties = off["mann8"].ties(off[best])
    values = ", ".join(f"{key} {share.value:.2f}" for key, share in shares.items())
    return judged(name, values, ties, "mann8, or a tie", reason="" if best == "mann8" else f"{best} is nearest")


def _ratio_rows(title: str, columns: Columns, lock: str, kind: str) -> Iterator[Row]:
    """MANN with eight experts against the paper's own ratios to its ground truth."""
    truth = truth_of(columns)
    if kind not in paper.SKATING:
        return
    for what, table in (("skating", paper.SKATING), ("activity", paper.ACTIVITY)):
        for legs, suffix in LEGS.items():
            name = f"{title}: {what} of mann8 / the ground truth's, {legs} legs"
            own = figure_of(columns.get("mann8", ()), lock, kind, what + suffix)
            true = figure_of(truth, LOCKED, kind, what + suffix)
            if not own or not true:
                yield skipped(name, "no record")
                continue
            goal, share = paper.ratio(table, kind, legs, "mann8"), ratio(own, true)
            if what == "skating":
                yield judged(name, str(share), share.low <= goal, f"≤ {goal:.2f}, the paper's")
            else:
                met = share.low <= 1 / goal and share.high >= goal
                yield judged(name, str(share), met, f"{goal:.2f} … {1 / goal:.2f}, as near to 1 as the paper's")


def path_ratio_rows(animal: str, columns: Columns) -> Iterator[Row]:
    """Skating on paths of networks with eight and four experts, and of the shipped ones; not of those that are trained
    as the paper did, which only show what the recipe changes."""
    for name, records in columns.items():
        if "mann" not in name or name.endswith("_paper"):
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
