"""Takes as spans, on made-up captures whose truth is known; labels correct them."""

from __future__ import annotations

from functools import lru_cache
from itertools import count, pairwise

import numpy as np
import pytest

from canter.anatomy import Character, understand
from canter.anatomy.character import TakeSpan
from canter.anatomy.spans import is_gait, read_clip
from canter.evaluation.rigs.folders import Count, count_folder
from canter.formats.labels import Label
from canter.motion import transform
from canter.synthetic import EXAMPLE, PLAIN
from canter.synthetic.capture import Capture, Part
from canter.synthetic.folder import SyntheticFolder, TakeTruth, synthetic_folder

FIRST_SEED = 14
"""Folders are made up from this seed on until one has the take that is asked for."""


@lru_cache
def folder(seed: int) -> SyntheticFolder:
    return synthetic_folder(seed, **{k: v for k, v in PLAIN.items() if k in FOLDER_CHOICES})


FOLDER_CHOICES = set(synthetic_folder(0).truth.choices)


@lru_cache
def read(kind: str) -> tuple[Character, TakeTruth]:
    """The first take of a programme, and its truth."""
    for seed in count(FIRST_SEED):
        made = folder(seed)
        for asset, take in zip(made.assets, made.takes, strict=True):
            if take.name.endswith(kind):
                return understand(asset), take
    raise AssertionError


def label_at(spans: tuple[TakeSpan, ...], time: float) -> str:
    return next(span.label for span in spans if span.start <= time < span.end)


@pytest.mark.parametrize("kind", ["stroll", "speed_up", "rest", "back", "turn_about"])
def test_the_middle_of_every_part_is_called_what_it_is(kind: str) -> None:
    character, take = read(kind)
    spans = character.clips[0].footfalls.spans
    for truth in take.spans:
        if truth.label:
            assert label_at(spans, (truth.start + truth.end) / 2) == truth.label


@pytest.mark.parametrize("kind", ["stroll", "speed_up"])
def test_spans_follow_each_other_and_gaits_last_a_stride(kind: str) -> None:
    clip = read(kind)[0].clips[0]
    spans = clip.footfalls.spans
    assert spans[0].start == 0
    assert spans[-1].end == pytest.approx(len(clip.motion) / clip.motion.frame_rate, abs=0.02)
    for one, other in pairwise(spans):
        assert one.end == other.start
    for span in spans:
        if is_gait(span.label):
            assert span.seconds >= span.stride_seconds
            assert set(span.duty) == set(span.phases) == {"LF", "RF", "LH", "RH"}
            assert span.phases["LH"] == pytest.approx(0)


def test_a_take_is_of_the_gait_that_it_shows_longest() -> None:
    character, take = read("speed_up")
    lengths: dict[str, float] = {}
    for truth in take.spans:
        if truth.label != "stand":
            lengths[truth.label] = lengths.get(truth.label, 0.0) + truth.end - truth.start
    assert character.clips[0].footfalls.gait == max(lengths, key=lambda name: lengths[name])


def test_labels_replace_what_was_read() -> None:
    character, _ = read("stroll")
    motion, anatomy = character.clips[0].motion, character.anatomy
    plain = read_clip(motion, anatomy).footfalls.spans
    end = plain[-1].end
    labelled = read_clip(motion, anatomy, [Label(0.5, 1.0, "sniff"), Label(end - 0.5, end + 9, "sit")])
    spans = labelled.footfalls.spans
    assert label_at(spans, 0.25) == plain[0].label
    assert label_at(spans, 0.75) == "sniff"
    assert spans[-1].label == "sit"
    assert spans[-1].end == pytest.approx(end)
    assert [span.start for span in spans[1:]] == [span.end for span in spans[:-1]]


def test_traps_do_not_matter_much() -> None:
    count = Count()
    for seed in (4, 7):
        count_folder(synthetic_folder(seed), count)
    assert all(count.files)
    assert np.mean(np.concatenate(count.labels)) > 0.95
    assert np.mean(np.concatenate(count.contacts)) > 0.93
    assert np.mean(count.gaits) > 0.95


def test_truth_is_true() -> None:
    """Feet that are down do not move, those that are up do, and the labels cover the take."""
    animal_folder = folder(FIRST_SEED)
    for asset, take in zip(animal_folder.assets, animal_folder.takes, strict=True):
        motion = asset.clips[0]
        assert take.spans[0].start == 0
        assert take.spans[-1].end == pytest.approx(len(motion) / motion.frame_rate, abs=0.02)
        for k, leg in enumerate(("LF", "RF", "LH", "RH")):
            foot = motion.position_world[:, motion.skeleton.index(animal_folder.truth.legs[leg][-1])]
            speed = np.linalg.norm(np.diff(foot, axis=0), axis=-1) * motion.frame_rate
            down = take.contacts[1:, k] & take.contacts[:-1, k]
            assert speed[down].max() < 1e-3
            up = ~take.contacts[1:, k] & ~take.contacts[:-1, k]
            assert not up.any() or np.median(speed[up]) > 0.2


def test_a_capture_is_as_long_as_its_parts() -> None:
    capture = Capture("still", 50.0, EXAMPLE, (Part("stand", 1.0), Part("sit", 2.0)))
    assert len(capture.times) == 150
    assert [span.label for span in capture.spans()] == ["stand", "", "sit"]
    assert capture.down.all()


@pytest.mark.parametrize("kind", ["stroll", "speed_up"])
@pytest.mark.parametrize("height", [0.4, 0.8])
def test_what_is_done_on_something_unseen_is_no_gait(kind: str, height: float) -> None:
    """An animal that gets onto a table, `height` hip heights above the ground, goes on there and comes down again."""
    character, take = read(kind)
    clip, anatomy = character.clips[0], character.anatomy
    time = np.arange(len(clip.motion)) / clip.motion.frame_rate
    part = max((span for span in take.spans if span.label), key=lambda span: span.end - span.start)
    middle, half = (part.start + part.end) / 2, min(1.2, 0.35 * (part.end - part.start))
    up = np.clip((half + 0.15 - np.abs(time - middle)) / 0.3, 0, 1) * height * anatomy.hip_height
    raised = transform(clip.motion, translation=np.stack([0 * up, up, 0 * up], axis=-1))
    spans = read_clip(raised, anatomy).footfalls.spans
    assert label_at(spans, middle) == "other"
    assert not any(span.label == "jump" for span in spans)
