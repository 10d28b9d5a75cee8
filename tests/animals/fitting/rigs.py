"""Synthetic rigs for the tests of fitting."""

from __future__ import annotations

from canter.anatomy import Character, understand
from canter.synthetic import synthetic_rig

BODIES = {"dog": "dog", "cat": "dog", "bear": "dog", "horse": "horse", "cow": "horse", "giraffe": "horse"}
"""Bodies of synthetic rigs, and the animal whose gaits they get."""


def rig(body: str, seed: int = 1, **overrides: object) -> Character:
    return understand(synthetic_rig(seed, body=body, plain=True, **overrides).asset)
