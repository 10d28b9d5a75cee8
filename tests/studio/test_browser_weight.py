"""A simulated animal in a real browser: a click throws a box at it, a drag pushes it, and its ground tilts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

pytest.importorskip("playwright", reason="no playwright here: `pip install -e .[dev]` gets it")
pytest.importorskip("mujoco", reason="no mujoco here: `pip install -e .[physics]` gets it")

from playwright.sync_api import Browser, expect

from canter.studio.app import PAGE

from .browser_seat import LIMITS, Room, Seat
from .running import Running, running

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def studio(chromium: Browser) -> Iterator[Running]:
    with running(page=PAGE, limits=LIMITS) as found:
        yield found


def on_trunk(seat: Seat) -> tuple[float, float]:
    """A pixel on the trunk of the animal as it is drawn."""
    mesh = seat.page.evaluate("() => window.canter.framing(0).mesh")
    return 0.45 * mesh["left"] + 0.55 * mesh["right"], 0.58 * mesh["top"] + 0.42 * mesh["bottom"]


def test_an_animal_with_weight_is_hit_and_pushed(room: Room) -> None:
    seat = room.sit("#dog/residual/1&flat")
    forces = seat.page.get_by_role("button", name="Forces", exact=True)
    expect(forces).to_be_visible()
    seat.until("it stands on its feet", lambda: sum(seat.actor()["forces"][1::3]) > 200)
    seat.page.mouse.click(*on_trunk(seat))
    seat.until("a box is there", lambda: [prop["shape"] for prop in seat.actor()["props"]] == ["box"])
    assert seat.sent()["last"]["type"] == "throw"
    seat.until("it is hit, and the page says so", lambda: "hit" in seat.events())
    seat.page.keyboard.press("r")
    seat.until("nothing lies about any more", lambda: not seat.actor()["props"])

    stood, (x, y) = np.array(seat.actor()["place"]), on_trunk(seat)
    seat.page.mouse.move(x, y)
    seat.page.mouse.down()
    seat.page.mouse.move(x - 150, y, steps=3)
    seat.page.mouse.up()
    seat.until("the push is sent", lambda: seat.sent()["last"]["type"] == "push")
    assert seat.sent()["last"]["joint"] in seat.state()["scene"]["actors"][0]["joints"]
    seat.until("it is pushed away", lambda: np.linalg.norm(np.array(seat.actor()["place"]) - stood) > 0.15)
    seat.page.mouse.move(*seat.on_meadow(0.3, 0.75))
    seat.page.mouse.down()
    seat.page.mouse.move(*seat.on_meadow(0.6, 0.85), steps=12)
    seat.page.mouse.up()
    seat.until("a drag beside it draws a path", lambda: seat.sent()["last"]["type"] == "path")

    seat.menu("Scene")
    seat.page.get_by_role("slider", name="Roll").press("ArrowRight")
    seat.until("the ground tilts", lambda: "ground" in [prop["name"] for prop in seat.actor()["props"]])
    assert seat.state()["scene"]["actors"][0]["ground"]["tilt"][1] == pytest.approx(np.radians(1))
    seat.page.get_by_role("combobox", name="Controller").select_option("gaits")
    seat.until("it has no weight any more", lambda: seat.state()["scene"]["actors"][0]["ground"] is None, 60)
    for label in ("Friction", "Throw strength"):
        expect(seat.page.get_by_role("slider", name=label)).to_be_hidden()
    expect(forces).to_be_hidden()
