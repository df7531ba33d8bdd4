"""The kinds of adapters, as a run finds and keeps them."""

import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hilbridge.base.common.event_log import EventLog
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench import adapters
from hilbridge.bench.adapters import settle_adapters, with_adapters
from hilbridge.bench.bench import Bench
from hilbridge.boundary.links.adapter import Adapter
from hilbridge.boundary.links.socket_link import SocketLink
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.bundle import bundle
from hilbridge.frames.bus.bus import Bus
from hilbridge.runs.run.preparation import RunOptions, settled

BENCH = """\
name: kinds
vehicle: compact
buses:
  car: {interface: socketcan, channel: vcan5}
  desk: {interface: socketcan, channel: can0}
  said: {interface: socketcan, channel: can1, hardware: true}
  inside: {interface: embedded}
"""


class Found(SocketLink):
    """A link whose adapter the test exchanges."""

    def _open(self) -> socket.socket:
        return socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)

    def describe(self) -> str:
        return "socketcan can0"

    def describe_adapter(self) -> str:
        return "serial number A1"


class Log:
    """Keeps the events."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def info(self, _t: int, event: str, **_: Any) -> None:
        self.events.append(event)

    warning = info


@pytest.mark.parametrize(
    ("armed", "replaced", "virtual", "commands", "told"),
    [
        (True, True, False, [("can", False)], ["another adapter, bus disarmed"]),
        (False, True, False, [("can", False)], []),
        (True, False, True, [], []),
        (False, False, True, [("can", True)], ["virtual after all, bus armed"]),
        (False, False, False, [], []),
    ],
)
def test_another_adapter_disarms_and_a_virtual_one_that_comes_late_arms(
    armed: bool, replaced: bool, virtual: bool, commands: list[tuple[str, bool]], told: list[str]
) -> None:
    """Once, by a command; until then a replaced adapter takes no frames."""
    link, log, given = Found(Bus("can"), MILLISECOND), Log(), list[tuple[str, bool]]()
    link._working, link.replaced, link.came_virtual = True, replaced, virtual
    assert link.accepts(1) is not replaced
    bench = cast(Bench, SimpleNamespace(links={"can": link}, gates={"can": SimpleNamespace(armed=armed)}))
    for t in range(2):
        settle_adapters(bench, lambda *command: given.append(command), cast(EventLog, log), t)
    assert (given, log.events) == (commands, told)
    assert link.accepts(1)


def test_what_is_not_there_is_hardware_until_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key stays open, so that the link can tell later."""
    monkeypatch.setattr(adapters, "read_adapter", lambda _: "No such device")
    (tmp_path / "a.yaml").write_text(BENCH)
    found = with_adapters(load_bench(str(tmp_path / "a.yaml")))
    assert [bus.hardware for bus in found.settings.buses.values()] == [None, None, True, None]
    assert [bus.is_hardware for bus in found.settings.buses.values()] == [True, True, True, False]


def test_a_run_takes_the_kind_from_the_kernel_and_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Renamed interfaces of both kinds; what the file says holds; the bundle of a recording says all of it."""
    monkeypatch.setattr(adapters, "read_adapter", {"vcan5": Adapter("can"), "can0": Adapter("vcan")}.__getitem__)
    (tmp_path / "a.yaml").write_text(BENCH)
    file = load_bench(str(tmp_path / "a.yaml"))
    assert settled(file, RunOptions(pace=None)) is file
    found = settled(file, RunOptions())
    kinds = {"car": True, "desk": False, "said": True, "inside": False}
    assert {name: bus.is_hardware for name, bus in found.settings.buses.items()} == kinds
    bench = Bench(found)
    bench.connect()
    assert {name: gate.armed for name, gate in bench.gates.items()} == {name: not kind for name, kind in kinds.items()}
    for name, content in bundle(found).items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.setattr(adapters, "read_adapter", lambda _: pytest.fail("the kernel was asked"))
    kept = with_adapters(load_bench(str(tmp_path / "bench.yaml")))
    assert {name: bus.is_hardware for name, bus in kept.settings.buses.items()} == kinds
