"""The wizard behind the commands of a page: a bench on the virtual clock answers in place of the daemon."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hilbridge.faces.cockpit import calibration, wire
from hilbridge.faces.cockpit.calibration import Calibration
from hilbridge.testing import VirtualBench

BENCH = """\
name: desk
vehicle: compact
buses: {powertrain: {interface: embedded, database: powertrain.dbc, transmit: [HILBRIDGE]}}
inputs:
  - source: serial
    port: pty
    signals:
      Throttle: {field: gas}   # the right one
      Key: {}
"""


class Daemon:
    """The control socket of that bench, whose board sends `gas` before each answer."""

    def __init__(self, bench: VirtualBench) -> None:
        self.gas = 62
        self._bench = bench

    async def ask(self, command: dict[str, Any]) -> dict[str, Any]:
        self._bench.write_serial(b"\ngas=%d\n" % self.gas)
        self._bench.advance(0.01)
        answer: dict[str, Any] = json.loads(self._bench.obey(json.dumps(command).encode()))
        return answer


@pytest.fixture
def daemon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Daemon]:
    monkeypatch.setattr(calibration, "_INTERVAL", 0)
    (tmp_path / "desk.yaml").write_text(BENCH)
    with VirtualBench(tmp_path / "desk.yaml") as bench:
        yield Daemon(bench)


def page(daemon: Daemon, file: Path | None) -> Any:
    """A page that sends commands and gets their answers."""
    pages: Any = Calibration(file, daemon)  # type: ignore[arg-type]

    def say(command: str, **keys: object) -> Any:
        heard = wire.parse(json.dumps({"id": 1, "command": {"command": command, **keys}}))
        return asyncio.run(pages.execute("page", heard.command))

    return say


def test_a_pedal_is_calibrated_from_the_page(daemon: Daemon, tmp_path: Path) -> None:
    """The lines are shown before they are written; comments stay."""
    file = tmp_path / "desk.yaml"
    say = page(daemon, file)
    assert say("calibrate") == {"inputs": [{"input": 0, "name": "serial pty", "controls": ["Throttle"]}]}
    begun = say("calibrate-begin", input=0, control="Throttle")
    assert begun == {"step": "let go of it", "values": [{"field": "gas", "raw": 62, "share": None}], "refused": ""}
    say("calibrate-step")
    assert "moved by 0 only" in say("calibrate-step")["refused"]
    assert say("calibrate-write") == {"error": "there is nothing to write yet"}
    daemon.gas = 958
    say("calibrate-step")
    daemon.gas = 510
    assert say("calibrate-look")["values"] == [{"field": "gas", "raw": 510, "share": 0.5}]
    daemon.gas = 62
    assert say("calibrate-step")["step"] is None
    changed = "Throttle: {field: gas, minimum: 62, maximum: 958, dead_zone: 0.01}   # the right one"
    assert f"+      {changed}" in say("calibrate-compare")["difference"]
    assert file.read_text() == BENCH
    assert say("calibrate-write")["written"]
    assert file.read_text() == BENCH.replace("Throttle: {field: gas}   # the right one", changed)


@pytest.mark.parametrize(
    ("command", "keys", "error"),
    [
        ("calibrate-step", {}, "nothing is being calibrated"),
        ("calibrate-begin", {"input": 0, "control": "Key"}, "has no Key"),
        ("calibrate-begin", {"input": 7, "control": "Throttle"}, "has no Throttle"),
        ("calibrate-begin", {"input": "x"}, "nothing is being calibrated"),
    ],
)
def test_what_cannot_be_calibrated_is_said(
    daemon: Daemon, tmp_path: Path, command: str, keys: dict[str, object], error: str
) -> None:
    assert error in page(daemon, tmp_path / "desk.yaml")(command, **keys)["error"]


def test_a_bench_without_a_file_has_nothing_to_calibrate(daemon: Daemon) -> None:
    assert page(daemon, None)("calibrate") == {"error": "this bench has no file"}
