"""Names for array types. Shapes are given in docstrings, time first and components last."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.floating[Any]]
Complexes = NDArray[np.complexfloating[Any, Any]]
Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]

__all__ = ["ArrayLike", "Bools", "Complexes", "Floats", "Ints"]
