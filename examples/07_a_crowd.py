"""A batch: 64 dogs stepped together, each where it likes at a speed of its own.

- a batch controller, which steps all animals of a kind at once
- speeds and headings as arrays, one number for each animal
- what a step costs for each of them
- a picture of all of them, their ways coloured by gait
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from canter import Motion, load
from canter.control import BatchCommand, make_batch
from canter.pictures.strobe import crowd_picture

COUNT, SECONDS = 64, 4


def main(folder: Path) -> None:
    dog = load("dog")
    dogs = make_batch("gaits", dog, COUNT)
    speeds = np.linspace(0.6, 5.0, COUNT)
    gaps = 1 / np.sqrt(speeds)
    headings = 2 * np.pi * (np.cumsum(gaps) - gaps) / gaps.sum() - np.pi
    frames = round(SECONDS * dogs.frame_rate)
    ways = np.zeros((COUNT, frames, 3))
    gaits = np.zeros((COUNT, frames), int)

    start = time.perf_counter()
    for frame in range(frames):
        state = dogs.step(BatchCommand.make(speeds, headings + frame / frames))
        ways[:, frame], gaits[:, frame] = state.place, state.gait
    cost = (time.perf_counter() - start) / (frames * COUNT)
    print(f"{COUNT} dogs, {SECONDS} s: {cost * 1e6:.0f} microseconds for each dog and frame")

    last = Motion(dog.skeleton, dogs.frame_rate, state.positions, state.rotations, "all dogs")
    names = [[state.gait_names[gait] for gait in row] for row in gaits]
    picture = crowd_picture(dog, last, ways, names, title=f"{COUNT} dogs after {SECONDS} seconds")
    picture.save(folder / "crowd.png")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
