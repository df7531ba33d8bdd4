"""The kinds of adapters, as a run finds and keeps them."""

from pathlib import Path

import pytest

from hilbridge.bench import adapters
from hilbridge.bench.adapters import with_adapters
from hilbridge.bench.bench import Bench
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.bundle import bundle
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


def test_a_run_takes_the_kind_from_the_kernel_and_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Renamed interfaces of both kinds; what the file says holds; the bundle of a recording says all of it."""
    monkeypatch.setattr(adapters, "is_virtual", {"vcan5": False, "can0": True, "can1": True}.__getitem__)
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
    monkeypatch.setattr(adapters, "is_virtual", lambda _: pytest.fail("the kernel was asked"))
    kept = with_adapters(load_bench(str(tmp_path / "bench.yaml")))
    assert {name: bus.is_hardware for name, bus in kept.settings.buses.items()} == kinds
