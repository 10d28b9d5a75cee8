"""Numbers in pictures: round ticks of an axis, and figures with their units."""

from __future__ import annotations

import math


def nice_ticks(low: float, high: float, most: int = 8) -> list[float]:
    """Round numbers from `low` to `high`, at most `most` of them, 1, 2 or 5 times a power of ten apart."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return [low] if math.isfinite(low) else [0.0]
    rough = (high - low) / max(most - 1, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    return [i * step for i in range(first, math.floor(high / step + 1e-9) + 1)]


def with_unit(value: float, unit: str) -> str:
    """A figure with its unit, or nothing where it is not known."""
    return f"{value:.2f} {unit}" if math.isfinite(value) else ""
