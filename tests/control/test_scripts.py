"""Rides as text: what is read, what is refused and why, and that nothing is lost on the way."""

from __future__ import annotations

import dataclasses
import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.anatomy import Character
from canter.control import (
    Capabilities,
    Command,
    Entry,
    Goal,
    Ground,
    Push,
    Throw,
    World,
    load,
    register,
    rollout,
    states,
)
from canter.control import registry as shelves
from canter.control.figures import ride_figures
from canter.control.follow import Follower
from canter.control.follow import Path as Route
from canter.control.play import ScriptPlayer, ride_script
from canter.control.ride import ScriptError, format_script, parse_script, read_script, write_script
from canter.control.script import Cue, Script, record

RIDE = """
character = "horse"
controller = "gaits"
seed = 7
world = { terrain = "slope", angle = 0.1 }
[options]
clip = "walk"

[[at]]
time = 0
speed = 1.5
heading_deg = 90
style = { energy = 0.5 }

[[at]]
time = 1.0
facing_deg = -45
action = "sit"
goal = { position = [1, 2], facing_deg = 180, action = "lie", seconds = 2 }
disturbances = [{ kind = "push", impulse = [10, 0, 0] }, { kind = "ground", friction = 0.1 }]

[[at]]
time = 2
facing_deg = "none"
action = "none"
goal = "none"
"""


def test_a_ride_is_read() -> None:
    script = parse_script(RIDE)
    assert (script.character, script.controller, script.seed) == ("horse", "gaits", 7)
    assert script.options == {"clip": "walk"}
    assert script.world == World.slope(0.1)
    commands = list(script.commands(10))
    assert len(commands) == 40
    assert commands[0] == Command(1.5, math.pi / 2, style={"energy": 0.5})
    assert commands[9] == commands[0]
    assert commands[10].goal == Goal((1, 2), math.pi, "lie", 2)
    assert commands[10].disturbances == (Push((10, 0, 0)), Ground(friction=0.1))
    assert commands[11] == dataclasses.replace(commands[10], disturbances=())
    assert commands[20] == commands[0]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("x = ", "not valid TOML"),
        ("[" * 100_000, "not valid TOML"),
        ("seed = 1", "`character` is missing"),
        ('character = "a"\nspeed = 1', "`speed` is unknown"),
        ('character = "a"\nseed = 1.5', "`seed`"),
        ('character = "a"\nsize = 1e9', "size must be from"),
        ('character = "a"\nat = 3', r"\[\[at\]\]"),
        ('character = "a"\nworld = { terrain = "moon" }', "world.terrain"),
        ('character = "a"\nworld = { terrain = "slope", angle = "steep" }', "world.angle"),
        ('character = "a"\noptions = { x = [1] }', "options.x"),
        ('character = "a"\n[[at]]\nspeed = 1', "entry 1 .*`time` is missing"),
        ('character = "a"\n[[at]]\ntime = -1', "entry 1 .*`time`"),
        ('character = "a"\n[[at]]\ntime = 1\n[[at]]\ntime = 0', "cue 2"),
        ('character = "a"\n[[at]]\ntime = 0\n[[at]]\ntime = 1\nspeed = nan', "entry 2 .*speed"),
        ('character = "a"\n[[at]]\ntime = 0\nspeed = true', "entry 1 .*speed"),
        ('character = "a"\n[[at]]\ntime = 0\nheading_deg = "north"', "heading_deg"),
        ('character = "a"\n[[at]]\ntime = 0\nheading_deg = 1\nheading = 1', "both"),
        ('character = "a"\n[[at]]\ntime = 0\nheading = 1\ngo_to = [1, 2]', "exclude"),
        ('character = "a"\n[[at]]\ntime = 0\ngo_to = [1, 2, 3]', "go_to"),
        ('character = "a"\n[[at]]\ntime = 0\npath = [[1, 2], [3]]', r"path`\[1\]"),
        ('character = "a"\n[[at]]\ntime = 0\npath = []', "path"),
        ('character = "a"\n[[at]]\ntime = 0\ngoal = { place = [1, 2] }', "goal.place"),
        ('character = "a"\n[[at]]\ntime = 0\nstyle = 3', "style"),
        ('character = "a"\n[[at]]\ntime = 0\njump = true', "`jump` is unknown"),
        ('character = "a"\n[[at]]\ntime = 0\ndisturbances = [{ kind = "kick" }]', "kind must be"),
        ('character = "a"\n[[at]]\ntime = 0\ndisturbances = [{ kind = "push" }]', "push needs impulse"),
        (
            'character = "a"\n[[at]]\ntime = 0\ndisturbances = [{ kind = "push", impulse = [0, 0, inf] }]',
            "push.impulse",
        ),
    ],
)
def test_errors_name_file_key_and_entry(content: str, words: str) -> None:
    with pytest.raises(ScriptError, match=words) as error:
        parse_script(content, "my_ride.toml")
    assert str(error.value).startswith("my_ride.toml: ")


def test_limits_on_sizes(tmp_path: Path) -> None:
    points = ", ".join(["[1, 2]"] * 10_001)
    with pytest.raises(ScriptError, match="10000 points"):
        parse_script(f'character = "a"\n[[at]]\ntime = 0\npath = [{points}]')
    (tmp_path / "big.toml").write_bytes(b"#" * 8_000_001)
    with pytest.raises(ScriptError, match="8 MB"):
        read_script(tmp_path / "big.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ScriptError, match="UTF-8"):
        read_script(tmp_path / "bytes.toml")


finite = st.floats(-1e6, 1e6)
names = st.text(min_size=1, max_size=12).filter(lambda s: s != "none")
goals = st.builds(
    Goal,
    st.none() | st.tuples(finite, finite) | st.tuples(finite, finite, finite),
    st.none() | finite,
    st.none() | names,
    st.none() | st.floats(0, 1e6),
)
pushes = st.builds(Push, st.tuples(finite, finite, finite), st.none() | names, st.floats(0, 5))
throws = st.builds(Throw, st.tuples(finite, finite, finite), st.tuples(finite, finite, finite), name=names)
commands = st.builds(
    Command,
    finite,
    finite,
    st.none() | finite,
    st.none() | names,
    st.none() | goals,
    st.dictionaries(names, finite, max_size=3),
    st.lists(pushes | throws | st.builds(Ground, st.none() | st.floats(0, 2)), max_size=2),
)


@pytest.mark.parametrize(
    "name", ["🐎 horse", "tab\tand\nline", "\x00\x1f\x7f\x9f", "\U000e0001", 'say "sit"', "back\\slash"]
)
def test_odd_names_survive(name: str) -> None:
    changes = {
        "action": name,
        "style": {name: 1.0},
        "goal": Goal(action=name),
        "disturbances": (Push((1, 2, 3), name),),
    }
    script = Script(name, name, cues=(Cue(0.0, changes),), options={name: name})
    assert parse_script(format_script(script)) == script


def test_every_cue_is_an_entry_of_its_own() -> None:
    text = format_script(Script("horse", cues=(Cue(0.0, {"speed": 1.0}), Cue(1.0, {"heading": math.pi / 2}))))
    assert text.count("\n[[at]]\n") == 2
    assert "heading_deg = 90.0" in text


@settings(max_examples=60)
@given(st.lists(commands, min_size=1, max_size=6), st.sampled_from([24.0, 60.0, 120.0]))
def test_a_recorded_ride_replays_bit_by_bit(ride: list[Command], rate: float) -> None:
    script = record(ride, rate, "horse", "gaits", seed=3)
    again = parse_script(format_script(script))
    assert again == script
    assert list(again.commands(rate)) == ride


def test_places_round_trip_and_files_are_whole(tmp_path: Path) -> None:
    script = Script(
        "a b.glb", cues=(Cue(0.5, {"speed": 1.0, "path": ((0.0, 1.0), (2.0, 3.0))}), Cue(1, {"go_to": None})), size=1.5
    )
    write_script(script, tmp_path / "ride.toml")
    assert read_script(tmp_path / "ride.toml") == script
    assert [p.name for p in tmp_path.iterdir()] == ["ride.toml"]
    with pytest.raises(ValueError, match="Follower"):
        next(script.commands(60))


def test_an_action_that_does_not_exist_is_refused_before_the_ride() -> None:
    script = parse_script(RIDE)
    with pytest.raises(ValueError, match=r"cue 2 at 1\.0 s: action 'sit' is unknown; actions: jump"):
        script.check(Capabilities((0, 1), actions=("jump",)))


def ride_to(animal: Character, changes: dict, frames: int) -> np.ndarray:
    controller = animal.controller("clip", clip="walk", frame_rate=30)
    follower = Follower(Script("little", cues=(Cue(0.0, {"speed": 1.5, **changes}),)), controller)
    return np.array([state.place[[0, 2]] for state in states(controller, follower, frames=frames)])


@pytest.mark.parametrize("target", [(0, 5), (4, 1), (-3, -3), (0.3, -0.2), (0, -0.4), (0.5, 0)])
def test_it_goes_to_a_place_and_stays(animal: Character, target: tuple[float, float]) -> None:
    places = ride_to(animal, {"go_to": target}, 400)
    assert np.linalg.norm(places[-1] - target) < 0.3
    assert np.array_equal(places[-1], places[-30])


def test_it_follows_a_path(animal: Character) -> None:
    square = ((0, 4), (4, 4), (4, 0), (0, 0))
    places = ride_to(animal, {"path": square}, 450)
    assert np.linalg.norm(places[-1] - square[-1]) < 0.3
    for corner in square:
        assert np.linalg.norm(places - corner, axis=1).min() < 0.6
    route = Route.of([(0, 0), *square])
    off = [np.linalg.norm(route.at(route.nearest(p, 0.0, 99.0)) - p) for p in places[::5]]
    assert max(off) < 0.8


def test_a_place_gives_way_to_a_heading(animal: Character) -> None:
    cues = (Cue(0.0, {"speed": 1.5, "go_to": (0.0, 50.0)}), Cue(2.0, {"heading": math.pi / 2}))
    controller = animal.controller("clip", clip="walk")
    ride = rollout(controller, Follower(Script("little", cues=cues), controller), frames=360)
    travel = ride.position_world[-1, 0] - ride.position_world[240, 0]
    assert math.atan2(travel[0], travel[2]) == pytest.approx(math.pi / 2, abs=0.03)


def test_disturbances_happen_once_also_when_cues_fall_together() -> None:
    push = Push((1, 0, 0))
    script = Script("a", cues=(Cue(0.0, {"disturbances": (push,)}), Cue(0.01, {"disturbances": (push,)})))
    told = [command.disturbances for command in itertools.islice(script.commands(10), 3)]
    assert told == [(push,), (push,), ()]


def test_a_whole_ride_is_performed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelves, "_shelves", {k: dict(v) for k, v in shelves._shelves.items()})
    register("animal", Entry("little", "little_animal:little_animal"))
    text = 'character = "little"\nseconds = 4\noptions = { clip = "walk" }\n[[at]]\ntime = 0\nspeed = 1.5\n'
    ride = ride_script(parse_script(text), frame_rate=20)
    motion = ride.clip().motion
    assert (len(motion), motion.frame_rate) == (80, 20)
    assert motion.position_world[-1, 0, 2] - motion.position_world[-31, 0, 2] == pytest.approx(1.5 * 30 / 20, rel=0.02)
    assert ride.character.name == "little"
    assert (ride.controller_name, len(ride.commands), len(ride.states)) == ("clip", 80, 80)
    assert "it has no option clip" in ride.reason


def test_a_script_without_a_controller_is_ridden_by_gaits() -> None:
    script = Script("example", cues=(Cue(0.0, {"speed": 1.0}),), seconds=2.0)
    assert "controller" not in format_script(script)
    ride = ride_script(script)
    assert (ride.controller_name, ride.reason) == ("gaits", "")
    figures = ride_figures(ride)
    assert figures["controller"] == "gaits"
    assert 0.5 < figures["distance"] < 2.0


def test_a_player_ends_with_its_script() -> None:
    script = Script("example", cues=(Cue(0.0, {"speed": 1.0}),), seconds=0.1)
    controller = load("example").controller("clip")
    player, state = ScriptPlayer(script, controller), controller.reset(seed=0)
    for _ in range(player.frames):
        state = controller.step(player(state))
    with pytest.raises(StopIteration):
        player(state)
    assert len(player.commands) == player.frames == 6


WRONG_VALUES = ("true", "5", "1.5", '"fast"', "[]", "[1]", '["a", 2]', "{ a = 1 }", "[[1]]", "1979-05-27")
FIELDS: dict[str, tuple[str, str]] = {
    **{name: (f"{name} = VALUE", name) for name in ("character", "size", "controller", "seed", "seconds", "world")},
    **{f"world.{name}": (f"world.{name} = VALUE", name) for name in ("terrain", "friction", "tilt")},
    "slope": ('world = { terrain = "slope", angle = VALUE }', "angle"),
    "hills": ('world = { terrain = "rolling", seed = VALUE }', "seed"),
    "stairs": ('world = { terrain = "steps", count = VALUE }', "count"),
    "options": ("options = VALUE", "options"),
    "at": ("at = VALUE", "at"),
    **{
        name: (f"at = [{{ time = 0.0, {name} = VALUE }}]", name)
        for name in ("speed", "heading_deg", "heading", "facing", "action", "goal", "style", "go_to", "path")
    },
    "time": ("at = [{ time = VALUE }]", "time"),
    "disturbances": ("at = [{ time = 0.0, disturbances = VALUE }]", "disturbances"),
    "kind": ("at = [{ time = 0.0, disturbances = [{ kind = VALUE }] }]", "kind"),
    "impulse": ('at = [{ time = 0.0, disturbances = [{ kind = "push", impulse = VALUE }] }]', "impulse"),
    "ground": ('at = [{ time = 0.0, disturbances = [{ kind = "ground", tilt = VALUE }] }]', "tilt"),
    **{
        f"goal.{name}": (f"at = [{{ time = 0.0, goal = {{ {name} = VALUE }} }}]", name)
        for name in ("position", "facing", "action", "seconds")
    },
}


@pytest.mark.parametrize("field", FIELDS)
def test_a_value_of_another_type_is_refused_by_its_name(field: str) -> None:
    line, name = FIELDS[field]
    first = "" if field == "character" else 'character = "horse"\n'
    said = {value: _refusal(first + line.replace("VALUE", value)) for value in WRONG_VALUES}
    refused = [words for words in said.values() if words]
    assert len(refused) >= len(WRONG_VALUES) - 4, "few of these values are of the right type"
    for words in refused:
        assert words.startswith("my.toml: ")
        assert name in words
        assert any(remedy in words for remedy in ("must", "is missing", "needs", "is unknown")), words


def _refusal(content: str) -> str:
    """Why a script is refused; empty if it is read."""
    try:
        parse_script(content, "my.toml")
    except ScriptError as error:
        return str(error)
    return ""
