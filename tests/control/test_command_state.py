"""The nouns of the contract: frozen, checked, and complete."""

from __future__ import annotations

import copy
import dataclasses
import math
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from canter.control import EVENTS, TELEMETRY, Capabilities, Command, Goal, Ground, Push, Style, Throw, Trajectory
from canter.control.state import LazyValues

DOCS = Path(__file__).parents[2] / "docs" / "control.md"


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, None, "fast", True])
@pytest.mark.parametrize("name", ["speed", "heading"])
def test_a_command_refuses_what_is_no_finite_number_and_names_the_field(name: str, bad: object) -> None:
    with pytest.raises(ValueError, match=name):
        Command(**{name: bad})


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: Command(facing=math.nan), "facing"),
        (lambda: Command(action=""), "action"),
        (lambda: Command(goal=(1, 2)), "goal"),
        (lambda: Command(style={"height": math.nan}), "style.height"),
        (lambda: Command(disturbances=("push",)), "disturbances"),
        (lambda: Goal(position=(1, math.nan)), "goal.position"),
        (lambda: Goal(position=(1,)), "goal.position"),
        (lambda: Goal(seconds=-1), "goal.seconds"),
        (lambda: Push((0, math.inf, 0)), "push.impulse"),
        (lambda: Throw((0, 0, 0), (0, 0, 1), mass=0), "throw.mass"),
        (lambda: Ground(friction=-0.1), "ground.friction"),
    ],
)
def test_every_part_of_a_command_is_checked(make, name: str) -> None:
    with pytest.raises(ValueError, match=name.replace(".", r"\.")):
        make()


def test_a_command_is_frozen_and_does_not_share_its_style() -> None:
    style = {"height": 0.5}
    command = Command(1.0, style=style, disturbances=[Push((1, 0, 0))])
    style["height"] = 9.0
    assert command.style == {"height": 0.5}
    assert isinstance(command.disturbances, tuple)
    with pytest.raises(dataclasses.FrozenInstanceError):
        command.speed = 2.0
    assert copy.deepcopy(command) == command


def test_capabilities_clamp_and_tell() -> None:
    able = Capabilities((0.0, 3.0), actions=("sit",), styles=(Style("height", -1, 1),))
    assert able.admit(Command(speed=2.0)) == (Command(speed=2.0), ())
    assert able.admit(Command(speed=9.0)) == (Command(speed=3.0), ("clamped",))
    assert able.admit(Command(speed=-1.0, action="fly")) == (Command(speed=0.0), ("clamped", "unavailable"))
    assert able.admit(Command(action="sit", style={"height": 5}))[0].style == {"height": 1}
    with pytest.raises(ValueError, match="honours"):
        Capabilities((0, 1), honours=frozenset({"velocity"}))


def test_a_trajectory_knows_its_shape_and_now() -> None:
    from canter.control.trajectory import WINDOW

    assert len(WINDOW.times) == 12
    assert WINDOW.times[0] == -1
    assert WINDOW.times[WINDOW.now] == 0
    assert (len(WINDOW.past), len(WINDOW.future)) == (6, 5)
    with pytest.raises(ValueError, match="12 samples"):
        Trajectory(WINDOW.times, np.zeros((12, 2)), np.zeros(12), np.zeros((12, 3)))


def test_lazy_values_are_made_once_when_they_are_looked_at() -> None:
    made: list[str] = []

    def make(name: str) -> str:
        made.append(name)
        return name.upper()

    values = LazyValues({name: partial(make, name) for name in ("a", "b")})
    assert list(values) == ["a", "b"]
    assert len(values) == 2
    assert "a" in values
    assert "c" not in values
    assert made == []
    assert [values["b"], values["b"], values.get("c")] == ["B", "B", None]
    assert made == ["b"]
    assert repr(values) == "{'a': 'A', 'b': 'B'}"


def test_every_event_and_telemetry_name_is_documented() -> None:
    page = DOCS.read_text("utf-8")
    for name in (*EVENTS, *TELEMETRY):
        assert f"`{name}`" in page


def test_importing_control_is_light() -> None:
    code = "import sys, canter.control; print([m for m in ('scipy', 'PIL', 'rich', 'tyro') if m in sys.modules])"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )
