"""Clean a clip: feet that slide, a loop that gapes and an animal that hovers, before and after.

- damage like that of real files, done to the example dog
- `canter.clean`: unslide the feet, close the loop, put it on the ground, in the file's own axes and units
- figures before and after, as a chart
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from canter import Asset, clean, write
from canter.motion import transform
from canter.pictures import bar_chart
from canter.synthetic import example_animal


def damaged(asset: Asset, name: str) -> Asset:
    """One clip of `asset`, 4 cm too high at first and more at the end, sliding to and fro by 3 cm."""
    motion = asset.clip(name)
    time = np.linspace(0, 1, len(motion))
    shift = np.stack([0 * time, 0.04 + 0.01 * time, 0.03 * np.sin(6 * np.pi * time)], axis=-1)
    return replace(asset, clips=(transform(motion, translation=shift),))


def main(folder: Path) -> None:
    cleaned = clean(damaged(example_animal(strides=4), "walk"))
    write(cleaned.asset, folder / "clean.glb")

    (walk,) = cleaned.clips
    figures = {"mean slip": "slip_mean", "largest slip": "slip_max", "loop gap": "loop_gap", "off ground": "off_ground"}
    before = [abs(getattr(walk.before, name)) for name in figures.values()]
    after = [abs(getattr(walk.after, name)) for name in figures.values()]
    for name, a, b in zip(figures, before, after, strict=True):
        print(f"{name:>12}: {a:5.2f} cm before, {b:5.2f} cm after")
    chart = bar_chart(list(figures), {"before": before, "after": after}, title="A damaged walk, cleaned", y="cm")
    chart.save(folder / "clean.png")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
