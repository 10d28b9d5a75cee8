"""Loops: closed, open by a frame or two, between stills, and clips that are none."""

from __future__ import annotations

import numpy as np
import pytest

from canter.anatomy.loop_detection import Span, cut_cycle, find_span, strides_in
from canter.motion.arrays import Floats

from .animals import stepping


def in_place(frames: int, count: int, strides: int = 1) -> Floats:
    """`count` frames of a loop that takes `frames`, seen from the body."""
    feet, trunk, _ = stepping(rate=float(frames), strides=4)
    feet[..., 2] -= trunk[:, None, 1]
    return np.tile(feet[frames : 2 * frames], (strides + 1, 1, 1))[:count]


@pytest.mark.parametrize("frames", [9, 16, 30, 60])
@pytest.mark.parametrize("missing", [-1, 0])
def test_a_closing_frame_may_be_there_or_missing(frames: int, missing: int) -> None:
    found = find_span(in_place(frames, frames - missing))
    assert found == Span(0, frames - missing, frames)


def test_two_frames_may_be_missing() -> None:
    assert find_span(in_place(30, 29)).period in (29, 30)


def test_several_strides_are_one_loop() -> None:
    assert find_span(in_place(30, 91, strides=3)).period == 90


def test_half_a_stride_is_no_loop() -> None:
    assert find_span(in_place(60, 30)).period is None


def test_stills_at_both_ends_are_cut_off() -> None:
    loop = in_place(40, 41)
    feet = np.concatenate([np.repeat(loop[:1], 20, axis=0), loop, np.repeat(loop[-1:], 20, axis=0)])
    found = find_span(feet)
    assert abs(found.start - 20) <= 2
    assert abs(found.end - 61) <= 2
    assert found.period == pytest.approx(40, abs=2)


def test_a_bind_pose_at_the_head_is_left_out() -> None:
    loop = in_place(30, 31)
    feet = np.concatenate([np.ones((1, 4, 3)), loop])
    assert find_span(feet) == Span(1, 32, 30)


@pytest.mark.parametrize("frames", [0, 1, 2, 5])
def test_short_and_still_clips_have_no_period(frames: int) -> None:
    assert find_span(in_place(30, frames)) == Span(0, frames, None)
    assert find_span(np.zeros((20, 4, 3))).period is None


def test_a_cycle_is_cut_out_of_a_clip_that_does_not_close() -> None:
    found = cut_cycle(in_place(30, 44))
    assert found is not None
    assert found.period == pytest.approx(30, abs=1)
    assert found.end - found.start == found.period + 1
    assert cut_cycle(in_place(60, 30)) is None
    assert cut_cycle(np.zeros((40, 4, 3))) is None


@pytest.mark.parametrize("strides", [1, 2, 5])
def test_strides_are_counted_by_harmonics(strides: int) -> None:
    assert strides_in(in_place(24, 24 * strides, strides)[..., 2]) == strides
