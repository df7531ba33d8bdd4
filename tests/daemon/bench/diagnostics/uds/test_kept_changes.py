"""Positive answers to what changes the stored state: they wait for its writing."""

import pytest

from .tester import Tester

WRITE = "2E F1 98 47 41 52 41 47 45 2D 31"
FLASH = [{"address": 0x8000, "length": 0x100, "data": "00", "flash": True}]
WRITABLE = [{"address": 0x1000, "data": "00 01 02 03", "write": True}]


def stored(**settings: object) -> Tester:
    """A tester in the extended session of a unit whose changes are stored."""
    tester = Tester(**settings)  # type: ignore[arg-type]
    tester.nvram.connected = True
    return tester.extended()


@pytest.mark.parametrize(
    ("request_", "answer"),
    [(WRITE, "6E F1 98"), ("14 FF FF FF", "54"), ("3D 12 10 00 01 AA", "7D 12 10 00 01")],
)
def test_an_answer_waits_until_the_change_is_written(request_: str, answer: str) -> None:
    """It comes in the tick after the writing; a unit whose changes nobody stores answers at once."""
    tester = stored(memory=WRITABLE)
    assert tester.ask(request_) == ""
    assert tester.wait(20) == []
    tester.nvram.end(1, written=True)
    assert tester.wait(20) == [(1, answer)]
    assert Tester(memory=WRITABLE).extended().ask(request_) == answer


def test_response_pending_is_said_within_p2_and_then_within_p2_star() -> None:
    """50 and 5,000 ms; others are refused as busy, a tester that is present is not."""
    tester = stored()
    tester.ask(WRITE)
    said = tester.wait(6000)
    assert [text for _, text in said] == ["7F 2E 78"] * 3
    first, second, third = (when for when, _ in said)
    assert first <= 50
    assert max(second - first, third - second) <= 5000
    assert tester.ask("22 F1 98") == "7F 22 21"
    assert tester.ask("3E 80") == ""
    tester.nvram.end(1, written=True)
    assert tester.wait(1) == [(1, "6E F1 98")]
    assert tester.ask("22 F1 98") == "62 F1 98 47 41 52 41 47 45 2D 31"


def test_what_cannot_be_written_is_a_programming_failure() -> None:
    """It is counted; the same bytes again are written anew, and answered when they are on the disk."""
    tester = stored()
    tester.ask(WRITE)
    tester.nvram.end(1, written=False)
    assert tester.wait(1) == [(1, "7F 2E 72")]
    assert tester.server.statistics.not_written == 1
    assert tester.ask(WRITE) == ""
    assert tester.nvram.is_busy
    tester.nvram.end(2, written=True)
    assert tester.wait(1) == [(1, "6E F1 98")]


def test_what_changes_nothing_does_not_wait() -> None:
    """Reading, sessions, refused writings."""
    tester = stored()
    assert tester.ask("22 F1 98") == "62 F1 98 57 4F 52 4B 53 48 4F 50"
    assert tester.ask("2E F1 98 01") == "7F 2E 13"
    assert tester.ask("14 00 00 01") == "7F 14 31"
    assert tester.nvram.asked == 0


def test_a_routine_that_erases_waits_when_it_is_done() -> None:
    """That the flash is not valid any more is written before 71 tells it; the blocks of a transfer do not wait."""
    tester = Tester(memory=FLASH, programming={"erase_time": 10}, routines={})
    tester.nvram.connected = True
    assert tester.ask("10 02")[:5] == "50 02"
    assert tester.ask("31 01 FF 00") == ""
    assert tester.wait(20) == []
    assert tester.nvram.asked == 1
    tester.nvram.end(1, written=True)
    assert tester.wait(1) == [(1, "71 01 FF 00 00")]
    assert tester.ask("34 00 22 80 00 00 04") == ""
    tester.nvram.end(2, written=True)
    assert tester.wait(1)[0][1][:2] == "74"
    assert tester.ask("36 01 11 22 33 44") == "76 01"
    assert tester.ask("37") == ""
    tester.nvram.end(3, written=True)
    assert tester.wait(1) == [(1, "77")]


def test_a_unit_without_supply_forgets_the_answer() -> None:
    tester = stored()
    tester.ask(WRITE)
    tester.server.restart()
    tester.nvram.end(1, written=True)
    assert tester.wait(5) == []


def test_a_later_writing_has_what_an_earlier_one_had() -> None:
    """Its success answers both; one that failed leaves the later one open."""
    nvram = Tester().nvram
    numbers = [nvram.write() for _ in range(3)]
    nvram.end(1, written=False)
    assert [nvram.is_written(number) for number in numbers] == [False, None, None]
    assert nvram.is_busy
    nvram.end(3, written=True)
    assert [nvram.is_written(number) for number in numbers] == [True, True, True]
    assert not nvram.is_busy
