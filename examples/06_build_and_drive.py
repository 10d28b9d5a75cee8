"""Build an animal and drive it: strides out of its clips, missing gaits made, a script ridden.

- an animal's clips, here one walk and one trot that canter makes up, as a file would hold them
- the best stride of every gait, and the gaits that it lacks as a dog would go them
- one `.canter` file that can be loaded and driven
- a ride by a script, as `canter synth` would do it, kept as a picture and a GLB
"""

from __future__ import annotations

import sys
from pathlib import Path

from canter import Asset, drivable, load, understand, write
from canter.animals.animal import dog
from canter.control.play import ride_script
from canter.control.ride import parse_script
from canter.cycles.build.file import save
from canter.pictures import strobe
from canter.synthetic import example_animal

SCRIPT = """
character = "fox.canter"
controller = "gaits"
seconds = 12

[[at]]
time = 0.0
speed = 0.7

[[at]]
time = 2.5
speed = 1.6
heading_deg = 60

[[at]]
time = 5.0
speed = 3.2
heading_deg = 120

[[at]]
time = 7.0
go_to = [-1, -1]
"""


def main(folder: Path) -> None:
    clips = example_animal(strides=4)
    built = drivable(understand(Asset(clips.skeleton, (clips.clip("walk"), clips.clip("trot")))), model=dog())
    for row in built.rows:
        print(f"{row.cycle.name}: {row.cycle.speed:.2f} m/s, from {row.taken.source} ({row.taken.how})")
    save(built, folder / "fox.canter", {"files": ["made up"]})

    fox = load(folder / "fox.canter")
    ride = ride_script(parse_script(SCRIPT), fox)
    clip = ride.clip("a fox out of two clips")
    write(Asset(fox.skeleton, (clip.motion,), fox.skins), folder / "fox.glb")
    gaits = [state.gait for state in ride.states]
    picture = strobe(fox, clip, size=(1000, 560), title=clip.name, gaits=gaits)
    picture.save(folder / "fox.png")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
