"""What a character can be told to do besides going: its own actions, and clips of strangers that can serve as one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from canter.anatomy.character import Action, Anatomy, Character, Clip
from canter.anatomy.ground import GroundTrack, ground_track
from canter.anatomy.lazy import ByName, Lazily, names_of
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

LONGEST = 12.0
"""Seconds of a clip that is offered as an action; longer ones are takes of something else."""
NEAR = 0.15
"""Hip heights by which joints, on average, may be elsewhere than in standing where an action begins or ends."""
TURNED = np.radians(15)
"""An action that faces further around when it ends is none."""


def actions_of(character: Character) -> Mapping[str, Action]:
    """All actions by name, in order; those of an animal that makes them are made when they are asked for.

    Besides what is told, a short clip that shows no gait (a jump, a kick, another way to stand) is offered as an action
    without a hold if it begins and ends about as the animal stands.
    """
    told = character.actions
    return ByName(told if isinstance(told, Lazily) else (*told, *_offered(character, set(names_of(told)))))


def _offered(character: Character, told: set[str]) -> Iterator[Action]:
    stands = [clip for clip in character.clips if clip.footfalls.gait == "stand" and clip.name not in told]
    stand = next((clip for clip in stands if clip.footfalls.loop), stands[0] if stands else None)
    if stand is None:
        return
    pose = _seen(stand.motion, character.anatomy).mean(axis=0)
    for clip in character.clips:
        if clip is not stand and clip.name not in told and _is_action(clip, pose, character.anatomy):
            last = len(clip.motion) - 1
            yield Action(clip.name, clip.motion, (0, 0), None, (last, last), clip.footfalls.contacts)


def _is_action(clip: Clip, stand: Floats, anatomy: Anatomy) -> bool:
    """Whether a clip shows no gait and begins and ends near the pose of standing, facing about the same way."""
    motion = clip.motion
    if clip.footfalls.gait not in ("action", "stand") or len(motion) < 4 or motion.seconds > LONGEST:
        return False
    facings = ground_track(motion, anatomy, smooth=False).facings
    ends = motion[:: len(motion) - 1]
    away = np.linalg.norm(_seen(ends, anatomy) - stand, axis=-1).mean(axis=-1)
    return bool(abs(facings[-1] - facings[0]) < TURNED and away.max() < NEAR * anatomy.hip_height)


def _seen(motion: Motion, anatomy: Anatomy) -> Floats:
    """The body's joints `(T, K, 3)` as seen from where the animal is and faces."""
    track: GroundTrack = ground_track(motion, anatomy, smooth=False)
    body = [joint for joint in range(len(motion.skeleton)) if joint not in anatomy.ignored]
    place = np.insert(track.positions, 1, 0.0, axis=1)
    return rot.rotate(rot.yaw(-track.facings)[:, None], motion.position_world[:, body] - place[:, None])
