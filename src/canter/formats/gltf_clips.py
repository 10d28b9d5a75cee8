"""glTF animations as clips: each sampler has its own key times, all are sampled on one grid of frames."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from canter.formats import gltf_accessors as accessors
from canter.formats.files import COMMON_RATES, check_size
from canter.formats.gltf_file import Document, Json
from canter.formats.scene_nodes import Nodes, accumulate, make_motion, uniform_scale
from canter.motion import rotations as rot
from canter.motion.arrays import Floats, Ints
from canter.motion.skeleton import Motion, Skeleton

PATHS = ("translation", "rotation", "scale")
DEFAULT_RATE = 30.0
MAX_RATE = 240.0
MIN_KEY_RATE = 20.0  # keys a second; sparser keys do not show the frame rate

Curve = tuple[Floats, Floats, str]  # key times, values (keys, components) or (keys, 3, components), interpolation


def read_clips(document: Document, nodes: Nodes, skeleton: Skeleton, scale: Floats, notes: list[str]) -> list[Motion]:
    """All animations of the file that move a joint."""
    clips = []
    for i, animation in enumerate(document.objects("animations")):
        curves = _curves(document, animation, f"animations[{i}]", notes)
        if curves:
            name = document.text(animation, "name", f"animation_{i}")
            rate = _given_rate(document, animation) or frame_rate([times for times, _, _ in curves.values()])
            clips.append(_clip(document, nodes, skeleton, scale, curves, rate, name, notes))
    return clips


def _given_rate(document: Document, animation: Json) -> float | None:
    """The frame rate that canter's own writer noted down."""
    extras = animation.get("extras")
    rate = extras.get("frame_rate") if isinstance(extras, dict) else None
    return float(rate) if isinstance(rate, int | float) and 0 < rate <= 1000 else None


def _curves(document: Document, animation: Json, where: str, notes: list[str]) -> dict[tuple[int, str], Curve]:
    """Curves by node and path."""
    samplers = document.objects("samplers", animation, f"{where}.")
    curves: dict[tuple[int, str], Curve] = {}
    for i, channel in enumerate(document.objects("channels", animation, f"{where}.")):
        place = f"{where}.channels[{i}]"
        target = document.mapping(channel, "target", place)
        path = target.get("path")
        if "node" not in target or path not in PATHS:
            notes.append(f"animation of {path} is left out" if path else "a channel without a target is left out")
            continue
        sampler = samplers[document.integer(channel, "sampler", place, below=len(samplers))]
        node = document.integer(target, "node", place)
        curves[node, str(path)] = _curve(document, sampler, str(path), place)
    return curves


def _curve(document: Document, sampler: Json, path: str, where: str) -> Curve:
    times = accessors.floats(document, document.integer(sampler, "input", where), "SCALAR")[:, 0]
    kind = "VEC4" if path == "rotation" else "VEC3"
    values = accessors.floats(document, document.integer(sampler, "output", where), kind)
    how = sampler.get("interpolation", "LINEAR")
    if how not in ("LINEAR", "STEP", "CUBICSPLINE"):
        raise document.error(where, f"the interpolation {str(how)[:40]!r} is not known")
    if len(values) != len(times) * (3 if how == "CUBICSPLINE" else 1) or not len(times):
        raise document.error(where, f"{len(times)} key times do not fit {len(values)} values")
    if np.any(np.diff(times) < 0):
        raise document.error(where, "its key times do not rise", "Export the animation again")
    if how == "CUBICSPLINE":
        values = values.reshape(len(times), 3, -1)
    if path == "rotation":
        values = values[..., [3, 0, 1, 2]]
    return times, values, how


def frame_rate(times: list[Floats]) -> float:
    """The grid on which all keys lie, as frames a second; `DEFAULT_RATE` when keys are too sparse to show it."""
    keys = np.unique(np.concatenate(times))
    gaps = np.diff(keys)
    gaps = gaps[gaps > 1e-4]
    if not len(gaps):
        return DEFAULT_RATE
    finest = 1 / float(gaps.min())
    since = keys - keys[0]
    if finest < MIN_KEY_RATE:
        return next((float(r) for r in (30, 24, 25) if _fits(since, r)), DEFAULT_RATE)
    whole = round(finest)
    rates = sorted({*COMMON_RATES, *(n * whole for n in (1, 2))})
    fitting = [r for r in rates if finest * 0.98 <= r <= MAX_RATE and _fits(since, r)]
    if fitting:
        return float(fitting[0])
    usual = 1 / float(np.median(gaps))
    exact = float(round(since[-1] * usual) / since[-1])
    if exact <= MAX_RATE and _fits(since, exact):
        return exact
    near = min(COMMON_RATES, key=lambda r: abs(r - usual))
    return float(near) if abs(near - usual) < 0.02 * usual else 60.0


def _fits(since: Floats, rate: float) -> bool:
    frames = since * rate
    return bool(np.abs(frames - np.round(frames)).max() < 0.03)


def _clip(
    document: Document,
    nodes: Nodes,
    skeleton: Skeleton,
    scale: Floats,
    curves: dict[tuple[int, str], Curve],
    rate: float,
    name: str,
    notes: list[str],
) -> Motion:
    first = min(float(times[0]) for times, _, _ in curves.values())
    last = max(float(times[-1]) for times, _, _ in curves.values())
    frames = _frames(document, last - first, rate, max(len(times) for times, _, _ in curves.values()), skeleton, name)
    grid = first + np.arange(frames) / rate
    translations = np.tile(nodes.translations[nodes.kept], (frames, 1, 1))
    rotations = np.tile(skeleton.rotations, (frames, 1, 1))
    for (node, path), curve in curves.items():
        if path == "rotation":
            rotations[:, nodes.joint[node]] = sample(curve, grid, rotation=True)
        elif path == "translation":
            translations[:, nodes.joint[node]] = sample(curve, grid, rotation=False)
    own = _own_scale(document, nodes, curves, grid, notes)
    total = scale[None] if own is None else accumulate(nodes, own)
    return make_motion(document.path, skeleton, rate, translations, rotations, total, name)


def _frames(document: Document, seconds: float, rate: float, keys: int, skeleton: Skeleton, name: str) -> int:
    """How many frames the clip has; refuses a few keys that last for hours."""
    frames = int(min(seconds * rate + 0.03, 1e12)) + 1
    if frames > 64 * keys + 10_000:
        problem = f"it lasts {seconds:.0f} s and has only {keys} keys"
        raise document.error(f"animation {name!r}", problem, "Bake the animation, or trim it, and export again")
    check_size(document.path, frames, len(skeleton))
    return frames


def _own_scale(
    document: Document, nodes: Nodes, curves: dict[tuple[int, str], Curve], grid: Floats, notes: list[str]
) -> Floats | None:
    """Each joint's own scale over time `(T, J)`, or None when no scale is animated."""
    animated = {node: curve for (node, path), curve in curves.items() if path == "scale"}
    if not animated:
        return None
    result = np.empty((len(grid), len(nodes.kept)))
    for node in nodes.kept:
        values = sample(animated[node], grid, rotation=False) if node in animated else nodes.scales[node][None]
        result[:, nodes.joint[node]] = uniform_scale(document.path, nodes, node, values, notes)
    if np.ptp(result, axis=0).max(initial=0) > 0.01:
        notes.append("animated scale moves the joints; the surface keeps its size")
    return result


def sample(curve: Curve, grid: Floats, rotation: bool) -> Floats:
    """The curve at the times of `grid`, held before its first and after its last key."""
    times, values, how = curve
    reach = np.clip(grid, times[0], times[-1])
    left = np.clip(np.searchsorted(times, reach + 1e-6, side="right") - 1, 0, max(len(times) - 2, 0))
    right = np.minimum(left + 1, len(times) - 1)
    span = np.maximum(times[right] - times[left], 1e-12)
    t = np.clip((reach - times[left]) / span, 0, 1)
    result = MIX[how](values, left, right, t, span, rotation)
    return rot.unit(result) if rotation else result


def _linear(values: Floats, left: Ints, right: Ints, t: Floats, span: Floats, rotation: bool) -> Floats:
    a, b = values[left], values[right]
    if rotation:
        return rot.slerp(rot.unit(a), rot.unit(b), t)
    result: Floats = a + (b - a) * t[:, None]
    return result


def _step(values: Floats, left: Ints, right: Ints, t: Floats, span: Floats, rotation: bool) -> Floats:
    result: Floats = np.where(t[:, None] * span[:, None] > span[:, None] - 1e-6, values[right], values[left])
    return result


def _cubic(values: Floats, left: Ints, right: Ints, t: Floats, span: Floats, rotation: bool) -> Floats:
    """Hermite spline of glTF 2.0, appendix C.4; values are (in-tangent, value, out-tangent)."""
    t, span = t[:, None], span[:, None]
    a, b = values[left, 1], values[right, 1]
    out, into = values[left, 2] * span, values[right, 0] * span
    result: Floats = (
        (2 * t**3 - 3 * t**2 + 1) * a + (t**3 - 2 * t**2 + t) * out + (3 * t**2 - 2 * t**3) * b + (t**3 - t**2) * into
    )
    return result


MIX: dict[str, Callable[[Floats, Ints, Ints, Floats, Floats, bool], Floats]] = {
    "LINEAR": _linear,
    "STEP": _step,
    "CUBICSPLINE": _cubic,
}
