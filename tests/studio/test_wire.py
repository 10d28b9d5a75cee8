"""The wire as docs/studio_wire.md has it: scenes, frames, driving, places, clocks, several viewers."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any

import numpy as np
import pytest

from canter.control import Command
from canter.control.registry import Entry, _shelves, load, register

from .client import Client
from .running import Running

DOG: dict[str, Any] = {"actors": [{"animal": "dog", "controller": "gaits", "size": 1}]}


def test_the_catalog_lists_what_is_registered(house: Running) -> None:
    status, content = house.ask("/api/catalog")
    catalog = json.loads(content)
    assert status == 200
    assert {"dog", "turtle"} <= {animal["key"] for animal in catalog["animals"]}
    assert {"gaits", "sung", "huang", "clip"} <= {one["name"] for one in catalog["controllers"]}
    assert catalog["terrains"]["slope"]["angle"] == pytest.approx(math.radians(8))
    assert catalog["terrains"]["flat"] == {}


def test_hello_scene_and_a_frame(house: Running) -> None:
    async def play(page: Client) -> None:
        assert page.texts[0] == page.hello
        assert page.hello["rate"] == 60
        (actor,) = page.scene["actors"]
        dog = load("dog")
        assert actor["joints"] == list(dog.skeleton.names)
        assert actor["parents"] == dog.skeleton.parents.tolist()
        assert actor["legs"] == ["LF", "RF", "LH", "RH"]
        assert actor["feet"] == dog.anatomy.feet
        assert actor["capabilities"]["speed_range"][1] > 5
        assert actor["capabilities"]["kinds"]["trot"] == actor["capabilities"]["labels"]["trot"] == "trot"
        assert page.scene["terrain"]["terrain"] == "flat"
        frame = await page.run(3)
        (shown,) = frame.actors
        assert frame.seconds == pytest.approx(frame.number / 60)
        assert np.isfinite(shown.positions).all()
        assert np.allclose(np.linalg.norm(shown.rotations, axis=-1), 1, atol=1e-4)
        assert shown.trajectory[6, :3] == pytest.approx(shown.place)
        assert page.names[shown.gait] == "stand"
        assert shown.contacts == 0b1111
        assert shown.scalars[10] > 0  # milliseconds

    house.drive(play)


def test_the_body_has_its_bones_in_the_order_of_the_joints(house: Running) -> None:
    status, content = house.ask("/api/character/dog.glb?size=1")
    assert status == 200
    length = int.from_bytes(content[12:16], "little")
    document = json.loads(content[20 : 20 + length])
    names = list(load("dog").skeleton.names)
    assert [node["name"] for node in document["nodes"][: len(names)]] == names
    assert document["skins"][0]["joints"] == list(range(len(names)))
    for wrong in ("unicorn.glb", "dog.glb?size=nan", "dog.glb?size=1e9", "horse.exe", "..%2f..%2fetc%2fpasswd"):
        assert house.ask(f"/api/character/{wrong}")[0] == 404


def test_a_command_walks_ahead_and_stops(house: Running) -> None:
    async def play(page: Client) -> None:
        await page.send("pace", value=2)
        await page.send("command", speed=0.9, heading=0.0)
        await page.run(120)
        assert page.actor.place[2] > 1.0
        assert abs(page.actor.place[0]) < 0.1
        assert page.actor.speed == pytest.approx(0.9, abs=0.2)
        assert page.actor.scalars[7] == pytest.approx(0.9)
        assert abs(page.actor.scalars[12]) < 0.2
        assert page.names[page.actor.gait] == "walk"
        await page.send("command", speed=0)
        await page.run(100)
        assert page.actor.speed < 0.05

    house.drive(play)


def test_left_turns_left(house: Running) -> None:
    async def play(page: Client) -> None:
        await page.send("pace", value=2)
        await page.send("command", speed=1.0, heading=0.9)
        await page.run(120)
        assert page.actor.place[0] > 0.3
        assert page.actor.facing > 0.5

    house.drive(play)


def test_a_place_is_reached(house: Running) -> None:
    async def play(page: Client) -> None:
        await page.send("pace", value=4)
        await page.send("go_to", x=2.5, z=4.0, speed=2.0)
        await page.until(lambda: any("arrived" in message.get("events", ()) for message in page.texts))
        await page.run(90)
        x, _, z = page.actor.place
        assert math.hypot(x - 2.5, z - 4.0) < 0.3
        await page.send("path", points=[[2.5, 7.0], [0.0, 9.0]])
        await page.until(lambda: sum("arrived" in message.get("events", ()) for message in page.texts) == 2)
        x, _, z = page.actor.place
        assert math.hypot(x, z - 9.0) < 0.35

    house.drive(play)


def test_a_heading_ends_the_way_to_a_place(house: Running) -> None:
    async def play(page: Client) -> None:
        await page.send("pace", value=4)
        await page.send("go_to", x=0.0, z=50.0, speed=1.5)
        await page.run(60)
        await page.send("command", heading=math.pi / 2)
        await page.run(240)
        assert page.actor.facing == pytest.approx(math.pi / 2, abs=0.2)

    house.drive(play)


def test_a_command_changes_the_next_frame(house: Running) -> None:
    async def play(page: Client) -> None:
        await page.send("command", speed=1.2, heading=0.0)
        await page.run(60)
        await page.send("pause", on=True)
        await page.until(lambda: page.last.flags & 1)
        before = page.last
        await page.send("command", speed=2.0, heading=0.3)
        await page.send("step")
        await page.until(lambda: page.last.number == before.number + 1)
        assert page.actor.scalars[7] == pytest.approx(2.0)
        assert page.actor.scalars[8] == pytest.approx(0.3)
        assert page.actor.facing > before.actors[0].facing
        assert not np.array_equal(page.actor.rotations, before.actors[0].rotations)

    house.drive(play)


def test_two_viewers_see_the_same(house: Running) -> None:
    async def play(page: Client) -> None:
        async with house.page(stage=page.hello["stage"]) as other:
            await other.ready()
            assert other.hello["viewer"] != page.hello["viewer"]
            assert other.scene["actors"] == page.scene["actors"]
            await other.send("command", speed=1.0, heading=0.0)
            await other.run(60)
            one, two = ({frame.number: frame.raw for frame in each.frames} for each in (page, other))
            shared = set(one) & set(two)
            assert len(shared) > 30
            assert all(one[number] == two[number] for number in shared)
            assert page.actor.speed > 0.3

    house.drive(play)


def test_taking_and_leaving(house: Running) -> None:
    async def play(page: Client) -> None:
        me = page.hello["viewer"]
        await page.send("take", actor=0)
        await page.until(lambda: page.scene["actors"][0]["driver"] == me)
        async with house.page(stage=page.hello["stage"]) as other:
            await other.ready()
            for kind, values in (("command", {"speed": 2.0}), ("take", {"actor": 0}), ("reset", {}), ("scene", DOG)):
                count = len(other.errors())
                await other.send(kind, **values)
                await other.until(lambda count=count: len(other.errors()) > count)
                assert "drives" in other.errors()[-1]
            await page.run(30)
            assert page.actor.speed < 0.05
            assert not page.errors()
            await page.send("leave", actor=0)
            await page.until(lambda: page.scene["actors"][0]["driver"] is None)
            await other.send("take", actor=0)
            await page.until(lambda: page.scene["actors"][0]["driver"] == other.hello["viewer"])
        await page.until(lambda: page.scene["actors"][0]["driver"] is None)  # who goes lets go

    house.drive(play)


def test_abreast_all_heed_every_command(house: Running) -> None:
    actors = [{"animal": "dog", "controller": name} for name in ("gaits", "clip", "huang")]

    async def play(page: Client) -> None:
        await page.send("pace", value=2)
        await page.send("command", actor=1, speed=1.0, heading=0.0)
        await page.run(100)
        xs = [float(actor.place[0]) for actor in page.last.actors]
        assert xs[0] > xs[1] + 0.5 > xs[2] + 1.0  # the first is the leftmost
        assert all(actor.place[2] > 0.4 for actor in page.last.actors)
        await page.send("go_to", actor=2, x=xs[2], z=4.0, speed=1.2)
        await page.send("pace", value=4)
        await page.until(lambda: page.last.actors[2].place[2] > 3.5)
        assert all(abs(actor.place[0] - x) < 0.4 for actor, x in zip(page.last.actors, xs, strict=True))

    house.drive(play, {"actors": actors, "abreast": True})


def test_alone_only_one_heeds(house: Running) -> None:
    actors = [{"animal": "dog", "size": 0.5}, {"animal": "dog"}]

    async def play(page: Client) -> None:
        assert page.scene["actors"][0]["hip_height"] < page.scene["actors"][1]["hip_height"]
        await page.send("command", actor=1, speed=1.0)
        await page.run(60)
        still, gone = page.last.actors
        assert gone.place[2] > 0.3
        assert abs(still.place[2]) < 0.05

    house.drive(play, {"actors": actors})


def test_terrain(house: Running) -> None:
    terrain = {"terrain": "slope", "angle": 0.15, "direction": math.pi / 2}
    actors = [{"animal": "dog"}, {"animal": "dog"}]

    async def play(page: Client) -> None:
        assert page.scene["terrain"]["angle"] == 0.15
        await page.send("command", actor=0, speed=1.0, heading=0.5)
        await page.run(60)
        for actor in page.last.actors:  # also who stands beside the middle stands on the ground that is shown
            x, y, _ = (float(v) for v in actor.place)
            assert y == pytest.approx(math.tan(0.15) * x, abs=0.02)
            root = float(actor.positions[0, 1]) - math.tan(0.15) * float(actor.positions[0, 0])
            assert 0.3 < root < 0.8

    house.drive(play, {"actors": actors, "terrain": terrain})


def test_hills_come_with_their_waves(house: Running) -> None:
    table = {"terrain": "rolling", "amplitude": 0.3, "wavelength": 5.0, "seed": 4, "tilt": [0.05, 0.0]}

    async def play(page: Client) -> None:
        waves = page.scene["waves"]
        assert np.shape(waves["vectors"]) == (4, 2)
        assert np.shape(waves["phases"]) == (4,)
        assert waves["amplitude"] == 0.3 / 8
        again = page.scene["terrain"]  # a page sends back what it was sent
        await page.set_scene(actors=DOG["actors"], terrain=again)
        assert (page.scene["terrain"], page.scene["waves"]) == (again, waves)
        assert not page.errors()
        await page.set_scene(**DOG)
        assert page.scene["waves"] is None

    house.drive(play, {**DOG, "terrain": table})


@pytest.mark.parametrize("tilt", [[], [0.1], [0.1, 0.1, 0.1], 0.1, ["a", "b"], {"x": 1}, None])
def test_a_malformed_tilt_is_refused_in_words(house: Running, tilt: Any) -> None:
    async def play(page: Client) -> None:
        await page.send("scene", **DOG, terrain={"terrain": "flat", "tilt": tilt})
        await page.until(page.errors)
        assert "tilt" in page.errors()[-1]
        await page.run(3)  # the connection stays

    house.drive(play)


def test_a_mistake_of_ours_costs_no_connection(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(content: str, limits: object) -> None:
        raise IndexError("tuple index out of range")

    async def play(page: Client) -> None:
        with monkeypatch.context() as patched:
            patched.setattr("canter.studio.app.parse", fail)
            await page.send("step")
            await page.until(page.errors)
        assert "that failed" in page.errors()[-1]
        await page.run(3)

    house.drive(play)


def test_pause_step_pace_and_reset(house: Running) -> None:
    async def play(page: Client) -> None:
        await page.send("command", speed=1.0)
        await page.run(20)
        await page.send("pause", on=True)
        await page.until(lambda: page.scene["paused"] and page.last.flags & 1)
        count, number = len(page.frames), page.last.number
        await page.until(lambda: {"type": "alive"} in page.texts)  # sent only when nothing else is
        assert len(page.frames) == count  # a paused stage is shown once
        await page.send("step")
        await page.until(lambda: page.last.number == number + 1)
        await page.send("pause", on=False)
        await page.send("pace", value=0.25)
        await page.until(lambda: page.scene["pace"] == 0.25 and not page.scene["paused"])
        number = (await page.run(5)).number
        await page.send("reset")
        await page.until(lambda: page.last.number < number)
        assert abs(page.actor.place[2]) < 0.01
        await page.send("step")
        await page.until(lambda: page.errors())

    house.drive(play)


@pytest.mark.parametrize(("pace", "steps"), [(0.25, {0, 1}), (1.0, {1}), (2.5, {2, 3}), (4.0, {4})])
def test_the_pace_is_frames_a_beat(house: Running, pace: float, steps: set[int]) -> None:
    async def play(page: Client) -> None:
        await page.send("pace", value=pace)
        await page.until(lambda: page.scene["pace"] == pace)
        stage, numbers = house.studio.hub.rooms[page.hello["stage"]].stage, []
        wait = stage.clock.wait

        def counting() -> None:
            numbers.append(stage._frame)
            wait()

        stage.clock.wait = counting  # type: ignore[method-assign]
        await page.until(lambda: len(numbers) > 40)
        frames = np.diff(numbers[:41])
        assert set(frames) <= steps
        assert frames.sum() == 40 * pace

    house.drive(play)


def test_actions_and_events(house: Running) -> None:
    async def play(page: Client) -> None:
        await page.send("pace", value=4)
        assert "sit" in page.scene["actors"][0]["capabilities"]["actions"]
        await page.send("command", action="sit")
        await page.until(lambda: page.names[page.actor.gait] == "sit")
        await page.send("command", action=None, speed=100.0)
        await page.until(lambda: any("clamped" in message.get("events", ()) for message in page.texts))
        events = [word for message in page.texts for word in message.get("events", ())]
        assert "started" in events
        await page.run(60)
        events = [word for message in page.texts for word in message.get("events", ())]
        assert events.count("clamped") == 1  # sent once, not every frame

    house.drive(play)


def test_wrong_messages_are_refused_in_words(house: Running) -> None:
    wrong = (
        '{"type": "command", "speed": NaN}',
        '{"type": "command", "speed": 1e999}',
        '{"type": "command", "speed": "fast"}',
        '{"type": "command", "speed": true}',
        '{"type": "command", "heading": null}',
        '{"type": "command", "actor": 7, "speed": 1}',
        '{"type": "command", "wings": 2}',
        '{"type": "command", "style": {"trot": "much"}}',
        '{"type": "go_to", "x": 1}',
        '{"type": "path", "points": []}',
        '{"type": "pace", "value": -1}',
        '{"type": "pause", "on": 1}',
        '{"type": "scene", "actors": []}',
        '{"type": "scene", "actors": [{"animal": "unicorn"}]}',
        '{"type": "scene", "actors": [{"animal": "../../etc/passwd"}]}',
        '{"type": "scene", "actors": [{"animal": "dog", "controller": "wings"}]}',
        '{"type": "scene", "actors": [{"animal": "dog", "size": 1e9}]}',
        '{"type": "scene", "actors": [{"animal": "dog"}], "terrain": {"terrain": "rolling", "seed": -1}}',
        '{"type": "scene", "actors": [{"animal": "dog"}], "terrain": {"terrain": "slope", "angle": 2}}',
        '{"type": "scene", "actors": [{"animal": "dog"}], "terrain": {"tilt": "steep"}}',
        '{"type": "command", "action": "\\ud800"}',
        '{"type": "command", "speed": ' + "9" * 5000 + "}",
        '{"type": ' * 5000 + "1" + "}" * 5000,
        '{"type": "fly"}',
        "[1, 2]",
        "{",
        "[" * 30_000,
    )

    async def play(page: Client) -> None:
        for content in wrong:
            count = len(page.errors())
            await page.socket.send(content)
            await page.until(lambda count=count: len(page.errors()) > count, what=content[:90])
            assert len(page.errors()[-1]) > 10
        await page.send("command", speed=1.0)
        await page.run(40)
        assert page.actor.speed > 0.2

    house.drive(play)


class Statue:
    """A method that somebody registers: it stands, and says nothing that it need not say."""

    def __init__(self, character: Any, *, world: Any = None) -> None:
        self._real = load("dog").controller("clip")
        self.character, self.frame_rate = self._real.character, 30.0
        self.capabilities = self._real.capabilities

    def reset(self, seed: int = 0) -> Any:
        return self._real.reset(seed)

    def step(self, command: Command) -> Any:
        if command.speed > 50:
            raise RuntimeError("a statue cannot run")
        return self._real.step(Command())


def test_a_method_is_there_by_registration_alone(house: Running) -> None:
    register("controller", Entry("statue", f"{__name__}:Statue", "stands"))
    try:
        assert "statue" in house.ask("/api/catalog")[1].decode()

        async def play(page: Client) -> None:
            await page.run(10)
            assert np.isnan(page.actor.footholds).all()
            await page.send("command", speed=99)
            await page.until(lambda: page.errors())  # what fails stops the clock and says so; the stage lives on
            assert "statue" in page.errors()[0]
            await page.until(lambda: page.scene["paused"])
            await page.send("pause", on=False)
            await page.run(10)

        house.drive(play, {"actors": [{"animal": "dog", "controller": "statue"}]})
    finally:
        _shelves["controller"].pop("statue")


def test_a_stage_that_is_gone(house: Running) -> None:
    async def play() -> None:
        async with house.page(stage="nowhere") as page:
            await page.ready()  # on a new one
            assert page.hello["stage"] != "nowhere"
            assert not page.errors()

    asyncio.run(play())


def test_silence_is_broken_by_alive(house: Running) -> None:
    """A paused stage has no news; a page that hears nothing at all may take the connection for lost."""

    async def play(page: Client) -> None:
        await page.send("pause", on=True)
        await page.until(lambda: page.last.flags & 1)
        await page.until(lambda: {"type": "alive"} in page.texts)

    house.drive(play)
