"""How long it takes to understand a folder of raw capture: 20 takes of 10 s at 120 Hz with some 60 joints, and one.

The takes are made up. `python -P benchmarks/inspecting.py` measures only this; `make bench` does it too.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from canter.anatomy.folder import motion_files
from canter.control.sources import open_together
from canter.formats import write
from canter.synthetic.folder import synthetic_folder

TAKES, TAKE_SECONDS, FRAME_RATE = 20, 10.0, 120.0
FOLDER_GOAL, TAKE_GOAL = 10.0, 1.0
"""Seconds for the folder, and for one take."""
SEED = 14


def make_takes(folder: Path) -> list[str]:
    """The files of a folder of capture, each as long as `TAKE_SECONDS`."""
    rig = synthetic_folder(SEED, frame_rate=f"{FRAME_RATE:g}", ears=True, nubs=True, twist_bones=False)
    frames, made = round(TAKE_SECONDS * FRAME_RATE), 0
    while made < TAKES:
        for asset in rig.assets:
            clip = asset.clips[0]
            if made < TAKES and len(clip) >= frames:
                first = made * 97 % (len(clip) - frames + 1)
                take = replace(clip[first : first + frames], name=f"take_{made:02d}")
                write(replace(asset, clips=(take,)), folder / f"take_{made:02d}.bvh")
                made += 1
    return motion_files([folder])


def times() -> tuple[float, float, int]:
    """Seconds of processor time for the folder and for one take of it, and the number of joints."""
    with tempfile.TemporaryDirectory() as folder:
        files = make_takes(Path(folder))
        joints = len(next(iter(open_together(files[:1]).values())).skeleton)  # and everything is imported
        spent = []
        for names in (files, files[:1]):
            start = time.process_time()
            open_together(names)
            spent.append(time.process_time() - start)
    return spent[0], spent[1], joints


def main() -> int:
    whole, one, joints = times()
    takes = f"{TAKES} takes of {TAKE_SECONDS:g} s at {FRAME_RATE:g} Hz, {joints} joints"
    print(f"{takes}: {whole:.2f} s, goal {FOLDER_GOAL:g}")
    print(f"one of them: {one:.2f} s, goal {TAKE_GOAL:g}")
    return 0 if whole < FOLDER_GOAL and one < TAKE_GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
