"""`hilbridge bisect` finds the tick that cantools sees in the frames, and at which a scenario stopped waiting."""

import json
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import can
import pytest

from hilbridge.boundary.record.boundary_records import FRAME, FrameRecord
from hilbridge.boundary.record.recording import Recording
from hilbridge.boundary.record.segments import HEADER
from hilbridge.commands.cli import main

from ..program import database, decoded, demo_bench

CONDITION: Final = "vehicle.EngineRpm > 2000 and input.Brake < 0.5"
SCENARIO: Final = f"""
steps:
  - set: {{input.Key: 1}}
  - wait: {{until: vehicle.EngineWorking, timeout: 5}}
  - set: {{input.Key: 0, input.Throttle: 1}}
  - wait: {{until: "{CONDITION}", timeout: 5}}
  - set: {{input.Throttle: 0}}
  - expect: "vehicle.EngineRpm < 1500"
    within: 5
"""

UNIT: Final = """
from hilbridge.frames.codec.frame import Frame

class Unit:
    def receive(self, frame, t):
        return [Frame(0x600, frame.data[:2])] if frame.can_id == 0x100 else []

    def tick(self, t):
        return []
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the recording of a scenario whose car has a control unit in lockstep, and the report of the scenario."""
    folder = tmp_path_factory.mktemp("bisect")
    (folder / "unit.py").write_text(UNIT, encoding="utf-8")
    (folder / "rev.yaml").write_text(SCENARIO, encoding="utf-8")
    bench = demo_bench(folder)
    client = "lockstep: {unit: {bus: powertrain, python: 'unit.py:Unit'}}"
    bench.write_text(f"{bench.read_text(encoding='utf-8')}\n{client}\n", encoding="utf-8")
    words = ["run", str(bench), "--pace", "lockstep", "--scenario", str(folder / "rev.yaml"), "--trust"]
    assert main([*words, "--log", "json", "--record", str(folder / "rev"), "--report", str(folder / "rev.json")]) == 0
    return folder


def found(capfd: pytest.CaptureFixture[str], *words: object, status: int = 0) -> dict[str, Any]:
    capfd.readouterr()
    assert main(["bisect", *map(str, words), "--json"]) == status
    result: dict[str, Any] = json.loads(capfd.readouterr().out)
    return result


def test_it_is_the_tick_in_which_the_scenario_stopped_waiting(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """With what a lockstep client sent, and without the client: its source is not trusted for a replay."""
    (report,) = json.loads((folder / "rev.json").read_text(encoding="utf-8"))
    (end,) = (row["end"] for row in report["rows"] if CONDITION in row["title"])
    result = found(capfd, folder / "rev", CONDITION)
    assert (result["found"], result["tick"], result["time"]) == (True, end // 1_000_000, end / 1e9)
    assert result["before"]["vehicle.EngineRpm"] <= 2000 < result["values"]["vehicle.EngineRpm"]
    assert result["values"]["input.Brake"] == 0
    around = [(one["time"], one["id"], one["data"]) for one in result["frames"]]
    records = [each for each in Recording(folder / "rev").records() if each.kind == FRAME]
    recorded = [(each.t / 1e9, FrameRecord.decode(each.payload).frame) for each in records]
    assert around == [
        (t, f"0x{frame.identifier:X}", frame.data.hex()) for t, frame in recorded if around[0][0] <= t <= around[-1][0]
    ]
    assert any(one["received"] and one["id"] == "0x600" for one in result["frames"])


def test_the_signals_of_the_frames_cross_the_limit_in_the_same_cycle(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """By cantools; the signal has steps of 1/4 rpm, and its frame a cycle of 10 ms."""
    t = found(capfd, folder / "rev", "vehicle.EngineRpm > 2000.25")["time"]
    message = database().get_message_by_frame_id(0x100)
    records = [each for each in Recording(folder / "rev").records() if each.kind == FRAME]
    seen = [(each.t / 1e9, FrameRecord.decode(each.payload).frame) for each in records]
    speeds = [
        (at, decoded(message, can.Message(arbitration_id=0x100, data=frame.data))["EngineRpm"])
        for at, frame in seen
        if frame.can_id == 0x100
    ]
    before, after = next((one, two) for one, two in pairwise(speeds) if one[1] <= 2000.25 < two[1])
    assert before[0] <= t <= after[0]


def test_people_get_values_and_frames(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    capfd.readouterr()
    assert main(["bisect", str(folder / "rev"), "vehicle.EngineWorking"]) == 0
    first, value, *_, last = capfd.readouterr().out.splitlines()
    assert first.startswith("holds first in tick ")
    assert value == "  vehicle.EngineWorking = 1 (the tick before: 0)"
    assert "powertrain" in last


def test_a_condition_that_holds_from_the_start_has_no_tick_before(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    result = found(capfd, folder / "rev", "vehicle.Speed < 1")
    assert (result["tick"], result["before"]) == (0, {})


def test_never_is_status_1(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert found(capfd, folder / "rev", "vehicle.Speed > 100", status=1)["found"] is False


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("vehicle.Sped > 1", "column 1: unknown data bus entry 'vehicle.Sped': did you mean vehicle.Speed?"),
        ("vehicle.Speed > 1 and", "a value is missing after and"),
        ("custom.Mine > 1", "unknown data bus entry 'custom.Mine'"),
        ("", "the condition, column 1"),
    ],
)
def test_a_wrong_condition_is_an_error_with_its_column(
    condition: str, words: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["bisect", str(folder / "rev"), condition]) == 2
    assert words in capfd.readouterr().err


def test_what_was_not_looked_at_is_not_never(folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Damage in the middle, a changed bench, a recording that is cut off, none at all: each is said."""
    for name in ("damaged", "changed", "cut", "benchless"):
        shutil.copytree(folder / "rev", tmp_path / name)
    segment = tmp_path / "damaged/record.000000"
    content = bytearray(segment.read_bytes())
    content[len(content) // 3] ^= 0xFF
    segment.write_bytes(content)
    assert found(capfd, tmp_path / "damaged", "vehicle.Speed > 100", status=2)["found"] is False

    bench = tmp_path / "changed/bench/bench.yaml"
    bench.write_text(bench.read_text(encoding="utf-8").replace("rate: 1000", "rate: 500", 1), encoding="utf-8")
    capfd.readouterr()
    assert main(["bisect", str(tmp_path / "changed"), "vehicle.Speed > 100"]) == 2
    said = capfd.readouterr().err
    assert "changed since it was recorded: bench.yaml" in said
    assert "the first difference: tick " in said

    segment = tmp_path / "cut/record.000000"
    segment.write_bytes(segment.read_bytes()[: HEADER.size + 20_000])
    capfd.readouterr()
    assert main(["bisect", str(tmp_path / "cut"), "vehicle.Speed > 100"]) == 1
    assert "the recording ends early" in capfd.readouterr().err

    shutil.rmtree(tmp_path / "benchless/bench")
    assert main(["bisect", str(tmp_path / "benchless"), "vehicle.Speed > 100"]) == 2
    assert "bench.yaml" in capfd.readouterr().err
    assert main(["bisect", str(tmp_path), "vehicle.Speed > 100"]) == 2
    assert "is no recording" in capfd.readouterr().err
