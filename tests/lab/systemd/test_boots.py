"""Boots at which something is missing or wrong and comes right by itself: nobody types a command to the bench.

The adapter is slcand on a pseudo terminal, so hardware to hilbridge; what it would send to a car is kept in a file. An
hour is waited for in tests/daemon/boundary/links/test_socketcan.py, on ticks alone. `systemctl status`, `hilbridge
service` and the page say in each state what is wrong; the recording of each boot replays to the byte.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from .adapter import PLACE, PROGRAM, frames, plug_in
from .conftest import PATIENT
from .machine import BENCH, CHECKOUT, Machine

TOKEN = "0123456789abcdef0123"

ARMED = BENCH.replace("vcan0", "can0\n    armed: true").replace("{enabled: false}", f"{{token: {TOKEN}}}")
"""Hardware that the file arms: nobody is there to do it."""

RECORDED = """
[Service]
ExecStart=
ExecStart=/usr/bin/hilbridge run /etc/hilbridge/bench.yaml --record /var/lib/hilbridge/boot-%b
"""

NETWORK = """
[Match]
Name=can0
[Link]
ActivationPolicy=up
RequiredForOnline=no
"""
"""What sets an interface up when it comes; slcand has set the bit rate."""

PAST = """
[Unit]
Before=hilbridge.service
[Service]
Type=oneshot
ExecStart=/bin/date --set=@86400
[Install]
WantedBy=multi-user.target
"""
"""A clock without a battery: 2 January 1970."""

EARLY = """
[Unit]
Before=hilbridge.service
[Service]
ExecStart=/usr/bin/python3 /root/adapter.py can0 /run/heard
[Install]
WantedBy=multi-user.target
"""

PAGE = f"""
import urllib.request
request = urllib.request.Request("http://127.0.0.1:8090/", headers={{"Authorization": "Bearer {TOKEN}"}})
print(urllib.request.urlopen(request, timeout=20).read().decode())
"""


def page(machine: Machine) -> str:
    return machine.run("python3 /root/page.py")


def until(machine: Machine, condition: Callable[[], object]) -> None:
    """Waits for a bench that starts at a boot beside everything else, on a busy host."""
    machine.until(condition, patience=240.0, nap=2.0)


def year(machine: Machine) -> str:
    """Of the date of the run, as a client reads it."""
    return machine.ask("hilbridge ctl get clock.Year")[1].split()[-1]


def status(machine: Machine) -> str:
    """What an operator reads who knows no other command."""
    return machine.ask("systemctl --no-pager --full status hilbridge")[1]


def pull(machine: Machine) -> None:
    machine.run("systemctl stop adapter")
    until(machine, lambda: machine.ask("ip link show can0")[0])


def hears(machine: Machine) -> bool:
    """Whether DriverInputs, which the bench sends, has come to the adapter."""
    return frames(machine) > 0


def replays(machine: Machine) -> None:
    """The recording of this boot, after the end of the run."""
    folder = "/var/lib/hilbridge/boot-$(tr -d - </proc/sys/kernel/random/boot_id)"
    machine.run("systemctl stop hilbridge")
    said = machine.run(f"hilbridge replay {folder}")
    assert "identical" in said, said


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory, package: Path) -> Path:
    """The folder of a machine with the package, whose service is started at boot."""
    folder = tmp_path_factory.mktemp("boots")
    with closing(Machine(folder)) as machine:
        machine.run(f"mkdir -p {CHECKOUT}; mount -t hostfs -o ro,{CHECKOUT} checkout {CHECKOUT}")
        machine.run(f"dpkg --install {package}")
        for name, text in (("patient", PATIENT), ("recorded", RECORDED)):
            machine.run("mkdir -p /etc/systemd/system/hilbridge.service.d")
            machine.write(f"/etc/systemd/system/hilbridge.service.d/{name}.conf", text)
        machine.write("/etc/systemd/network/80-can0.network", NETWORK)
        machine.write(PLACE, PROGRAM)
        machine.write("/root/page.py", PAGE)
        machine.write("/etc/systemd/system/past.service", PAST)
        machine.write("/etc/systemd/system/early.service", EARLY)
        machine.write("/etc/hilbridge/bench.yaml", ARMED)
        machine.run("systemctl daemon-reload; systemctl enable hilbridge past; sync")
    return folder


@pytest.fixture
def boot(disk: Path) -> Iterator[Machine]:
    with closing(Machine(disk)) as machine:
        yield machine
        machine.run("sync")


def test_an_adapter_comes_late_twice_and_renamed_and_the_clock_is_set(boot: Machine) -> None:
    until(boot, lambda: boot.show("hilbridge", "ActiveState") == "active")
    assert "socketcan can0 cannot be opened: there is no such interface" in status(boot)
    assert "awaited for" in status(boot)
    assert "ip link set can0 up type can bitrate 500000" in status(boot)
    until(boot, lambda: "awaited for" in boot.ask("hilbridge service")[1])
    assert "NOT SYNCHRONISED" in boot.ask("hilbridge service")[1]
    until(boot, lambda: "the clock of the machine is NOT SYNCHRONISED" in boot.show("hilbridge", "StatusText"))
    assert "<title>" in page(boot)
    until(boot, lambda: year(boot) == "1970")

    plug_in(boot)
    until(boot, lambda: hears(boot))
    until(boot, lambda: "1 of 1 links up" in boot.show("hilbridge", "StatusText"))
    assert "awaited" not in status(boot)

    boot.run(f"date --set=@{int(boot.run('date +%s')) + 56 * 365 * 86400}")
    until(boot, lambda: year(boot) in ("2025", "2026"))

    pull(boot)
    until(boot, lambda: "awaited for" in boot.show("hilbridge", "StatusText"))
    plug_in(boot)
    until(boot, lambda: hears(boot))

    pull(boot)
    plug_in(boot, "can7")
    until(boot, lambda: boot.ask("ip link show can7")[0] == 0)
    boot.run("ip link set can7 down; ip link set can7 name can0")  # as udev does, by a rule that is late
    until(boot, lambda: hears(boot))
    assert boot.show("hilbridge", "NRestarts") == "0"
    replays(boot)


def test_a_wrong_file_at_the_boot_is_on_the_page_and_once_mended_the_bench_starts(disk: Path) -> None:
    """The adapter is there before the bench; a stop meanwhile is a stop."""
    with closing(Machine(disk)) as machine:
        machine.run("rm -f /etc/systemd/system/multi-user.target.wants/past.service; systemctl enable early")
        machine.write("/etc/hilbridge/bench.yaml", ARMED.replace("rate: 50", "rate: fast"))
        machine.run("sync")
    with closing(Machine(disk)) as machine:
        mending = "hilbridge-mend@hilbridge"
        until(machine, lambda: "does not start" in machine.show(mending, "StatusText"))
        line = "/etc/hilbridge/bench.yaml:3: rate: "
        assert f"not started: {line}" in status(machine)
        assert "mend it, and the bench starts by itself" in status(machine)
        assert "status=2" in status(machine)
        assert line in page(machine)
        assert "http://127.0.0.1:8090/" in machine.ask("hilbridge service")[1]
        assert machine.show("hilbridge", "NRestarts") == "0"

        machine.ask("systemctl stop hilbridge")
        until(machine, lambda: machine.show(mending, "ActiveState") == "inactive")
        assert "nothing waits for the file" in machine.ask("hilbridge service")[1]
        machine.ask("systemctl restart hilbridge")  # it is wrong still, and watched again
        until(machine, lambda: "does not start" in machine.show(mending, "StatusText"))

        machine.write("/etc/hilbridge/bench.yaml", ARMED)
        until(machine, lambda: machine.show("hilbridge", "ActiveState") == "active")
        until(machine, lambda: hears(machine))
        assert machine.show(mending, "ActiveState") == "inactive"
        assert "does not start" not in page(machine)
        replays(machine)


def test_a_root_that_is_read_only_is_told_and_the_frames_flow_all_the_same(disk: Path) -> None:
    """What an SD card becomes that fails. A run that must be recorded there is tried again; the state is not stored."""
    with closing(Machine(disk, writable=False)) as machine:
        assert machine.ask("touch /root/written")[0] == 1
        machine.run("systemctl start early")
        refusal = r"not started: cannot record into /var/lib/hilbridge/boot-\w+: Read-only file system"
        until(machine, lambda: re.search(refusal, machine.show("hilbridge", "StatusText")))
        until(machine, lambda: int(machine.show("hilbridge", "NRestarts")) >= 2)
        assert machine.show("hilbridge-mend@hilbridge", "ActiveState") == "inactive"  # no file is wrong

        plain = "[Service]\nExecStart=\nExecStart=/usr/bin/hilbridge run /etc/hilbridge/bench.yaml\n"
        machine.run("mkdir -p /run/systemd/system/hilbridge.service.d")
        machine.write("/run/systemd/system/hilbridge.service.d/zz-plain.conf", plain)
        machine.run("systemctl daemon-reload; systemctl restart hilbridge")
        until(machine, lambda: "NOT STORED" in machine.show("hilbridge", "StatusText"))
        until(machine, lambda: hears(machine))
        screen = machine.ask("hilbridge service")[1].splitlines()
        assert any(line.startswith("!") and "NOT STORED" in line for line in screen)
        assert "NOT STORED" in machine.run("hilbridge ctl status")
