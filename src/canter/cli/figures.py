"""`python -m canter.cli.figures docs` draws the pictures of the page on cycles, from the engine as it is now.

`make figures` runs it. They go into pictures/cycles under the folder; the same code gives the same files.
"""

from __future__ import annotations

import argparse
import io
import math
import runpy
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image
from rich.progress import track

from canter.anatomy import Clip, Footfalls
from canter.cli.tables import console
from canter.control import Command, State, make_controller, states, to_clip
from canter.control.follow import Follower
from canter.control.registry import load
from canter.control.ride import read_script
from canter.control.world import Steps, World
from canter.cycles.engine.gait_graph import HYSTERESIS
from canter.cycles.engine.laws import fit_stride_law
from canter.cycles.engine.state import mean_phase, wrap
from canter.cycles.gaits.batch import Pack
from canter.motion import Motion
from canter.motion.arrays import Floats
from canter.motion.constants import GRAVITY
from canter.pictures.gait_graph import GaitRange, gait_graph_picture
from canter.pictures.palette import MUTED
from canter.pictures.plot import Axis, Series, joined, line_chart
from canter.pictures.profile import profile_picture
from canter.pictures.ride import Ride, ride_picture
from canter.pictures.sheet import pose_strip
from canter.pictures.stride_law import StrideLaw, stride_law_picture
from canter.pictures.warp import INSIDE, Warp, warp_picture

PICTURES = Path("pictures/cycles")
EXAMPLES = Path(__file__).parents[3] / "examples"
BEFORE, AFTER = 0.8, 1.7
"""Seconds that a picture of a transition shows."""
POSES = 7
PRESETS = ("gaits", "huang", "sung")
PHASES = 6
"""Moments of a stride at which the presets are told something new."""
RATE, RESPONSE = 60.0, 4.0
"""Frames a second of a ride, and the seconds that are shown of how presets follow."""
SETTLING = 4.0
"""Seconds after which an animal keeps its gait's time."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where pictures/cycles goes, such as docs")
    folder: Path = parser.parse_args().folder / PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in track(figures().items(), "drawing", console=console(error=True)):
        path = folder / f"{name}.png"
        draw().save(path, optimize=True)
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB", flush=True)


def figures() -> dict[str, Callable[[], Image.Image]]:
    """All pictures by name."""
    return {
        "gait_graph_horse": partial(gait_graph, "horse"),
        "gait_graph_dog": partial(gait_graph, "dog"),
        "stride_law": partial(stride_laws, ("horse", "dog")),
        "walk_to_trot": partial(warp, "horse", "walk", "trot"),
        "trot_to_canter": partial(warp, "horse", "trot", "canter"),
        "spiral": partial(ridden, EXAMPLES / "scripts" / "spiral.toml", "A spiral from walk to gallop and back"),
        "stairs": stairs,
        "presets": presets,
        "drive": partial(example, "05_drive_a_horse.py", "horse.png"),
        "built": partial(example, "06_build_and_drive.py", "fox.png"),
        "crowd": partial(example, "07_a_crowd.py", "crowd.png"),
    }


def gait_graph(animal: str) -> Image.Image:
    """The gaits that an animal takes by speed, and those that it takes when asked."""
    pack = Pack(load(animal))
    ahead, others = (
        [GaitRange(pack.names[k], *pack.choice.ranges[k], pack.crowd.library.cycles[k].speed) for k in ks]
        for ks in (pack.choice.ahead, pack.choice.others)
    )
    return gait_graph_picture(ahead, others, hysteresis=HYSTERESIS, title=f"The gait graph of the {animal}")


def stride_laws(animals: Sequence[str]) -> Image.Image:
    """Sung's law through the gaits of each animal that go ahead."""
    return stride_law_picture([_stride_law(animal) for animal in animals])


def _stride_law(animal: str) -> StrideLaw:
    pack = Pack(load(animal))
    height = pack.character.anatomy.hip_height
    gaits = [*pack.choice.ahead, *pack.choice.others]
    speeds = np.array([pack.crowd.library.cycles[k].speed for k in gaits])
    lengths = speeds * np.array([pack.crowd.library.cycles[k].seconds for k in gaits])
    a, b = fit_stride_law(speeds.tolist(), lengths.tolist(), height)
    names = [pack.names[k] for k in gaits]
    return StrideLaw(animal, names, lengths / height, speeds**2 / (GRAVITY * height), a, b)


def warp(animal: str, first: str, second: str) -> Image.Image:
    """The transition from one gait to another at their usual speeds."""
    pack = Pack(load(animal))
    speeds = {name: float(speed) for name, speed in zip(pack.names, pack.crowd.laws.speeds, strict=True)}
    shown, clip = _warp(pack, first, second, speeds)
    moments = (np.arange(POSES) + 0.5) / POSES * len(clip.motion) - 0.5
    return warp_picture(
        shown,
        title=f"From {first} to {second}, leg by leg",
        told=f"told to go at {speeds[second]:.1f} m/s",
        poses=pose_strip(pack.character, clip, moments, INSIDE),
    )


def _warp(pack: Pack, first: str, second: str, speeds: dict[str, float]) -> tuple[Warp, Clip]:
    """The transition, leg by leg and as it looks."""
    rate, goal, crowd = pack.crowd.frame_rate, pack.names.index(second), pack.crowd
    time = np.arange(-round(SETTLING * rate), round(AFTER * rate)) / rate
    rows, poses = [], []
    for now in time:
        poses.append(pack.step(np.array([speeds[first if now < 0 else second]]), np.zeros(1)))
        herd = crowd.herd
        phases = crowd.phases_of(herd.clocks)[0, goal]
        usual = 1 / crowd.stride / np.where(herd.clocks[0] < 1, crowd.duty[0], 1 - crowd.duty[0]) / rate
        rows.append((herd.weights[0].copy(), herd.clocks[0].copy(), usual, wrap(phases - mean_phase(phases))))
    weights, clocks, usual, early = (np.array(column) for column in zip(*rows, strict=True))
    pace = np.diff(clocks, axis=0, prepend=clocks[:1]) / usual
    over = np.diff(np.floor(clocks), axis=0, prepend=np.floor(clocks[:1])) != 0
    pace[over] = np.roll(pace, 1, axis=0)[over]
    shown = time >= -BEFORE
    mixed = {pack.names[k]: weights[shown, k] for k in np.argsort(-weights[0]) if weights[shown, k].max() > 0.005}
    legs = [leg.name for leg in pack.character.anatomy.legs]
    positions, rotations = (np.concatenate(parts)[shown] for parts in zip(*poses, strict=True))
    motion = Motion(pack.character.skeleton, rate, positions, rotations, f"{first} to {second}")
    clip = Clip(motion, Footfalls(clocks[shown] < 1, "unknown", 0.0, False))
    return Warp(time[shown], mixed, legs, clocks[shown], pace[shown], early[shown]), clip


def ridden(script: Path, title: str) -> Image.Image:
    """The ride that a script describes, on one page."""
    ride = read_script(script)
    character = load(ride.character)
    controller = make_controller(ride.controller, character, world=ride.world, **ride.options)
    follower = Follower(ride, controller)
    told: list[Command] = []

    def driver(state: State) -> Command:
        told.append(follower(state))
        return told[-1]

    rate = controller.frame_rate
    frames = list(states(controller, driver, seed=ride.seed, frames=ride.frames(rate)))
    cues = [min(round(cue.time * rate), len(frames) - 1) for cue in ride.cues]
    places = np.stack([state.place[[0, 2]] for state in frames]) * [-1, 1]
    wished, gone = (np.array([one.speed for one in ones]) for ones in (told, frames))
    shown = Ride([state.gait for state in frames], wished, gone, places, rate, cues)
    return ride_picture(character, to_clip(frames, rate), shown, title=title)


def stairs(animal: str = "horse", speed: float = 1.6, seconds: float = 9.5) -> Image.Image:
    """A walk over some steps."""
    world = World(Steps(rise=0.12, run=0.7, count=8))
    controller = make_controller("gaits", load(animal), world=world)
    rate = controller.frame_rate
    frames = list(states(controller, [Command(speed=speed)] * round(seconds * rate)))
    title = f"A {animal} walks over steps of 12 cm"
    return profile_picture(controller.character, to_clip(frames, rate), world.height, title=title)


def presets(animal: str = "horse", first: float = 1.6, second: float = 2.9, turn_deg: float = 40.0) -> Image.Image:
    """How the presets follow the same command: speed and facing of each, over moments of a stride to be told at."""
    before, after = Command(speed=first), Command(speed=second, heading=math.radians(turn_deg))
    went = {name: np.stack(list(_responses(animal, name, before, after))) for name in PRESETS}
    speed = _response_chart({name: each[..., 0] for name, each in went.items()}, (first, second), "speed, m/s")
    facing = _response_chart({name: each[..., 1] for name, each in went.items()}, (0.0, turn_deg), "facing, degrees")
    return joined([speed, facing])


def _response_chart(went: dict[str, Floats], goals: tuple[float, float], label: str) -> Image.Image:
    """Means over the moments `(N, T)` of each preset, with bands from the least to the most."""
    time = np.arange(-round(BEFORE * RATE), round(RESPONSE * RATE)) / RATE
    lines = [
        Series(name, time, each.mean(axis=0), low=each.min(axis=0), high=each.max(axis=0))
        for name, each in went.items()
    ]
    told = Series("told", time, np.where(time < 0, *goals), "dashed", MUTED)
    low, high = goals
    y = Axis(label, (low - 0.15 * (high - low), high + 0.3 * (high - low)))
    return line_chart([*lines, told], x=Axis("seconds since the command", (time[0], RESPONSE)), y=y, size=(500, 400))


def _responses(animal: str, preset: str, before: Command, after: Command) -> Iterator[Floats]:
    """Speed and facing in degrees `(T, 2)`, told something new at moments that are evenly spread over a stride."""
    character = load(animal)
    controller = make_controller(preset, character, frame_rate=RATE)
    stride = character.clip("walk").footfalls.stride_seconds
    for k in range(PHASES):
        settling = round((SETTLING + k / PHASES * stride) * RATE)
        commands = [before] * settling + [after] * round(RESPONSE * RATE)
        shown = list(states(controller, commands))[settling - round(BEFORE * RATE) :]
        yield np.array([(state.speed, math.degrees(state.facing)) for state in shown])


def example(script: str, picture: str) -> Image.Image:
    """The picture that a numbered example leaves."""
    main = runpy.run_path(str(EXAMPLES / script))["main"]
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
        main(Path(folder))
        with Image.open(Path(folder) / picture) as found:
            return found.copy()


if __name__ == "__main__":
    main()
