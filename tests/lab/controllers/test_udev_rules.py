"""systemd-udevd with systemd/udev/70-hilbridge.rules, on a kernel that has processors with sleep states."""

import os
import subprocess
from pathlib import Path

import pytest

RULES = Path(__file__).parents[3] / "systemd/udev/70-hilbridge.rules"
LATENCY = Path("/dev/cpu_dma_latency")
GROUP = 4242


@pytest.fixture
def udevd(tmp_path: Path) -> None:
    """With these rules beside those of Debian, on a machine that has the group of the service."""
    groups = tmp_path / "group"
    groups.write_text(f"{Path('/etc/group').read_text(encoding='utf-8')}hilbridge:x:{GROUP}:\n", encoding="utf-8")
    run("mount", "--bind", str(groups), "/etc/group")
    installed = Path("/run/udev/rules.d", RULES.name)
    installed.parent.mkdir(parents=True)
    installed.write_bytes(RULES.read_bytes())
    run("/lib/systemd/systemd-udevd", "--daemon")


def run(*command: str) -> None:
    """The lab's files are a chroot inside the machine, in which udevadm would do nothing."""
    subprocess.run(command, env=os.environ | {"SYSTEMD_IGNORE_CHROOT": "1"}, check=True, timeout=60)


def test_the_group_of_the_service_may_hold_processors_awake(udevd: None) -> None:
    """cpu_dma_latency belongs to root alone until the rule is applied."""
    assert LATENCY.stat().st_gid == 0
    run("udevadm", "trigger", "--subsystem-match=misc")
    run("udevadm", "settle", "--timeout=60")
    status = LATENCY.stat()
    assert (status.st_gid, oct(status.st_mode & 0o777)) == (GROUP, "0o660")
