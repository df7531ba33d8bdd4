"""Benches for load.

Forty protected frames on two buses; the full bench, which has these and the demo in one; and sixty raw frames as a
cluster's profile has them, with tables, slewed values, expressions, pages and a list of events.
"""

from pathlib import Path
from typing import Any, Final

from hilbridge.runs.benchmarks.rig import MeasuredBench, demo_content

PERIODS: Final = (10, 20, 25, 40, 50, 100, 200, 250, 500, 1000) * 2
"""Periods of the frames of each of the two buses [ms]."""

BUSES: Final = ("a", "b")
FIRST_IDENTIFIER: Final = 0x100
_SIGNALS: Final = """\
 SG_ EngineRpm : 0|16@1+ (0.25,0) [0|16000] "rpm" OTHER
 SG_ Speed : 16|14@1- (0.0625,0) [-500|500] "km/h" OTHER
 SG_ EngineWorking : 30|2@1+ (1,0) [0|1] "" OTHER
 SG_ ThrottleSignal : 32|10@1+ (0.1,0) [0|100] "%" OTHER
 SG_ EngineLoad : 42|10@1+ (0.1,0) [0|100] "%" OTHER
 SG_ COUNTER : 52|4@1+ (1,0) [0|15] "" OTHER
 SG_ CHECKSUM : 56|8@1+ (1,0) [0|255] "" OTHER
"""

EVENTS_FRAME: Final = 59
"""The frame of the sixty that has events."""

_CHECKSUM: Final = {"bit": 56, "width": 8}

_PROTECTION: Final = {"counter": {"at": "COUNTER"}, "checksum": {"at": "CHECKSUM", "algorithm": "crc8"}}


def _forty(folder: Path) -> dict[str, Any]:
    database = folder / "forty.dbc"
    database.write_text(_database(), encoding="ascii")
    messages = {f"M{number}": {"protection": [_PROTECTION]} for number in range(len(PERIODS))}
    bus = {
        "interface": "embedded",
        "slcan": 0,
        "database": str(database),
        "transmit": ["HILBRIDGE"],
        "messages": messages,
    }
    return {
        "vehicle": "compact",
        "buses": dict.fromkeys(BUSES, bus),
        "inputs": [{"source": "demo-driver"}],
        "diagnostics": {"units": {"engine": _unit("engine"), "transmission": _unit("gearbox")}},
    }


def _unit(template: str) -> dict[str, str]:
    return {"unit": template, "bus": BUSES[0]}


def _sixty(_folder: Path) -> dict[str, Any]:
    """Return a bus of sixty raw frames: a third is protected, one takes turns, one has forty events."""
    raw: dict[str, dict[str, Any]] = {f"F{number}": _profile_frame(number) for number in range(EVENTS_FRAME)}
    raw["F0"]["signals"]["Page"] = {"bit": 48, "width": 4, "in_turn": [0, 1, 2, 3], "frames": 4}
    members = {f"e{code}": {"code": code, "when": f"auxiliary.CoolantTemperature > {code}"} for code in range(70, 110)}
    raw[f"F{EVENTS_FRAME}"] = {
        "id": 0x592,
        "data": "40 00 00 FF FF FF FF FF",
        "signals": {"Code": {"bit": 8, "width": 16, "constant": 0}},
        "events": {"code": "Code", "slot": 100, "repeat": 5000, "list": members},
    }
    bus = {"interface": "embedded", "slcan": 0, "raw": raw}
    return {"vehicle": "compact", "buses": {"cluster": bus}, "inputs": [{"source": "demo-driver"}]}


def _profile_frame(number: int) -> dict[str, Any]:
    counted = {"counter": {"at": {"bit": 52, "width": 4}}, "checksum": {"at": _CHECKSUM, "algorithm": "crc8"}}
    fuel = [[0, 625], [0.25, 1950], [0.5, 3600], [1, 9700]]
    return {
        "id": 0x100 + number,
        "data": "00 00 00 00 00 00 00 00",
        "period": PERIODS[number % len(PERIODS)],
        "signals": {
            "EngineSpeed": {"bit": 7, "width": 16, "order": "big", "scale": 0.25, "from": "vehicle.EngineRpm"},
            "Tank": {"bit": 16, "width": 16, "from": "auxiliary.FuelShare", "table": fuel, "slew": 136},
            "Speed": {"bit": 32, "width": 12, "scale": 0.1, "expression": "abs(vehicle.Speed) * 3.6"},
            "Lamp": {"bit": 44, "width": 1, "expression": "auxiliary.CoolantTemperature > 118"},
        },
        "protection": [counted] if number % 3 == 0 else [],
    }


def _full(folder: Path) -> dict[str, Any]:
    """Return three buses, CAN and serial inputs, OBD-II, scan tools, page and control socket."""
    demo = demo_content(folder)
    control = {"socket": str(folder / "control.sock")}
    return {**demo, "buses": demo["buses"] | _forty(folder)["buses"], "control": control}


def _database() -> str:
    identifiers = {FIRST_IDENTIFIER + number: period for number, period in enumerate(PERIODS)}
    frames = (
        f"BO_ {identifier} M{identifier - FIRST_IDENTIFIER}: 8 HILBRIDGE\n{_SIGNALS}" for identifier in identifiers
    )
    cycles = (f'BA_ "GenMsgCycleTime" BO_ {identifier} {period};\n' for identifier, period in identifiers.items())
    attribute = 'BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;\nBA_DEF_DEF_ "GenMsgCycleTime" 0;\n'
    return "\n".join(['VERSION ""\n', "BU_: HILBRIDGE OTHER\n", *frames, attribute]) + "".join(cycles)


FORTY: Final = MeasuredBench("forty", _forty)
SIXTY: Final = MeasuredBench("sixty", _sixty)
FULL: Final = MeasuredBench("full", _full, recorded=True)
