"""docs/guides/months.md as an operator follows it, on a machine that has never seen hilbridge: every `sh` block."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .conftest import booted
from .machine import CHECKOUT, Machine

GUIDE = (CHECKOUT / "docs/guides/months.md").read_text(encoding="utf-8")

BLOCKS = re.findall(r"^```sh\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)

WAIT_SYNC = """
[Service]
Type=oneshot
ExecStart=/bin/true
[Install]
WantedBy=sysinit.target
"""
"""In the place of Debian's unit, whose package is not on the disk of the lab, which has no network."""


@pytest.fixture(scope="module")
def operator(tmp_path_factory: pytest.TempPathFactory, package: Path) -> Iterator[Machine]:
    """A machine in whose home folder the package lies, and the bench of the guide."""
    (yaml,) = re.findall(r"^```yaml\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    with booted(tmp_path_factory.mktemp("months")) as machine:
        machine.run(f"cp {package} /root/")
        assert "as a service: leave this line out" in yaml
        as_service = "".join(line for line in yaml.splitlines(keepends=True) if not line.startswith("state:"))
        machine.write("/root/long.yaml", as_service.replace("rate: 100", "rate: 50"))  # system calls are slow here
        machine.write("/lib/systemd/system/systemd-time-wait-sync.service", WAIT_SYNC)
        yield machine


def until(machine: Machine, condition: Callable[[], object]) -> None:
    """Waits for a bench with a page, on a host that may be busy."""
    machine.until(condition, patience=240.0, nap=2.0)


def follow(machine: Machine, block: str) -> str:
    """Run the lines of a block as root, one after the other, and return what they print."""
    plain = block.replace("sudo ", "").replace('"$USER"', "root")
    return machine.run(f"cd /root; set -e\n{plain}")


def block(begins: str) -> str:
    """The block with a line that begins so."""
    found: str
    (found,) = (one for one in BLOCKS if re.search(f"^(sudo )?{re.escape(begins)}", one, re.MULTILINE))
    return found


def test_the_guide_has_no_block_that_is_not_followed() -> None:
    assert len(BLOCKS) == 5


def test_installed_as_written_it_runs_and_one_screen_says_how_it_is(operator: Machine) -> None:
    said = follow(operator, block("apt-get install ./hilbridge_*.deb\nsudo cp"))
    assert "can run here" in said
    operator.until(lambda: operator.show("hilbridge", "ActiveState") == "active")
    until(operator, lambda: "http://127.0.0.1:" in operator.ask("hilbridge service")[1])
    screen = follow(operator, block("hilbridge service"))
    assert "hilbridge.service is active (running)" in screen
    assert "/var/lib/hilbridge/long.json" in screen
    assert "http://127.0.0.1:" in screen
    assert "Active: active (running)" in screen


def test_a_backup_comes_back_while_the_service_is_stopped(operator: Machine) -> None:
    until(operator, lambda: operator.ask("test -e /var/lib/hilbridge/long.json")[0] == 0)  # a minute of the run
    operator.run("cd /root; hilbridge state backup -o long-backup.json")
    assert "restored from long-backup.json" in follow(operator, block("systemctl stop hilbridge"))
    assert operator.run("stat --format=%U /var/lib/hilbridge/long.json") == "hilbridge"
    assert operator.show("hilbridge", "ActiveState") == "active"


def test_a_backup_precedes_an_update(operator: Machine) -> None:
    follow(operator, block("hilbridge state backup"))
    assert operator.run("hilbridge state show /root/before-update.json")
    assert operator.show("hilbridge", "ActiveState") == "active"


def test_it_waits_for_the_time_where_the_operator_says_so(operator: Machine) -> None:
    follow(operator, block("mkdir -p /etc/systemd/system/hilbridge.service.d"))
    assert "time-sync.target" in operator.show("hilbridge", "After").split()
    operator.run("systemctl restart hilbridge")
    assert operator.show("hilbridge", "ActiveState") == "active"
