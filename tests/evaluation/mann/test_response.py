"""Response: what is told when, and the seconds of answers that are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.control.registry import make_batch
from canter.evaluation.mann.response import Case, answer, cases_of, response_figures
from canter.evaluation.mann.subjects import Subject

CASES = [
    Case("speed", 0.9, 1.9),
    Case("heading", 0.9, 0.9, np.pi / 3),
    Case("sit", 0.9, 0.9, 0.0, "sit"),
    Case("jump", 1.9, 0.9, 0.0, "jump"),
]


def test_the_teacher_answers(subject: Subject) -> None:
    rides = answer(make_batch("gaits", subject.character, len(CASES)), CASES)
    character, data = subject.character, subject.dataset
    found = response_figures(CASES, rides, character, subject.poses, data.jumps)
    (speed,), (heading,) = found["speed"], found["heading"]
    assert 0.1 < speed < 1.0
    assert 0.1 < heading < 1.0
    sit, jump = found["actions"]["sit"], found["actions"]["jump"]
    assert 0.1 < sit["start"][0] < sit["reached"][0] < 3
    assert 0.5 < sit["leave"][0] < 3
    assert 0.1 < jump["start"][0] < 2


def test_who_does_nothing_answers_nothing(subject: Subject) -> None:
    rides = answer(make_batch("gaits", subject.character, len(CASES)), CASES)
    frozen = [
        replace(
            ride,
            motion=replace(
                ride.motion,
                positions=ride.motion.positions[:1].repeat(len(ride.motion), 0),
                rotations=ride.motion.rotations[:1].repeat(len(ride.motion), 0),
            ),
            contacts=np.ones_like(ride.contacts),
            facing=np.zeros_like(ride.facing),
        )
        for ride in rides
    ]
    found = response_figures(CASES, frozen, subject.character, subject.poses, subject.dataset.jumps)
    assert found["speed"] == found["heading"] == [None]
    for action in ("sit", "jump"):
        assert found["actions"][action] == {"start": [None], "reached": [None], "leave": [None]}


def test_cases_cover_paces_and_actions() -> None:
    cases = cases_of({"walk": 1.0, "trot": 2.0}, ["sit"])
    changes = {(case.before, case.after) for case in cases if case.name == "speed"}
    assert changes == {(1.0, 2.0), (2.0, 1.0), (0.0, 1.0)}
    assert {case.before for case in cases if case.action == "sit"} == {0.0, 1.0, 2.0}
    assert sum(case.turn for case in cases) == pytest.approx(0)
