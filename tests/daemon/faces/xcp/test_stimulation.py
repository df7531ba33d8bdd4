"""STIM lists: packets of the master as ASAM MCD-1 XCP lays them out, written by hand, become inputs at their event."""

import struct
from typing import Any

import pytest

from hilbridge.bench.xcp.layout import CAN, ETHERNET, PacketLayout

from .rig import OK, SPEED, THROTTLE, Rig

BRAKE = 0x10008
CLUTCH = 0x1000C
MS = 1_000_000
STIM = 0x02
STAMPED = 0x12
TIMEOUT = bytes.fromhex("FD 09 01 00 0000")


def running(*odts: list[int], mode: int = STIM, event: int = 0, layout: PacketLayout = ETHERNET, **keys: Any) -> Rig:
    """A STIM list that runs, with these entries in its ODTs."""
    rig = Rig(write=True, layout=layout, **keys)
    rig.allocate(*odts, mode=mode, event=event)
    assert rig.ask(0xDE, "BH", 1, 0)[:1] == OK
    return rig


def sent(rig: Rig, odt: int, *values: int, number: int | None = 0, stamp: bytes = b"") -> None:
    """A packet of the master; `number`: of its list, none on CAN."""
    head = bytes((odt,)) if number is None else bytes((odt, number))
    rig.slave.stimulate(head + stamp + struct.pack(f"<{len(values)}i", *values))


def held(rig: Rig) -> list[dict[str, float]]:
    """The values of each command so far."""
    return [{one["entry"]: one["value"]} | one.get("also", {}) for one in rig.bench.commands]


def test_the_values_of_a_packet_are_inputs_at_the_next_event() -> None:
    """With the rights, the holder and the time of life of values that are written."""
    rig = running([THROTTLE, BRAKE])
    rig.tick(0)
    sent(rig, 0, 2500, 100)
    assert not rig.bench.commands
    rig.tick(1 * MS)
    (command,) = rig.bench.commands
    assert held(rig) == [{"input.Throttle": 0.25, "input.Brake": 0.01}]
    assert (command["by"], command["seconds"]) == ("XCP 127.0.0.1:1", 3.0)
    assert rig.counters == {"commands": 8, "stimulated": 1} | {"commands": rig.counters["commands"]}


@pytest.mark.parametrize(("event", "ticks"), [(1, [10, 20, 30]), (2, [100])])
def test_slower_events_hold_the_newest_values_in_their_time(event: int, ticks: list[int]) -> None:
    rig = running([THROTTLE], event=event)
    rig.tick(0)
    at = {}
    for number in range(1, max(ticks) + 5):
        sent(rig, 0, number)
        before = len(rig.bench.commands)
        rig.tick(number * MS)
        if len(rig.bench.commands) > before:
            at[number] = rig.bench.commands[-1]["value"]
    assert at == {tick: tick / 10_000 for tick in ticks}
    assert "late" not in rig.counters


def test_a_late_packet_keeps_the_last_values_is_counted_and_told_once() -> None:
    """Before the first values nothing is late."""
    rig = running([THROTTLE])
    rig.tick(0)
    assert rig.slave.news() == []
    sent(rig, 0, 2500)
    for number in range(1, 5):
        rig.tick(number * MS)
    assert held(rig) == [{"input.Throttle": 0.25}]
    assert (rig.counters["stimulated"], rig.counters["late"]) == (1, 3)
    assert rig.slave.news() == [TIMEOUT]
    assert rig.slave.news() == []
    sent(rig, 0, 2600)
    rig.tick(5 * MS)
    rig.tick(6 * MS)
    assert rig.slave.news() == [TIMEOUT]
    rig.slave.renew()
    rig.slave.renew()
    assert held(rig)[-1] == {"input.Throttle": 0.26}
    assert len(rig.bench.commands) == 3


def test_what_the_bench_has_no_time_for_is_late_and_held_by_the_next_event() -> None:
    rig = running([THROTTLE])
    rig.stream.is_busy = True
    sent(rig, 0, 2500)
    rig.tick(1 * MS)
    rig.stream.is_busy = False
    rig.tick(2 * MS)
    assert held(rig) == [{"input.Throttle": 0.25}]
    assert (rig.counters["stimulated"], rig.counters["late"]) == (1, 1)


def test_a_list_of_several_packets_is_held_when_all_of_them_are_there() -> None:
    """One that was lost on the way leaves no mixture of old and new."""
    rig = running([THROTTLE], [BRAKE], mode=STAMPED)
    stamp = struct.pack("<I", 77)
    sent(rig, 0, 100, stamp=stamp)
    rig.tick(1 * MS)
    assert not rig.bench.commands
    sent(rig, 0, 200, stamp=stamp)
    sent(rig, 1, 300)
    rig.tick(2 * MS)
    sent(rig, 1, 400)
    rig.tick(3 * MS)
    sent(rig, 0, 500, stamp=stamp)
    rig.tick(4 * MS)
    sent(rig, 1, 600)
    rig.tick(5 * MS)
    assert held(rig) == [
        {"input.Throttle": 0.02, "input.Brake": 0.03},
        {"input.Throttle": 0.05, "input.Brake": 0.06},
    ]


def test_on_can_a_packet_begins_with_its_number_among_all() -> None:
    rig = running([THROTTLE], [BRAKE], mode=STAMPED, layout=CAN)
    sent(rig, 0, 200, number=None, stamp=b"\0\0")
    sent(rig, 1, 300, number=None)
    rig.tick(1 * MS)
    assert held(rig) == [{"input.Throttle": 0.02, "input.Brake": 0.03}]


@pytest.mark.parametrize(
    "packet",
    [
        bytes.fromhex("00"),
        bytes.fromhex("0000 C409"),
        bytes.fromhex("0001 C4090000"),
        bytes.fromhex("0100 C4090000"),
        bytes.fromhex("0000 11270000"),
        bytes.fromhex("0000 FFFFFFFF"),
    ],
)
def test_packets_without_values_within_the_limits_are_counted_and_nothing_else(packet: bytes) -> None:
    """Too short, of a list or an ODT that is not there, beyond 100 %, below 0."""
    rig = running([THROTTLE])
    rig.slave.stimulate(packet)
    rig.tick(1 * MS)
    assert not rig.bench.commands
    assert rig.counters["ignored"] == 1
    assert "late" not in rig.counters


@pytest.mark.parametrize("address", [SPEED, 0x10000 + 4 * 7, THROTTLE + 2])
def test_what_cannot_be_held_makes_no_list(address: int) -> None:
    """What the bench computes, the gear paddle, which makes steps, and a part of an entry."""
    rig = Rig(write=True)
    path = next(entry.path for at, entry in rig.slave._map.addresses() if at == 0x10000 + 4 * 7)
    assert path == "input.GearShift"
    rig.allocate([address], mode=STIM)
    assert rig.ask(0xDE, "BH", 1, 0) == bytes.fromhex("FE2A")
    assert rig.ask(0xDE, "BH", 2, 0) == bytes.fromhex("FE2A")


def test_a_bench_that_is_only_read_has_no_such_lists() -> None:
    rig = Rig()
    rig.allocate([THROTTLE])
    assert rig.ask(0xE0, "BHHBB", STIM, 0, 0, 1, 0) == bytes.fromhex("FE27")
    rig.slave.stimulate(bytes.fromhex("0000 C4090000"))
    assert rig.counters["ignored"] == 1
    assert rig.ask(0xD9)[3:5] == bytes((1, 0))


def test_the_slave_says_what_it_can() -> None:
    """GET_DAQ_RESOLUTION_INFO: entries of 4 bytes up to 252; GET_DAQ_EVENT_INFO: both directions; no prescaler."""
    rig = running([THROTTLE])
    assert rig.ask(0xD9)[1:5] == bytes((1, 255, 4, 252))
    assert rig.ask(0xD7, "BH", 0, 0)[1] == 0x8C
    assert rig.ask(0xDF, "BH", 0, 0)[1] == 0x42
    assert rig.ask(0xDE, "BH", 0, 0)[:1] == OK
    assert rig.ask(0xE0, "BHHBB", STIM, 0, 0, 2, 0) == bytes.fromhex("FE22")


def test_it_needs_the_key_of_its_resource() -> None:
    rig = Rig(write=True, key=lambda _resource, seed: seed)
    for resource in (4, 8):
        if resource == 8:
            assert rig.ask(0xD6) == OK
            assert rig.ask(0xE0, "BHHBB", STIM, 0, 0, 1, 0) == bytes.fromhex("FE25")
        seed = rig.ask(0xF8, "BB", 0, resource)[2:]
        assert rig.ask(0xF7, "B16s", 16, seed)[:1] == OK
    rig.allocate([THROTTLE], mode=STIM)


def test_one_command_holds_all_lists_of_an_event_and_not_too_many() -> None:
    rig = Rig(write=True)
    settable = [address for address, entry in rig.slave._map.addresses() if entry.limits is not None]
    settable.remove(0x10000 + 4 * 7)
    assert len(settable) > 65
    rig.allocate(settable[:64], mode=STIM)
    assert rig.ask(0xDE, "BH", 1, 0)[:1] == OK
    rig.allocate(settable[:65], mode=STIM)
    assert rig.ask(0xDE, "BH", 1, 0) == bytes.fromhex("FE30")


def test_what_the_bench_refuses_is_counted_as_an_error() -> None:
    rig = running([THROTTLE])
    rig.bench.refused = "input.Throttle"
    sent(rig, 0, 100)
    rig.tick(1 * MS)
    rig.tick(2 * MS)
    assert rig.counters["errors"] == 1


def test_the_end_of_a_session_gives_back_after_the_last_values() -> None:
    """A list that another master allocates begins without them."""
    rig = running([THROTTLE])
    sent(rig, 0, 100)
    rig.tick(1 * MS)
    sent(rig, 0, 200)
    rig.slave.answer(bytes((0xFE,)))
    assert rig.stream.settled == 1
    assert rig.bench.commands[-1]["command"] == "give-back"
    rig.slave.connect("another")
    rig.allocate([THROTTLE], mode=STIM)
    rig.ask(0xDE, "BH", 1, 0)
    rig.tick(2 * MS)
    assert rig.bench.commands[-1]["command"] == "give-back"
