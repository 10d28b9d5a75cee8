"""The verbs of `canter`: each is a function whose signature is its command line and whose docstring is its help."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from tyro.conf import Positional

from canter.cli.options import HipHeight, Json, MaybeOutput, Output, Size, note, progress, said, warn


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
    with progress("inspecting", len(files)) as step:
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
        warn(played.reason)
        character, ride = played.character, played.clip(f"{played.states[0].gait} {Path(file).stem}")
    else:
        character = open_character(file, hip_height).scaled(size)
        ride = play_loop(character, clip or split_clip(file)[1], speed, heading_deg, seconds)
    with progress("drawing") as step:
        save_ride(character, ride, output, step)
    return said(f"{output}: {ride.motion.name}, {ride.motion.seconds:.1f} s at {ride.footfalls.speed:.2f} m/s")


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
    return said(f"{output}")


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
    with progress("drawing") as step:
        animate(character, clip, output, view=view, progress=step)
    return said(f"{output}")


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
    return said(convert_file(source, target, clip, frame_rate, canonical, hip_height))


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
    with progress("building") as step:
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

    with progress("riding") as step:
        found, reason = synthesis.synthesise(animal, script, controller, output, size, hip_height, step)
    warn(reason)
    if as_json:
        return said(json.dumps(found, ensure_ascii=False, allow_nan=False))
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
    contract: bool = False,
    size: Size = 1.0,
    hip_height: HipHeight = None,
) -> int:
    """Write all gaits of an animal as loops, the transitions between them and its actions as one file for an engine.

    All begin and end where the loops do. The clips are called `walk`, `walk_to_trot`, `sit_enter` and so on. With
    --contract, or of an .onnx, a network is written instead: what an engine needs to drive the animal by it.

    Try: canter export horse horse-clips.glb

    Args:
        animal: An animal that canter ships, or a file: a .canter, clips that strides are cut out of, or a network.
        target: .glb, .gltf or .npz; a folder for a network.
        in_place: Take the root motion out: the animal stays where it is, and the engine moves it.
        transitions: `all`, `neighbours` (up and down the speeds), `none`, or some, such as `walk_to_trot,trot_to_walk`.
        contract: The network of the animal with its contract (every input and output by name, unit and columns) as
            JSON, and loops in plain Python and JavaScript that run it.
    """
    if contract or animal.lower().endswith(".onnx"):
        from canter.cli.training import export_network

        return said(export_network(animal, target))
    from canter.cli.synthesis import export_clips

    with progress("going from gait to gait") as step:
        words = export_clips(animal, target, in_place, transitions, size, hip_height, step)
    return said(words)


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


def body(file: Positional[str], /, output: Output, hip_height: HipHeight = None) -> int:
    """Give an animal a body with weight: segments, masses, joint limits and servos, as MuJoCo reads them (MJCF).

    It is tried out: the body stands for ten seconds by its servos alone, where the simulator is installed.

    Try: canter body dog -o dog.xml, then: python -m mujoco.viewer --mjcf=dog.xml

    Args:
        file: A quadruped: an animal of ours, a .canter file or a rig.
        output: The .xml to write.
    """
    from canter.cli.bodies import write_body

    for line in write_body(file, output, hip_height):
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
    again: bool = False,
    retrain: bool = False,
    minutes: float | None = None,
    only: str | None = None,
    subject: str | None = None,
    records: Path | None = None,
) -> int:
    """Measure canter against its goals. Exits with 0 only if no goal is missed.

    Try: canter evaluate rigs --quick

    Args:
        topic: What to measure.
        quick: Less than a minute, with fewer cases.
        as_json: Print one JSON object.
        markdown: Also write the table to this file.
        data: Where real recordings lie; CANTER_DATA otherwise. Without them their rows are skipped.
        again: Measure what is printed from result records anew.
        retrain: Train the networks of tables that have no result record yet.
        minutes: How long each of them is trained, if not as long as the tables say.
        only: Only the network or controller of that name.
        subject: Only that animal.
        records: Where result records are, if not in docs/results.
    """
    from canter.cli.tables import console
    from canter.evaluation import evaluate as measure

    more = {"again": again, "retrain": retrain, "minutes": minutes, "only": only, "subject": subject}
    errors = console(error=True)
    with errors.status(f"measuring {topic}") as status:
        step = note if (again or retrain) and not errors.is_terminal else status.update
        found = measure(topic, quick=quick, data=data, progress=step, records=records, **more)
    if markdown is not None:
        markdown.write_text(found.markdown(), "utf-8")
    if as_json:
        print(found.json())
    else:
        console(markup=True).print(found.table())
        for grid in found.grids:
            console().print(grid.table())
    return 0 if found.passed else 1


def info() -> int:
    """Say which canter this is, and which optional parts are present. Never fails."""
    from canter.cli.inform import information

    for line in information():
        print(line)
    return 0
