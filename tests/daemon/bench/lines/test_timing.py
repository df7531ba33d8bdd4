"""How long bytes take on a line, what a slot must hold, and what goes on after a reload, by arithmetic."""

from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.lines.lin_line import LinBus, checksum
from hilbridge.bench.lines.telegram_line import TelegramBus
from hilbridge.files.settings.lines import LinLine, TelegramLine
from vehiclesim.databus import DataBus

MS = 1_000_000


class Wire:
    """A port that notes when it was written to [ms]."""

    trouble = ""

    def __init__(self) -> None:
        self.told: list[tuple[int, bytes]] = []

    def write(self, packet: bytes, t: int) -> bool:
        self.told.append((t // MS, packet))
        return True

    def set_break(self, on: bool, t: int) -> bool:
        return True

    def describe(self) -> str:
        return "wire"


def telegrams(**keys: Any) -> TelegramBus:
    one = {"source": 0x80, "destination": 0xBF, "data": "11 22 33 44", "period": 1000}
    settings: dict[str, Any] = {
        "protocol": "telegrams",
        "port": "pty",
        "telegrams": {"A": one, "B": one | {"source": 1}},
    }
    return TelegramBus("bus", TelegramLine.model_validate(settings | keys), MS, ("lines", "bus"), DataBus())


def lin(**keys: Any) -> LinBus:
    settings: dict[str, Any] = {"protocol": "lin", "port": "pty", "terminals": [30]}
    return LinBus("lin", LinLine.model_validate(settings | keys), MS, ("lines", "lin"), DataBus())


@pytest.mark.parametrize(("parity", "second"), [("even", 20), ("none", 19)])
def test_the_next_telegram_waits_for_the_line_and_its_silence(parity: str, second: int) -> None:
    """8 bytes of 11 bits at 9600 bit/s take 9.17 ms, of 10 bits 8.33 ms; then 10 ms of silence."""
    wire, bus = Wire(), telegrams(parity=parity)
    for t in range(40):
        bus.publish(t * MS, wire)
    assert [t for t, _ in wire.told] == [0, second]


def test_a_telegram_keeps_its_time_over_a_reload() -> None:
    wire, bus = Wire(), telegrams()
    for t in range(500):
        bus.publish(t * MS, wire)
    after = telegrams()
    after.take_over(bus, 500 * MS)
    for t in range(500, 1500):
        after.publish(t * MS, wire)
    assert [t for t, _ in wire.told] == [0, 20, 1000, 1020]


def test_a_counter_goes_on_over_a_reload() -> None:
    counter = [{"counter": {"at": {"bit": 0, "width": 8}}}]
    frames = {"A": {"id": 0x10, "data": "00 00", "protection": counter}}
    keys: dict[str, Any] = {"frames": frames, "schedule": [{"frame": "A", "time": 20}]}
    wire, bus = Wire(), lin(**keys)
    for t in range(40):
        bus.publish(t * MS, wire)
    after = lin(**keys)
    after.take_over(bus, 40 * MS)
    for t in range(40, 80):
        after.publish(t * MS, wire)
    assert [packet[2] for _, packet in wire.told] == [0, 1, 2, 3]


def test_a_slot_may_be_as_long_as_its_frame_and_no_shorter() -> None:
    """20 kbit/s: a tick of break, a tick of patience, 10 bytes of 14 bits are 7 ms."""
    frames = {"A": {"id": 0x10, "data": "01 02 03 04 05 06 07"}}
    lin(baudrate=20_000, frames=frames, schedule=[{"frame": "A", "time": 9}])
    with pytest.raises(ConfigurationError, match=r"needs 9\.0 ms here"):
        lin(baudrate=20_000, frames=frames, schedule=[{"frame": "A", "time": 8}])


def test_the_carry_of_a_checksum_is_added() -> None:
    """LIN 2.2A, 2.3.1.5: FF and 01 are 100, with the carry 01; its inverse is FE."""
    assert checksum(b"\xff\x01", None) == 0xFE
    assert checksum(b"\xff", None) == 0x00


def test_the_rows_tell_whose_a_frame_is() -> None:
    frames = {"A": {"id": 0x10, "data": "01 02 03"}, "B": {"id": 0x21, "length": 2}}
    bus = lin(frames=frames, schedule=[{"frame": "A", "time": 20}, {"frame": "B", "time": 20}])
    assert bus.rows() == {"A": "0x10 (0x50), 3 bytes", "B": "0x21 (0x61), 2 bytes of another node"}


@pytest.mark.parametrize("break_is_heard", [True, False])
def test_an_echo_comes_back_with_its_break_or_without(break_is_heard: bool) -> None:
    """Some adapters hand a break over as 00, others do not."""
    bus = lin(echo=True, frames={"A": {"id": 0x10, "data": "01"}}, schedule=[{"frame": "A", "time": 20}])
    wire = Wire()
    bus.publish(0, wire)
    bus.publish(MS, wire)
    ((_, sent),) = wire.told
    bus.feed((b"\x00" if break_is_heard else b"") + sent, 5 * MS)
    assert (bus.statistics.passed, bus.statistics.collisions) == (1, 0)
