"""Feet that hold under any controller: poses made for level ground go in, poses whose feet stand come out.

A network, a clip player or a policy gives poses, and contacts if it knows them. The footing lifts and pitches the trunk
with the ground, holds feet in contact where they came down, and eases them out when they are lifted. A foot comes down
ahead of its place in the pose by half of what it slid in its last stance, so that the legs differ from the pose as
little as possible. A foot that cannot be held any longer makes a step of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from canter.anatomy import Character, Clip
from canter.anatomy.lazy import names_of
from canter.control.world import World
from canter.footing.contacts import ContactEstimator, SwingClocks
from canter.footing.ground import ground_of, move_roots, to_complex
from canter.footing.leg_tree import LegTree, make_leg_tree
from canter.footing.lock import LEAD_CURVE, FootLock, LockState, Strain, limits_of, swing_curves
from canter.footing.reach import MAX_EXTENSION, frames, legs_to, put_loose, reach
from canter.footing.trunk import LAG_SECONDS, TrunkFollower, TrunkState
from canter.motion.arrays import Bools, Complexes, Floats
from canter.motion.kinematics import forward
from canter.motion.numbers import some
from canter.motion.planar import complex_from
from canter.motion.rows import merge_rows

SAMPLE_STEP = 10
"""Every so many poses of the clips are looked at for the joints that open a leg."""
MAX_LEAD_HIP_HEIGHTS = 0.2
"""How far from its place in the pose a foot comes down at most, in expectation of its slide."""
MAX_STRAY_HIP_HEIGHTS = 0.35
"""A held foot that is farther than this from its place in the pose makes a step of its own."""
MAX_RESTING_STRAY_HIP_HEIGHTS, MAX_RESTING_SPEED = 0.08, 0.05
"""So does one that is farther than the first from its place in the pose, if that place hardly moves any more: slower
than the second, in hip heights a second."""
MAX_HELD_DROP_HIP_HEIGHTS = 0.1
"""So does one whose leg is extended as far as it may while the trunk has dropped by more than this: an animal that sets
off takes a step, and does not kneel to leave its feet behind."""
MAX_OVEREXTENSION = 0.01
"""So does one whose leg, going on as it did, would be extended by this share of its length beyond its limit: at the end
of a stance a foot leaves, and does not pull the trunk down within a frame. It takes two frames to see that, so at 30
frames a second the shortest stances end as they did."""
EXTENSION_TOLERANCE = 1e-6
"""By how much of its length a leg must fall short to be let go: trunks are dropped until legs just reach, and whether a
foot stays must not hang on the last digit."""
STEP_LIFT_HIP_HEIGHTS = 0.06
"""How high a foot is lifted in such a step."""
SETTLE_SECONDS = 0.3
"""Time constant with which a trunk settles that was raised for legs that could not fold any more."""
MAX_DEPTH_HIP_HEIGHTS = 0.005
"""How deep below the ground feet may be wanted."""


@dataclass(frozen=True, eq=False)
class Footed:
    """N animals with their feet on the ground: local `positions (N, J, 3)` and `rotations (N, J, 4)`, roots in the
    world; `contacts (N, L)`, which feet are held; and the `strain` of holding them."""

    positions: Floats
    rotations: Floats
    contacts: Bools
    strain: Strain


@dataclass(eq=False)
class FootingState:
    """What a footing remembers of N animals with L legs, beside its lock and its trunks.

    Of the last pose: `place (N,)` of the trunk, `feet (N, L)`, and `offsets (N, L)` from these to where they were put.
    `touchdowns (N, L)` are places of the pose's feet when they came down; `leads (N, L)`, in the axes of the trunk,
    how far before their places in the pose they come down next; `steps (N, L)` are feet that make a step of their own
    while they stand in the pose, and `lifted (N, L)` those that have not come down from one yet. `rise (N,)` is how
    many metres the trunk is above its place in the pose, because its legs cannot fold any more. `extension (N, L)` is
    the share of its length that each leg had in the last frame, NaN where its foot was not held; `overextends (N, L)`
    says which legs, going on as they did, would be extended too far in the next.
    """

    count: int
    legs: int
    place: Complexes = field(init=False)
    feet: Complexes = field(init=False)
    offsets: Complexes = field(init=False)
    touchdowns: Complexes = field(init=False)
    leads: Complexes = field(init=False)
    steps: Bools = field(init=False)
    lifted: Bools = field(init=False)
    rise: Floats = field(init=False)
    extension: Floats = field(init=False)
    overextends: Bools = field(init=False)

    def __post_init__(self) -> None:
        shape = (self.count, self.legs)
        self.place = np.zeros(self.count, complex)
        self.steps, self.lifted = np.zeros(shape, bool), np.zeros(shape, bool)
        self.rise = np.zeros(self.count)
        self.extension, self.overextends = np.full(shape, np.nan), np.zeros(shape, bool)
        self.feet, self.offsets, self.touchdowns, self.leads = (np.zeros(shape, complex) for _ in range(4))


class Footing:
    """The footing of N animals of one character, stepped at a frame rate, on the ground of a world."""

    def __init__(
        self, character: Character, count: int = 1, *, frame_rate: float = 60.0, world: World | None = None
    ) -> None:
        if not (np.isfinite(frame_rate) and frame_rate > 0):
            raise ValueError(f"frame_rate must be above zero, not {frame_rate}")
        self._character, self._count, self._frame_rate = character, count, float(frame_rate)
        self._ground, self._hip_height = ground_of(world), character.anatomy.hip_height
        self._names = [leg.name for leg in character.anatomy.legs]
        self._trunk_weights = _trunk_weights(self._names)
        self._state = FootingState(count, len(self._names))
        first = _swing_seconds(character)
        self._clocks = SwingClocks(count, len(self._names), self._hip_height, frame_rate, first)
        self._fresh: Bools = np.ones(count, bool)
        self._lock: FootLock | None = None
        if (samples := _samples(character)) is not None:
            self._lock = self._make_lock(*samples)

    def reset(self, who: Bools | None = None) -> None:
        """The next poses of the animals in the mask `who (N,)`, or of all, need not follow from those before."""
        self._fresh = np.ones(self._count, bool) if who is None else self._fresh | who

    def step(
        self,
        positions: Floats,
        rotations: Floats,
        contacts: Bools | None = None,
        *,
        clocks: Floats | None = None,
        targets: Floats | None = None,
    ) -> Footed:
        """The next frame: poses `(N, J, 3)` and `(N, J, 4)`, local, roots in the world over ground at height zero.

        `contacts (N, L)` are estimated if they are not given. `clocks (N, L)` of the legs, from 0 to 1 in stance and
        from 1 to 2 in swing, replace them, and no lead is added to the places of feet then. `targets (N, L, 3)` replace
        the places of the feet in the poses.
        """
        positions, rotations = np.array(positions, np.float64), np.array(rotations, np.float64)
        lock = self._lock = self._lock or self._make_lock(positions, rotations, None)
        state, tree = self._state, lock.tree
        world = frames(tree, positions, rotations)
        places = complex_from(world[..., 2, 3], world[..., 0, 3])
        place, ahead = self._trunk_frame(places.take(tree.inner.hip, axis=1))
        if targets is None:
            feet, heights = places.take(tree.inner.foot, axis=1), world[:, tree.inner.foot, 1, 3]
        else:
            feet, heights = to_complex(targets), targets[..., 1]
        timed = clocks is not None
        if clocks is None:
            if contacts is None:
                contacts = self._estimator.step(feet, heights, place, self._fresh)
            self._let_go(lock, contacts & state.overextends, ahead)
            clocks = self._clocks.step(self._on_ground(contacts), self._fresh)
        self._begin(lock, feet, clocks)
        rests = np.abs(feet - state.feet) * self._frame_rate < MAX_RESTING_SPEED * self._hip_height
        swing = swing_curves(clocks)
        aim = feet if timed else feet + self._lead(lock, feet, clocks, swing, ahead, rests)
        landing = (clocks < 1) & ~lock.state.contacts
        if some(landing):
            aim = np.where(landing, feet + state.offsets, aim)
        heights = np.maximum(heights, self._lowest)
        if some(state.lifted):
            state.lifted = state.lifted & (clocks > 1) & (clocks < 2)
            heights = np.maximum(heights, self._lowest + self._lift(clocks))
        if self._trunk is not None:
            self._follow_ground(tree, self._trunk, positions, rotations, feet, place, ahead)
            world = frames(tree, positions, rotations)
        dt = 1 / self._frame_rate
        if some(state.rise):
            state.rise = state.rise * np.exp(-dt / SETTLE_SECONDS)
            positions[:, tree.root_index, 1] += state.rise[:, None]
            world[..., 1, 3] += state.rise[:, None]
        strain = lock.hold(positions, rotations, clocks, aim, heights, 0.0, 1.0, dt, swing=swing, world=world)
        placed = lock.state.placed  # known without another look at the pose, on level ground and within reach
        if self._ground is not None or not lock.state.reached.all():
            placed = to_complex(self._clear(tree, positions, rotations))
        state.offsets = placed - feet
        self._release(lock, rests, ahead)
        state.place, state.feet, self._fresh = place, feet, np.zeros(self._count, bool)
        return Footed(positions, rotations, lock.state.contacts, strain)

    def _clear(self, tree: LegTree, positions: Floats, rotations: Floats) -> Floats:
        """Where feet were put `(N, L, 3)`; those that came to be below the ground are put onto it, straight up, and
        trunks are raised where legs cannot fold as far."""
        world = frames(tree, positions, rotations)
        feet: Floats = world[..., :3, 3][:, tree.inner.foot]
        if not some(low := feet[..., 1] < self._floor(feet) - 1e-9):
            return feet
        feet[..., 1] = np.where(low, self._floor(feet), feet[..., 1])
        legs = legs_to(tree, world, feet.transpose(2, 0, 1))
        reach(tree, rotations, world, legs, legs.want)
        put_loose(tree, positions, rotations, world)
        feet = frames(tree, positions, rotations)[..., :3, 3][:, tree.inner.foot]
        depth = np.maximum((self._floor(feet) - feet[..., 1]).max(axis=1), 0.0)
        self._state.rise = self._state.rise + depth
        positions[:, tree.root_index, 1] += depth[:, None]
        return feet

    def _floor(self, feet: Floats) -> Floats:
        """How low feet `(N, L, 3)` may be where they are `(N, L)`."""
        return self._lowest if self._ground is None else self._ground.height(feet[..., [0, 2]]) + self._lowest

    def _make_lock(self, positions: Floats, rotations: Floats, contacts: Bools | None) -> FootLock:
        """The lock and all that needs sample poses `(M, J, 3)` and `(M, J, 4)`, with their contacts `(M, L)` if known.

        Poses that nobody knows the contacts of are the first that are stepped: they say little, so legs may extend as
        far as any."""
        character, height = self._character, self._hip_height
        skeleton, anatomy = character.skeleton, character.anatomy
        tree = make_leg_tree(skeleton, anatomy, positions[::SAMPLE_STEP], rotations[::SAMPLE_STEP])
        extensions = tree.extensions(positions, rotations) if contacts is not None else np.ones((1, len(self._names)))
        limits = limits_of(tree, extensions, contacts)
        floors = forward(skeleton, positions, rotations)[0][:, anatomy.feet, 1].min(axis=0)
        deepest = np.full(len(floors), -MAX_DEPTH_HIP_HEIGHTS * height)
        self._lowest: Floats = deepest if contacts is None else np.maximum(floors, deepest)
        self._estimator = ContactEstimator(floors, height, self._count, self._frame_rate)
        self._trunk: TrunkFollower | None = None
        if self._ground is not None:
            self._trunk = TrunkFollower(TrunkState(self._count), tree.root_index, self._ground, self._names)
        return FootLock(tree, limits, height, self._count, self._ground)

    def _begin(self, lock: FootLock, feet: Complexes, clocks: Floats) -> None:
        """Animals that are fresh forget everything; their feet in contact are held where they are."""
        if not some(self._fresh):
            return
        start = LockState(self._count, len(self._names))
        start.contacts, start.footholds = clocks < 1, feet
        merge_rows(lock.state, start, self._fresh)
        merge_rows(self._state, FootingState(self._count, len(self._names)), self._fresh)
        self._state.touchdowns = np.where(self._fresh[:, None], feet, self._state.touchdowns)

    def _trunk_frame(self, hips: Complexes) -> tuple[Complexes, Complexes]:
        """The middle between the hips `(N, L)` of each animal, and the direction from the hind ones to the fore ones;
        that of the normal of the hips where there are no others."""
        middle, ahead = (hips @ self._trunk_weights).T
        return middle, ahead / np.maximum(np.abs(ahead), 1e-12)

    def _on_ground(self, contacts: Bools) -> Bools:
        """The contacts `(N, L)` but for feet that are still on a step of their own."""
        state = self._state
        if not some(state.steps):
            return contacts
        state.steps = contacts & state.steps & (self._clocks.clocks < 2) & ~self._fresh[:, None]
        return contacts & ~state.steps

    def _lift(self, clocks: Floats) -> Floats:
        """How high feet `(N, L)` are lifted at least, in steps of their own."""
        swung = np.where(self._state.lifted, clocks - 1, 0.0)
        result: Floats = STEP_LIFT_HIP_HEIGHTS * self._hip_height * (4 * swung * (1 - swung)) ** 2
        return result

    def _release(self, lock: FootLock, rests: Bools, ahead: Complexes) -> None:
        """Lets go of feet that could not be held, because their legs are too short or the pose went on without them.
        `rests (N, L)` are those whose places in the pose hardly move. Trunks face `ahead (N,)`."""
        held, state = lock.state, self._state
        stray = np.where(rests, MAX_RESTING_STRAY_HIP_HEIGHTS, MAX_STRAY_HIP_HEIGHTS)
        lost = held.contacts & ((held.extension > MAX_EXTENSION + EXTENSION_TOLERANCE) | (held.stray > stray))
        low = held.body_drop > MAX_HELD_DROP_HIP_HEIGHTS * self._hip_height
        if some(low):
            lost = lost | (held.contacts & low[:, None] & (held.extension > lock.limits.stance - EXTENSION_TOLERANCE))
        self._let_go(lock, lost, ahead)
        extension = np.where(held.contacts, held.extension, np.nan)
        state.overextends = 2 * extension - state.extension > lock.limits.stance + MAX_OVEREXTENSION
        state.extension = extension

    def _let_go(self, lock: FootLock, lost: Bools, ahead: Complexes) -> None:
        """The feet `lost (N, L)` begin a step of their own from where they are."""
        if some(lost):
            held, state = lock.state, self._state
            self._learn_leads(lost & held.contacts, ahead)
            state.steps, state.lifted = state.steps | lost, state.lifted | lost
            held.contacts = held.contacts & ~lost
            held.release_offsets = np.where(lost, state.offsets, held.release_offsets)

    def _learn_leads(self, leaving: Bools, ahead: Complexes) -> None:
        """The feet `leaving (N, L)` come down next by half of what they slid before their places in the pose."""
        state, longest = self._state, MAX_LEAD_HIP_HEIGHTS * self._hip_height
        half = (state.feet - state.touchdowns) * ahead[:, None].conj() / 2
        half = half * np.minimum(longest / np.maximum(np.abs(half), 1e-9), 1.0)
        state.leads = np.where(leaving, half, state.leads)

    def _lead(
        self, lock: FootLock, feet: Complexes, clocks: Floats, swing: Floats, ahead: Complexes, rests: Bools
    ) -> Complexes:
        """By how much feet `(N, L)` that swing are put before their places in the pose: by half of what they slid when
        they last stood, over the last two thirds of the swing; not at all where these places rest. Trunks face
        `ahead (N,)`, `swing` are the `swing_curves` of the clocks."""
        state, stands, stood = self._state, clocks < 1, lock.state.contacts
        if some(changed := stands != stood):
            self._learn_leads(changed & stood, ahead)
            state.touchdowns = np.where(changed & stands, feet, state.touchdowns)
        result: Complexes = state.leads * ahead[:, None] * np.where(rests, 0.0, swing[LEAD_CURVE])
        return result

    def _follow_ground(
        self,
        tree: LegTree,
        trunk: TrunkFollower,
        positions: Floats,
        rotations: Floats,
        feet: Complexes,
        place: Complexes,
        ahead: Complexes,
    ) -> None:
        """Lifts and pitches trunks, each seen from a frame under it."""
        yaw, back, roots = np.angle(ahead), ahead.conj(), tree.root_index
        share = np.where(self._fresh, 1.0, 1 - np.exp(-1 / (LAG_SECONDS * self._frame_rate)))
        move_roots(positions, rotations, roots, -place * back, -yaw)
        travel = np.where(self._fresh, 0.0, ((place - self._state.place) * back).real)
        trunk.step(positions, rotations, (feet - place[:, None]) * back[:, None], place, yaw, share, travel)
        move_roots(positions, rotations, roots, place, yaw)


def _trunk_weights(names: Sequence[str]) -> Complexes:
    """What to multiply the places of hips with such names by for their middle and for the way ahead: `(L, 2)`."""
    fore, hind, left, right = (np.array([side in name for name in names]) for side in "FHLR")
    ahead, turn = ((fore, hind), 1) if fore.any() and hind.any() else ((left, right), -1j)
    start, end = (side / max(side.sum(), 1) for side in ahead)
    return np.stack([np.full(len(names), 1 / len(names)), turn * (start - end)], axis=1)


def _gait_clips(character: Character) -> list[Clip]:
    """The clips of a character but for its actions."""
    names, actions = names_of(character.clips), names_of(character.actions)
    return [character.clips[k] for k, name in enumerate(names) if name not in actions]


def _swing_seconds(character: Character) -> float | None:
    """How long swings last in the clips: the median; None where no foot swings."""
    clips = [clip.footfalls for clip in _gait_clips(character)]
    swings = [(1 - np.mean(list(clip.duty.values()))) * clip.stride_seconds for clip in clips if clip.duty]
    swings = [seconds for seconds in swings if np.isfinite(seconds) and seconds > 0]
    return float(np.median(swings)) if swings else None


def _samples(character: Character) -> tuple[Floats, Floats, Bools] | None:
    """Poses `(M, J, 3)` and `(M, J, 4)` of a character's clips, and their contacts `(M, L)`; None without clips."""
    clips = _gait_clips(character)
    if not clips:
        return None
    positions, rotations = (
        np.concatenate([getattr(clip.motion, x) for clip in clips]) for x in ("positions", "rotations")
    )
    contacts = np.concatenate([clip.footfalls.contacts for clip in clips])
    return positions.astype(np.float64), rotations.astype(np.float64), contacts
