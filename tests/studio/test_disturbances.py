"""Pushes, throws and changes of the ground on the wire: checked, told to the controller once, recorded and replayed."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from canter.control import Command
from canter.control.command import Ground, Push, Throw
from canter.control.play import ride_script
from canter.control.registry import Entry, _shelves, make_controller, register
from canter.control.ride import parse_script
from canter.control.state import Prop, State
from canter.motion import rotations as rot
from canter.studio.actors import MAX_WAITING
from canter.studio.frames import MAX_PROPS
from canter.studio.limits import Limits, Refused
from canter.studio.messages import ChangeGround, Disturb, parse

from .client import Client, Frame
from .running import Running

THROW: dict[str, Any] = {"position": [2, 1, 0], "velocity": [-3, 1, 0], "size": [0.2, 0.2, 0.2], "mass": 2}
LEVEL = {"friction": 0.9, "tilt": [0.0, 0.0], "turn_rate": 0.0}


def read(kind: str, **values: Any) -> Any:
    return parse(json.dumps({"type": kind, **values}), Limits())


def test_what_is_said_is_read() -> None:
    assert read("push", actor=1, impulse=[1, 0, 2]) == Disturb(1, Push((1, 0, 2)))
    assert read("push", impulse=[1, 0, 2], joint="head", seconds=0) == Disturb(0, Push((1, 0, 2), "head", 0.0))
    assert read("throw", **THROW) == Disturb(0, Throw((2, 1, 0), (-3, 1, 0), "box", (0.2, 0.2, 0.2), 2.0))
    assert read("ground", friction=0.1) == ChangeGround(Ground(friction=0.1))
    assert read("ground", tilt=[math.radians(15), -math.radians(15)], turn_rate=-0.5).ground.turn_rate == -0.5


@pytest.mark.parametrize(
    ("kind", "values", "words"),
    [
        ("push", {}, "push.impulse must be 3 numbers"),
        ("push", {"impulse": [1, 0]}, "3 numbers, not 2"),
        ("push", {"impulse": [1, 0, None]}, r"impulse\[2\] must be a number"),
        ("push", {"impulse": [1, 0, "1"]}, r"impulse\[2\] must be a number"),
        ("push", {"impulse": [1, 0, 10**400]}, r"impulse\[2\] must be a number"),
        ("push", {"impulse": [1e6, 0, 0]}, "goes to 100000"),
        ("push", {"impulse": [1e308, 1e308, 0]}, "goes to 100000"),
        ("push", {"impulse": [1, 0, 0], "seconds": 2}, "lasts 1 s at most"),
        ("push", {"impulse": [1, 0, 0], "seconds": -1}, "must not be negative"),
        ("push", {"impulse": [1, 0, 0], "joint": 7}, "must be a word"),
        ("push", {"impulse": [1, 0, 0], "joint": "x" * 300}, "must be a word"),
        ("push", {"impulse": [1, 0, 0], "force": 1}, "`force` is unknown"),
        ("push", {"impulse": [1, 0, 0], "actor": -1}, "number of an actor"),
        ("throw", {}, "size must be 3 numbers"),
        ("throw", {**THROW, "size": [0.2]}, "size must be 3 numbers"),
        ("throw", {**THROW, "size": [0.2, 0.2, 6]}, "from 0.01 to 5 m"),
        ("throw", {**THROW, "size": [0.2, 0.2, 0]}, "above zero"),
        ("throw", {**THROW, "mass": 0}, "above zero"),
        ("throw", {**THROW, "mass": 1e5}, "mass to 10000 kg"),
        ("throw", {**THROW, "mass": None}, "mass must be a number"),
        ("throw", {**THROW, "velocity": [90, 90, 0]}, "speeds go to 100"),
        ("throw", {**THROW, "position": [0, 0, 1e7]}, "places lie within"),
        ("throw", {**THROW, "position": None}, "position must be 3 numbers"),
        ("throw", {**THROW, "name": "ground"}, "`name` is unknown"),
        ("ground", {}, "say friction"),
        ("ground", {"friction": None}, "say friction"),
        ("ground", {"friction": 0.01}, "from 0.02 to 1.2"),
        ("ground", {"friction": 2}, "from 0.02 to 1.2"),
        ("ground", {"tilt": [0.3, 0]}, "within 15°"),
        ("ground", {"tilt": 0.1}, "must be 2 numbers"),
        ("ground", {"turn_rate": 0.6}, "within 0.5 rad/s"),
        ("ground", {"turn_rate": "fast"}, "must be a number"),
        ("ground", {"friction": 0.5, "actor": 0}, "`actor` is unknown"),
    ],
)
def test_what_is_refused(kind: str, values: dict[str, Any], words: str) -> None:
    with pytest.raises(Refused, match=words):
        read(kind, **values)


class Dummy:
    """A method that stands, remembers its commands, and shows everything thrown since it began, and its ground."""

    made: list[Dummy]

    def __init__(self, character: Any, *, world: Any = None) -> None:
        self._real = make_controller("clip", character)
        self.character, self.frame_rate = self._real.character, 60.0
        felt = self._real.capabilities.honours | {"push", "throw", "ground"}
        self.capabilities = replace(self._real.capabilities, honours=felt)
        self.commands: list[Command] = []
        self._props: tuple[Prop, ...] = ()
        self._ground: tuple[Prop, ...] = ()
        Dummy.made.append(self)

    def reset(self, seed: int = 0) -> State:
        self._props, self._ground = (), ()
        return self._real.reset(seed)

    def step(self, command: Command) -> State:
        self.commands.append(command)
        for one in command.disturbances:
            if isinstance(one, Throw):
                self._props += (Prop(one.name, one.shape, one.size, np.array(one.position), rot.IDENTITY),)
            if isinstance(one, Ground) and one.tilt is not None:
                turn = rot.about([0.0, 0.0, 1.0], one.tilt[1])
                self._ground = (Prop("ground", "plane", (), np.zeros(3), turn),)
        return replace(self._real.step(Command()), props=(*self._ground, *self._props))

    @property
    def happened(self) -> list[Any]:
        """All that happened, one list for each frame in which something did."""
        return [list(command.disturbances) for command in self.commands if command.disturbances]


@pytest.fixture
def dummy() -> Iterator[dict[str, Any]]:
    """An actor of that method."""
    Dummy.made = []
    register("controller", Entry("dummy", f"{__name__}:Dummy", "feels everything"))
    yield {"animal": "dog", "controller": "dummy"}
    _shelves["controller"].pop("dummy")


def test_a_push_reaches_the_command_once(house: Running, dummy: dict[str, Any]) -> None:
    async def play(page: Client) -> None:
        joint = page.scene["actors"][0]["joints"][3]
        assert page.scene["actors"][0]["mass"] == pytest.approx(27.6, abs=1)
        await page.send("push", impulse=[3, 0, 4], joint=joint)
        await page.run(10)
        assert Dummy.made[0].happened == [[Push((3, 0, 4), joint)]]
        await page.send("command", speed=0.0, heading=0.2)
        await page.send("go_to", x=1, z=1)
        await page.send("push", impulse=[0, 0, 1])  # also on the way to a place
        await page.run(10)
        assert Dummy.made[0].happened[1:] == [[Push((0, 0, 1))]]
        assert not page.errors()

    house.drive(play, {"actors": [dummy]})


def test_a_box_flies_in_places_of_the_stage_and_is_shown(house: Running, dummy: dict[str, Any]) -> None:
    async def play(page: Client) -> None:
        empty = len(page.last.raw)
        await page.send("throw", actor=1, **THROW)
        await page.until(lambda: len(page.last.actors[1].props))
        (prop,) = page.last.actors[1].props
        assert page.names[prop["name"]] == "box"
        assert (prop["shape"], prop["size"].tolist()) == (0, pytest.approx([0.2, 0.2, 0.2]))
        assert prop["position"] == pytest.approx([2, 1, 0])
        (thrown,) = Dummy.made[1].happened[0]
        assert thrown.position == pytest.approx((2 - page.last.actors[1].place[0], 1, 0))
        assert not Dummy.made[0].happened
        assert len(page.last.raw) == empty + 48
        for _ in range(MAX_PROPS + 4):
            await page.send("throw", actor=1, **THROW)
            await page.run(1)
        assert len(page.last.actors[1].props) == MAX_PROPS
        await page.send("reset")
        await page.until(lambda: not len(page.last.actors[1].props))

    house.drive(play, {"actors": [dummy, dummy]})


def test_the_ground_is_everybodys_and_outlasts_a_reset(house: Running, dummy: dict[str, Any]) -> None:
    async def play(page: Client) -> None:
        assert [actor["ground"] for actor in page.scene["actors"]] == [LEVEL, LEVEL, None]
        await page.send("pause", on=True)
        await page.until(lambda: page.scene["paused"])
        for friction in range(40, 4, -1):  # somebody drags a slider
            await page.send("ground", friction=friction / 40)
        await page.send("ground", tilt=[0.0, 0.2])
        wanted = {**LEVEL, "friction": 0.125, "tilt": [0.0, 0.2]}
        await page.until(lambda: page.scene["actors"][1]["ground"]["tilt"] == [0.0, 0.2])
        assert [actor["ground"] for actor in page.scene["actors"]] == [wanted, wanted, None]
        await page.send("pause", on=False)
        await page.run(5)
        for one in Dummy.made:
            assert one.happened == [[Ground(0.125, (0.0, 0.2), 0.0)]]
        await page.send("reset")
        await page.until(lambda: page.last.number < 3)
        await page.run(5)
        assert [len(one.happened) for one in Dummy.made] == [2, 2]
        # Both stand on one plane through the origin, though each controller has an origin of its own.
        beside = page.last.actors[1].place
        assert beside[1] == pytest.approx(beside[0] * math.tan(0.2), rel=0.05)
        assert beside[1] < -0.1
        await page.set_scene(actors=[dummy])
        assert page.scene["actors"][0]["ground"] == LEVEL

    house.drive(play, {"actors": [dummy, dummy, {"animal": "dog"}]})


def test_who_may_disturb_whom(house: Running, dummy: dict[str, Any]) -> None:
    wrong = (
        ("push", {"actor": 1, "impulse": [1, 0, 0]}, "no weight"),
        ("throw", {"actor": 1, **THROW}, "no weight"),
        ("push", {"actor": 2, "impulse": [1, 0, 0]}, "no actor 2"),
        ("push", {"impulse": [1, 0, 0], "joint": "wing"}, "no joint 'wing'"),
        ("push", {"impulse": [0, 0, 1000]}, "by more than 10 m/s"),
        ("throw", {**THROW, "mass": 100, "velocity": [10, 0, 0]}, "by more than 10 m/s"),
    )

    async def refused(page: Client, kind: str, values: dict[str, Any], words: str) -> None:
        count = len(page.errors())
        await page.send(kind, **values)
        await page.until(lambda: len(page.errors()) > count, what=f"{kind} {values}")
        assert words in page.errors()[-1]

    async def play(page: Client) -> None:
        for kind, values, words in wrong:
            await refused(page, kind, values, words)
        await page.send("pause", on=True)
        for _ in range(MAX_WAITING):
            await page.send("push", impulse=[1, 0, 0])
        await refused(page, "push", {"impulse": [1, 0, 0]}, "as many as there may be")
        await page.send("pause", on=False)
        await page.send("take", actor=0)
        await page.until(lambda: page.scene["actors"][0]["driver"] is not None)
        async with house.page(stage=page.hello["stage"]) as other:
            await other.ready()
            await refused(other, "push", {"impulse": [1, 0, 0]}, "drives")
            await refused(other, "ground", {"friction": 0.1}, "drives")
        assert [len(happened) for happened in Dummy.made[0].happened] == [MAX_WAITING]
        await page.set_scene(actors=[{"animal": "dog"}])
        await refused(page, "ground", {"friction": 0.1}, "nobody here has the weight")

    house.drive(play, {"actors": [dummy, {"animal": "dog"}]})


def test_abreast_it_happens_to_all_that_feel_it(house: Running, dummy: dict[str, Any]) -> None:
    async def play(page: Client) -> None:
        await page.send("throw", actor=2, **THROW)
        await page.send("push", actor=2, impulse=[1, 0, 0])
        await page.run(10)
        one, other = ([one for frame in made.happened for one in frame] for made in Dummy.made)
        assert one == other
        assert one[0].position[0] == pytest.approx(2 - page.last.actors[2].place[0])
        assert not page.errors()

    house.drive(play, {"actors": [dummy, {"animal": "dog"}, dummy], "abreast": True})


def test_a_ride_with_pushes_boxes_and_ice_replays(house: Running) -> None:
    pytest.importorskip("mujoco")
    last: list[Frame] = []

    async def play(page: Client) -> str:
        await page.send("ground", friction=0.3)  # from before the recording: its script begins with it
        await page.send("record", on=True)
        await page.until(lambda: page.scene["recording"] and page.last.flags & 2)
        await page.send("push", impulse=[6, 0, 3])
        await page.run(10)
        await page.send("throw", **THROW)
        await page.run(10)
        await page.send("ground", tilt=[0.05, -0.05], turn_rate=0.2)
        await page.run(20)
        await page.send("pause", on=True)
        await page.until(lambda: page.last.flags & 1)
        last.append(page.last)
        await page.send("record", on=False)
        await page.until(lambda: [t for t in page.texts if t["type"] == "recorded"])
        assert not page.errors()
        return str(page.hello["stage"])

    stage = house.drive(play, {"actors": [{"animal": "dog", "controller": "residual"}]})
    (actor,) = last[0].actors
    assert actor.forces.shape == (4, 3)
    assert [prop["shape"] for prop in actor.props] == [0, 4]
    status, content = house.ask(f"/api/stage/{stage}/ride.toml")
    assert status == 200, content
    script = parse_script(content.decode())
    kinds = [type(one) for cue in script.cues for one in cue.changes.get("disturbances", ())]
    assert kinds == [Ground, Push, Throw, Ground]
    again = ride_script(script).states[-1]
    np.testing.assert_array_equal(again.pose.positions.astype(np.float32), actor.positions)
    np.testing.assert_array_equal(again.props[0].position.astype(np.float32), actor.props[0]["position"])
