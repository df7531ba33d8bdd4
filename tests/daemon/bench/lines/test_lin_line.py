"""LIN: parity and checksums of the specification, slots, doubts."""

from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.bench.lines.lin_line import LinBus, checksum, protected
from hilbridge.files.settings.lines import LinLine
from vehiclesim.channels import InputData
from vehiclesim.databus import DataBus

from .peers import LIN_IDENTIFIERS

TICK = 5_000_000


@pytest.mark.parametrize("identifier", LIN_IDENTIFIERS)
def test_parity_is_that_of_the_specification(identifier: int) -> None:
    assert protected(identifier) == LIN_IDENTIFIERS[identifier]


def test_the_checksum_is_that_of_the_specification() -> None:
    """The example of the specification (2.2A, 2.8.3): 4A 55 93 E5 gives E6."""
    assert checksum(bytes.fromhex("4A5593E5"), None) == 0xE6
    assert checksum(bytes.fromhex("5593E5"), 0x4A) == 0xE6


def line(tick: int = TICK, data: DataBus | None = None, **keys: Any) -> LinBus:
    settings: dict[str, Any] = {
        "protocol": "lin",
        "port": "pty",
        "frames": {"A": {"id": 0x10, "data": "01 02 03 04 05 06 07 08"}},
        "schedule": [{"frame": "A", "time": 20}],
    }
    return LinBus("lin", LinLine.model_validate(settings | keys), tick, ("lines", "lin"), data or DataBus())


@pytest.mark.parametrize(
    ("keys", "place", "words"),
    [
        ({"schedule": [{"frame": "A", "time": 15}]}, ("lines", "lin", "schedule", 0, "time"), "needs 18.0 ms here"),
        ({"schedule": [{"frame": "A", "time": 21}]}, ("lines", "lin", "schedule", 0, "time"), "no multiple"),
    ],
)
def test_a_slot_holds_its_frame_in_whole_ticks(keys: dict[str, Any], place: KeyPath, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words) as caught:
        line(**keys)
    assert caught.value.place == place


def test_what_no_schedule_has_is_told() -> None:
    frames = {"A": {"id": 1, "data": "01"}, "B": {"id": 2, "length": 4}}
    assert list(line(frames=frames).doubts()) == ["line lin: the schedule never has B"]


class Wire:
    """A port that notes the time [ms] of breaks and bytes; a break goes on until it is ended."""

    trouble = ""

    def __init__(self) -> None:
        self.told: list[tuple[float, str]] = []

    def write(self, packet: bytes, t: int) -> bool:
        self.told.append((t / 1e6, packet.hex(" ")))
        return True

    def set_break(self, on: bool, t: int) -> bool:
        self.told.append((t / 1e6, "break" if on else "end"))
        return True

    def describe(self) -> str:
        return "wire"


HEADER_OF_B: dict[str, Any] = {"frames": {"B": {"id": 0x21, "length": 2}}, "schedule": [{"frame": "B", "time": 40}]}


@pytest.mark.parametrize(("baudrate", "tick", "end"), [(19200, 1, 1), (9600, 1, 2), (4800, 5, 5), (2400, 1, 6)])
def test_a_break_lasts_13_bits_in_whole_ticks(baudrate: int, tick: int, end: int) -> None:
    """LIN 2.2A, 2.3.1.1: 13 bits are 0.68, 1.35, 2.71 and 5.42 ms at these rates."""
    wire, bus = Wire(), line(**HEADER_OF_B, baudrate=baudrate, tick=tick * 1_000_000)
    for t in range(0, 20, tick):
        bus.publish(t * 1_000_000, wire)
    assert wire.told == [(0, "break"), (end, "end"), (end, "55 61")]


def test_a_slot_holds_a_long_break() -> None:
    """9600 bit/s: two ticks of break, one of patience, and 7.3 ms for 5 bytes."""
    keys = HEADER_OF_B | {"baudrate": 9600, "tick": 1_000_000}
    with pytest.raises(ConfigurationError, match=r"10 ms do not hold the frame, which needs 10\.3 ms here"):
        line(**keys | {"schedule": [{"frame": "B", "time": 10}]})
    line(**keys | {"schedule": [{"frame": "B", "time": 11}]})


def test_the_sleep_frame_is_whole_before_the_next_header() -> None:
    """11 bytes need 16.04 ms beside the break and a tick; a frame of the file may be called `sleep` too."""
    keys: dict[str, Any] = {
        "frames": {"sleep": {"id": 0x10, "data": "01"}},
        "schedule": [{"frame": "sleep", "time": 20}],
    }
    data = DataBus()
    wire, bus = Wire(), line(**keys, baudrate=9600, tick=1_000_000, terminals=[15], data=data)
    for t in range(31):
        data.input[InputData.KEY] = -1 if t in (10, 11) else 0
        bus.publish(t * 1_000_000, wire)
    assert wire.told[3:] == [
        (10, "break"),
        (12, "end"),
        (12, "55 3c 00 ff ff ff ff ff ff ff 00"),
        (30, "break"),
    ]


def test_a_line_that_is_disarmed_in_a_break_ends_it_and_sends_nothing() -> None:
    wire, bus = Wire(), line(tick=TICK, echo=True)
    bus.publish(0, wire)
    bus.armed = False
    for t in range(1, 5):
        bus.publish(t * TICK, wire)
    assert wire.told == [(0, "break"), (5, "end")]
    assert (bus.statistics.unarmed, bus.statistics.silent) == (2, 0)


@pytest.mark.parametrize(
    ("frames", "told"),
    [
        ({"B": {"id": 0x21, "length": 2}}, [(5, "end"), (5, "55 61")]),
        ({"B": {"id": 0x01, "length": 2}}, [(5, "end")]),
    ],
)
def test_a_break_ends_when_the_bench_is_loaded_again(frames: dict[str, Any], told: list[tuple[float, str]]) -> None:
    wire, bus = Wire(), line(**HEADER_OF_B)
    bus.publish(0, wire)
    after = line(**HEADER_OF_B | {"frames": frames})
    after.take_over(bus, TICK)
    for t in range(1, 4):
        after.publish(t * TICK, wire)
    assert wire.told == [(0, "break"), *told]


def test_the_frames_of_a_line_are_shown_with_who_sends_them() -> None:
    bus = line(frames={"A": {"id": 0x10, "data": "01 02 03"}, "B": {"id": 0x21, "length": 2}})
    assert bus.rows() == {"A": "0x10 (0x50), 3 bytes", "B": "0x21 (0x61), 2 bytes of another node"}


@pytest.mark.parametrize("echo", ["00 55 61", "55 61"])
def test_an_echo_may_lack_the_break(echo: str) -> None:
    """A break is no byte (LIN 2.2A, 2.3.1.1): an adapter hands it over as 00, or leaves it out."""
    wire, bus = Wire(), line(**HEADER_OF_B, echo=True)
    for t in range(2):
        bus.publish(t * TICK, wire)
    answer = b"\x12\x34"
    bus.feed(bytes.fromhex(echo) + answer + bytes([checksum(answer, 0x61)]), 2 * TICK)
    assert (bus.last, bus.statistics.heard, bus.statistics.collisions) == ("B: 12 34", 1, 0)
