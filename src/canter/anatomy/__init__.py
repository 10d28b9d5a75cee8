"""From an unknown rig to a Character: up, forward, legs, head and tail, footfalls and gaits."""

from canter.anatomy.nouns import LEGS, Anatomy, Character, Clip, Footfalls, Leg, Transform

__all__ = ["LEGS", "Anatomy", "Character", "Clip", "Footfalls", "Leg", "Transform"]
