"""Telegrams of serial buses to bytes and back, judged by telegrams of cars."""

import random
from functools import reduce
from operator import xor
from typing import Any

import pytest

from hilbridge.bench.lines.layout import Layout, Splitter, exclusive_or
from hilbridge.files.settings.lines import Telegram, TelegramLine

PUBLISHED = {
    "D0 08 BF 5B 1B 00 00 40 00 67": (0xD0, 0xBF, "5B 1B 00 00 40 00"),
    "D0 08 BF 5B 40 00 04 00 00 78": (0xD0, 0xBF, "5B 40 00 04 00 00"),
    "D0 07 BF 5B 00 89 00 00 BA": (0xD0, 0xBF, "5B 00 89 00 00"),
    "60 03 D0 5A E9": (0x60, 0xD0, "5A"),
    "C8 04 FF 02 31 00": (0xC8, 0xFF, "02 31"),
    "80 04 BF 02 01 38": (0x80, 0xBF, "02 01"),
}
"""Telegrams of cars with their checksums (piersholt/wilhelm-docs: lcm/5b.md, lcm/5a.md, 02.md)."""


def layout(**keys: Any) -> Layout:
    return Layout(TelegramLine(protocol="telegrams", port="pty", **keys))


def telegram(source: int, destination: int, data: str) -> Telegram:
    return Telegram(source=source, destination=destination, data=data, period=100)


@pytest.mark.parametrize("whole", PUBLISHED)
def test_a_telegram_is_that_of_a_car(whole: str) -> None:
    source, destination, data = PUBLISHED[whole]
    sent = layout().encode(telegram(source, destination, data), bytes.fromhex(data))
    assert sent.hex(" ").upper() == whole
    assert list(Splitter(layout()).feed(sent)) == [sent[:-1]]


def test_a_layout_is_data() -> None:
    """DS2 of the same maker: address, length of the whole telegram, data, exclusive or: `12 04 00 16`."""
    ds2 = layout(order=["destination", "length", "data", "checksum"], length_adds=3)
    assert ds2.encode(telegram(0, 0x12, "00"), b"\0").hex(" ") == "12 04 00 16"
    added = layout(order=["length", "data", "checksum"], length_adds=1, checksum="sum")
    assert added.encode(telegram(0, 0, "F0 20"), bytes.fromhex("F0 20")).hex(" ") == "03 f0 20 13"


def test_telegrams_between_noise_are_found_in_any_portions() -> None:
    whole = [bytes.fromhex(one) for one in PUBLISHED]
    chance = random.Random(7)
    noise = b"".join(one + bytes([0xFF, 0x01]) for one in whole)  # FF 01: a length that is none
    for _ in range(50):
        splitter, rest = Splitter(layout()), noise
        found: list[bytes] = []
        while rest:
            size = chance.randint(1, 9)
            found += splitter.feed(rest[:size])
            rest = rest[size:]
        found += splitter.silence()
        assert found == [one[:-1] for one in whole]
        assert splitter.damaged == len(whole)


@pytest.mark.parametrize("broken", range(9))
def test_a_byte_with_wrong_parity_spoils_its_telegram_alone(broken: int) -> None:
    """The kernel gives such a byte as 0 (INPCK of termios(3))."""
    one, two = (bytes.fromhex(text) for text in list(PUBLISHED)[2:4])
    spoilt = one[:broken] + b"\0" + one[broken + 1 :]
    splitter = Splitter(layout())
    found = [*splitter.feed(spoilt), *splitter.silence(), *splitter.feed(two)]
    assert found[-1] == two[:-1]
    assert found[:-1] == ([one[:-1]] if spoilt == one else [])
    assert splitter.damaged == (spoilt != one)


def test_the_exclusive_or_is_that_of_each_byte() -> None:
    chance = random.Random(5)
    for size in range(140):
        data = chance.randbytes(size)
        assert exclusive_or(data) == reduce(xor, data, 0)


def test_random_bytes_end_and_leave_little() -> None:
    chance = random.Random(3)
    splitter = Splitter(layout())
    for _ in range(500):
        list(splitter.feed(chance.randbytes(64)))
    list(splitter.silence())
    assert splitter.is_empty
