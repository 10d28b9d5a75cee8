"""Trunks on uneven ground: as high as the ground under the feet, and as steep as it is between hind and fore."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import Any

import numpy as np

from canter.footing.ground import Ground, height_at, heights_of, turn_roots
from canter.motion.arrays import Complexes, Floats, Ints
from canter.motion.numbers import array_of, column, functions_of, number_or_array
from canter.motion.planar import unit_complex

LAG_SECONDS = 0.14
"""The time constant with which trunks follow the ground."""
MIN_BASE_METRES = 0.1
"""Hind and fore feet are taken to be at least this far apart when a slope is measured between them."""


@dataclass(eq=False)
class TrunkState:
    """Smoothed ground under N animals: `height (N,)` in metres, and `slope (N,)`, its pitch ahead in radians."""

    count: int
    height: Floats = field(init=False)
    slope: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.height, self.slope = np.zeros(self.count), np.zeros(self.count)


class TrunkFollower:
    """Lifts and pitches poses that were made for level ground; owns the height and the slope of a `TrunkState`.

    `legs` are the names of the legs: those that end in F are fore, those in H hind. Without either there is no slope.
    """

    def __init__(self, state: TrunkState, roots: slice | Ints, ground: Ground, legs: Sequence[str]) -> None:
        self.state, self._roots, self._ground = state, roots, ground
        fore, hind = (np.array([name.endswith(end) for name in legs]) for end in "FH")
        self._sloped = bool(fore.any() and hind.any())
        ahead = fore / max(fore.sum(), 1) - hind / max(hind.sum(), 1)
        self._means = np.stack([np.full(len(legs), 1 / len(legs)), ahead], axis=1)  # of all feet, and fore less hind
        self._mean_weights = self._means.T.tolist()

    def step(
        self,
        positions: Floats,
        rotations: Floats,
        feet: Complexes,
        place: Complexes | complex,
        yaw: Floats | float,
        share: Floats | float,
        travel: Floats | None = None,
    ) -> Floats:
        """Changes the roots of local poses `(N, J, 3)` and `(N, J, 4)` whose feet are at `feet (N, L)`.

        Poses and feet are seen from frames at `place (N,)` with yaws `yaw (N,)`. `share` is how much of the way height
        and slope follow in this step: 1 sets them at once. With `travel (N,)`, the metres that the animals went ahead
        since the last step, heights do not lag behind on a steady slope. Returns the height of the ground `(N,)` at
        `place`, which is looked up along with that under the feet.
        """
        state = self.state
        (mean_height, rise), (middle, base), ground = self._look(
            feet, unit_complex(number_or_array(yaw)), number_or_array(place)
        )
        height, slope = number_or_array(state.height), number_or_array(state.slope)
        fn = functions_of(height)
        carried = height if travel is None else height + fn.tan(slope) * number_or_array(travel)
        height = carried + share * (mean_height - carried)
        if self._sloped:
            slope = slope + share * (fn.arctan2(rise, fn.maximum(base, MIN_BASE_METRES)) - slope)
        state.height, state.slope = array_of(height), array_of(slope)
        turn_roots(positions, rotations, self._roots, "x", unit_complex(-0.5 * slope), height, 1j * middle)
        return ground

    def _look(self, feet: Complexes, ahead: Any, place: Any) -> tuple[Any, Any, Floats]:
        """The mean of the ground's heights under the feet, and by how much it is higher under the fore ones than under
        the hind ones; the same of how far ahead the feet are; and the height `(N,)` at `place`. Arrays `(N,)`, or
        numbers for one animal."""
        if len(feet) > 1:
            spots = np.empty((len(feet), feet.shape[1] + 1), complex)
            spots[:, -1] = place
            spots[:, :-1] = feet * column(ahead) + column(place)
            found = height_at(self._ground, spots)
            return (found[:, :-1] @ self._means).T, (feet.real @ self._means).T, found[:, -1]
        own: list[complex] = feet.tolist()[0]
        *heights, here = heights_of(self._ground, [foot * ahead + place for foot in own] + [place])
        forth = [foot.real for foot in own]
        under, ahead = ([sum(map(mul, x, weights)) for weights in self._mean_weights] for x in (heights, forth))
        return under, ahead, np.array([here])
