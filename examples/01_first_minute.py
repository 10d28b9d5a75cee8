"""The first minute: inspect a horse and ride it through its gaits into a picture.

- the horse that canter ships, so no file is needed
- the table of its legs, gaits and figures, as `canter inspect` prints it
- the controller `gaits`, which is told a speed and a heading in every frame
- one picture of the whole ride
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import canter
from canter import Clip, Command
from canter.anatomy.footfalls import read_footfalls
from canter.anatomy.report import report
from canter.cli.tables import console, inspection
from canter.pictures import strobe

RIDE = ((2.0, 1.6, 0), (2.0, 3.2, 40), (2.0, 5.5, 110), (1.5, 3.0, 170), (2.5, 0.0, 170))
"""Seconds, metres a second, and degrees to the left."""


def main(folder: Path) -> None:
    horse = canter.load("horse")
    console().print(inspection(report(horse)))

    controller = horse.controller("gaits")
    commands = [
        Command(speed=speed, heading=math.radians(heading))
        for seconds, speed, heading in RIDE
        for _ in range(round(seconds * controller.frame_rate))
    ]
    ride = canter.rollout(controller, commands, name="first ride")

    picture = folder / "first_minute.png"
    seen = read_footfalls(ride, horse.anatomy).footfalls
    strobe(horse, Clip(ride, seen), title="walk, trot, canter, trot, and stand").save(picture)
    print(f"The ride is drawn in {picture}. Now try: .venv/bin/canter inspect YOUR_ANIMAL.glb")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
