"""The rules of single input settings: keys that belong together, and time-outs that can work."""

from typing import Any

import pytest
from pydantic import ValidationError

from hilbridge.files.settings import InputSignal, SerialInput, UdpInput
from hilbridge.files.settings.inputs import timeout_problem

TRACK = {"field": "a", "minimum": 0, "maximum": 1}


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"minimum": 0}, "belong together"),
        ({"minimum": 0, "maximum": 1, "unit": "V"}, "does not go with 'minimum' and 'maximum'"),
        ({"gamma": 2, "curve": [[0, 0], [1, 1]]}, "exclude each other"),
        ({"curve": [[0, 0]]}, "two points or more"),
        ({"curve": [[0.5, 0], [0.5, 1]]}, "ascending"),
        ({"curve": [[0, 0], [2, 1]]}, "less than or equal to 1"),
        ({"values": {"0": "P"}, "smoothing": 20}, "does not go with 'values'"),
        ({"terminals": {"50": "kl50"}}, "terminal 15 is missing"),
        ({"terminals": {"15": "kl15"}, "field": "key"}, "does not go with 'terminals'"),
        ({"terminals": {"31": "kl31"}}, "'S', 'R', '15' or '50'"),
        ({"tracks": [TRACK]}, "two tracks"),
        ({"tracks": [TRACK, TRACK], "minimum": 0, "maximum": 1}, "does not go with 'tracks'"),
        ({"tracks": [TRACK, {"field": "b", "minimum": 1, "maximum": 1}]}, "are equal"),
        ({"limp": 0.3}, "needs 'tracks'"),
    ],
)
def test_a_key_that_nobody_would_read_is_an_error(keys: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        InputSignal.model_validate(keys)


def test_a_curve_is_a_list_of_pairs_as_a_file_has_it() -> None:
    """Where nothing is coerced: the lists of YAML are no tuples."""
    signal = InputSignal.model_validate({"curve": [[0, 0], [0.5, 0.2], [1, 1]]}, strict=True)
    assert signal.curve == [(0, 0), (0.5, 0.2), (1, 1)]


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"format": "nmea"}, "needs 'columns'"),
        ({"format": "cobs"}, "needs 'fields'"),
        ({"sentence": "HB"}, "format: nmea"),
        ({"format": "json", "crc": "crc16"}, "format: cobs"),
        ({"format": "cobs", "fields": [{"name": "a", "type": "u64"}]}, "'u8', 'i8'"),
    ],
)
def test_a_key_belongs_to_its_format(keys: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        SerialInput.model_validate({"source": "serial", "port": "p", "signals": {"Key": {}}, **keys})


@pytest.mark.parametrize(
    ("timeout", "rate", "works"), [(2, 1000, True), (1.9, 1000, False), (20, 100, True), (19, 100, False)]
)
def test_a_time_out_lasts_two_ticks_or_more(timeout: float, rate: int, works: bool) -> None:
    assert (timeout_problem(timeout, 1_000_000_000 // rate) is None) == works


def test_datagrams_from_the_network_need_the_names_of_their_senders() -> None:
    one = {"source": "udp", "port": 4444, "layout": "outgauge", "use": "driver"}
    assert UdpInput.model_validate(one).address == "127.0.0.1"
    assert UdpInput.model_validate({**one, "address": "0.0.0.0", "senders": ["192.0.2.7"]}).senders == ["192.0.2.7"]
    with pytest.raises(ValidationError, match="name 'senders'"):
        UdpInput.model_validate({**one, "address": "0.0.0.0"})
