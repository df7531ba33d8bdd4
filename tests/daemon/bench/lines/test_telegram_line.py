"""A bus of telegrams by itself: how long its bytes take, and what goes on over a reload."""

from typing import Any

import pytest

from hilbridge.bench.lines.telegram_line import TelegramBus
from hilbridge.files.settings.lines import TelegramLine
from vehiclesim.databus import DataBus

MS = 1_000_000


def line(telegrams: dict[str, Any], **keys: Any) -> TelegramBus:
    settings = {"protocol": "telegrams", "port": "pty", "telegrams": telegrams} | keys
    return TelegramBus("kbus", TelegramLine.model_validate(settings), 5 * MS, ("lines", "kbus"), DataBus())


class Wire:
    """A port that notes what is written, with its time [ms]."""

    trouble = ""

    def __init__(self) -> None:
        self.told: list[tuple[float, str]] = []

    def write(self, packet: bytes, t: int) -> bool:
        self.told.append((t / MS, packet.hex(" ")))
        return True

    def set_break(self, on: bool, t: int) -> bool:
        return False

    def describe(self) -> str:
        return "wire"


@pytest.mark.parametrize(("parity", "share"), [("none", "126%"), ("even", "138%")])
def test_a_byte_with_parity_has_eleven_bits(parity: str, share: str) -> None:
    """Start, eight of data, parity, stop: six bytes at 1200 bit/s take 50 or 55 ms, and 0.4 of silence, of each 40."""
    one = {"source": 0xD0, "destination": 0xBF, "data": "5B 00", "period": 40}
    (doubt,) = line({"A": one}, parity=parity, baudrate=1200, quiet=0.4).doubts()
    assert f"need {share} of its time" in doubt


def test_telegrams_go_on_in_their_times_over_a_reload_that_adds_one() -> None:
    """What is new is sent from then on, though the ignition was switched on before."""
    first = {"source": 0xD0, "destination": 0xBF, "data": "5B 00", "period": 200}
    wire, before = Wire(), line({"A": first}, echo=False)
    for t in range(0, 100, 5):
        before.publish(t * MS, wire)
    after = line({"A": first, "B": {**first, "data": "5C", "period": 100}}, echo=False)
    after.take_over(before, 100 * MS)
    for t in range(100, 300, 5):
        after.publish(t * MS, wire)
    assert [t for t, sent in wire.told if " 5b " in sent] == [0, 200]
    assert [t for t, sent in wire.told if " 5c " in sent] == [100, 220]  # at 200 the other one goes first
