"""The first minute: inspect an animal and play it along a heading into a picture.

- an animal that canter makes up, so no file is needed
- the table of its legs, gaits and figures, as `canter inspect` prints it
- the clip controller, which plays a loop towards a heading
- one picture of the whole ride
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

from canter import Clip, Command, rollout, understand
from canter.anatomy.report import report
from canter.anatomy.synthetic import example_animal
from canter.cli.tables import console, inspection
from canter.pictures import strobe


def main(folder: Path) -> None:
    dog = understand(example_animal(strides=4))
    console().print(inspection(report(dog)))

    trot = dog.clip("trot")
    controller = dog.controller("clip", clip="trot")
    frames = range(6 * 60)
    commands = [Command(speed=trot.footfalls.speed, heading=math.radians(150) * frame / 360) for frame in frames]
    ride = rollout(controller, commands, name="trot")

    picture = folder / "first_minute.png"
    strobe(dog, Clip(ride, trot.footfalls), title="the example dog trots to the left").save(picture)
    print(f"The ride is drawn in {picture}. Now try: .venv/bin/canter inspect YOUR_ANIMAL.glb")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
