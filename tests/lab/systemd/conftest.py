"""Machines that systemd has booted: as Debian comes, and with the package installed and the lab's bench in place."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from xdist.remote import Producer  # type: ignore[import-untyped]
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

from .machine import BENCH, CHECKOUT, Machine

PATIENT = """
[Service]
WatchdogSec=10
TimeoutStartSec=120
"""
"""The times of the units in which a busy host may not be quick enough."""


class ByMachine(LoadScopeScheduling):  # type: ignore[misc]
    """One process runs all files of the machine with the package, so that it is booted once."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        own = ("test_boots.py", "test_install.py", "test_months.py", "test_package.py", "test_units.py")
        return file if file.endswith(own) else "machine"


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByMachine:
    return ByMachine(config, log)


@contextmanager
def booted(folder: Path) -> Iterator[Machine]:
    """The checkout lies at its own path, read-only."""
    with closing(Machine(folder)) as started:
        started.run(f"mkdir -p {CHECKOUT}; mount -t hostfs -o ro,{CHECKOUT} checkout {CHECKOUT}")
        for unit in ("hilbridge", "hilbridge@"):
            started.run(f"mkdir -p /run/systemd/system/{unit}.service.d")
            started.write(f"/run/systemd/system/{unit}.service.d/patient.conf", PATIENT)
        yield started


@pytest.fixture(scope="session")
def package() -> Path:
    """What `make deb` has built."""
    (built,) = (CHECKOUT / "build/deb").glob("hilbridge_*.deb")
    return built


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """Debian without hilbridge, for this module alone."""
    with booted(tmp_path_factory.mktemp("debian")) as fresh:
        yield fresh


@pytest.fixture(scope="session")
def machine(tmp_path_factory: pytest.TempPathFactory, package: Path) -> Iterator[Machine]:
    """With the package, and the lab's bench in its place; nothing of hilbridge runs yet."""
    with booted(tmp_path_factory.mktemp("machine")) as prepared:
        prepared.run(f"dpkg --install {package}")
        prepared.write("/etc/hilbridge/bench.yaml", BENCH)
        yield prepared


@pytest.fixture
def service(machine: Machine) -> str:
    """The main process of hilbridge.service, which has said that it is ready."""
    machine.run("systemctl start hilbridge")
    return machine.show("hilbridge", "MainPID")
