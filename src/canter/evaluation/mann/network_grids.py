"""Tables of networks from records: what was trained, what their experts do, what gates see, what was held out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from canter.evaluation.mann import paper
from canter.evaluation.mann.grids import mean_of, number, part_of
from canter.evaluation.mann.measures import UNITS
from canter.evaluation.mann.measuring import LOCKED, LOOSE
from canter.evaluation.mann.records import Record
from canter.evaluation.mann.statistics import NOTHING, estimate, ratio
from canter.evaluation.mann.tables import Columns, figure_of, truth_of, with_ratio
from canter.evaluation.report import Grid

GATES = ("mann4", "gating_positions", "gating_both", "gating_rotations", "gating_input")
"""Networks that differ in what their gate sees."""
HELD_OUT = ("gaits", "mann4", "no_trot_turns")
"""Who is asked to turn at a trot: the teacher, a network that saw it, and one that did not."""


def network_grids(animal: str, columns: Columns) -> Iterator[Grid]:
    """All of them; those without a row are left out."""
    made = (
        training_grid(animal, columns),
        gate_grid(animal, columns),
        held_out_grid(animal, columns),
        expert_grid(animal, columns),
        ablation_grid(animal, columns),
    )
    yield from (grid for grid in made if grid.rows)


def gate_grid(animal: str, columns: Columns) -> Grid:
    """What the gate sees: losses, skating and leg activity of one seed each."""
    truth, rows = truth_of(columns), []
    for name in GATES:
        records = [record for record in columns.get(name, ()) if record.seed == 0 and record.figures]
        if not records or "gating_input" not in columns:
            continue
        about = records[0].config["training"]
        cells = [about["recipe"]["gating"], number(about["validation"].get("joints"))]
        for kind in ("walk", "trot", "canter", "turn"):
            for figure in ("skating", "activity"):
                own, true = (figure_of(x, w, kind, figure) for x, w in ((records, LOOSE), (truth, LOCKED)))
                cells.append(number(ratio(own, true).value) if own and true else "–")
        cells.append(
            number(100 * mean_of([p["share"] for part in part_of(records, "gaits", "changing") for p in part.values()]))
        )
        rows.append([name, *cells])
    headings = (
        "",
        "gate sees",
        "loss of joints",
        *(f"{k}, {f}" for k in ("walk", "trot", "canter", "turn") for f in ("skating", "activity")),
        "gaits, %",
    )
    note = (
        "One seed each, without foot locking: loss on takes that were held back; skating and leg activity as ratios to "
        "the ground truth; per cent of strides with the gait of the data while speeds change. Labels and wanted speed "
        "are always seen."
    )
    return Grid(f"What the gate sees, {animal}", headings, rows, note)


def held_out_grid(animal: str, columns: Columns) -> Grid:
    """Turns at a trot, of networks that have seen them and that have not."""
    figures, rows = ("skating", "activity", "speed_error", "heading_error"), []
    if "no_trot_turns" in columns:
        truth = [_trot_turns(columns["gaits"], f, LOCKED) for f in figures] if "gaits" in columns else []
        for name in HELD_OUT:
            records = [record for record in columns.get(name, ()) if record.seed == 0]
            for lock in (LOCKED, LOOSE):
                own = [_trot_turns(records, f, lock) for f in figures]
                if own[0]:
                    shares = [
                        ratio(a, b) if b and k < 2 else NOTHING for k, (a, b) in enumerate(zip(own, truth, strict=True))
                    ]
                    cells = [with_ratio(estimate(x), share) for x, share in zip(own, shares, strict=True)]
                    rows.append([name, "yes" if lock == LOCKED else "no", *cells])
    headings = ("", "foot locking", *(f"{f.replace('_', ' ')}, {UNITS[f]}" for f in figures))
    note = "The network `no_trot_turns` saw no frame in which the animal trots and turns (over 0.25 rad/s)."
    return Grid(f"Turns at a trot held out, {animal}", headings, rows, note)


def _trot_turns(records: Sequence[Record], figure: str, lock: str) -> list[list[float | None]]:
    """A figure of the turns that are faster than all walks."""
    found = []
    for record in records:
        walks, speeds, values = (
            figure_of([record], lock, kind, name)
            for kind, name in (("walk", "speed"), ("turn", "speed"), ("turn", figure))
        )
        if walks and speeds and values:
            limit = max(x for x in walks[0] if x is not None)
            found.append(
                [v for v, speed in zip(values[0], speeds[0], strict=True) if speed is not None and speed > limit]
            )
    return [row for row in found if row]


def expert_grid(animal: str, columns: Columns) -> Grid:
    """Figure 9: the mean weight of every expert, by what the animal does; of the first seed."""
    rows = []
    for name, records in columns.items():
        for task, part in next(iter(part_of(records[:1], "experts", "activations")), {}).items():
            mean = np.array(part["mean"], float)
            used = float(np.exp(-(mean * np.log(np.maximum(mean, 1e-12))).sum())) if (mean >= 0).all() else float("nan")
            rows.append([name, task, " ".join(f"{x:.2f}" for x in mean), number(used, 2)])
    note = (
        "Experts in use: the exponential of the entropy of the mean weights. Weights of a PFNN are those of its spline."
    )
    return Grid(f"Figure 9: weights of experts, {animal}", ("", "task", "mean weights", "experts in use"), rows, note)


def ablation_grid(animal: str, columns: Columns) -> Grid:
    """Table 5: what breaks without each expert; of the first seed."""
    rows = []
    for name, records in columns.items():
        for expert, wrong in next(iter(part_of(records[:1], "experts", "without")), {}).items():
            words = "; ".join(f"{task}: {what}" for task, what in wrong.items()) or "nothing measurable"
            rows.append([name, expert, words])
    if rows:
        rows += [[f"8 experts, {paper.CITATION}", str(k), words] for k, words in paper.EXPERTS.items()]
    note = (
        "What falls below 0.7 of the whole network's speed or turn, below half of its strides with the right gait, "
        "outside of 0.6 to 1.5 of its leg activity, or which action is not reached any more."
    )
    return Grid(f"Table 5: without one expert, {animal}", ("", "without", "what breaks"), rows, note)


def training_grid(animal: str, columns: Columns) -> Grid:
    """What was trained for the tables, and the losses on what was held back."""
    rows = []
    for name, records in columns.items():
        trained = [record for record in records if "recipe" in record.config.get("training", {})]
        if trained:
            abouts = [record.config["training"] for record in trained]
            losses = [
                mean_of([about["validation"].get(part) for about in abouts]) for part in ("joints", "root", "contacts")
            ]
            recipe = abouts[0]["recipe"]
            size = (
                f"{recipe['experts']} × {recipe['units']}" if recipe["network"] != "vanilla" else str(recipe["units"])
            )
            steps = number(mean_of([about["steps"] for about in abouts]), 4)
            minutes = number(mean_of([record.training_seconds / 60 for record in trained]))
            seeds = " ".join(str(record.seed) for record in trained)
            cells = [
                name,
                recipe["network"],
                size,
                str(abouts[0]["parameters"]),
                recipe["gating"],
                seeds,
                minutes,
                steps,
            ]
            rows.append([*cells, *(number(x) for x in losses)])
    headings = (
        "",
        "network",
        "units",
        "parameters",
        "gate sees",
        "seeds",
        "minutes",
        "steps",
        "joints",
        "root",
        "contacts",
    )
    note = (
        "All on the same data for the same minutes. Networks called `..._paper` learn every frame by itself; all "
        "others share one recipe. Losses over 24 frames of takes that were held back."
    )
    return Grid(f"Networks of the tables, {animal}", headings, rows, note)
