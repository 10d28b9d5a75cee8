"""A person at the studio's page in a real browser: what they see the page know, and what they do.

Drawn by software a page shows a few pictures a second, so nothing here looks at pixels or at times of frames.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

import shots
from canter.studio.app import PAGE
from canter.studio.limits import Limits

FLAGS = (
    *shots.FLAGS,
    "--disable-gpu-compositing",  # only WebGL needs graphics, which the processor has to do
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,"  # pages for every new window
    "HttpsUpgrades,MediaRouter,OptimizationHints,PaintHolding",  # and what Playwright disables by the same option
)
"""Options of chromium where nobody looks at the pictures."""
LIMITS = Limits(idle_seconds=0.3)
"""Limits of a studio whose pages are opened one after the other: stages that were left soon cost nothing."""
PIXEL_RATIO = 0.5
"""Pixels that are drawn per pixel of the layout, each way."""
SLOW_DRAWING = """
const draw = window.requestAnimationFrame.bind(window);
window.pictures = 0;
window.pauseMilliseconds = 300;
window.requestAnimationFrame = (then) =>
  window.setTimeout(
    () => draw((now) => (then(now), (window.pictures += window.canter?.ready ? 1 : 0))), window.pauseMilliseconds);
for (const name of ["drawArrays", "drawElements", "drawElementsInstanced"]) {
  const draws = WebGL2RenderingContext.prototype[name];
  WebGL2RenderingContext.prototype[name] = function (...given) {
    if (window.pictures < 2 || window.pictures % 8 === 0) draws.apply(this, given);
  };
}
"""
"""Leaves the processor to the animal: pictures are what software rendering spends it on. Counts them too, and lets the
graphics draw the first ones, with all that they need, and every eighth; the page does its own part of each."""

LISTENING = """
window.heard = [];
window.WebSocket = class extends window.WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => typeof data === "string" && window.heard.push(JSON.parse(data)));
  }
};
"""
"""Keeps what the server says in words, for tests that wait for an event."""


@contextmanager
def browser() -> Iterator[Browser]:
    """Debian's chromium without a window; tests that need it are skipped where it is missing."""
    if not (PAGE / "index.html").is_file():
        pytest.skip("the page is not built: `make page` builds it")
    with ExitStack() as stack:
        try:
            found = stack.enter_context(shots.browser(FLAGS))
        except shots.Missing as missing:
            pytest.skip(str(missing))
        yield found


class Seat:
    """One page on a stage."""

    def __init__(self, context: BrowserContext, address: str, where: str = "") -> None:
        self.address, self.page = address, context.new_page()
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("websocket", lambda socket: self.asked.append(socket.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: said.type == "error" and self.complaints.append(said.text))
        self.page.goto(address + where)
        self.until_true("() => window.canter?.ready && window.pictures > 1", "the page is ready", 60)

    # What the page knows --------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.page.evaluate("() => window.canter.state()")
        return state

    def actor(self, place: int = 0) -> dict[str, Any]:
        state: dict[str, Any] = self.state()["actors"][place]
        return state

    def sent(self) -> dict[str, Any]:
        sent: dict[str, Any] = self.page.evaluate("() => window.canter.sent()")
        return sent

    def events(self) -> list[str]:
        """All events of the stage so far."""
        events: list[str] = self.page.evaluate(
            "() => window.heard.filter((m) => m.type === 'event').flatMap((m) => m.events)"
        )
        return events

    def until(self, what: str, check: Callable[[], Any], seconds: float = 30.0) -> None:
        """Waits until something holds; the time is for slow machines and is not part of any claim."""
        end = time.monotonic() + seconds
        while not check():
            assert time.monotonic() < end, f"not in {seconds:g} s: {what}; {self.brief()}"
            self.page.wait_for_timeout(60)

    def until_true(self, script: str, what: str, seconds: float = 30.0) -> None:
        self.until(what, lambda: self.page.evaluate(script), seconds)

    def until_still(self) -> None:
        self.until("it stands", lambda: self.actor()["gait"] == "stand" and self.actor()["speed"] < 0.05)

    def brief(self) -> str:
        state = self.page.evaluate("() => window.canter?.state()")
        if not state:
            return f"no frame yet; {self.complaints}"
        actors = [(a["gait"], [round(x, 2) for x in a["place"]], round(a["facing"], 2)) for a in state["actors"]]
        return f"frame {state['frame']}, {actors}, sent {self.sent()['last']}, {self.complaints}"

    # What a person does ---------------------------------------------------------------------------

    def on_meadow(self, across: float, down: float) -> tuple[float, float]:
        """The pixel at these shares of the picture's width and height."""
        box = self.page.locator("#stage").bounding_box()
        assert box is not None
        return box["x"] + across * box["width"], box["y"] + down * box["height"]

    @contextmanager
    def holding(self, key: str) -> Iterator[None]:
        self.page.keyboard.down(key)
        try:
            yield
        finally:
            self.page.keyboard.up(key)

    def tap(self, key: str) -> None:
        """Down and up in one go: between two orders to a busy browser a tap would become a hold."""
        self.page.evaluate(
            """(code) => ["keydown", "keyup"].forEach((type) =>
                window.dispatchEvent(new KeyboardEvent(type, { code, key: code, bubbles: true })))""",
            key,
        )

    def menu(self, tab: str | None = None) -> None:
        """Opens the menu, at one of its tabs."""
        if self.page.locator("#panel").is_hidden():
            self.page.get_by_role("button", name="Menu", exact=True).click()
        if tab:
            self.page.get_by_role("tab", name=tab).click()

    def drop(self, *files: Path) -> None:
        """Drops files on the page, as from a folder of the desktop."""
        contents = [[path.name, base64.b64encode(path.read_bytes()).decode()] for path in files]
        handle = self.page.evaluate_handle(
            """(files) => {
                const dropped = new DataTransfer();
                for (const [name, content] of files)
                    dropped.items.add(new File([Uint8Array.from(atob(content), (c) => c.charCodeAt(0))], name));
                return dropped;
            }""",
            contents,
        )
        for kind in ("dragenter", "dragover", "drop"):
            self.page.dispatch_event("body", kind, {"dataTransfer": handle})

    # What must hold whatever was done -------------------------------------------------------------

    def check(self) -> None:
        """Nobody else was asked for anything, and nothing went wrong unseen."""
        host = self.address.split("://")[1]
        elsewhere = [url for url in self.asked if url.split("://")[-1][: len(host)] != host]
        assert not [url for url in elsewhere if not url.startswith(("data:", "blob:"))]
        assert not self.complaints


class Room:
    """Opens pages, each in a context of its own as if on another computer, and checks them at the end."""

    def __init__(self, found: Browser, address: str) -> None:
        self._browser, self._address = found, address
        self._contexts: list[BrowserContext] = []
        self._seats: list[Seat] = []

    def sit(self, where: str = "", script: str = "", **options: Any) -> Seat:
        options = {"viewport": {"width": 960, "height": 600}, "device_scale_factor": PIXEL_RATIO, **options}
        context = self._browser.new_context(accept_downloads=True, reduced_motion="reduce", **options)
        context.set_default_timeout(30_000)
        context.add_init_script(SLOW_DRAWING + LISTENING + script)
        self._contexts.append(context)
        seat = Seat(context, self._address, where)
        self._seats.append(seat)
        return seat

    def leave(self) -> None:
        for context in self._contexts:
            context.close()

    def check(self) -> None:
        for seat in self._seats:
            seat.check()


class Finger:
    """One finger on the page that may be dragged: Playwright itself can only tap."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def _send(self, kind: str, *points: tuple[float, float]) -> None:
        message = {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        self._session.send("Input.dispatchTouchEvent", message)

    def down(self, x: float, y: float) -> None:
        self._send("touchStart", (x, y))

    def move(self, x: float, y: float) -> None:
        self._send("touchMove", (x, y))

    def up(self) -> None:
        self._send("touchEnd")
