"""Takes of one skeleton are understood together, corrected together and built together."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from canter.anatomy import detect
from canter.anatomy.folder import Rig, find_rigs, motion_files
from canter.anatomy.overrides import folder_overrides_path
from canter.cycles.build.build_file import join_sources
from canter.evaluation.rigs.folders import legs_right
from canter.formats import read, write
from canter.formats.labels import Label, write_labels
from canter.synthetic import synthetic_rig
from canter.synthetic.folder import SyntheticFolder, synthetic_folder


@lru_cache
def folder() -> SyntheticFolder:
    """A bear that strolls, idles, backs and turns."""
    return synthetic_folder(3)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("room") / "takes"
    place.mkdir()
    for asset in folder().assets[:4]:
        write(asset, place / f"{asset.clips[0].name}.npz")
    return place


def rig_in(place: Path) -> Rig:
    return find_rigs([read(name) for name in motion_files([place])])[0]


def test_skeletons_are_told_apart() -> None:
    other = synthetic_rig(5).asset
    rigs = find_rigs([folder().assets[0], other, folder().assets[1]])
    assert [len(rig.assets) for rig in rigs] == [2, 1]


def test_a_hard_take_is_read_with_what_the_others_show() -> None:
    """A take that only goes backward is turned round alone, and not together with one that walks."""
    cat = synthetic_folder(1)
    back = next(asset for asset in cat.assets if asset.clips[0].name.endswith("back"))
    assert not legs_right(detect(back), cat)
    rig = find_rigs([cat.assets[0], back])[0]
    assert legs_right(rig.anatomy, cat)
    labels = {span.label for span in rig.character(back).clips[0].footfalls.spans}
    assert "backward" in labels


def test_every_take_faces_ahead() -> None:
    bear = folder()
    for character in find_rigs(bear.assets)[0].characters():
        clip = character.clips[0]
        if clip.footfalls.gait == "walk" and "turns" not in clip.name:
            travelled = clip.motion.position_world[-1, 0] - clip.motion.position_world[0, 0]
            assert travelled[2] > 3 * abs(travelled[0])


def test_takes_of_one_animal_have_one_unit() -> None:
    """One by one, takes of this animal would be measured at four sizes."""
    alike = synthetic_folder(5)
    rig = find_rigs(alike.assets)[0]
    assert len({rig.character(asset).transform.scale for asset in alike.assets}) > 1
    assert len({character.transform.scale for character in rig.characters()}) == 1


def test_folders_hold_files(files: Path, tmp_path: Path) -> None:
    assert [Path(name).suffix for name in motion_files([files])] == [".npz"] * 4
    assert motion_files([files.parent]) == motion_files([files])
    assert motion_files(["x.bvh"]) == ["x.bvh"]
    with pytest.raises(ValueError, match="no clip in this folder"):
        motion_files([tmp_path])


def test_a_folder_becomes_one_character(files: Path) -> None:
    character = join_sources(motion_files([files]))
    assert len(character.clips) == 4
    assert {clip.footfalls.gait for clip in character.clips} >= {"walk", "stand"}
    assert character.anatomy.kind == "quadruped"


def test_one_file_corrects_a_folder(files: Path) -> None:
    rig = rig_in(files)
    asset = rig.assets[0]
    before = rig.character(asset)
    place = folder_overrides_path(files)
    forward = [float(x) for x in -rig.anatomy.forward]
    place.write_text(f"forward = {forward}\n")
    try:
        after = rig.character(asset)
        assert after.anatomy.feet == [before.anatomy.feet[k] for k in (3, 2, 1, 0)]
        place.write_text('head = "nobody"\n')  # of another skeleton
        assert rig.character(asset).anatomy.feet == before.anatomy.feet
    finally:
        place.unlink()


def test_labels_beside_a_take_correct_it(files: Path) -> None:
    name = motion_files([files])[0]
    place = write_labels([Label(0.0, 1.0, "sniff")], name)
    try:
        rig = rig_in(files)
        assert rig.character(rig.assets[0]).clips[0].footfalls.spans[0].label == "sniff"
        clip = join_sources(motion_files([files])).clips[0]
        assert clip.footfalls.spans[0].label == "sniff"
        assert np.isclose(clip.footfalls.spans[0].end, 1.0)
    finally:
        place.unlink()


def test_hips_are_above_the_ground_though_an_animal_that_sprawls_may_look_right_upside_down() -> None:
    """Legs that end at the ankle scored better the other way up, with knees for feet and the hips under the ground."""
    folder = synthetic_folder(7000001)
    found = find_rigs(folder.assets)[0].anatomy
    assert found.up @ folder.truth.up > 0.9
    assert found.hip_height == pytest.approx(folder.truth.hip_height, rel=0.15)
    assert legs_right(found, folder)
