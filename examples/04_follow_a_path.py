"""Follow a path: a ride written as a script, performed by the clip controller, kept as a picture and a GLB.

- a script of cues: speed, a path on the ground, a place to go to
- a follower that looks at each state and turns places into headings
- the ride as one picture, and as a GLB for Blender or an engine
"""

from __future__ import annotations

import sys
from pathlib import Path

from canter import Asset, Clip, rollout, understand, write
from canter.control.follow import Follower
from canter.control.ride import format_script
from canter.control.script import Cue, Script
from canter.pictures import strobe
from canter.synthetic import example_animal

SLALOM = ((0.0, 2.0), (1.5, 3.5), (0.0, 5.0), (-1.5, 6.5), (0.0, 8.0))


def main(folder: Path) -> None:
    dog = understand(example_animal(strides=4))
    trot = dog.clip("trot")
    script = Script(
        "dog.glb",
        cues=(Cue(0.0, {"speed": trot.footfalls.speed, "path": SLALOM}), Cue(6.0, {"go_to": (3.0, 9.0)})),
        seconds=8,
    )
    print(format_script(script))

    controller = dog.controller("clip", clip="trot")
    ride = rollout(controller, Follower(script, controller), frames=script.frames(controller.frame_rate), name="slalom")
    strobe(dog, Clip(ride, trot.footfalls), title="a slalom").save(folder / "slalom.png")
    write(Asset(dog.skeleton, (ride,), dog.skins), folder / "slalom.glb")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
