"""A fault in words of the command line becomes what the bench file would say."""

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.fault_words import parse_fault


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("frame can.Engine drop", {"kind": "frame", "bus": "can", "message": "Engine", "effect": "drop"}),
        (
            "frame can.0x3D0 delay delay=20 probability=0.5",
            {"kind": "frame", "bus": "can", "message": 0x3D0, "effect": "delay", "delay": 20, "probability": 0.5},
        ),
        (
            "signal can.Engine.Rpm offset value=-5e2",
            {"kind": "signal", "bus": "can", "message": "Engine", "signal": "Rpm", "effect": "offset", "value": -500},
        ),
        ("route up delay delay=5", {"kind": "route", "route": "up", "effect": "delay", "delay": 5}),
        ("signal wrong=random", {"kind": "signal", "wrong": "random"}),
        ("ecu can.ECU", {"kind": "ecu", "bus": "can", "node": "ECU"}),
        ("ecu ecu=engine", {"kind": "ecu", "ecu": "engine"}),
        ("link can bus-off at=1 for=2.5", {"kind": "link", "bus": "can", "effect": "bus-off", "at": 1, "for": 2.5}),
        ("physics fault.Misfire value=0.3", {"kind": "physics", "entry": "fault.Misfire", "value": 0.3}),
        (
            "sensor auxiliary.AirMassFlow scale value=0.8",
            {"kind": "sensor", "entry": "auxiliary.AirMassFlow", "effect": "scale", "value": 0.8},
        ),
        (
            "diagnostics engine late delay=5 service=0x22",
            {"kind": "diagnostics", "unit": "engine", "effect": "late", "delay": 5, "service": 0x22},
        ),
        (
            "diagnostics engine babble data=7E00",  # which is no number
            {"kind": "diagnostics", "unit": "engine", "effect": "babble", "data": "7E00"},
        ),
        ('{"kind": "link", "bus": "can"}', {"kind": "link", "bus": "can"}),
    ],
)
def test_words_become_keys(words: str, fault: dict[str, Any]) -> None:
    assert parse_fault(words.split(" ")) == fault
    assert parse_fault([words]) == fault, "in quotes, as tests have it"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "begins with its kind, one of signal, frame, route, ecu, link, physics, sensor, diagnostics"),
        ("drop can.Engine", "begins with its kind"),
        ("frame Engine drop", "'Engine' does not fit: frame faults are of BUS.MESSAGE"),
        ("frame can.Engine drop 5", "'5' is one word too many: further keys are written KEY=VALUE"),
        ("{kind: frame}", "this is no JSON"),
    ],
)
def test_what_cannot_be_understood_is_told(words: str, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=reason):
        parse_fault(words.split())


@given(st.lists(st.text(max_size=20), max_size=6))
def test_no_word_is_a_surprise(words: list[str]) -> None:
    """Keys with values or a ConfigurationError."""
    with contextlib.suppress(ConfigurationError):
        assert all(isinstance(key, str) for key in parse_fault(words))
