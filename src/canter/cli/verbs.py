"""The verbs of `canter`: each is a function whose signature is its command line and whose docstring is its help."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import tyro
from tyro.conf import Positional

Json = Annotated[bool, tyro.conf.arg(name="json")]
Output = Annotated[Path, tyro.conf.arg(aliases=["-o"])]
MaybeOutput = Annotated[Path | None, tyro.conf.arg(aliases=["-o"])]
Size = Annotated[
    float, tyro.conf.arg(help="Scale of the animal: 1.7 makes a draught horse. Speeds scale with its square root.")
]

HipHeight = Annotated[
    float | None,
    tyro.conf.arg(help="How high the hips really are, in metres, if the file does not say it or says it wrongly."),
]


def inspect(
    files: Positional[tuple[str, ...]],
    /,
    as_json: Json = False,
    write_anatomy: bool = False,
    hip_height: HipHeight = None,
) -> int:
    """Say what an animal's legs are, which gaits its clips show, how fast it moves and how much its feet slide.

    Files of one skeleton are understood from all of them together, and takes are told as spans: what the animal does
    from when to when. Exits with 1 and a reason when a file cannot be read or understood; the others are still
    inspected.

    Try: canter inspect example, or: canter inspect fox.glb takes --json

    Args:
        files: Files, folders of them, or `example`.
        as_json: One JSON object a line instead of tables; docs/inspect.md has the schema.
        write_anatomy: Write what was found to NAME.anatomy.toml beside each file, and to folder.anatomy.toml in each
            folder, to be corrected by hand.
    """
    from canter.cli.inspecting import inspect_files

    if not files:
        raise ValueError("name at least one file, such as: canter inspect example")
    with _progress("inspecting", len(files)) as step:
        good = inspect_files(files, as_json=as_json, write_anatomy=write_anatomy, hip_height=hip_height, step=step)
    return 0 if good else 1


def play(
    file: Positional[str],
    /,
    output: Output,
    clip: str | None = None,
    speed: float | None = None,
    heading_deg: float = 0.0,
    seconds: float = 6.0,
    size: Size = 1.0,
    hip_height: HipHeight = None,
) -> int:
    """Play a loop along a heading, or a ride by its script, into a picture or a motion file.

    Try: canter play example:trot --heading-deg 60 -o ride.png

    Args:
        file: A file, or `example`; `fox.glb:Walk` names the clip too. A .toml is a script of a ride.
        output: .png, .gif, .glb, .gltf, .bvh or .npz.
        clip: The loop to play; the first that travels, if none is named.
        speed: Metres a second; the clip's own, if none is given.
        heading_deg: Where to go, in degrees to the left of where the animal faces at the start.
        seconds: How long. A script says all of this itself.
    """
    from canter.control.play import play_loop, ride_script, save_ride
    from canter.control.ride import read_script
    from canter.control.sources import beside, open_character, split_clip

    if file.endswith(".toml"):
        script = read_script(file)
        played = ride_script(script, open_character(beside(script.character, Path(file)), hip_height), size=size)
        _warn(played.reason)
        character, ride = played.character, played.clip(f"{played.states[0].gait} {Path(file).stem}")
    else:
        character = open_character(file, hip_height).scaled(size)
        ride = play_loop(character, clip or split_clip(file)[1], speed, heading_deg, seconds)
    with _progress("drawing") as step:
        save_ride(character, ride, output, step)
    return _said(f"{output}: {ride.motion.name}, {ride.motion.seconds:.1f} s at {ride.footfalls.speed:.2f} m/s")


def sheet(file: Positional[str], /, output: Output, clip: str | None = None, hip_height: HipHeight = None) -> int:
    """Draw a contact sheet: a stride from the side and from above, with a footfall diagram under it.

    Try: canter sheet example:canter -o sheet.png

    Args:
        file: A file, or `example`; `fox.glb:Walk` names the clip too.
        output: The picture to write, a .png.
        clip: The clip to draw; the first, if none is named.
    """
    from canter.control.sources import open_character
    from canter.pictures import contact_sheet

    contact_sheet(open_character(file, hip_height), clip).save(output)
    return _said(f"{output}")


def gif(
    file: Positional[str],
    /,
    output: Output,
    clip: str | None = None,
    view: Literal["side", "quarter", "top"] = "quarter",
    hip_height: HipHeight = None,
) -> int:
    """Animate a clip as a GIF that follows the animal.

    Try: canter gif example:walk -o walk.gif --view side

    Args:
        file: A file, or `example`; `fox.glb:Walk` names the clip too.
        output: The .gif to write.
        clip: The clip to animate; the first, if none is named.
        view: Where the camera stands.
    """
    from canter.control.sources import open_character
    from canter.pictures import animate

    character = open_character(file, hip_height)
    with _progress("drawing") as step:
        animate(character, clip, output, view=view, progress=step)
    return _said(f"{output}")


def convert(
    source: Positional[str],
    target: Positional[Path],
    /,
    clip: str | None = None,
    frame_rate: float | None = None,
    canonical: bool = False,
    hip_height: HipHeight = None,
) -> int:
    """Convert a motion file to another format. Axes and units stay as they are, unless --canonical is given.

    Try: canter convert example:walk walk.bvh

    Args:
        source: Any file that canter reads, or `example`; `fox.glb:Walk` names the clip too.
        target: .glb, .gltf, .bvh or .npz. A BVH keeps one clip and no mesh.
        clip: The only clip to keep; all, if none is named.
        frame_rate: Resample to so many frames a second.
        canonical: Turn and scale the animal to metres, +Y up, +Z forward.
    """
    from canter.cli.converting import convert_file

    if hip_height is not None and not canonical:
        raise ValueError("--hip-height scales the animal, which only --canonical does")
    return _said(convert_file(source, target, clip, frame_rate, canonical, hip_height))


def clean(
    source: Positional[str], target: Positional[Path], /, clip: str | None = None, cut_loops: bool = False
) -> int:
    """Unslide the feet, close the loops and put the animal on the ground. Axes, units and names stay.

    Try: canter clean example clean.glb

    Args:
        source: Any file that canter reads, or `example`; `fox.glb:Walk` names the clip too.
        target: .glb, .gltf, .bvh or .npz.
        clip: The only clip to keep; all, if none is named.
        cut_loops: Cut takes that travel with a steady gait to the whole strides that meet best.
    """
    from canter.cli.converting import clean_file
    from canter.cli.tables import cleaning, console

    console().print(cleaning(str(target), clean_file(source, target, clip, cut_loops)))
    return 0


def build(
    files: Positional[tuple[str, ...]],
    /,
    gaits: str | None = None,
    output: MaybeOutput = None,
    size: Size = 1.0,
    hip_height: HipHeight = None,
) -> int:
    """Make one .canter file that can be driven out of an animal's clips: the steadiest stride of every gait in them.

    Clips may be loops, takes of many strides or walks on the spot, in one file, in several of the same skeleton, or
    in a folder. With a .glb, .gltf or .npz as output, a rig instead gets every gait of an animal's table, fitted to
    its size and proportions; its own clips are not used then.

    Try: canter build example -o example.canter, or: canter build example --gaits horse -o built.glb

    Args:
        files: Files with clips, or a folder of them, or `example`.
        gaits: Whose gaits the missing ones are made like: `dog` or `horse`; none are made, if none is named. `auto`
            makes gaits only for a rig that shows none, like those of an animal of its size.
        output: The .canter to write, NAME.canter if none is named; or the .glb, .gltf or .npz of a rig.
    """
    from canter.cli.building import built_table, rig_lines
    from canter.cli.tables import console
    from canter.cycles.build.build_file import build_file, build_rig

    if not files:
        raise ValueError("name at least one file, such as: canter build example")
    if output is not None and output.suffix.lower() != ".canter":
        if len(files) > 1:
            raise ValueError(f"{output}: one rig gets all gaits of a table; several files make a .canter")
        model = gaits or "dog"
        for line in rig_lines(*build_rig(files[0], model, output, size=size, hip_height=hip_height), model, output):
            print(line)
        return 0
    with _progress("building") as step:
        target, built = build_file(files, gaits, output, size=size, hip_height=hip_height, progress=step)
    console().print(built_table(target, built))
    return 0


def synth(
    animal: Positional[str],
    /,
    script: Path,
    output: Output,
    controller: str | None = None,
    size: Size = 1.0,
    hip_height: HipHeight = None,
    report: bool = False,
    as_json: Json = False,
) -> int:
    """Ride a command script with an animal into a motion file. The same script gives the same frames.

    Try: canter synth horse --script examples/scripts/spiral.toml -o ride.glb --report

    Args:
        animal: An animal that canter ships, or a file: a .canter, or clips that strides are cut out of.
        script: A .toml of what is commanded when; the animal that it names is not used.
        output: .glb, .gltf, .bvh or .npz.
        controller: Who rides; the script's own, if it names one, else `gaits` (or `clip`, if it shows no gait).
        report: Also print distance, speeds against the commands, what the feet do, gaits and events.
        as_json: Print the report as one JSON object.
    """
    import json

    from canter.cli import synthesis
    from canter.cli.tables import console

    with _progress("riding") as step:
        found, reason = synthesis.synthesise(animal, script, controller, output, size, hip_height, step)
    _warn(reason)
    if as_json:
        return _said(json.dumps(found, ensure_ascii=False, allow_nan=False))
    print(synthesis.summary(found))
    if report:
        console().print(synthesis.report(found))
    return 0


def export(
    animal: Positional[str],
    target: Positional[Path],
    /,
    in_place: bool = False,
    transitions: str = "all",
    size: Size = 1.0,
    hip_height: HipHeight = None,
) -> int:
    """Write all gaits of an animal as loops, the transitions between them and its actions as one file for an engine.

    All begin and end where the loops do. The clips are called `walk`, `walk_to_trot`, `sit_enter` and so on.

    Try: canter export horse horse-clips.glb

    Args:
        animal: An animal that canter ships, or a file: a .canter, or clips that strides are cut out of.
        target: .glb, .gltf or .npz.
        in_place: Take the root motion out: the animal stays where it is, and the engine moves it.
        transitions: `all`, `neighbours` (up and down the speeds), `none`, or some, such as `walk_to_trot,trot_to_walk`.
    """
    from canter.cli.synthesis import export_clips

    with _progress("going from gait to gait") as step:
        words = export_clips(animal, target, in_place, transitions, size, hip_height, step)
    return _said(words)


def improvise(
    animal: Positional[str],
    /,
    output: Output,
    minutes: float = 30.0,
    seed: int = 0,
    frame_rate: float = 60.0,
    controller: str = "gaits",
    shares: tuple[str, ...] = (),
    teaching: bool = False,
    size: Size = 1.0,
    hip_height: HipHeight = None,
) -> int:
    """Make unstructured motion, as a capture session would give: random commands, with a label for every frame.

    The same seed gives the same frames. Labels are what the animal is told; prints for how many seconds each is.

    Try: canter improvise dog --minutes 2 -o dog.takes

    Args:
        animal: An animal that canter ships, or a file: a .canter, or clips that strides are cut out of.
        output: The .takes to write; canter.control.takes.read_takes reads it.
        minutes: How long, all takes together.
        seed: Another seed gives another session.
        frame_rate: Frames a second.
        controller: What drives the animal.
        shares: How long each label is shown relative to the others, such as `idle=20 locomotion=60 sit=20`; those of a
            captured dog (MANN's Table 1), if none are given.
        teaching: Every action often and out of every gait, as much gallop as walk: what a network learns most from.
    """
    from canter.cli.improvising import improvise_takes, label_table
    from canter.cli.tables import console

    with _progress("improvising") as step:
        takes = improvise_takes(
            animal, output, minutes, seed, frame_rate, controller, shares, teaching, size, hip_height, step
        )
    console().print(label_table(output, takes))
    return 0


def dataset(
    sources: Positional[tuple[str, ...]],
    /,
    minutes: float = 5.0,
    frame_rate: float = 60.0,
    seed: int = 0,
) -> int:
    """Say what a network would learn from: seconds of every label, and the speeds of every gait.

    Captured takes count twice, for their mirror images are learned from too.

    Try: canter dataset dog --minutes 1, or: canter dataset captured_takes

    Args:
        sources: A .takes file; clips or folders of them, of one skeleton; or an animal, which improvises.
        minutes: How long an animal improvises.
        frame_rate: Frames a second.
        seed: Of the improvisation.
    """
    from canter.cli.tables import console
    from canter.cli.training import breakdown_table, open_takes
    from canter.neural.dataset import make_dataset

    if not sources:
        raise ValueError("name a .takes file, clips or an animal, such as: canter dataset dog")
    takes = open_takes(sources, minutes, seed, frame_rate, _note)
    with _progress("looking at takes") as step:
        made = make_dataset(takes, seed=seed, progress=step)
    console().print(breakdown_table(made))
    return 0


def train(
    network: Positional[Literal["mann"]],
    sources: Positional[tuple[str, ...]],
    /,
    output: Output,
    minutes: float = 60.0,
    experts: int = 4,
    units: int = 256,
    data_minutes: float = 60.0,
    frame_rate: float = 60.0,
    seed: int = 0,
    threads: int = 0,
) -> int:
    """Train a network that moves an animal, on this computer's processor, and write it as ONNX.

    A checkpoint lies beside the output while it trains: called again after a stop, it goes on from there. A model card
    and the loss curve are written beside the network. Needs the extra `train`.

    Try: canter train mann dog -o dog.onnx --minutes 60

    Args:
        network: Which network: `mann`, a mode-adaptive one (Zhang et al. 2018).
        sources: A .takes file; clips or folders of them, of one skeleton; or an animal, which improvises.
        output: The .onnx to write.
        minutes: How long to train.
        experts: Experts whose weights are blended.
        units: Hidden units of each.
        data_minutes: How long an animal improvises.
        frame_rate: Frames a second of the data, and of the controller.
        seed: Of the improvisation and of the training.
        threads: Threads to train with; all cores, if 0.
    """
    from canter.cli.training import open_takes, train_network

    if not sources:
        raise ValueError("name a .takes file, clips or an animal, such as: canter train mann dog -o dog.onnx")
    takes = open_takes(sources, data_minutes, seed, frame_rate, _note)
    with _progress("training") as step:
        words = train_network(takes, output, minutes, network, experts, units, seed, threads, step, _note)
    return _said(words)


def skin(file: Positional[str], /, output: Output, force: bool = False, hip_height: HipHeight = None) -> int:
    """Give an animal that has no mesh a body: a closed skin with weights and colours, guessed from its bones.

    It is tried out on the animal's own clips, which are written with it, in metres, +Y up, +Z forward. Prints how many
    triangles fold over in them.

    Try: canter skin example -o dressed.glb, or: canter skin dog.bvh -o dog.glb

    Args:
        file: A rig, with or without clips, or `example`; `fox.glb:Walk` keeps one clip.
        output: The .glb or .gltf to write.
        force: Replace a mesh that is there, and give rounded bones to what canter does not understand.
    """
    from canter.cli.skinning import skin_file

    for line in skin_file(file, output, force, hip_height):
        print(line, flush=True)
    return 0


def studio(
    files: Positional[tuple[str, ...]] = (),
    /,
    port: int = 8765,
    host: str = "127.0.0.1",
    no_browser: bool = False,
    script: Path | None = None,
) -> int:
    """Drive animals in the browser. Only this machine can reach it, unless --host says otherwise. Ctrl-C ends it.

    Try: canter studio, or: canter studio fox.glb

    Args:
        files: Animals that canter ships, or files: each is built and stands on the stage; a horse, if none is named.
        port: The port to listen on; the next free one, if it is taken.
        host: The address to listen on. Whoever can reach it can use the studio: there is no password.
        no_browser: Do not open a browser.
        script: A .toml of what is commanded when, which is played.
    """
    from canter.cli.studio import run_studio

    run_studio(files, host, port, not no_browser, script)
    return 0


def animals(as_json: Json = False) -> int:
    """List the animals that canter ships: their size, gaits with usual speed and range, and other clips.

    Their names work wherever a file does.

    Try: canter animals, then: canter sheet horse:trot -o trot.png

    Args:
        as_json: One JSON object a line instead of tables.
    """
    import json

    from canter.cli.shipped import shipped
    from canter.cli.tables import animal, console

    for found in shipped():
        if as_json:
            print(json.dumps(found, ensure_ascii=False, allow_nan=False), flush=True)
        else:
            console().print(animal(found))
    return 0


def evaluate(
    topic: Positional[str],
    /,
    quick: bool = False,
    as_json: Json = False,
    markdown: Path | None = None,
    data: Path | None = None,
) -> int:
    """Measure canter against its goals. Exits with 0 only if no goal is missed.

    Try: canter evaluate rigs --quick

    Args:
        topic: What to measure.
        quick: Less than a minute, with fewer cases.
        as_json: Print one JSON object.
        markdown: Also write the table to this file.
        data: Where real recordings lie; CANTER_DATA otherwise. Without them their rows are skipped.
    """
    from canter.cli.tables import console
    from canter.evaluation import evaluate as measure

    with console(error=True).status(f"measuring {topic}") as status:
        found = measure(topic, quick=quick, data=data, progress=status.update)
    if markdown is not None:
        markdown.write_text(found.markdown(), "utf-8")
    if as_json:
        print(found.json())
    else:
        console(markup=True).print(found.table())
    return 0 if found.passed else 1


def info() -> int:
    """Say which canter this is, and which optional parts are present. Never fails."""
    from canter.cli.inform import information

    for line in information():
        print(line)
    return 0


def _note(words: str) -> None:
    """Says on stderr what is being done."""
    print(f"canter: {words}", file=sys.stderr)


def _warn(reason: str) -> None:
    """Says on stderr why something else was done than is usual."""
    if reason:
        print(f"canter: {reason}", file=sys.stderr)


def _said(words: str) -> int:
    print(words)
    return 0


@contextmanager
def _progress(words: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """A progress bar on stderr, if that is a terminal. Call what it yields with (done, all), or without arguments."""
    from canter.cli.tables import console

    where = console(error=True)
    if not where.is_terminal or (total is not None and total < 2):
        yield lambda *_: None
        return
    from rich.progress import Progress

    with Progress(console=where, transient=True) as bars:
        task = bars.add_task(words, total=total)

        def step(done: int | None = None, everything: int | None = None) -> None:
            if done is None:
                bars.advance(task)
            else:
                bars.update(task, completed=done, total=everything)

        yield step
