"""Body tables: rows of the left side stand for the right."""

from __future__ import annotations

from canter.body import Bend, Body, Capsule, Ellipsoid
from canter.body.parts import both_sides


def test_rows_of_the_left_stand_for_the_right() -> None:
    parts = (
        Capsule("LeftArm", "LeftArm", ("LeftHand", 0.1, 0, 0), 0.1, 0.1, "#000000", group="LeftFore"),
        Ellipsoid("Root", ("Root", 0.1, 0, 0), (0.1, 0.1, 0.1), "#000000"),
        Ellipsoid("Root", "Root", (0.1, 0.1, 0.1), "#000000"),
    )
    bends = (Bend("LeftArm", -10, 20), Bend("LeftArm", -10, 20, "y"), Bend("Root", -5, 5))
    body = both_sides(Body(1.0, parts, {"trunk": 0.0, "LeftFore": 0.1}, bends=bends))
    assert [part.joint for part in body.parts] == ["LeftArm", "RightArm", "Root", "Root", "Root"]
    assert list(body.groups) == ["trunk", "LeftFore", "RightFore"]
    mirror = body.parts[1]
    assert isinstance(mirror, Capsule)
    assert mirror.end == ("RightHand", -0.1, 0, 0)
    assert [(bend.low, bend.high) for bend in body.bends] == [(-10, 20), (-10, 20), (-10, 20), (-20, 10), (-5, 5)]
    assert both_sides(body) is body
