"""The emulated machine, and the bench as its service."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from .machine import Machine

SLOW = """
[Service]
WatchdogSec=15
TimeoutStartSec=180
"""
"""Of the units' times, those in which Python must come to something."""


@pytest.fixture(scope="session")
def machine() -> Iterator[Machine]:
    """Booted, with the lab's bench in its place and patience with Python; nothing of hilbridge runs yet."""
    with closing(Machine()) as booted:
        for unit in ("hilbridge", "hilbridge@"):
            booted.run(f"mkdir -p /run/systemd/system/{unit}.service.d")
            booted.write(f"/run/systemd/system/{unit}.service.d/slow.conf", SLOW)
        booted.run("systemctl daemon-reload")
        booted.write("/etc/hilbridge/bench.yaml", (Path(__file__).parent / "bench.yaml").read_text(encoding="utf-8"))
        yield booted


@pytest.fixture
def service(machine: Machine) -> str:
    """The main process of hilbridge.service, which has said that it is ready."""
    machine.run("systemctl start hilbridge")
    return machine.show("hilbridge", "MainPID")
