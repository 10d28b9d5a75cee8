"""Pictures of the studio for its documentation: `python docs/drawing/shots.py docs` takes all of them.

A headless browser opens the page, drives an animal, and pauses at a chosen moment of the stride; the screenshots are
reduced to a palette, which keeps the files small.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from canter.pictures.palette import LEGS
from canter.studio.app import PAGE
from canter.studio.serve import Settings, Studio

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FLAGS = (
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-rasterization",  # Debian turns it on; without a graphics card it is three times slower
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
"""Options of chromium on a machine without a graphics card."""
FULL_QUALITY = "?quality=good"
"""Makes the page draw at full quality, however slowly."""
DEVICES: dict[str, dict[str, Any]] = {
    "": {"viewport": {"width": 1440, "height": 900}},
    "_phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "has_touch": True,
        "is_mobile": True,
    },
}
WITHOUT_HINTS = "localStorage.setItem('canter.hints', JSON.stringify(['ride', 'gait', 'ground', 'disturb', 'own']))"
"""Marks all hints as seen."""
RESET = """() => new Promise((then) => {
  const before = window.canter.state().frame;
  window.dispatchEvent(new KeyboardEvent("keydown", { key: "r", code: "KeyR" }));
  const waiting = setInterval(() => {
    if (window.canter.state().frame >= before) return;
    clearInterval(waiting);
    then();
  }, 5);
})"""
"""Resets the stage, and waits until that has happened, because a reset releases all keys."""
TAPS = """(count) => {
  for (let i = 0; i < count; i++)
    for (const type of ["keydown", "keyup"])
      window.dispatchEvent(new KeyboardEvent(type, { code: "ArrowUp", key: "ArrowUp", bubbles: true }));
}"""
"""Taps of the arrow key, each 0.1 m/s: a speed that is kept, however slowly the page draws."""
WAIT_FOR_FRAMES = """(count) => new Promise((then) => {
  (function draw() { count-- ? requestAnimationFrame(draw) : then(); })();
})"""
"""Waits for `count` animation frames."""
UNFOLD_TAKES = """() => {
  document.querySelectorAll(".take:not([open]) summary").forEach((summary) => summary.click());
  document.querySelector(".takes").scrollIntoView();
}"""
"""Shows the spans of all takes."""
UNFOLD_EXPERTS = "() => { document.querySelector('.experts').open = true; }"
"""Shows the plot of experts, which is folded on a phone."""
SWITCH_EXPERT = """(number) => document.querySelector(`[aria-label="Expert ${number}"]`).click()"""
"""Switches an expert off; a real click would wait for pictures."""
MAX_STEPS = 100
"""Frames of more than one stride, in which every moment of it occurs."""
RIDING_HEIGHT_PIXELS = 170
"""Height of the window while the animal is driven: software rendering takes time per pixel."""
MAX_BYTES = 400_000
"""Largest size of a picture."""
TIMEOUT_SECONDS = 90.0
"""Longest wait for anything, on a machine without a graphics card."""


class Missing(RuntimeError):
    """Something that the browser needs is not installed; the message says how to get it."""


def main(folder: Path, only: tuple[str, ...] = ()) -> None:
    """Takes all pictures, or some by name, into `folder`/pictures/studio."""
    into = folder / "pictures" / "studio"
    into.mkdir(parents=True, exist_ok=True)
    with _studio() as address, browser() as found, tempfile.TemporaryDirectory() as temporary:
        plays = _plays(make_fox(Path(temporary)), make_takes(Path(temporary)))
        for suffix, options in DEVICES.items():
            context = found.new_context(**options)
            context.set_default_timeout(TIMEOUT_SECONDS * 1000)
            context.add_init_script(WITHOUT_HINTS)
            for name, play in plays.items():
                if only and name not in only:
                    continue
                page = context.new_page()
                began = time.monotonic()
                play(page, address)
                path = into / f"{name}{suffix}.png"
                path.write_bytes(small(page.screenshot()))
                print(f"{path}: {path.stat().st_size / 1000:.0f} kB, {time.monotonic() - began:.0f} s", flush=True)
                page.close()
            context.close()


def small(content: bytes) -> bytes:
    """A PNG with as many colours as MAX_BYTES allows."""
    picture = Image.open(io.BytesIO(content)).convert("RGB")
    for colours in (256, 160, 96, 64, 40):
        kept = io.BytesIO()
        picture.quantize(palette=_palette(picture, colours), dither=Image.Dither.NONE).save(kept, "PNG", optimize=True)
        if kept.tell() < MAX_BYTES:
            break
    return kept.getvalue()


def _palette(picture: Image.Image, colours: int) -> Image.Image:
    """A palette with colours weighted by the cube root of their area, and those of the legs: a meadow must not take
    all of it."""
    found, counts = np.unique(np.asarray(picture).reshape(-1, 3), axis=0, return_counts=True)
    spread = np.repeat(found, np.ceil(counts ** (1 / 3)).astype(int), axis=0)
    palette = Image.fromarray(spread[None]).quantize(colours - len(LEGS), kmeans=2)
    found = np.array(palette.getpalette()).reshape(-1, 3)[: colours - len(LEGS)]
    palette.putpalette(np.concatenate([found, list(LEGS.values())]).ravel().tolist())
    return palette


# What is shown -----------------------------------------------------------------------------------


def _plays(fox: Path, takes: list[Path]) -> dict[str, Callable[[Page, str], None]]:
    """What is done before each picture, by the picture's name."""

    def riding(scene: str, gait: str, speed: float, feet: str, later: int = 0) -> Callable[[Page, str], None]:
        def play(page: Page, address: str) -> None:
            with _low(page):
                _open(page, address + FULL_QUALITY + scene)
                _ride(page, gait, speed)
                _step_to(page, feet, later)
            _settle(page)

        return play

    def experts(page: Page, address: str) -> None:
        with _low(page, 320):
            _open(page, address + FULL_QUALITY + "#dog/mann/1&flat")
            page.evaluate(UNFOLD_EXPERTS)
            _ride(page, "trot", 2.0)
            page.keyboard.press("p")
            page.evaluate(SWITCH_EXPERT, 3)
            began = page.evaluate("() => window.canter.state().time")
            _until(page, f"() => window.canter.state().time > {began + 1.5}")
            page.keyboard.press("p")
            _until(page, "() => window.canter.state().scene.paused")
        _settle(page)

    def upload(page: Page, address: str, *files: Path) -> None:
        with _low(page, 320):
            _open(page, address + FULL_QUALITY)
            tab = page.get_by_role("tab", name="Your animal")
            for element in (page.get_by_role("button", name="Menu", exact=True), tab):
                element.evaluate("(element) => element.click()")  # a real click would wait for pictures
            page.evaluate("() => document.activeElement.blur()")
            page.locator("#panel input[type=file]").set_input_files(files or [fox])
            page.get_by_role("button", name="Drive it").wait_for()
            name = (files or [fox])[0].stem
            _until(page, f"() => window.canter.ready && window.canter.state().scene.actors[0].name === '{name}'")
        _settle(page)

    def capture(page: Page, address: str) -> None:
        upload(page, address, *takes)
        page.evaluate(UNFOLD_TAKES)
        _settle(page)

    def help_card(page: Page, address: str) -> None:
        _open(page, address + FULL_QUALITY)
        page.keyboard.press("h")
        _settle(page)

    return {
        "horse": riding("#horse/gaits/1&flat", "trot", 3.2, "LF RH", 4),
        "dog": riding("#dog/gaits/1&rolling;amplitude=0.6;wavelength=5", "trot", 2.0, "RF LH", 3),
        "turtle": riding("#turtle/gaits/1&flat", "fast walk", 0.2, "LF LH RH", 4),
        "compare": riding("#horse/gaits/1+horse/sung/1&flat&abreast", "trot", 2.8, "RF LH", 4),
        "experts": experts,
        "upload": upload,
        "takes": capture,
        "help": help_card,
    }


@contextmanager
def _low(page: Page, height: int = RIDING_HEIGHT_PIXELS) -> Iterator[None]:
    """A low window meanwhile."""
    full = page.viewport_size
    assert full is not None
    page.set_viewport_size({"width": full["width"], "height": height})
    yield
    page.set_viewport_size(full)


def _open(page: Page, address: str) -> None:
    page.goto(address)
    _until(page, "() => window.canter?.ready")


def _ride(page: Page, gait: str, speed: float) -> None:
    """From the start, where all are abreast, until all have reached gait and speed; then pauses."""
    _until(page, "() => window.canter.state().frame > 120")
    page.evaluate(RESET)
    page.evaluate(TAPS, round(speed / 0.1))
    near = f"(a) => Math.abs(a.speed - {speed}) < {0.15 * speed} && a.gait === '{gait}'"
    _until(page, f"() => window.canter.state().actors.every({near})")
    began = page.evaluate("() => window.canter.state().time")
    _until(page, f"() => window.canter.state().time > {began + 1}")
    page.keyboard.press("p")
    _until(page, "() => window.canter.state().scene.paused")


def _step_to(page: Page, feet: str, later: int) -> None:
    """Frame by frame to the moment when just these feet of the first animal have come down, and some frames on."""
    legs = page.evaluate("() => window.canter.state().scene.actors[0].legs")
    wanted = [leg in feet.split() for leg in legs]
    was = wanted
    for _ in range(MAX_STEPS):
        now = page.evaluate("() => window.canter.state().actors[0].contacts")
        if now == wanted != was:
            break
        was = now
        _step(page)
    for _ in range(later):
        _step(page)


def _step(page: Page) -> None:
    frame = page.evaluate("() => window.canter.state().frame")
    page.keyboard.press(".")
    _until(page, f"() => window.canter.state().frame > {frame}")


def _settle(page: Page) -> None:
    """Waits some frames, until the camera has arrived and cards have faded in or out."""
    page.evaluate(WAIT_FOR_FRAMES, 5)


def _until(page: Page, script: str) -> None:
    """Polls. Playwright's own waiting evaluates code that the page's content security policy forbids."""
    end = time.monotonic() + TIMEOUT_SECONDS
    while not page.evaluate(script):
        if time.monotonic() > end:
            raise TimeoutError(f"the page did not get there: {script}")
        page.wait_for_timeout(20)


# What it takes -----------------------------------------------------------------------------------


@contextmanager
def _studio() -> Iterator[str]:
    """A studio's address, while it runs."""
    if not (PAGE / "index.html").is_file():
        raise Missing("the page is not built: `make page` builds it")
    with tempfile.TemporaryDirectory() as home:
        studio = Studio(Settings(port=0, home=Path(home)))
        thread = threading.Thread(target=studio.run, daemon=True)
        thread.start()
        try:
            yield studio.address
        finally:
            studio.stop()
            thread.join(10)


@contextmanager
def browser(flags: tuple[str, ...] = FLAGS) -> Iterator[Browser]:
    """Debian's chromium without a window, while it runs."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Missing("playwright is not installed: `pip install playwright` gets it") from None
    path = shutil.which("chromium")
    if path is None:
        raise Missing("no chromium here: `apt-get install chromium` gets it")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=list(flags))
        try:
            yield found
        finally:
            found.close()


def make_fox(folder: Path) -> Path:
    """Writes an animal that canter does not ship, with a walk and a trot, as a user would upload it."""
    from canter.formats import write
    from canter.motion import Asset
    from canter.synthetic import example_animal

    clips = example_animal(strides=2)
    path = folder / "fox.glb"
    write(Asset(clips.skeleton, (clips.clip("walk"), clips.clip("trot"))), path)
    return path


def make_takes(folder: Path) -> list[Path]:
    """Writes takes of raw capture, as a user would upload them: a horse that strolls, speeds up and backs."""
    from canter.formats import write
    from canter.synthetic.folder import synthetic_folder

    assets = {asset.clips[0].name: asset for asset in synthetic_folder(7, frame_rate="30").assets}
    paths = []
    for name in ("stroll", "speed_up", "back"):
        paths.append(folder / f"{name}.bvh")
        write(next(asset for take, asset in assets.items() if take.endswith(name)), paths[-1])
    return paths


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"), tuple(sys.argv[2:]))
    except Missing as missing:
        sys.exit(f"canter: {missing}")
