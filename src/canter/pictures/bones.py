"""Which bones a character has for the eye: limbs with thickness and colour, from its anatomy.

Legs follow the anatomy's chains, not the tree, because rigs hang feet elsewhere; what the anatomy does not know is
drawn thin and grey, so that any skeleton gives a picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.anatomy import Anatomy, Character
from canter.motion import Skeleton
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.kinematics import forward
from canter.pictures.camera import Camera
from canter.pictures.palette import BODY, HEAD, PAPER, Color, leg_color, mix
from canter.pictures.shapes import Canvas

MIN_BONE_SIZES, MAX_BONE_SIZES = 0.004, 0.7
"""Lengths, in body sizes, between which a link outside the known anatomy belongs to the body, not to the rig."""

MAX_FADE = 0.35
"""How much of the paper's colour the farthest bone takes on."""


@dataclass(frozen=True)
class Bone:
    """One limb to draw: from the middle of some joints to that of others, the radii there in metres, and a colour."""

    start: tuple[int, ...]
    end: tuple[int, ...]
    start_radius: float
    end_radius: float
    color: Color
    beyond: float = 0.0
    """Above zero: the bone starts at `end` and goes on this far in the direction from `start`, as a head needs."""


def size_of(character: Character) -> float:
    """A length to measure thickness by: the hip height, or a fraction of the extent where there is none."""
    height = character.anatomy.hip_height
    if np.isfinite(height) and height > 0:
        return float(height)
    rest = character.skeleton.offsets
    return float(max(np.abs(rest).sum(axis=0).max() / 4, 1e-3))


def bones_of(character: Character) -> tuple[Bone, ...]:
    """All limbs of a character, trunk first."""
    anatomy, skeleton, size = character.anatomy, character.skeleton, size_of(character)
    limbs = [*anatomy.legs, *anatomy.arms]
    in_limb = {joint for leg in limbs for joint in leg.joints}
    known = {*anatomy.neck, *anatomy.spine[1:], anatomy.head}
    typical = _typical_pose(character)
    bones = _trunk(anatomy, size)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent < 0 or joint in in_limb or joint in anatomy.ignored or parent in anatomy.ignored:
            continue
        length = float(np.linalg.norm(typical[joint] - typical[parent])) / size
        if length > MIN_BONE_SIZES and (length < MAX_BONE_SIZES or joint in known or not limbs):
            color, radii = _role(anatomy, parent, joint, in_limb)
            bones.append(Bone((parent,), (joint,), size * radii[0], size * radii[1], color))
    bones += _head(anatomy, skeleton, size)
    for place, leg in enumerate(limbs):
        top = int(skeleton.parents[leg.joints[0]])
        near = top >= 0 and float(np.linalg.norm(typical[leg.joints[0]] - typical[top])) < MAX_BONE_SIZES * size
        color = leg_color(leg.name, place)
        color = mix(color, BODY, 0.4) if leg in anatomy.arms else color
        bones += _limb(leg.joints, top if near else -1, size, color)
    return tuple(bones)


def _typical_pose(character: Character) -> Floats:
    """World positions `(J, 3)` of a frame that can be trusted more than the rest pose of a file."""
    if character.clips and len(character.clips[0].motion):
        motion = character.clips[0].motion
        positions: Floats = motion.position_world[len(motion) // 2]
        return positions
    return forward(character.skeleton, character.skeleton.offsets, character.skeleton.rotations)[0]


def _trunk(anatomy: Anatomy, size: float) -> list[Bone]:
    """The barrel between the girdles of a quadruped, which rigs often leave to the skin."""
    fore, hind = (tuple(leg.joints[0] for leg in anatomy.legs if leg.name.endswith(end)) for end in "FH")
    if not fore or not hind:
        return []
    return [Bone(hind, fore, 0.15 * size, 0.17 * size, mix(BODY, PAPER, 0.22))]


def _head(anatomy: Anatomy, skeleton: Skeleton, size: float) -> list[Bone]:
    """A muzzle, or a round head on two legs, where the rig ends at the head's joint."""
    head = anatomy.head
    if head is None or skeleton.parents[head] < 0 or skeleton.children[head]:
        return []
    start, end, beyond = (0.085, 0.1, 0.12) if anatomy.kind == "biped" else (0.07, 0.04, 0.28)
    return [Bone((int(skeleton.parents[head]),), (head,), start * size, end * size, HEAD, beyond * size)]


def _role(anatomy: Anatomy, parent: int, joint: int, in_limb: set[int]) -> tuple[Color, tuple[float, float]]:
    """Colour and radii, in body sizes, of a bone that is no part of a limb."""
    if parent in in_limb:
        return BODY, (0.015, 0.01)
    if joint in anatomy.tail:
        place = anatomy.tail.index(joint)
        taper = np.linspace(0.045, 0.015, len(anatomy.tail) + 1)
        return BODY, (float(taper[place]), float(taper[place + 1]))
    if anatomy.head is not None and (joint == anatomy.head or parent == anatomy.head):
        if joint == anatomy.head:
            return HEAD, (0.075, 0.07)
        return HEAD, (0.09, 0.1) if anatomy.kind == "biped" else (0.06, 0.03)
    if joint in anatomy.neck:
        return BODY, (0.11, 0.085)
    if joint in anatomy.spine and parent in anatomy.spine:
        thick = 0.09 if anatomy.kind == "quadruped" else 0.135
        return BODY, (thick, thick)
    return BODY, (0.03, 0.025)


def _limb(joints: tuple[int, ...], top: int, size: float, color: Color) -> list[Bone]:
    """The links of a chain, thick above; and the one that ties it to the joint `top` of the trunk, if there is one."""
    radii = size * np.interp(np.linspace(0, 1, len(joints)), [0, 0.5, 1], [0.078, 0.045, 0.026])
    links = zip(joints, joints[1:], radii, radii[1:], strict=False)
    bones = [Bone((a,), (b,), float(ra), float(rb), color) for a, b, ra, rb in links]
    tie = [Bone((top,), (joints[0],), 0.05 * size, float(radii[0]), mix(BODY, color, 0.35))] if top >= 0 else []
    return tie + bones


def draw_bones(canvas: Canvas, camera: Camera, bones: tuple[Bone, ...], world: Floats) -> None:
    """Draws the bones at joint positions `world (J, 3)`, far ones first and paler."""
    if not bones:
        return
    ends = bone_ends(bones, world)
    pixels, near, scale = camera.project(ends)
    depth = near.mean(axis=1)
    finite = np.asarray(np.isfinite(pixels).all(axis=(1, 2)))
    if not finite.any():
        return
    nearest, span = float(depth[finite].max()), max(float(np.ptp(depth[finite])), 1e-9)
    for i in np.argsort(depth, kind="stable"):
        bone, away = bones[int(i)], MAX_FADE * float(nearest - depth[i]) / span
        if finite[i]:
            ra, rb = (
                max(0.9, r * float(s)) for r, s in zip((bone.start_radius, bone.end_radius), scale[i], strict=True)
            )
            canvas.limb(pixels[i, 0], pixels[i, 1], ra, rb, mix(bone.color, PAPER, away))


def bone_ends(bones: tuple[Bone, ...], world: Floats) -> Floats:
    """Where each bone starts and ends: `(B, 2, 3)`."""
    starts = np.array([world[list(bone.start)].mean(axis=0) for bone in bones])
    ends = np.array([world[list(bone.end)].mean(axis=0) for bone in bones])
    beyond = np.array([bone.beyond for bone in bones])[:, None]
    further = ends + beyond * rot.normalize(ends - starts)
    return np.stack([np.where(beyond > 0, ends, starts), further], axis=1)
