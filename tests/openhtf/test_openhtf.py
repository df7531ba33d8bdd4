"""A bench in OpenHTF, as its executor and its reports have it.

For an environment of its own, with the package `openhtf` in it: `make test-openhtf`.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import openhtf as htf
import pytest
from openhtf.core.test_record import Outcome
from openhtf.util.configuration import CONF

from hilbridge.client import Client, ConfigurationError
from hilbridge.testing.openhtf import BenchPlug, measurement

from ..pages import blocks
from ..program import CHECKOUT, PATIENCE, demo_bench, running


def executed(*phases: Any) -> Any:
    """The record of a test with these phases."""
    records: list[Any] = []
    test = htf.Test(*phases, test_name="test")
    test.add_output_callbacks(records.append)
    test.execute(test_start=lambda: "unit")
    (record,) = records
    return record


def test_the_test_of_the_guide_passes_and_measures_the_same_each_time(tmp_path: Path) -> None:
    page = (CHECKOUT / "docs" / "guides" / "openhtf.md").read_text(encoding="utf-8")
    (code,) = (content for _, content, name in blocks(page) if name == "station.py")
    (tmp_path / "station.py").write_text(code, encoding="utf-8")
    found = []
    for _ in range(2):
        subprocess.run([sys.executable, "station.py"], cwd=tmp_path, check=True, timeout=PATIENCE)
        report = json.loads((tmp_path / "unit-1.json").read_text(encoding="utf-8"))
        assert report["outcome"] == "PASS"
        found.append({name: one for phase in report["phases"] for name, one in phase["measurements"].items()})
    first, second = found
    assert first.keys() == {"start", "vehicle.EngineRpm", "identification"}
    assert {name: one["measured_value"] for name, one in first.items()} == {
        name: one["measured_value"] for name, one in second.items()
    }
    speed = first["vehicle.EngineRpm"]
    assert speed["docstring"].startswith("Speed of the crankshaft")
    assert 700 < speed["measured_value"] < 1100


def test_units_are_those_of_unece_where_it_has_them() -> None:
    """Recommendation 20: MTS is metre per second, CEL degree Celsius; what it has not keeps our word."""
    codes = {path: measurement(path).units.code for path in ("vehicle.Speed", "auxiliary.CoolantTemperature")}
    assert codes == {"vehicle.Speed": "MTS", "auxiliary.CoolantTemperature": "CEL"}
    assert measurement("vehicle.EngineRpm").units.suffix == "rpm"
    with pytest.raises(ConfigurationError, match=r"did you mean vehicle\.EngineRpm"):
        measurement("vehicle.EngineRpn")


def test_a_value_beyond_its_limits_fails_and_is_in_the_report() -> None:
    def idles(test: Any, car: BenchPlug) -> None:
        car.measure(test, "vehicle.EngineRpm")

    CONF.load(hilbridge_bench="demo", hilbridge_running=False)
    limits = htf.measures(measurement("vehicle.EngineRpm").in_range(700, 1100))
    record = executed(htf.plug(car=BenchPlug)(limits(idles)))
    assert record.outcome is Outcome.FAIL
    assert record.phases[-1].measurements["vehicle.EngineRpm"].measured_value.value == 0.0


def test_a_bench_that_runs_is_left_as_it_was(tmp_path: Path) -> None:
    """A phase dies while it holds an entry, a fault and the pedals; what somebody else holds stays."""

    def dies(test: Any, car: BenchPlug) -> None:
        car.bench.set("body.TurnSignal", "left")
        car.bench.fault("physics fault.Misfire", value=0.2)
        car.bench.drive(20)
        raise ZeroDivisionError

    with running(demo_bench(tmp_path), "--no-demo-driver") as program:
        path = program.wait_for("control socket open")["path"]
        with Client(path) as other:
            other.set("input.Steer", 0.1)
            CONF.load(hilbridge_bench=path, hilbridge_running=True)
            record = executed(htf.plug(car=BenchPlug)(dies))
            assert (record.outcome, record.outcome_details[0].code) == (Outcome.ERROR, "ZeroDivisionError")
            assert other.get("vehicle.Speed") > 5.0
            assert [one["control"] for one in other.status("inputs")["inputs"] if one["source"]] == ["Steer"]
            assert [one["state"] for one in other.status("faults")["faults"]] == ["over"]
            with pytest.raises(ConfigurationError, match="not held"):
                other.release("body.TurnSignal")
