"""From an unknown rig to a Character: up, forward, legs, head and tail, footfalls and gaits."""

from canter.anatomy.actions import actions_of
from canter.anatomy.canonical import canonical, load_character, understand
from canter.anatomy.character import LEGS, Action, Anatomy, Character, Clip, Footfalls, Leg, Transform
from canter.anatomy.detect import detect
from canter.anatomy.ground import GroundTrack, ground_track

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
