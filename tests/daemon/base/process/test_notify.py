"""What systemd receives, at a socket of the test's own, and when the tick is healthy."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hilbridge.base.process.notify import Notifier, TickHealth


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listener.settimeout(5.0)
    listener.bind(str(tmp_path / "notify"))
    yield listener
    listener.close()


@pytest.fixture
def notifier(environment: dict[str, str]) -> Iterator[Notifier]:
    with closing(Notifier(environment)) as speaker:
        yield speaker


@pytest.fixture
def environment(manager: socket.socket) -> dict[str, str]:
    return {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "2000000", "WATCHDOG_PID": str(os.getpid())}


def test_each_message_has_the_words_of_sd_notify(manager: socket.socket, notifier: Notifier) -> None:
    notifier.ready("running demo")
    notifier.alive()
    notifier.status("1000 ticks/s")
    notifier.reloading(1_234_567_890)
    notifier.stopping()
    heard = [manager.recv(1000).decode() for _ in range(5)]
    assert heard == [
        "READY=1\nSTATUS=running demo",
        "WATCHDOG=1",
        "STATUS=1000 ticks/s",
        "RELOADING=1\nMONOTONIC_USEC=1234567",
        "STOPPING=1",
    ]


def test_the_watchdog_is_fed_twice_as_often_as_asked(notifier: Notifier) -> None:
    """sd_watchdog_enabled(3) recommends half of the time."""
    assert notifier.watchdog_period == 1_000_000_000


@pytest.mark.parametrize("change", [{"WATCHDOG_PID": "1"}, {"WATCHDOG_USEC": ""}, {"WATCHDOG_USEC": "soon"}], ids=str)
def test_a_watchdog_that_is_not_ours_is_not_fed(environment: dict[str, str], change: dict[str, str]) -> None:
    with closing(Notifier(environment | change)) as notifier:
        assert notifier.watchdog_period is None


def test_children_do_not_inherit_the_addresses(notifier: Notifier, environment: dict[str, str]) -> None:
    """What an observer says must not count as the tick's word."""
    assert notifier.listening
    assert environment == {}


def test_an_abstract_socket_is_reached() -> None:
    """@ stands for the null byte."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(f"\0hilbridge-test-{os.getpid()}")
        listener.settimeout(5.0)
        with closing(Notifier({"NOTIFY_SOCKET": f"@hilbridge-test-{os.getpid()}"})) as notifier:
            notifier.alive()
        assert listener.recv(100) == b"WATCHDOG=1"


def test_without_a_service_manager_nothing_is_said() -> None:
    notifier = Notifier({})
    notifier.ready("x")
    assert not notifier.listening
    assert notifier.watchdog_period is None


def test_a_service_manager_that_does_not_read_holds_nobody_up(notifier: Notifier) -> None:
    """Its socket fills up; what does not fit is lost."""
    for _ in range(10_000):
        notifier.alive()


def test_a_service_manager_that_has_gone_is_no_error(manager: socket.socket, notifier: Notifier) -> None:
    Path(manager.getsockname()).unlink()
    notifier.stopping()


@pytest.mark.parametrize(
    ("ticks", "missed", "good"),
    [(100, 0, True), (50, 50, True), (49, 51, False), (0, 0, False), (0, 100, False), (1, 0, True)],
)
def test_half_of_the_ticks_must_be_done(ticks: int, missed: int, good: bool) -> None:
    assert TickHealth().is_good(ticks, missed) is good


def test_only_the_time_since_the_last_look_counts() -> None:
    """A bad start is forgiven; a good one excuses nothing."""
    health = TickHealth()
    assert not health.is_good(10, 90)
    assert health.is_good(110, 90)
    assert not health.is_good(111, 190)
