"""The address of a page for a phone. The QR code is judged by the finder patterns of ISO/IEC 18004, section 6.3.3."""

import re
from typing import Self

import pytest

from hilbridge.base.process.phone import qr_code, reachable

FINDER = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
"""Rows of the pattern in three corners; 1 is dark."""
QUIET = 2
"""Light modules around it, as on a screen."""


def modules(text: str) -> list[str]:
    """The rows of a code of half blocks, white on black, with 1 for a dark module."""
    light = {" ": "00", "█": "11", "▀": "10", "▄": "01"}
    rows = []
    for line in re.sub("\x1b\\[[0-9;]*m", "", text).splitlines():
        rows += ["".join("01"[light[each][half] == "0"] for each in line) for half in (0, 1)]
    return rows


@pytest.mark.parametrize("url", ["http://192.168.1.12:8090/", f"http://10.0.0.7:8090/?token={'5f' * 16}"])
def test_a_code_has_its_patterns_in_three_corners(url: str) -> None:
    text = qr_code(url)
    assert text is not None
    rows = modules(text)
    size = len(rows[0]) - 2 * QUIET
    assert size % 4 == 1  # 17 + 4 for each version
    corners = {(QUIET, QUIET): True, (QUIET, QUIET + size - 7): True, (QUIET + size - 7, QUIET): True}
    for (top, left), there in corners.items():
        assert ([row[left : left + 7] for row in rows[top : top + 7]] == FINDER) is there
    assert {row[:QUIET] + row[-QUIET:] for row in rows[: size + QUIET]} == {"0" * 2 * QUIET}


def test_without_its_package_there_is_no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hilbridge.base.process.phone.find_spec", lambda _name: None)
    assert qr_code("http://10.0.0.7/") is None


@pytest.mark.parametrize(
    ("url", "outside"),
    [
        ("http://127.0.0.1:8090/?token=a", None),
        ("http://[::1]:8090/", None),
        ("http://192.168.1.12:8090/?token=a", "http://192.168.1.12:8090/?token=a"),
        ("http://[fd00::2]:80/", "http://[fd00::2]:80/"),
    ],
)
def test_who_reaches_a_page(url: str, outside: str | None) -> None:
    """Loopback is of this machine alone, an address of a network is as it is."""
    assert reachable(url) == outside


def test_all_networks_are_one_that_leads_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The socket is asked, and nothing is sent."""

    class Probe:
        def __init__(self, *_: object) -> None:
            pass

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def connect(self, where: tuple[str, int]) -> None:
            if where[0] != "192.0.2.1":
                raise OSError("no route")

        def getsockname(self) -> tuple[str, int]:
            return "10.1.2.3", 5

    monkeypatch.setattr("hilbridge.base.process.phone.socket.socket", Probe)
    assert reachable("http://0.0.0.0:8090/?token=a") == "http://10.1.2.3:8090/?token=a"
    assert reachable("http://[::]:8090/") is None
