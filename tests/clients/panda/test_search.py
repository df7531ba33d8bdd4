"""A bug that is put into a copy of comma's panda safety firmware is found by a search, and shrunk to one input.

The check that is left out: control is no longer taken back when the driver brakes.
"""

import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from hilbridge.commands.cli import main

from .exam import HEADER
from .makers import PACKAGE

SOURCE: Final = Path(__file__).with_name("state.c")
MQB: Final = {"protection": [{"preset": "vw-mqb"}]}
BRAKE: Final = {"expression": "input.Brake > 0.01"}
WHEELS: Final = {"HL": "RearLeft", "HR": "RearRight", "VL": "FrontLeft", "VR": "FrontRight"}
BENCH: Final[dict[str, Any]] = {
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
    "lockstep": {"panda": {"bus": "can", "firmware": "panda", "arguments": [15]}},
}

CHECK: Final = "if (brake_pressed && (!brake_pressed_prev || vehicle_moving)) {"
NEVER: Final = "not (custom.Allowed > 0.5 and input.Brake > 0.3 and custom.Brakes > 0.5)"
STATE_DBC: Final = """VERSION ""
BU_: PANDA
BO_ 2032 PandaState: 5 PANDA
 SG_ Allowed : 32|1@1+ (1,0) [0|1] "" X
 SG_ Brakes : 33|1@1+ (1,0) [0|1] "" X
"""
STATE: Final[dict[str, Any]] = {
    "custom": {name: {"range": [0, 1]} for name in ("Allowed", "Brakes", "Cruise")},
    "inputs": [
        {
            "source": "can",
            "bus": "can",
            "message": "PandaState",
            "signals": {"custom.Allowed": {"field": "Allowed"}, "custom.Brakes": {"field": "Brakes"}},
        }
    ],
}
SCENARIO: Final[dict[str, Any]] = {
    "steps": [
        {"set": {"input.Key": 0, "custom.Cruise": 1}},
        {"name": "No control while he brakes", "background": True, "always": NEVER},
        {"wait": {"until": "custom.Allowed > 0.5", "timeout": 1}},
    ],
}
CAMPAIGN: Final[dict[str, Any]] = {
    "bench": "car.yaml",
    "scenario": "drive.yaml",
    "search": {
        "inputs": {
            "input.Brake": {"from": 0, "to": 1},
            "input.Throttle": {"from": 0, "to": 1},
            "input.Handbrake": [0, 1],
            "body.TurnSignal": ["off", "left", "right"],
        },
        "faults": [
            {"kind": "frame", "bus": "can", "message": "ESP_05", "effect": "counter", "wrong": "freeze", "for": 0.1}
        ],
        "changes": 6,
        "over": 0.5,
        "tries": 24,
    },
}


def made(folder: Path, *, bug: bool) -> Path:
    """Make bench, scenario and campaign with the firmware; return the campaign."""
    shutil.copytree(PACKAGE / "safety", folder / "opendbc/safety")
    file = folder / "opendbc/safety/safety.h"
    text = file.read_text(encoding="utf-8")
    assert text.count(CHECK) == 1
    file.write_text(text.replace(CHECK, "if (false) {") if bug else text, encoding="utf-8")
    words = ["cc", "-std=gnu11", "-O1", "-isystem", str(folder), "-I", str(HEADER)]
    subprocess.run([*words, "-o", folder / "panda", SOURCE], check=True)
    (folder / "state.dbc").write_text(STATE_DBC, encoding="utf-8")
    bench: Any = BENCH
    bus = bench["buses"]["can"]
    cruise = {"TSK_Status": {"expression": "3 if custom.Cruise > 0.5 else 2"}}
    messages = {**bus["messages"], "TSK_06": {**bus["messages"]["TSK_06"], "signals": cruise}}
    buses = {"can": {**bus, "database": [bus["database"], "state.dbc"], "messages": messages}}
    for name, content in {
        "car.yaml": {**bench, **STATE, "rate": 200, "buses": buses},
        "drive.yaml": SCENARIO,
        "hunt.yaml": CAMPAIGN,
    }.items():
        (folder / name).write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return folder / "hunt.yaml"


@pytest.mark.timeout(1200)  # a minute on two processors that have nothing else to do
def test_a_check_that_is_left_out_is_found_and_shrunk(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """To fewer than ten changes of inputs; the firmware as it is does what the scenario demands of it."""
    campaign = made(tmp_path / "bug", bug=True)
    assert main(["campaign", str(campaign), "--trust"]) == 1
    said = capfd.readouterr()
    assert "violated in run " in said.err
    assert "run once more from the file: failed: " in said.out
    file = tmp_path / "bug/hunt.results/violation.yaml"
    steps = yaml.safe_load(file.read_text(encoding="utf-8"))["steps"]
    changes = [step for step in steps if "set" in step or "fault" in step]
    assert 0 < len(changes) < 10
    assert any("input.Brake" in step.get("set", {}) for step in changes)

    made(tmp_path / "right", bug=False)
    for name, status in (("bug", 1), ("right", 0)):
        words = ["run", str(tmp_path / name / "car.yaml"), "--pace", "lockstep", "--scenario", str(file), "--trust"]
        assert main([*words, "--log", "json"]) == status
