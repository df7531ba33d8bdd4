"""Values on serial lines: what a display beside the cluster shows is what the cluster shows."""

from pathlib import Path

import pytest
import yaml

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.testing import VirtualBench

BENCH = {
    "name": "desk",
    "vehicle": "compact",
    "buses": {"powertrain": {"interface": "embedded", "database": "powertrain.dbc", "transmit": ["HILBRIDGE"]}},
    "outputs": {
        "display": {
            "port": "pty",
            "period": 10,
            "values": {
                "rpm": {"from": "vehicle.EngineRpm", "decimals": 2},
                "kmh": {"from": "vehicle.Speed", "unit": "km/h", "decimals": 2},
            },
        },
        "gauges": {"port": "/dev/ttyGauges", "format": "csv", "values": {"fuel": "auxiliary.FuelShare"}},
    },
}


def write(folder: Path, bench: object) -> Path:
    path = folder / "desk.yaml"
    path.write_text(yaml.safe_dump(bench), encoding="utf-8")
    return path


def test_a_display_and_the_bus_say_the_same(tmp_path: Path) -> None:
    """Of one tick: the line, the entry, and the frame at its resolution of a quarter."""
    with VirtualBench(write(tmp_path, BENCH)) as bench:
        bench.set("input.Key", 1)
        bench.advance(2.0)
        bench.read_serial("display")
        bench.advance(0.1)
        lines = bench.read_serial("display").decode().splitlines()
        assert len(lines) == 10
        pairs = dict(pair.split("=") for pair in lines[-1].split())
        assert float(pairs["rpm"]) == bench.read("vehicle.EngineRpm") > 500
        assert float(pairs["rpm"]) == pytest.approx(bench.wait_for("powertrain", "EngineData1")["EngineRpm"], abs=20)


def test_an_output_is_disarmed_and_armed_by_its_name(tmp_path: Path) -> None:
    with VirtualBench(write(tmp_path, BENCH)) as bench:
        bench.advance(0.1)
        assert bench.read_serial("gauges")
        bench.obey(b'{"command": "arm", "bus": "gauges", "armed": false}')
        bench.advance(0.1)
        assert bench.read_serial("gauges") == b""
        assert bench.parts.wiring.outputs.outputs["gauges"].statistics.unarmed == 5
        assert b"there is powertrain, display, gauges" in bench.obey(b'{"command": "arm", "bus": "lamps"}')
        with pytest.raises(ConfigurationError, match="no output 'lamps'"):
            bench.read_serial("lamps")


def test_an_output_cannot_have_the_name_of_a_bus_nor_a_port_twice(tmp_path: Path) -> None:
    same = {"port": "/dev/ttyGauges", "values": {"rpm": "vehicle.EngineRpm"}}
    bench = BENCH | {"outputs": {"powertrain": same, "gauges": same}}
    with pytest.raises(ConfigurationError) as error:
        VirtualBench(write(tmp_path, bench))
    assert "could not tell them apart" in str(error.value)
    assert "the same serial port" in str(error.value)
