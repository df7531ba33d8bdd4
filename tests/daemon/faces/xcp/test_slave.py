"""The slave, command by command: bytes as ASAM MCD-1 XCP lays them out, written by hand."""

import struct
import zlib

from hypothesis import given
from hypothesis import strategies as st

from hilbridge.bench.xcp.layout import ETHERNET

from .rig import DISCONNECT, OK, RPM, SPEED, THROTTLE, Rig


def test_connect_says_what_there_is() -> None:
    """Resources, byte order, MAX_CTO, MAX_DTO and the versions of protocol and transport layer."""
    assert Rig().connected == bytes.fromhex("FF 04 80 F8 7805 01 01")
    assert Rig(write=True).connected[1] == 0x0D


def test_values_are_those_of_the_newest_tick() -> None:
    rig = Rig()
    rig.samples.data.vehicle[0:2] = [12_345, -2]
    assert rig.ask(0xF4, "BBBI", 8, 0, 0, SPEED) == OK + struct.pack("<ii", 12_345, -2)
    assert rig.ask(0xF6, "HBI", 0, 0, RPM) == OK
    assert rig.ask(0xF5, "B", 2) + rig.ask(0xF5, "B", 2)[1:] == OK + struct.pack("<i", -2)


def test_checksums_are_of_the_ieee() -> None:
    rig = Rig()
    rig.samples.data.vehicle[0] = 77
    rig.ask(0xF6, "HBI", 0, 0, SPEED)
    assert rig.ask(0xF3, "HBI", 0, 0, 8) == OK + b"\x09\0\0" + struct.pack(
        "<I", zlib.crc32(struct.pack("<ii", 77, rig.samples.data.vehicle[1]))
    )


def test_what_has_no_entry_is_not_read() -> None:
    rig = Rig()
    for length, extension, address in ((4, 0, 0), (4, 0, 0x500000), (8, 0, 0x20000 + 4 * 24), (4, 2, SPEED)):
        assert rig.ask(0xF4, "BBBI", length, 0, extension, address) == bytes.fromhex("FE24")
    assert rig.ask(0xF4, "BBBI", ETHERNET.most_command, 0, 0, SPEED) == bytes.fromhex("FE22")


def test_texts_are_uploaded() -> None:
    rig = Rig()
    for kind, text in ((0, b"rig"), (1, b"rig"), (4, b"the A2L file")):
        assert rig.ask(0xFA, "B", kind) == OK + struct.pack("<BHI", 0, 0, len(text))
        assert rig.ask(0xF5, "B", len(text)) == OK + text
    assert rig.ask(0xFA, "B", 3) == OK + bytes(7)


def test_the_a2l_file_is_made_once() -> None:
    """It takes long, in which no sample is sent."""
    rig = Rig()
    for _ in range(3):
        rig.ask(0xFA, "B", 4)
        rig.slave.connect("another")
    assert rig.described == 1


def test_status_and_modes() -> None:
    rig = Rig()
    assert rig.ask(0xFD) == bytes.fromhex("FF 00 00 00 0000")
    rig.allocate([SPEED])
    assert rig.ask(0xDE, "BH", 1, 0) == OK + b"\0"
    assert rig.ask(0xFD)[1] == 0x40
    assert rig.ask(0xFB) == bytes.fromhex("FF 00 00 00 00 00 00 10")
    assert rig.ask(0xFC) == bytes.fromhex("FE00")
    assert rig.ask(0xCF) == bytes.fromhex("FE20")
    assert rig.ask(0xF4) == bytes.fromhex("FE21")


def test_nothing_is_written_unless_the_bench_allows_it() -> None:
    rig = Rig()
    assert rig.ask(0xED, "BBBIi", 4, 0, 0, THROTTLE, 5000) == bytes.fromhex("FE23")
    assert not rig.bench.commands


def test_what_is_written_is_a_command_and_seen_in_the_next_tick() -> None:
    rig = Rig(write=True)
    assert rig.ask(0xF6, "HBI", 0, 0, THROTTLE) == OK
    assert rig.ask(0xF0, "Bii", 8, 5000, 10_000) == OK
    (command,) = rig.bench.commands
    assert command.items() >= {"command": "set", "entry": "input.Throttle", "value": 0.5}.items()
    assert (command["also"], command["by"]) == ({"input.Brake": 1.0}, "XCP 127.0.0.1:1")
    assert rig.samples.waited == 1
    assert rig.counters["written"] == 2


def test_the_end_of_a_session_ends_all_of_it() -> None:
    rig = Rig(write=True)
    rig.ask(0xED, "BBBIi", 4, 0, 0, THROTTLE, 5000)
    rig.allocate([SPEED])
    rig.ask(0xDE, "BH", 1, 0)
    assert rig.slave.answer(DISCONNECT) == OK
    assert not rig.slave.connected
    assert rig.bench.commands[-1] == {"command": "give-back", "by": "XCP 127.0.0.1:1"}
    assert not rig.tick(0)


def test_a_wrong_key_ends_the_session() -> None:
    rig = Rig(write=True, key=lambda _resource, seed: seed[::-1])
    assert rig.ask(0xFD)[2] == 0x0D
    assert rig.ask(0xED, "BBBIi", 4, 0, 0, THROTTLE, 5000) == bytes.fromhex("FE25")
    assert rig.ask(0xD6) == bytes.fromhex("FE25")
    seed = rig.ask(0xF8, "BB", 0, 1)
    assert seed[1] == 16
    assert rig.ask(0xF7, "B16s", 16, seed[:1:-1]) == OK + b"\x0c"
    assert rig.ask(0xED, "BBBIi", 4, 0, 0, THROTTLE, 5000) == OK
    rig.ask(0xF8, "BB", 0, 4)
    assert rig.ask(0xF7, "B16s", 16, bytes(16)) == bytes.fromhex("FE25")
    assert not rig.slave.connected
    assert rig.said == ["wrong key from 127.0.0.1:1"]
    rig.slave.connect("127.0.0.1:2")
    assert rig.ask(0xF8, "BB", 0, 4) == bytes.fromhex("FE33")


def test_a_key_function_that_fails_is_told_and_unlocks_nothing() -> None:
    def fails(_resource: int, _seed: bytes) -> bytes:
        raise SystemExit("no licence")

    rig = Rig(key=fails)
    rig.ask(0xF8, "BB", 0, 4)
    assert rig.ask(0xF7, "B16s", 16, bytes(16)) == bytes.fromhex("FE25")
    assert not rig.slave.connected
    assert rig.counters["refused"] == 1
    (words,) = rig.said
    assert "SystemExit: no licence" in words


@given(st.lists(st.binary(min_size=1, max_size=ETHERNET.most_command), max_size=40))
def test_any_packets_are_answered_in_bounds(packets: list[bytes]) -> None:
    """With bytes that no standard has, and commands with fields at random: an answer each, or the session is over."""
    rig = Rig(write=True)
    for number, packet in enumerate(packets):
        answer = rig.slave.answer(packet)
        assert answer[0] in (0xFF, 0xFE)
        assert len(answer) <= ETHERNET.most_command
        assert sum(map(len, rig.tick(number * 1_000_000))) <= 252
