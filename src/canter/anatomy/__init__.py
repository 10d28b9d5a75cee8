"""From an unknown rig to a Character: up, forward, legs, head and tail, footfalls and gaits."""

from canter.anatomy.acting import actions_of
from canter.anatomy.canonical import canonical, load_character, understand
from canter.anatomy.detect import detect
from canter.anatomy.ground import GroundTrack, ground_track
from canter.anatomy.nouns import LEGS, Action, Anatomy, Character, Clip, Footfalls, Leg, Transform

__all__ = [
    "LEGS",
    "Action",
    "Anatomy",
    "Character",
    "Clip",
    "Footfalls",
    "GroundTrack",
    "Leg",
    "Transform",
    "actions_of",
    "canonical",
    "detect",
    "ground_track",
    "load_character",
    "understand",
]
