"""Files beside the stored state whose content nobody can make anew (tests/precious.py), with calls that fail."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hilbridge.base import resources
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.resources import Kind, find
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary_records import SERIAL
from hilbridge.boundary.record.catalog import read_recordings
from hilbridge.boundary.record.segments import SegmentWriter
from hilbridge.faces.calibrate.bench_change import BenchChange
from hilbridge.runs.campaign.play import Made, line
from hilbridge.runs.campaign.results import ROWS, UNREAD, Results

from ....faulty_files import FAULTS, fault_name, faulty_files
from ...runs.campaign.campaigns import planned, row_of

FACTS = {"bench": "demo", "vehicle": "compact", "buses": ["can"]}

BENCH = """\
# of the operator
name: pedals
vehicle: compact
cockpit: {token: 0123456789abcdef0123}
inputs:
  - source: serial
    port: pty
    signals: {input.Throttle: {field: gas}}
"""


def writer(folder: Path) -> SegmentWriter:
    """What appends to the newest segment."""
    unwritten, lost = (memoryview(bytearray(8)).cast("Q") for _ in range(2))
    return SegmentWriter(folder, unwritten, lost)


def each_call(folder: Path, act: Callable[[], object], begin: Callable[[], None], fault: int) -> list[str]:
    """Does it once for each call, which fails; the calls of a clean run come first. Returns what was refused."""
    begin()
    with faulty_files(folder) as clean:
        act()
    assert clean.calls
    refused = []
    for number in range(len(clean.calls)):
        begin()
        with faulty_files(folder, number, fault) as layer:
            try:
                act()
            except (ConfigurationError, OSError) as error:
                refused.append(f"{number} {layer.failed}: {error}")
    return refused


@pytest.mark.parametrize("fault", FAULTS, ids=fault_name)
def test_no_row_of_a_campaign_is_lost_by_a_call_that_fails(tmp_path: Path, fault: int) -> None:
    """Opened with two rows, given a third, closed: the two are there, and with the third if nothing was refused."""
    campaign = planned(tmp_path)
    folder = tmp_path / "results"
    rows = [line(row_of(run)) for run in campaign.runs[:3]]
    state: list[bool] = []

    def begin() -> None:
        for name in (ROWS, UNREAD):
            (folder / name).unlink(missing_ok=True)
        with Results(folder, campaign) as results:
            for row in rows[:2]:
                results.add(Made(row))
        assert (folder / ROWS).read_bytes() == b"".join(rows[:2])

    def act() -> None:
        state.clear()
        with Results(folder, campaign) as results:
            results.add(Made(rows[2]))
            state.append(True)

    def begin_and_judge() -> None:
        if state or (folder / ROWS).exists():
            held = (folder / ROWS).read_bytes()
            assert held.startswith(b"".join(rows[:2])), held
            assert not state or held == b"".join(rows)
        begin()

    each_call(folder, act, begin_and_judge, fault)
    begin_and_judge()


@pytest.mark.parametrize("fault", FAULTS, ids=fault_name)
def test_no_calibration_costs_the_bench_file(tmp_path: Path, fault: int) -> None:
    """It is the old one or the changed one, with its comments, its token, and who may read it."""
    file = tmp_path / "bench.yaml"
    place = ("inputs", 0, "signals", "input.Throttle")
    changed = BENCH.replace("{field: gas}", "{field: gas, minimum: 60, maximum: 900}")

    def begin() -> None:
        if file.exists():
            assert file.read_text() in (BENCH, changed)
            assert file.stat().st_mode & 0o777 == 0o600
        file.write_text(BENCH)
        file.chmod(0o600)

    def act() -> None:
        BenchChange(file, {place: {"minimum": 60, "maximum": 900}}).write()

    begin()
    act()
    assert file.read_text() == changed
    with pytest.MonkeyPatch.context() as patch:  # pyserial and the like are not of this file
        patch.setattr("hilbridge.faces.calibrate.bench_change.load_bench", lambda _name: None)
        patch.setattr("tempfile.mkstemp", lambda **_: _beside(tmp_path))
        each_call(tmp_path / "bench.yaml", act, begin, fault)
    begin()


def _beside(folder: Path) -> tuple[int, str]:
    path = f"{folder}/.bench-trial.yaml"
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC), path


@pytest.mark.parametrize("fault", FAULTS, ids=fault_name)
def test_a_segment_that_is_not_read_whole_is_not_cut_off(tmp_path: Path, fault: int) -> None:
    """A new observer goes on behind the last whole record; what it could not read is no half-written one."""
    manifest.create(tmp_path, FACTS)
    first = writer(tmp_path)
    for t in range(20):
        first.add(t, t, SERIAL, b"reading")
    first.close()
    path = tmp_path / "record.000000"
    whole = path.read_bytes()

    def go_on() -> None:
        writer(tmp_path).close()

    def judge() -> None:
        assert path.read_bytes() == whole

    each_call(tmp_path, go_on, judge, fault)
    judge()


@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO, errno.ESTALE], ids=errno.errorcode.get)
def test_a_folder_that_cannot_be_looked_into_is_not_free_for_a_recording(tmp_path: Path, number: int) -> None:
    manifest.create(tmp_path / "old", FACTS, {"bench.yaml": b"old"})

    def refused() -> None:
        manifest.require_free(tmp_path / "new")

    refused()
    with faulty_files(tmp_path) as clean:
        refused()
    for each in range(len(clean.calls)):
        with faulty_files(tmp_path, each, number), pytest.raises(ConfigurationError, match="cannot record into"):
            refused()


def test_a_recording_that_cannot_be_read_is_listed_with_the_reason(tmp_path: Path) -> None:
    manifest.create(tmp_path / "one", FACTS)
    writer(tmp_path / "one").close()
    assert [one.directory.name for one in read_recordings(tmp_path)[0]] == ["one"]
    with faulty_files(tmp_path) as clean:
        read_recordings(tmp_path)
    for number in range(len(clean.calls)):
        with faulty_files(tmp_path, number, errno.EIO):
            try:
                recordings, broken = read_recordings(tmp_path)
            except OSError:
                continue
        assert [one.directory.name for one in recordings] == ["one"] or "Input/output error" in str(broken)


def test_a_disk_that_fails_does_not_put_a_shipped_file_in_the_place_of_an_own_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The vehicle `compact` of this machine is another one than that of the program."""
    own = tmp_path / "vehicles/compact.yaml"
    own.parent.mkdir()
    own.write_text("name: own\n")
    monkeypatch.setattr(resources, "_MACHINE", tmp_path)
    assert find(Kind.VEHICLE, "compact") == own
    for number in (errno.EIO, errno.ESTALE):
        with faulty_files(tmp_path, 0, number), pytest.raises(ConfigurationError, match=os.strerror(number)) as raised:
            find(Kind.VEHICLE, "compact")
        assert raised.value.may_pass
