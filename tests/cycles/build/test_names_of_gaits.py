"""Names of gaits that people read, and hops that are no gaits."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from canter import Command
from canter.anatomy import Character, Clip, understand
from canter.control.contract import Style
from canter.control.ride import parse_script
from canter.cycles.build.built import Drivable
from canter.cycles.build.cut import with_hops_as_actions
from canter.cycles.build.drivable import drivable
from canter.synthetic import example_animal

NAMES = {"walk": "fox_walk", "trot": "fox_jog", "canter": "Armature|FoxLope"}


def called(character: Character, names: dict[str, str]) -> Character:
    clips = [replace(c, motion=replace(c.motion, name=names.get(c.name, c.name))) for c in character.clips]
    return replace(character, clips=tuple(clips))


@lru_cache
def understood(strides: int = 4) -> Character:
    return understand(example_animal(strides=strides))


@lru_cache
def fox() -> Drivable:
    """An animal with clips that its artist has called otherwise than canter would."""
    built = drivable(called(understood(1), NAMES)).character
    assert isinstance(built, Drivable)
    return built


def gaits(animal: Character) -> list[str]:
    return [row.cycle.name for row in drivable(animal).rows]


# Names -------------------------------------------------------------------------------------------


def test_loops_keep_their_names_and_say_what_they_are() -> None:
    labels = fox().controller("gaits").capabilities.labels
    assert labels == {"fox_walk": "fox_walk", "fox_jog": "fox_jog: trot", "Armature|FoxLope": "FoxLope: canter"}


def test_a_stride_of_a_take_does_not_hide_the_name_of_the_take() -> None:
    animal = drivable(called(understood(), NAMES | {"canter": "take_04"})).character
    capabilities = animal.controller("gaits").capabilities
    assert list(capabilities.gaits) == ["walk", "trot", "canter"]
    assert list(capabilities.labels.values()) == ["fox_walk", "fox_jog: trot", "take_04: canter"]


def test_gaits_of_ours_are_called_by_their_names() -> None:
    made = drivable(replace(fox(), clips=fox().clips[:2]), model=None).rows
    assert [row.label for row in made] == ["stand", "fox_walk"]


def test_a_gait_can_be_asked_for_by_what_it_is() -> None:
    animal = fox()
    capabilities = animal.controller("gaits").capabilities
    assert capabilities.kinds == {"fox_walk": "walk", "fox_jog": "trot", "Armature|FoxLope": "canter"}
    low, high = capabilities.gaits["fox_jog"]
    speed = high * 0.98
    for word in ("fox_jog", "trot"):
        controller = animal.controller("gaits")
        states = [controller.step(Command(speed=speed, style={word: 1.0})) for _ in range(240)]
        assert states[-1].gait == "fox_jog", word
    assert low < speed


def test_a_script_may_ask_for_a_style_by_what_it_is() -> None:
    animal = fox()
    capabilities = animal.controller("gaits").capabilities
    script = parse_script('character = "fox"\nat = [{ time = 0, speed = 1.0, style = { trot = 1 } }]')
    others = replace(capabilities, styles=(Style("fox_jog"),))
    script.check(others)
    with pytest.raises(ValueError, match="style 'trot' is unknown"):
        script.check(replace(others, kinds={}))


# Hops --------------------------------------------------------------------------------------------


def hopping(name: str, flights: int = 1, gait: str = "pronk") -> Character:
    """The example with a loop of that name in which all feet leave the ground so many times."""
    character = understood(1)
    clip = character.clip("canter")
    contacts = np.ones((len(clip.motion), 4), bool)
    for k in range(flights):
        contacts[3 + 8 * k : 7 + 8 * k] = False
    feet = replace(clip.footfalls, gait=gait, loop=True, contacts=contacts, shares={gait: 1.0})
    hop = Clip(replace(clip.motion, name=name), feet)
    return replace(character, clips=(*(c for c in character.clips if c.name != "canter"), hop))


@pytest.mark.parametrize("gait", ["pronk", "bound", "irregular"])
def test_a_hop_that_nobody_calls_a_gait_is_an_action(gait: str) -> None:
    character = with_hops_as_actions(hopping("Buck", gait=gait))
    assert character.clip("Buck").footfalls.gait == "action"
    assert "Buck" not in gaits(hopping("Buck", gait=gait))


@pytest.mark.parametrize("name", ["Bound", "Fox_Run", "fastRunLoop", "Armature|Gallop01"])
def test_what_is_called_a_gait_is_one(name: str) -> None:
    assert with_hops_as_actions(hopping(name)).clip(name).footfalls.gait == "pronk"


def test_a_loop_that_leaves_the_ground_twice_is_no_hop() -> None:
    assert with_hops_as_actions(hopping("Take", flights=2, gait="bound")).clip("Take").footfalls.gait == "bound"


def test_an_animal_that_only_hops_goes_so() -> None:
    alone = hopping("Hop")
    alone = replace(alone, clips=(alone.clip("Hop"),))
    assert with_hops_as_actions(alone).clip("Hop").footfalls.gait == "pronk"
