"""The entry point: chooses a verb, and turns an error into one line and an exit code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import tyro
from tyro.extras import subcommand_cli_from_dict

from canter.cli import learning, verbs

DESCRIPTION = """Understand, clean, convert, draw and play motion clips of four-legged animals.

A FILE is GLB, glTF, BVH, FBX, npz, DeepMimic JSON or .canter. The word `example` stands for an animal that canter makes
up, so everything can be tried without a file; `fox.glb:Walk` means one clip of a file. `canter VERB --help` says more.
"""
VERBS: dict[str, Callable[..., Any]] = {
    "studio": verbs.studio,
    "inspect": verbs.inspect,
    "play": verbs.play,
    "sheet": verbs.sheet,
    "gif": verbs.gif,
    "convert": verbs.convert,
    "clean": verbs.clean,
    "build": verbs.build,
    "synth": verbs.synth,
    "export": verbs.export,
    "improvise": learning.improvise,
    "dataset": learning.dataset,
    "train": learning.train,
    "sweep": learning.sweep,
    "skin": verbs.skin,
    "body": verbs.body,
    "animals": verbs.animals,
    "evaluate": verbs.evaluate,
    "info": verbs.info,
}


def main(args: Sequence[str] | None = None) -> None:
    """Run `canter` and exit with 0, or with 1 and a reason on stderr."""
    arguments = list(sys.argv[1:] if args is None else args)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a joint name that the terminal cannot show is no reason to fail
            stream.reconfigure(errors="replace")
    if arguments in (["--version"], ["-V"]):
        from canter import __version__

        print(f"canter {__version__}")
        sys.exit(0)
    sys.exit(_run(arguments or ["--help"]))


def _run(arguments: Sequence[str]) -> int:
    try:
        _check_verb(arguments[0])
        return int(
            subcommand_cli_from_dict(
                VERBS,
                prog="canter",
                description=DESCRIPTION,
                args=arguments,
                config=(tyro.conf.FlagCreatePairsOff, tyro.conf.PositionalMetavarFromFieldName),
            )
        )
    except BrokenPipeError:  # the reader of a pipe has gone, as `canter inspect ... | head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if os.environ.get("CANTER_DEBUG"):
            raise
        print(f"canter: {one_line(error)}", file=sys.stderr)
        return 1


def _check_verb(verb: str) -> None:
    """Raises an error with a suggestion if there is no such verb; options are left to tyro."""
    if verb in VERBS or verb.startswith("-"):
        return
    from canter.control.spelling import closest

    suggestion = closest(verb, VERBS)
    rest = f"did you mean {suggestion!r}?" if suggestion else f"there are: {', '.join(VERBS)}"
    raise ValueError(f"there is no verb {verb!r}; {rest}")


def one_line(error: BaseException) -> str:
    """The message of an error in one line, without the quotes of a KeyError; its type where it has no message."""
    words = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    return " ".join(words.split()) or type(error).__name__
