"""comma's panda safety firmware, as it is in cars, judges the frames of a bench: its C, compiled for this machine.

The sources are those of the package opendbc, and check rate, length, counter and checksum of the messages that its mode
for Volkswagen's MQB reads. `panda_safety.c` is the board, and says what the firmware holds of each message.
"""

import subprocess
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import opendbc  # type: ignore[import-untyped]
import pytest
import yaml

from hilbridge.boundary.record.boundary_records import FRAME, FrameRecord
from hilbridge.boundary.record.recording import Recording

from ..program import CHECKOUT, hilbridge

PACKAGE: Final = Path(opendbc.__file__).parent
SOURCE: Final = Path(__file__).with_name("panda_safety.c")
HEADER: Final = CHECKOUT / "daemon/hilbridge/boundary/lockstep"
VOLKSWAGEN_MQB: Final = 15
REPORT: Final = 0x7F0
SECONDS: Final = 20

CHECKED: Final = ("ESP_19", "LH_EPS_03", "ESP_05", "TSK_06", "Motor_20", "Motor_14", "GRA_ACC_01")
"""In the order of the firmware's table, which it prints: the bits of its reports."""
PROTECTED: Final = ("LH_EPS_03", "ESP_05", "TSK_06", "Motor_20", "GRA_ACC_01")
UNSEEN, CHECKSUM, COUNTER, RARE, STATE = range(5)
BRAKES, ACCELERATES, MOVES, INVALID = 2, 4, 8, 16

MQB: Final = {"protection": [{"preset": "vw-mqb"}]}
BRAKE: Final = {"expression": "input.Brake > 0.01"}
WHEELS: Final = {"HL": "RearLeft", "HR": "RearRight", "VL": "FrontLeft", "VR": "FrontRight"}
BENCH: Final = {
    "name": "panda",
    "rate": 1000,
    "state": "none",
    "vehicle": "compact",
    "buses": {
        "can": {
            "interface": "embedded",
            "database": str(PACKAGE / "dbc/vw_mqb.dbc"),
            "messages": {
                "ESP_19": {
                    "period": 10,
                    "signals": {f"ESP_{ours}_Radgeschw_02": f"chassis.WheelSpeed{one}" for ours, one in WHEELS.items()},
                },
                "LH_EPS_03": {"period": 10, **MQB},
                "ESP_05": {"period": 20, **MQB, "signals": {"ESP_Fahrer_bremst": BRAKE}},
                "TSK_06": {
                    "period": 20,
                    **MQB,
                    "signals": {"TSK_Status": {"expression": "3 if vehicle.Speed > 3 else 2"}},
                },
                "Motor_20": {"period": 20, **MQB, "signals": {"MO_Fahrpedalrohwert_01": "input.Throttle"}},
                "Motor_14": {"period": 100, "signals": {"MO_Fahrer_bremst": BRAKE}},
                "GRA_ACC_01": {"period": 30, **MQB},
            },
        }
    },
    "inputs": [{"source": "demo-driver"}],
    "lockstep": {"panda": {"bus": "can", "firmware": "panda", "arguments": [VOLKSWAGEN_MQB]}},
}

Reports = list[tuple[float, bytes]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the firmware, and the sanitizers with which its own tests run."""
    folder = tmp_path_factory.mktemp("panda")
    words = ["cc", "-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined,address"]
    words += ["-isystem", str(PACKAGE.parent), "-I", str(HEADER)]
    subprocess.run([*words, "-o", folder / "panda", SOURCE], check=True)
    return folder


def drive(folder: Path, name: str, seconds: float, more: Mapping[str, Any] | None = None) -> Reports:
    """Return what the firmware reports of a drive of the demo driver, with times [s]; the recording has the name."""
    bench = folder / "drive.yaml"  # the same for all: its path is in what the run says, so in positions of records
    bench.write_text(yaml.safe_dump({**BENCH, **(more or {})}), encoding="utf-8")
    words = ("--pace", "lockstep", "--duration", seconds, "--trust", "--log", "json")
    run = hilbridge("run", bench, *words, "--record", folder / name, cwd=folder)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "checks: B2 9F 106 120 121 3BE 12B" in run.stdout
    records = (each for each in Recording(folder / name).records() if each.kind == FRAME)
    frames = ((each.t / 1e9, FrameRecord.decode(each.payload)) for each in records)
    return [(t, one.frame.data) for t, one in frames if one.received and one.frame.can_id == REPORT]


def test_every_receive_check_holds_and_two_runs_are_equal(folder: Path) -> None:
    """From a twentieth of a second on; the firmware sees the driver, and lets control be while he does not brake."""
    reports = drive(folder, "first", SECONDS)
    assert reports[-1][0] > SECONDS - 0.02
    assert {data[:4] for t, data in reports if t >= 0.12} == {bytes(4)}
    states = [data[STATE] for _, data in reports]
    assert not any(state & INVALID for state in states)
    assert {bool(state & bit) for state in states for bit in (BRAKES, ACCELERATES, MOVES)} == {False, True}
    allowed = [bool(state & 1) for state in states]
    assert any(not before and after for before, after in pairwise(allowed))
    assert not any(now and state & BRAKES for now, state in zip(allowed, states, strict=True))

    drive(folder, "second", SECONDS)
    first, second = (
        b"".join(each.read_bytes() for each in sorted((folder / name).glob("record.*"))) for name in ("first", "second")
    )
    assert first == second
    replay = hilbridge("replay", folder / "first")
    assert (replay.returncode, "identical" in replay.stdout) == (0, True), replay.stdout + replay.stderr


def test_each_fault_fails_its_own_check_of_its_own_message_and_no_other(folder: Path) -> None:
    """One after the other: frozen counters, wrong checksums, silence for more than the second that is allowed."""
    faults, expected = [], []
    for number, message in enumerate(PROTECTED):
        counter = {"effect": "counter", "wrong": "freeze"}
        for kind, start, fault in (
            (COUNTER, 2.0 + number, counter),
            (CHECKSUM, 2.5 + number, {"effect": "checksum"}),
        ):
            faults.append({"kind": "frame", "bus": "can", "message": message, "at": start, "for": 0.25, **fault})
            expected.append((kind, message, start, start + 0.25))
    for number, message in enumerate(CHECKED):
        start = 7.5 + 2 * number
        faults.append({"kind": "frame", "bus": "can", "message": message, "at": start, "for": 1.5, "effect": "drop"})
        expected.append((RARE, message, start, start + 1.5))
    reports = drive(folder, "faults", 7.5 + 2 * len(CHECKED), {"faults": faults})

    for kind, message, start, end in expected:
        failed = {(k, m) for t, data in reports if start <= t < end + 0.24 for k, m in _failed(data)}
        assert failed == {(kind, message)}
    calm = [data for t, data in reports if t > 0.12 and not any(start <= t < end + 0.24 for *_, start, end in expected)]
    assert {data[:4] for data in calm} == {bytes(4)}


def _failed(data: bytes) -> set[tuple[int, str]]:
    return {
        (kind, name)
        for kind in (UNSEEN, CHECKSUM, COUNTER, RARE)
        for i, name in enumerate(CHECKED)
        if data[kind] >> i & 1
    }
