"""`canter studio`: the settings of a server from the command line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path


def run_studio(files: tuple[str, ...], host: str, port: int, browser: bool, script: Path | None) -> None:
    """Serve until Ctrl-C. A script without files rides its own animal, which may lie beside it."""
    from canter.control.registry import check_source, is_animal
    from canter.control.ride import read_script
    from canter.control.sources import beside
    from canter.studio.serve import Settings, serve

    if not 0 <= port <= 65535:
        raise ValueError(f"--port must be from 0 to 65535, not {port}")
    ride = None
    if script is not None:
        if not script.is_file():
            raise ValueError(f"{script}: there is no such script; examples/scripts has some")
        ride = read_script(script)
        if not files:
            files = (beside(ride.character, script),)
        ride = replace(ride, character=files[0])
    for file in files:
        check_source(file)
        if not is_animal(file) and not Path(file).is_file():
            raise ValueError(f"{file} is a folder, not a file")
    serve(Settings(files, ride, host, port), browser)
