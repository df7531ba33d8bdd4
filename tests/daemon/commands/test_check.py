"""`hilbridge check` tells the plan of a bench without opening anything."""

import json
from pathlib import Path

import pytest

from hilbridge import cli

TWO_BUSES = """
name: two
vehicle: compact
buses:
  powertrain: {interface: embedded, database: powertrain.dbc, transmit: [HILBRIDGE]}
  cluster:
    interface: socketcan
    channel: can77
    bitrate: 125000
    database: powertrain.dbc
    messages:
      TripData: {period: 200}
      EngineData2:
        signals:
          EnginePower: {constant: 90}
          EngineFuelRate: {from: vehicle.EngineFuelRate, substitute: 0}
"""


def report(bench: str, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert cli.main(["check", bench, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert isinstance(content, dict)
    return content


def test_the_demo_bench_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """Every frame with identifier, length and period; every signal with its source; the inputs."""
    assert cli.main(["check", "demo"]) == 0
    text = capsys.readouterr().out
    assert "100  EngineData1: 8 bytes every 10 ms" in text
    assert "vehicle.Speed in km/h (by name)" in text
    assert "input powertrain.DriverInputs" in text


def test_two_buses_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A bus's own periods, constants and mappings; the load of the worst case of both; no interface is opened."""
    bench = tmp_path / "two.yaml"
    bench.write_text(TWO_BUSES)
    buses = {bus["bus"]: bus for bus in report(str(bench), capsys)["buses"]}  # type: ignore[attr-defined]  # JSON
    assert len(buses["powertrain"]["frames"]) == 6
    trip, engine = sorted(buses["cluster"]["frames"], key=lambda frame: -frame["identifier"])
    assert (trip["identifier"], trip["period"], trip["length"]) == (0x140, 200.0, 2)
    assert engine["signals"]["EnginePower"] == {"origin": "constant", "source": "90"}
    assert engine["signals"]["EngineFuelRate"]["origin"] == "mapped"
    # Worst case of an 11-bit data frame of n bytes with stuffing (Davis, Burns and others 2007): 55 + 10 n bits.
    assert buses["cluster"]["load"] == pytest.approx(100 * (75 / 125_000 / 0.2 + 95 / 125_000 / 0.02))


def test_a_wrong_bench_exits_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = tmp_path / "two.yaml"
    bench.write_text(TWO_BUSES.replace("TripData", "TripDate"))
    assert cli.main(["check", str(bench)]) == 2
    assert f"{bench}:12: buses.cluster.messages.TripDate: " in capsys.readouterr().err
