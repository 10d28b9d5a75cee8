"""A controller that predicts: steering plans the way ahead, a predictor gives the next pose, footing holds the feet.

MANN, its baselines and motion matching are this controller with another predictor (MANN, section 8). Animals are
stepped as a batch, and one animal is a batch of one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from canter.anatomy import Character
from canter.control.batch import BatchCommand, BatchState
from canter.control.contract import Capabilities
from canter.control.experts import check_experts
from canter.control.improvise import IDLE, LOCOMOTION, told_labels
from canter.control.state import LazyValues
from canter.control.steering import Root, Wish, predict
from canter.control.trajectory import History, on_plane, wrap_angles
from canter.control.world import World
from canter.footing.footing import Footing
from canter.footing.ground import ground_of, height_at, move_roots
from canter.footing.leg_tree import as_slice
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Complexes, Floats, Ints
from canter.motion.kinematics import forward
from canter.motion.numbers import array_of, columns_of, functions_of, number_or_array, some
from canter.motion.planar import complex_from, unit_complex
from canter.motion.rows import merge_rows
from canter.neural.dataset import rest_speed, without_haste
from canter.neural.features import local_joints, track_features
from canter.neural.jumping import Jumps
from canter.neural.labels import ahead_weights, gait_labels, gaits_by_speed, smoothing, without_gaits
from canter.neural.layout import find
from canter.neural.model import Contract, Prediction
from canter.neural.past import Past
from canter.neural.squaring import SquareUp
from canter.neural.steadying import SteadyTrunk
from canter.neural.steering import PLAN_STEP, followed, planned
from canter.neural.watch import Watcher

STAND_EXPONENT, HOLD_EXPONENT = 0.25, 0.5
"""How the root is slowed by the weight of idling, and by those of other labels at rest (MANN's own runtime)."""
MAX_ROOT = 1e3
"""Metres or radians a second above which a predicted velocity is taken for an error."""
SAME_HIP_HEIGHTS = 1e-3
"""By how much bones may differ from those that a network was trained with for its feet to be taken as they are."""
CONTACT, RELEASE = 0.5, 0.4
"""A foot is taken to stand from the first of these predicted shares on, until it falls below the second."""


class Predictor(Protocol):
    """What gives the next frame."""

    @property
    def contract(self) -> Contract: ...

    def predict(self, trajectory: Floats, joints: Floats, enabled: Floats) -> Prediction: ...


@runtime_checkable
class Remembering(Protocol):
    """A predictor that remembers something of each animal, and forgets that of the mask `who (N,)`."""

    def forget(self, who: Bools) -> None: ...


@dataclass(eq=False)
class PredictState:
    """What a controller remembers of N animals: the ground track, the last joints, what was told, and which feet
    stand."""

    count: int
    joints_size: int
    labels: int
    legs: int
    place: Complexes = field(init=False)
    yaw: Floats = field(init=False)
    velocity: Complexes = field(init=False)
    joints: Floats = field(init=False)
    weights: Floats = field(init=False)
    contacts: Bools = field(init=False)
    label: Ints = field(init=False)

    def __post_init__(self) -> None:
        self.place, self.velocity = np.zeros(self.count, complex), np.zeros(self.count, complex)
        self.yaw, self.joints = np.zeros(self.count), np.zeros((self.count, self.joints_size), np.float32)
        self.weights = np.zeros((self.count, self.labels))
        self.contacts, self.label = np.ones((self.count, self.legs), bool), np.zeros(self.count, np.int64)


class TrajectoryController:
    """N animals of one kind that a predictor moves: a `BatchController`.

    `enabled (K,)` switches experts off. Without `lock_feet` poses are as they were predicted: no feet are held, no
    ground is followed and no trunk smoothed.
    """

    def __init__(
        self,
        character: Character,
        count: int = 1,
        *,
        predictor: Predictor,
        world: World | None = None,
        lock_feet: bool = True,
        enabled: Sequence[float] | None = None,
    ) -> None:
        contract = self.contract = predictor.contract
        self._predictor, self._character, self._count = predictor, character, count
        self._frame_rate = contract.frame_rate
        layout, skeleton = contract.layout, character.skeleton
        own, taught = character.name, contract.about.get("character", "another animal")
        remedy = f"it was made for the {taught}, and `canter train` makes one for the {own}"
        self._joints = find(skeleton.names, layout.body.names, f"the skeleton of the {own}", remedy)
        number = {int(joint): k for k, joint in enumerate(self._joints)}
        self._parents = np.array([number.get(int(joint), -1) for joint in skeleton.parents[self._joints]])
        self._free = np.flatnonzero(layout.body.free)
        self._moved, self._placed = as_slice(self._joints), as_slice(self._joints[self._free])
        self._roots = as_slice(np.flatnonzero(skeleton.parents < 0))
        self._size = character.anatomy.hip_height / contract.hip_height
        rest = skeleton.rest.positions, skeleton.rest.rotations
        self._rest = [np.tile(x.astype(np.float64), (count, 1, 1)) for x in rest]
        self._hanging = self._on_other_joints(*rest)
        self._labels = (*layout.labels, *layout.gaits)
        self._actions = tuple(name for name in layout.labels if name not in (IDLE, LOCOMOTION))
        self._goes_on = np.isin(self._labels, (*contract.jumps, *layout.gaits))
        is_jump = np.isin(self._labels, [name for name in contract.jumps if name != LOCOMOTION])
        self._jumps = Jumps(is_jump, contract.hip_height, self._frame_rate, count)
        self._gait_lows = [contract.gaits[name][0] for name in layout.gaits]
        self._holding = (~self._goes_on).astype(np.float64)
        self._holding[0] = 0.0
        self._rest_speed = rest_speed(contract.hip_height)
        self._limits = contract.limits
        self._enabled = np.ones(contract.experts, np.float32) if enabled is None else np.array(enabled, np.float32)
        window = self._window = layout.window
        self._past = Past(np.rint(window.past * self._frame_rate).astype(np.int64), count, layout.label_count)
        self._left = ahead_weights(window.times[window.now :])[:, None, None]
        self._plan_steps, self._one_label = np.diff(window.times[window.now :]).tolist(), np.eye(layout.label_count)
        legs = np.zeros(len(skeleton), bool)
        for leg in character.anatomy.legs:
            for joint in leg.chain:
                legs[skeleton.subtree(joint)] = True
        self._steady = SteadyTrunk(legs[self._joints], contract.hip_height, self._frame_rate, count, layout.joints_size)
        self._smoothing = smoothing(self._frame_rate)
        self._footing = Footing(character, count, frame_rate=self._frame_rate, world=world) if lock_feet else None
        self._world, self._terrain = world or World(), ground_of(world)
        self._history = History(count, self._frame_rate, window)
        self._gaits = sorted(contract.gaits.items(), key=lambda item: item[1])
        self._fastest = np.array([high for _, (_, high) in self._gaits[:-1]])
        self._gait_names = ("stand", *(name for name, _ in self._gaits), *self._actions)
        self._capabilities = Capabilities(
            speed_range=(0.0, self._limits.max_speed),
            actions=self._actions,
            gaits=dict(self._gaits),
            honours=frozenset({"speed", "heading", "facing", "action"}),
            turn_rate=self._limits.max_yaw_rate,
            back_speed=self._limits.back_speed,
            side_speed=self._limits.side_speed,
        )
        self.state = PredictState(count, layout.joints_size, layout.label_count, len(layout.body.feet))
        self._feet_columns: Ints = (3 * np.array(layout.body.feet)[:, None] + np.arange(3)).ravel()
        fixed = ~layout.body.free
        off = rest[0][self._joints[fixed]] - self._size * layout.body.offsets[fixed]
        self._own_proportions = bool((np.abs(off) > SAME_HIP_HEIGHTS * character.anatomy.hip_height).any())
        stand = self._predicted_feet(np.tile(contract.stand, (count, 1)))[0]
        self._square_up = SquareUp(stand, self._rest_speed, self._frame_rate, count)
        self._steered = Root(count)
        self._watcher = Watcher(contract.watch, layout.body, 1 / self._frame_rate, count)
        self.reset()

    @property
    def frame_rate(self) -> float:
        return self._frame_rate

    @property
    def character(self) -> Character:
        return self._character

    @property
    def capabilities(self) -> Capabilities:
        return self._capabilities

    @property
    def count(self) -> int:
        return self._count

    @property
    def enabled_experts(self) -> tuple[bool, ...]:
        """Which of the K experts are on; setting it takes effect in the next frame, and a reset keeps it."""
        return tuple(bool(one) for one in self._enabled)

    @enabled_experts.setter
    def enabled_experts(self, enabled: Sequence[bool]) -> None:
        self._enabled = np.array(check_experts(enabled, self.contract.experts), np.float32)

    def reset(self, seed: int = 0, who: Bools | None = None) -> BatchState:
        """At the origin, facing +Z, standing. There is no chance in it: seeds do not differ."""
        mask = np.ones(self._count, bool) if who is None else who
        fresh = PredictState(*(getattr(self.state, item.name) for item in fields(self.state) if item.init))
        fresh.joints[:] = self.contract.stand
        fresh.weights[:, 0] = 1.0
        merge_rows(self.state, fresh, mask)
        merge_rows(self._steered, Root(self._count), mask)
        for part in (self._jumps, self._square_up):
            part.reset(mask)
        self._steady.reset(mask, fresh.joints)
        if isinstance(self._predictor, Remembering):
            self._predictor.forget(mask)
        state = self.state
        self._direction = unit_complex(state.yaw)
        self._velocity_world = state.velocity * self._direction
        self._past.fill(mask, np.array([state.place, self._direction, self._velocity_world]), state.weights)
        if self._footing is not None:
            self._footing.reset(who)
        self._ground = self._on_ground()
        self._history.reset(who, self._ground, state.yaw)
        self._experts = np.full((self._count, self.contract.experts), 1 / self.contract.experts)
        self._eased = np.zeros(self._count, bool)
        return self._report(BatchCommand.still(self._count), {})

    def step(self, command: BatchCommand) -> BatchState:
        if len(command) != self._count:
            raise ValueError(f"{len(command)} commands for {self._count} animals")
        command, events = self._admit(command)
        before = self.state.label
        wish = self._tell(command)
        trajectory = self._plan(wish)
        predicted = self._predictor.predict(trajectory, self.state.joints, self._enabled)
        self._move(predicted)
        self._remember(wish)
        landed = self._jumps.land(self.state.contacts)
        finished = {} if landed is None else {"finished": landed}
        eased = self._ease()
        self._settle()
        return self._report(command, events | self._started(before) | finished | eased)

    # Stages --------------------------------------------------------------------------------------

    def _tell(self, command: BatchCommand) -> Wish:
        """What animals are told: a label, and where to steer; who shall rest slows down before it is told so."""
        state = self.state
        told, speed, heading, facing, velocity = map(
            number_or_array,
            (
                self._jumps.tell(told_labels(command, state.yaw)),
                command.speed,
                command.heading,
                command.facing,
                state.velocity,
            ),
        )
        fn, goes_on = functions_of(speed), self._goes_on[told]
        speed, facing = fn.where(goes_on, speed, 0.0), fn.where(goes_on, facing, math.nan)
        state.label = array_of(without_haste(told, abs(velocity), self._goes_on, self._rest_speed))
        if self._gait_lows:
            gait = gaits_by_speed(self._steered.velocity.real, self._gait_lows)
            state.label = gait_labels(state.label, gait, len(self.contract.layout.labels))
        state.weights = state.weights + self._smoothing * (self._one_label[state.label] - state.weights)
        return Wish(speed, heading, facing)

    def _started(self, before: Ints) -> dict[str, Bools]:
        """Who began an action, having been told `before (N,)`."""
        label = self.state.label
        if not some(changed := label != before):
            return {}
        started: Bools = changed & (label > 1) & (label < len(self.contract.layout.labels))
        return {"started": started} if some(started) else {}

    def _plan(self, wish: Wish) -> Floats:
        """Trajectory features `(N, K (7 + A))`: the past as it was, the future as steering plans it."""
        state, steered = self.state, self._steered
        root = Root.of(state.place, state.yaw, steered.velocity, steered.acceleration, steered.yaw_rate).numbers()
        velocity, ahead = number_or_array(self._velocity_world), number_or_array(self._direction)
        steered.take(followed(root, wish, self._limits, number_or_array(state.velocity), self._frame_rate))
        places, aheads, moving = [root.place], [ahead], [velocity]
        for later in planned(root, wish, self._limits, self._plan_steps):
            places.append(later.place)
            aheads.append(unit_complex(later.yaw))
            moving.append(later.velocity * aheads[-1])
        past, told_past = self._past.read()
        plan = np.array([places, aheads, moving]).reshape(3, -1, self._count)
        track = np.concatenate([past, plan], axis=1)
        track[0] -= state.place
        track *= ahead.conjugate()
        told = np.empty((len(places), self._count, 1 + len(self._labels)))
        told[..., 0], one = wish.speed, self._one_label[state.label]
        told[..., 1:] = one + self._left * (state.weights - one)
        return track_features(track, np.concatenate([told_past, told]))

    def _move(self, predicted: Prediction) -> None:
        """The next joints and ground track; at rest the root is held back by the weights of the labels."""
        state, dt = self.state, 1 / self._frame_rate
        idle, holds = number_or_array(state.weights[:, 0]), number_or_array(state.weights @ self._holding)
        fn = functions_of(idle)
        free = fn.minimum(fn.maximum(1 - idle, 0.0), 1.0), fn.minimum(fn.maximum(1 - holds, 0.0), 1.0)
        scale = fn.minimum(free[0] ** STAND_EXPONENT, free[1] ** HOLD_EXPONENT)
        # what is no number, or no speed of an animal, moves nobody
        forth, left, yaw_rate = (fn.where(abs(x) < MAX_ROOT, x, 0.0) * scale for x in columns_of(predicted.root))
        velocity, yaw = fn.complex_from(forth, left), number_or_array(state.yaw)
        place = number_or_array(state.place) + dt * velocity * unit_complex(yaw + yaw_rate * dt / 2)
        yaw = yaw + yaw_rate * dt
        ahead = unit_complex(yaw)
        values = map(array_of, (velocity, place, yaw, ahead, velocity * ahead))
        state.velocity, state.place, state.yaw, self._direction, self._velocity_world = values
        state.joints = predicted.joints
        state.contacts = predicted.contacts > np.where(state.contacts, RELEASE, CONTACT)
        self._experts = predicted.experts

    def _ease(self) -> dict[str, Bools]:
        """Poses that have left the data are pulled back to it."""
        self.state.joints, self._eased = self._watcher.eased(self.state.joints)
        return {"eased": self._eased} if some(self._eased) else {}

    def _settle(self) -> None:
        """Animals that have come to rest square up, and trunks are smoothed for what is shown."""
        state = self.state
        self._square_up.step(state.velocity, (state.label == 0) & (state.weights[:, 0] > 0.5))
        self._steady.step(state.joints)

    def _remember(self, wish: Wish) -> None:
        state = self.state
        self._past.add((state.place, self._direction, self._velocity_world), wish.speed, state.weights)
        self._ground = self._on_ground()
        self._history.record(self._ground, state.yaw)

    # Report --------------------------------------------------------------------------------------

    def _admit(self, command: BatchCommand) -> tuple[BatchCommand, dict[str, Bools]]:
        fastest, speed = self._limits.max_speed, number_or_array(command.speed)
        if not some(clamped := (speed < 0) | (speed > fastest)):
            return command, {}
        return replace(command, speed=np.clip(command.speed, 0.0, fastest)), {"clamped": array_of(clamped)}

    def _on_ground(self) -> Floats:
        place = self.state.place * self._size
        result = on_plane(place)
        if self._terrain is not None:
            result[:, 1] = height_at(self._terrain, place)
        return result

    def _on_other_joints(self, positions: Floats, rotations: Floats) -> tuple[Ints, Floats, Floats] | None:
        """Joints `(R,)` that hang on joints that are not moved, as the rigs of many artists do, and where these are in
        the rest pose: positions `(R, 3)`, and rotations back from there `(R, 4)`. None if no joint does."""
        skeleton = self._character.skeleton
        above = skeleton.parents[self._joints]
        hangs = (self._parents < 0) & (above >= 0)
        if not hangs.any():
            return None
        places, turns = forward(skeleton, positions[None].astype(np.float64), rotations[None].astype(np.float64))
        return self._joints[hangs], places[0, above[hangs]], rot.conjugate(turns[0, above[hangs]])

    def _pose(self, joints: Floats) -> tuple[Floats, Floats]:
        """Local positions `(N, J, 3)` and rotations `(N, J, 4)` of the whole skeleton with `joints (N, 12 J)`."""
        state = self.state
        positions, rotations = (x.copy() for x in self._rest)
        moved, rotations[:, self._moved] = local_joints(joints, self._parents, self._free)
        positions[:, self._placed] = moved * self._size
        if self._hanging is not None:
            hanging, places, back = self._hanging
            positions[:, hanging] = rot.rotate(back, positions[:, hanging] - places)
            rotations[:, hanging] = rot.multiply(back, rotations[:, hanging])
        place, yaw = number_or_array(state.place), number_or_array(state.yaw)
        move_roots(positions, rotations, self._roots, place * self._size, yaw)
        return positions, rotations

    def _predicted_feet(self, joints: Floats) -> Floats:
        """Where feet `(N, L, 3)` are with `joints (N, 12 J)`, seen from the ground track, at the network's size."""
        if not self._own_proportions:
            return joints.take(self._feet_columns, axis=1).reshape(len(joints), -1, 3)
        state, character = self.state, self._character
        feet = forward(character.skeleton, *self._pose(joints))[0][:, character.anatomy.feet] / self._size
        level = complex_from(feet[..., 2], feet[..., 0]) - state.place[:, None]
        result = on_plane(level * unit_complex(-state.yaw)[:, None])
        result[..., 1] = feet[..., 1]
        return result

    def _feet(self) -> Floats:
        """Where feet `(N, L, 3)` are wanted in the world."""
        state = self.state
        feet = self._square_up.place(self._predicted_feet(state.joints))
        level = complex_from(feet[..., 2], feet[..., 0]) * self._direction[:, None] + state.place[:, None]
        result = on_plane(level)
        result[..., 1] = feet[..., 1]
        result *= self._size
        return result

    def _report(self, command: BatchCommand, events: dict[str, Bools]) -> BatchState:
        state = self.state
        contacts = state.contacts
        if self._footing is None:
            positions, rotations = self._pose(state.joints)
        else:
            pose = self._pose(self._steady.joints)
            footed = self._footing.step(*pose, contacts, targets=self._feet())
            positions, rotations, contacts = footed.positions, footed.rotations, footed.contacts
        velocity = on_plane(self._velocity_world * self._size)
        root = Root.of(
            state.place, state.yaw, self._steered.velocity, self._steered.acceleration, self._steered.yaw_rate
        )
        experts, eased = self._experts, self._eased

        def predicted(times: Floats) -> Any:
            wish = Wish(command.speed, command.heading, command.facing)
            places, yaws, moving = predict(root.numbers(), wish.numbers(), self._limits, times, PLAN_STEP)
            return places * self._size, yaws, moving * self._size

        return BatchState(
            positions,
            rotations,
            contacts,
            self._shown(),
            self._gait_names,
            velocity,
            wrap_angles(state.yaw),
            self._ground,
            self._history.samples(velocity, predicted, self._world.height),
            events,
            LazyValues({"expert": lambda: experts, "eased": lambda: eased.astype(np.float64)}),
        )

    def _shown(self) -> Ints:
        """The number of the gait or action of each animal in `_gait_names`: by label, and by speed in locomotion."""
        weights = without_gaits(self.state.weights, len(self.contract.layout.labels))
        label, speed = number_or_array(weights.argmax(axis=1)), abs(number_or_array(self.state.velocity))
        fn, first = functions_of(speed), 1 + len(self._gaits)
        goes = (label == 1) & (speed >= 0.3 * self._rest_speed)
        by_speed = fn.where(goes, min(first - 1, 1) + fn.rank(self._fastest, speed), 0)
        shown: Ints = array_of(fn.where(label > 1, first + label - 2, by_speed))
        return shown
