"""Protection is put together only where it fits the frame."""

from typing import Any

import pytest
from pydantic import ValidationError

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.protection import ProtectionSettings
from hilbridge.frames.codec import compile_message
from hilbridge.frames.protection import build_checker, build_protector

from ..codec.examples import message, signal
from .builders import PLACE, checker, counted, parsed, protected, protector, summed

CODEC = compile_message(
    message(
        signal("Page", 0, 4, is_multiplexer=True),
        signal("Paged", 8, 4, multiplexer_signal="Page", multiplexer_ids=[1]),
        signal("Alive", 23, 4, order="big_endian"),
        signal("Wide", 24, 16),
        signal("CHECKSUM", 56, 8),
    )
)


def test_nothing_asked_for_is_nothing_built() -> None:
    """No settings, no protection."""
    assert build_protector([], CODEC, 0x123, 8, PLACE) is None
    assert build_checker([], CODEC, 0x123, 8, PLACE) is None


def test_signals_are_found_by_name_and_by_place() -> None:
    """Both kinds count as filled; the bits are those of the database."""
    named = {"counter": {"at": "Alive"}, "checksum": {"at": "CHECKSUM", "algorithm": "xor8"}}
    one = protector(named, codec=CODEC)
    assert one.signals == {"Alive", "CHECKSUM"}
    assert protected(one, bytes(8), 2)[1].hex() == "0000100000000010"
    by_place = {"counter": {"at": {"bit": 24, "width": 8}, "second": {"at": {"bit": 32, "width": 8}}}}
    assert protector(by_place, codec=CODEC).signals == {"Wide"}


@pytest.mark.parametrize(
    ("settings", "key", "reason"),
    [
        ([{"counter": {"at": "Alife"}}], (0, "counter", "at"), "did you mean Alive"),
        ([{"counter": {"at": "Paged"}}], (0, "counter", "at"), "multiplexed"),
        ([{"counter": {"at": {"bit": 24, "width": 4}}}], (0, "counter", "at"), "lies in signal Wide"),
        ([{"counter": {"at": {"bit": 62, "width": 4}}}], (0, "counter", "at"), "does not fit into 8 bytes"),
        ([{"counter": {"at": ["Alive", "Alive"]}}], (0, "counter", "at"), "parts overlap"),
        ([{"counter": {"at": "Alive"}}, {"counter": {"at": "Alive"}}], (1, "counter", "at"), "overlaps"),
        ([{"counter": {"at": "Alive", "second": {"at": "Alive"}}}], (0, "counter", "second", "at"), "overlaps"),
        ([summed(), summed(byte=1, first=3, last=6)], (0, "checksum"), "checksum of a later group"),
        ([{"e2e": {"profile": "4", "data_id": 1}}], (0, "e2e"), "header reaches to byte 11"),
    ],
)
def test_what_does_not_fit_is_refused(settings: list[Any], key: tuple[str | int, ...], reason: str) -> None:
    """With the key path."""
    with pytest.raises(ConfigurationError, match=reason) as caught:
        protector(*settings, codec=CODEC)
    assert caught.value.place == (*PLACE, *key)


def test_a_receiver_may_look_at_a_part_of_a_signal() -> None:
    """It overwrites nothing; what is no place at all is refused for it too."""
    inside: Any = {"counter": {"at": {"bit": 24, "width": 4}}}
    assert checker(inside, codec=CODEC).check(bytes(8)) is None
    with pytest.raises(ConfigurationError, match="did you mean Alive"):
        checker({"counter": {"at": "Alife"}}, codec=CODEC)


def test_a_signal_needs_a_database() -> None:
    """A raw frame has bits only."""
    with pytest.raises(ConfigurationError, match="give 'bit' and 'width'"):
        protector({"counter": {"at": "Alive"}})


def test_a_later_checksum_may_cover_an_earlier_one() -> None:
    """It sees the sum that was just filled in."""
    frame = protected(protector(summed(byte=1, last=0), summed(byte=2), length=3), b"\x21\0\0")[0]
    assert frame.hex() == "212142"


# -- the settings themselves ---------------------------------------------------------------------------------------


def test_short_forms() -> None:
    """A preset alone, a signal alone, one place without a list."""
    (preset, explicit) = parsed("honda", {"counter": {"at": "Alive"}})
    assert preset == ProtectionSettings(preset="honda")
    assert explicit.counter is not None
    assert explicit.counter.at is not None
    assert explicit.counter.at[0].signal == "Alive"


@pytest.mark.parametrize(
    "settings",
    [
        {},
        7,
        "no-such-maker",
        {"preset": "honda", "e2e": {"profile": "5", "data_id": 1}},
        {"counter": {}},
        {"counter": {"at": []}},
        {"counter": {"at": {"bit": 3}}},
        {"counter": {"at": {"bit": 3, "width": 3, "signal": "A"}}},
        {"checksum": {"at": "A"}},
        {"checksum": {"algorithm": "crc8"}},
        {"preset": "honda", "counter": {"second": {}}},
        counted(second={"at": "A", "second": {"at": "B"}}),
        counted(advance="round"),
        counted(minimum=5, maximum=5),
        counted(values=[1]),
        counted(values=[1, 2, 1]),
        counted(values=[1, 2], step=2),
        summed(algorithm="crc8", negate=True),
        summed(reflect=True),
        summed(algorithm="hook"),
        summed(function="a:b"),
        summed(algorithm="hook", function="os.system"),
        summed(before=["data-id"]),
        summed(data_ids=[1]),
        summed(before=["identity"]),
        {"e2e": {"profile": "3", "data_id": 1}},
        {"e2e": {"profile": "2", "data_ids": [1]}},
        {"e2e": {"profile": "2", "data_ids": [1] * 16, "offset": 1}},
        {"e2e": {"profile": "5"}},
        {"e2e": {"profile": "5", "data_id": 0x10000}},
        {"e2e": {"profile": "1C", "data_id": 0x1000}},
    ],
)
def test_settings_that_say_too_much_or_too_little(settings: Any) -> None:
    """Refused when they are read."""
    with pytest.raises(ValidationError):
        parsed(settings)
