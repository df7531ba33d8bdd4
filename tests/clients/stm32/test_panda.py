"""comma's panda safety firmware on this machine and on an emulated STM32: the same frame log, of a short drive.

A car on the MQB platform is switched on; cruise control is engaged, then the driver brakes, and a counter rests.
"""

import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from hilbridge.boundary.record.boundary_records import FRAME, FrameRecord
from hilbridge.boundary.record.recording import Recording
from hilbridge.commands.cli import main

from ..panda.makers import PACKAGE
from .test_stm32 import HEADER, PHASE, SOURCES, STRICT, compile_firmware

MQB: Final = {"protection": [{"preset": "vw-mqb"}]}
BRAKE: Final = {"expression": "input.Brake > 0.01"}
WHEELS: Final = {"HL": "RearLeft", "HR": "RearRight", "VL": "FrontLeft", "VR": "FrontRight"}
LATER: Final = PHASE + 5
"""[ms] after the frames that it judges, it is asked for its verdict."""

MESSAGES: Final[dict[str, Any]] = {
    "ESP_19": {
        "period": 10,
        "signals": {f"ESP_{ours}_Radgeschw_02": f"chassis.WheelSpeed{one}" for ours, one in WHEELS.items()},
    },
    "LH_EPS_03": {"period": 10, **MQB},
    "ESP_05": {"period": 20, **MQB, "signals": {"ESP_Fahrer_bremst": BRAKE}},
    "TSK_06": {"period": 20, **MQB, "signals": {"TSK_Status": {"expression": "3 if custom.Cruise > 0.5 else 2"}}},
    "Motor_20": {"period": 20, **MQB, "signals": {"MO_Fahrpedalrohwert_01": "input.Throttle"}},
    "Motor_14": {"period": 100, "signals": {"MO_Fahrer_bremst": BRAKE}},
    "GRA_ACC_01": {"period": 30, **MQB},
}
BENCH: Final[dict[str, Any]] = {
    "name": "panda",
    "rate": 1000,
    "state": "none",
    "vehicle": "compact",
    "custom": {"Cruise": {"range": [0, 1]}, "Judges": {"range": [0, 1]}},
    "buses": {
        "can": {
            "interface": "embedded",
            "database": str(PACKAGE / "dbc/vw_mqb.dbc"),
            "messages": {
                name: {**one, "phase": PHASE + place % 5} for place, (name, one) in enumerate(MESSAGES.items())
            },
            "raw": {
                "Ask": {
                    "id": 0x700,
                    "period": 10,
                    "phase": LATER,
                    "data": "00",
                    "signals": {"On": {"bit": 0, "width": 8, "from": "custom.Judges"}},
                }
            },
        }
    },
}
SCENARIO: Final[dict[str, Any]] = {
    "steps": [
        {"set": {"input.Key": 0}},
        {"after": 0.04, "set": {"custom.Judges": 1}},
        {"after": 0.05, "set": {"custom.Cruise": 1}},
        {"after": 0.03, "set": {"input.Brake": 0.5}},
        {
            "after": 0.01,
            "fault": {"kind": "frame", "bus": "can", "message": "LH_EPS_03", "effect": "counter", "wrong": "freeze"},
        },
        {"after": 0.08, "expect": "input.Brake > 0.4"},
    ]
}


def drive(folder: Path, client: dict[str, Any]) -> list[tuple[int, bytes]]:
    """Return the frame log: times and records of all frames."""
    folder.mkdir()
    bench = {**BENCH, "lockstep": {"panda": {"bus": "can", **client}}}
    for name, content in {"car.yaml": bench, "drive.yaml": SCENARIO}.items():
        (folder / name).write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    words = ["run", str(folder / "car.yaml"), "--pace", "lockstep", "--trust", "--record", str(folder / "recording")]
    assert main([*words, "--scenario", str(folder / "drive.yaml")]) == 0
    return [(one.t, one.payload) for one in Recording(folder / "recording").records() if one.kind == FRAME]


@pytest.mark.timeout(900)  # a third of a second takes half a minute of a processor that has nothing else to do
def test_on_the_chip_and_here_the_firmware_has_the_same_frame_log(tmp_path: Path) -> None:
    words = ["cc", *STRICT, "-isystem", str(PACKAGE.parent), "-I", str(HEADER), "-o", str(tmp_path / "panda")]
    subprocess.run([*words, str(SOURCES / "panda.c"), str(SOURCES / "bench.c")], check=True)
    more = ["-DMEGAHERTZ=16", "-DSTACK=0x20020000", "-isystem", str(PACKAGE.parent)]
    compile_firmware(tmp_path / "panda.elf", "cortex-m4", ["panda.c", "bxcan.c"], 0x40023840, *more, ram="112K")
    native = drive(tmp_path / "native", {"firmware": "../panda"})
    chip = drive(tmp_path / "chip", {"firmware": "../panda.elf", "chip": "stm32f407", "clock": 16})
    assert chip == native
    states = [record.frame.data for _, payload in native if (record := FrameRecord.decode(payload)).received]
    allowed = [state[0] & 1 for state in states]
    assert len(states) > 15
    assert "".join(map(str, allowed)).strip("0").strip("1") == ""  # allowed once, and taken back
    assert set(allowed) == {0, 1}
    assert states[-1][0] & 2  # he brakes
    assert len({state[1] for state in states}) > 2  # checks: not seen at first, all well, a counter that rests
