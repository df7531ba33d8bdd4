"""One run: it is the one that `hilbridge run` makes with the same words."""

import errno
import json
from hashlib import sha256
from pathlib import Path

import pytest
from tests.program import demo_bench

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.record import segments
from hilbridge.boundary.record.boundary_records import END, FRAME, FrameRecord
from hilbridge.boundary.record.recording import Recording
from hilbridge.commands.cli import main
from hilbridge.runs.campaign.play import line, play
from hilbridge.runs.run import recording
from hilbridge.runs.run.replay import replay
from hilbridge.testing.bench import VirtualBench

from .campaigns import CAMPAIGN, SCENARIO, runs


def test_hash_and_recording_are_those_of_the_recorded_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line makes the same run, whose recording holds every frame of every bus, and the commands.

    In whatever pieces the own recording goes to the disk.
    """
    monkeypatch.setattr(recording, "_AT_ONCE", 16)
    files, made = runs(tmp_path, CAMPAIGN, SCENARIO.replace("0.02", "0.5"))
    row = play(files, made[3])
    assert play(files, made[3] | {"recording": str(tmp_path / "own")}) == row
    words = ["run", "demo", "--clock", "virtual", "--scenario", str(tmp_path / "short.yaml"), "--seed", "1"]
    words += ["--set", "vehicle.body.mass=1200", "--set", "most=4000", "--record", str(tmp_path / "recording")]
    assert main(words) == 0
    digest, count = sha256(), 0
    recorded = [*Recording(tmp_path / "recording").records()]
    for record in recorded:
        if record.kind == FRAME:
            bus, received, (can_id, data, flags) = FrameRecord.decode(record.payload)
            digest.update(b"%d %d %d %x %d " % (record.t, bus, received, can_id, flags) + data)
            count += 1
    assert (row["frames"], row["sha256"]) == (count, digest.hexdigest())
    own = Recording(tmp_path / "own")
    assert [one[1:] for one in own.records() if one.kind != END] == [one[1:] for one in recorded if one.kind != END]
    outcome = replay(own)
    assert (outcome.identical, outcome.end, outcome.frames) == (True, "", count)


def test_of_a_recording_that_the_disk_does_not_take_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row says so in place of the verdict, so the campaign does not take it for a recorded run."""
    files, made = runs(tmp_path)
    written: list[int] = []

    def full(_descriptor: int, content: bytes) -> None:
        written.append(len(content))
        if len(written) > 1:  # the first is the header
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(segments, "_write_all", full)
    row = play(files, made[1] | {"recording": str(tmp_path / "recordings/one")})
    assert row["verdict"] == "refused"
    assert row["reason"] == "cannot record one: No space left on device"
    assert [*(tmp_path / "recordings").iterdir()] == []


def test_a_row_tells_what_the_expectation_that_failed_demanded(tmp_path: Path) -> None:
    files, made = runs(tmp_path)
    assert [play(files, run)["limits"] for run in made[:2]] == [{"vehicle.EngineRpm": {"highest": -1}}, {}]


def test_a_value_that_a_part_refuses_is_a_row(tmp_path: Path) -> None:
    """The others of the campaign are made all the same."""
    campaign = CAMPAIGN.replace("{from: 900, to: 1500, steps: 3}", "[1000, -1]")
    files, made = runs(tmp_path, campaign)
    rows = [play(files, run) for run in made]
    assert [row["verdict"] for row in rows] == ["failed", "passed", "refused", "refused"]
    assert rows[2]["reason"].startswith("compact.yaml:")
    assert str(tmp_path) not in rows[2]["reason"]


def test_records_that_were_lost_are_told_though_later_ones_were_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that was full for a moment: the recording is none, and the reason is the disk's."""
    files, made = runs(tmp_path)
    write, written = segments._write_all, []

    def full_once(descriptor: int, content: bytes) -> None:
        written.append(len(content))
        if len(written) == 2:  # the first is the header
            raise OSError(errno.ENOSPC, "No space left on device")
        write(descriptor, content)

    monkeypatch.setattr(recording, "_AT_ONCE", 4)
    monkeypatch.setattr(segments, "_write_all", full_once)
    row = play(files, made[1] | {"recording": str(tmp_path / "recordings/one")})
    assert len(written) > 2
    assert row["reason"] == "cannot record one: No space left on device"


def test_a_row_is_the_same_bytes_everywhere(tmp_path: Path) -> None:
    files, made = runs(tmp_path)
    first, second = (line(play(files, made[1])) for _ in range(2))
    assert first == second
    assert json.loads(first)["run"] == made[1]["name"]


UNIT = """
from hilbridge.frames.codec.frame import Frame


class Unit:
    def __init__(self, stumbles):
        self.stumbles = stumbles

    def receive(self, frame, t):
        return [Frame(0x600, frame.data[:2])] if frame.can_id == 0x100 else []

    def tick(self, t):
        if t >= self.stumbles:
            raise RuntimeError("out of fuel")
        return [Frame(0x601, b"")]
"""


def test_a_unit_under_test_takes_part_and_is_varied_as_any_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is lost is told in the row of its run; frames are those of the test face with the same unit."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "unit.py").write_text(UNIT, encoding="utf-8")
    bench = demo_bench(tmp_path)
    client = "\nlockstep: {one: {bus: powertrain, python: 'unit.py:Unit', arguments: [9]}}\n"
    bench.write_text(bench.read_text(encoding="utf-8") + client, encoding="utf-8")
    assert main(["trust", str(bench)]) == 0
    campaign = "{bench: bench.yaml, scenario: short.yaml, vary: {bench.lockstep.one.arguments.0: [9, 0.01]}}"
    files, made = runs(tmp_path, campaign)
    rows = [play(files, run) for run in made]
    assert [row["verdict"] for row in rows] == ["passed", "died"]
    assert "lockstep client one has failed: 'RuntimeError: out of fuel'" in rows[1]["reason"]

    with VirtualBench(bench, trust=True, seed=1) as tested:
        heard = []
        tested.parts.buses["powertrain"].attach_observer(
            lambda t, _bus, received, frame: heard.append((t, received, frame))
        )
        tested.advance(0.001)  # the scenario begins at the end of the first tick
        tested.set("input.Key", 1)
        tested.advance(rows[0]["duration"])
    digest = sha256()
    for t, received, (can_id, data, flags) in heard[: rows[0]["frames"]]:
        digest.update(b"%d 0 %d %x %d " % (t, received, can_id, flags) + data)
    assert digest.hexdigest() == rows[0]["sha256"]


def test_nobody_connects_to_the_runs_of_a_campaign(tmp_path: Path) -> None:
    bench = demo_bench(tmp_path)
    client = "\nlockstep: {one: {bus: powertrain, socket: one.sock}}\n"
    bench.write_text(bench.read_text(encoding="utf-8") + client, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="nobody connects to lockstep client one in each run"):
        runs(tmp_path, "{bench: bench.yaml, scenario: short.yaml}")
