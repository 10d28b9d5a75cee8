"""`canter body`: an animal in, a body with weight out, as MuJoCo reads it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path


def write_body(source: str, target: Path, hip_height: float | None = None) -> Iterator[str]:
    """Write the MJCF of an animal; what was made, line by line."""
    from canter.body.articulation import articulate
    from canter.control.sources import open_character
    from canter.formats.files import write_atomic
    from canter.physics.mjcf import write_mjcf

    if target.suffix.lower() != ".xml":
        raise ValueError(f"{target}: MuJoCo reads .xml; name one with -o")
    if not target.parent.is_dir():
        raise ValueError(f"{target}: there is no folder {target.parent}; make it, or name another with -o")
    body = articulate(open_character(source, hip_height))
    servos = sum(not hinge.passive for hinge in body.hinges)
    yield f"{body.character.name}: {body.mass:.3g} kg, hips at {body.hip_height:.2f} m"
    yield f"  {len(body.segments)} segments, {len(body.hinges)} hinges, {servos} of them with servos"
    if find_spec("mujoco") is None:
        yield "  not tried out: pip install 'canter[physics]' brings the simulator"
    else:
        from canter.physics.standing import try_standing

        stood = try_standing(body)
        end = "" if stood.upright else "; it fell"
        yield f"  stood for {stood.seconds:.1f} s, {stood.moved_hip_heights:.1%} of its hip height off at most{end}"
    write_atomic(target, write_mjcf(body).encode())
    yield f"{target}: python -m mujoco.viewer --mjcf={target}"
