"""Which action or jump begins when, and what an animal does meanwhile.

A jump begins at once where the animal goes ahead; everything else when it has come to rest, or on the way out of a
pose that is held. An action that was done is not begun again before something else was commanded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from canter.anatomy import Action, Character
from canter.control.batch import NO_ACTION
from canter.cycles.engine.frame import Frame
from canter.cycles.engine.gait_graph import Choice
from canter.cycles.gaits.actions import Actions
from canter.cycles.jumps.jump import is_jump, make_jump, mirrored
from canter.cycles.jumps.jumping import Jumping
from canter.motion.arrays import Bools, Ints
from canter.motion.constants import GRAVITY
from canter.motion.rows import merge_rows

MAX_REST_FROUDE, MAX_REST_YAW_RATE = 0.13, 0.25
"""Speed v / sqrt(g h), and radians a second, below which an animal may begin an action."""
MAX_REST_STRAY = 0.4
"""Hip heights by which its feet may then be off where they belong."""
MIN_JUMP_SPEED = 0.6
"""The share of the least speed of the slowest gait from which an animal jumps out of its movement."""


@dataclass(eq=False)
class RequestState:
    """The action that each of N animals performs or has performed for the present command, `NO_ACTION` for none."""

    count: int
    performed: Ints = field(init=False)

    def __post_init__(self) -> None:
        self.performed = np.full(self.count, NO_ACTION, np.int64)


class Requests:
    """Begins and ends actions and jumps."""

    def __init__(
        self, character: Character, known: Mapping[str, Action], choice: Choice, actions: Actions, jumps: Jumping
    ) -> None:
        self._character, self._known, self._choice = character, known, choice
        self._names, self._actions, self._jumps = tuple(known), actions, jumps
        self._is_jump: dict[str, bool] = {}
        self._ahead = np.array((*choice.ahead, *choice.others))
        height = character.anatomy.hip_height
        self._rest_speed = MAX_REST_FROUDE * np.sqrt(GRAVITY * height)
        self.state = RequestState(actions.state.count)
        self._landed: Bools = np.zeros(actions.state.count, bool)
        self.busy = False

    def reset(self, who: Bools) -> None:
        merge_rows(self.state, RequestState(self.state.count), who)

    def prepare(self) -> None:
        """Makes all actions and jumps now, so that no frame has to wait for one that is asked for for the first
        time."""
        for name in self._names:
            self._jumps_out(name)
            self._actions.prepare(name)
        self._actions.prepare_crossings()

    def begin(self, frame: Frame) -> None:
        """Begins what is asked for and can begin now; whether anybody acts then is `busy`."""
        asks = frame.command.action >= 0
        self.busy = self._anybody_acts()
        if self.busy or np.count_nonzero(asks):
            self._begin(frame, asks)
            self.busy = self._anybody_acts()
        else:
            self.state.performed = frame.command.action.copy()

    def _anybody_acts(self) -> bool:
        return bool(np.count_nonzero(self._jumps.state.active) or np.count_nonzero(self._actions.state.which >= 0))

    def _begin(self, frame: Frame, asks: Bools) -> None:
        state, asked = self.state, frame.command.action
        state.performed = np.where(asked != state.performed, NO_ACTION, state.performed)
        self._landed = self._jumps.state.landed
        acts = (self._actions.state.which >= 0) | self._jumps.state.active
        waits = asks & (state.performed < 0) & ~acts
        leaves = asks & (state.performed < 0) & self._actions.held
        if not (waits | leaves).any():
            return
        started = np.zeros(state.count, bool)
        for number in np.unique(asked[leaves]):
            rows = np.flatnonzero(leaves & (asked == number))
            started[self._actions.go_over(self._names[number], rows, frame)] = True
        ahead, rests = self._goes_ahead(frame), self._rests(frame)
        for number in np.unique(asked[waits]):
            name, who = self._names[number], waits & (asked == number)
            jumping = who & ahead
            if jumping.any() and self._jumps_out(name):
                self._jumps.begin(name, np.flatnonzero(jumping), frame)
            else:
                jumping = np.zeros_like(who)
            resting = who & rests & ~jumping
            if resting.any():
                self._actions.begin(name, np.flatnonzero(resting), frame)
            started |= jumping | resting
        state.performed = np.where(started, asked, state.performed)
        frame.happen("started", started)
        halts = waits & ~started
        if halts.any():  # who waits to perform comes to a stand
            command = frame.command
            speed, facing = np.where(halts, 0.0, command.speed), np.where(halts, np.nan, command.facing)
            frame.command = replace(command, speed=speed, facing=facing)

    def hold_still(self, frame: Frame) -> None:
        """After steering: who performs stands underneath."""
        rows = self._actions.rows
        if len(rows):
            frame.gait = frame.gait.copy()
            frame.gait[rows] = self._choice.stand

    def move(self, frame: Frame) -> None:
        rows = self._actions.rows
        wanted = np.zeros(self.state.count, bool)
        wanted[rows] = frame.command.action[rows] == self._numbers(rows)
        self._actions.move(frame, wanted)

    def _numbers(self, rows: Ints) -> Ints:
        """The numbers `(R,)` of the actions that the animals of `rows` perform."""
        numbers = np.array([self._names.index(name) for name in self._actions.table.names], np.int64)
        return numbers[self._actions.state.which[rows]]

    def end(self, frame: Frame) -> None:
        """After the pose: what has ended, unless another action is asked for already, and which action the animals
        show."""
        jumps, command = self._jumps, frame.command
        pending = (command.action >= 0) & (self.state.performed < 0)
        rows = jumps.rows
        shown = np.full(self.state.count, NO_ACTION, np.int64)
        if len(rows):
            frame.happen("landed", jumps.state.landed & ~self._landed)
            shows = rows[(jumps.share[rows] > 0.5) | ~self._landed[rows]]
            shown[shows] = np.array([self._names.index(name) for name in jumps.names])[jumps.state.which[shows]]
            over = rows[jumps.is_over(rows)]
            mask = np.zeros(self.state.count, bool)
            mask[over] = True
            jumps.end(over)
            frame.happen("finished", mask & ~pending)
        ended = self._actions.advance(frame, (command.action < 0) & (command.speed > 0))
        frame.happen("finished", ended & ~pending)
        acting = self._actions.rows
        shown[acting] = self._numbers(acting)
        if (shown >= 0).any():
            frame.shown = shown

    def _rests(self, frame: Frame) -> Bools:
        """Who has all feet down, not too far from where they belong, and has all but stopped."""
        root = frame.root
        still = (np.abs(root.velocity) < self._rest_speed) & (np.abs(root.yaw_rate) < MAX_REST_YAW_RATE)
        result: Bools = still & frame.contacts.all(axis=1) & (frame.strain.stray.max(axis=1) < MAX_REST_STRAY)
        return result

    def _goes_ahead(self, frame: Frame) -> Bools:
        """Who goes straight ahead, fast enough to jump out of its gait."""
        velocity = frame.root.velocity
        straight = np.abs(velocity.imag) < 0.5 * velocity.real
        fast = velocity.real > MIN_JUMP_SPEED * self._choice.slowest
        return straight & fast & np.isin(self._choice.gait_of[frame.timing.target], self._ahead)

    def _jumps_out(self, name: str) -> bool:
        """Whether an action is a jump, which is then known to the jumps; found out when it is first asked for."""
        if name not in self._is_jump:
            action, anatomy = self._known[name], self._character.anatomy
            self._is_jump[name] = is_jump(action, anatomy)
            if self._is_jump[name]:
                sides = (action, mirrored(action, anatomy))
                self._jumps.add(name, [make_jump(self._character, side) for side in sides])
        return self._is_jump[name]
