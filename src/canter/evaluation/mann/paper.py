"""What MANN prints in its own tables (Zhang, Starke, Komura and Saito, SIGGRAPH 2018, section 9)."""

from __future__ import annotations

CITATION = "Zhang et al. 2018"
COLUMNS = ("truth", "vanilla", "pfnn", "mann4", "mann8")
"""GT, vNN (2048 units), PFNN (4 × 512), MANN with four and with eight experts."""

SKATING: dict[str, dict[str, tuple[float, ...]]] = {
    "walk": {"all": (0.21, 0.32, 0.25, 0.23, 0.22), "back": (0.08, 0.15, 0.12, 0.10, 0.09)},
    "canter": {"all": (0.14, 0.24, 0.19, 0.17, 0.16), "back": (0.05, 0.19, 0.11, 0.08, 0.06)},
    "turn": {"all": (0.17, 0.28, 0.34, 0.24, 0.20), "back": (0.06, 0.17, 0.21, 0.13, 0.08)},
}
"""Table 2: foot skating in cm a frame, of all legs and of the back legs, in the order of `COLUMNS`."""

ACTIVITY: dict[str, dict[str, tuple[float, ...]]] = {
    "walk": {"all": (3.87, 3.02, 3.36, 3.43, 3.69), "back": (3.16, 2.47, 2.71, 2.82, 3.05)},
    "canter": {"all": (6.53, 4.61, 4.63, 5.23, 5.72), "back": (5.56, 3.73, 3.52, 4.56, 5.14)},
    "turn": {"all": (2.74, 1.37, 1.84, 2.24, 2.31), "back": (2.15, 1.02, 1.06, 1.54, 1.82)},
}
"""Table 3: the mean angle by which a leg joint turns, in degrees a frame."""

PATH_COLUMNS = ("vanilla", "pfnn", "mann")
PATHS: dict[str, tuple[tuple[float, float], ...]] = {
    "circle": ((2.28, 3.07), (1.96, 1.70), (2.98, 3.21)),
    "square": ((5.80, 5.20), (3.72, 3.78), (4.65, 7.21)),
    "star": ((7.45, 8.80), (8.37, 11.94), (6.61, 8.76)),
    "custom": ((8.14, 7.69), (9.50, 9.28), (5.31, 6.75)),
}
"""Table 4: deviation of place in cm and of direction in degrees, in the order of `PATH_COLUMNS`, at τ = 0.5; the sizes
of the paths are not given."""

EXPERTS = {
    1: "jumping motion fails (drops down after initiate)",
    2: "left turning not possible (right turning works normally)",
    3: "jumping motion fails; less accurate movements in general",
    4: "right turning not possible (left turning works normally)",
    5: "canter and trot motion not possible",
    6: "only tiny movements along the limbs",
    7: "right turning fails; everything else works",
    8: "hard to activate modes; rather stiff limbs",
}
"""Table 5: what was seen when one of eight experts was switched off."""


def ratio(table: dict[str, dict[str, tuple[float, ...]]], kind: str, legs: str, column: str) -> float:
    """A figure of Table 2 or 3 as a ratio to the paper's ground truth."""
    row = table[kind][legs]
    return row[COLUMNS.index(column)] / row[0]
