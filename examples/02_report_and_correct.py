"""A report, and its correction: what canter found in a file as plain data, and a TOML file that overrules it.

- reading a file into a Character: metres, +Y up, +Z forward
- the report that `canter inspect --json` prints
- `NAME.anatomy.toml`, written from what was found, edited, and heeded when the file is loaded again
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import tomli_w

from canter import load, report, write
from canter.anatomy.overrides import overrides_path, overrides_text
from canter.anatomy.report import file_anatomy
from canter.synthetic import example_animal


def main(folder: Path) -> None:
    file = folder / "dog.glb"
    write(example_animal(strides=4), file)

    dog = load(file)
    found = report(dog)
    print(f"{found['file']} is a {found['kind']} with hips {found['hip_height']:.2f} m high")
    for name, joints in found["legs"].items():
        print(f"  {name}: {' > '.join(joints)}")
    for clip in found["clips"]:
        print(f"  {clip['name']}: {clip['gait']} at {clip['speed']:.2f} m/s, a stride every {clip['stride_s']:.2f} s")

    # Suppose that the tail were wrong. What canter found is written down, in the file's own axes and units ...
    corrections = overrides_path(file)
    table = tomllib.loads(overrides_text(file_anatomy(dog), dog.skeleton))
    # ... corrected by hand (here by a line of Python), and heeded from then on.
    table["tail"] = ["Tail1", "Tail2"]
    corrections.write_text(tomli_w.dumps(table), "utf-8")
    print(f"with {corrections.name} the tail is {report(load(file))['tail']}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
