"""What riggers and exporters do to an animal's skeleton: each mutation is a function on a draft, with a probability.

They run in the order of the table: first what rehangs the body, then what hangs on it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping

import numpy as np

from canter.anatomy.character import LEGS
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.synthetic.dice import Dice
from canter.synthetic.draft import Draft

Mutation = Callable[[Draft, np.random.Generator], bool | None]
"""Changes the draft; returns False where it does not fit."""

SIDES = {"L": 1.0, "R": -1.0}


def chest_of(draft: Draft) -> str:
    """The spine joint at the shoulders."""
    assert draft.animal is not None
    return f"spine.{draft.animal.spine_bones}"


def _girdle_end(draft: Draft, leg: str) -> str:
    return chest_of(draft) if leg[1] == "F" else "spine.0"


def start_elsewhere(draft: Draft, rng: np.random.Generator) -> None:
    """The clips do not start at the origin."""
    shift = np.array([rng.uniform(-5, 5), 0.0, rng.uniform(-5, 5)]) * draft.hip
    _shift(draft, shift)


def raise_ground(draft: Draft, rng: np.random.Generator) -> None:
    """The ground is not at height zero."""
    _shift(draft, np.array([0.0, rng.uniform(-1.2, 1.2) * draft.hip, 0.0]))


def _shift(draft: Draft, shift: Floats) -> None:
    for frames in draft.frames[:-1]:
        for part, (place, turn) in frames.items():
            frames[part] = (place + shift, turn)


def root_at_chest(draft: Draft, rng: np.random.Generator) -> None:
    """The spine hangs on the chest and runs backward."""
    _reroot(draft, int(chest_of(draft).removeprefix("spine.")))


def root_in_middle(draft: Draft, rng: np.random.Generator) -> None:
    """The root is in the middle of the back; a second joint there leads to the pelvis."""
    _reroot(draft, int(rng.integers(1, int(chest_of(draft).removeprefix("spine.")))))


def _reroot(draft: Draft, k: int) -> None:
    """Make spine joint `k` the root. A joint that now leads backward takes the turn of the bone behind it."""
    last = k == int(chest_of(draft).removeprefix("spine."))
    for frames in draft.frames:
        turns = [frames[f"spine.{i}"][1] for i in range(k + 1)]
        for i in range(1, k):
            frames[f"spine.{i}"] = (frames[f"spine.{i}"][0], turns[i - 1])
        if not last:
            frames["back"] = (frames[f"spine.{k}"][0], turns[k - 1])
    for i in range(k):
        draft.parents[f"spine.{i}"] = f"spine.{i + 1}"
    draft.parents[f"spine.{k}"] = None
    if not last:
        draft.parents["back"], draft.parents[f"spine.{k - 1}"] = f"spine.{k}", "back"


def legs_elsewhere(draft: Draft, rng: np.random.Generator) -> None:
    """Forelegs hang on the neck's base or further back on the spine, hind legs on the tail or further forward."""
    last = int(chest_of(draft).removeprefix("spine."))
    fore = str(rng.choice(["neck.0", f"spine.{last - 1}", "spine.1"], p=[0.45, 0.4, 0.15]))
    hind = "tail.0" if "tail.0" in draft.parents and rng.random() < 0.5 else "spine.1"
    for leg, parts in draft.legs.items():
        draft.parents[parts[0]] = fore if leg[1] == "F" else hind


def end_at_ankle(draft: Draft, rng: np.random.Generator) -> None:
    """The rig has no toes: its last joint is a strut above the sole."""
    for leg, parts in draft.legs.items():
        draft.drop(parts.pop())
        draft.feet[leg] = parts[-1:]
    draft.sole_in_rig = False


def digits(draft: Draft, rng: np.random.Generator) -> None:
    """Two or three toes on every foot instead of one."""
    spread = float(rng.uniform(0.03, 0.07)) * draft.hip
    offsets = [-spread, spread] if rng.random() < 0.5 else [-spread, 0.0, spread]
    for leg, parts in draft.legs.items():
        ankle = parts[-1] if not draft.sole_in_rig else parts[-2]
        tip = draft.rest(parts[-1]) - draft.rest(ankle)
        if not draft.sole_in_rig:
            assert draft.animal is not None
            tip = np.array([0.0, -0.6, 0.8]) * draft.animal.pastern
            tip[1] = max(tip[1], 0.01 * draft.hip - draft.rest(ankle)[1])
        for i, across in enumerate(offsets):
            base, end = f"{leg}.digit.{2 * i}", f"{leg}.digit.{2 * i + 1}"
            draft.attach(base, ankle, 0.45 * tip + np.array([0.7 * across, 0, 0]))
            draft.attach(end, base, 0.55 * tip + np.array([0.3 * across, 0, 0]))
            draft.feet[leg] += [base, end]


def detached_feet(draft: Draft, rng: np.random.Generator) -> None:
    """Foot joints hang on the root and move by translation; sometimes the leg keeps an end of its own."""
    which = LEGS if rng.random() < 0.7 else LEGS[:2] if rng.random() < 0.5 else LEGS[2:]
    keep_end = rng.random() < 0.5
    root = draft.root()
    for leg in which:
        parts = draft.legs[leg]
        foot = parts[-2] if draft.sole_in_rig else parts[-1]
        above = draft.parents[foot]
        draft.parents[foot] = root
        if keep_end and above is not None:
            end = f"{leg}.end"
            draft.attach(end, above, draft.rest(foot) - draft.rest(above))
            draft.feet[leg].append(end)


def extra_root(draft: Draft, rng: np.random.Generator) -> None:
    """One more joint on top: at the origin, on the ground below the body, or where the old root is."""
    old, kind = draft.root(), str(rng.choice(["origin", "ground", "copy"]))
    places = [frames[old][0] for frames in draft.frames]
    turns = None
    if kind == "origin":
        places = [np.zeros_like(place) for place in places]
        draft.static.add("root")
    elif kind == "ground":
        lows = [min(float(parts[p][0][:, 1].min()) for p in parts) for parts in draft.frames]
        places = [np.stack([p[:, 0], np.full(len(p), low), p[:, 2]], -1) for p, low in zip(places, lows, strict=True)]
    else:
        turns = [frames[old][1] for frames in draft.frames]
    tops = [part for part, parent in draft.parents.items() if parent is None]
    draft.put("root", None, places, turns)
    for part in tops:
        draft.parents[part] = "root"


def several_roots(draft: Draft, rng: np.random.Generator) -> None:
    """Things beside the animal at the top of the file: a camera, a prop, and perhaps its own feet."""
    for i in range(int(rng.integers(1, 4))):
        spot = rng.uniform(-3, 3, 3) * draft.hip * np.array([1, 0.5, 1])
        place_still(draft, f"prop.{i}", None, spot)
    root = draft.root()
    loose = [part for part in draft.children(root) if part.split(".")[-1] in ("fetlock", "wrist", "hock", "toe")]
    for part in loose if rng.random() < 0.5 else []:
        draft.parents[part] = None


def origin_helpers(draft: Draft, rng: np.random.Generator) -> None:
    """Bones at the origin that never move, and some that lie on the root."""
    top = draft.root()
    for i in range(int(rng.integers(1, 5))):
        if top not in draft.static and rng.random() < 0.4:
            draft.attach(f"helper.{i}", top, np.zeros(3))
        else:
            place_still(draft, f"helper.{i}", top if top in draft.static else None, np.zeros(3))


def place_still(draft: Draft, part: str, parent: str | None, spot: Floats) -> None:
    """A new joint that never moves."""
    draft.put(part, parent, [np.tile(spot, (len(next(iter(f.values()))[0]), 1)) for f in draft.frames])
    draft.static.add(part)


def ik_joints(draft: Draft, rng: np.random.Generator) -> None:
    """Poles before or behind the knees, and sometimes targets at the feet, all on the root."""
    root, targets = draft.root(), rng.random() < 0.4
    for leg, parts in draft.legs.items():
        joints = [part for part in parts if part.split(".")[1] in ("knee", "elbow")]
        away = np.array([0, 0, 0.6 if leg[1] == "H" else -0.6]) * draft.hip
        girdle = [frames[_girdle_end(draft, leg)][1] for frames in draft.frames]
        places = [f[joints[0]][0] + rot.rotate(turn, away) for f, turn in zip(draft.frames, girdle, strict=True)]
        draft.put(f"{leg}.pole", root, places)
        if targets:
            draft.put(f"{leg}.target", root, [f[draft.feet[leg][0]][0].copy() for f in draft.frames])
            draft.feet[leg].append(f"{leg}.target")


def twist_bones(draft: Draft, rng: np.random.Generator) -> None:
    """Leaves along the long bones that take part of their twist."""
    for leg, parts in draft.legs.items():
        for upper, lower in list(itertools.pairwise(parts))[:3]:
            if draft.parents[lower] == upper:
                fraction = float(rng.choice([0.0, 0.5, 0.5]))
                name = f"{leg}.twist.{upper.split('.')[1]}"
                draft.attach(name, upper, fraction * (draft.rest(lower) - draft.rest(upper)))


def bare_head(draft: Draft, rng: np.random.Generator) -> None:
    """No joint at the nose."""
    if "nose" in draft.parents:
        draft.drop("nose")


def bare_tail(draft: Draft, rng: np.random.Generator) -> None:
    """No end joint at the tail."""
    if len(draft.tail) > 1:
        draft.drop(draft.tail.pop())


def place_pair(draft: Draft, name: str, parent: str, offsets: list[tuple[float, float, float]], size: float) -> None:
    """A left and a right chain on `parent`, each joint `offsets` times `size` from the one before."""
    for side, sign in SIDES.items():
        top = parent
        for i, (x, y, z) in enumerate(offsets):
            part = f"{name}.{side}.{i}"
            draft.attach(part, top, np.array([sign * x, y, z]) * size)
            top = part


def _size(draft: Draft) -> float:
    assert draft.animal is not None
    return draft.animal.head


def ears(draft: Draft, rng: np.random.Generator) -> None:
    place_pair(draft, "ear", "head", [(0.16, 0.18, -0.05), (0.1, 0.24, 0.0)][: int(rng.integers(1, 3))], _size(draft))


def horns(draft: Draft, rng: np.random.Generator) -> None:
    place_pair(draft, "horn", "head", [(0.1, 0.2, 0.1), (0.3, 0.3, 0.0), (0.2, 0.4, -0.1)], _size(draft))


def eyes(draft: Draft, rng: np.random.Generator) -> None:
    place_pair(draft, "eye", "head", [(0.15, 0.0, 0.3)], _size(draft))


def jaw(draft: Draft, rng: np.random.Generator) -> None:
    draft.attach("jaw", "head", np.array([0, -0.3, 0.2]) * _size(draft))
    draft.attach("jaw.end", "jaw", np.array([0, -0.25, 0.5]) * _size(draft))


def mane(draft: Draft, rng: np.random.Generator) -> None:
    """A chain along the neck."""
    top = "neck.0"
    for i in range(int(rng.integers(2, 5))):
        draft.attach(f"mane.{i}", top, np.array([0, 0.12, -0.05 if i == 0 else 0.06]) * draft.hip)
        top = f"mane.{i}"


def reins(draft: Draft, rng: np.random.Generator) -> None:
    """Chains that hang from the head to both sides of the neck."""
    place_pair(draft, "rein", "head", [(0.2, -0.3, 0.3), (0.1, -0.3, -0.5), (0.0, 0.0, -0.7)], _size(draft))


def saddle(draft: Draft, rng: np.random.Generator) -> None:
    """A saddle on the back with stirrups at both sides."""
    back = f"spine.{int(chest_of(draft).removeprefix('spine.')) // 2}"
    draft.attach("saddle", back, np.array([0, 0.12, 0]) * draft.hip)
    place_pair(draft, "stirrup", "saddle", [(0.25, -0.1, 0.0), (0.05, -0.4, 0.0)], draft.hip)


def wings(draft: Draft, rng: np.random.Generator) -> None:
    """Folded wings on the chest."""
    chain = [(0.15, 0.1, 0.0), (0.1, 0.25, -0.3), (0.05, -0.2, 0.35), (0.0, -0.05, -0.8)]
    place_pair(draft, "wing", chest_of(draft), chain, draft.hip)


def elephant_trunk(draft: Draft, rng: np.random.Generator) -> bool:
    """An elephant's trunk, in one of six hanging below the feet."""
    if draft.animal is None or draft.animal.kind != "elephant":
        return False
    top = "nose" if "nose" in draft.parents else "head"
    drop = draft.rest(top)[1] * (1.03 if rng.random() < 0.17 else rng.uniform(0.75, 0.95))
    for i in range(5):
        draft.attach(f"trunk.{i}", top, np.array([0, -drop / 5, (0.05 if i < 3 else -0.03) * draft.hip]))
        top = f"trunk.{i}"
    return True


MUTATIONS: dict[str, tuple[float, Mutation]] = {
    "start_elsewhere": (0.30, start_elsewhere),
    "raise_ground": (0.15, raise_ground),
    "legs_elsewhere": (0.20, legs_elsewhere),
    "end_at_ankle": (0.25, end_at_ankle),
    "digits": (0.20, digits),
    "bare_head": (0.40, bare_head),
    "bare_tail": (0.30, bare_tail),
    "elephant_trunk": (0.70, elephant_trunk),
    "ears": (0.35, ears),
    "eyes": (0.15, eyes),
    "horns": (0.08, horns),
    "jaw": (0.25, jaw),
    "mane": (0.10, mane),
    "reins": (0.08, reins),
    "saddle": (0.08, saddle),
    "wings": (0.06, wings),
    "extra_root": (0.35, extra_root),
    "detached_feet": (0.12, detached_feet),
    "twist_bones": (0.15, twist_bones),
    "ik_joints": (0.15, ik_joints),
    "several_roots": (0.10, several_roots),
    "origin_helpers": (0.20, origin_helpers),
}


ROOTS = {"pelvis": 0.65, "chest": 0.15, "middle": 0.20}


def mutate(draft: Draft, dice: Dice, table: Mapping[str, tuple[float, Mutation]]) -> None:
    """Draw and apply the mutations of a table of probabilities; the draft remembers which."""
    root = dice.pick("root", ROOTS) if draft.animal else "pelvis"
    if root != "pelvis":
        (root_at_chest if root == "chest" else root_in_middle)(draft, dice.stream("mutation root"))
        draft.mutations.append(f"root at {root}")
    for name, (probability, change) in table.items():
        if dice.chance(name, probability) and change(draft, dice.stream(f"mutation {name}")) is not False:
            draft.mutations.append(name)
