"""Tables and verdicts from records that are made up."""

from __future__ import annotations

from pathlib import Path

from canter.evaluation import evaluate
from canter.evaluation.mann import paper
from canter.evaluation.mann.grids import controller_grids
from canter.evaluation.mann.network_grids import network_grids
from canter.evaluation.mann.records import Record, write_record
from canter.evaluation.mann.tables import columns_of, foot_grids
from canter.evaluation.mann.verdicts import verdict_rows
from canter.evaluation.report import Row


def made_up(column: str, skating: float, activity: float, seed: int = 0, paths: float = 1.0) -> Record:
    """A record whose figures hardly vary from track to track."""
    kinds = {}
    for kind in ("walk", "trot", "canter", "turn"):
        kinds[kind] = {}
        for name, value in (("skating", skating), ("skating_own", skating), ("activity", activity)):
            for suffix in ("", "_back"):
                kinds[kind][name + suffix] = [0.99 * value, value, 1.01 * value]
        kinds[kind]["jerk"] = [1.0, 2.0, 3.0]
    path = {"position": 3.0, "angle": 4.0, "skating": 0.1, "skating_ratio": paths, "speed": 1.0}
    figures = {"tracks": {"locked": kinds, "loose": kinds}, "paths": {"walk": {"circle": path}}}
    return Record(f"dog-{column}-{seed}", {"animal": "dog", "column": column}, seed, figures)


def columns(**skating: float) -> dict[str, list[Record]]:
    records = {
        name: made_up(name, value, 1.0 if name in ("gaits", "mann8") else 0.8) for name, value in skating.items()
    }
    return columns_of(records, "dog")


def rows_of(found: dict[str, list[Record]]) -> dict[str, Row]:
    return {row.name: row for row in verdict_rows("dog", found)}


def test_the_papers_ratios() -> None:
    ratios = {kind: round(paper.ratio(paper.SKATING, kind, "all", "mann8"), 2) for kind in ("walk", "canter", "turn")}
    assert ratios == {"walk": 1.05, "canter": 1.14, "turn": 1.18}
    back = [round(paper.ratio(paper.ACTIVITY, kind, "back", "mann8"), 2) for kind in ("walk", "canter", "turn")]
    assert back == [0.97, 0.92, 0.85]


def test_table_two_has_all_columns_and_the_papers() -> None:
    grid = next(iter(foot_grids("dog", columns(mann4=0.2, gaits=0.1))))
    names = [row[0] for row in grid.rows]
    assert names[:2] == ["gaits", "mann4"]  # the ground truth first
    assert names[2:] == [f"{column}, Zhang et al. 2018" for column in paper.COLUMNS]
    assert grid.rows[1][2] == "0.2 (0.198 … 0.202) × 2.00"
    assert all(len(row) == len(grid.headings) for row in grid.rows)


def test_the_order_of_the_paper() -> None:
    good = rows_of(columns(gaits=0.1, mann8=0.10, mann4=0.11, pfnn=0.2, vanilla=0.3))
    title = "dog, canter, without foot locking"
    assert good[f"{title}: skating of mann8 at most that of mann4"].status == "met"
    assert good[f"{title}: skating of mann4 below that of pfnn"].status == "met"
    assert good[f"{title}: leg activity of mann8 nearest to the ground truth"].status == "met"
    assert good[f"{title}: skating of mann8 / the ground truth's, all legs"].status == "met"
    bad = rows_of(columns(gaits=0.1, mann8=0.30, mann4=0.2, pfnn=0.1, vanilla=0.3))
    assert bad[f"{title}: skating of mann8 at most that of mann4"].status == "missed"
    assert bad[f"{title}: skating of mann4 below that of pfnn"].status == "missed"
    assert bad[f"{title}: skating of mann8 / the ground truth's, all legs"].status == "missed"
    wild = columns(gaits=0.1, mann8=0.1)
    wild["mann8"] = [made_up("mann8", 0.1, 1.5)]
    assert good[f"{title}: activity of mann8 / the ground truth's, all legs"].status == "met"
    assert rows_of(wild)[f"{title}: activity of mann8 / the ground truth's, all legs"].status == "missed"
    near = columns(gaits=0.1, mann8=0.2, mann4=0.2)
    near["mann8"][0].figures["tracks"]["loose"]["canter"]["skating"] = [0.3, 0.2, 0.12]
    near["pfnn"] = [made_up("pfnn", 0.2, 0.8)]
    near["pfnn"][0].figures["tracks"]["loose"]["canter"]["skating"] = [0.3, 0.2, 0.12]
    tie = rows_of(near)
    assert tie[f"{title}: skating of mann8 at most that of mann4"].reason == "a tie within the interval"
    assert tie[f"{title}: skating of mann8 at most that of mann4"].status == "met"
    assert tie[f"{title}: skating of mann4 below that of pfnn"].status == "missed"  # a tie is not less
    assert tie[f"{title}: skating of mann4 below that of vanilla"].status == "skipped"


def test_skating_on_paths_is_judged() -> None:
    found = columns_of({"a": made_up("mann4", 0.1, 1.0, paths=1.1), "b": made_up("mann8", 0.1, 1.0, paths=1.3)}, "dog")
    status = {row.name: row.status for row in verdict_rows("dog", found) if "running free" in row.name}
    assert list(status.values()) == ["met", "missed"]


def test_other_tables_print_what_there_is() -> None:
    titles = [grid.title for grid in controller_grids("dog", columns(gaits=0.1))]
    assert titles == [
        "Table 4: paths, dog",
        "Tracking and smoothness, dog, with foot locking",
        "Tracking and smoothness, dog, without foot locking",
    ]
    assert not list(network_grids("dog", columns(gaits=0.1)))


def test_the_topic_prints_from_records(tmp_path: Path) -> None:
    write_record(made_up("gaits", 0.1, 1.0), tmp_path)
    found = evaluate("mann", subject="dog", records=tmp_path)
    assert "Table 2: foot skating, dog, with foot locking, cm a frame" in [grid.title for grid in found.grids]
    assert "| gaits | 1 | 0.1 (" in found.markdown()
    assert '"tables": [{"title"' in found.json()
    nothing = evaluate("mann", subject="dog", records=tmp_path / "empty")
    assert [row.status for row in nothing.rows] == ["skipped"]
