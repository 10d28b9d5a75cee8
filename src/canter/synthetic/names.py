"""Schemes for the joint names of a synthetic file: clear, like a biped's, numbers, another language, or wrong."""

from __future__ import annotations

from collections.abc import Callable

SCHEMES = {
    "clear": 0.25,
    "blender": 0.10,
    "biped": 0.15,
    "arms": 0.15,
    "numbers": 0.18,
    "german": 0.11,
    "swapped": 0.06,
}
"""`arms` calls front legs arms; `swapped` has left and right the wrong way round."""

# fmt: off
BIPED = {
    "scapula": "Clavicle", "shoulder": "UpperArm", "elbow": "Forearm", "wrist": "Hand", "hip": "Thigh", "knee": "Calf",
    "hock": "Foot", "fetlock": "Finger0", "toe": "Toe0", "digit": "Finger",
}
ARMS = {
    "scapula": "Shoulder", "shoulder": "Arm", "elbow": "ForeArm", "wrist": "Hand", "hip": "UpLeg", "knee": "Leg",
    "hock": "Foot", "fetlock": "ToeBase", "toe": "ToeEnd", "digit": "Finger",
}
GERMAN = {
    "scapula": "Schulterblatt", "shoulder": "Oberarm", "elbow": "Unterarm", "wrist": "Handwurzel",
    "hip": "Oberschenkel", "knee": "Unterschenkel", "hock": "Sprunggelenk", "fetlock": "Fessel", "toe": "Zehe",
    "digit": "Kralle", "spine": "Wirbel", "neck": "Hals", "head": "Kopf", "nose": "Nase", "tail": "Schweif",
    "ear": "Ohr", "jaw": "Kiefer", "root": "Wurzel", "back": "Ruecken", "eye": "Auge", "horn": "Horn",
    "mane": "Maehne", "rein": "Zuegel", "saddle": "Sattel", "wing": "Fluegel", "helper": "Hilfe", "end": "Ende",
    "L": "links", "R": "rechts", "LF": "vorne_links", "RF": "vorne_rechts", "LH": "hinten_links",
    "RH": "hinten_rechts",
}
# fmt: on
WORDS = {"L": "Left", "R": "Right", "LF": "LeftFore", "RF": "RightFore", "LH": "LeftHind", "RH": "RightHind"}
SWAPS = {"L": "R", "R": "L", "LF": "RF", "RF": "LF", "LH": "RH", "RH": "LH"}


def file_names(order: list[str], scheme: str) -> dict[str, str]:
    """A unique name for every part, by `scheme`."""
    if scheme == "numbers":
        return {part: f"bone_{i:03d}" for i, part in enumerate(order)}
    names: dict[str, str] = {}
    for part in order:
        name = MAKERS[scheme](part.split("."))
        while name in names.values():
            name += "_"
        names[part] = name
    return names


def _clear(words: list[str]) -> str:
    return "".join(WORDS.get(word, word.capitalize()) for word in words)


def _blender(words: list[str]) -> str:
    side = next((word for word in words if word in WORDS), "")
    place = {"F": "front_", "H": "back_"}.get(side[1:], "")
    rest = "_".join(word for word in words if word != side)
    return f"{place}{rest}{'.' + side[0] if side else ''}"


def _biped(words: list[str]) -> str:
    side = next((word[0] + " " for word in words if word in WORDS), "")
    rest = "".join(BIPED.get(word, word.capitalize()) for word in words if word not in WORDS)
    return f"Bip01 {side}{rest}"


def _arms(words: list[str]) -> str:
    side = next((WORDS[word[0]] for word in words if word in WORDS), "")
    return f"mixamorig:{side}" + "".join(ARMS.get(word, word.capitalize()) for word in words if word not in WORDS)


def _german(words: list[str]) -> str:
    return "_".join(GERMAN.get(word, word) for word in [*words[1:], words[0]] if word)


def _swapped(words: list[str]) -> str:
    return _clear([SWAPS.get(word, word) for word in words])


MAKERS: dict[str, Callable[[list[str]], str]] = {
    "clear": _clear,
    "blender": _blender,
    "biped": _biped,
    "arms": _arms,
    "german": _german,
    "swapped": _swapped,
}
