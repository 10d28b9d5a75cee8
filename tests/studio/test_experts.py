"""Experts on the wire: their weights in frames, and switching them, which is checked like everything else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from canter.control.play import ride_script
from canter.control.ride import parse_script

from .client import Client, Frame
from .running import Running

pytest.importorskip("onnxruntime")

NETWORK: dict[str, Any] = {"actors": [{"animal": "dog", "controller": "mann"}]}
COMPARED: dict[str, Any] = {"actors": [*NETWORK["actors"], {"animal": "dog"}], "abreast": True}


def test_weights_add_up_and_one_can_be_switched_off(house: Running) -> None:
    async def play(page: Client) -> None:
        assert page.scene["actors"][0]["experts"] == [True] * 4
        assert page.scene["actors"][1]["experts"] == []
        await page.send("command", speed=1.5)
        await page.run(30)
        weights = page.last.actors[0].experts
        assert weights.sum() == pytest.approx(1, abs=1e-5)
        assert (weights > 0).all()
        assert len(page.last.actors[1].experts) == 0
        await page.send("experts", actor=0, enabled=[True, False, True, True])
        await page.until(lambda: page.scene["actors"][0]["experts"] == [True, False, True, True])
        await page.run(5)
        weights = page.last.actors[0].experts
        assert weights[1] == 0
        assert weights.sum() == pytest.approx(1, abs=1e-5)
        slope = {"terrain": "slope", "angle": 0.05}
        await page.send("scene", **COMPARED, terrain=slope)
        await page.until(lambda: page.scene["terrain"]["terrain"] == "slope")
        assert page.scene["actors"][0]["experts"] == [True, False, True, True]  # another ground keeps them off

    house.drive(play, COMPARED)


def test_what_is_refused(house: Running) -> None:
    wrong = (
        ({"enabled": [False] * 4}, "at least one"),
        ({"enabled": [True] * 3}, "there are 4 experts"),
        ({"enabled": [1, 0, 1, 1]}, "true or false"),
        ({"enabled": [True, None, True, True]}, "true or false"),
        ({"enabled": [True] * 1000}, "list of 1 to 64"),
        ({"enabled": []}, "list of 1 to 64"),
        ({"enabled": "all"}, "list of 1 to 64"),
        ({}, "list of 1 to 64"),
        ({"enabled": [True] * 4, "weights": [1]}, "unknown"),
        ({"enabled": [True] * 4, "actor": 1}, "has no experts"),
        ({"enabled": [True] * 4, "actor": 2}, "no actor 2"),
        ({"enabled": [True] * 4, "actor": -1}, "number of an actor"),
    )

    async def play(page: Client) -> None:
        for message, words in wrong:
            count = len(page.errors())
            await page.send("experts", **message)
            await page.until(lambda count=count: len(page.errors()) > count, what=str(message)[:90])
            assert words in page.errors()[-1]
        await page.send("take", actor=0)
        await page.until(lambda: page.scene["actors"][0]["driver"] is not None)
        async with house.page(stage=page.hello["stage"]) as other:
            await other.ready()
            await other.send("experts", actor=0, enabled=[True, False, True, True])
            await other.until(lambda: other.errors())
            assert "drives" in other.errors()[-1]
        assert page.scene["actors"][0]["experts"] == [True] * 4

    house.drive(play, COMPARED)


def test_a_ride_without_an_expert_replays(house: Running) -> None:
    last: list[Frame] = []

    async def play(page: Client) -> str:
        await page.send("experts", actor=0, enabled=[True, True, False, True])
        await page.send("record", on=True)
        await page.until(lambda: page.scene["recording"] and page.last.flags & 2)
        await page.send("command", speed=1.5, heading=0.2)
        await page.run(30)
        await page.send("experts", actor=0, enabled=[True] * 4)
        await page.until(lambda: page.errors())
        assert "while a ride is recorded" in page.errors()[-1]
        await page.send("pause", on=True)
        await page.until(lambda: page.last.flags & 1)
        last.append(page.last)
        await page.send("record", on=False)
        await page.until(lambda: [t for t in page.texts if t["type"] == "recorded"])
        return str(page.hello["stage"])

    stage = house.drive(play, NETWORK)
    status, content = house.ask(f"/api/stage/{stage}/ride.toml?actor=0")
    assert status == 200, content
    script = parse_script(content.decode())
    assert script.options["experts"] == "1,2,4"
    replayed = ride_script(script).clip().motion
    np.testing.assert_array_equal(replayed.positions[-1].astype(np.float32), last[0].actors[0].positions)
