"""The table of cases of each text format, which is its documentation; and what is true of all of them."""

import codecs
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.boundary.logs.account import LogError
from hilbridge.boundary.logs.formats.catalogue import FORMATS, find_format
from hilbridge.boundary.logs.parser import Case, TextFormat

from .written import read_text

CASES = [pytest.param(one, case, id=f"{one.name}: {case.about}") for one in FORMATS for case in one.cases]


@pytest.mark.parametrize(("format_", "case"), CASES)
def test_every_case_of_a_format_is_read_as_its_table_says(tmp_path: Path, format_: TextFormat, case: Case) -> None:
    """Nothing is left out but what the table names, and each log is known by its lines alone."""
    frames, account = read_text(tmp_path, f"{case.text}\n", "log.dat")
    assert frames == list(case.frames)
    assert sorted(account.left_out.elements()) == sorted(case.left_out)
    assert (account.format, account.unreadable, account.cut) == (format_.name, 0, "")
    assert account.frames == len(case.frames)


@pytest.mark.parametrize(("format_", "case"), CASES)
def test_line_ends_and_marks_change_nothing(tmp_path: Path, format_: TextFormat, case: Case) -> None:
    """CR LF, CR alone, the mark of UTF-8, and UTF-16."""
    text = f"{case.text}\n"
    forms = [
        text.replace("\n", "\r\n").encode(),
        text.replace("\n", "\r").encode(),
        codecs.BOM_UTF8 + text.encode(),
        text.encode("utf-16"),
    ]
    for form in forms:
        frames, account = read_text(tmp_path, form)
        assert (frames, account.format, account.unreadable) == (list(case.frames), format_.name, 0)


@pytest.mark.parametrize(("format_", "case"), CASES)
def test_a_log_that_is_cut_in_its_last_line_gives_that_frame_or_a_word(
    tmp_path: Path, format_: TextFormat, case: Case
) -> None:
    """Never another frame; what was before the line is as without it."""
    *before, last = case.text.rstrip().splitlines(keepends=True)
    begin = "".join(before)
    if find_format(begin.splitlines()) is not format_:
        return
    base = _frames(tmp_path, begin)
    for end in range(1, len(last)):
        frames, account = read_text(tmp_path, begin + last[:end])
        assert frames == base or frames == list(case.frames), last[:end]
        assert account.cut or len(frames) > len(base) or not last[:end].strip() or _has_no_frame(case, base), last[:end]


def _frames(folder: Path, text: str) -> list[str]:
    try:
        return read_text(folder, text)[0]
    except LogError:
        return []


def _has_no_frame(case: Case, base: list[str]) -> bool:
    """Whether the last line is none of a data frame."""
    return len(base) == len(case.frames)


PIECES = st.sampled_from([word for one in FORMATS for case in one.cases for word in case.text.split()])
LINES = st.lists(st.lists(PIECES, max_size=14).map(" ".join) | st.text(max_size=30), max_size=6).map("\n".join)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([case for one in FORMATS for case in one.cases]), LINES)
def test_no_text_breaks_a_reader(tmp_path_factory: pytest.TempPathFactory, case: Case, rest: str) -> None:
    """Any lines behind those of a format are frames, counted, or the end with a reason."""
    folder = tmp_path_factory.getbasetemp()
    try:
        frames, account = read_text(folder, f"{case.text}\n{rest}\n".encode("utf-8", "replace"), "fuzzed")
    except LogError:
        return
    assert len(frames) == account.frames


def test_one_damaged_line_costs_itself_only(tmp_path: Path) -> None:
    frames, account = read_text(tmp_path, "(1.0) can0 123#11\n(1.1) can0 123#1\n(1.2) can0 123#12\n")
    assert frames == ["1 can0 123#11", "1.2 can0 123#12"]
    assert account.words() == [
        "1 line cannot be read; the first: line 2: this is no line of candump: '(1.1) can0 123#1'"
    ]


def test_a_log_of_which_hardly_a_line_can_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"^line 2: this is no line of candump: 'x'"):
        read_text(tmp_path, "(1.0) can0 123#11\nx\ny\n")
    with pytest.raises(LogError, match="this is none of the logs that are text: BUSMASTER, "):
        read_text(tmp_path, "hello\n")
    assert find_format([]) is None


def test_a_relative_time_that_cannot_be_read_ends_the_log(tmp_path: Path) -> None:
    """All later times would be wrong."""
    text = "base hex  timestamps relative\n0.1 1 123 Rx d 1 11\n0.1.2 1 123 Rx d 1 12\n0.1 1 123 Rx d 1 13\n"
    _, account = read_text(tmp_path, text)
    assert account.unreadable == 1
