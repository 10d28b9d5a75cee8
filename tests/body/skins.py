"""The skins that these tests look at, each made once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from canter.animals.dog import body as dog_body
from canter.animals.dog import skeleton as dog
from canter.animals.generator.plan import build_skeleton
from canter.animals.horse import body as horse_body
from canter.animals.horse import skeleton as horse
from canter.body import Body, make_skin
from canter.motion import Skeleton, Skin

BODIES = {"horse": horse_body.BODY, "dog": dog_body.BODY}
SKELETONS = {
    "horse": build_skeleton(horse.JOINTS, horse.HIP_HEIGHT),
    "dog": build_skeleton(dog.JOINTS, dog.HIP_HEIGHT),
}


@cache
def skin_of(name: str) -> tuple[Skeleton, Body, Skin]:
    """A shipped animal's skeleton, table and skin as it is shipped."""
    return SKELETONS[name], BODIES[name], make_skin(SKELETONS[name], BODIES[name])


@cache
def coarse_skin() -> Skin:
    """A horse on a coarse grid, untried."""
    return make_skin(SKELETONS["horse"], coarse(BODIES["horse"]))


def coarse(body: Body) -> Body:
    return replace(body, cell=0.025, triangles=2000, bends=())
