"""Interfaces and links of the lab."""

import socket
import subprocess
from collections.abc import Iterator

import pytest

from hilbridge.base.common.lean_imports import lean_imports

lean_imports()  # as the program itself does: pandas takes the emulated machine twenty seconds

from .bench import Bench, ip, raw_socket  # noqa: E402 - only now


@pytest.fixture
def bench() -> Iterator[Bench]:
    ticking = Bench()
    yield ticking
    ticking.link.close()


@pytest.fixture
def raw() -> Iterator[socket.socket]:
    """A socket of the test's own on vcan0, for classic, FD and error frames."""
    with raw_socket("vcan0") as opened:
        yield opened


@pytest.fixture
def vcan9() -> Iterator[str]:
    """An interface that the test may do anything with."""
    ip("link add dev vcan9 type vcan")
    ip("link set vcan9 mtu 72 up")
    yield "vcan9"
    subprocess.run(["ip", "link", "del", "vcan9"], check=False, capture_output=True)
