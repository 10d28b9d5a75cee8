"""What became of a sweep, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table

from canter.neural.training.sweep import Result

COLUMNS = ("run", "", "steps", "minutes", "frames/s", "joints", "root", "contacts", "MB")


def sweep_table(results: Sequence[Result]) -> Table:
    """A row for each run by name: what became of it, and its losses on takes that were held back."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title="losses on takes held back", title_justify="left")
    for number, name in enumerate(COLUMNS):
        table.add_column(name, justify="left" if number < 2 else "right")
    for result in sorted(results, key=lambda result: result.run.name):
        if result.record is None:
            table.add_row(result.run.name, "failed")
            continue
        figures = result.record["figures"]
        losses = figures["validation"]  # none, if no take was held back
        table.add_row(
            result.run.name,
            "skipped" if result.skipped else "trained",
            str(figures["steps"]),
            f"{figures['training_seconds'] / 60:.1f}",
            f"{figures['frames_per_second']:.0f}",
            *(f"{losses[part]:.4f}" if part in losses else "" for part in ("joints", "root", "contacts")),
            f"{figures['megabytes']:.1f}",
        )
    return table
