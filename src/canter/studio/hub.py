"""Who is where: stages and their viewers, and the one thread in which scenes are made, off the event loop."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from canter.control.contract import Controller
from canter.control.registry import find, make_controller
from canter.control.script import Script
from canter.control.world import World
from canter.studio.actors import Actor, places, shifted
from canter.studio.library import UPLOADED, Library
from canter.studio.limits import RATE, Limits, Refused
from canter.studio.messages import Casting, SceneWish
from canter.studio.recording import Budget
from canter.studio.stage import Stage
from canter.studio.viewers import Viewer

log = logging.getLogger(__name__)
FIRST = SceneWish((Casting("horse"),))
"""What stands on a new stage if nothing else was asked for."""


@dataclass(eq=False)
class Room:
    """A stage, who is in it, and the scene that is wanted next."""

    stage: Stage
    viewers: dict[int, Viewer] = field(default_factory=dict)
    wanted: SceneWish | None = None
    asker: int | None = None
    making: bool = False


class Hub:
    """Stages by name. Everything here happens on the event loop, except for `_make`."""

    def __init__(
        self, library: Library, limits: Limits, first: SceneWish | None = FIRST, script: Script | None = None
    ) -> None:
        self.library, self.limits, self.first, self._script = library, limits, first, script
        self.rooms: dict[str, Room] = {}
        self._budget = Budget(limits.recording_bytes)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._maker = ThreadPoolExecutor(1, "maker")
        self._tasks: set[asyncio.Task[None]] = set()
        self._last_viewer, self._ended = 0, False

    # Coming and going ----------------------------------------------------------------------------

    @property
    def viewers(self) -> int:
        return sum(len(room.viewers) for room in self.rooms.values())

    def next_viewer(self) -> int:
        self._last_viewer += 1
        return self._last_viewer

    def open(self, name: str | None) -> Room:
        """The room of that name, or a new one where it is over; raises Refused where there is no more room."""
        self.forget_old()
        if self.viewers >= self.limits.viewers:
            raise Refused(f"{self.limits.viewers} viewers are here already, which is as many as there may be")
        if name in self.rooms:
            return self.rooms[name]
        if len(self.rooms) >= self.limits.stages:
            empty = [room for room in self.rooms.values() if not room.viewers]
            if not empty:
                raise Refused(f"{self.limits.stages} stages are in use, which is as many as there may be")
            self._forget(max(empty, key=lambda room: room.stage.unwatched_seconds))
        self._loop = asyncio.get_running_loop()
        stage = Stage(secrets.token_urlsafe(8), self._notified, self.limits, self._budget)
        room = Room(stage, wanted=self.first)
        self.rooms[stage.name] = room
        return room

    def join(self, room: Room, viewer: Viewer) -> None:
        room.viewers[viewer.number] = viewer
        room.stage.watch(True)
        viewer.say({"type": "hello", "stage": room.stage.name, "viewer": viewer.number, "rate": RATE})
        if room.stage.actors:
            room.stage.do(lambda: room.stage.greet(viewer.number))
        self._make_wanted(room)

    def part(self, room: Room, viewer: Viewer) -> None:
        room.viewers.pop(viewer.number, None)
        if not room.viewers:
            room.stage.watch(False)
        if room.stage.actors:
            room.stage.do(lambda: room.stage.part(viewer.number))

    def forget_old(self) -> None:
        """Ends stages that nobody has watched for long."""
        for room in list(self.rooms.values()):
            if not room.viewers and room.stage.unwatched_seconds > self.limits.forgotten_seconds:
                self._forget(room)

    def begin_with(self, wish: SceneWish) -> None:
        """What stands on new stages from now on, and on those that still wait for it."""
        self.first = wish
        for room in self.rooms.values():
            if room.stage.wish is None and room.wanted is None:
                room.wanted = wish
                self._make_wanted(room)

    def tell_all(self, message: Mapping[str, object]) -> None:
        for room in self.rooms.values():
            self.say(room, message)

    def _forget(self, room: Room) -> None:
        del self.rooms[room.stage.name]
        asyncio.get_running_loop().run_in_executor(None, room.stage.end)

    def end(self) -> None:
        self._ended = True
        for room in self.rooms.values():
            room.stage.end()
        self.rooms.clear()
        self._maker.shutdown(wait=False, cancel_futures=True)

    # From the stage to its viewers ---------------------------------------------------------------

    def _notified(self, stage: Stage) -> None:
        """Called in the stage's thread."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            try:
                loop.call_soon_threadsafe(self._deliver, stage)
            except RuntimeError:  # the loop closed in between
                return

    def _deliver(self, stage: Stage) -> None:
        texts, frame = stage.outbox.empty()
        room = self.rooms.get(stage.name)
        if room is None:
            return
        for viewer in room.viewers.values():
            for text in texts:
                if text.viewer in (None, viewer.number):
                    viewer.put_text(text.content, text.anew)
            if frame is not None:
                viewer.put_frame(frame)

    def say(self, room: Room, message: Mapping[str, object]) -> None:
        for viewer in room.viewers.values():
            viewer.say(message)

    # Scenes --------------------------------------------------------------------------------------

    def want(self, room: Room, wish: SceneWish, viewer: int) -> None:
        """Has a scene made; if several are wanted before one is ready, only the last is."""
        room.stage.check_free(viewer)
        room.wanted, room.asker = wish, viewer
        self._make_wanted(room)

    def _make_wanted(self, room: Room) -> None:
        if room.wanted is not None and not room.making and room.viewers:
            room.making = True
            task = asyncio.get_running_loop().create_task(self._make_all(room))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _make_all(self, room: Room) -> None:
        """Makes what is wanted until nothing is; a scene that nobody waits for any more waits for the next viewer."""
        loop = asyncio.get_running_loop()
        try:
            while room.wanted is not None and room.viewers and room.stage.name in self.rooms:
                wish, asker, room.wanted = room.wanted, room.asker, None
                kinds = " and ".join(dict.fromkeys(self._words(one) for one in wish.actors))
                self.say(room, {"type": "doing", "text": f"making {kinds}"})
                try:
                    actors = await loop.run_in_executor(self._maker, self._make, wish, room)
                except (Refused, ImportError, KeyError, ValueError) as error:
                    words = error.args[0] if error.args else type(error).__name__
                    self._fail(room, asker, f"{kinds} cannot stand here: {str(words)[:300]}")
                    continue
                except Exception as error:
                    log.exception("making %s", kinds)
                    self._fail(room, asker, f"making {kinds} failed: {str(error)[:200]}")
                    continue
                if actors is None:
                    room.wanted = room.wanted or wish
                    continue
                room.stage.do(partial(room.stage.set, actors, wish))
        except RuntimeError:  # the maker is shut down
            return
        finally:
            room.making = False
            if not self._ended:
                self._make_wanted(room)

    def _tell(self, room: Room, words: str) -> None:
        """How far it is, from the maker's thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.say, room, {"type": "doing", "text": words})

    def _fail(self, room: Room, asker: int | None, words: str) -> None:
        for viewer in room.viewers.values():
            if asker in (None, viewer.number):
                viewer.say({"type": "error", "text": words})

    def _words(self, casting: Casting) -> str:
        return "your animal" if casting.animal.startswith(UPLOADED) else f"the {casting.animal[:60]}"

    def _make(self, wish: SceneWish, room: Room) -> tuple[Actor, ...] | None:
        """The actors of a scene, in the maker's thread; None if nobody is there any more. Controllers are used again
        where nothing about them changes."""
        if not room.viewers:
            return None
        used = [(actor.casting, actor.world, actor.controller) for actor in room.stage.actors]
        characters = [self.library.character(one.animal, one.size) for one in wish.actors]
        standing = places([float(character.anatomy.hip_height) for character in characters])
        script = self._script if wish == self.first else None
        actors = []
        for number, (casting, x) in enumerate(zip(wish.actors, standing, strict=True)):
            world = shifted(wish.world, x)
            controller = _again(used, casting, world)
            if controller is None:
                if number:
                    self._tell(room, f"making {self._words(casting)}, {number + 1} of {len(standing)}")
                find("controller", casting.controller)
                options = dict(script.options) if script is not None else {}
                controller = make_controller(casting.controller, characters[number], world=world, **options)
            actors.append(Actor(number, casting, controller, world, x, script))
        return tuple(actors)

    def warm_up(self) -> None:
        """Makes the first scene once in the maker's thread, so that the first viewer need not wait for its cycles."""

        def make() -> None:
            for casting in self.first.actors if self.first else ():
                make_controller(casting.controller, self.library.character(casting.animal, casting.size))
                self.library.body(casting.animal, casting.size)

        self._maker.submit(make)


def _again(used: list[tuple[Casting, World, Controller]], casting: Casting, world: World) -> Controller | None:
    """A controller of the scene before that can be used again; each once."""
    for place, (was, ground, controller) in enumerate(used):
        if was == casting and ground == world:
            del used[place]
            return controller
    return None
