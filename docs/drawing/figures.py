"""Draws the pictures of the page on cycles, with the engine as it is now.

`make figures` runs `python docs/drawing/figures.py docs`. They go into pictures/cycles under the folder; names after it
draw only those. The same code gives the same files.
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
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image
from rich.progress import track

from canter.anatomy import Clip, Footfalls
from canter.cli.tables import console
from canter.control import BatchCommand, Command, make_controller, states, to_clip
from canter.control.play import ride_script
from canter.control.registry import load
from canter.control.ride import read_script
from canter.control.world import Steps, World
from canter.cycles.engine.gait_graph import HYSTERESIS
from canter.cycles.engine.laws import fit_stride_law
from canter.cycles.engine.strides import mean_phase, wrap
from canter.cycles.gaits.batch import BatchGaits
from canter.motion import Motion
from canter.motion.arrays import Floats
from canter.motion.constants import GRAVITY
from canter.pictures.chart_style import chart_style, new_figure, rgb, to_image
from canter.pictures.charts import Axis, Series, draw_series, set_axes
from canter.pictures.indexed import indexed
from canter.pictures.palette import GAITS, INK, LEGS, MUTED, PANEL, PAPER, SERIES
from canter.pictures.sheet import pose_strip
from gait_graph import GaitRange, gait_graph_picture
from ground_profile import profile_picture
from ride_page import Ride, ride_picture
from stride_law import StrideLaw, stride_law_picture
from time_warp import HURRIES, INSIDE, WAITS, Warp, warp_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PICTURES = Path("pictures/cycles")
COLORS = 256
EXACT_COLORS = (PAPER, INK, MUTED, PANEL, *LEGS.values(), *GAITS.values(), *SERIES, HURRIES, WAITS)
"""Colours that a picture keeps exactly; all others are reduced to a palette, which makes small files."""
EXAMPLES = Path(__file__).parents[2] / "examples"
SECONDS_BEFORE, SECONDS_AFTER = 0.8, 1.7
"""What a picture of a transition shows, around the command."""
POSES = 7
PRESETS = ("gaits", "huang", "sung")
COMMAND_PHASES = 6
"""Moments of a stride at which the presets are commanded something new."""
FRAME_RATE, RESPONSE_SECONDS = 60.0, 4.0
"""Frames per second of a ride, and how much of the response of the presets is shown."""
LOOP_YAW_RATE = 0.35
"""Radians a second of the turns between which the lead changes."""
SETTLING_SECONDS = 4.0
"""After this time an animal keeps the stride time of its gait."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where pictures/cycles goes, such as docs")
    parser.add_argument("names", nargs="*", help="the pictures to draw; all, if none is named")
    arguments = parser.parse_args()
    folder: Path = arguments.folder / PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    known = figures()
    if strange := [name for name in arguments.names if name not in known]:
        parser.error(f"no picture is called {strange[0]}; there are: {', '.join(known)}")
    chosen = {name: known[name] for name in arguments.names or known}
    for name, draw in track(chosen.items(), "drawing", console=console(error=True)):
        path = folder / f"{name}.png"
        save(draw(), path)
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB", flush=True)


def save(picture: Image.Image, path: Path) -> None:
    """Writes a PNG with few colours, which is small."""
    indexed([picture], COLORS, EXACT_COLORS)[0].save(path, optimize=True)


def figures() -> dict[str, Callable[[], Image.Image]]:
    """All pictures by name."""
    return {
        "gait_graph_horse": partial(gait_graph, "horse"),
        "gait_graph_dog": partial(gait_graph, "dog"),
        "stride_law": partial(stride_laws, ("horse", "dog")),
        "walk_to_trot": partial(warp, "horse", "walk", "trot"),
        "trot_to_canter": partial(warp, "horse", "trot", "canter"),
        "change_of_lead": partial(change_of_lead, "horse", "canter", 5.2),
        "spiral": partial(ridden, EXAMPLES / "scripts" / "spiral.toml", "A spiral from walk to gallop and back"),
        "stairs": stairs,
        "presets": presets,
        "drive": partial(example, "05_drive_a_horse.py", "horse.png"),
        "built": partial(example, "06_build_and_drive.py", "fox.png"),
        "crowd": partial(example, "07_a_crowd.py", "crowd.png"),
    }


def gait_graph(animal: str) -> Image.Image:
    """The gaits that an animal takes by speed, and those that it takes when asked."""
    batch = BatchGaits(load(animal))
    ahead, others = (
        [GaitRange(batch.names[k], *batch.choice.ranges[k], batch.library.cycles[k].speed) for k in ks]
        for ks in (batch.choice.ahead, batch.choice.others)
    )
    return gait_graph_picture(ahead, others, hysteresis=HYSTERESIS, title=f"The gait graph of the {animal}")


def stride_laws(animals: Sequence[str]) -> Image.Image:
    """Sung's law through the gaits of each animal that go ahead."""
    return stride_law_picture([_stride_law(animal) for animal in animals])


def _stride_law(animal: str) -> StrideLaw:
    batch = BatchGaits(load(animal))
    height = batch.character.anatomy.hip_height
    gaits = [*batch.choice.ahead, *batch.choice.others]
    speeds = np.array([batch.library.cycles[k].speed for k in gaits])
    lengths = speeds * np.array([batch.library.cycles[k].seconds for k in gaits])
    a, b = fit_stride_law(speeds.tolist(), lengths.tolist(), height)
    names = [batch.names[k] for k in gaits]
    return StrideLaw(animal, names, lengths / height, speeds**2 / (GRAVITY * height), a, b)


def warp(animal: str, first: str, second: str) -> Image.Image:
    """The transition from one gait to another at their usual speeds."""
    batch = BatchGaits(load(animal))
    speeds = {name: float(speed) for name, speed in zip(batch.names, batch.strides.laws.speeds, strict=True)}
    return _warp_picture(
        batch,
        second,
        lambda now: BatchCommand.make(speeds[first if now < 0 else second]),
        title=f"From {first} to {second}, leg by leg",
        command=f"commanded: {speeds[second]:.1f} m/s",
    )


def change_of_lead(animal: str, lead: str, speed: float) -> Image.Image:
    """The change to a cycle with the right lead out of a left turn that becomes a right one."""
    return _warp_picture(
        BatchGaits(load(animal)),
        lead,
        lambda now: BatchCommand.make(speed, -LOOP_YAW_RATE * abs(now)),
        title="From the left to the right lead, leg by leg",
        command="commanded: to the right",
    )


def _warp_picture(
    batch: BatchGaits, goal: str, commands: Callable[[float], BatchCommand], *, title: str, command: str
) -> Image.Image:
    shown, clip = _warp(batch, batch.names.index(goal), commands, title)
    moments = (np.arange(POSES) + 0.5) / POSES * len(clip.motion) - 0.5
    poses = pose_strip(batch.character, clip, moments, INSIDE)
    return warp_picture(shown, title=title, command=command, poses=poses)


def _warp(batch: BatchGaits, goal: int, commands: Callable[[float], BatchCommand], title: str) -> tuple[Warp, Clip]:
    """A transition into the cycle `goal`, leg by leg and as it looks; `commands` by the seconds since it is told."""
    rate, timing = batch.frame_rate, batch.timing
    time = np.arange(-round(SETTLING_SECONDS * rate), round(SECONDS_AFTER * rate)) / rate
    rows, poses = [], []
    for now in time:
        state = batch.step(commands(now))
        poses.append((state.positions, state.rotations))
        phases = batch.strides.phases(timing.clocks)[0, goal]
        usual = 1 / timing.stride / np.where(timing.clocks[0] < 1, timing.duty[0], 1 - timing.duty[0]) / rate
        rows.append((timing.weights[0].copy(), timing.clocks[0].copy(), usual, wrap(phases - mean_phase(phases))))
    weights, clocks, usual, early = (np.array(column) for column in zip(*rows, strict=True))
    pace = np.diff(clocks, axis=0, prepend=clocks[:1]) / usual
    over = np.diff(np.floor(clocks), axis=0, prepend=np.floor(clocks[:1])) != 0
    pace[over] = np.roll(pace, 1, axis=0)[over]
    shown = time >= -SECONDS_BEFORE
    mixed = {
        batch.names[k]: weights[shown, k] for k in np.argsort(-weights[shown][0]) if weights[shown, k].max() > 0.005
    }
    legs = [leg.name for leg in batch.character.anatomy.legs]
    positions, rotations = (np.concatenate(parts)[shown] for parts in zip(*poses, strict=True))
    motion = Motion(batch.character.skeleton, rate, positions, rotations, title)
    clip = Clip(motion, Footfalls(clocks[shown] < 1, "unknown", 0.0, False))
    return Warp(time[shown], mixed, legs, clocks[shown], pace[shown], early[shown]), clip


def ridden(script: Path, title: str) -> Image.Image:
    """The ride that a script describes, on one page."""
    ride = ride_script(read_script(script))
    rate, frames = ride.frame_rate, ride.states
    cues = [min(round(cue.time * rate), len(frames) - 1) for cue in ride.script.cues]
    commanded, actual = (np.array([one.speed for one in ones]) for ones in (ride.commands, frames))
    shown = Ride([state.gait for state in frames], commanded, actual, rate, cues)
    return ride_picture(ride.character, ride.clip(), shown, title=title)


def stairs(animal: str = "horse", speed: float = 1.6, seconds: float = 9.5) -> Image.Image:
    """A walk over some steps."""
    world = World(Steps(rise=0.12, run=0.7, count=8))
    controller = make_controller("gaits", load(animal), world=world)
    rate = controller.frame_rate
    frames = list(states(controller, [Command(speed=speed)] * round(seconds * rate)))
    title = f"A {animal} walks over steps of 12 cm"
    return profile_picture(controller.character, to_clip(frames, rate), world.height, title=title)


def presets(animal: str = "horse", first: float = 1.6, second: float = 2.9, turn_deg: float = 40.0) -> Image.Image:
    """How the presets follow the same command: speed and facing of each, commanded at several moments of a stride."""
    before, after = Command(speed=first), Command(speed=second, heading=math.radians(turn_deg))
    went = {name: np.stack(list(_responses(animal, name, before, after))) for name in PRESETS}
    with chart_style():
        figure = new_figure((1000, 400))
        speed, facing = figure.subplots(1, 2)
        _draw_responses(speed, {name: each[..., 0] for name, each in went.items()}, (first, second), "speed, m/s")
        _draw_responses(facing, {name: each[..., 1] for name, each in went.items()}, (0, turn_deg), "facing, degrees")
        facing.legend(loc="lower right")
        return to_image(figure)


def _draw_responses(panel: Axes, went: dict[str, Floats], goals: tuple[float, float], label: str) -> None:
    """Means over the moments `(N, T)` of each preset, with bands from the least to the most."""
    time = np.arange(-round(SECONDS_BEFORE * FRAME_RATE), round(RESPONSE_SECONDS * FRAME_RATE)) / FRAME_RATE
    panel.plot([time[0], 0, 0, RESPONSE_SECONDS], np.repeat(goals, 2), "--", color=rgb(MUTED), label="commanded")
    for i, (name, each) in enumerate(went.items()):
        band = {"low": each.min(axis=0), "high": each.max(axis=0)}
        draw_series(panel, Series(name, time, each.mean(axis=0), **band), SERIES[i])
    low, high = goals
    y = Axis(label, (low - 0.15 * (high - low), high + 0.3 * (high - low)))
    set_axes(panel, Axis("seconds since the command", (time[0], RESPONSE_SECONDS)), y)


def _responses(animal: str, preset: str, before: Command, after: Command) -> Iterator[Floats]:
    """Speed and facing in degrees `(T, 2)`, commanded something new at moments that are evenly spread over a stride."""
    character = load(animal)
    controller = make_controller(preset, character, frame_rate=FRAME_RATE)
    stride = character.clip("walk").footfalls.stride_seconds
    for k in range(COMMAND_PHASES):
        settling = round((SETTLING_SECONDS + k / COMMAND_PHASES * stride) * FRAME_RATE)
        commands = [before] * settling + [after] * round(RESPONSE_SECONDS * FRAME_RATE)
        shown = list(states(controller, commands))[settling - round(SECONDS_BEFORE * FRAME_RATE) :]
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
