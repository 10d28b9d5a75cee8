"""The losses of a training as a picture (MANN, Figure 6)."""

from __future__ import annotations

import io
import itertools
from collections.abc import Mapping, Sequence
from typing import Any


def curve_picture(curve: Sequence[Mapping[str, Any]], title: str) -> bytes:
    """A PNG of every part of the loss over the steps, in training and on clips that were held back; borders where a
    network begins to run for longer on its own. Empty without matplotlib, or without two epochs to draw."""
    if len(curve) < 2:
        return b""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return b""
    parts = list(curve[0]["training"])
    figure = Figure(figsize=(3.2 * len(parts), 2.8), layout="constrained")
    steps = [epoch["step"] for epoch in curve]
    for k, part in enumerate(parts):
        axes = figure.add_subplot(1, len(parts), k + 1)
        for kind in ("training", "validation"):
            values = [epoch[kind].get(part) for epoch in curve]
            if all(value is not None and value > 0 for value in values):
                axes.semilogy(steps, values, label=kind, linewidth=1)
        for before, after in itertools.pairwise(curve):
            if before["frames"] != after["frames"]:
                axes.axvline(before["step"], color="0.7", linewidth=0.8)
        axes.set_title(part, fontsize=9)
        axes.set_xlabel("steps", fontsize=8)
        axes.tick_params(labelsize=7)
        if k == 0:
            axes.legend(fontsize=7, title=title, title_fontsize=7)
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=110)
    return content.getvalue()
