"""The actions of a character besides locomotion: its own, and clips that can serve as one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from canter.anatomy.character import Action, Anatomy, Character, Clip
from canter.anatomy.ground import GroundTrack, ground_track
from canter.anatomy.lazy import ByName, LazySequence, names_of
from canter.anatomy.standing import stands_of
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

MAX_SECONDS = 12.0
"""Longer clips are not offered as actions: they are takes of something else."""
MAX_OFF_STAND_HIP_HEIGHTS = 0.15
"""How far joints may be on average from the standing pose where an action begins or ends."""
MAX_TURN = np.radians(15)
"""A clip that ends facing further around than this is not an action."""


def actions_of(character: Character) -> Mapping[str, Action]:
    """All actions by name, in order; those that are lazy are made when they are asked for.

    Besides the character's own `actions`, a short clip without a gait (a jump, a kick, another way to stand) is offered
    as an action without a hold if it begins and ends about as the animal stands.
    """
    own = character.actions
    return ByName(own if isinstance(own, LazySequence) else (*own, *_offered(character, set(names_of(own)))))


def _offered(character: Character, own: set[str]) -> Iterator[Action]:
    """Clips not among its `own` actions that can serve as one."""
    stand = next((clip for clip in stands_of(character.clips) if clip.name not in own), None)
    if stand is None:
        return
    pose = _from_body(stand.motion, character.anatomy).mean(axis=0)
    for clip in character.clips:
        if clip is not stand and clip.name not in own and _is_action(clip, pose, character.anatomy):
            last = len(clip.motion) - 1
            yield Action(clip.name, clip.motion, (0, 0), None, (last, last), clip.footfalls.contacts)


def _is_action(clip: Clip, stand: Floats, anatomy: Anatomy) -> bool:
    """Whether a clip shows no gait and begins and ends near the pose of standing, facing about the same way."""
    motion = clip.motion
    if clip.footfalls.gait not in ("action", "stand") or len(motion) < 4 or motion.seconds > MAX_SECONDS:
        return False
    facings = ground_track(motion, anatomy, smooth=False).facings
    ends = motion[:: len(motion) - 1]
    away = np.linalg.norm(_from_body(ends, anatomy) - stand, axis=-1).mean(axis=-1)
    return bool(
        abs(facings[-1] - facings[0]) < MAX_TURN and away.max() < MAX_OFF_STAND_HIP_HEIGHTS * anatomy.hip_height
    )


def _from_body(motion: Motion, anatomy: Anatomy) -> Floats:
    """The body's joints `(T, K, 3)` as seen from where the animal is and faces."""
    track: GroundTrack = ground_track(motion, anatomy, smooth=False)
    body = [joint for joint in range(len(motion.skeleton)) if joint not in anatomy.ignored]
    place = np.insert(track.positions, 1, 0.0, axis=1)
    return rot.rotate(rot.yaw(-track.facings)[:, None], motion.position_world[:, body] - place[:, None])
