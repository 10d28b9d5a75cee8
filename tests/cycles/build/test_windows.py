"""Strides come out of the spans of takes, and labels beside a take say which and what they are called."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter import Character, understand
from canter.anatomy.join import join
from canter.cycles.build.cut import Cut, cut
from canter.cycles.build.stand import stand_clips, standing_part
from canter.cycles.build.windows import called_gait
from canter.formats.labels import Label
from canter.synthetic.folder import SyntheticFolder, synthetic_folder

SEED = 205


@pytest.fixture(scope="module")
def folder() -> SyntheticFolder:
    return synthetic_folder(SEED)


def built(folder: SyntheticFolder, labels: dict[str, list[Label]] | None = None) -> tuple[Character, Cut]:
    character = understand(join(folder.assets), labels=labels or {})
    return character, cut(character)


def others(folder: SyntheticFolder, keep: str) -> dict[str, list[Label]]:
    """Labels that rule out every take but one."""
    return {take.name: [Label(0.0, 1e3, "other")] for take in folder.takes if take.name != keep}


def test_strides_lie_in_spans_of_their_gait(folder: SyntheticFolder) -> None:
    character, found = built(folder)
    takes = {take.name: take for take in folder.takes}
    strides = [row.taken for row in found.rows if not row.cycle.stands]
    assert len({one.clip.footfalls.gait for one in strides}) >= 3
    for one in strides:
        rate = character.clip(one.source).motion.frame_rate
        first, last = (frame / rate for frame in one.frames)
        true = [s for s in takes[one.source].spans if s.start <= (first + last) / 2 < s.end]
        assert true[0].label == one.clip.footfalls.gait
        assert true[0].start <= first
        assert last <= true[0].end


def test_a_label_says_where_strides_are_taken_and_what_they_are_called(folder: SyntheticFolder) -> None:
    take = next(take for take in folder.takes if any(span.label == "trot" for span in take.spans))
    span = max((span for span in take.spans if span.label == "trot"), key=lambda span: span.end - span.start)
    labels = others(folder, take.name)
    labels[take.name] = [Label(0.0, 1e3, "other"), Label(span.start, span.end, "rack")]
    character, found = built(folder, labels)
    strides = [row.taken for row in found.rows if not row.cycle.stands]
    assert [one.clip.footfalls.gait for one in strides] == ["rack"]
    rate = character.clip(take.name).motion.frame_rate
    assert span.start <= strides[0].frames[0] / rate < strides[0].frames[1] / rate <= span.end


def test_words_of_a_label_are_kept(folder: SyntheticFolder) -> None:
    take = next(take for take in folder.takes if any(span.label == "trot" for span in take.spans))
    span = max((span for span in take.spans if span.label == "trot"), key=lambda span: span.end - span.start)
    _, found = built(folder, {take.name: [Label(span.start, span.end, "lazy trot")]})
    (row,) = (row for row in found.rows if row.cycle.name == "lazy trot")
    assert (row.cycle.gait, row.label) == ("trot", "lazy trot")


def test_other_gives_no_strides(folder: SyntheticFolder) -> None:
    _, found = built(folder, others(folder, ""))
    assert not [row for row in found.rows if not row.cycle.stands]
    assert {why for _, why in found.skipped} == {"shows no gait"}


def test_what_labels_speak_of() -> None:
    assert called_gait("walk") == ("walk", "")
    assert called_gait("Slow_walk 2") == ("walk", "Slow_walk 2")
    assert called_gait("lope") == ("", "lope")
    assert called_gait("running") == ("", "running")
    assert called_gait("eats") is None
    assert called_gait("other") is None


def test_an_animal_that_lies_down_in_a_take_does_not_stand_by_it() -> None:
    folder = synthetic_folder(213)
    character = understand(join(folder.assets))
    rests = [clip for clip in character.clips if any(span.label in ("sit", "lie") for span in clip.footfalls.spans)]
    assert rests
    strides = [clip for clip in character.clips if clip.footfalls.gait == "walk"]
    height = character.anatomy.hip_height
    for clip, *_ in stand_clips(character, strides):
        hips = clip.motion.position_world[:, character.anatomy.hips[-2:], 1].mean(axis=1)
        assert np.abs(hips - height).max() < 0.2 * height
    lying = replace(rests[0], footfalls=replace(rests[0].footfalls, spans=rests[0].footfalls.spans[1:2]))
    assert lying.footfalls.spans[0].label != "stand"
    assert standing_part(lying) is None
