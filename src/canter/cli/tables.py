"""Reports as rich tables. Only drawing is here; the figures come from `canter.anatomy.report` and the other rooms."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from canter.cli.shipped import pace, span

if TYPE_CHECKING:
    from canter.anatomy import Character
    from canter.cleaning.clean import Cleaned

MIN_TURN_DEGREES = 5
"""Degrees a second from which a span is said to turn."""
PIPE_WIDTH = 120
"""Columns where the output is no terminal."""
AXES = {(1, 0): "+X", (-1, 0): "-X", (1, 1): "+Y", (-1, 1): "-Y", (1, 2): "+Z", (-1, 2): "-Z"}


def console(error: bool = False, markup: bool = False) -> Console:
    """The console of tables: stdout, or stderr for progress and messages."""
    made = Console(stderr=error, highlight=False, markup=markup, emoji=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = PIPE_WIDTH
    return made


def inspection(found: Mapping[str, Any]) -> RenderableType:
    """One file: a few lines on the animal, then a row for each clip."""
    parts: list[RenderableType] = [_headline(found), _animal(found)]
    if found["clips"]:
        parts.append(_clips(found))
    for clip in found["clips"]:
        if len(clip["spans"]) > 1:
            parts.append(_timeline(clip))
        parts += [Text(f"  {clip['name']}: {doubt}", "yellow") for doubt in clip["doubts"]]
    return Group(*parts, Text())


def _timeline(clip: Mapping[str, Any]) -> Table:
    """The spans of a take, a line each."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    for justify in ("right", "right", "left", "right", "right", "left"):
        table.add_column(justify=justify, no_wrap=True)
    for part in clip["spans"]:
        words = Text(part["label"], "green")
        if part["runner_up"]:
            words.append(f" ({part['runner_up']})", "dim")
        goes = part["label"] not in ("stand", "sit", "lie")
        rate = math.degrees(part["turn_rate"])
        table.add_row(
            f"{part['start']:.2f}",
            f"{part['end']:.2f} s",
            words,
            f"{part['speed']:.2f} m/s" if goes else "",
            f"{1 / part['stride_s']:.2f} strides/s" if part["stride_s"] else "",
            f"turns {rate:+.0f}°/s" if goes and abs(rate) > MIN_TURN_DEGREES else "",
        )
    return table


def summary(opened: Mapping[str, Character]) -> Table:
    """How long several files show what, the longest first."""
    seconds: dict[str, float] = {}
    for character in opened.values():
        for clip in character.clips:
            for part in clip.footfalls.spans:
                seconds[part.label] = seconds.get(part.label, 0.0) + part.seconds
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=f"{len(opened)} files", title_justify="left")
    table.add_column("label")
    table.add_column("s", justify="right")
    for label, length in sorted(seconds.items(), key=lambda item: -item[1]):
        table.add_row(label, f"{length:.1f}")
    return table


def _headline(found: Mapping[str, Any]) -> Text:
    line = Text(found["file"], "bold")
    line.append(f"   {found['kind']}", "bold cyan" if found["kind"] != "other" else "bold yellow")
    line.append(f", confidence {found['confidence']:.2f}", "dim")
    return line


def _animal(found: Mapping[str, Any]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("  axes", f"up {axis_name(found['up'])}, forward {axis_name(found['forward'])}")
    table.add_row("  size", _size(found))
    for name, joints in {**found["legs"], **{f"arm {k}": v for k, v in found["arms"].items()}}.items():
        table.add_row(f"  {name}", " › ".join(joints))
    if found["head"]:
        table.add_row("  head", found["head"])
    if found["tail"]:
        table.add_row("  tail", " › ".join(found["tail"]))
    for doubt in found["doubts"]:
        table.add_row("  doubt", Text(doubt, "yellow"))
    return table


def _size(found: Mapping[str, Any]) -> str:
    if found["hip_height"] is None:
        return "unknown"
    unit = f"a unit is {found['metres_per_unit']:.4g} m ({found['scale_reason']})"
    if found["scale_known"]:
        return f"hips {found['hip_height']:.2f} m high; {unit}"
    return f"hips about {found['hip_height']:.2f} m high, a guess that --hip-height corrects; {unit}"


def axis_name(v: Sequence[float]) -> str:
    """`+Y` for an axis of the file, the numbers for a direction between axes."""
    largest = max(range(3), key=lambda i: abs(v[i]))
    if abs(v[largest]) > math.cos(math.radians(2)):
        return AXES[(1 if v[largest] > 0 else -1, largest)]
    return "(" + ", ".join(f"{x:.2f}" for x in v) + ")"


def _clips(found: Mapping[str, Any]) -> Table:
    """A row a clip. Figures are never cut; in a narrow terminal the names and gaits wrap."""
    legs = "".join(f"{name:>3}" for name in found["legs"])
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("clip", overflow="fold", max_width=30)
    table.add_column("s", justify="right", min_width=5)
    table.add_column("gait")
    table.add_column("m/s", justify="right", min_width=5)
    table.add_column("strides\n/s", justify="right", min_width=7)
    table.add_column(f"duty %\n{legs}", min_width=len(legs), no_wrap=True)
    table.add_column(f"phase %\n{legs}", min_width=len(legs), no_wrap=True)
    table.add_column("skating\ncm", justify="right", min_width=7)
    for clip in found["clips"]:
        table.add_row(*_clip_row(clip, list(found["legs"])))
    return table


def _clip_row(clip: Mapping[str, Any], legs: list[str]) -> list[str | Text]:
    stride = clip["stride_s"]
    return [
        Text(clip["name"]),
        f"{clip['seconds']:.2f}",
        _gait(clip),
        figure(clip["speed"]),
        figure(1 / stride if stride else None),
        _percents(clip["duty"], legs),
        _percents(clip["phases"], legs),
        figure(clip["skating_cm"]),
    ]


def _gait(clip: Mapping[str, Any]) -> Text:
    words = Text(f"{clip['sequence']} {clip['gait']}" if clip["sequence"] else clip["gait"], "green")
    if clip["runner_up"]:
        words.append(f" ({clip['runner_up']})", "dim")
    if clip["in_place"] and clip["gait"] not in ("stand", "action", "unknown"):
        words.append(" in place", "dim")
    return words


def _percents(table: Mapping[str, float | None], legs: list[str]) -> str:
    """Per leg, in the order of the head line; a dash where the clip does not show it."""
    if not table:
        return ""
    values = (table.get(name) for name in legs)
    return "".join(f"{'-' if x is None else round(100 * x):>3}" for x in values)


def figure(x: float | None, digits: int = 2) -> str:
    return "-" if x is None or not math.isfinite(x) else f"{x:.{digits}f}"


def animal(found: Mapping[str, Any]) -> RenderableType:
    """One animal that canter ships: what it is, a row for each gait, and its other clips."""
    line = Text(found["name"], "bold cyan")
    line.append(f"   {found['about']}", "bold")
    if "missing" in found:
        return Group(line, Text(f"  {found['missing']}", "yellow"), Text())
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    skin = f"a skin of {found['triangles']:,} triangles" if found["triangles"] else "no skin"
    table.add_row("  body", f"hips {figure(found['hip_height'])} m high, {found['joints']} joints, {skin}")
    if found["clips"]:
        clips = ", ".join(f"{clip['name']} {figure(clip['seconds'], 1)} s" for clip in found["clips"])
        table.add_row("  also", clips)
    return Group(line, table, _paces(found["gaits"]))


def _paces(gaits: Sequence[dict[str, Any]]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("gait", style="green", min_width=10)
    table.add_column("usual\nm/s", justify="right", min_width=13, no_wrap=True)
    table.add_column("range\nm/s", justify="right", min_width=13, no_wrap=True)
    table.add_column("strides\n/s", justify="right", min_width=7)
    for gait in gaits:
        table.add_row(gait["name"], pace(gait), span(gait), figure(gait["strides_a_second"]))
    return table


def cleaning(file: str, cleaned: Cleaned) -> RenderableType:
    """What cleaning did to each clip: figures before and after."""
    table = Table(box=box.SIMPLE_HEAD, title=file, title_justify="left", title_style="bold")
    table.add_column("clip", overflow="ellipsis", no_wrap=True, max_width=30)
    table.add_column("frames", justify="right")
    for title in ("stance slip\nmean, cm", "stance slip\nlargest, cm", "skating\ncm", "loop gap\ncm", "off ground\ncm"):
        table.add_column(title, justify="right", no_wrap=True)
    for clip in cleaned.clips:
        pairs = zip(astuple(clip.before), astuple(clip.after), strict=True)
        table.add_row(clip.motion.name, str(len(clip.motion)), *(_change(a, b) for a, b in pairs))
    notes = [Text(f"  {clip.motion.name}: {note}", "yellow") for clip in cleaned.clips for note in clip.notes]
    return Group(table, *notes)


def _change(before: float, after: float) -> str:
    return "-" if not math.isfinite(before) else f"{_rounded(before)} › {_rounded(after)}"


def _rounded(x: float) -> str:
    return f"{round(x, 2) + 0.0:.2f}"
