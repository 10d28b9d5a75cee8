"""Stages and their viewers, and the thread in which the actors of scenes are built, off the event loop."""

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
from canter.studio.actors import Actor, Look, shifted, side_by_side
from canter.studio.kept import UPLOAD_PREFIX
from canter.studio.library import Library
from canter.studio.limits import FRAME_RATE, Limits, Refused
from canter.studio.messages import ActorSpec, EditAnimal, SceneRequest
from canter.studio.recording import Budget
from canter.studio.stage import Stage
from canter.studio.viewers import Viewer

log = logging.getLogger(__name__)
DEFAULT_SCENE = SceneRequest((ActorSpec("horse"),))
"""The scene of a new stage if no other was requested."""


@dataclass(eq=False)
class Room:
    """A stage, its viewers, and the scene that is to be built next."""

    stage: Stage
    viewers: dict[int, Viewer] = field(default_factory=dict)
    requested: SceneRequest | None = None
    requester: int | None = None
    """The viewer who gets the error if it cannot be built; None: all viewers."""
    building: bool = False


class Hub:
    """Stages by name. Called on the event loop only, except for `_build_actors`.

    `first_scene` is the scene of new stages, None while its files are being built; its actors play `script`.
    """

    def __init__(
        self,
        library: Library,
        limits: Limits,
        first_scene: SceneRequest | None = DEFAULT_SCENE,
        script: Script | None = None,
    ) -> None:
        self.library, self.limits, self.first_scene, self._script = library, limits, first_scene, script
        self.rooms: dict[str, Room] = {}
        self._budget = Budget(limits.recording_bytes)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._builder = ThreadPoolExecutor(1, "builder")
        self._tasks: set[asyncio.Task[None]] = set()
        self._last_viewer, self._ended = 0, False

    # Joining and leaving -------------------------------------------------------------------------

    @property
    def viewers(self) -> int:
        return sum(len(room.viewers) for room in self.rooms.values())

    def next_viewer(self) -> int:
        self._last_viewer += 1
        return self._last_viewer

    def open(self, name: str | None) -> Room:
        """The room of that name, or a new one if there is none; raises Refused if a limit is reached."""
        self.delete_expired()
        if self.viewers >= self.limits.viewers:
            raise Refused(f"{self.limits.viewers} viewers are here already, which is as many as there may be")
        if name in self.rooms:
            return self.rooms[name]
        if len(self.rooms) >= self.limits.stages:
            empty = [room for room in self.rooms.values() if not room.viewers]
            if not empty:
                raise Refused(f"{self.limits.stages} stages are in use, which is as many as there may be")
            self._delete(max(empty, key=lambda room: room.stage.unwatched_seconds))
        self._loop = asyncio.get_running_loop()
        stage = Stage(secrets.token_urlsafe(8), self._notified, self.limits, self._budget)
        room = Room(stage, requested=self.first_scene)
        self.rooms[stage.name] = room
        return room

    def join(self, room: Room, viewer: Viewer) -> None:
        room.viewers[viewer.number] = viewer
        room.stage.set_watched(True)
        viewer.send({"type": "hello", "stage": room.stage.name, "viewer": viewer.number, "rate": FRAME_RATE})
        if room.stage.actors:
            room.stage.run_soon(lambda: room.stage.introduce(viewer.number))
        self._start_building(room)

    def leave(self, room: Room, viewer: Viewer) -> None:
        room.viewers.pop(viewer.number, None)
        if not room.viewers:
            room.stage.set_watched(False)
        if room.stage.actors:
            room.stage.run_soon(lambda: room.stage.release_actors(viewer.number))

    def delete_expired(self) -> None:
        """Ends stages that have had no viewer for `stage_lifetime_seconds`."""
        for room in list(self.rooms.values()):
            if not room.viewers and room.stage.unwatched_seconds > self.limits.stage_lifetime_seconds:
                self._delete(room)

    def set_first_scene(self, scene: SceneRequest) -> None:
        """The scene of new stages from now on, and of those that have none yet."""
        self.first_scene = scene
        for room in self.rooms.values():
            if room.stage.scene is None and room.requested is None:
                room.requested = scene
                self._start_building(room)

    def broadcast(self, message: Mapping[str, object]) -> None:
        """Sends a message to the viewers of all stages."""
        for room in self.rooms.values():
            self._send(room, message)

    def _delete(self, room: Room) -> None:
        del self.rooms[room.stage.name]
        asyncio.get_running_loop().run_in_executor(None, room.stage.end)

    def end(self) -> None:
        self._ended = True
        for room in self.rooms.values():
            room.stage.end()
        self.rooms.clear()
        self._builder.shutdown(wait=False, cancel_futures=True)

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
        texts, frame = stage.outbox.take_all()
        room = self.rooms.get(stage.name)
        if room is None:
            return
        for viewer in room.viewers.values():
            for text in texts:
                if text.viewer in (None, viewer.number):
                    viewer.queue_text(text.content, drop_frame=text.new_scene)
            if frame is not None:
                viewer.queue_frame(frame)

    def _send(self, room: Room, message: Mapping[str, object]) -> None:
        for viewer in room.viewers.values():
            viewer.send(message)

    # Scenes --------------------------------------------------------------------------------------

    def request_scene(self, room: Room, scene: SceneRequest, viewer: int) -> None:
        """Has a scene built; of several that are requested during a build only the last is."""
        room.stage.check_free(viewer)
        room.requested, room.requester = scene, viewer
        self._start_building(room)

    def request_edit(self, room: Room, message: EditAnimal, viewer: int) -> None:
        """Has an animal changed, and the scene of the room built again if it is on it."""
        room.stage.check_free(viewer)
        task = asyncio.get_running_loop().create_task(self._edit(room, message, viewer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _edit(self, room: Room, message: EditAnimal, viewer: int) -> None:
        try:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._builder, self.library.edit, message.animal, message.edit)
        except Refused as error:
            return self._send_error(room, viewer, str(error))
        except Exception as error:
            log.exception("changing %s", message.animal)
            return self._send_error(room, viewer, f"that failed: {str(error)[:200]}")
        scene = room.requested or room.stage.scene
        if scene is not None and any(spec.animal == message.animal for spec in scene.actors):
            room.requested, room.requester = scene, viewer
            self._start_building(room)

    def _start_building(self, room: Room) -> None:
        if room.requested is not None and not room.building and room.viewers:
            room.building = True
            task = asyncio.get_running_loop().create_task(self._build_requested(room))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _build_requested(self, room: Room) -> None:
        """Builds requested scenes until there is none. One that all viewers have left stays requested for the next."""
        loop = asyncio.get_running_loop()
        try:
            while room.requested is not None and room.viewers and room.stage.name in self.rooms:
                scene, requester, room.requested = room.requested, room.requester, None
                animals = " and ".join(dict.fromkeys(self._label(spec) for spec in scene.actors))
                self._send(room, {"type": "doing", "text": f"making {animals}"})
                try:
                    actors = await loop.run_in_executor(self._builder, self._build_actors, scene, room)
                except (Refused, ImportError, KeyError, ValueError) as error:
                    reason = error.args[0] if error.args else type(error).__name__
                    self._send_error(room, requester, f"{animals} cannot stand here: {str(reason)[:300]}")
                    continue
                except Exception as error:
                    log.exception("making %s", animals)
                    self._send_error(room, requester, f"making {animals} failed: {str(error)[:200]}")
                    continue
                if actors is None:
                    room.requested = room.requested or scene
                    continue
                room.stage.run_soon(partial(room.stage.set_scene, actors, scene))
        except RuntimeError:  # the builder's thread is shut down
            return
        finally:
            room.building = False
            if not self._ended:
                self._start_building(room)

    def _send_progress(self, room: Room, text: str) -> None:
        """Called in the builder's thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._send, room, {"type": "doing", "text": text})

    def _send_error(self, room: Room, requester: int | None, text: str) -> None:
        for viewer in room.viewers.values():
            if requester in (None, viewer.number):
                viewer.send({"type": "error", "text": text})

    def _label(self, spec: ActorSpec) -> str:
        return "your animal" if spec.animal.startswith(UPLOAD_PREFIX) else f"the {spec.animal[:60]}"

    def _build_actors(self, scene: SceneRequest, room: Room) -> tuple[Actor, ...] | None:
        """The actors of a scene, in the builder's thread; None if all viewers have left.

        A controller of the current scene is used again for an actor with the same spec, world and animal.
        """
        if not room.viewers:
            return None
        current = [((actor.spec, actor.world, actor.look.revision), actor.controller) for actor in room.stage.actors]
        characters = [self.library.character(spec.animal, spec.size) for spec in scene.actors]
        offsets = side_by_side([float(character.anatomy.hip_height) for character in characters])
        script = self._script if scene == self.first_scene else None
        actors = []
        for number, (spec, x) in enumerate(zip(scene.actors, offsets, strict=True)):
            world, revision = shifted(scene.world, x), self.library.revision(spec.animal)
            controller = _take_reusable(current, (spec, world, revision))
            if controller is None:
                if number:
                    self._send_progress(room, f"making {self._label(spec)}, {number + 1} of {len(offsets)}")
                find("controller", spec.controller)
                options = dict(script.options) if script is not None else {}
                controller = make_controller(spec.controller, characters[number], world=world, **options)
            look = self._look(spec, revision, controller)
            actors.append(Actor(number, spec, controller, world, x, script, look))
        return tuple(actors)

    def _look(self, spec: ActorSpec, revision: int, controller: Controller) -> Look:
        low, high = self.library.bounds(spec.animal, spec.size).tolist()
        heavy = {"push", "throw"} & controller.capabilities.honours
        return Look(revision, (tuple(low), tuple(high)), self.library.mass(spec.animal, spec.size) if heavy else None)

    def warm_up(self) -> None:
        """Builds the first scene once in the builder's thread, so that the first viewer finds its cycles cached."""

        def build() -> None:
            for spec in self.first_scene.actors if self.first_scene else ():
                make_controller(spec.controller, self.library.character(spec.animal, spec.size))
                self.library.bounds(spec.animal, spec.size)
                self.library.body(spec.animal, spec.size)

        self._builder.submit(build)


def _take_reusable(
    controllers: list[tuple[tuple[ActorSpec, World, int], Controller]], wanted: tuple[ActorSpec, World, int]
) -> Controller | None:
    """Removes a controller of such an actor from the list and returns it."""
    for index, (its_own, controller) in enumerate(controllers):
        if its_own == wanted:
            del controllers[index]
            return controller
    return None
