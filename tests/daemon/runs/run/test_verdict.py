"""What people and test servers get of a scenario."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.scenario.page import Played
from hilbridge.runs.run.verdict import announce, write_reports

from ...bench.scenario.stages import Rig

STEPS = '{name: first, expect: "1"}\n{name: second, expect: "road.Slope > 0"}'


def test_the_table_has_every_step_with_its_times_and_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    rig = Rig(tmp_path, STEPS)
    rig.tick(2)
    announce(rig.report())
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["2", "0.000", "0.000", "first", "passed"] in lines
    assert ["3", "0.000", "0.000", "second", "failed", "road.Slope", "=", "0"] in lines
    assert lines[-1] == ["scenario", "scenario", "failed:", "1", "of", "2", "steps", "passed", "in", "0", "s"]


def test_a_report_that_cannot_be_written(tmp_path: Path) -> None:
    rig = Rig(tmp_path, STEPS)
    with pytest.raises(ConfigurationError, match=r"cannot write .*: No such file or directory"):
        write_reports([Played(rig.report())], [tmp_path / "no" / "report.xml"], "")
