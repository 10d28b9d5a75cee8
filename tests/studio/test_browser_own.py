"""Animals of one's own in a real browser: framed at any size, changed, takes corrected, kept over a restart; failed
drops. And a dog that goes from one posture into another."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="no playwright here: `pip install -e .[dev]` gets it")

from playwright.sync_api import Browser, expect

from canter.studio.app import PAGE

from .browser_seat import LIMITS, Finger, Room, Seat
from .files import animal_file, take_file
from .running import Running, running
from .test_browser import AXE, violations

pytestmark = pytest.mark.browser
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WINDOW: dict[str, Any] = {"viewport": {"width": 900, "height": 560}}
VIEWS = ("side", "front", "top", "free", "follow")
"""In the order in which the key V shows them."""
OFTEN = "window.pauseMilliseconds = 30;"
"""Pictures follow each other quickly, so that the camera arrives soon."""


@pytest.fixture(scope="module")
def studio(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(page=PAGE, files=("dog",), limits=LIMITS, home=tmp_path_factory.mktemp("own home")) as found:
        yield found


def send(studio: Running, path: Path) -> str:
    """The key of an animal that was uploaded."""
    status, answer = studio.upload((path.name, path.read_bytes()))
    assert status == 200, answer
    job = studio.built(answer["job"])
    assert job["error"] is None
    return str(job["key"])


@pytest.fixture(scope="module")
def fox(studio: Running, tmp_path_factory: pytest.TempPathFactory) -> str:
    return send(studio, animal_file(tmp_path_factory.mktemp("own") / "fox.glb"))


# Framing -----------------------------------------------------------------------------------------


def framed(seat: Seat) -> bool:
    """Whether the drawn mesh is inside the free part of the view, and fills a good part of it."""
    box = seat.page.evaluate("() => window.canter.framing(0)")
    mesh, free = box["mesh"], box["free"]
    inside = all(
        sign * (mesh[side] - free[side]) >= -1
        for side, sign in (("left", 1), ("top", 1), ("right", -1), ("bottom", -1))
    )
    shares = [
        (mesh[high] - mesh[low]) / (free[high] - free[low]) for low, high in (("left", "right"), ("top", "bottom"))
    ]
    return inside and max(shares) > 0.4


@pytest.mark.parametrize("hip_height", [0.1, 1.0, 5.0])
def test_an_animal_of_any_size_is_framed_in_every_view(
    room: Room, studio: Running, tmp_path: Path, hip_height: float
) -> None:
    key = send(studio, animal_file(tmp_path / "animal.glb", hip_height))
    for device in (WINDOW, PHONE):
        seat = room.sit(f"#{key}/gaits/1&flat", OFTEN, **device)
        if actor(seat)["hip_height"] != pytest.approx(hip_height, rel=0.05):  # its size was guessed
            seat.menu("Your animal")
            seat.page.get_by_label("m high").fill(str(hip_height))
            seat.page.get_by_label("m high").press("Enter")
            seat.until("it is so high", lambda seat=seat: actor(seat)["hip_height"] == pytest.approx(hip_height))
            seat.page.keyboard.press("Escape")
            seat.page.keyboard.press("Escape")
        for view in VIEWS:
            seat.tap("v")
            seat.until(f"it is framed: {view}", lambda seat=seat: framed(seat), 15)
        for _ in range(3):
            seat.page.mouse.wheel(0, -400)
        seat.until("it is too near", lambda seat=seat: not framed(seat), 15)
        seat.tap("f")
        seat.until("F frames it again", lambda seat=seat: framed(seat), 15)
        seat.page.close()


def test_it_is_framed_as_it_walks_and_long_names_fit(room: Room, studio: Running, tmp_path: Path) -> None:
    long = "a fox that has a very long name " * 2
    key = send(studio, animal_file(tmp_path / f"{long.strip()}.glb", 0.2))
    seat = room.sit(f"#{key}/gaits/1&flat", OFTEN, **WINDOW)
    seat.menu("Your animal")
    for gait in ("walk", "trot"):
        name = seat.page.get_by_label(f"Name of {gait}", exact=True)
        name.fill(f"{gait} {long}"[:60])
        name.press("Enter")
        expect(name).to_have_count(0, timeout=20_000)
    seat.page.get_by_role("button", name="Make trot").click()
    seat.until("it is an action", lambda: len(actor(seat)["capabilities"]["actions"]) == 1)
    for width, height in ((900, 560), (390, 844), (1280, 800)):
        seat.page.set_viewport_size({"width": width, "height": height})
        seat.page.wait_for_timeout(200)
        assert seat.page.evaluate(OVERFLOWING) == []
    seat.page.keyboard.press("Escape")
    seat.tap("v")
    with seat.holding("ArrowUp"):
        seat.until("it goes", lambda: seat.actor()["speed"] > 0.1)
        for _ in range(6):
            pictures = seat.page.evaluate("() => window.pictures")
            seat.until_true(f"() => window.pictures > {pictures + 5}", "the camera follows")
            assert framed(seat)


OVERFLOWING = """() => ["#who", "#hud .big", "#hud .names", "#actions", "#panel .tab:not([hidden])"].filter((name) => {
  const part = document.querySelector(name);
  if (!part?.checkVisibility()) return false;
  const box = part.getBoundingClientRect();
  const beyond = [...part.querySelectorAll("*")].some((e) => e.checkVisibility() && !e.closest(".hidden") &&
    e.getBoundingClientRect().right > box.right + 1);
  return beyond || box.right > innerWidth + 1;
})"""
"""The cards out of which something sticks."""


# Changes -----------------------------------------------------------------------------------------


def actor(seat: Seat) -> dict[str, Any]:
    found: dict[str, Any] = seat.state()["scene"]["actors"][0]
    return found


def gaits(seat: Seat) -> set[str]:
    return set(actor(seat)["capabilities"]["gaits"])


def test_a_gait_is_renamed_made_an_action_and_back_and_dropped(room: Room, fox: str) -> None:
    seat = room.sit(f"#{fox}/gaits/1&flat")
    assert {"walk", "trot"} <= gaits(seat)
    seat.menu("Your animal")
    name = seat.page.get_by_label("Name of trot")
    name.fill("fox jog")
    name.press("Enter")
    seat.until("it is renamed", lambda: gaits(seat) >= {"walk", "fox jog"})
    assert seat.page.locator("#hud .names").get_by_role("button", name="fox jog: trot").count() == 1
    seat.page.get_by_role("button", name="Make fox jog an action").wait_for()
    if AXE.is_file():
        assert violations(seat, "#panel") == []
    seat.page.get_by_role("button", name="Make fox jog an action").click()
    seat.until("it is an action", lambda: actor(seat)["capabilities"]["actions"] == ["fox jog"])
    assert "fox jog" not in gaits(seat)
    seat.page.locator("#actions").get_by_role("button", name="fox jog").click()
    seat.until("it does it", lambda: seat.actor()["gait"] == "fox jog")
    seat.page.get_by_role("button", name="Make fox jog a gait").click()
    seat.until("it is a gait again", lambda: "fox jog" in gaits(seat))
    seat.page.get_by_role("button", name="Drop walk").click()
    seat.until("the walk is dropped", lambda: "walk" not in gaits(seat))
    expect(seat.page.get_by_label("Name of walk")).to_have_count(0, timeout=20_000)


def test_a_guessed_size_is_shown_as_one_and_can_be_given(room: Room, studio: Running, tmp_path: Path) -> None:
    key = send(studio, animal_file(tmp_path / "huge.glb", 30.0))
    seat = room.sit(f"#{key}/gaits/1&flat")
    seat.menu("Your animal")
    guess = seat.page.get_by_text("This size is a guess")
    expect(guess).to_be_visible()
    height = seat.page.get_by_label("m high")
    height.fill("0.75")
    height.press("Enter")
    seat.until("it is so high", lambda: actor(seat)["hip_height"] == pytest.approx(0.75))
    expect(guess).to_have_count(0, timeout=20_000)


def test_sizes_from_a_tenth_to_five_times(room: Room) -> None:
    seat = room.sit()
    own = actor(seat)["hip_height"]
    seat.menu("Scene")
    slider = seat.page.get_by_role("slider", name="Size")
    for key, size in (("Home", 0.1), ("End", 5.0)):
        slider.press(key)
        seat.until(f"{size} times", lambda size=size: actor(seat)["hip_height"] == pytest.approx(size * own), 60)


GAITS_FROM_NOW = """() => {
  window.gaits = [];
  window.setInterval(() => window.gaits.push(window.canter.state().actors[0].gait), 5);
}"""


def test_a_dog_that_sits_lies_down_and_sits_up_again_without_standing(room: Room) -> None:
    seat = room.sit()
    actions = seat.page.locator("#actions")
    for count, action in enumerate(("sit", "lie", "sit")):
        actions.get_by_role("button", name=action).click()
        seat.until(f"it does {action}", lambda action=action: seat.actor()["gait"] == action)
        if not count:
            seat.page.evaluate(GAITS_FROM_NOW)
    assert set(seat.page.evaluate("() => window.gaits")) == {"sit", "lie"}


def test_the_panel_of_the_animal_on_stage_survives_a_failed_drop(room: Room, fox: str, tmp_path: Path) -> None:
    seat = room.sit(f"#{fox}/gaits/1&flat")
    seat.menu("Your animal")
    form = seat.page.get_by_role("button", name="Turn it round")
    form.wait_for()
    (tmp_path / "broken.glb").write_bytes(b"glTF" + bytes(200))
    seat.drop(tmp_path / "broken.glb")
    trouble = seat.page.locator("#panel [role=alert]")
    trouble.wait_for()
    expect(form).to_be_visible()
    assert actor(seat)["animal"] == fox
    form.click()
    expect(trouble).to_have_count(0)
    said = seat.page.locator("#toasts").get_by_text("your two clips are read facing the other way")
    said.wait_for(timeout=60_000)
    assert actor(seat)["animal"] == fox


# Takes -------------------------------------------------------------------------------------------


def test_borders_and_labels_of_a_take_are_corrected_and_it_is_built_again(
    room: Room, studio: Running, tmp_path: Path
) -> None:
    key = send(studio, take_file(tmp_path / "bear.glb"))
    seat = room.sit(f"#{key}/gaits/1&flat", **PHONE)
    seat.menu("Your animal")
    takes, toasts = seat.page.locator(".takes"), seat.page.locator("#toasts")
    takes.get_by_role("button", name="Show bear wider").click()
    border = takes.get_by_role("slider", name=re.compile("and walk$"))
    border.scroll_into_view_if_needed()
    began = float(border.get_attribute("aria-valuenow") or "nan")
    box = border.bounding_box()
    assert box is not None
    x, y, finger = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, Finger(seat.page)
    finger.down(x, y)
    finger.move(x + 60, y)
    finger.up()
    expect(takes.get_by_role("status")).to_contain_text("Walk begins at")
    dragged = float(border.get_attribute("aria-valuenow") or "nan")
    assert dragged > began + 0.3
    border.press("ArrowLeft")
    assert float(border.get_attribute("aria-valuenow") or "nan") == pytest.approx(dragged - 0.05, abs=0.04)
    place = seat.actor()["place"]

    takes.get_by_role("button", name=re.compile("^walk, ")).click()
    label = takes.get_by_label("What it is")
    label.select_option("another word …")
    word = takes.get_by_label("Another word for it")
    word.fill("lame walk")
    word.press("Enter")
    expect(takes.get_by_role("status")).to_contain_text("is now “lame walk”")
    label.select_option("trot")
    expect(takes.get_by_role("status")).to_contain_text("is now a trot")
    if AXE.is_file():
        assert violations(seat, "#panel") == []
    takes.get_by_role("button", name="Build again").press("Enter")
    toasts.get_by_text("is now a trot").wait_for(timeout=60_000)
    seat.until("it trots", lambda: gaits(seat) == {"trot"})
    given = takes.get_by_role("button", name=re.compile("^trot, .*as you said$"))
    expect(given).to_be_visible()
    assert seat.page.evaluate("() => document.activeElement?.classList.contains('takes')")  # where the keyboard was
    assert seat.actor()["place"] == pytest.approx(place, abs=0.1)  # arrows moved the border, not the animal

    takes.get_by_role("button", name="bear as read").click()
    toasts.get_by_text("bear is as it was read").wait_for(timeout=60_000)
    expect(given).to_have_count(0)
    assert float(border.get_attribute("aria-valuenow") or "nan") == pytest.approx(began)


# Kept --------------------------------------------------------------------------------------------


def test_a_restart_keeps_what_was_dropped_and_forget_removes_it(chromium: Browser, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"page": PAGE, "files": ("dog",), "home": tmp_path / "home"}
    path = animal_file(tmp_path / "fox.glb")
    with running(**settings) as first:
        room = Room(chromium, f"http://127.0.0.1:{first.port}/")
        seat = room.sit()
        seat.drop(path)
        seat.until("the fox is there", lambda: actor(seat)["name"] == "fox", 90)
        link = seat.page.evaluate("() => location.hash")
    try:
        with running(**settings, port=first.port) as second:
            other = room.sit(link)
            assert actor(other)["name"] == "fox"
            with other.holding("ArrowUp"):
                other.until("the fox goes", lambda: other.actor()["place"][2] > 0.2)
            other.menu("Your animal")
            other.page.get_by_role("button", name="Forget fox").click()
            expect(other.page.get_by_role("button", name="Forget fox")).to_have_count(0)
            animals = json.loads(second.ask("/api/catalog")[1])["animals"]
            assert not [animal for animal in animals if animal["key"].startswith("upload-")]
            assert not other.complaints
        assert not list((tmp_path / "home").rglob("*.glb"))
    finally:
        room.leave()
