"""The Debian package on a machine that runs: installed, upgraded, removed, purged; and what lintian says about it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from .machine import BENCH, Machine

USER = {f"/etc/{name}-" for name in ("passwd", "group", "shadow", "gshadow")} | {"/etc/.pwd.lock"}
"""What making a user leaves behind; systemd/README.md says that it stays, and its results."""

UNITS = "hilbridge.service hilbridge@side.service"

KEPT = USER | {"/var/lib/hilbridge"}


def test_lintian_has_nothing_to_say(package: Path) -> None:
    """Each exception stands in systemd/debian/hilbridge.lintian-overrides, with its reason."""
    lintian = shutil.which("lintian")
    assert lintian, "on Debian: apt-get install lintian"
    checked = subprocess.run([lintian, package], capture_output=True, text=True, timeout=300, check=False)
    assert (checked.returncode, checked.stdout) == (0, "")


@pytest.fixture(scope="module")
def before(debian: Machine) -> set[str]:
    """The files of a machine that has never seen hilbridge; listed twice: once, a listing lacked a name."""
    return debian.files() | debian.files()


@pytest.fixture(scope="module")
def installed(debian: Machine, before: set[str], package: Path) -> Machine:
    """With the package, just installed."""
    debian.run(f"dpkg --install {package}")
    return debian


def test_an_installed_package_runs(installed: Machine) -> None:
    """Nothing is started unasked."""
    assert installed.run("hilbridge --version").startswith("hilbridge ")
    installed.run("hilbridge run --clock virtual --duration 1")
    assert installed.show("hilbridge", "ActiveState") == "inactive"
    assert installed.show("hilbridge", "UnitFileState") == "disabled"


def test_an_upgrade_keeps_bench_files_and_restarts_what_runs(installed: Machine, package: Path) -> None:
    """Bench files are configuration files of the package."""
    for file, name in (("bench", "lab"), ("benches/side", "side")):
        installed.write(f"/etc/hilbridge/{file}.yaml", BENCH.replace("name: lab", f"name: {name}"))
    installed.run(f"systemctl start {UNITS}")
    processes = main_processes(installed)
    installed.run(f"dpkg --install {package}")
    assert installed.run("cat /etc/hilbridge/bench.yaml") == BENCH.strip()
    assert installed.run(f"systemctl is-active {UNITS}") == "active\nactive"
    assert not main_processes(installed) & processes


def test_removing_ends_what_runs(installed: Machine) -> None:
    """The configuration stays until the package is purged."""
    installed.run(f"systemctl start {UNITS}")
    installed.run("dpkg --remove hilbridge")
    assert installed.ask("pgrep --uid hilbridge")[0] == 1
    installed.run("ls /etc/hilbridge/bench.yaml /var/lib/hilbridge/lab.json")


def test_a_purged_package_is_gone(installed: Machine, before: set[str]) -> None:
    """Nothing remains but the user, his results, and the bench files that he wrote himself."""
    installed.run("rm /etc/hilbridge/benches/side.yaml; dpkg --purge hilbridge")
    left = (installed.files() & installed.files()) - before
    others = ("/var/lib/hilbridge/", "/var/backups/")  # dpkg saves its lists there at midnight
    assert {name for name in left if not name.startswith(others)} <= KEPT
    assert installed.show("hilbridge", "LoadState") == "not-found"


def main_processes(machine: Machine) -> set[str]:
    return set(machine.run(f"systemctl show --value --property=MainPID {UNITS}").split())
