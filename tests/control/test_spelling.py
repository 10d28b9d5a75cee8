"""Unknown names are answered with the known one that looks like them."""

from __future__ import annotations

import pytest

from canter.control.registry import find, load
from canter.control.spelling import closest, known_names


def test_the_closest_name_is_found_or_none() -> None:
    assert closest("Horze", ["dog", "horse", "house"]) == "horse"
    assert closest("whale", ["dog", "horse"]) is None
    assert closest("", []) is None


def test_all_names_are_listed() -> None:
    assert known_names("hrose", ["dog", "horse"]) == "did you mean 'horse'? There are: dog, horse"
    assert known_names("whale", ["dog", "horse"]) == "there are: dog, horse"
    assert known_names("whale", []) == "there are: none"


def test_controllers_and_animals_are_suggested() -> None:
    with pytest.raises(KeyError, match="no controller is called 'gait'; did you mean 'gaits'"):
        find("controller", "gait")
    with pytest.raises(FileNotFoundError, match="did you mean 'turtle'"):
        load("tutrle")
