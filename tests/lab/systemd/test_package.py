"""The Debian package on a machine that runs: installed, upgraded, removed, purged; and what lintian says about it."""

import shutil
import subprocess
from pathlib import Path

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


def test_an_installed_package_runs_and_a_purged_one_is_gone(debian: Machine, package: Path) -> None:
    """Nothing is started unasked; nothing remains but the user and his results."""
    before = debian.files()
    debian.run(f"dpkg --install {package}")
    assert debian.run("hilbridge --version").startswith("hilbridge ")
    debian.run("hilbridge run --clock virtual --duration 1")
    assert debian.show("hilbridge", "ActiveState") == "inactive"
    assert debian.show("hilbridge", "UnitFileState") == "disabled"
    debian.run("dpkg --purge hilbridge")
    assert debian.files() - before <= KEPT
    assert debian.show("hilbridge", "LoadState") == "not-found"


def test_an_upgrade_keeps_bench_files_and_restarts_what_runs(debian: Machine, package: Path) -> None:
    """Bench files are configuration files of the package."""
    debian.run(f"dpkg --install {package}")
    for file, name in (("bench", "lab"), ("benches/side", "side")):
        debian.write(f"/etc/hilbridge/{file}.yaml", BENCH.replace("name: lab", f"name: {name}"))
    debian.run(f"systemctl start {UNITS}")
    processes = main_processes(debian)
    debian.run(f"dpkg --install {package}")
    assert debian.run("cat /etc/hilbridge/bench.yaml") == BENCH.strip()
    assert debian.run(f"systemctl is-active {UNITS}") == "active\nactive"
    assert not main_processes(debian) & processes


def test_removing_ends_what_runs(debian: Machine) -> None:
    """The configuration stays until the package is purged."""
    debian.run(f"systemctl start {UNITS}")
    debian.run("dpkg --remove hilbridge")
    assert debian.ask("pgrep --uid hilbridge")[0] == 1
    debian.run("ls /etc/hilbridge/bench.yaml /var/lib/hilbridge/lab.json")


def main_processes(machine: Machine) -> set[str]:
    return set(machine.run(f"systemctl show --value --property=MainPID {UNITS}").split())
