"""Times of candump: the same frames with each of -t a, -t z and -t d, which say the same or what was assumed.

candump prints a time since 1970, since its first frame, or since the frame before (its manual page); two interfaces, or
a log behind another, make a clock go back.
"""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .written import read_text

EPOCH = 1_700_000_000_000_000
DIFFERENCES = "its times are taken as differences (candump -t d) and added up: they fall, or are alike"
CLOCK = "its times are taken as a clock's from its beginning (candump -t z), not as differences"


def log(times: list[int]) -> str:
    """Return a log of frames at times in microseconds."""
    return "".join(f"({time // 10**6}.{time % 10**6:06d}) can0 123#{i % 256:02X}\n" for i, time in enumerate(times))


def read(folder: Path, times: list[int]) -> tuple[list[int], list[str]]:
    """Return the times that are read, in microseconds, and what is said of the log."""
    frames, account = read_text(folder, log(times))
    return [round(float(frame.split()[0]) * 10**6) for frame in frames], account.words()


def differences(times: list[int]) -> list[int]:
    """Return what candump -t d prints."""
    return [0, *(later - time for time, later in pairwise(times))]


@st.composite
def traffic(draw: st.DrawFn) -> list[int]:
    """Draw the times of periodic frames with jitter, from 0."""
    periods = draw(st.lists(st.sampled_from([5_000, 10_000, 20_000, 50_000, 100_000]), min_size=2, max_size=6))
    random = draw(st.randoms(use_true_random=False))
    times = {cycle * period + random.randrange(1500) for period in periods for cycle in range(40)}
    first = min(times)
    return sorted(time - first for time in times)


@settings(max_examples=60, deadline=None)
@given(traffic())
def test_each_form_of_times_gives_the_same_and_the_choice_is_said(
    tmp_path_factory: pytest.TempPathFactory, times: list[int]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    assert read(folder, [EPOCH + time for time in times]) == ([EPOCH + time for time in times], [])
    assert read(folder, times) == (times, [CLOCK])
    assert read(folder, differences(times)) == (times, [DIFFERENCES])


def test_a_frame_in_a_steady_rhythm_has_differences_that_are_all_the_same(tmp_path: Path) -> None:
    times = [10_000 * index for index in range(50)]
    assert read(tmp_path, differences(times)) == (times, [DIFFERENCES])
    assert read(tmp_path, [time // 100_000 * 100_000 for time in times])[1] == [DIFFERENCES]  # said, if wrong


def test_a_clock_that_goes_back_once_is_one(tmp_path: Path) -> None:
    times = [1_000 * index for index in range(100)]
    times[50], times[51] = times[51], times[50]
    assert read(tmp_path, times) == (times, [CLOCK])
    assert read(tmp_path, [*times, *times]) == ([*times, *times], [CLOCK])


def test_a_tail_of_times_that_are_alike_is_taken_as_it_is_with_a_word(tmp_path: Path) -> None:
    assert read(tmp_path, [10_000] * 9) == ([10_000] * 9, [CLOCK])
    assert read(tmp_path, [10_000, 20_000, 30_000]) == ([10_000, 20_000, 30_000], [])
