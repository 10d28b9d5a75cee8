"""A stage: the thread in which its actors step, 60 times a second, whoever watches and however slowly.

Everything that changes a stage is a piece of work that its thread does between two frames; what it has to say goes to
an outbox, from which the event loop takes the texts and the newest frame.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from canter.control.world import Rolling, World
from canter.studio.actors import Actor
from canter.studio.beat import Beat
from canter.studio.frames import PAUSED, RECORDING, pack_frame
from canter.studio.limits import RATE, Limits, Refused
from canter.studio.messages import Drive, Go, Message, Pace, Pause, Record, Reset, SceneWish, Step, Take
from canter.studio.recording import Budget, Recording, Track

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Text:
    """A JSON message for one viewer or, with None, for all; `anew` makes frames of before worthless."""

    content: str
    viewer: int | None = None
    anew: bool = False


class Outbox:
    """What the stage says: all texts, but only the newest frame. `notify` is called when it is no longer empty."""

    def __init__(self, notify: Callable[[], None]) -> None:
        self._lock, self._notify = threading.Lock(), notify
        self._texts: list[Text] = []
        self._frame: bytes | None = None
        self._told = False

    def say(self, text: Text) -> None:
        with self._lock:
            self._texts.append(text)
            if text.anew:
                self._frame = None
            tell, self._told = not self._told, True
        if tell:
            self._notify()

    def show(self, frame: bytes) -> None:
        with self._lock:
            self._frame = frame
            tell, self._told = not self._told, True
        if tell:
            self._notify()

    def empty(self) -> tuple[list[Text], bytes | None]:
        with self._lock:
            texts, frame = self._texts, self._frame
            self._texts, self._frame, self._told = [], None, False
            return texts, frame


class Stage:
    """Actors, a clock, and whoever watches. Public methods may be called from any thread."""

    def __init__(self, name: str, notify: Callable[[Stage], None], limits: Limits, budget: Budget) -> None:
        self.name, self._limits, self._budget = name, limits, budget
        self.outbox = Outbox(lambda: notify(self))
        self.actors: tuple[Actor, ...] = ()
        self.wish: SceneWish | None = None
        self.recorded: Recording | None = None
        self.last_frame: bytes | None = None
        self.beat = Beat(RATE)
        self._recording: Recording | None = None
        self._paused, self._pace, self._owed = False, 1.0, 0.0
        self._frame = 0
        self._names: dict[str, int] = {}
        self._watched, self._unwatched_since = False, time.monotonic()
        self._work: deque[tuple[Callable[[], None], int | None]] = deque()
        self._wake, self._ended = threading.Event(), False
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    # From any thread -----------------------------------------------------------------------------

    def do(self, work: Callable[[], None], viewer: int | None = None) -> None:
        """Has the stage's thread do this before its next frame; a refusal is told to `viewer`."""
        self._work.append((work, viewer))
        with self._starting:
            if self._thread is None and not self._ended:
                self._thread = threading.Thread(target=self._run, name=f"stage {self.name}", daemon=True)
                self._thread.start()
        self._wake.set()

    def hear(self, message: Message, viewer: int) -> None:
        """A viewer's message, except for scenes, which are made elsewhere first."""
        self.do(lambda: self._obey(message, viewer), viewer)

    def watch(self, watched: bool) -> None:
        """Whether there is anybody."""
        self._watched, self._unwatched_since = watched, time.monotonic()
        self._wake.set()

    @property
    def unwatched_seconds(self) -> float:
        """How long nobody has been here."""
        return 0.0 if self._watched else time.monotonic() - self._unwatched_since

    def end(self) -> None:
        """Ends its thread, and waits for that."""
        with self._starting:
            self._ended = True
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(2.0)
        for recording in (self._recording, self.recorded):
            if recording is not None:
                recording.forget()

    # The thread ----------------------------------------------------------------------------------

    def _run(self) -> None:
        self.beat.restart()
        while not self._ended:
            self._do_work()
            if self._rests():
                self._wake.wait(1.0)
                self._wake.clear()
                self.beat.restart()
                continue
            self._owed += self._pace
            steps, self._owed = int(self._owed + 1e-9), self._owed % 1.0 if self._owed < 5 else 0.0
            for _ in range(steps):
                self._advance()
            if steps:
                self._show()
            self.beat.wait()

    def _rests(self) -> bool:
        idle = not self._watched and self.unwatched_seconds > self._limits.idle_seconds
        return self._paused or idle or not self.actors

    def _do_work(self) -> None:
        while self._work:
            work, viewer = self._work.popleft()
            try:
                work()
            except Refused as error:
                self._error(str(error), viewer)
            except Exception as error:
                log.exception("stage %s", self.name)
                self._error(f"that failed: {str(error)[:200]}", viewer)

    def _advance(self) -> None:
        """One frame of everybody. Who fails stops the clock, and the reason is told."""
        recording = self._recording
        if recording is not None and not recording.room(1 / RATE):
            self._error("the recording is as long as it may be, and has ended", None)
            self._record(False)
            recording = None
        for actor in self.actors:
            try:
                actor.advance(None if recording is None else recording.tracks[actor.number].keep)
            except Exception as error:
                log.exception("stage %s: %s", self.name, actor.words)
                self._paused = True
                actor.reset()
                self._error(f"{actor.words} failed ({str(error)[:200]}) and stands at the start again", None)
                self._tell_scene()
        self._frame += 1

    def _show(self) -> None:
        """Makes the message of this frame, after the words that it needs."""
        for actor in self.actors:
            if events := actor.happened():
                self._say({"type": "event", "actor": actor.number, "frame": self._frame, "events": list(events)})
        flags = PAUSED * self._paused | RECORDING * (self._recording is not None)
        packed = [actor.pack(self._name) for actor in self.actors]
        self.last_frame = pack_frame(self._frame, self._frame / RATE, flags, packed)
        self.outbox.show(self.last_frame)

    def _name(self, gait: str) -> int:
        """The place of a gait among the names; a new one is told at once."""
        if gait not in self._names:
            self._names[gait] = len(self._names)
            self._say(self._all_names())
        return self._names[gait]

    def _all_names(self) -> dict[str, Any]:
        return {"type": "names", "names": list(self._names)}

    # Work ----------------------------------------------------------------------------------------

    def set(self, actors: tuple[Actor, ...], wish: SceneWish) -> None:
        """The stage anew, with actors that are ready."""
        for actor in actors:
            actor.reset()
        for actor, before in zip(actors, self.actors, strict=False):
            actor.driver = before.driver
        self._stop_recording()
        self.actors, self.wish, self._frame, self._owed, self._paused = actors, wish, 0, 0.0, False
        for actor in actors:
            can = actor.controller.capabilities
            for gait in (*can.gaits, *can.actions):
                self._names.setdefault(gait, len(self._names))
        self.last_frame = None
        self._say(self._all_names())
        self._tell_scene(anew=True)
        self._show()

    def greet(self, viewer: int) -> None:
        """Tells somebody who comes later what has been told before."""
        if self.actors:
            self._say(self._all_names(), viewer)
            self._say(self._scene(), viewer)
            if self._paused:
                self._show()

    def part(self, viewer: int) -> None:
        """Lets go of what a viewer drove who has left."""
        driven = [actor for actor in self.actors if actor.driver == viewer]
        for actor in driven:
            actor.driver = None
        if driven:
            self._tell_scene()

    def check_free(self, viewer: int) -> None:
        """Refuses what would take an actor out of somebody else's hands."""
        for actor in self.actors:
            if actor.driver not in (None, viewer):
                raise Refused(f"viewer {actor.driver} drives {actor.words}; wait until it is free")

    def _obey(self, message: Message, viewer: int) -> None:
        if isinstance(message, Drive):
            for actor in self._driven(message.actor, viewer):
                actor.drive(message.changes)
        elif isinstance(message, Go):
            points = self._actor(message.actor).local(message)
            for actor in self._driven(message.actor, viewer):
                actor.go(points, message.speed)
        elif isinstance(message, Take):
            self._take(message, viewer)
        elif isinstance(message, Pause):
            self._paused = message.on
            self._changed()
        elif isinstance(message, Pace):
            self._pace = message.value
            self._tell_scene()
        elif isinstance(message, Step):
            if not self._paused:
                raise Refused("only a paused stage goes step by step; pause it first")
            if self.actors:
                self._advance()
                self._show()
        elif isinstance(message, Reset):
            self.check_free(viewer)
            self._reset()
        elif isinstance(message, Record):
            self._record(message.on)

    def _actor(self, number: int) -> Actor:
        if number >= len(self.actors):
            raise Refused(f"there is no actor {number} on this stage; there are {len(self.actors)}")
        return self.actors[number]

    def _driven(self, number: int, viewer: int) -> list[Actor]:
        """Who heeds a viewer's command for an actor: it alone, or all that stand abreast."""
        told = self._actor(number)
        if told.driver not in (None, viewer):
            raise Refused(f"viewer {told.driver} drives {told.words}")
        if self.wish is None or not self.wish.abreast:
            return [told]
        return [actor for actor in self.actors if actor.driver in (None, viewer)]

    def _take(self, message: Take, viewer: int) -> None:
        actor = self._actor(message.actor)
        if actor.driver not in (None, viewer):
            raise Refused(f"viewer {actor.driver} drives {actor.words}")
        actor.driver = viewer if message.on else None
        self._tell_scene()

    def _reset(self) -> None:
        """Everybody back to the start; a recording that runs ends, for its ride cannot leap."""
        self._stop_recording()
        self._restart()
        self._changed()

    def _restart(self) -> None:
        for actor in self.actors:
            actor.reset()
        self._frame, self._owed = 0, 0.0

    def _record(self, on: bool) -> None:
        if on and self._recording is None and self.actors:
            if self.recorded is not None:
                self.recorded.forget()
                self.recorded = None
            self._restart()
            self._recording = Recording({a.number: self._track(a) for a in self.actors}, self._budget, self._limits)
        elif not on:
            self._stop_recording()
        self._changed()

    def _track(self, actor: Actor) -> Track:
        controller, wish = actor.controller, self.wish
        assert wish is not None
        return Track(
            actor.casting,
            controller.character,
            actor.casting.controller,
            controller.frame_rate,
            actor.world,
            wish.world,
            actor.seed,
            actor.options,
        )

    def _stop_recording(self) -> None:
        """Ends a recording, which can be downloaded from now on."""
        if self._recording is None:
            return
        self.recorded, self._recording = self._recording, None
        self._say({"type": "recorded", "seconds": self.recorded.seconds, "actors": sorted(self.recorded.tracks)})

    # Words ---------------------------------------------------------------------------------------

    def _changed(self) -> None:
        """Says how the clock stands, and shows it: a paused stage shows no frame by itself."""
        self._tell_scene()
        if self.actors:
            self._show()

    def _scene(self) -> dict[str, Any]:
        wish = self.wish or SceneWish(())
        return {
            "type": "scene",
            "actors": [actor.describe() for actor in self.actors],
            "terrain": wish.world.to_table(),
            "waves": terrain_waves(wish.world),
            "abreast": wish.abreast,
            "paused": self._paused,
            "pace": self._pace,
            "recording": self._recording is not None,
        }

    def _tell_scene(self, anew: bool = False) -> None:
        self._say(self._scene(), anew=anew)

    def _error(self, words: str, viewer: int | None) -> None:
        self._say({"type": "error", "text": words}, viewer)

    def _say(self, message: dict[str, Any], viewer: int | None = None, anew: bool = False) -> None:
        self.outbox.say(Text(json.dumps(message, allow_nan=False), viewer, anew))


def terrain_waves(world: World) -> dict[str, Any] | None:
    """The coefficients of rolling hills, so that a page only evaluates them; None for other terrains."""
    if not isinstance(world.terrain, Rolling):
        return None
    vectors, phases, amplitude = world.terrain.waves
    return {"vectors": vectors.tolist(), "phases": phases.tolist(), "amplitude": amplitude}
