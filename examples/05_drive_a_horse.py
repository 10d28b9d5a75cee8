"""Drive a horse: commands frame by frame through all its gaits, kept as a picture and a GLB.

- the controller `gaits`, which goes from any gait to any other at any moment
- speed and heading that change on the next frame
- what each state tells: the gait, the speed, where the horse looks
- the ride as one picture, its way coloured by gait, and as a GLB with the horse's skin
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

from canter import Asset, Command, load, states, write
from canter.control import to_clip
from canter.pictures import strobe

RIDE = (
    (2.5, Command(speed=1.6)),
    (3.0, Command(speed=3.0, heading=math.radians(-60))),
    (2.5, Command(speed=5.5, heading=math.radians(-125))),
    (2.0, Command(speed=9.0, heading=math.radians(-190))),
    (2.5, Command(speed=3.2, heading=math.radians(-260))),
    (2.5, Command(speed=1.4, heading=math.radians(-320))),
    (2.0, Command(heading=math.radians(-320))),
)
"""Seconds, and what is told in each frame of them."""


def main(folder: Path) -> None:
    horse = load("horse")
    controller = horse.controller("gaits")
    able = controller.capabilities
    print("gaits:", ", ".join(f"{name} {low:.1f}-{high:.1f} m/s" for name, (low, high) in able.gaits.items()))
    print("actions:", ", ".join(able.actions))

    commands = [command for seconds, command in RIDE for _ in range(round(seconds * controller.frame_rate))]
    ride = list(states(controller, commands))
    for frame in range(0, len(ride), 60):
        state = ride[frame]
        print(f"{frame / 60:4.0f} s  {state.gait:7} {state.speed:5.2f} m/s towards {math.degrees(state.facing):4.0f}°")

    clip = to_clip(ride, controller.frame_rate, "walk to gallop and back")
    write(Asset(horse.skeleton, (clip.motion,), horse.skins), folder / "horse.glb")
    gaits = [state.gait for state in ride]
    picture = strobe(horse, clip, size=(1000, 560), title=clip.name, gaits=gaits)
    picture.save(folder / "horse.png")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
