"""Which input is meant, which of its controls have ends, and what a running bench says of its raw readings."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.faces.calibrate import readings
from hilbridge.faces.calibrate.readings import RunningBench, calibrated, find_input, running_bench
from hilbridge.files.settings import BenchSettings
from hilbridge.testing import VirtualBench

BENCH = """\
name: desk
vehicle: compact
buses: {powertrain: {interface: embedded, database: powertrain.dbc, transmit: [HILBRIDGE]}}
inputs:
  - {source: evdev, device: G29, signals: {Steer: {field: ABS_X}, Key: {toggles: {BTN_A: on}}}}
  - source: serial
    port: pty
    signals: {Throttle: {field: gas}, Brake: {field: brake, scale: 0.001}}
  - source: demo-driver
"""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[VirtualBench]:
    (tmp_path / "desk.yaml").write_text(BENCH)
    with VirtualBench(tmp_path / "desk.yaml") as one:
        yield one


class Socket:
    """A client of that bench."""

    def __init__(self, bench: VirtualBench) -> None:
        self._bench = bench

    def status(self, *parts: str) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(
            self._bench.obey(json.dumps({"command": "status", "parts": parts}).encode())
        )
        return answer

    def close(self) -> None:
        """Nothing is open."""


def settings(bench: VirtualBench) -> BenchSettings:
    return bench.parts.settings


def test_a_control_with_ends_is_calibrated_and_others_are_not(bench: VirtualBench) -> None:
    """A key that buttons set has none, and one that is scaled is no travel between two ends."""
    found = [list(calibrated(one, settings(bench))) for one in settings(bench).inputs]
    assert found == [["Steer"], ["Throttle"]]


def test_an_input_is_found_by_number_port_device_or_source(bench: VirtualBench) -> None:
    inputs = settings(bench)
    assert [find_input(inputs, one) for one in ("1", "G29", "evdev", "2", "pty", "serial")] == [0, 0, 0, 1, 1, 1]
    with pytest.raises(ConfigurationError, match=r"which input\? there are: 1 \(evdev G29\), 2 \(serial pty\)"):
        find_input(inputs, None)


def test_a_running_bench_says_its_raw_readings(bench: VirtualBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a sample that did not count, as from a pedal far beyond the ends that it has so far."""
    bench.write_serial(b"\ngas=700 brake=5\n", port=1)
    bench.advance(0.1)
    monkeypatch.setattr(readings, "Client", lambda _: Socket(bench))
    running = running_bench(settings(bench), 1)
    assert isinstance(running, RunningBench)
    assert running.read(0) == {"gas": 700, "brake": 5}
    wheel = running_bench(settings(bench), 0)
    assert wheel is not None
    assert wheel.read(0) == {"ABS_X": None, "BTN_A": None}


def test_a_bench_that_runs_with_other_inputs_must_be_reloaded_first(
    bench: VirtualBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "Client", lambda _: Socket(bench))
    fewer = settings(bench).model_copy(update={"inputs": settings(bench).inputs[:1]})
    with pytest.raises(ConfigurationError, match="other inputs"):
        running_bench(fewer, 0)


def test_a_bench_that_does_not_run_is_none(bench: VirtualBench) -> None:
    assert running_bench(settings(bench).model_copy(update={"name": "nowhere"}), 0) is None
