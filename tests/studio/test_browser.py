"""The page in a real browser: driven by keys, mouse, gamepad and thumb; panels, downloads; and usable by everybody."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("playwright", reason="no playwright here: `pip install -e .[dev]` gets it")

from playwright.sync_api import Browser, expect

from canter import load, read, states
from canter.control.follow import Follower
from canter.control.ride import parse_script
from canter.studio.app import PAGE
from shots import make_fox

from .browser_seat import LIMITS, Finger, Room, Seat
from .running import Running, running

pytestmark = pytest.mark.browser
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="module")
def studio(chromium: Browser) -> Iterator[Running]:
    with running(page=PAGE, limits=LIMITS) as found:
        yield found


def place(seat: Seat, of: int = 0) -> np.ndarray[Any, Any]:
    return np.array(seat.actor(of)["place"])


# Driving -----------------------------------------------------------------------------------------


def test_held_keys_walk_turn_and_stop(room: Room) -> None:
    seat = room.sit()
    assert seat.actor()["gait"] == "stand"
    with seat.holding("ArrowUp"):
        seat.until("it goes forward", lambda: seat.actor()["place"][2] > 1)
        assert seat.actor()["speed"] > 0.5
    seat.until_still()
    stood = place(seat)
    assert abs(stood[0]) < 0.1
    with seat.holding("ArrowLeft"):
        seat.until("it turns left", lambda: seat.actor()["facing"] > 0.5)
    seat.until_still()
    assert seat.actor()["facing"] > 0.5
    assert np.linalg.norm(place(seat) - stood) < 1.0


def test_space_jumps(room: Room) -> None:
    seat = room.sit()
    with seat.holding("ArrowUp"):
        seat.until("it moves", lambda: seat.actor()["speed"] > 0.8)
        seat.page.keyboard.press("Space")
        seat.until("it is in the air", lambda: seat.actor()["gait"] in ("jump", "leap"))
    seat.until("it lands", lambda: "landed" in seat.events())
    seat.until_still()


def test_a_tap_is_one_step(room: Room) -> None:
    seat = room.sit()
    for taps in (1, 2, 3):
        seat.tap("ArrowUp")
        seat.until("the speed is sent", lambda taps=taps: seat.sent()["command"]["speed"] == pytest.approx(taps / 10))
    for taps in (1, 2):
        seat.tap("ArrowLeft")
        turn = math.radians(5 * taps)
        seat.until("it is sent", lambda turn=turn: seat.sent()["command"]["heading"] == pytest.approx(turn, abs=1e-3))
    seat.tap("ArrowRight")
    seat.tap("ArrowDown")
    seat.until("it is sent", lambda: seat.sent()["command"]["speed"] == pytest.approx(0.2))
    assert seat.sent()["command"]["heading"] == pytest.approx(math.radians(5), abs=1e-3)
    seat.until("it keeps going by itself", lambda: np.linalg.norm(place(seat)) > 0.15)


def test_a_click_on_the_ground_goes_there(room: Room) -> None:
    seat = room.sit()
    seat.page.mouse.click(*seat.on_meadow(0.3, 0.7))
    seat.until("it is sent", lambda: seat.sent()["last"]["type"] == "go_to")
    sent = seat.sent()["last"]
    goal = np.array([sent["x"], sent["z"]])
    assert np.linalg.norm(goal) > 0.5
    seat.until("it arrives", lambda: "arrived" in seat.events(), 60)
    seat.until_still()
    assert np.linalg.norm(place(seat)[[0, 2]] - goal) < 0.3


def test_a_drawn_path_is_followed(room: Room) -> None:
    """web/src/drive/path.test.ts tests how it is smoothed."""
    seat = room.sit()
    seat.page.mouse.move(*seat.on_meadow(0.3, 0.7))
    seat.page.mouse.down()
    for across, down in ((0.3, 0.87), (0.63, 0.87), (0.63, 0.7)):
        seat.page.mouse.move(*seat.on_meadow(across, down), steps=12)
    seat.page.mouse.up()
    seat.until("it is sent", lambda: seat.sent()["last"]["type"] == "path")
    assert len(seat.sent()["last"]["points"]) > 10
    seat.until("it goes", lambda: np.linalg.norm(place(seat)) > 0.5)


PAD = """
window.pad = { connected: true, axes: [0, 0, 0, 0], buttons: Array.from({ length: 17 }, () => ({ value: 0 })) };
navigator.getGamepads = () => [window.pad, null, null, null];
"""


def test_a_gamepad_drives_it(room: Room) -> None:
    seat = room.sit(script=PAD)
    seat.page.evaluate("() => { window.pad.axes[1] = -0.6; }")
    seat.until("it goes", lambda: np.linalg.norm(place(seat)) > 1)
    seat.page.evaluate("() => { window.pad.buttons[0].value = 1; }")
    seat.until("it jumps", lambda: seat.actor()["gait"] in ("jump", "leap"))
    seat.page.evaluate("() => { window.pad.axes[1] = window.pad.buttons[0].value = 0; }")
    seat.until_still()


def test_a_phone_has_a_stick(room: Room) -> None:
    seat = room.sit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    box = seat.page.locator("#stick").bounding_box()
    assert box is not None
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    thumb = Finger(seat.page)
    thumb.down(*middle)
    thumb.move(middle[0], middle[1] - 0.3 * box["height"])
    seat.until("it goes", lambda: np.linalg.norm(place(seat)) > 0.7)
    thumb.up()
    seat.until_still()
    assert seat.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    for button in seat.page.locator("#tools button:visible, #actions button:visible").all():
        expect(button).to_be_in_viewport(ratio=1)


def test_thumbs_hit_what_they_aim_at(room: Room) -> None:
    """Buttons are as large, or as far apart, as WCAG 2.2 wants them (2.5.8)."""
    if not AXE.is_file():
        pytest.skip("no axe-core here: `make page` gets it")
    seat = room.sit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    assert violations(seat, "#tools, #actions", rules=["target-size"]) == []
    seat.page.get_by_role("button", name="More", exact=True).click()
    assert violations(seat, "#tools, #actions", rules=["target-size"]) == []


# Scenes ------------------------------------------------------------------------------------------


def test_a_dog_is_chosen_and_two_controllers_compared(room: Room) -> None:
    seat = room.sit()
    tall = seat.state()["scene"]["actors"][0]["hip_height"]
    seat.menu("Scene")
    seat.page.get_by_role("combobox", name="Animal").select_option("dog")
    seat.until("a dog is there", lambda: seat.state()["scene"]["actors"][0]["animal"] == "dog", 60)
    assert seat.state()["scene"]["actors"][0]["hip_height"] < 0.7 * tall
    assert "dog" in seat.page.url
    seat.page.get_by_role("button", name="Compare", exact=True).click()
    seat.until("two are there", lambda: len(seat.state()["scene"]["actors"]) == len(seat.state()["actors"]) == 2, 60)
    scene = seat.state()["scene"]
    assert scene["abreast"]
    assert len({actor["controller"] for actor in scene["actors"]}) == 2
    assert {actor["animal"] for actor in scene["actors"]} == {"dog"}
    begin = [place(seat, 0), place(seat, 1)]
    assert abs(begin[0][0] - begin[1][0]) > 0.5
    seat.page.keyboard.press("Escape")
    with seat.holding("ArrowUp"):
        for of in (0, 1):
            seat.until("both go forward", lambda of=of: place(seat, of)[2] > begin[of][2] + 0.7)
    assert seat.page.locator("#compare").is_visible()
    assert seat.page.locator("#compare tbody tr").count() == 2
    assert "last 4 s" in seat.page.locator("#compare caption").inner_text()
    seat.until("one of them is better", lambda: seat.page.locator("#compare td.best").count() > 0)


def test_two_people_see_the_same_animal(room: Room) -> None:
    one = room.sit()
    for _ in range(8):
        one.tap("ArrowUp")
    one.until("it goes by itself", lambda: one.actor()["speed"] > 0.5)
    stage = one.state()["stage"]
    other = room.sit(f"?stage={stage}")
    assert other.state()["stage"] == stage
    far = other.actor()["place"][2]
    other.until("it is not stopped by who joins", lambda: other.actor()["place"][2] > far + 0.5)
    one.page.keyboard.press("p")
    for seat in (one, other):
        seat.until("all is paused", lambda seat=seat: seat.state()["scene"]["paused"])
    other.until("the last frame has come", lambda: other.state()["frame"] == one.state()["frame"])
    assert one.state()["actors"] == other.state()["actors"]
    assert one.actor()["speed"] > 0.5


def test_a_server_that_comes_back(chromium: Browser) -> None:
    """The page says that nobody is there, finds the server again, and its dog with it."""
    with running(page=PAGE) as first:
        port = first.port
        room = Room(chromium, f"http://127.0.0.1:{port}/")
        seat = room.sit("#dog")
        before = seat.state()["stage"]
    try:
        seat.until("it is noticed", lambda: seat.state()["connection"] != "open")
        assert "connection is lost" in seat.page.locator("#toasts").inner_text()
        with running(page=PAGE, port=port):
            seat.until("it is back", lambda: seat.state()["connection"] == "open" and seat.state()["stage"] != before)
            seat.until_true(
                """() => window.heard.slice(window.heard.findLastIndex(({ type }) => type === "hello"))
                    .some(({ type, actors }) => type === "scene" && actors[0]?.animal === "dog")""",
                "the new server has its dog",
            )
            assert seat.state()["scene"]["actors"][0]["animal"] == "dog"
            assert not [text for text in seat.complaints if "ERR_CONNECTION_REFUSED" not in text]
    finally:
        room.leave()


# Files -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fox(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file as somebody would bring it: an animal that canter does not ship, with a walk and a trot."""
    return make_fox(tmp_path_factory.mktemp("own"))


def test_an_own_animal_is_built_and_driven(room: Room, fox: Path) -> None:
    seat = room.sit()
    seat.drop(fox)
    seat.page.get_by_role("button", name="Drive it").click(timeout=90_000)
    seat.until("the fox is there", lambda: seat.state()["scene"]["actors"][0]["name"] == "fox", 60)
    assert seat.page.locator("#panel").is_hidden()
    with seat.holding("ArrowUp"):
        seat.until("the fox goes", lambda: seat.actor()["place"][2] > 0.5)
    seat.until_still()
    seat.menu("Scene")
    assert seat.page.get_by_role("combobox", name="Animal").locator("option:checked").inner_text() == "fox"


def test_a_file_that_is_none_says_so(room: Room, tmp_path: Path) -> None:
    seat = room.sit()
    (tmp_path / "broken.glb").write_bytes(b"glTF" + bytes(200))
    seat.menu("Your animal")
    seat.page.locator("#panel input[type=file]").set_input_files(tmp_path / "broken.glb")
    trouble = seat.page.locator("#panel [role=alert]")
    trouble.wait_for()
    assert len(trouble.inner_text()) > 30
    assert seat.state()["scene"]["actors"][0]["animal"] == "horse"
    seat.complaints = [text for text in seat.complaints if "422" not in text]  # the browser's own word for it


def test_a_ride_is_downloaded_and_replays_to_the_same_place(room: Room, tmp_path: Path) -> None:
    seat = room.sit()
    seat.page.get_by_role("button", name="Record", exact=True).first.click()
    seat.until("it records", lambda: seat.state()["scene"]["recording"])
    with seat.holding("ArrowUp"):
        seat.until("it goes", lambda: seat.actor()["place"][2] > 0.7)
        with seat.holding("ArrowLeft"):
            seat.until("it turns", lambda: seat.actor()["facing"] > 0.3)
    seat.until_still()
    end = place(seat)
    seat.page.locator("#tools").get_by_role("button", name="Stop").click()
    seat.until("it is recorded, and offered", lambda: seat.page.get_by_role("tab", name="Save").is_visible())
    files = {}
    for kind, name in (("glb", "GLB"), ("toml", "Script")):
        with seat.page.expect_download(timeout=60_000) as waiting:
            seat.page.locator("#panel").get_by_role("link", name=name).click()
        files[kind] = tmp_path / f"ride.{kind}"
        waiting.value.save_as(files[kind])

    asset = read(files["glb"])
    (ride,) = asset.clips
    horse = load("horse")
    assert set(asset.skeleton.names) == set(horse.skeleton.names)
    script = parse_script(files["toml"].read_text())
    controller = horse.controller(script.controller)
    again = list(states(controller, Follower(script, controller), frames=len(ride.positions)))
    assert again[-1].place == pytest.approx(end, abs=0.1)  # it may have swayed a little since
    assert (asset.skeleton.names[0], asset.skeleton.parents[0]) == (horse.skeleton.names[0], -1)
    np.testing.assert_allclose(ride.positions[-1][0], again[-1].pose.positions[0], atol=1e-3)


def test_a_recorded_ride_is_looked_at_again(room: Room) -> None:
    seat = room.sit()
    with seat.holding("ArrowUp"):
        seat.page.get_by_role("button", name="Record", exact=True).first.click()
        seat.until("it records", lambda: seat.state()["scene"]["recording"])
        seat.until("a held key outlives the reset", lambda: seat.state()["frame"] > 60 and seat.actor()["place"][2] > 1)
    seat.until_still()
    end = place(seat)
    seat.page.locator("#tools").get_by_role("button", name="Stop").click()
    seat.page.get_by_role("button", name="Look at this ride").click()
    seat.until("it is said", lambda: seat.page.locator("#status").inner_text() == "replay")
    slider = seat.page.get_by_role("slider", name="Moment of the ride")
    for key, where in (("Home", np.zeros(3)), ("End", end)):
        slider.press(key)
        seat.until(
            f"{key} is shown",
            lambda where=where: np.linalg.norm(seat.state()["replay"]["actors"][0]["place"] - where) < 0.1,
        )
    slider.press("Home")
    assert np.linalg.norm(place(seat) - end) < 0.1  # what is live has not moved
    seat.page.keyboard.press("Space")
    seat.until("it plays", lambda: seat.state()["replay"]["actors"][0]["speed"] > 0.3)
    seat.page.get_by_role("button", name="Live", exact=True).click()
    assert seat.state()["replay"] is None
    assert slider.is_hidden()


# For everybody -----------------------------------------------------------------------------------

CONTROLS = "button, a[href], select, input, summary, [tabindex='0']"
SEEN = """(controls) => [...document.querySelectorAll(controls)].filter((e) =>
    e.checkVisibility({ visibilityProperty: true }) && !e.disabled && e.tabIndex >= 0 && !e.closest("[inert]"))"""
NAME = """(e) => `${e.tagName} ${e.id || e.getAttribute("aria-label") || e.textContent.trim().slice(0, 30)}
    ${e.closest("label")?.querySelector("span")?.textContent ?? ""} ${e.type ?? ""}`.replace(/\\s+/g, " ").trim()"""


def tab_through(seat: Seat) -> None:
    """Tab reaches every control that is shown, and each of them shows that it is reached."""
    wanted: list[str] = seat.page.evaluate(f"(controls) => ({SEEN})(controls).map({NAME})", CONTROLS)
    assert len(wanted) > 5
    reached: dict[str, bool] = {}
    for _ in range(len(wanted) + 4):
        seat.page.keyboard.press("Tab")
        name, shown = seat.page.evaluate(
            f"""() => {{
                const e = document.activeElement, style = getComputedStyle(e);
                const outline = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
                return [({NAME})(e), outline || style.boxShadow !== "none"];
            }}"""
        )
        reached[name] = shown
    assert not set(wanted) - set(reached), "Tab does not reach these"
    assert not [name for name in wanted if not reached[name]], "nothing shows that these have the focus"


def violations(seat: Seat, within: str = "html", rules: list[str] | None = None) -> list[str]:
    """What axe finds in parts of the page that is serious or critical, by its usual rules or by those named."""
    seat.page.evaluate(AXE.read_text())
    options = {"resultTypes": ["violations"], **({"runOnly": {"type": "rule", "values": rules}} if rules else {})}
    found = seat.page.evaluate("([within, options]) => axe.run(within, options)", [within, options])
    return [
        f"{v['id']} ({v['impact']}): {node['html'][:120]} {node['failureSummary'][:300]}"
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
        for node in v["nodes"]
    ]


def test_all_of_it_works_by_keyboard(room: Room) -> None:
    seat = room.sit()
    tab_through(seat)
    seat.page.keyboard.press("m")
    seat.until("the menu opens", lambda: seat.page.locator("#panel").is_visible())
    tab_through(seat)
    seat.page.get_by_role("tab", name="Scene").focus()
    seat.page.keyboard.press("ArrowRight")
    assert seat.page.get_by_role("tab", name="Your animal").get_attribute("aria-selected") == "true"
    seat.page.keyboard.press("Escape")
    assert seat.page.locator("#panel").is_hidden()
    seat.page.keyboard.press("h")
    assert seat.page.locator("#help").is_visible()
    seat.page.keyboard.press("Escape")
    assert seat.page.locator("#help").is_hidden()


def test_axe_finds_nothing_serious(room: Room) -> None:
    if not AXE.is_file():
        pytest.skip("no axe-core here: `make page` gets it")
    seat = room.sit()
    assert violations(seat) == []
    for tab in ("Scene", "Your animal", "Save"):
        seat.menu(tab)
        assert violations(seat) == [], tab
    seat.page.keyboard.press("Escape")
    seat.page.get_by_role("button", name="Help", exact=True).click()
    assert violations(seat) == []
