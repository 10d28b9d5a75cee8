"""Synthetic rigs that are not quadrupeds: a walking person, and things without four legs, all with ground truth."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from canter.anatomy.character import Kind
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.synthetic import body_motion as body
from canter.synthetic.dice import Dice
from canter.synthetic.draft import Draft, Take, retimed, upright
from canter.synthetic.gaits import TAU, Stride, Track, footprints, keyed, leg_phase
from canter.synthetic.mutations import MUTATIONS, mutate
from canter.synthetic.rig_file import SyntheticRig, finish
from canter.synthetic.takes import CLIP_MAKERS, FRAME_RATES

SIDES = {"L": 1.0, "R": -1.0}
CLIPS = {"straight": 0.4, "closed loop": 0.3, "open loop": 0.15, "strides": 0.15}
USUAL_MUTATIONS = ("start_elsewhere", "raise_ground", "extra_root", "several_roots", "origin_helpers")
Move = Callable[[Take, np.random.Generator], tuple[body.Frames, dict[str, str | None]]]
"""Poses one take: the frames of every part, and their parents."""
Bones = Sequence[Sequence[float]]


def synthetic_person(seed: int, **overrides: Any) -> SyntheticRig:
    """A person who walks and swings the arms."""
    dice = Dice(seed, overrides)
    rng = dice.stream("person")
    hip = float(rng.uniform(0.75, 1.0))
    seconds, duty = float(rng.uniform(0.9, 1.3)), float(rng.uniform(0.58, 0.64))
    speed = float(rng.uniform(0.6, 0.8)) * hip / (duty * seconds)
    stride = Stride("walk", "", seconds, speed, duty, (0.0, 0.5, 0.5, 0.0), 0.08 * hip, 0.02, 0.01, 2, 0.1, 0.02, 0.4)
    draft = _draft(dice, "biped", hip, stride, lambda take, _: _person(hip, take))
    draft.head = "head"
    for side in SIDES:
        draft.legs[side] = [f"{side}.{part}" for part in ("hip", "knee", "hock", "toe")]
        draft.feet[side] = draft.legs[side][-2:]
        draft.arms[side] = [f"{side}.{part}" for part in ("scapula", "shoulder", "elbow", "wrist")]
    return _finished(draft, dice)


def synthetic_other(seed: int, **overrides: Any) -> SyntheticRig:
    """A snake, a fish, an insect, a plant or a chest with a lid."""
    dice = Dice(seed, overrides)
    rng = dice.stream("other")
    move = OTHERS[dice.pick("body", dict.fromkeys(OTHERS, 1.0))]
    seconds = float(rng.uniform(0.6, 1.5))
    stride = Stride("other", "", seconds, 0.5 / seconds, 0.55, (0.0, 0.5, 0.5, 0.0), 0.05, 0.02, 0.02, 2, 0.3, 0.0, 0.3)
    return _finished(_draft(dice, "other", 1.0, stride, move), dice)


def _draft(dice: Dice, kind: Kind, hip: float, stride: Stride, move: Move) -> Draft:
    rate = float(dice.pick("frame_rate", FRAME_RATES))
    frames = round(stride.seconds * rate)
    stride = retimed(stride, frames / rate)
    take = CLIP_MAKERS[dice.pick("clip", CLIPS)](stride, rate, frames, dice.stream("take"))
    poses = []
    for each in (take, Take("rest", body.STILL, Track(0.0), rate, np.zeros(1))):
        parts, parents = move(each, dice.stream("shape"))
        poses.append(each.standing_still(parts) if each.in_place else parts)
    upright(poses)
    return Draft(kind, hip, [take], parents, poses, {})


def _finished(draft: Draft, dice: Dice) -> SyntheticRig:
    mutate(draft, dice, {name: MUTATIONS[name] for name in USUAL_MUTATIONS})
    rig = finish(draft, dice)
    dice.check()
    return rig


def _grow(parts: body.Frames, start: Floats, names: list[str], turns: list[Floats], bones: Bones) -> Floats:
    """A chain from `start`, each part turned by its own of `turns` and a bone away from the one before; its end."""
    place = start
    for name, turn, bone in zip(names, turns, bones, strict=True):
        parts[name] = (place, turn)
        place = place + rot.rotate(turn, np.array(bone))
    return place


def _parents(chains: list[list[str]]) -> dict[str, str | None]:
    """Parents from chains that begin with a joint that is already there; the very first one is the root."""
    parents: dict[str, str | None] = {chains[0][0]: None}
    for chain in chains:
        for upper, lower in itertools.pairwise(chain):
            parents[lower] = upper
    return parents


def _person(hip: float, take: Take) -> tuple[body.Frames, dict[str, str | None]]:
    stride, phase = take.stride, take.clock / take.stride.seconds
    point, heading = take.track.at(take.clock)
    none = 0 * phase
    parts: body.Frames = {}
    height = 1.04 * hip + stride.bob * np.cos(TAU * 2 * (phase - 0.35))
    twist = stride.bend * np.cos(TAU * (phase - 0.05))
    pelvis = point + np.stack([none, height, none], axis=-1)
    turns = [body.turned(heading + amount * twist, none, none) for amount in (-1, -0.3, 0.5, 1, 0.2, 0)]
    bones = [[0, 0.16 * hip, 0], [0, 0.16 * hip, 0.01], [0, 0.2 * hip, -0.02], [0, 0.1 * hip, 0.03], [0, 0.2 * hip, 0]]
    names = ["spine.0", "spine.1", "spine.2", "neck", "head", "head.end"]
    parts["spine.0"] = (pelvis, turns[0])
    _grow(parts, pelvis, names, turns, [*bones, [0, 0, 0]])
    chains = [names]
    for i, (side, sign) in enumerate(SIDES.items()):
        chains.append(["spine.2", *_arm(parts, hip, sign, side, stride, phase + (0.5 if i else 0.0))])
        chains.append(["spine.0", *_person_leg(parts, hip, sign, side, take, i)])
    return parts, _parents(chains)


def _arm(parts: body.Frames, hip: float, sign: float, side: str, stride: Stride, phase: Floats) -> list[str]:
    """An arm that swings with the other side's leg."""
    chest, turn = parts["spine.2"]
    swing = -stride.wag * np.cos(TAU * phase)
    upper = rot.multiply(turn, body.turned(0 * swing, swing, 0 * swing))
    lower = rot.multiply(upper, body.turned(0 * swing, 0.3 + 0.4 * (swing + stride.wag), 0 * swing))
    names = [f"{side}.{part}" for part in ("scapula", "shoulder", "elbow", "wrist")]
    start = chest + rot.rotate(turn, np.array([sign * 0.04, 0.17, 0.0]) * hip)
    bones: Bones = [[sign * 0.15 * hip, 0, 0], [sign * 0.02, -0.32 * hip, 0], [0, -0.29 * hip, 0], [0, 0, 0]]
    _grow(parts, start, names, [turn, upper, lower, lower], bones)
    return names


def _person_leg(parts: body.Frames, hip: float, sign: float, side: str, take: Take, leg: int) -> list[str]:
    pelvis, turn = parts["spine.0"]
    names = [f"{side}.{part}" for part in ("hip", "knee", "hock", "toe")]
    duty, still = min(take.stride.duty, 0.95), take.stride.duty >= 1
    phase = np.full(len(take.clock), 0.3) if still else leg_phase(take.stride, leg, take.clock)
    top = pelvis + rot.rotate(turn, np.array([sign * 0.11, -0.04, 0.0]) * hip)
    neutral = np.array([sign * 0.09 * hip, 0.02 * hip, 0.08 * hip])
    toe = footprints(take.stride, take.track, leg, neutral, take.clock, 0.35)
    angle = keyed(phase, [(0.0, 1.25), (0.1, 1.0), (0.6 * duty, 1.0), (duty, 0.2), (duty + 0.6 * (1 - duty), 1.1)])
    ankle = toe - rot.rotate(turn, 0.17 * hip * np.stack([0 * angle, -np.cos(angle), np.sin(angle)], axis=-1))
    pole = rot.rotate(turn, np.array([0.0, 0.0, 1.0]))
    reach = body.Reach(top, ankle, toe, pole, 0 * phase, phase % 1.0 <= duty)
    parts.update(body.pose_leg(names, reach, np.array([0.485, 0.485, 0.0]) * hip, False))
    return names


def _worm(take: Take, count: int, height: float, wave: float) -> tuple[body.Frames, dict[str, str | None]]:
    """A chain that waves sideways, its waves running backward."""
    phase = take.clock / take.stride.seconds
    point, heading = take.track.at(take.clock)
    names = [f"bone.{i}" for i in range(count)]
    yaws = [heading + wave * np.sin(TAU * (phase - 1.6 * i / count)) for i in range(count)]
    parts: body.Frames = {}
    start = point + np.array([0.0, height, 0.0])
    _grow(parts, start, names, [body.turned(y, 0 * y, 0 * y) for y in yaws], [[0, 0, -2.0 / count]] * count)
    return parts, _parents([names])


def _snake(take: Take, rng: np.random.Generator) -> tuple[body.Frames, dict[str, str | None]]:
    return _worm(take, int(rng.integers(12, 25)), 0.03, 0.7)


def _fish(take: Take, rng: np.random.Generator) -> tuple[body.Frames, dict[str, str | None]]:
    parts, parents = _worm(take, int(rng.integers(5, 9)), 1.0, 0.25)
    place, turn = parts["bone.1"]
    for side, sign in SIDES.items():
        parts[f"fin.{side}"] = (place + rot.rotate(turn, np.array([0.2 * sign, -0.1, 0.0])), turn)
        parents[f"fin.{side}"] = "bone.1"
    return parts, parents


def _insect(take: Take, rng: np.random.Generator) -> tuple[body.Frames, dict[str, str | None]]:
    """Six legs in two tripods."""
    point, heading = take.track.at(take.clock)
    none = 0 * take.clock
    turn = body.turned(heading, none, none)
    names = ["abdomen", "thorax", "head"]
    parts: body.Frames = {}
    _grow(parts, point + np.array([0, 0.35, -0.5]), names, [turn] * 3, [[0, 0, 0.5], [0, 0, 0.5], [0, 0, 0]])
    chains = [names]
    for row, z in enumerate((0.35, 0.0, -0.35)):
        for side, sign in SIDES.items():
            leg = (row + (sign < 0)) % 2
            chain = [f"leg.{row}.{side}.{part}" for part in ("hip", "knee", "hock", "toe")]
            top = parts["thorax"][0] + rot.rotate(turn, np.array([sign * 0.12, 0.0, 0.4 * z]))
            neutral = np.array([sign * 0.65, 0.05, 1.2 * z])
            toe = footprints(take.stride, take.track, leg, neutral, take.clock, 0.5)
            pole = rot.rotate(turn, np.array([sign * 0.5, 1.0, 0.0]))
            ankle = toe + np.array([0, 0.06, 0])
            reach = body.Reach(top, ankle, toe, pole, none, np.ones(len(none), bool))
            parts.update(body.pose_leg(chain, reach, np.array([0.5, 0.5, 0.0]), False))
            chains.append(["thorax", *chain])
    return parts, _parents(chains)


def _plant(take: Take, rng: np.random.Generator) -> tuple[body.Frames, dict[str, str | None]]:
    """A stem with branches that sway in the wind; it stays where it is."""
    phase = take.clock / take.stride.seconds
    parts: body.Frames = {}
    stem = [f"stem.{i}" for i in range(4)]
    turns = [body.turned(0 * phase, 0 * phase, 0.02 * (i + 1) * np.sin(TAU * (phase - 0.1 * i))) for i in range(4)]
    point, _ = take.track.at(take.clock)
    _grow(parts, point if take.in_place else 0 * point, stem, turns, [[0, 0.5, 0]] * 4)
    chains = [stem]
    for i in range(int(rng.integers(3, 7))):
        top = stem[1 + i % 3]
        way = [float(0.3 * np.cos(2.4 * i)), 0.15, float(0.3 * np.sin(2.4 * i))]
        sway = [body.turned(0 * phase, 0.1 * np.sin(TAU * (phase - 0.2 * i - 0.1 * j)), 0 * phase) for j in range(3)]
        names = [f"branch.{i}.{j}" for j in range(3)]
        _grow(parts, parts[top][0], names, [rot.multiply(parts[top][1], s) for s in sway], [way] * 3)
        chains.append([top, *names])
    return parts, _parents(chains)


def _chest_with_lid(take: Take, rng: np.random.Generator) -> tuple[body.Frames, dict[str, str | None]]:
    """Three bones: a box, its lid that opens and closes, and a lock on it."""
    phase = take.clock / take.stride.seconds
    none = 0 * phase
    still = body.turned(none, none, none)
    lid = body.turned(none, 0.5 - 0.5 * np.cos(TAU * phase), none)
    point, _ = take.track.at(take.clock)
    parts: body.Frames = {}
    start = point if take.in_place else 0 * point
    _grow(parts, start, ["box", "lid", "lock"], [still, lid, lid], [[0, 0.4, -0.3], [0, 0, 0.6], [0, 0, 0]])
    return parts, _parents([["box", "lid", "lock"]])


OTHERS: dict[str, Move] = {
    "snake": _snake,
    "fish": _fish,
    "insect": _insect,
    "plant": _plant,
    "chest": _chest_with_lid,
}
