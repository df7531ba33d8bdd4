"""A checksum by a function of the user."""

from pathlib import Path
from typing import Any

import pytest

from hilbridge.common.errors import ConfigurationError

from .builders import checker, counted, protected, protector, summed


@pytest.fixture(autouse=True)
def _python_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


def hooked(function: str) -> dict[str, Any]:
    return counted() | summed(byte=2, algorithm="hook", function=function)


def test_a_function_calculates_the_checksum() -> None:
    """It gets the bytes with the checksum at 0, the identifier, and the count; its lowest bits are sent."""
    group = hooked("hooks:weighted")
    sent = protected(protector(group, length=4, identifier=0x18FEF100), b"\x00\x10\xee\x20", 3)
    assert [frame[2] for frame in sent] == [
        (count + 2 * 0x10 + 4 * 0x20 + 0x18FEF100 + 3 * count) % 256 for count in range(3)
    ]
    receiver = checker(group, length=4, identifier=0x18FEF100)
    assert [receiver.check(frame) for frame in sent] == [None] * 3
    assert receiver.check(sent[2][:3] + b"\x21") == "wrong_checksum"


def test_a_function_that_fails_ends_nothing() -> None:
    """The frame goes out with 0, and that is counted."""
    failing = protector(hooked("hooks:failing"), length=4)
    sent = protected(failing, bytes(4), 3)
    assert [frame[:3].hex() for frame in sent] == ["000001", "010000", "0200ff"]
    assert failing.failures == 1
    assert protector(counted() | summed(byte=2), length=4).failures == 0


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("no_such_module:checksum", "cannot import no_such_module"),
        ("hooks:missing", "hooks has no function missing"),
        ("hooks:number", "hooks has no function number"),
        ("hooks:text", "makes no whole number of 4 bytes of 0"),
    ],
)
def test_a_function_that_cannot_work_is_refused(function: str, reason: str) -> None:
    """Before the start, with its place."""
    with pytest.raises(ConfigurationError, match=reason) as caught:
        protector(hooked(function), length=4)
    assert caught.value.place[-2:] == ("checksum", "function")
