"""The verbs of `canter` that make motion to learn from, and learn from it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from tyro.conf import Positional

from canter.cli.options import HipHeight, MaybeOutput, Output, Size, note, progress, said


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

    with progress("improvising") as step:
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
    takes = open_takes(sources, minutes, seed, frame_rate, note)
    with progress("looking at takes") as step:
        made = make_dataset(takes, seed=seed, progress=step)
    console().print(breakdown_table(made))
    return 0


def train(
    network: Positional[Literal["mann", "pfnn", "vanilla", "mixture"]],
    sources: Positional[tuple[str, ...]],
    /,
    output: Output,
    minutes: float = 60.0,
    preset: Literal["canter", "paper"] = "canter",
    experts: int = 4,
    units: int | None = None,
    data_minutes: float = 180.0,
    frame_rate: float = 60.0,
    seed: int = 0,
    threads: int = 0,
) -> int:
    """Train a network that moves an animal, on this computer's processor, and write it as ONNX.

    A checkpoint lies beside the output while it trains: called again after a stop, it goes on from there. A model card
    and the loss curve are written beside the network (as a picture too, with the extra `plots`). Needs the extra
    `train`. In several processes: torchrun --nproc-per-node 2 -m canter train mann dog -o dog.onnx --threads 1

    Try: canter train mann dog -o dog.onnx --minutes 60

    Args:
        network: Which network: `mann`, whose weights a gate blends (Zhang et al. 2018); and what that is compared with:
            `pfnn`, whose weights follow the phase of the stride; `vanilla`, a plain one; `mixture`, whose gate blends
            the outputs of whole networks.
        sources: A .takes file; clips or folders of them, of one skeleton; or an animal, which improvises.
        output: The .onnx to write.
        minutes: How long to train.
        preset: `canter` trains as it runs, on its own output, with 256 units; `paper` as MANN's paper did: every frame
            by itself, with 512 units, dropout and restarts of the learning rate.
        experts: Experts whose weights are blended.
        units: Hidden units of each; those of the preset, if none are given.
        data_minutes: How long an animal improvises.
        frame_rate: Frames a second of the data, and of the controller.
        seed: Of the improvisation and of the training.
        threads: Threads to train with; all cores, if 0.
    """
    from canter.cli.training import open_takes, prepare_training, train_network

    if not sources:
        raise ValueError("name a .takes file, clips or an animal, such as: canter train mann dog -o dog.onnx")
    recipe = prepare_training(output, minutes, network, preset, experts, units, seed, threads)
    takes = open_takes(sources, data_minutes, seed, frame_rate, note)
    with progress("training") as step:
        words = train_network(takes, output, minutes, recipe, step, note)
    return said(words) if words else 0


def sweep(
    file: Positional[Path],
    /,
    output: MaybeOutput = None,
    ray: str | None = None,
) -> int:
    """Train many networks out of one table: other seeds, networks, experts, units, presets or minutes.

    Every run writes its network, model card and curve, and a result record when it is finished. Finished runs are
    skipped: call it again after a stop, or when runs were added. Needs the extra `train`.

    Try: canter sweep sweep.toml

    Args:
        file: A TOML: `[defaults]`, then a `[[run]]` for each training with what differs. Both have network, sources,
            preset, experts, units, minutes, seed (or a list of seeds), data_minutes, data_seed, frame_rate and threads.
        output: The folder to write into; one called like the file beside it, if none is given.
        ray: Train on a Ray cluster: its address, or `local` for one on this machine, with as many runs at once as there
            are processors. Needs the extra `sweep`.
    """
    from canter.cli.sweeping import sweep_table
    from canter.cli.tables import console
    from canter.neural.training.sweep import read_sweep
    from canter.neural.training.sweep import sweep as train_all

    runs = read_sweep(file)
    folder = file.with_suffix("") if output is None else output
    results = []
    with progress("training", len(runs)) as step:
        for result in train_all(runs, folder, ray=ray, note=note):
            results.append(result)
            note(f"{result.run.name}: {result.error or ('finished before' if result.skipped else 'finished')}")
            step()
    console().print(sweep_table(results))
    return int(any(result.error for result in results))
