"""A stage: the thread in which its actors step 60 times a second, however many viewers there are and however slow.

Everything that changes a stage is a task that its thread runs between two frames. Its messages go to an outbox, from
which the event loop takes the texts and the newest frame.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from canter.control.world import Rolling, World
from canter.studio.actors import Actor
from canter.studio.frame_clock import FrameClock
from canter.studio.frames import PAUSED, RECORDING, pack_frame
from canter.studio.limits import FRAME_RATE, Limits, Refused
from canter.studio.messages import (
    ChangeGround,
    Claim,
    CommandChange,
    Disturb,
    GoTo,
    Message,
    Pace,
    Pause,
    Record,
    Reset,
    SceneRequest,
    Step,
    SwitchExperts,
)
from canter.studio.outbox import Outbox, Text
from canter.studio.recording import Budget, Recording, Track

log = logging.getLogger(__name__)


class Stage:
    """Actors, a clock and a recording. The methods of the first group may be called from any thread."""

    def __init__(self, name: str, notify: Callable[[Stage], None], limits: Limits, budget: Budget) -> None:
        self.name, self._limits, self._budget = name, limits, budget
        self.outbox = Outbox(lambda: notify(self))
        self.actors: tuple[Actor, ...] = ()
        self.scene: SceneRequest | None = None
        self.recorded: Recording | None = None
        self.clock = FrameClock(FRAME_RATE)
        self._recording: Recording | None = None
        self._paused, self._pace, self._frames_due = False, 1.0, 0.0
        self._frame = 0
        self._names: dict[str, int] = {}
        self._watched, self._unwatched_since = False, time.monotonic()
        self._tasks: deque[tuple[Callable[[], None], int | None]] = deque()
        self._wake, self._ended = threading.Event(), False
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    # From any thread -----------------------------------------------------------------------------

    def run_soon(self, task: Callable[[], None], viewer: int | None = None) -> None:
        """Has the stage's thread run a task before its next frame; if it raises Refused, `viewer` gets the reason."""
        self._tasks.append((task, viewer))
        with self._starting:
            if self._thread is None and not self._ended:
                self._thread = threading.Thread(target=self._run, name=f"stage {self.name}", daemon=True)
                self._thread.start()
        self._wake.set()

    def receive(self, message: Message, viewer: int) -> None:
        """Handles a viewer's message, except for scenes, whose actors the hub builds first."""
        self.run_soon(lambda: self._handle(message, viewer), viewer)

    def set_watched(self, watched: bool) -> None:
        """Whether there is any viewer."""
        self._watched, self._unwatched_since = watched, time.monotonic()
        self._wake.set()

    @property
    def unwatched_seconds(self) -> float:
        """How long there has been no viewer."""
        return 0.0 if self._watched else time.monotonic() - self._unwatched_since

    def end(self) -> None:
        """Ends the thread, waits for it, and discards the recordings."""
        with self._starting:
            self._ended = True
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(2.0)
        for recording in (self._recording, self.recorded):
            if recording is not None:
                recording.discard()

    # The thread ----------------------------------------------------------------------------------

    def _run(self) -> None:
        self.clock.restart()
        while not self._ended:
            self._run_tasks()
            if self._is_idle():
                self._wake.wait(1.0)
                self._wake.clear()
                self.clock.restart()
                continue
            self._frames_due += self._pace
            steps = int(self._frames_due + 1e-9)
            self._frames_due = self._frames_due % 1.0 if self._frames_due < 5 else 0.0
            for _ in range(steps):
                self._advance()
            if steps:
                self._publish_frame()
            self.clock.wait()

    def _is_idle(self) -> bool:
        idle = not self._watched and self.unwatched_seconds > self._limits.idle_seconds
        return self._paused or idle or not self.actors

    def _run_tasks(self) -> None:
        while self._tasks:
            task, viewer = self._tasks.popleft()
            try:
                task()
            except Refused as error:
                self._send_error(str(error), viewer)
            except Exception as error:
                log.exception("stage %s", self.name)
                self._send_error(f"that failed: {str(error)[:200]}", viewer)

    def _advance(self) -> None:
        """One frame of all actors. If a controller fails, its actor is reset and the stage pauses."""
        recording = self._recording
        happens = sum(actor.waiting for actor in self.actors)
        if recording is not None and not recording.reserve_frame(1 / FRAME_RATE, happens):
            self._send_error("the recording is as long as it may be, and has ended", None)
            self._record(False)
            recording = None
        for actor in self.actors:
            try:
                actor.advance(None if recording is None else recording.tracks[actor.number].append)
            except Exception as error:
                log.exception("stage %s: %s", self.name, actor.label)
                self._paused = True
                actor.reset()
                self._send_error(f"{actor.label} failed ({str(error)[:200]}) and stands at the start again", None)
                self._send_scene()
        self._frame += 1

    def _publish_frame(self) -> None:
        """Puts this frame into the outbox, after its events and new names."""
        for actor in self.actors:
            if events := actor.take_events():
                self._send({"type": "event", "actor": actor.number, "frame": self._frame, "events": list(events)})
        flags = PAUSED * self._paused | RECORDING * (self._recording is not None)
        packed = [actor.pack(self._name_index) for actor in self.actors]
        self.outbox.put_frame(pack_frame(self._frame, self._frame / FRAME_RATE, flags, packed))

    def _name_index(self, name: str) -> int:
        """The index of a gait or a prop in the `names` message, which is sent again when there is a new one."""
        if name not in self._names:
            self._names[name] = len(self._names)
            self._send(self._names_message())
        return self._names[name]

    def _names_message(self) -> dict[str, Any]:
        return {"type": "names", "names": list(self._names)}

    # Tasks ---------------------------------------------------------------------------------------

    def set_scene(self, actors: tuple[Actor, ...], scene: SceneRequest) -> None:
        """Replaces the scene by one whose actors are built."""
        for actor in actors:
            actor.reset()
        for actor, before in zip(actors, self.actors, strict=False):
            actor.driver = before.driver
            if actor.spec == before.spec and len(actor.experts) == len(before.experts) > 0:
                actor.switch_experts(before.experts)  # another ground is no reason to switch them on again
        self._stop_recording()
        self.actors, self.scene, self._frame, self._frames_due, self._paused = actors, scene, 0, 0.0, False
        for actor in actors:
            can = actor.controller.capabilities
            for gait in (*can.gaits, *can.actions):
                self._names.setdefault(gait, len(self._names))
        self._send(self._names_message())
        self._send_scene(new=True)
        self._publish_frame()

    def introduce(self, viewer: int) -> None:
        """Sends the scene as it is to a viewer who has just joined."""
        if self.actors:
            self._send(self._names_message(), viewer)
            self._send(self._scene_message(), viewer)
            if self._paused:
                self._publish_frame()

    def release_actors(self, viewer: int) -> None:
        """Lets others drive the actors of a viewer who has left."""
        driven = [actor for actor in self.actors if actor.driver == viewer]
        for actor in driven:
            actor.driver = None
        if driven:
            self._send_scene()

    def check_free(self, viewer: int) -> None:
        """Raises Refused if somebody else drives an actor of this stage."""
        for actor in self.actors:
            if actor.driver not in (None, viewer):
                raise Refused(f"viewer {actor.driver} drives {actor.label}; wait until it is free")

    def _handle(self, message: Message, viewer: int) -> None:
        if isinstance(message, CommandChange):
            for actor in self._driven(message.actor, viewer):
                actor.drive(message.changes)
        elif isinstance(message, GoTo):
            points = self._actor(message.actor).local(message)
            for actor in self._driven(message.actor, viewer):
                actor.go(points, message.speed)
        elif isinstance(message, Disturb):
            self._disturb(message, viewer)
        elif isinstance(message, ChangeGround):
            self._change_ground(message, viewer)
        elif isinstance(message, Claim):
            self._claim(message, viewer)
        elif isinstance(message, SwitchExperts):
            self._switch(message, viewer)
        elif isinstance(message, Pause):
            self._paused = message.on
            self._send_all()
        elif isinstance(message, Pace):
            self._pace = message.value
            self._send_scene()
        elif isinstance(message, Step):
            if not self._paused:
                raise Refused("only a paused stage goes step by step; pause it first")
            if self.actors:
                self._advance()
                self._publish_frame()
        elif isinstance(message, Reset):
            self.check_free(viewer)
            self._reset()
        elif isinstance(message, Record):
            self._record(message.on)

    def _actor(self, number: int) -> Actor:
        if number >= len(self.actors):
            raise Refused(f"there is no actor {number} on this stage; there are {len(self.actors)}")
        return self.actors[number]

    def _free_actor(self, number: int, viewer: int) -> Actor:
        """An actor that nobody else drives."""
        actor = self._actor(number)
        if actor.driver not in (None, viewer):
            raise Refused(f"viewer {actor.driver} drives {actor.label}")
        return actor

    def _driven(self, number: int, viewer: int) -> list[Actor]:
        """The actors that obey a viewer's command for an actor: it alone, or all of a scene that is `abreast`."""
        addressed = self._free_actor(number, viewer)
        if self.scene is None or not self.scene.abreast:
            return [addressed]
        return [actor for actor in self.actors if actor.driver in (None, viewer)]

    def _claim(self, message: Claim, viewer: int) -> None:
        actor = self._free_actor(message.actor, viewer)
        actor.driver = viewer if message.on else None
        self._send_scene()

    def _switch(self, message: SwitchExperts, viewer: int) -> None:
        """Switches experts of one actor, also abreast: so the same network is compared with and without one."""
        actor = self._free_actor(message.actor, viewer)
        if self._recording is not None:
            raise Refused("experts stay as they are while a ride is recorded: its script names them once")
        actor.switch_experts(message.enabled)
        self._send_scene()

    def _disturb(self, message: Disturb, viewer: int) -> None:
        """Pushes an actor or throws something at it; abreast, at all that can feel it."""
        addressed = self._actor(message.actor)
        if objection := addressed.objection(message.disturbance):
            raise Refused(objection)
        happens = addressed.local_disturbance(message.disturbance)
        for actor in self._driven(message.actor, viewer):
            if not actor.objection(happens):
                actor.disturb(happens)

    def _change_ground(self, message: ChangeGround, viewer: int) -> None:
        """Changes the ground, which is that of all actors."""
        self.check_free(viewer)
        felt = [actor for actor in self.actors if actor.heeds(message.ground)]
        if not felt:
            raise Refused("nobody here has the weight to feel the ground change")
        for actor in felt:
            actor.change_ground(message.ground)
        self._send_scene()

    def _reset(self) -> None:
        """Puts all actors back to the start, which ends a recording: its ride would not be continuous."""
        self._stop_recording()
        self._restart()
        self._send_all()

    def _restart(self) -> None:
        for actor in self.actors:
            actor.reset()
        self._frame, self._frames_due = 0, 0.0

    def _record(self, on: bool) -> None:
        if on and self._recording is None and self.actors:
            if self.recorded is not None:
                self.recorded.discard()
                self.recorded = None
            self._restart()
            self._recording = Recording({a.number: self._track(a) for a in self.actors}, self._budget, self._limits)
        elif not on:
            self._stop_recording()
        self._send_all()

    def _track(self, actor: Actor) -> Track:
        controller, scene = actor.controller, self.scene
        assert scene is not None
        return Track(
            actor.spec,
            controller.character,
            actor.spec.controller,
            controller.frame_rate,
            actor.world,
            scene.world,
            actor.seed,
            actor.options,
        )

    def _stop_recording(self) -> None:
        """Ends the recording; it can be downloaded from now on."""
        if self._recording is None:
            return
        self.recorded, self._recording = self._recording, None
        self._send({"type": "recorded", "seconds": self.recorded.seconds, "actors": sorted(self.recorded.tracks)})

    # Messages ------------------------------------------------------------------------------------

    def _send_all(self) -> None:
        """Sends the scene and a frame: a paused stage sends none by itself."""
        self._send_scene()
        if self.actors:
            self._publish_frame()

    def _scene_message(self) -> dict[str, Any]:
        scene = self.scene or SceneRequest(())
        return {
            "type": "scene",
            "actors": [actor.describe() for actor in self.actors],
            "terrain": scene.world.to_table(),
            "waves": terrain_waves(scene.world),
            "abreast": scene.abreast,
            "paused": self._paused,
            "pace": self._pace,
            "recording": self._recording is not None,
        }

    def _send_scene(self, new: bool = False) -> None:
        self._send(self._scene_message(), new_scene=new)

    def _send_error(self, text: str, viewer: int | None) -> None:
        self._send({"type": "error", "text": text}, viewer)

    def _send(self, message: dict[str, Any], viewer: int | None = None, new_scene: bool = False) -> None:
        self.outbox.put_text(Text(json.dumps(message, allow_nan=False), viewer, new_scene))


def terrain_waves(world: World) -> dict[str, Any] | None:
    """The coefficients of rolling hills, so that a page only evaluates them; None for other terrains."""
    if not isinstance(world.terrain, Rolling):
        return None
    vectors, phases, amplitude = world.terrain.waves
    return {"vectors": vectors.tolist(), "phases": phases.tolist(), "amplitude": amplitude}
