"""The experts of a network in a real browser: plotted while it is driven, switched off and on, compared."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("playwright", reason="no playwright here: `pip install -e .[dev]` gets it")
pytest.importorskip("onnxruntime")

from playwright.sync_api import Browser, expect

from canter.studio.app import PAGE

from .browser_seat import LIMITS, Room, Seat
from .running import Running, running

pytestmark = pytest.mark.browser
PAINTED = """() => {
  const canvas = document.querySelector(".experts canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) colours.add(data.slice(i, i + 3).join());
  return [...colours].length;
}"""
"""How many colours the plot shows."""


@pytest.fixture(scope="module")
def studio(chromium: Browser) -> Iterator[Running]:
    with running(page=PAGE, limits=LIMITS) as found:
        yield found


def weights(seat: Seat) -> list[float]:
    found: list[float] = seat.actor()["experts"]
    return found


def test_experts_are_plotted_and_switched(room: Room) -> None:
    seat = room.sit("#dog/mann/1&flat")
    seat.until("its experts have weights that add up", lambda: sum(weights(seat)) == pytest.approx(1, abs=1e-4))
    for _ in range(12):
        seat.tap("ArrowUp")
    seat.until("it goes", lambda: seat.actor()["speed"] > 0.6)
    buttons = seat.page.locator(".experts .switches button")
    expect(seat.page.locator(".experts")).to_be_visible()
    expect(buttons).to_have_count(4)
    seat.until("all four are painted", lambda: seat.page.evaluate(PAINTED) >= 4)
    seat.page.get_by_role("button", name="Expert 2").click()
    seat.until("the second has no weight", lambda: weights(seat)[1] == 0)
    assert sum(weights(seat)) == pytest.approx(1, abs=1e-4)
    expect(buttons.nth(1)).to_have_attribute("aria-pressed", "false")
    expect(buttons.nth(1)).to_contain_text("off")
    for other in (1, 3):
        seat.page.get_by_role("button", name=f"Expert {other}").click()
        seat.until("it is off", lambda other=other: weights(seat)[other - 1] == 0)
    seat.page.get_by_role("button", name="Expert 4").click(force=True)  # it is marked as disabled
    seat.until("the page says that one stays on", lambda: "stays on" in seat.page.locator("#toasts").inner_text())
    assert seat.sent()["last"] == {"type": "experts", "actor": 0, "enabled": [False, False, False, True]}
    seat.page.get_by_role("button", name="Expert 2").click()
    seat.until("the second is back", lambda: weights(seat)[1] > 0)


def test_a_network_is_compared_with_its_teacher(room: Room) -> None:
    seat = room.sit("#dog/gaits/1&flat")
    expect(seat.page.locator(".experts")).to_be_hidden()
    seat.menu("Scene")
    seat.page.get_by_role("combobox", name="Controller").select_option("mann")
    seat.until("the network drives", lambda: len(weights(seat)) == 4, 60)
    seat.page.get_by_role("button", name="Compare", exact=True).click()
    seat.until("two are there", lambda: len(seat.state()["actors"]) == 2, 60)
    assert [actor["controller"] for actor in seat.state()["scene"]["actors"]] == ["mann", "gaits"]
    seat.page.keyboard.press("Escape")
    for _ in range(12):
        seat.tap("ArrowUp")
    for of in (0, 1):
        seat.until("both go", lambda of=of: seat.actor(of)["place"][2] > 0.5)
    expect(seat.page.locator("#compare tbody tr")).to_have_count(2)
    seat.page.keyboard.press("]")
    seat.until("the teacher is chosen", lambda: "of mann" in seat.page.locator(".experts summary").inner_text())
    expect(seat.page.locator(".experts")).to_be_visible()
