"""How files call the joints of a made-up animal: clearly, like a biped, in numbers, in another language, or wrongly."""

from __future__ import annotations

from canter.anatomy.synthetic_draft import Draft

SIDES = {"L": "Left", "R": "Right"}
CLEAR = {
    "scapula": "Scapula", "shoulder": "UpperArm", "elbow": "ForeArm", "wrist": "Hand", "hip": "Thigh", "knee": "Shin",
    "hock": "Hock", "fetlock": "Fetlock", "toe": "Toe", "spine": "Spine", "neck": "Neck", "tail": "Tail",
}  # fmt: skip
BIPED = {
    "scapula": "Clavicle", "shoulder": "UpperArm", "elbow": "Forearm", "wrist": "Hand", "hip": "Thigh", "knee": "Calf",
    "hock": "Foot", "fetlock": "Finger0", "toe": "Toe0", "spine": "Spine", "neck": "Neck", "tail": "Tail",
}  # fmt: skip


def file_names(draft: Draft, order: list[str], scheme: str) -> dict[str, str]:
    """A unique name for every part, by `scheme`."""
    if scheme == "numbers":
        return {part: f"bone_{i:03d}" for i, part in enumerate(order)}
    make = {"clear": _clear, "biped": _biped}[scheme]
    return {part: make(part) for part in order}


def _clear(part: str) -> str:
    head, _, rest = part.partition(".")
    if head in ("LF", "RF", "LH", "RH"):
        return f"{SIDES[head[0]]}{'Fore' if head[1] == 'F' else 'Hind'}{CLEAR.get(rest, rest)}"
    return f"{CLEAR.get(head, head.capitalize())}{rest}"


def _biped(part: str) -> str:
    head, _, rest = part.partition(".")
    if head in ("LF", "RF", "LH", "RH"):
        return f"Bip01 {head[0]} {BIPED.get(rest, rest)}{'' if head[1] == 'F' else ' '}".rstrip() + (
            "" if head[1] == "F" or rest in ("hip", "knee", "hock") else "1"
        )
    return f"Bip01 {BIPED.get(head, head.capitalize())}{rest}"
