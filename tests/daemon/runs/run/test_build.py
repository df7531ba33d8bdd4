"""A bench that is built and not run: what a run would refuse is refused, with its place in the file."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.runs.run.build import build

BENCH = """
name: small
vehicle: compact
buses:
  powertrain: {interface: embedded, database: powertrain.dbc, transmit: [HILBRIDGE]}
"""


@pytest.mark.usefixtures("own_code")
def test_a_bench_is_built_and_its_programs_are_not_started(tmp_path: Path) -> None:
    file, unit, seen = tmp_path / "bench.yaml", tmp_path / "unit", tmp_path / "seen"
    unit.write_text(f"#!/bin/sh\ntouch {seen}\n")
    unit.chmod(0o755)
    file.write_text(f"{BENCH}lockstep: {{unit: {{bus: powertrain, program: unit}}}}\n")
    assert [*build(load_bench(str(file))).buses] == ["powertrain"]
    assert not seen.exists()


@pytest.mark.usefixtures("own_code")
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("lockstep: {unit: {bus: powertrain, program: nowhere}}", ("lockstep.unit.program", "No such file")),
        (
            "inputs: [{source: can, bus: powertrain, message: Nobody, signals: {Throttle: {}}}]",
            ("inputs[0]", "Nobody"),
        ),
    ],
)
def test_what_a_run_would_refuse_is_refused_with_its_line(tmp_path: Path, line: str, words: tuple[str, ...]) -> None:
    file = tmp_path / "bench.yaml"
    file.write_text(f"{BENCH}{line}\n")
    with pytest.raises(ConfigurationError) as refused:
        build(load_bench(str(file)))
    assert str(refused.value).startswith(f"{file}:6: ")
    assert [word for word in words if word not in str(refused.value)] == [], str(refused.value)
