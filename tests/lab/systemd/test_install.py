"""`make install` and `make uninstall` on a machine that runs, as root, from a wheel.

The machine has no network: pip finds the wheels that `make deb` left.
"""

import json

import pytest

from .machine import BENCH, CHECKOUT, Machine
from .test_package import KEPT, UNITS, main_processes

WHEELS = CHECKOUT / "build/deb/source/debian/wheels"


@pytest.fixture(scope="module")
def before(debian: Machine) -> set[str]:
    """The files of a machine that has never seen hilbridge."""
    return debian.files()


@pytest.fixture(scope="module")
def installed(debian: Machine, before: set[str]) -> Machine:
    """With the bench as it is shipped, but slower and without a page, and another one, both started now and at boot."""
    assert "systemctl enable --now hilbridge" in make(debian, "install")
    debian.run("sed -i 's/^rate: 1000/rate: 100/' /etc/hilbridge/bench.yaml")
    debian.run("echo 'cockpit: {enabled: false}' >>/etc/hilbridge/bench.yaml")
    debian.write("/etc/hilbridge/benches/side.yaml", BENCH.replace("name: lab", "name: side"))
    debian.run(f"systemctl enable --now {UNITS}")
    return debian


def make(machine: Machine, target: str) -> str:
    (wheel,) = WHEELS.glob("hilbridge-*.whl")
    wheels = f"PIP_NO_INDEX=1 PIP_FIND_LINKS={WHEELS}"
    return machine.run(f"{wheels} make --no-print-directory -C {CHECKOUT} {target} WHEEL={wheel}")


def test_the_service_runs_from_the_prefix(installed: Machine) -> None:
    """Ready, in its real-time class, as its own user, from /usr/local."""
    process = installed.show("hilbridge", "MainPID")
    assert installed.run(f"systemctl is-active {UNITS}") == "active\nactive"
    assert installed.run(f"tr '\\0' ' ' </proc/{process}/cmdline").split()[1] == "/usr/local/bin/hilbridge"
    assert installed.run(f"stat --format=%U /proc/{process}") == "hilbridge"
    assert "SCHED_FIFO" in installed.run(f"chrt --pid {process}")


def test_the_machine_has_heeded_its_other_files(installed: Machine) -> None:
    """At once, not only after a boot."""
    assert installed.run("cat /proc/sys/net/core/rmem_max") == str(4 * 1024 * 1024)
    assert "dialout" in installed.run("id --name --groups hilbridge").split()
    assert installed.run("stat --format='%U %a' /run/hilbridge /var/lib/hilbridge") == "hilbridge 755\nhilbridge 750"


@pytest.mark.nightly
def test_installing_again_keeps_bench_files_and_state_and_restarts_what_runs(installed: Machine) -> None:
    bench = installed.run("cat /etc/hilbridge/bench.yaml")
    processes = main_processes(installed)
    make(installed, "install")
    assert installed.run("cat /etc/hilbridge/bench.yaml") == bench
    assert installed.run(f"systemctl is-active {UNITS}") == "active\nactive"
    assert not main_processes(installed) & processes
    kept = odometer(installed)
    installed.run("systemctl restart hilbridge")
    assert odometer(installed) >= kept > 0


def test_uninstalling_leaves_configuration_and_state_and_nothing_else(installed: Machine, before: set[str]) -> None:
    assert "left as they are" in make(installed, "uninstall")
    left = installed.files() - before
    assert {name for name in left if not name.startswith(("/etc/hilbridge", "/var/lib/hilbridge/"))} <= KEPT
    assert installed.run("ls /etc/hilbridge/bench.yaml /var/lib/hilbridge/demo.json")
    assert installed.ask("pgrep --uid hilbridge")[0] == 1
    assert "hilbridge" not in installed.run("ls /run").split()
    assert installed.run(f"systemctl show --value --property=LoadState {UNITS}").split() == ["not-found"] * 2


def odometer(machine: Machine) -> int:
    """[mm] in the stored state."""
    return int(json.loads(machine.run("cat /var/lib/hilbridge/demo.json"))["state"]["vehicle"]["odometer"])
