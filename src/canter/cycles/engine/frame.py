"""One frame on its way through the stages: each stage reads what earlier ones left in it, and adds its own.

A preset is an ordered list of stages. A stage keeps its own small state between frames, and nobody else writes to it;
what the next frame needs from this one (the strain of the legs) is handed on by the frame itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from canter.control.batch import BatchCommand
from canter.control.steering import Root, Wish
from canter.cycles.engine.timing import Timing
from canter.footing.lock import Strain
from canter.motion.arrays import Bools, Complexes, Floats, Ints


@dataclass(eq=False)
class Frame:
    """N animals in the frame that is being made; `dt` is its length in seconds, 0 for the pose after a reset.

    | by the stage | what |
    | --- | --- |
    | before all | `command`, as the preset can carry it out; `strain`, `contacts` and `last_root` of the frame before |
    | steering | `wish`, with the `yaw_error (N,)` from it in radians; `gait (N,)`, the cycle to go in |
    | root motion | `root` |
    | transition | `timing` |
    | sampling | `positions (N, J, 3)`, `rotations (N, J, 4)`, natural places of the `feet (N, L, 3)` |
    | posture | changes the poses, which are seen from a frame that travels with the animal until the footing |
    | footing | `strain`, `contacts`; the poses with roots in the world; `ahead (N,)`, exp(1j yaw) |

    `ground (N,)` is the height of the ground at the place of the root, and `natural (N, L)` the `feet` as complex
    numbers, where the posture has needed them; `events` are masks `(N,)` by name. Overlays (actions, jumps) change rows
    of these in between.
    """

    command: BatchCommand
    dt: float
    strain: Strain
    contacts: Bools
    root: Root
    timing: Timing
    last_root: Root
    wish: Wish = field(init=False)
    yaw_error: Floats | None = None
    gait: Ints = field(init=False)
    positions: Floats = field(init=False)
    rotations: Floats = field(init=False)
    feet: Floats = field(init=False)
    sweep: Complexes = field(init=False)
    ahead: Complexes = field(init=False)
    ground: Floats | None = None
    natural: Complexes | None = None
    max_yaw_rate: Floats | None = None
    stance_limit: Floats | None = None
    swing_limit: Floats | None = None
    shown: Ints | None = None
    events: dict[str, Bools] = field(default_factory=dict)

    def happen(self, event: str, who: Bools) -> None:
        """Notes an event of the animals in the mask `who (N,)`."""
        if who.any():
            self.events[event] = self.events[event] | who if event in self.events else who
