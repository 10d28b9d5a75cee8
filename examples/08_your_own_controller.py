"""A controller of your own: whatever makes poses, with feet that hold on any ground.

- the contract of a controller: `reset` and `step`, and a State every frame
- a pose source, a function from a time to a pose and its contacts: a network, a recording, a simulation
- the footing of `canter.footing` under it, which holds the feet and lifts the trunk with the ground
- one line that makes the controller known to the studio, the command line and `character.controller`
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from canter import Character, Command, Motion, Pose, State, World, load, states, understand
from canter.anatomy import ground_track
from canter.control import Capabilities, Entry, Trajectory, register
from canter.footing import Footing
from canter.motion.arrays import Bools, Floats
from canter.motion.metrics import stance_slip
from canter.pictures import Series, line_chart
from canter.synthetic import synthetic_rig

Source = Callable[[float], tuple[Pose, Bools | None]]
"""From seconds to a pose, its roots in the world over level ground, and which feet are down `(L,)`; None: estimated."""

TIMES = np.arange(-6, 6) / 6
"""The moments of a trajectory in seconds from now: a second back and almost one ahead."""


class SourcePlayer:
    """A `canter.control.Controller` that plays a pose source while the commanded speed is above zero."""

    def __init__(
        self,
        character: Character,
        *,
        source: Source | None = None,
        world: World | None = None,
        frame_rate: float = 60.0,
    ) -> None:
        self.character, self.frame_rate, self.world = character, frame_rate, world or World()
        self.source = source or sliding_clip(character)
        self.capabilities = Capabilities(speed_range=(0.0, 20.0), honours=frozenset({"speed"}))
        self.footing = Footing(character, 1, frame_rate=frame_rate, world=world)
        self.time = 0.0

    def reset(self, seed: int = 0) -> State:
        self.time = 0.0
        self.footing.reset()
        return self._state()

    def step(self, command: Command) -> State:
        self.time += 1 / self.frame_rate if command.speed > 0 else 0.0
        return self._state()

    def _state(self) -> State:
        pose, contacts = self.source(self.time)
        contacts = None if contacts is None else contacts[None]
        footed = self.footing.step(pose.positions[None], pose.rotations[None], contacts)
        held = Pose(self.character.skeleton, *(x[0].astype(np.float32) for x in (footed.positions, footed.rotations)))
        trajectory = self._trajectory()
        velocity, facing = trajectory.velocities[trajectory.now], float(trajectory.facings[trajectory.now])
        return State(held, footed.contacts[0], "motion", velocity, facing, trajectory)

    def _trajectory(self) -> Trajectory:
        """Where the source was and will be, on the ground."""
        poses = [self.source(max(self.time + time, 0.0))[0] for time in TIMES]
        stacked = (np.stack([getattr(pose, part) for pose in poses]) for part in ("positions", "rotations"))
        track = ground_track(Motion(self.character.skeleton, 6.0, *stacked), self.character.anatomy, smooth=False)
        places = np.insert(track.positions, 1, self.world.height(track.positions), axis=1)
        return Trajectory(TIMES, places, track.facings, np.gradient(places, TIMES, axis=0))


def sliding_clip(character: Character, seconds: float = 6.0) -> Source:
    """A stand-in for a network: a clip that goes round a bend as a rigid body and travels a fifth too slowly."""
    player = character.controller("clip")
    (slow, fast), frames = next(iter(player.capabilities.gaits.values())), round(seconds * player.frame_rate)
    ride = list(states(player, [Command(speed=(slow + fast) / 2, heading=0.15 * k / 60) for k in range(frames)]))
    roots = character.skeleton.parents < 0

    def source(time: float) -> tuple[Pose, Bools]:
        state = ride[min(round(time * player.frame_rate), frames - 1)]
        positions = state.pose.positions - 0.2 * state.place.astype(np.float32) * roots[:, None]
        return Pose(character.skeleton, positions, state.pose.rotations), state.contacts

    return source


def feet(character: Character, poses: list[Pose]) -> Floats:
    """World places of the feet `(T, L, 3)`."""
    stacked = (np.stack([getattr(pose, part) for pose in poses]) for part in ("positions", "rotations"))
    return Motion(character.skeleton, 60.0, *stacked).position_world[:, character.anatomy.feet]


def main(folder: Path) -> None:
    sys.path.insert(0, str(Path(__file__).parent))  # an installed package joins by an entry point instead
    register("controller", Entry("source", "08_your_own_controller:SourcePlayer", "plays a pose source, feet held"))

    hills = World.rolling(amplitude=0.2, wavelength=5.0)
    for name, character in (("a stranger's rig", understand(synthetic_rig(14).asset)), ("a dog", load("dog"))):
        player = character.controller("source", world=hills)
        ride = list(states(player, [Command(speed=1.0)] * 240))
        given = [player.source((k + 1) / 60) for k in range(len(ride))]
        before, after = feet(character, [pose for pose, _ in given]), feet(character, [state.pose for state in ride])
        slid = stance_slip(before, [contacts for _, contacts in given])
        held = stance_slip(after, [state.contacts for state in ride])
        print(f"{name}: feet slip by {slid.mean:.1f} cm a stance, with the footing by {held.mean:.3f} cm")

    hind, seconds = [leg.name for leg in character.anatomy.legs].index("LH"), np.arange(150) / 60
    series = [Series("as given", seconds, before[:150, hind, 2]), Series("held", seconds, after[:150, hind, 2])]
    words = "The left hind foot of a dog under a source whose feet slide"
    picture = line_chart(series, title=words, x="seconds", y="metres ahead")
    picture.save(folder / "own_controller.png")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
