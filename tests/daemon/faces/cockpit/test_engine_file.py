"""The file that the workshop exports."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.base.resources import Kind, find, names
from hilbridge.faces.cockpit.engine_file import EngineFile
from hilbridge.files.configuration.vehiclefile import load_vehicle

OWN = """\
# A: a data sheet
# B: another

name: own car   # as it is

engine:         # it runs
  idle_rpm: 800.0   # A
  # what comes next was measured twice
  peak_rpm: 4000.0
  rpm_limiter: true # B

clutch:
  max_torque_transfer: 300.0
"""


def exported(tmp_path: Path, text: str, **changes: Any) -> str:
    file = tmp_path / "own.yaml"
    file.write_text(text, encoding="utf-8")
    return EngineFile(file).text(changes, "100 Nm at 3000 rpm")


def test_what_did_not_change_stays_to_the_letter(tmp_path: Path) -> None:
    """Sources, comments and spaces; what is no part of the engine is left out."""
    assert exported(tmp_path, OWN) == OWN.split("\nclutch", maxsplit=1)[0]


def test_a_changed_line_says_what_stood_there(tmp_path: Path) -> None:
    text = exported(tmp_path, OWN, idle_rpm=750, rpm_limiter=False)
    assert f"{'  idle_rpm: 750':<40}# workshop; before: 800.0; A\n" in text
    assert f"{'  rpm_limiter: false':<40}# workshop; before: true; B\n" in text
    assert "  # what comes next was measured twice\n  peak_rpm: 4000.0\n" in text


def test_the_header_tells_what_the_file_is(tmp_path: Path) -> None:
    """What it is based on, before the sources of the original; the figures of the engine that came out."""
    lines = exported(tmp_path, OWN, idle_rpm=750, inertia=0.3).splitlines()
    assert lines[0] == "# An engine from the engine workshop: that of own.yaml with 2 values changed."
    assert lines[3:5] == ["# A: a data sheet", "# B: another"]
    assert f"{'engine:':<40}# 100 Nm at 3000 rpm" in lines
    assert "# it runs" not in "\n".join(lines)


def test_a_key_that_the_file_does_not_have_comes_last(tmp_path: Path) -> None:
    text = exported(tmp_path, OWN, inertia=0.3)
    assert text.splitlines()[-1].split() == ["inertia:", "0.3", "#", "workshop"]


@pytest.mark.parametrize("text", [
    "name: own\n",
    "name: own\nengine: {idle_rpm: 800.0, peak_rpm: 4000.0}\n",
    "engine:\n  idle_rpm: 800.0",
])  # fmt: skip
def test_any_form_of_file_can_be_changed(tmp_path: Path, text: str) -> None:
    """Without an engine, in one line, without a name or a last line feed: the result is a vehicle file."""
    result = tmp_path / "result.yaml"
    result.write_text(exported(tmp_path, text, max_rpm=6000.0), encoding="utf-8")
    assert load_vehicle(str(result)).settings.engine.max_rpm == 6000.0


@pytest.mark.parametrize("vehicle", names(Kind.VEHICLE))
@settings(max_examples=10)
@given(inertia=st.floats(0.001, 1e5), stalls=st.booleans())
def test_the_engine_of_a_shipped_vehicle_is_read_back_as_it_was_made(
    tmp_path_factory: pytest.TempPathFactory, vehicle: str, inertia: float, stalls: bool
) -> None:
    file = tmp_path_factory.mktemp("export") / "engine.yaml"
    changes = {"inertia": inertia, "can_stall": stalls, "rpm_limiter_mode": "injection-cut"}
    file.write_text(EngineFile(find(Kind.VEHICLE, vehicle)).text(changes, "100 Nm at 3000 rpm"), encoding="utf-8")
    engine, before = load_vehicle(str(file)).settings.engine, load_vehicle(vehicle).settings.engine
    assert (engine.inertia, engine.can_stall, engine.rpm_limiter_mode.value) == (inertia, stalls, "injection-cut")
    assert (engine.idle_rpm, engine.table_torque) == (before.idle_rpm, before.table_torque)


def test_a_value_from_elsewhere_in_the_file_is_written_out(tmp_path: Path) -> None:
    """An alias means nothing in an export that does not have its anchor."""
    text = (
        "name: own\nclutch: {max_torque_transfer: &most 300.0}\nengine:\n  max_rpm: 6000.0\n  peak_rpm_torque: *most\n"
    )
    result = tmp_path / "result.yaml"
    result.write_text(exported(tmp_path, text, max_rpm=6500.0), encoding="utf-8")
    engine = load_vehicle(str(result)).settings.engine
    assert (engine.max_rpm, engine.peak_rpm_torque) == (6500.0, 300.0)
