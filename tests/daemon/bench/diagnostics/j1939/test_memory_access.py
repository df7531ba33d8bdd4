"""Memory access by the bytes of DM14, DM15 and DM16 (SAE J1939-73)."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.run_seed import RunSeed
from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.j1939.memory_access import DM16, Command, MemoryAccess
from hilbridge.bench.diagnostics.nvram import Nvram

from .memories import memory
from .peers import Peer, engine

TOOL, OTHER = 0xF9, 0xFA
COMPLETED = "00 19 00 00 00 FF FF FF"


def request(command: int, length: int, pointer: int, key: int = 0xFFFF) -> bytes:
    head = bytes((length & 0xFF, length >> 8 << 5 | 0x11 | command << 1))
    return head + pointer.to_bytes(4, "little") + key.to_bytes(2, "little")


class Unit:
    """The memory access of a unit; `told` has what it sent: to whom, and the bytes."""

    def __init__(self, key: Callable[[int, int], Any] | None = None) -> None:
        self.memory = memory()
        self.told: list[tuple[int, int, str]] = []
        self.under_way = False
        self.t = 0
        self.nvram = Nvram()
        self.access = MemoryAccess(
            self.memory, key, RunSeed(1).generator, self.send, lambda _tool: self.under_way, self.nvram
        )

    def send(self, pgn: int, payload: bytes, tool: int, t: int) -> bool:
        self.told.append((pgn, tool, payload.hex(" ").upper()))
        return True

    def ask(self, *words: int, tool: int = TOOL) -> list[str]:
        """The answers to a request, up to the end of the tick."""
        self.told.clear()
        self.access.receive(tool, request(*words), self.t)
        self.access.poll(self.t)
        return [text for _, _, text in self.told]

    def put(self, payload: str, tool: int = TOOL) -> list[str]:
        self.told.clear()
        self.access.receive_data(tool, bytes.fromhex(payload), self.t)
        return [text for _, _, text in self.told]


def test_a_read_is_granted_told_and_completed() -> None:
    unit = Unit()
    assert unit.ask(Command.READ, 3, 0x1001) == ["03 11 00 00 00 FF FF FF", "03 11 22 33", COMPLETED]
    assert unit.ask(Command.COMPLETED, 0, 0) == []


def test_a_long_read_is_completed_when_its_data_has_left() -> None:
    """Of more than seven bytes the count is FF."""
    unit = Unit()
    unit.under_way = True
    assert unit.ask(Command.READ, 8, 0x1000)[1:] == ["FF 00 11 22 33 44 55 66 77"]
    unit.told.clear()
    unit.under_way = False
    unit.access.poll(unit.t)
    assert unit.told == [(0xD800, TOOL, COMPLETED)]


@pytest.mark.parametrize("data", ["02 AA BB", "FF AA BB", "07 AA BB CC"])
def test_a_write_waits_for_its_data(data: str) -> None:
    unit = Unit()
    assert unit.ask(Command.WRITE, 2, 0x1004) == ["02 11 00 00 00 FF FF FF"]
    assert unit.put("02 11 22", tool=OTHER) == []
    assert unit.put(data) == [COMPLETED]
    assert unit.ask(Command.READ, 4, 0x1003)[1] == "04 33 AA BB 66"
    assert unit.memory.changes == 1


@pytest.mark.parametrize(("written", "answer"), [(True, COMPLETED), (False, "00 1B 01 00 00 FF FF FF")])
def test_a_write_is_completed_when_it_is_on_the_disk(*, written: bool, answer: str) -> None:
    """However long that takes; one that cannot be written has failed. An erase waits in the same way."""
    unit = Unit()
    unit.nvram.connected = True
    unit.ask(Command.WRITE, 2, 0x1004)
    assert unit.put("02 AA BB") == []
    unit.t += 60 * SECOND
    unit.access.poll(unit.t)
    assert unit.told == []
    unit.nvram.end(1, written=written)
    unit.access.poll(unit.t)
    assert unit.told == [(0xD800, TOOL, answer)]
    unit.ask(Command.COMPLETED, 0, 0)
    assert unit.ask(Command.ERASE, 2, 0x1004) == ["02 11 00 00 00 FF FF FF"]
    assert unit.nvram.is_busy


def test_data_that_is_too_short_changes_nothing() -> None:
    unit = Unit()
    unit.ask(Command.WRITE, 2, 0x1004)
    assert unit.put("01 AA BB") == ["00 1B 02 01 00 FF FF FF"]
    assert unit.ask(Command.READ, 2, 0x1004)[1] == "02 44 55"


def test_an_erasure_fills() -> None:
    unit = Unit()
    assert unit.ask(Command.ERASE, 2, 0x1000) == ["02 11 00 00 00 FF FF FF", COMPLETED]
    assert unit.ask(Command.READ, 3, 0x1000)[1] == "03 FF FF 22"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ((Command.READ, 4, 0x0FFF), "00 01 00"),
        ((Command.READ, 11, 0x1000), "00 01 00"),
        ((Command.READ, 0, 0x1000), "00 01 00"),
        ((Command.READ, 1, 0x4000), "00 01 00"),
        ((Command.WRITE, 4, 0x3000), "05 01 00"),
        ((6, 4, 0x3000), "01 00 00"),
        ((Command.READ, 2, 0x2000), "00 10 00"),
    ],
)
def test_what_cannot_be_done_has_its_error(words: tuple[int, ...], error: str) -> None:
    """Outside of a region, not readable, flash, boot load, closed without a function for keys."""
    assert Unit().ask(*words) == [f"00 1B {error} FF FF FF"]


def key(level: int, seed: int) -> int:
    return seed ^ 0x5A5A ^ level


def seed_of(told: list[str]) -> int:
    return int.from_bytes(bytes.fromhex(told[0])[6:], "little")


def test_a_place_with_a_level_wants_the_key_of_a_seed() -> None:
    """Three wrong keys close all such places for ten seconds."""
    unit = Unit(key)
    told = unit.ask(Command.READ, 2, 0x2000, 7)
    assert told[0].startswith("00 11 00 00 00 FF")
    assert unit.ask(Command.READ, 2, 0x2000, key(1, seed_of(told)))[1:] == ["02 CA FE", COMPLETED]
    for _ in range(3):
        told = unit.ask(Command.READ, 2, 0x2000)
        assert unit.ask(Command.READ, 2, 0x2000, key(1, seed_of(told)) ^ 1) == ["00 1B 03 10 00 FF FF FF"]
    assert unit.ask(Command.READ, 2, 0x2000) == ["00 1B 00 10 00 FF FF FF"]
    assert unit.ask(Command.READ, 1, 0x1000)[1] == "01 00"
    unit.t += 10 * SECOND
    assert seed_of(unit.ask(Command.READ, 2, 0x2000)) != 0xFFFF


def test_a_key_is_for_the_request_that_the_seed_was_for() -> None:
    unit = Unit(key)
    told = unit.ask(Command.READ, 2, 0x2000)
    other = unit.ask(Command.READ, 1, 0x2000, key(1, seed_of(told)))
    assert other[0].startswith("00 11")
    assert len(other) == 1


@pytest.mark.parametrize(
    "wrong", [lambda _level, _seed: 1 / 0, lambda _level, _seed: "7", lambda _level, _seed: 70_000]
)
def test_a_function_that_fails_leaves_the_place_closed(wrong: Callable[[int, int], Any]) -> None:
    assert Unit(wrong).ask(Command.READ, 2, 0x2000) == ["00 1B 00 10 00 FF FF FF"]


def test_one_tool_at_a_time_and_not_for_ever() -> None:
    """Others are told that it is busy; after five seconds the turn is lost, with an error in mid-access."""
    unit = Unit()
    unit.ask(Command.WRITE, 2, 0x1000)
    assert unit.ask(Command.READ, 1, 0x1000, tool=OTHER) == ["00 13 02 00 00 FF FF FF"]
    assert unit.ask(Command.STATUS, 0, 0) == ["00 13 00 00 00 FF FF FF"]
    unit.told.clear()
    unit.t += 5 * SECOND
    unit.access.poll(unit.t)
    assert unit.told == [(0xD800, TOOL, "00 1B 02 00 01 FF FF FF")]
    assert unit.ask(Command.READ, 1, 0x1000, tool=OTHER)[1] == "01 00"
    assert unit.ask(Command.COMPLETED, 0, 0, tool=OTHER) == []
    assert unit.ask(Command.STATUS, 0, 0) == [COMPLETED]


@given(st.lists(st.tuples(st.booleans(), st.sampled_from((TOOL, OTHER)), st.binary(max_size=12))))
def test_no_bytes_raise(messages: list[tuple[bool, int, bytes]]) -> None:
    unit = Unit(key)
    for is_data, tool, payload in messages:
        (unit.access.receive_data if is_data else unit.access.receive)(tool, payload, unit.t)
        unit.t += SECOND // 10
        unit.access.poll(unit.t)


def test_a_control_unit_shows_it_or_refuses_it() -> None:
    """DM14 to a unit without memory is not acknowledged; with it 10 bytes go by RTS, CTS, and are then completed."""
    peer = Peer()
    node = engine(peer)
    peer.tick()
    ask = f"18D900F9 {request(Command.READ, 10, 0x1000).hex()}"
    assert peer.tick(ask) == ["18E8FF00 01 FF FF FF F9 00 D9 00"]
    node.show_memory(memory(), None, RunSeed(1).generator)
    assert peer.tick(ask) == ["18D8F900 0A 11 00 00 00 FF FF FF", "1CECF900 10 0B 00 02 FF 00 D7 00"]
    assert peer.tick("1CEC00F9 11 02 01 FF FF 00 D7 00", times=2) == [
        "1CEBF900 01 FF 00 11 22 33 44 55",
        "1CEBF900 02 66 77 88 99 FF FF FF",
    ]
    assert peer.tick("1CEC00F9 13 0B 00 02 FF 00 D7 00") == ["18D8F900 00 19 00 00 00 FF FF FF"]
    assert DM16 == 0xD700
